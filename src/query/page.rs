//! What can be asked of a board, wherever it lives, and what comes back.

use crate::board::entry::{Entry, Member};
use crate::board::packed::scoring::Scoring;
use crate::board::score::Score;
use crate::board::window::Window;

/// Up to this many distinct better scores are counted for the dense rank of a page; past it, dense ranks are not shown.
pub const DENSE_BOUND: u64 = 1_000;

/// How many rows one step of a search for tie groups looks at.
pub const SEARCH_STEP: u64 = 1_000;

/// Where a page begins.
///
/// On a board that is not there, a member is not on it and there is no further tie or score; for the rest, the page is
/// empty and without a target.
#[derive(Clone, Debug, PartialEq)]
pub enum PageStart {
    /// With the row at this position, from 1; past the end there are no rows, and the page starts right below the last.
    Position(u64),
    /// So that the last row of the board is the last of the page.
    Last,
    /// With the first row strictly after this place, whether or not somebody stands there.
    After(Entry),
    /// So that its last row is the last strictly before this place. Where fewer stand there than the page has, it starts
    /// at 1 and has only those, unless it is to be filled.
    Before(Entry),
    /// With the first row at or after this place, whether or not somebody stands there.
    From(Entry),
    /// Around the first row at or after this place; around the last row where all stand before it.
    Place(Entry),
    /// Around this member.
    Member(Member),
    /// Around the row at this position; the last row where the board is shorter.
    Row(u64),
    /// Around the first row at this score or below it in board order; around the last row where all are better.
    Score(Score),
    /// Around the first row of the next tie group below all rows of this score. Of the rows below them, up to
    /// [`SEARCH_STEP`] are looked at.
    NextTie(Score),
    /// Around the first row of the nearest tie group above all rows of this score. Of the rows above them, up to
    /// [`SEARCH_STEP`] are looked at, nearest first.
    PreviousTie(Score),
    /// Around the first row of the next distinct score.
    NextScore(Score),
    /// Around the first row of the distinct score before.
    PreviousScore(Score),
}

/// A place whose boundary is wanted from the same moment as the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// The place, whether or not somebody stands there.
    pub place: Entry,
    /// True: the rows at or before the place are counted; false: those strictly before it.
    pub inclusive: bool,
}

/// A question: which page, and what else from the same moment. One round trip wherever the server allows it.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRequest {
    /// Where the page begins.
    pub whence: PageStart,
    /// How many rows are wanted, at least 1.
    pub size: u64,
    /// Where the page lies around a row: how many rows are wanted above it, less than `size`. Fewer at the top of the
    /// board, more at its end, for the page is filled.
    pub lead: u64,
    /// Of pages before a place: where fewer rows stand before it than a page has, the first page is filled up.
    pub fill: bool,
    /// Further turns from the page that begins there, in order, each `true` towards the end of the board: the last page
    /// of them is what is read. A turn over an end of the board stays where it is.
    pub turns: Vec<bool>,
    /// The boundary that is wanted with the page.
    pub anchor: Option<Anchor>,
    /// Whose position is wanted with the page.
    pub track: Option<Member>,
    /// Whether distinct better scores are counted, for dense ranks. Costs two look-ups a distinct score.
    pub dense: bool,
    /// How long the board lives and what it says of itself may be what the page before told, over this connection.
    pub is_lean: bool,
    /// How scores are read, and so which of them share a rank: ties, steps between scores and counts of better ones go by it.
    /// Places do not.
    pub scoring: Scoring,
}

impl PageRequest {
    /// Asks for `size` rows from `whence`, and nothing else.
    pub fn new(whence: PageStart, size: u64) -> Self {
        Self {
            whence,
            size,
            lead: 0,
            fill: false,
            turns: Vec::new(),
            anchor: None,
            track: None,
            dense: false,
            is_lean: false,
            scoring: Scoring::default(),
        }
    }
}

/// The index, from 0, at which the page begins that `turns` lead to from one of `size` rows that begins at `start`, on a
/// board of `total` rows.
pub fn turned(start: u64, size: u64, total: u64, turns: &[bool]) -> u64 {
    turns.iter().fold(start, |start, is_forward| match is_forward {
        true if start.saturating_add(size) < total => start + size,
        true => start,
        false => start.saturating_sub(size),
    })
}

/// A page that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Its rows. Where there are none, so are its counts: 0 members and, if asked, 0 distinct scores.
    pub window: Window,
    /// Position of the row that was asked for, where one was.
    pub target: Option<u64>,
    /// The boundary of the anchor, where one was given.
    pub boundary: Option<u64>,
    /// The position of the member that was tracked; `None` where it is not on the board or none was given.
    pub tracked: Option<u64>,
}

/// What came back.
#[derive(Clone, Debug, PartialEq)]
pub enum PageReply {
    /// A page.
    Page(Box<Page>),
    /// The member is not on this board.
    NotOnBoard,
    /// There is no further tie group, or distinct score, that way.
    NoFurther,
    /// No tie group within [`SEARCH_STEP`] rows that way, and there are more rows; the search goes on from this score.
    Onward {
        /// Ask again from here: the score of the last row looked at but one, so that the last is looked at again and a
        /// group that begins with it is found.
        from: Score,
        /// Position of the last row looked at.
        reached: u64,
    },
}
