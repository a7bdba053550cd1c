//! What comes in and what goes out: events with their moment, and effects that somebody else performs.

use std::time::Duration;

use crate::app::keymap::Press;
use crate::board::ask::{Answer, Ask, Board};
use crate::board::entry::Member;
use crate::board::evidence::Exchange;
use crate::board::names::Name;
use crate::board::place::Place;
use crate::board::trouble::Trouble;
use crate::board::version::Version;

/// A moment: how long the program has been running.
pub type Moment = Duration;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A key was pressed.
    Key(Press),
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
    /// What the page read that ends next asked and was answered.
    Evidence(Vec<Exchange>),
    /// The version was read.
    Polled {
        /// What it is.
        result: Result<Option<Version>, Trouble>,
        /// From question to answer.
        took: Duration,
    },
    /// Names were read.
    Named {
        /// Of whom.
        members: Vec<Member>,
        /// Their names in the same order; `None` where the home of names is not there; or why they could not be read.
        result: Result<Option<Vec<Option<Name>>>, Trouble>,
    },
    /// The server said that what was read has changed since.
    Pushed,
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
    Names(Vec<Member>),
    /// Do not wait for the next try to connect.
    Retry,
    /// Put this text on the terminal's clipboard.
    Copy(String),
    /// Give the terminal back and stop, as Ctrl-Z does.
    Suspend,
}
