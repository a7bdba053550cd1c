//! Finding the primary that sentinels watch, and noticing when it is another one. The sentinels are asked all at once, so
//! that one that is stopped holds up nobody; of two that disagree, the one that knows of the later failover is right.

use std::cell::Cell;
use std::fmt;
use std::pin::pin;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use redis::{Pipeline, Value};
use tokio::time::{Instant, sleep, timeout_at};

use crate::query::error::StoreError;
use crate::query::server::{Role, Server};
use crate::store::redis::connect::Target;
use crate::store::redis::topology::role::{Side, side};
use crate::store::redis::topology::{
    Address, Dial, NodeConnection, OnInvalidate, ReadFrom, at, dialled, node, replica,
};
use crate::store::redis::{RedisSource, error, reply};

/// How often each sentinel is asked whether the primary is still the same: forty bytes out, forty back.
const POLL: Duration = Duration::from_millis(400);
/// A sentinel that cannot be asked is tried again after this.
const AGAIN: Duration = Duration::from_secs(1);
/// Once one sentinel has answered, the others have so long to know better.
const GRACE: Duration = Duration::from_millis(100);
/// A server that does not answer for so long may be no primary any more: the sentinels are listened to meanwhile.
const DOUBT: Duration = Duration::from_millis(250);

const BY_NAME: &str = "SENTINEL GET-MASTER-ADDR-BY-NAME";

/// The sentinels of one primary.
pub(super) struct Sentinels {
    name: String,
    targets: Vec<Target>,
    dial: Dial,
    read_from: ReadFrom,
}

/// A primary, as a sentinel told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) address: Address,
    /// Counts failovers up, where the user may know it.
    epoch: Option<u64>,
}

impl Found {
    /// True where this is another primary than `other`, and not one of before.
    fn replaces(&self, other: &Self) -> bool {
        self.address != other.address && self.epoch.zip(other.epoch).is_none_or(|(mine, theirs)| mine > theirs)
    }
}

impl Sentinels {
    pub(super) fn new(name: String, targets: Vec<Target>, dial: Dial, read_from: ReadFrom) -> Self {
        Self { name, targets, dial, read_from }
    }

    /// Where writes go.
    pub(super) async fn primary(&self) -> Result<Target, StoreError> {
        let (found, _) = self.find().await?;
        let target = dialled(&self.dial, &found.address)?;
        primary(&target, None).await?;
        Ok(target)
    }

    /// Connects to the primary, or to one of its replicas, and tells which primary that was.
    pub(super) async fn connect(&self, told: Option<&OnInvalidate>) -> Result<(NodeConnection, Found), StoreError> {
        loop {
            let (found, sentinel) = self.find().await?;
            let heard = Cell::new(Instant::now());
            let doubt = async {
                sleep(DOUBT).await;
                self.until_replaced(&found, &heard).await
            };
            tokio::select! {
                node = self.reach(&found, sentinel, told) => return Ok((node?, found.clone())),
                _ = doubt => {}
            }
        }
    }

    async fn reach(
        &self,
        found: &Found,
        mut sentinel: RedisSource,
        told: Option<&OnInvalidate>,
    ) -> Result<NodeConnection, StoreError> {
        match self.read_from {
            ReadFrom::Primary => primary(&dialled(&self.dial, &found.address)?, told).await,
            ReadFrom::Replica => {
                let replicas = replicas(&mut sentinel, &self.name).await?;
                let replicas: Result<Vec<_>, _> = replicas.iter().map(|address| dialled(&self.dial, address)).collect();
                replica::any_of(&replicas?, told, false, &format!("the primary {}", found.address)).await
            }
        }
    }

    /// The primary by the sentinel that knows best, and a connection to that one.
    async fn find(&self) -> Result<(Found, RedisSource), StoreError> {
        let mut asked: FuturesUnordered<_> =
            self.targets.iter().map(async |target| ask(target, &self.name).await).collect();
        let mut best: Option<(Found, RedisSource)> = None;
        let mut reasons = Vec::new();
        let mut until = None;
        loop {
            let answer = match until {
                None => asked.next().await,
                Some(until) => timeout_at(until, asked.next()).await.ok().flatten(),
            };
            match answer {
                Some(Ok(told)) => {
                    until.get_or_insert(Instant::now() + GRACE);
                    if best.as_ref().is_none_or(|(best, _)| told.0.epoch > best.epoch) {
                        best = Some(told);
                    }
                }
                Some(Err(reason)) => reasons.push(reason),
                None => break,
            }
        }
        // One that answered, if with a refusal, tells more than those that did not.
        reasons.sort_by_key(|reason| match reason {
            StoreError::Uninformed { .. } => 0,
            _ => 1,
        });
        best.ok_or_else(|| {
            reasons.into_iter().next().unwrap_or_else(|| StoreError::NoServer("there is no sentinel to ask".to_owned()))
        })
    }

