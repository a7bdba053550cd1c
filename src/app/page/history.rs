//! Where the reader was before jumps and finds, so that there is a way back, several deep.

use crate::app::page::anchor::PageAnchor;
use crate::board::entry::Member;

/// So many places are remembered.
const DEPTH: usize = 50;

/// A page that was left by a jump.
#[derive(Clone, Debug, PartialEq)]
pub struct Stay {
    /// What the page hung on.
    pub anchor: PageAnchor,
    /// Who was selected.
    pub member: Option<Member>,
    /// On which row.
    pub row: usize,
}

/// The pages that were left by jumps, the last one last.
#[derive(Clone, Debug, Default)]
pub struct History(Vec<Stay>);

impl History {
    /// Remembers a page that is left by a jump.
    pub fn leave(&mut self, stay: Stay) {
        if self.0.len() >= DEPTH {
            self.0.remove(0);
        }
        self.0.push(stay);
    }

    /// The last page that was left, which is gone back to.
    pub fn back(&mut self) -> Option<Stay> {
        self.0.pop()
    }
}
