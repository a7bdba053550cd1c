//! Writing to a board by the protocol: the changes and the version in one transaction.

pub mod change;
pub mod close;
pub mod freeze;
pub mod score;
pub(super) mod script;

use std::time::Duration;

use redis::Pipeline;
use redis::aio::{ConnectionLike, MultiplexedConnection};

use crate::board::keys::Board;
use crate::board::names::NamesLocation;
use crate::query::error::StoreError;
use crate::store::redis::connect::Driver;
use crate::store::redis::reply;
use crate::store::{Change, Writer};

/// Writes to boards on one server.
pub struct RedisWriter {
    pub(in crate::store::redis) connection: MultiplexedConnection,
    pub(in crate::store::redis) driver: Driver,
    /// How long an answer may take; it only words the error here.
    pub(in crate::store::redis) timeout: Duration,
    /// Where the server has told it: major and minor number, and its text.
    release: Option<((u32, u32), String)>,
}

impl RedisWriter {
    pub(in crate::store::redis) fn new(
        (connection, driver): (MultiplexedConnection, Driver),
        timeout: Duration,
    ) -> Self {
        Self { connection, driver, timeout, release: None }
    }

    /// Asks for the server's release, where it tells it, and refuses one whose scripts cannot keep the protocol: before 5.0
    /// a script that has asked for the time may not write (Redis's "Scripts effects replication").
    pub(in crate::store::redis) async fn of_known_release(mut self) -> Result<Self, StoreError> {
        let mut pipeline = Pipeline::with_capacity(1);
        pipeline.cmd("INFO").arg("server");
        let replies = self.connection.req_packed_commands(&pipeline, 0, 1).await;
        let told = replies.map_err(|error| self.driver.trouble(&error, self.timeout))?.pop();
        // Whoever does not tell is taken at its commands.
        self.release = told.and_then(|told| reply::text(told, "INFO").ok()).as_deref().and_then(release);
        self.need((5, 0), "writing to a board")?;
        Ok(self)
    }

    /// An error where the server is known to be older than `wanted`, which `what` needs.
    pub(in crate::store::redis) fn need(&self, wanted: (u32, u32), what: &str) -> Result<(), StoreError> {
        match &self.release {
            Some((release, told)) if *release < wanted => {
                let (major, minor) = wanted;
                Err(StoreError::Other(format!("{what} needs Redis {major}.{minor} or later; this is {told}")))
            }
            _ => Ok(()),
        }
    }
}

/// Major and minor number of the release that `INFO server` tells, and its text. Valkey tells the one it is compatible to.
fn release(info: &str) -> Option<((u32, u32), String)> {
    let told = info.lines().find_map(|line| line.strip_prefix("redis_version:"))?.trim();
    let mut numbers = told.split('.').map(str::parse);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else { return None };
    Some(((major, minor), told.to_owned()))
}

impl Writer for RedisWriter {
    async fn write(&mut self, board: &Board, names: &NamesLocation, changes: &[Change]) -> Result<(), StoreError> {
        let mut pipeline = Pipeline::with_capacity(changes.len() + 1);
        pipeline.atomic();
        for change in changes {
            add(&mut pipeline, board, names, change);
        }
        pipeline.cmd("INCR").arg(board.version_key.as_ref());
        pipeline.exec_async(&mut self.connection).await.map_err(|error| self.driver.trouble(&error, self.timeout))
    }
}

fn add(pipeline: &mut Pipeline, board: &Board, names: &NamesLocation, change: &Change) {
    let key = board.key.as_ref();
    match change {
        // The text of a score parses back to the very same double.
        Change::Score(member, score) => {
            pipeline.cmd("ZADD").arg(key).arg(score.to_string()).arg(member.as_bytes());
        }
        Change::Leave(member) => {
            pipeline.cmd("ZREM").arg(key).arg(member.as_bytes());
        }
        Change::Meta(field, value) => {
            pipeline.cmd("HSET").arg(board.meta_key.as_ref()).arg(*field).arg(value);
        }
        Change::Name(member, name) => {
            let member = member.as_bytes();
            match names {
                NamesLocation::Hash(key) => pipeline.cmd("HSET").arg(key.as_ref()).arg(member).arg(&**name),
                NamesLocation::HashEach(key, field) => {
                    pipeline.cmd("HSET").arg(key.of(member).as_ref()).arg(field).arg(&**name)
                }
                NamesLocation::StringEach(key) => pipeline.cmd("SET").arg(key.of(member).as_ref()).arg(&**name),
                // What others keep in a form of their own is not written to.
                NamesLocation::FieldsEach(..) | NamesLocation::Json(..) => return,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_read() {
        let info = |version: &str| format!("# Server\r\nredis_version:{version}\r\nvalkey_version:9.1.2\r\n");
        assert_eq!(release(&info("7.2.4")), Some(((7, 2), "7.2.4".to_owned())));
        assert_eq!(release(&info("255.255.255")), Some(((255, 255), "255.255.255".to_owned())));
        for unknown in ["", "x", "7", "a.b"] {
            assert_eq!(release(&info(unknown)), None, "{unknown}");
        }
        assert_eq!(release("# Server\r\n"), None);
    }
}
