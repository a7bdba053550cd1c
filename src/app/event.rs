//! What comes in and what goes out: events with their moment, and effects that somebody else performs.

use std::time::Duration;

use crate::app::keymap::Press;
use crate::board::access::Access;
use crate::board::ask::{Answer, Ask, Board};
use crate::board::distribution::Distribution;
use crate::board::entry::{Entry, Member};
use crate::board::evidence::Trip;
use crate::board::keys::Key;
use crate::board::listing::{Found, Sight};
use crate::board::names::{Name, NamesHome};
use crate::board::needle::{Matched, Needle};
use crate::board::place::Place;
use crate::board::trouble::Trouble;
use crate::board::version::Version;

/// A moment: how long the program has been running.
pub type Moment = Duration;

/// What was done with the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mouse {
    /// The wheel was turned by one notch.
    Wheel {
        /// Towards the end of what is shown.
        down: bool,
    },
    /// The main button was pressed.
    Click {
        /// On which line of the screen, from 0.
        line: u16,
    },
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A key was pressed.
    Key(Press),
    /// The mouse was used.
    Mouse(Mouse),
    /// Text was pasted; it is text, never keys.
    Paste(String),
    /// The terminal has this size now.
    Resized {
        /// Columns.
        columns: u16,
        /// Lines.
        lines: u16,
    },
    /// The moment has come that [`crate::app::state::State::wake`] named.
    Woken,
    /// A page read ended.
    Answered {
        /// Which question it was.
        generation: u64,
        /// What came of it.
        result: Result<Answer, Trouble>,
        /// From question to answer.
        took: Duration,
    },
    /// Trips to the server that have ended.
    Trips {
        /// Whether they were made for the page whose answer comes next.
        is_page: bool,
        /// The trips, in order.
        trips: Vec<Trip>,
    },
    /// The version was read.
    Polled {
        /// Of which board.
        key: Key,
        /// What it is.
        result: Result<Option<Version>, Trouble>,
        /// From question to answer.
        took: Duration,
    },
    /// Names were read.
    Named {
        /// Where they were looked for.
        home: NamesHome,
        /// Of whom.
        members: Vec<Member>,
        /// Their names in the same order; `None` where the home of names is not there; or why they could not be read.
        result: Result<Option<Vec<Option<Name>>>, Trouble>,
    },
    /// Boards were looked at.
    Listed {
        /// Which question it was.
        generation: u64,
        /// What there is at each key, in the order of the question.
        result: Result<Vec<Sight>, Trouble>,
    },
    /// A step of the search for boards ended.
    Found {
        /// Which question it was.
        generation: u64,
        /// What came of it.
        result: Result<Found, Trouble>,
    },
    /// The scores of a board were counted.
    Distributed {
        /// Which question it was.
        generation: u64,
        /// What came of it.
        result: Result<Distribution, Trouble>,
    },
    /// A step of looking for a text ended.
    Matched {
        /// Which question it was.
        generation: u64,
        /// What came of it.
        result: Result<Matched, Trouble>,
    },
    /// The calendar's clock, in Unix milliseconds: told at the start and whenever it has moved otherwise than the
    /// program has run, as when somebody sets it or the machine has slept.
    Clock(i64),
    /// The server said that what was read has changed since.
    Pushed,
    /// What has been found to work with this server and this user.
    Access(Access),
    /// What became of the connection.
    Link(Link),
    /// Where the board is read.
    Place(Place),
}

/// The connection, as the reader of the screen is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// A connection is being made.
    Connecting,
    /// There is one.
    Up {
        /// Whether the server tells of changes by itself.
        pushes: bool,
    },
    /// There is none.
    Down {
        /// Why.
        reason: Trouble,
        /// When the next try is made.
        retry_at: Moment,
    },
}

/// Something to be done by whoever called `update`.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Read a page; the answer comes as [`Event::Answered`] with this generation.
    Ask {
        /// Tells this question from others.
        generation: u64,
        /// Of which board.
        board: Board,
        /// What is asked.
        ask: Ask,
    },
    /// Read the version; the answer comes as [`Event::Polled`].
    Poll(Board),
    /// Read names; the answer comes as [`Event::Named`].
    Names(NamesHome, Vec<Member>),
    /// Look at boards; the answer comes as [`Event::Listed`] with this generation.
    List {
        /// Tells this question from others.
        generation: u64,
        /// Which boards.
        boards: Vec<Board>,
    },
    /// Search for boards by one step; the answer comes as [`Event::Found`] with this generation.
    Search {
        /// Tells this question from others.
        generation: u64,
        /// Whether it is the first step.
        is_new: bool,
    },
    /// Count how the scores of a board are spread; the answer comes as [`Event::Distributed`] with this generation.
    Distribution {
        /// Tells this question from others.
        generation: u64,
        /// Of which board.
        board: Board,
        /// Over how many bins at most.
        most: usize,
    },
    /// Look for a text in ids and names by one step; the answer comes as [`Event::Matched`] with this generation.
    Find {
        /// Tells this question from others.
        generation: u64,
        /// On which board.
        board: Board,
        /// Where the names of its members are.
        names: NamesHome,
        /// What is looked for.
        needle: Needle,
        /// From which row on; `None`: from the end of the board that the search goes away from.
        from: Option<Entry>,
        /// Towards the end of the board.
        forward: bool,
    },
    /// Do not wait for the next try to connect.
    Retry,
    /// Put this text on the terminal's clipboard.
    Copy(String),
    /// Give the terminal back and stop, as Ctrl-Z does.
    Suspend,
}
