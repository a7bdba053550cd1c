//! What a URL and its options stand for: one server, the primary that sentinels watch, or a Redis Cluster, and which of the
//! servers is read. A service is resolved anew for each connection; how a server is dialled, and what is asked of a board,
//! are not its concern.

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use crate::board::keys::Key;
use crate::query::error::StoreError;
use crate::query::server::{Role, Server};
use crate::store::redis::RedisSource;
use crate::store::redis::connect::{Target, WrongAddress};
use crate::store::redis::write::RedisWriter;
use crate::store::sharded::board::is_sharded;
use cluster::Cluster;
use monitor::{Probe, Watched};
use sentinel::Sentinels;

mod cluster;
mod cluster_parts;
mod cluster_source;
mod monitor;
mod replica;
mod role;
mod sentinel;
mod shards;
mod slots;
mod source;

pub use monitor::Monitor;
pub use source::AnySource;

/// Called whenever a server says that something that was read has changed.
pub type OnInvalidate = Arc<dyn Fn() + Send + Sync>;

/// Makes the target for an address that other servers told of, with the options and the login of all of them.
pub type Dial = Rc<dyn Fn(&Address) -> Result<Target, WrongAddress>>;

/// Where a server listens, as other servers tell it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// A name or an IP address, without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, port } = self;
        if host.contains(':') { write!(f, "[{host}]:{port}") } else { write!(f, "{host}:{port}") }
    }
}

/// Which of the servers that have the same data are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadFrom {
    /// The one that takes the writes; where only an address was given, the server there, whatever it is.
    Primary,
    /// One that repeats them; never the primary in its server.
    Replica,
}

/// One server, or several that are one to those who use them. Its text names no password.
pub struct Service {
    kind: Kind,
    /// How many parts a board has whose key has a place for their number.
    shards: Option<u32>,
}

enum Kind {
    /// The server at an address.
    Server(Target),
    /// That server where it is a replica, else one of its replicas.
    ReplicaOf(Target, Dial),
    /// What sentinels watch.
    Sentinel(Rc<Sentinels>),
    /// A Redis Cluster.
    Cluster(Rc<Cluster>),
}

/// A service that was reached.
pub struct Reached {
    /// The home behind it.
    pub home: AnySource,
    /// Whether the server tells of changes by itself.
    pub pushes: bool,
    /// Finds out when the connection leads to the wrong server.
    pub monitor: Monitor,
}

/// One server that was reached, and what it is.
struct NodeConnection {
    home: RedisSource,
    pushes: bool,
    server: Server,
}

impl Service {
    /// The server at `target`.
    pub fn server(target: Target) -> Self {
        Self { kind: Kind::Server(target), shards: None }
    }

    /// The server at `target`, or where that is a primary and replicas are to be read, one of its replicas.
    pub fn server_or_replica(target: Target, dial: Dial, read_from: ReadFrom) -> Self {
        match read_from {
            ReadFrom::Primary => Self::server(target),
            ReadFrom::Replica => Self { kind: Kind::ReplicaOf(target, dial), shards: None },
        }
    }

    /// What the sentinels at `targets` watch under `name`. They have logins of their own.
    pub fn sentinel(name: String, targets: Vec<Target>, dial: Dial, read_from: ReadFrom) -> Self {
        Self { kind: Kind::Sentinel(Rc::new(Sentinels::new(name, targets, dial, read_from))), shards: None }
    }

    /// The Redis Cluster that the nodes at `seeds` belong to.
    pub fn cluster(seeds: Vec<Target>, dial: Dial, read_from: ReadFrom) -> Self {
        Self { kind: Kind::Cluster(Rc::new(Cluster::new(seeds, dial, read_from))), shards: None }
    }

    /// Reads boards with `<shard>` in their keys as boards of so many parts.
    pub fn with_shards(self, shards: Option<u32>) -> Self {
        Self { shards, ..self }
    }

    /// True where all keys are on one server.
    pub fn has_one_server(&self) -> bool {
        !matches!(self.kind, Kind::Cluster(_))
    }

