//! Finding the nodes of a Redis Cluster from the seeds that were given, and which of them to dial for a shard. What is read
//! over the connections is not its concern.

use std::cell::{Cell, RefCell};
use std::fmt;

use redis::{Pipeline, Value};

use crate::board::keys::Key;
use crate::query::error::StoreError;
use crate::query::server::{Role, Server};
use crate::store::redis::connect::Target;
use crate::store::redis::error;
use crate::store::redis::topology::slots::{NO_ADDRESS, Shard, SlotMap};
use crate::store::redis::topology::{
    Address, Dial, NodeConnection, OnInvalidate, ReadFrom, at, dialled, node, replica,
};

const SLOTS: &str = "CLUSTER SLOTS";

/// A Redis Cluster, by some of its nodes.
pub(super) struct Cluster {
    seeds: Vec<Target>,
    dial: Dial,
    read_from: ReadFrom,
    /// The seed that answered last is asked first.
    good: Cell<usize>,
    /// The primaries that were told of last: they are asked where no seed answers.
    known: RefCell<Vec<Target>>,
}

impl Cluster {
    pub(super) fn new(seeds: Vec<Target>, dial: Dial, read_from: ReadFrom) -> Self {
        Self { seeds, dial, read_from, good: Cell::new(0), known: RefCell::default() }
    }

    /// Where the slots are, by the first node that can tell.
    pub(super) async fn map(&self) -> Result<SlotMap, StoreError> {
        let known = self.known.borrow().clone();
        let good = self.good.get();
        let turns = (good..self.seeds.len()).chain(0..good);
        let seeds = turns.map(|index| (Some(index), &self.seeds[index]));
        let mut reason = None;
        for (index, target) in seeds.chain(known.iter().map(|target| (None, target))) {
            match slots(target).await {
                Ok(map) => {
                    self.good.set(index.unwrap_or(good));
                    let addressed = map.shards.iter().filter(|shard| shard.has_address());
                    let nodes: Result<_, _> = addressed.map(|shard| dialled(&self.dial, &shard.primary)).collect();
                    self.known.replace(nodes?);
                    return Ok(map);
                }
                Err(trouble) => reason = reason.or(Some(at(target, trouble))),
            }
        }
        Err(reason.unwrap_or_else(|| StoreError::NoServer("there is no node to ask".to_owned())))
    }

    /// The primary that holds `key`, and its address.
    pub(super) async fn primary(&self, key: &Key) -> Result<(Address, Target), StoreError> {
        let map = self.map().await?;
        let primary = &map.shard_of(key)?.primary;
        Ok((primary.clone(), dialled(&self.dial, primary)?))
    }

    /// Connects to the node of `shard` that is read from.
    pub(super) async fn reach(&self, shard: &Shard, told: Option<&OnInvalidate>) -> Result<NodeConnection, StoreError> {
        if !shard.has_address() {
            return Err(StoreError::NoServer(NO_ADDRESS.to_owned()));
        }
        match self.read_from {
            ReadFrom::Primary => {
                let target = dialled(&self.dial, &shard.primary)?;
                let server = Server { server: target.to_string(), role: Role::Primary, notice: None };
                node(&target, told, server).await.map_err(|trouble| at(&target, trouble))
            }
            ReadFrom::Replica => {
                let replicas: Result<Vec<_>, _> =
                    shard.replicas.iter().map(|address| dialled(&self.dial, address)).collect();
                replica::any_of(&replicas?, told, true, &format!("the primary {}", shard.primary)).await
            }
        }
    }
}

impl fmt::Display for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the cluster of ")?;
        for (index, target) in self.seeds.iter().enumerate() {
            write!(f, "{}{target}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// Where the slots are, as the node at `target` tells it.
async fn slots(target: &Target) -> Result<SlotMap, StoreError> {
    let mut home = target.connect(None::<fn()>).await?.home;
    let mut pipeline = Pipeline::with_capacity(1);
    pipeline.cmd("CLUSTER").arg("SLOTS");
    match home.send(&pipeline).await?.pop() {
        Some(Value::ServerError(error)) if error::is_not_to_be_had(&error) => {
            Err(StoreError::Uninformed { command: SLOTS, purpose: "which node has which keys" })
        }
        // In the words of Redis: 'This instance has cluster support disabled'.
        Some(Value::ServerError(error)) if error.details().is_some_and(|said| said.contains("cluster support")) => {
            Err(StoreError::NoServer(format!("{target} is no node of a cluster")))
        }
        Some(Value::ServerError(error)) => Err(error::server_trouble(&error, SLOTS, &"".into())),
        value => SlotMap::read(value.unwrap_or_default(), target.host()),
    }
}
