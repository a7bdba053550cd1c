//! Writing to a board by the protocol: the changes and the version in one transaction.

pub mod change;
pub mod close;
pub mod freeze;
pub mod score;
pub(super) mod script;

use std::time::Duration;

use redis::Pipeline;
use redis::aio::MultiplexedConnection;

use crate::board::keys::Board;
use crate::board::names::NamesLocation;
use crate::query::error::StoreError;
use crate::store::redis::connect::Driver;
use crate::store::{Change, Writer};

/// Writes to boards on one server.
pub struct RedisWriter {
    pub(in crate::store::redis) connection: MultiplexedConnection,
    pub(in crate::store::redis) driver: Driver,
    /// How long an answer may take; it only words the error here.
    pub(in crate::store::redis) timeout: Duration,
}

impl RedisWriter {
    pub(in crate::store::redis) fn new(
        (connection, driver): (MultiplexedConnection, Driver),
        timeout: Duration,
    ) -> Self {
        Self { connection, driver, timeout }
    }
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
