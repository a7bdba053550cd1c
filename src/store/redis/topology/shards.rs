//! Boards over many sorted sets, wherever their parts lie: on one server, all parts in one pipeline; in a Cluster, all nodes
//! at once. How the answers are put together is not its concern.

use std::collections::HashMap;

use crate::board::distribution::{Binning, Distribution};
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::keys::Key;
use crate::board::names::{Name, NamesLocation};
use crate::board::sharded::part::Answer;
use crate::board::sharded::vector::version_of;
use crate::board::version::Version;
use crate::query::error::StoreError;
use crate::query::listing::KeySummary;
use crate::query::page::{PageReply, PageRequest};
use crate::store::redis::parts::Asked;
use crate::store::sharded::board::{Shards, is_sharded, part_board, part_names};
use crate::store::sharded::{Parts, Placement, Query, Reader};

use super::source::{AnySource, Nodes};

/// The parts of one board over the connections of a source.
struct PartsOver<'a> {
    nodes: &'a mut Nodes,
    count: u32,
}

impl Parts for PartsOver<'_> {
    fn count(&self) -> usize {
        self.count as usize
    }

    fn epoch(&self) -> u64 {
        match &self.nodes {
            Nodes::One(_) => 0,
            Nodes::Cluster(cluster) => cluster.epoch(),
        }
    }

    async fn trip(&mut self, board: &Board, queries: &[Query]) -> Result<Vec<Result<Answer, StoreError>>, StoreError> {
        let number = |query: &Query| u32::try_from(query.part).unwrap_or(u32::MAX);
        let boards: Vec<Board> = queries.iter().map(|query| part_board(board, number(query))).collect();
        let asked: Vec<Asked<'_>> =
            boards.iter().zip(queries).map(|(board, query)| (board, query.questions.as_slice())).collect();
        match &mut self.nodes {
            Nodes::One(source) => source.ask_parts(&asked).await,
            Nodes::Cluster(cluster) => Box::pin(cluster.ask_parts(&asked)).await,
        }
    }
}

impl AnySource {
    /// Reads boards with `<shard>` in their keys as boards of so many parts.
    pub fn with_shards(mut self, count: Option<u32>) -> Self {
        self.shards = count.map(Shards::new);
        self
    }

    /// What is known of the parts of the board of this key; `None` where it is one sorted set.
    pub(super) fn is_sharded(&self, key: &Key) -> bool {
        self.shards.is_some() && is_sharded(key)
    }

    pub(super) async fn read_sharded(&mut self, board: &Board, request: &PageRequest) -> Result<PageReply, StoreError> {
        let Self { nodes, shards, .. } = self;
        let Some(shards) = shards else { return Err(one_set()) };
        shards.turn_to(board);
        let mut totals = std::mem::take(&mut shards.totals);
        let mut parts = PartsOver { nodes, count: shards.count() };
        let mut reader = Reader::new(&mut parts, board, &mut totals);
        let read = reader.page(request).await;
        shards.totals = totals;
        let (reply, placed) = read?;
        shards.note(placed.into_iter());
        Ok(reply)
    }

    /// The versions of all parts as one: a tiny command for each, all of them in one trip.
    pub(super) async fn version_sharded(&mut self, board: &Board) -> Result<Option<Version>, StoreError> {
        let Self { nodes, shards, .. } = self;
        let Some(shards) = shards else { return Err(one_set()) };
        let boards: Vec<Board> = (0..shards.count()).map(|part| part_board(board, part)).collect();
        let versions = match nodes {
            Nodes::One(source) => source.versions(&boards).await?,
            Nodes::Cluster(cluster) => Box::pin(cluster.versions(&boards)).await?,
        };
        Ok(version_of(&versions))
    }

    pub(super) async fn list_sharded(&mut self, board: &Board) -> Result<KeySummary, StoreError> {
        let Self { nodes, shards, .. } = self;
        let Some(shards) = shards else { return Err(one_set()) };
        let mut parts = PartsOver { nodes, count: shards.count() };
        match Reader::new(&mut parts, board, &mut Vec::new()).summary().await {
            Err(StoreError::WrongType { .. }) => Ok(KeySummary::NoSortedSet),
            summary => summary,
        }
    }

    pub(super) async fn distribution_sharded(
        &mut self,
        board: &Board,
        binning: Binning,
    ) -> Result<Distribution, StoreError> {
        let Self { nodes, shards, .. } = self;
        let Some(shards) = shards else { return Err(one_set()) };
        let mut parts = PartsOver { nodes, count: shards.count() };
        Reader::new(&mut parts, board, &mut Vec::new()).distribution(binning).await
    }

    /// Where a writer puts `member` of a board over many sorted sets.
    pub async fn place(&mut self, board: &Board, member: &Member) -> Result<Placement, StoreError> {
        let Self { nodes, shards, .. } = self;
        let Some(shards) = shards else { return Err(one_set()) };
        let mut parts = PartsOver { nodes, count: shards.count() };
        Reader::new(&mut parts, board, &mut Vec::new()).place(member).await
    }

    /// Names that are kept part by part, each asked for at the part of its member.
    pub(super) async fn names_sharded(
        &mut self,
        names: &NamesLocation,
        members: &[Member],
    ) -> Result<Option<Vec<Option<Name>>>, StoreError> {
        let Self { nodes, shards, .. } = self;
        let Some(shards) = shards else { return Err(one_set()) };
        let mut by_part: HashMap<u32, Vec<usize>> = HashMap::new();
        for (at, member) in members.iter().enumerate() {
            by_part.entry(shards.part_of(member)).or_default().push(at);
        }
        let mut found = vec![None; members.len()];
        let mut is_anywhere = false;
        for (part, indexes) in by_part {
            let some: Vec<Member> = indexes.iter().map(|at| members[*at].clone()).collect();
            let location = part_names(names, part);
            let read = match nodes {
                Nodes::One(source) => source.names(&location, &some).await?,
                Nodes::Cluster(cluster) => Box::pin(cluster.names(&location, &some)).await?,
            };
            let Some(names) = read else { continue };
            is_anywhere = true;
            for (at, name) in indexes.into_iter().zip(names) {
                found[at] = name;
            }
        }
        Ok(is_anywhere.then_some(found))
    }
}

fn one_set() -> StoreError {
    StoreError::Other("how many shards the board has was not said".to_owned())
}