    /// True where the server is looked for anew with each connection.
    pub fn is_found_anew(&self) -> bool {
        !matches!(self.kind, Kind::Server(_))
    }

    /// Connects to where the board of key `key` is read. Bounded by the limits of the targets, each of which may be tried
    /// once.
    pub async fn connect(&self, key: &Key, told: Option<OnInvalidate>) -> Result<Reached, StoreError> {
        let (node, probe, lead) = match &self.kind {
            Kind::Server(target) => {
                let server = Server { server: target.to_string(), role: Role::Primary, notice: None };
                (node(target, told.as_ref(), server).await?, Probe::Nothing, None)
            }
            Kind::ReplicaOf(target, dial) => {
                (Box::pin(replica::near(target, dial, told.as_ref())).await?, Probe::Replica, None)
            }
            Kind::Sentinel(sentinels) => {
                let (node, found) = Box::pin(sentinels.connect(told.as_ref())).await?;
                let probe = match node.server.role {
                    Role::Replica(_) => Probe::Replica,
                    _ => Probe::Primary,
                };
                (node, probe, Some((sentinels.clone(), found)))
            }
            Kind::Cluster(cluster) => {
                let reached = Box::pin(cluster_source::connect(cluster, key, told)).await?;
                // Parts are on many nodes, of which one would tell of its own changes only: they are polled.
                let pushes = reached.pushes && !is_sharded(key);
                return Ok(Reached { home: reached.home.with_shards(self.shards), pushes, ..reached });
            }
        };
        let watched = Rc::new(Watched::new(node.server, probe, node.home.share_connection(), key.clone()));
        let monitor = Monitor::new(watched, lead);
        let home = AnySource::from(node.home).with_shards(self.shards);
        Ok(Reached { home, pushes: node.pushes, monitor })
    }

    /// Connects to the primary, to write to the board of key `key`; waits `patience` longer for each answer than other
    /// connections do.
    pub async fn connect_writer(&self, key: &Key, patience: Duration) -> Result<RedisWriter, StoreError> {
        let target = match &self.kind {
            Kind::Server(target) | Kind::ReplicaOf(target, _) => target.clone(),
            Kind::Sentinel(sentinels) => Box::pin(sentinels.primary()).await?,
            Kind::Cluster(cluster) => {
                let (address, target) = Box::pin(cluster.primary(key)).await?;
                let writer = target.with_more_patience(patience).connect_writer().await;
                return writer.map_err(|trouble| cluster_source::lost(&address, key, trouble));
            }
        };
        target.with_more_patience(patience).connect_writer().await
    }
}

impl Reached {
    /// Where it was reached.
    pub fn server(&self) -> Server {
        self.monitor.server()
    }
}

impl fmt::Display for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Server(target) | Kind::ReplicaOf(target, _) => target.fmt(f),
            Kind::Sentinel(sentinels) => sentinels.fmt(f),
            Kind::Cluster(cluster) => cluster.fmt(f),
        }
    }
}

/// Connects to `target`, which is said to be `server`.
async fn node(target: &Target, told: Option<&OnInvalidate>, server: Server) -> Result<NodeConnection, StoreError> {
    let told = told.cloned().map(|told| move || told());
    let connected = target.connect(told).await?;
    Ok(NodeConnection { home: connected.home, pushes: connected.pushes, server })
}

/// Names the server that cannot be reached, where whoever asked named another.
fn at(target: &Target, trouble: StoreError) -> StoreError {
    match trouble {
        StoreError::Unreachable(said) => StoreError::Unreachable(format!("{target}: {said}")),
        other => other,
    }
}

/// The target for `address`.
fn dialled(dial: &Dial, address: &Address) -> Result<Target, StoreError> {
    dial(address).map_err(|_| StoreError::NoServer(format!("the address '{address}' cannot be used")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_by_people() {
        let text = |host: &str| Address { host: host.to_owned(), port: 7 }.to_string();
        assert_eq!([text("10.0.0.1"), text("::1"), text("redis-1")], ["10.0.0.1:7", "[::1]:7", "redis-1:7"]);
    }
}
