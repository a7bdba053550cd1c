//! Finding the boards of a server: all sorted sets by an incremental `SCAN`, and what a list tells of each. Only this file
//! scans, and it never asks for all keys at once. How a list is shown, its caller decides.

use std::collections::BTreeSet;

use redis::{Cmd, Pipeline, Value};

use crate::board::keys::Board;
use crate::board::keys::{Key, is_companion};
use crate::board::meta::{Meta, Ttl};
use crate::query::error::StoreError;
use crate::query::listing::{Found, KeySummary, Listed};
use crate::store::redis::topology::Address;
use crate::store::redis::{RedisSource, error, reply};

/// Keys that the server looks at in one step, about: a fraction of a millisecond in which it does nothing else.
const STEP: u64 = 1_000;

/// Boards that one round trip tells of.
pub(super) const BATCH: usize = 100;

/// The type of a board, as the server calls it.
const SORTED_SET: &str = "zset";

/// A search for boards under way.
#[derive(Clone, Debug)]
pub struct Discovery {
    pattern: Option<Vec<u8>>,
    /// Where there is still something to search; the last one is searched at present.
    sweeps: Vec<Sweep>,
    /// The server picks the sorted sets by itself: Redis 6.0 and later.
    is_picking: bool,
    keys: Option<u64>,
    looked_at: u64,
    /// A key may come more than once, above all while the server's table grows or shrinks.
    found: BTreeSet<Key>,
    /// Those that the last step found.
    fresh: Vec<Key>,
    /// The nodes that do not answer, each with the reason.
    lost: Vec<String>,
}

/// The search of one server.
#[derive(Clone, Debug)]
struct Sweep {
    /// The primary of its shard, in a Cluster.
    primary: Option<Address>,
    /// Where the server goes on. It is the server's word, and made of nothing but that.
    cursor: Vec<u8>,
}

impl Discovery {
    /// A search that has no server to search.
    pub(super) fn nowhere(pattern: Option<Vec<u8>>) -> Self {
        let found = BTreeSet::new();
        let (sweeps, fresh, lost) = (Vec::new(), Vec::new(), Vec::new());
        Self { pattern, sweeps, is_picking: true, keys: Some(0), looked_at: 0, found, fresh, lost }
    }

    /// Searches what `other` would search as well, at the shard of this primary.
    pub(super) fn join(&mut self, primary: &Address, other: Self) {
        let cursors = other.sweeps.into_iter().map(|sweep| sweep.cursor);
        self.sweeps.extend(cursors.map(|cursor| Sweep { primary: Some(primary.clone()), cursor }));
        self.keys = self.keys.zip(other.keys).map(|(mine, theirs)| mine + theirs);
    }

    /// The shard of this primary cannot be searched, or no further.
    pub(super) fn lose(&mut self, primary: &Address, why: &str) {
        self.sweeps.retain(|sweep| sweep.primary.as_ref() != Some(primary));
        self.keys = None;
        let node = if primary.port == 0 { "a node".to_owned() } else { format!("node {primary}") };
        self.lost.push(format!("{node} does not answer: {why}"));
    }

    /// Why boards are missing, where nodes do not answer.
    pub fn incomplete(&self) -> Option<StoreError> {
        (!self.lost.is_empty()).then(|| StoreError::Incomplete(self.lost.join("; ")))
    }

    /// True where there is a server to search.
    pub(super) fn has_somewhere(&self) -> bool {
        !self.sweeps.is_empty()
    }

    /// The primary of the shard that is searched at present; `None` where none is.
    pub(super) fn primary(&self) -> Option<Address> {
        self.sweeps.last()?.primary.clone()
    }

    /// What the last step has found, and how far the search is; it goes on where `goes_on`.
    pub(super) fn step(&mut self, goes_on: bool) -> Found {
        let keys = std::mem::take(&mut self.fresh);
        let incomplete = self.incomplete();
        Found { keys, looked_at: self.looked_at(), of: self.keys, is_over: !goes_on, incomplete }
    }

    /// The boards found so far, each once, in the order of their bytes.
    pub fn found(&self) -> &BTreeSet<Key> {
        &self.found
    }

    /// How many keys the database had when the search began; `None` where the user may not know.
    pub fn keys(&self) -> Option<u64> {
        self.keys
    }

    /// About how many keys have been looked at: the server does not tell.
    pub fn looked_at(&self) -> u64 {
        self.keys.map_or(self.looked_at, |keys| self.looked_at.min(keys))
    }
}

impl RedisSource {
    /// Begins to search for boards whose keys match `pattern`, a glob of the server's, or for all of them.
    pub async fn discover(&mut self, pattern: Option<Vec<u8>>) -> Result<Discovery, StoreError> {
        const DBSIZE: &str = "DBSIZE";
        let mut pipeline = Pipeline::with_capacity(1);
        pipeline.cmd(DBSIZE);
        let keys = match self.only_reply(&pipeline, DBSIZE).await? {
            Value::ServerError(error) if error::is_refusal(&error) => None,
            Value::ServerError(error) => return Err(error::server_trouble(&error, DBSIZE, &"".into())),
            value => Some(reply::count(value, DBSIZE)?),
        };
        let sweeps = vec![Sweep { primary: None, cursor: b"0".to_vec() }];
        Ok(Discovery { sweeps, keys, ..Discovery::nowhere(pattern) })
    }

