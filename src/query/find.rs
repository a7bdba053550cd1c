//! Looking for a text in ids and names: one step of it, and what the step brings.

use std::sync::Arc;

use crate::board::entry::{Entry, Member};
use crate::board::keys::Board;
use crate::board::names::NamesLocation;
use crate::board::needle::Needle;
use crate::board::packed::member::MemberSpec;

/// Where to look, and for what.
#[derive(Clone, Debug, PartialEq)]
pub struct FindRequest {
    /// On which board.
    pub board: Board,
    /// Where the names of its members are.
    pub names: NamesLocation,
    /// How its members are packed, where they are.
    pub member: Option<Arc<MemberSpec>>,
    /// What is looked for.
    pub needle: Needle,
    /// From which row on, that row left out; `None`: from the end of the board that the search goes away from.
    pub from: Option<Entry>,
    /// Towards the end of the board.
    pub forward: bool,
}

impl FindRequest {
    /// By what a member's name is looked up: its id, or all of it.
    pub fn id_of(&self, member: &Member) -> Member {
        self.member.as_ref().map_or_else(|| member.clone(), |packed| packed.id_of(member))
    }
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
