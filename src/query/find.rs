//! Looking for a text in ids and names: one step of it, and what the step brings.

use crate::board::entry::Entry;
use crate::board::keys::Board;
use crate::board::names::NamesLocation;
use crate::board::needle::Needle;

/// Where to look, and for what.
#[derive(Clone, Debug, PartialEq)]
pub struct FindRequest {
    /// On which board.
    pub board: Board,
    /// Where the names of its members are.
    pub names: NamesLocation,
    /// What is looked for.
    pub needle: Needle,
    /// From which row on, that row left out; `None`: from the end of the board that the search goes away from.
    pub from: Option<Entry>,
    /// Towards the end of the board.
    pub forward: bool,
}

/// What one step of looking for a [`Needle`] in board order brought.
#[derive(Clone, Debug, PartialEq)]
pub enum FindReply {
    /// The nearest match.
    Found(Entry),
    /// No match within the step, and there are more rows.
    Onward {
        /// The last row looked at; the search goes on from there.
        from: Entry,
        /// Its position.
        reached: u64,
    },
    /// No match that way.
    NoFurther,
}
