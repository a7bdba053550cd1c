//! Tie groups: maximal runs of two or more members with equal scores.

/// Where a tie group lies on its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TieGroup {
    /// Position of its first member.
    pub first: u64,
    /// How many members it has on the whole board: at least 2.
    pub size: u64,
}

impl TieGroup {
    /// Position of its last member.
    pub fn last(&self) -> u64 {
        self.first + self.size - 1
    }

    /// Which member of the group stands at `position`, counted from 1.
    pub fn place_of(&self, position: u64) -> u64 {
        position + 1 - self.first
    }
}
