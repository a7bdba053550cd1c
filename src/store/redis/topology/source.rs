//! The boards of a service behind one interface, whether they are on one server or on the nodes of a Cluster.

use crate::board::distribution::{Binning, Distribution};
use crate::board::entry::Member;
use crate::board::foreign::probe::{ProbeCommand, ProbeReply};
use crate::board::keys::Board;
use crate::board::names::{Name, NamesLocation};
use crate::board::version::Version;
use crate::query::capabilities::Capabilities;
use crate::query::error::StoreError;
use crate::query::listing::{Found, KeySummary};
use crate::query::page::{PageReply, PageRequest};
use crate::query::round_trip::RoundTrip;
use crate::store::BoardSource;
use crate::store::redis::RedisSource;
use crate::store::redis::scan::Discovery;
use crate::store::redis::topology::cluster_source::ClusterSource;
use crate::store::sharded::board::Shards;

/// The boards of a service, and the search for them that is under way.
pub struct AnySource {
    pub(super) nodes: Nodes,
    /// Of boards that lie in many sorted sets.
    pub(super) shards: Option<Shards>,
    discovery: Option<Discovery>,
}

pub(super) enum Nodes {
    /// On one server.
    One(Box<RedisSource>),
    /// On the nodes of a Cluster.
    Cluster(Box<ClusterSource>),
}

impl AnySource {
    pub(super) fn cluster(home: ClusterSource) -> Self {
        Self { nodes: Nodes::Cluster(Box::new(home)), shards: None, discovery: None }
    }

    /// Keeps what is sent and answered, for [`BoardSource::trips`].
    pub fn keep_trips(self) -> Self {
        let nodes = match self.nodes {
            Nodes::One(home) => Nodes::One(Box::new(home.keep_trips())),
            Nodes::Cluster(home) => Nodes::Cluster(Box::new(home.keep_trips())),
        };
        Self { nodes, ..self }
    }

    /// Begins to search for boards whose keys match `pattern`, a glob of the server's, or for all of them; in a Cluster on
    /// all shards.
    pub async fn discover(&mut self, pattern: Option<Vec<u8>>) -> Result<Discovery, StoreError> {
        match &mut self.nodes {
            Nodes::One(home) => home.discover(pattern).await,
            Nodes::Cluster(home) => Box::pin(home.discover(pattern)).await,
        }
    }

    /// Searches on by one step, which may well find nothing; false where it was the last one. See
    /// [`RedisSource::search_on`].
    pub async fn search_on(&mut self, discovery: &mut Discovery) -> Result<bool, StoreError> {
        match &mut self.nodes {
            Nodes::One(home) => home.search_on(discovery).await,
            Nodes::Cluster(home) => Box::pin(home.search_on(discovery)).await,
        }
    }
}

impl From<RedisSource> for AnySource {
    fn from(home: RedisSource) -> Self {
        Self { nodes: Nodes::One(Box::new(home)), shards: None, discovery: None }
    }
}

impl BoardSource for AnySource {
    async fn list(&mut self, boards: &[Board]) -> Result<Vec<KeySummary>, StoreError> {
        if boards.iter().any(|board| self.is_sharded(&board.key)) {
            let mut sights = Vec::with_capacity(boards.len());
            for board in boards {
                sights.push(if self.is_sharded(&board.key) {
                    self.list_sharded(board).await?
                } else {
                    Box::pin(self.list(std::slice::from_ref(board))).await?.pop().unwrap_or(KeySummary::Nothing)
                });
            }
            return Ok(sights);
        }
        match &mut self.nodes {
            Nodes::One(home) => home.look_at(boards).await,
            Nodes::Cluster(home) => Box::pin(home.look_at(boards)).await,
        }
    }

    async fn search(&mut self, is_new: bool) -> Result<Found, StoreError> {
        let under_way = self.discovery.take().filter(|_| !is_new);
        let mut discovery = match under_way {
            Some(discovery) => discovery,
            None => self.discover(None).await?,
        };
        let goes_on = self.search_on(&mut discovery).await?;
        let found = discovery.step(goes_on);
        self.discovery = goes_on.then_some(discovery);
        Ok(found)
    }

    async fn distribution(&mut self, board: &Board, binning: Binning) -> Result<Distribution, StoreError> {
        if self.is_sharded(&board.key) {
            return Box::pin(self.distribution_sharded(board, binning)).await;
        }
        match &mut self.nodes {
            Nodes::One(home) => home.read_distribution(board, binning).await,
            Nodes::Cluster(home) => Box::pin(home.distribution(board, binning)).await,
        }
    }

    async fn read(&mut self, board: &Board, ask: &PageRequest) -> Result<PageReply, StoreError> {
        if self.is_sharded(&board.key) {
            return Box::pin(self.read_sharded(board, ask)).await;
        }
        match &mut self.nodes {
            Nodes::One(home) => home.read(board, ask).await,
            Nodes::Cluster(home) => Box::pin(home.read(board, ask)).await,
        }
    }

    fn access(&self) -> Option<Capabilities> {
        match &self.nodes {
            Nodes::One(home) => home.access(),
            Nodes::Cluster(home) => home.access(),
        }
    }

    fn trips(&mut self) -> Vec<RoundTrip> {
        match &mut self.nodes {
            Nodes::One(home) => home.trips(),
            Nodes::Cluster(home) => home.trips(),
        }
    }

    async fn version(&mut self, board: &Board) -> Result<Option<Version>, StoreError> {
        if self.is_sharded(&board.key) {
            return self.version_sharded(board).await;
        }
        match &mut self.nodes {
            Nodes::One(home) => home.version(board).await,
            Nodes::Cluster(home) => Box::pin(home.version(board)).await,
        }
    }

    /// In a Cluster keys that are guessed lie on other nodes, so none are.
    async fn probe(&mut self, commands: &[ProbeCommand]) -> Result<Vec<ProbeReply>, StoreError> {
        match &mut self.nodes {
            Nodes::One(home) => home.probe(commands).await,
            Nodes::Cluster(_) => Ok(vec![ProbeReply::Failed; commands.len()]),
        }
    }

    async fn names(
        &mut self,
        home: &NamesLocation,
        members: &[Member],
    ) -> Result<Option<Vec<Option<Name>>>, StoreError> {
        if let NamesLocation::Hash(key) = home
            && self.is_sharded(key)
        {
            return Box::pin(self.names_sharded(home, members)).await;
        }
        match &mut self.nodes {
            Nodes::One(one) => one.names(home, members).await,
            Nodes::Cluster(cluster) => Box::pin(cluster.names(home, members)).await,
        }
    }
}
