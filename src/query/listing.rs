//! What is told of boards without opening them: one by one, and as a search of the whole database goes on. Unlike the parts
//! of a window these need not be of one moment.

use crate::board::keys::Key;
use crate::board::meta::{State, Ttl};
use crate::board::version::Version;
use crate::query::error::StoreError;

/// What a list tells of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its key.
    pub key: Key,
    /// How many members it has, at least 1; `None` where the user may not read it.
    pub total: Option<u64>,
    /// Its version; `None` too where that is of another type, or the user may not read it.
    pub version: Option<Version>,
    /// Whether it takes scores; `None` likewise.
    pub state: Option<State>,
    /// How long it lives; `None` where the user may not know.
    pub ttl: Option<Ttl>,
}

/// What there is at a key that may be a board's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySummary {
    /// A board.
    Board(Listed),
    /// Something else.
    NoSortedSet,
    /// Nothing.
    Nothing,
    /// The node that holds the key does not answer.
    Unanswered(StoreError),
}

/// What one step of a search for boards has brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Boards that this search had not met before.
    pub keys: Vec<Key>,
    /// About how many keys the search has looked at.
    pub looked_at: u64,
    /// How many there were when it began; `None` where the user may not know.
    pub of: Option<u64>,
    /// Whether this was the last step.
    pub is_over: bool,
    /// Why boards are missing, where nodes of a cluster do not answer.
    pub incomplete: Option<StoreError>,
}
