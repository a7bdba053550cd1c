//! A board in memory that others write to between the reads of the command under test.

use crate::board::ask::{Answer, Ask, Board};
use crate::board::entry::Member;
use crate::board::names::{Name, NamesHome};
use crate::board::trouble::Trouble;
use crate::board::version::Version;
use crate::store::Home;
use crate::store::embedded::EmbeddedHome;

/// A home in which `write` happens before each read, given its number from 0.
pub(super) struct Busy<F> {
    pub(super) home: EmbeddedHome,
    pub(super) reads: u32,
    pub(super) write: F,
}

impl<F: FnMut(&EmbeddedHome, u32)> Home for Busy<F> {
    async fn read(&mut self, board: &Board, ask: &Ask) -> Result<Answer, Trouble> {
        (self.write)(&self.home, self.reads);
        self.reads += 1;
        self.home.read(board, ask).await
    }

    async fn version(&mut self, board: &Board) -> Result<Option<Version>, Trouble> {
        self.home.version(board).await
    }

    async fn names(&mut self, home: &NamesHome, members: &[Member]) -> Result<Option<Vec<Option<Name>>>, Trouble> {
        self.home.names(home, members).await
    }
}
