//! Writing to a board by the protocol: the changes and the version in one transaction.

use std::time::Duration;

use redis::Pipeline;
use redis::aio::MultiplexedConnection;

use super::connect::Driver;
use crate::board::ask::Board;
use crate::board::names::NamesHome;
use crate::board::trouble::Trouble;
use crate::store::{Change, Writer};

/// Writes to boards on one server.
pub struct RedisWriter {
    pub(super) connection: MultiplexedConnection,
    pub(super) driver: Driver,
    /// How long an answer may take; it only words the error here.
    pub(super) timeout: Duration,
}

impl RedisWriter {
    pub(super) fn new((connection, driver): (MultiplexedConnection, Driver), timeout: Duration) -> Self {
        Self { connection, driver, timeout }
    }
}

impl Writer for RedisWriter {
    async fn write(&mut self, board: &Board, names: &NamesHome, changes: &[Change]) -> Result<(), Trouble> {
        let mut pipeline = Pipeline::with_capacity(changes.len() + 1);
        pipeline.atomic();
        for change in changes {
            add(&mut pipeline, board, names, change);
        }
        pipeline.cmd("INCR").arg(board.version_key.as_ref());
        pipeline.exec_async(&mut self.connection).await.map_err(|error| self.driver.trouble(&error, self.timeout))
    }
}

fn add(pipeline: &mut Pipeline, board: &Board, names: &NamesHome, change: &Change) {
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
                NamesHome::Hash(key) => pipeline.cmd("HSET").arg(key.as_ref()).arg(member).arg(&**name),
                NamesHome::HashEach(key, field) => {
                    pipeline.cmd("HSET").arg(key.of(member).as_ref()).arg(field).arg(&**name)
                }
                NamesHome::StringEach(key) => pipeline.cmd("SET").arg(key.of(member).as_ref()).arg(&**name),
            };
        }
    }
}
