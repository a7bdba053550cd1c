//! What is known of the one board that is open. Opening another board replaces it as a whole.

use crate::app::alarms::Alarms;
use crate::app::event::Moment;
use crate::app::moves::Moves;
use crate::app::page::Shown;
use crate::app::page::banner::Banner;
use crate::app::page::history::History;
use crate::app::polling::schedule::Watch;
use crate::app::presses::Presses;
use crate::app::queue::{Intent, Reading};
use crate::app::rate::Rate;
use crate::app::rollover::Rollover;
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::version::Version;
use crate::query::error::StoreError;
use crate::query::round_trip::CommandReply;

/// The selected member has left the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departed {
    /// Who.
    pub member: Member,
    /// Where it stands now; `None` while that is not known.
    pub whereabouts: Option<Whereabouts>,
}

/// Where a member that left the page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// At this position.
    At(u64),
    /// Not on the board.
    Gone,
}

/// A search for tie groups that has not found one yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// Towards the end of the board.
    pub forward: bool,
    /// The position it has come to.
    pub reached: u64,
}

/// The open board, its page, and what the reader is doing with it.
#[derive(Clone, Debug)]
pub struct Session {
    /// Which board, in which order; `None` until one is chosen.
    pub board: Option<Board>,
    /// What the calendar makes of the board.
    pub rollover: Rollover,
    /// When the key of the board expires, where it does.
    pub expires_at: Option<Moment>,
    /// Why the last read failed, if it did.
    pub trouble: Option<StoreError>,
    /// What the last page read asked and was answered.
    pub evidence: Vec<CommandReply>,
    /// The page on the screen; its last good state when the board is gone.
    pub shown: Option<Shown>,
    /// The page is not drawn before this moment, unless its names have come.
    pub draws_at: Option<Moment>,
    /// The board is not there.
    pub is_missing: bool,
    /// The page is kept as it is.
    pub is_held: bool,
    /// The version that was seen last, by whatever read.
    pub seen_version: Option<Version>,
    /// What is wrong with how the board is written.
    pub alarms: Alarms,
    /// Who is followed as it moves.
    pub follow: Option<Member>,
    /// The selected member has left the page.
    pub departed: Option<Departed>,
    /// What stands in the banner's line.
    pub banner: Option<Banner>,
    /// Whether it has been said that the board has no version.
    pub is_unversioned_said: bool,
    /// A search for tie groups under way.
    pub search: Option<Search>,
    /// How fast the version moves.
    pub rate: Rate,
    /// How the members of the page have moved.
    pub moves: Moves,
    /// The key presses whose turn has not come.
    pub presses: Presses,
    /// Where the reader was before jumps.
    pub history: History,
    /// What is read where no page has come yet.
    pub opening: Intent,
    /// What is being read.
    pub reading: Reading,
    /// When to look.
    pub watch: Watch,
}

impl Session {
    /// A board that nothing was read of yet, from `opening` on. `reading` is the queue of the board that was open before: a
    /// reply that is under way for it is still waited for, and dropped.
    pub fn new(
        board: Option<Board>,
        rollover: Rollover,
        opening: Intent,
        watch: Watch,
        moves: Moves,
        mut reading: Reading,
    ) -> Self {
        reading.cancel();
        reading.want(opening.clone());
        Self {
            board,
            rollover,
            expires_at: None,
            trouble: None,
            evidence: Vec::new(),
            shown: None,
            draws_at: None,
            is_missing: false,
            is_held: false,
            seen_version: None,
            alarms: Alarms::default(),
            follow: None,
            departed: None,
            banner: None,
            is_unversioned_said: false,
            search: None,
            rate: Rate::default(),
            moves,
            presses: Presses::default(),
            history: History::default(),
            opening,
            reading,
            watch,
        }
    }
}