    /// Listens to all sentinels; returns once one of them tells of another primary that has replaced `found`. Sets `heard`
    /// whenever one of them answers.
    pub(super) async fn until_replaced(&self, found: &Found, heard: &Cell<Instant>) -> Address {
        let mut listening: FuturesUnordered<_> =
            self.targets.iter().map(|target| self.listen(target, found, heard)).collect();
        match listening.next().await {
            Some(address) => address,
            None => std::future::pending().await,
        }
    }

    async fn listen(&self, target: &Target, found: &Found, heard: &Cell<Instant>) -> Address {
        loop {
            if let Ok(connected) = target.connect(None::<fn()>).await {
                let mut sentinel = connected.home;
                while let Ok(Some(address)) = by_name(&mut sentinel, &self.name, target).await {
                    heard.set(Instant::now());
                    if address != found.address {
                        let epoch = epoch(&mut sentinel, &self.name).await.ok().flatten();
                        if (Found { address: address.clone(), epoch }).replaces(found) {
                            return address;
                        }
                    }
                    sleep(POLL).await;
                }
            }
            sleep(AGAIN).await;
        }
    }
}

impl fmt::Display for Sentinels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' of the sentinels at ", self.name)?;
        for (index, target) in self.targets.iter().enumerate() {
            write!(f, "{}{target}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// Connects to `target`, which has to be a primary, or one that nobody may ask.
async fn primary(target: &Target, told: Option<&OnInvalidate>) -> Result<NodeConnection, StoreError> {
    let server = target.to_string();
    let node = node(target, told, Server { server, role: Role::Primary, notice: None }).await;
    let mut node = node.map_err(|trouble| at(target, trouble))?;
    match side(&mut node.home).await? {
        Side::Primary => {}
        Side::Unknown => node.server.role = Role::Unverified,
        Side::Replica => {
            return Err(StoreError::NoServer(format!("{target} is to be the primary, and says that it is a replica")));
        }
    }
    Ok(node)
}

/// What one sentinel says, and the connection to it. One round trip once it is connected.
async fn ask(target: &Target, name: &str) -> Result<(Found, RedisSource), StoreError> {
    let of_sentinel = |trouble: StoreError| match trouble {
        refused @ (StoreError::Uninformed { .. } | StoreError::NoServer(_)) => refused,
        StoreError::Auth(said) => {
            StoreError::NoServer(format!("sentinel {target}: {said} (its login is the one in its URL)"))
        }
        trouble => StoreError::NoServer(format!("sentinel {target}: {trouble}")),
    };
    let mut sentinel = target.connect(None::<fn()>).await.map_err(of_sentinel)?.home;
    let address = by_name(&mut sentinel, name, target).await.map_err(of_sentinel)?;
    let unknown = || StoreError::NoServer(format!("sentinel {target} watches no '{name}'"));
    let address = address.ok_or_else(unknown)?;
    let epoch = epoch(&mut sentinel, name).await.map_err(of_sentinel)?;
    Ok((Found { address, epoch }, sentinel))
}

/// The address of the primary `name`; `None` where this sentinel watches none of this name.
async fn by_name(sentinel: &mut RedisSource, name: &str, target: &Target) -> Result<Option<Address>, StoreError> {
    let mut pipeline = Pipeline::with_capacity(1);
    pipeline.cmd("SENTINEL").arg("GET-MASTER-ADDR-BY-NAME").arg(name);
    match sentinel.send(&pipeline).await?.pop() {
        Some(Value::ServerError(error)) if error::is_unknown(&error) => {
            Err(StoreError::NoServer(format!("{target} is no sentinel")))
        }
        Some(Value::ServerError(error)) if error::is_not_to_be_had(&error) => {
            Err(StoreError::Uninformed { command: BY_NAME, purpose: "where the primary is" })
        }
        Some(Value::ServerError(error)) => Err(error::server_trouble(&error, BY_NAME, &"".into())),
        Some(Value::Nil) => Ok(None),
        Some(value) => {
            let mut words = reply::array(value, BY_NAME)?.into_iter();
            let mut word = || reply::text(words.next().unwrap_or_default(), BY_NAME);
            let (host, port) = (word()?, word()?);
            let port = port.parse().map_err(|_| reply::malformed(BY_NAME))?;
            Ok(Some(Address { host, port }))
        }
        None => Err(reply::malformed(BY_NAME)),
    }
}

/// Of which failover the sentinel's word is; `None` where the user may not know.
async fn epoch(sentinel: &mut RedisSource, name: &str) -> Result<Option<u64>, StoreError> {
    let mut pipeline = Pipeline::with_capacity(1);
    pipeline.cmd("SENTINEL").arg("MASTER").arg(name);
    Ok(match sentinel.send(&pipeline).await?.pop() {
        Some(Value::ServerError(_)) | None => None,
        Some(value) => field(&value, "config-epoch").and_then(|epoch| epoch.parse().ok()),
    })
}

/// The replicas that the sentinel holds for sound.
async fn replicas(sentinel: &mut RedisSource, name: &str) -> Result<Vec<Address>, StoreError> {
    const REPLICAS: &str = "SENTINEL REPLICAS";
    let mut pipeline = Pipeline::with_capacity(1);
    pipeline.cmd("SENTINEL").arg("REPLICAS").arg(name);
    let value = match sentinel.send(&pipeline).await?.pop() {
        Some(Value::ServerError(error)) if error::is_not_to_be_had(&error) => {
            return Err(StoreError::Uninformed { command: REPLICAS, purpose: "which replicas there are" });
        }
        Some(Value::ServerError(error)) => return Err(error::server_trouble(&error, REPLICAS, &"".into())),
        value => value.unwrap_or_default(),
    };
    let replicas = reply::array(value, REPLICAS)?;
    let is_sound = |replica: &&Value| {
        let flags = field(replica, "flags").unwrap_or_default();
        !flags.split(',').any(|flag| matches!(flag, "s_down" | "o_down" | "disconnected"))
    };
    let address =
        |replica: &Value| Some(Address { host: field(replica, "ip")?, port: field(replica, "port")?.parse().ok()? });
    Ok(replicas.iter().filter(is_sound).filter_map(address).collect())
}

/// A field of what a sentinel says about a server, as text.
fn field(value: &Value, name: &str) -> Option<String> {
    let text = |value: &Value| reply::text(value.clone(), BY_NAME).ok();
    value.as_map_iter()?.find(|(key, _)| text(key).as_deref() == Some(name)).and_then(|(_, value)| text(value))
}

/// How long no sentinel has been heard.
pub(super) async fn until_unheard(heard: &Cell<Instant>, limit: Duration) {
    let mut over = pin!(sleep(limit));
    loop {
        over.as_mut().await;
        let due = heard.get() + limit;
        if due <= Instant::now() {
            return;
        }
        over.as_mut().reset(due);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_primary_counts_unless_it_is_of_before() {
        let found = |port, epoch| Found { address: Address { host: "h".to_owned(), port }, epoch };
        assert!(found(2, Some(8)).replaces(&found(1, Some(7))));
        assert!(found(2, None).replaces(&found(1, Some(7))));
        assert!(!found(2, Some(7)).replaces(&found(1, Some(7))));
        assert!(!found(2, Some(6)).replaces(&found(1, Some(7))));
        assert!(!found(1, Some(9)).replaces(&found(1, Some(7))));
    }

    #[tokio::test(start_paused = true)]
    async fn silence_is_counted_from_the_last_word() {
        let (began, limit) = (Instant::now(), Duration::from_secs(3));
        let heard = Cell::new(began);
        let talk = async {
            for _ in 0..4 {
                sleep(Duration::from_secs(2)).await;
                heard.set(Instant::now());
            }
        };
        tokio::join!(talk, until_unheard(&heard, limit));
        assert_eq!(began.elapsed(), Duration::from_secs(11));
    }
}
