//! Where boards live, behind one interface. Whoever reads a board need not know which home it is in; the two give the
//! same windows, drift and ties for the same writes, and one suite of tests runs against both.

use crate::board::distribution::{Binning, Distribution};
use crate::board::entry::Member;
use crate::board::foreign::probe::{ProbeCommand, ProbeReply};
use crate::board::keys::Board;
use crate::board::names::{Name, NamesLocation};
use crate::board::score::Score;
use crate::board::version::Version;
use crate::query::capabilities::Capabilities;
use crate::query::error::StoreError;
use crate::query::listing::{Found, KeySummary};
use crate::query::page::{PageReply, PageRequest};
use crate::query::round_trip::RoundTrip;

pub mod find;
pub mod memory;
pub mod redis;
pub mod sharded;
pub mod worker;

/// A home of boards. Reads never write.
#[expect(async_fn_in_trait, reason = "one thread drives a home; its futures need not be Send")]
pub trait BoardSource {
    /// Answers `ask`: rows, version, total and counts of one moment, or marked as not verified.
    async fn read(&mut self, board: &Board, ask: &PageRequest) -> Result<PageReply, StoreError>;

    /// What has been found to work here; `None` where there is nothing that could be missing.
    fn access(&self) -> Option<Capabilities> {
        None
    }

    /// The trips that were made since this was asked last, where that can be told; each is told once.
    fn trips(&mut self) -> Vec<RoundTrip> {
        Vec::new()
    }

    /// The version alone: one tiny command.
    async fn version(&mut self, board: &Board) -> Result<Option<Version>, StoreError>;

    /// The names of `members`, in their order, with `None` for those without one; `None` where the home of names is not
    /// there at all, so that nobody has one. Not of the moment of any window.
    async fn names(
        &mut self,
        home: &NamesLocation,
        members: &[Member],
    ) -> Result<Option<Vec<Option<Name>>>, StoreError>;

    /// One step of a search for names; where it cannot be made, nothing is there.
    async fn probe(&mut self, commands: &[ProbeCommand]) -> Result<Vec<ProbeReply>, StoreError> {
        Ok(vec![ProbeReply::Failed; commands.len()])
    }

    /// What there is at the keys of `boards`, in their order; their orders do not matter.
    async fn list(&mut self, boards: &[Board]) -> Result<Vec<KeySummary>, StoreError>;

    /// One step of the search for all boards: the first step of a new search, or the next one of the search that is under
    /// way, where there is one.
    async fn search(&mut self, is_new: bool) -> Result<Found, StoreError>;

    /// How the scores of a board are spread over the bins that are wanted, all of one moment or marked as not verified.
    async fn distribution(&mut self, board: &Board, binning: Binning) -> Result<Distribution, StoreError>;
}

/// One change to a board or to what goes with it.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The member has this score now.
    Score(Member, Score),
    /// The member leaves the board.
    Leave(Member),
    /// The member has this name now.
    Name(Member, Name),
    /// A field of the meta hash has this value now.
    Meta(&'static str, Vec<u8>),
}

/// Whoever writes to boards, kept apart from whoever reads them.
#[expect(async_fn_in_trait, reason = "one thread drives a writer; its futures need not be Send")]
pub trait Writer {
    /// Makes all of `changes` as one moment, and counts the version up in the same moment.
    async fn write(&mut self, board: &Board, names: &NamesLocation, changes: &[Change]) -> Result<(), StoreError>;
}
