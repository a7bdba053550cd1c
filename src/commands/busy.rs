//! A board in memory that others write to between the reads of the command under test.

use crate::board::distribution::{Binning, Distribution};
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::names::{Name, NamesLocation};
use crate::board::version::Version;
use crate::query::error::StoreError;
use crate::query::listing::Found;
use crate::query::listing::KeySummary;
use crate::query::page::{PageReply, PageRequest};
use crate::store::BoardSource;
use crate::store::memory::MemorySource;

/// A home in which `write` happens before each read, given its number from 0.
pub(super) struct Busy<F> {
    pub(super) home: MemorySource,
    pub(super) reads: u32,
    pub(super) write: F,
}

impl<F: FnMut(&MemorySource, u32)> BoardSource for Busy<F> {
    async fn read(&mut self, board: &Board, ask: &PageRequest) -> Result<PageReply, StoreError> {
        (self.write)(&self.home, self.reads);
        self.reads += 1;
        self.home.read(board, ask).await
    }

    async fn version(&mut self, board: &Board) -> Result<Option<Version>, StoreError> {
        self.home.version(board).await
    }

    async fn names(
        &mut self,
        home: &NamesLocation,
        members: &[Member],
    ) -> Result<Option<Vec<Option<Name>>>, StoreError> {
        self.home.names(home, members).await
    }

    async fn list(&mut self, _: &[Board]) -> Result<Vec<KeySummary>, StoreError> {
        unreachable!("no test asks for it")
    }

    async fn search(&mut self, _: bool) -> Result<Found, StoreError> {
        unreachable!("no test asks for it")
    }

    async fn distribution(&mut self, _: &Board, _: Binning) -> Result<Distribution, StoreError> {
        unreachable!("no test asks for it")
    }
}
