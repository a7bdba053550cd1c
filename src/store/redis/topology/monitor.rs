//! Watching over a connection beside the questions: whether the server is still what it was connected for, and how far a
//! replica is behind. It ends when the connection leads to the wrong server; making another is not its concern.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use redis::{Pipeline, Value};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

use crate::board::keys::Key;
use crate::query::error::StoreError;
use crate::query::server::{Lag, Role, Server};
use crate::store::redis::topology::role::{Side, replication, side};
use crate::store::redis::topology::sentinel::{Found, Sentinels, until_unheard};
use crate::store::redis::{RedisSource, error, reply};

/// How often the server is asked what it is: one tiny command.
const BEAT: Duration = Duration::from_secs(1);
/// So many times without an answer, and the connection is given up.
const SILENCES: u32 = 2;
/// After so long without a word from any sentinel, nobody knows whether the primary still is one.
const UNHEARD: Duration = Duration::from_secs(3);

/// What is asked of the server that is watched over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Probe {
    /// Nothing: it is taken as it is.
    Nothing,
    /// Whether it is a primary.
    Primary,
    /// Whether it is a replica, and how far behind.
    Replica,
    /// Whether it still holds the board, as nodes of a Cluster do that are primaries.
    Slot,
}

/// The server that a board is read from, as the home and the monitor share it.
pub(super) struct Watched {
    now: RefCell<Now>,
    changed: Notify,
}

struct Now {
    server: Server,
    probe: Probe,
    home: RedisSource,
    key: Key,
}

impl Watched {
    pub(super) fn new(server: Server, probe: Probe, home: RedisSource, key: Key) -> Self {
        Self { now: RefCell::new(Now { server, probe, home, key }), changed: Notify::new() }
    }

    /// The board of key `key` is read from another server now.
    pub(super) fn set(&self, server: Server, probe: Probe, home: RedisSource, key: Key) {
        *self.now.borrow_mut() = Now { server, probe, home, key };
        self.changed.notify_one();
    }

    /// What is to be known about the board there.
    pub(super) fn note(&self, notice: Option<&'static str>) {
        let before = std::mem::replace(&mut self.now.borrow_mut().server.notice, notice);
        if before != notice {
            self.changed.notify_one();
        }
    }

    /// The key of the board that was read last.
    pub(super) fn key(&self) -> Key {
        self.now.borrow().key.clone()
    }

    /// The same to work with while it may become another.
    fn snapshot(&self) -> Now {
        let now = self.now.borrow();
        Now { server: now.server.clone(), probe: now.probe, home: now.home.share_connection(), key: now.key.clone() }
    }
}

/// Watches over one connection.
#[derive(Clone)]
pub struct Monitor {
    watched: Rc<Watched>,
    lead: Option<(Rc<Sentinels>, Found)>,
    /// No sentinel has been heard for a while.
    is_unheard: Rc<Cell<bool>>,
}

impl Monitor {
    pub(super) fn new(watched: Rc<Watched>, lead: Option<(Rc<Sentinels>, Found)>) -> Self {
        Self { watched, lead, is_unheard: Rc::default() }
    }

    /// Where the connection leads.
    pub fn server(&self) -> Server {
        self.watched.now.borrow().server.clone()
    }

    /// The key of the board that was read last over the connection.
    pub fn key(&self) -> Key {
        self.watched.key()
    }

    /// Watches until the connection leads to the wrong server or is found to be lost; returns why. Tells of the server at
    /// first, and whenever something about it changes.
    pub async fn watch(&self, tell: &dyn Fn(Server)) -> StoreError {
        tokio::select! {
            reason = self.beat(tell) => reason,
            reason = self.listen() => reason,
        }
    }

    /// Asks the server itself.
    async fn beat(&self, tell: &dyn Fn(Server)) -> StoreError {
        let mut shown = None;
        let mut silences = 0;
        loop {
            let Now { mut server, probe, mut home, key } = self.watched.snapshot();
            let role = tokio::select! {
                biased;
                () = self.watched.changed.notified() => continue,
                role = ask(probe, &mut home, &key, server.role) => role,
            };
            match role {
                Ok(role) => {
                    silences = 0;
                    self.watched.now.borrow_mut().server.role = role;
                    server.role = role;
                }
                Err(StoreError::Timeout(limit)) => {
                    silences += 1;
                    if silences >= SILENCES {
                        return StoreError::Timeout(limit);
                    }
                }
                Err(reason) => return reason,
            }
            if self.is_unheard.get() && server.role == Role::Primary {
                server.role = Role::Unverified;
            }
            // A server that is taken as it is keeps the name that whoever opened it gave it.
            if probe != Probe::Nothing && shown.as_ref() != Some(&server) {
                tell(server.clone());
                shown = Some(server);
            }
            if probe == Probe::Nothing {
                self.watched.changed.notified().await;
            } else {
                tokio::select! {
                    () = sleep(BEAT) => {}
                    () = self.watched.changed.notified() => {}
                }
            }
        }
    }

    /// Listens to the sentinels, where there are any.
    async fn listen(&self) -> StoreError {
        let Some((sentinels, found)) = &self.lead else { return std::future::pending().await };
        let heard = Cell::new(Instant::now());
        let silence = async {
            loop {
                until_unheard(&heard, UNHEARD).await;
                self.set_unheard(true);
                while heard.get().elapsed() >= UNHEARD {
                    sleep(BEAT).await;
                }
                self.set_unheard(false);
            }
        };
        tokio::select! {
            address = sentinels.until_replaced(found, &heard) => StoreError::FailedOver(address.to_string()),
            () = silence => std::future::pending().await,
        }
    }

    fn set_unheard(&self, is_unheard: bool) {
        self.is_unheard.set(is_unheard);
        self.watched.changed.notify_one();
    }
}

/// Asks what `probe` is about; returns the server's role.
async fn ask(probe: Probe, home: &mut RedisSource, key: &Key, role: Role) -> Result<Role, StoreError> {
    match probe {
        Probe::Nothing => Ok(role),
        Probe::Primary => match side(home).await? {
            Side::Replica => Err(StoreError::NoServer("the primary has become a replica".to_owned())),
            Side::Primary => Ok(Role::Primary),
            Side::Unknown => Ok(Role::Unverified),
        },
        Probe::Replica => {
            if side(home).await? == Side::Primary {
                return Err(StoreError::NoServer("the replica has become a primary".to_owned()));
            }
            let replication = replication(home).await?;
            Ok(Role::Replica(replication.map_or(Lag::Unknown, |replication| replication.lag)))
        }
        Probe::Slot => {
            const EXISTS: &str = "EXISTS";
            let mut pipeline = Pipeline::with_capacity(1);
            pipeline.cmd(EXISTS).arg(key.as_ref());
            match home.send(&pipeline).await?.pop() {
                Some(Value::ServerError(error)) => match error::server_trouble(&error, EXISTS, key) {
                    moved if moved.is_moved() => Err(moved),
                    // Whoever reads the board is told of it.
                    _ => Ok(role),
                },
                Some(_) => Ok(role),
                None => Err(reply::malformed(EXISTS)),
            }
        }
    }
}
