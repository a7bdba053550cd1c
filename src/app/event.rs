//! What comes in and what goes out: events with their moment, and effects that somebody else performs.

use std::time::Duration;

use crate::app::keymap::Press;
use crate::query::error::StoreError;
use crate::query::reply::{LinkChange, Reply};
use crate::query::request::Request;

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
    /// The moment has come that [`crate::app::wake::next`] named.
    Woken,
    /// A reply came, or news of the connection.
    Reply(Reply),
    /// The calendar's clock, in Unix milliseconds: told at the start and whenever it has moved otherwise than the
    /// program has run, as when somebody sets it or the machine has slept.
    Clock(i64),
    /// The server said that what was read has changed since.
    Pushed,
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
        reason: StoreError,
        /// When the next try is made.
        retry_at: Moment,
    },
}

impl Link {
    /// The connection after `change`, which was told at `now`.
    pub fn after(change: LinkChange, now: Moment) -> Self {
        match change {
            LinkChange::Connecting => Self::Connecting,
            LinkChange::Up { pushes } => Self::Up { pushes },
            LinkChange::Down { reason, retry_in } => Self::Down { reason, retry_at: now + retry_in },
        }
    }
}

/// Something to be done by whoever called `update`.
#[expect(clippy::large_enum_variant, reason = "nearly every effect is a request")]
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Ask this of where boards live; one reply comes back.
    Send(Request),
    /// Do not wait for the next try to connect.
    Retry,
    /// Put this text on the terminal's clipboard.
    Copy(String),
    /// Give the terminal back and stop, as Ctrl-Z does.
    Suspend,
}