    /// Searches on by one step, which may well find nothing; false where it was the last one.
    ///
    /// One round trip, and before Redis 6.0 a second one for the types. A board that is there from the first step to the
    /// last is found; one that comes or goes meanwhile may be.
    pub async fn search_on(&mut self, discovery: &mut Discovery) -> Result<bool, StoreError> {
        const SCAN: &str = "SCAN";
        let Some(sweep) = discovery.sweeps.last_mut() else { return Ok(false) };
        let reply = loop {
            let mut pipeline = Pipeline::with_capacity(1);
            let command = pipeline.cmd(SCAN).arg(&sweep.cursor);
            if let Some(pattern) = &discovery.pattern {
                command.arg("MATCH").arg(pattern);
            }
            command.arg("COUNT").arg(STEP);
            if discovery.is_picking {
                command.arg("TYPE").arg(SORTED_SET);
            }
            match self.only_reply(&pipeline, SCAN).await? {
                Value::ServerError(error) if discovery.is_picking && error::is_refusal(&error) => {
                    discovery.is_picking = false;
                }
                Value::ServerError(error) => {
                    let key = discovery.pattern.as_deref().unwrap_or(b"*").into();
                    return Err(error::server_trouble(&error, SCAN, &key));
                }
                reply => break reply,
            }
        };
        let (cursor, keys) = reply::scanned(reply)?;
        let mut keys: Vec<Key> = keys.into_iter().map(Key::from).filter(|key| !is_companion(key)).collect();
        if !discovery.is_picking {
            keys = self.sorted_sets(keys).await?;
        }
        discovery.looked_at += STEP;
        discovery.fresh = keys.into_iter().filter(|key| discovery.found.insert(key.clone())).collect();
        if cursor == b"0" {
            discovery.sweeps.pop();
        } else {
            sweep.cursor = cursor;
        }
        Ok(!discovery.sweeps.is_empty())
    }

    /// What there is at the keys of `boards`, in their order.
    ///
    /// One round trip for each hundred boards, O(1) for each board.
    pub(super) async fn look_at(&mut self, boards: &[Board]) -> Result<Vec<KeySummary>, StoreError> {
        let mut sights = Vec::with_capacity(boards.len());
        for batch in boards.chunks(BATCH) {
            let mut pipeline = Pipeline::with_capacity(4 * batch.len());
            for (_, command) in batch.iter().flat_map(questions) {
                pipeline.add_command(command);
            }
            let mut replies = self.send(&pipeline).await?.into_iter();
            for board in batch {
                let mut next = || replies.next().ok_or_else(|| reply::malformed("ZCARD"));
                sights.push(sight(&board.key, [next()?, next()?, next()?, next()?])?);
            }
        }
        Ok(sights)
    }

    /// Those of `keys` that are sorted sets.
    async fn sorted_sets(&mut self, keys: Vec<Key>) -> Result<Vec<Key>, StoreError> {
        const TYPE: &str = "TYPE";
        let mut pipeline = Pipeline::with_capacity(keys.len());
        for key in &keys {
            pipeline.cmd(TYPE).arg(key.as_ref());
        }
        let replies = if keys.is_empty() { Vec::new() } else { self.send(&pipeline).await? };
        let mut boards = Vec::new();
        for (key, reply) in keys.into_iter().zip(replies) {
            if let Value::ServerError(error) = &reply {
                return Err(error::server_trouble(error, TYPE, &key));
            }
            if reply::text(reply, TYPE)? == SORTED_SET {
                boards.push(key);
            }
        }
        Ok(boards)
    }

    /// The reply to the one command `command` that is in `pipeline`.
    async fn only_reply(&mut self, pipeline: &Pipeline, command: &str) -> Result<Value, StoreError> {
        self.send(pipeline).await?.pop().ok_or_else(|| reply::malformed(command))
    }
}

/// What is asked of a board that is looked at, each command with the key that it is about.
pub(super) fn questions(board: &Board) -> [(Key, Cmd); 4] {
    let about = |key: &Key, command: &str| {
        let mut command = redis::cmd(command);
        command.arg(key.as_ref());
        (key.clone(), command)
    };
    let mut meta = about(&board.meta_key, "HMGET");
    meta.1.arg(Meta::FIELDS[0]);
    [about(&board.key, "ZCARD"), about(&board.key, "PTTL"), about(&board.version_key, "GET"), meta]
}

/// What is at `key`, by the replies on it.
pub(super) fn sight(key: &Key, [total, ttl, version, meta]: [Value; 4]) -> Result<KeySummary, StoreError> {
    const ZCARD: &str = "ZCARD";
    let total = match total {
        Value::ServerError(error) if error.code() == "WRONGTYPE" => return Ok(KeySummary::NoSortedSet),
        Value::ServerError(error) if error::is_refusal(&error) => None,
        Value::ServerError(error) => return Err(error::server_trouble(&error, ZCARD, key)),
        value => Some(reply::count(value, ZCARD)?),
    };
    let ttl = match ttl {
        Value::ServerError(_) => None,
        value => Some(Ttl::from_pttl(reply::number(value, "PTTL")?)),
    };
    if total == Some(0) || ttl == Some(Ttl::NoKey) {
        return Ok(KeySummary::Nothing);
    }
    let (version, state) = (reply::version_or_none(version)?, reply::meta(meta)?.state);
    Ok(KeySummary::Board(Listed { key: key.clone(), total, version, state, ttl }))
}
