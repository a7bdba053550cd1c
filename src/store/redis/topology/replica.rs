//! Finding a replica to read from, one that is linked to its primary before one that is cut off. It never settles for the
//! primary.

use std::hash::{BuildHasher, Hasher, RandomState};

use redis::{Pipeline, Value};

use crate::query::error::StoreError;
use crate::query::server::{Lag, Role, Server};
use crate::store::redis::connect::Target;
use crate::store::redis::error;
use crate::store::redis::topology::role::{Side, replication, side};
use crate::store::redis::topology::{Dial, NodeConnection, OnInvalidate, dialled, node};

/// The server at `target` where it is a replica, else one of its replicas.
pub(super) async fn near(
    target: &Target,
    dial: &Dial,
    told: Option<&OnInvalidate>,
) -> Result<NodeConnection, StoreError> {
    let mut named = node(target, told, server(target)).await?;
    if side(&mut named.home).await? == Side::Replica {
        return look(named).await;
    }
    let Some(replication) = replication(&mut named.home).await? else {
        return Err(StoreError::Uninformed { command: "INFO", purpose: "which replicas there are" });
    };
    let replicas: Result<Vec<_>, _> = replication.replicas.iter().map(|address| dialled(dial, address)).collect();
    any_of(&replicas?, told, false, &target.to_string()).await
}

/// One of the replicas at `targets`, any of those that are linked to their primary, which `of` names. In a Cluster it is
/// asked to answer although it is a replica.
pub(super) async fn any_of(
    targets: &[Target],
    told: Option<&OnInvalidate>,
    is_clustered: bool,
    of: &str,
) -> Result<NodeConnection, StoreError> {
    let (mut cut, mut reason) = (None, None);
    // The standard library's hasher is seeded at random: many readers spread over the replicas.
    let first = usize::try_from(RandomState::new().build_hasher().finish() % 1_000).unwrap_or(0);
    for turn in 0..targets.len() {
        let target = &targets[(first + turn) % targets.len()];
        match reach(target, told, is_clustered).await {
            Ok(node) if !matches!(node.server.role, Role::Replica(Lag::Cut(_))) => return Ok(node),
            Ok(node) => cut = Some(node),
            Err(refused @ StoreError::Uninformed { .. }) => return Err(refused),
            Err(trouble) => reason = Some(format!("{target}: {trouble}")),
        }
    }
    let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    cut.ok_or_else(|| StoreError::NoServer(format!("{of} has no replica that can be read from{reason}")))
}

async fn reach(target: &Target, told: Option<&OnInvalidate>, is_clustered: bool) -> Result<NodeConnection, StoreError> {
    let mut node = node(target, told, server(target)).await?;
    if side(&mut node.home).await? == Side::Primary {
        return Err(StoreError::NoServer("it is a primary".to_owned()));
    }
    if is_clustered {
        let mut pipeline = Pipeline::with_capacity(1);
        pipeline.cmd("READONLY");
        match node.home.send(&pipeline).await?.pop() {
            Some(Value::ServerError(error)) if error::is_not_to_be_had(&error) => {
                return Err(StoreError::Uninformed {
                    command: "READONLY",
                    purpose: "a replica of a cluster to answer",
                });
            }
            Some(Value::ServerError(error)) => return Err(error::server_trouble(&error, "READONLY", &"".into())),
            _ => {}
        }
    }
    look(node).await
}

/// With how far it is behind.
async fn look(mut node: NodeConnection) -> Result<NodeConnection, StoreError> {
    let lag = replication(&mut node.home).await?.map_or(Lag::Unknown, |replication| replication.lag);
    node.server.role = Role::Replica(lag);
    Ok(node)
}

fn server(target: &Target) -> Server {
    Server { server: target.to_string(), role: Role::Replica(Lag::Unknown), notice: None }
}
