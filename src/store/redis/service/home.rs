//! The boards of a service behind one interface, whether they are on one server or on the nodes of a Cluster.

use super::cluster_home::ClusterHome;
use crate::board::ask::{Answer, Ask, Board};
use crate::board::entry::Member;
use crate::board::evidence::Exchange;
use crate::board::keys::Key;
use crate::board::names::{Name, NamesHome};
use crate::board::trouble::Trouble;
use crate::board::version::Version;
use crate::store::Home;
use crate::store::redis::RedisHome;
use crate::store::redis::discover::{Companions, Discovery, Listed};

/// The boards of a service.
pub enum ServiceHome {
    /// On one server.
    One(Box<RedisHome>),
    /// On the nodes of a Cluster.
    Cluster(Box<ClusterHome>),
}

impl ServiceHome {
    /// Keeps what each read asks and is answered, for [`Home::evidence`].
    pub fn keep_evidence(self) -> Self {
        match self {
            Self::One(home) => Self::One(Box::new(home.keep_evidence())),
            Self::Cluster(home) => Self::Cluster(Box::new(home.keep_evidence())),
        }
    }

    /// Begins to search for boards whose keys match `pattern`, a glob of the server's, or for all of them; in a Cluster on
    /// all shards.
    pub async fn discover(&mut self, pattern: Option<Vec<u8>>) -> Result<Discovery, Trouble> {
        match self {
            Self::One(home) => home.discover(pattern).await,
            Self::Cluster(home) => Box::pin(home.discover(pattern)).await,
        }
    }

    /// Searches on by one step, which may well find nothing; false where it was the last one. See
    /// [`RedisHome::search_on`].
    pub async fn search_on(&mut self, discovery: &mut Discovery) -> Result<bool, Trouble> {
        match self {
            Self::One(home) => home.search_on(discovery).await,
            Self::Cluster(home) => Box::pin(home.search_on(discovery)).await,
        }
    }

    /// What there is to tell of the boards `keys`, in their order. What is no board any more is left out.
    pub async fn list(&mut self, keys: &[Key], companions: &Companions) -> Result<Vec<Listed>, Trouble> {
        match self {
            Self::One(home) => home.list(keys, companions).await,
            Self::Cluster(home) => Box::pin(home.list(keys, companions)).await,
        }
    }
}

impl Home for ServiceHome {
    async fn read(&mut self, board: &Board, ask: &Ask) -> Result<Answer, Trouble> {
        match self {
            Self::One(home) => home.read(board, ask).await,
            Self::Cluster(home) => Box::pin(home.read(board, ask)).await,
        }
    }

    fn evidence(&mut self) -> Vec<Exchange> {
        match self {
            Self::One(home) => home.evidence(),
            Self::Cluster(home) => home.evidence(),
        }
    }

    async fn version(&mut self, board: &Board) -> Result<Option<Version>, Trouble> {
        match self {
            Self::One(home) => home.version(board).await,
            Self::Cluster(home) => Box::pin(home.version(board)).await,
        }
    }

    async fn names(&mut self, home: &NamesHome, members: &[Member]) -> Result<Option<Vec<Option<Name>>>, Trouble> {
        match self {
            Self::One(one) => one.names(home, members).await,
            Self::Cluster(cluster) => Box::pin(cluster.names(home, members)).await,
        }
    }
}
