//! Freezing: one script copies a board with its version to a key of its own, in one slot and of one moment. Which key
//! that is, and what to do where the board moved meanwhile, its caller decides.

use std::sync::LazyLock;
use std::time::Duration;

use redis::aio::ConnectionLike;
use redis::{Pipeline, Value};

use crate::board::keys::Board;
use crate::board::meta::Ttl;
use crate::board::version::Version;
use crate::query::error::StoreError;
use crate::store::redis::write::RedisWriter;
use crate::store::redis::{compact, error, reply};

/// Copies, and lets the copy live for a while.
static FREEZE: LazyLock<String> = LazyLock::new(|| compact(include_str!("../../../../assets/lua/freeze.lua")));

/// What became of a freeze.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Freezing {
    /// The copy is there.
    There {
        /// Whether it was made just now.
        is_new: bool,
        /// How many rows it has.
        rows: u64,
        /// How long it lives; where it was there already, no shorter than what it had left.
        ttl: Ttl,
    },
    /// Nothing was written: the board has this version now.
    Moved(Option<Version>),
    /// Nothing was written: something else is at the key of the copy.
    Other,
    /// Nothing was written: there is no such board.
    Missing,
}

impl RedisWriter {
    /// Copies `board`, as long as it is at `version`, to `copy` and its companions, each of which lives for `retain`, or
    /// longer where the copy was there and had longer left. `copy` may be `board`, to let a copy live longer.
    ///
    /// O(n) where the copy is not there yet: a second or two for each million members, during which the server does
    /// nothing else. Needs Redis 6.2.
    pub async fn freeze(
        &mut self,
        board: &Board,
        version: &Version,
        copy: &Board,
        retain: Duration,
    ) -> Result<Freezing, StoreError> {
        const EVAL: &str = "EVAL";
        self.need((6, 2), "freeze")?;
        let mut pipeline = Pipeline::with_capacity(1);
        let command = pipeline.cmd(EVAL).arg(FREEZE.as_str()).arg(6);
        for board in [board, copy] {
            command.arg(board.key.as_ref()).arg(board.version_key.as_ref()).arg(board.meta_key.as_ref());
        }
        command.arg(version.as_bytes()).arg(u64::try_from(retain.as_millis()).unwrap_or(u64::MAX));
        let replies = self.connection.req_packed_commands(&pipeline, 0, 1).await;
        match replies.map_err(|error| self.driver.trouble(&error, self.timeout))?.pop() {
            Some(Value::ServerError(error)) if is_without_copy(&error) => {
                Err(StoreError::Other("freeze needs Redis 6.2 or later: this server has no COPY".to_owned()))
            }
            Some(Value::ServerError(error)) => Err(error::server_trouble(&error, EVAL, &copy.key)),
            Some(value) => outcome(value, EVAL),
            None => Err(reply::malformed(EVAL)),
        }
    }
}

/// True where a script was ended by a command that the server does not know; COPY is the only one that is not old.
fn is_without_copy(error: &redis::ServerError) -> bool {
    let said = error.details().unwrap_or_default();
    said.contains("Unknown Redis command") || said.contains("Unknown command called from script")
}

fn outcome(value: Value, eval: &str) -> Result<Freezing, StoreError> {
    let mut values = reply::array(value, eval)?.into_iter();
    let mut next = || values.next().ok_or_else(|| reply::malformed(eval));
    let word = reply::text(next()?, eval)?;
    Ok(match word.as_str() {
        "made" | "kept" => Freezing::There {
            is_new: word == "made",
            rows: reply::count(next()?, eval)?,
            ttl: Ttl::from_pttl(reply::number(next()?, eval)?),
        },
        "moved" => Freezing::Moved(reply::version(next()?)?),
        "other" => Freezing::Other,
        "missing" => Freezing::Missing,
        _ => return Err(reply::malformed(eval)),
    })
}
