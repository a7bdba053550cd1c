//! Closes a board's period by one script: its state, its last version and how long its keys live, of one moment. What is
//! said about it to people is not its concern.

use std::sync::LazyLock;
use std::time::Duration;

use crate::board::keys::Board;
use crate::board::version::Version;
use crate::query::error::StoreError;
use crate::store::redis::reply;
use crate::store::redis::write::RedisWriter;
use crate::store::redis::write::script::{malformed, script};

static CLOSE: LazyLock<String> = LazyLock::new(|| script(include_str!("../../../../assets/lua/close.lua")));

/// What became of a close. Moments are in Unix milliseconds by the server's clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closing {
    /// The board is closed, just now.
    Closed {
        /// Since when.
        at: i64,
        /// Its last version.
        version: Version,
        /// How many rows it has.
        rows: u64,
    },
    /// The board takes late scores only, for a time.
    Graced {
        /// Until when.
        until: i64,
        /// Its version now.
        version: Version,
        /// How many rows it has.
        rows: u64,
    },
    /// Nothing was written: it was closed already, since this moment where it says so.
    Already(Option<i64>),
    /// Nothing was written: it is closing already, and its time of grace runs until this moment.
    Waiting(Option<i64>),
    /// Nothing was written: there is no such board.
    Missing,
}

impl RedisWriter {
    /// Closes `board`: at once, or with `grace` after late scores were taken for so long. A board whose time of grace is
    /// over is closed in either case. With `retain` its three keys live for so long after that; without, as long as they
    /// would anyway.
    ///
    /// The end of a time of grace does not close a board by itself: it takes no score any more, and is to be closed once
    /// more. O(1), one round trip.
    pub async fn close(
        &mut self,
        board: &Board,
        grace: Option<Duration>,
        retain: Option<Duration>,
    ) -> Result<Closing, StoreError> {
        self.close_as(board, grace, retain, "").await
    }

    /// The same for a part of a larger board, which may have no rows of its own.
    pub async fn close_part(
        &mut self,
        part: &Board,
        grace: Option<Duration>,
        retain: Option<Duration>,
    ) -> Result<Closing, StoreError> {
        self.close_as(part, grace, retain, "part").await
    }

    async fn close_as(
        &mut self,
        board: &Board,
        grace: Option<Duration>,
        retain: Option<Duration>,
        what: &str,
    ) -> Result<Closing, StoreError> {
        let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis().to_string()).unwrap_or_default();
        let (grace, retain) = (milliseconds(grace), milliseconds(retain));
        let mut words = self.attempt(&CLOSE, board, &[grace.as_bytes(), retain.as_bytes(), what.as_bytes()]).await?;
        let word = words.text()?;
        Ok(match word.as_str() {
            "closed" | "closing" => {
                let moment = words.moment().ok_or_else(malformed)?;
                let version = reply::version(words.next()?)?.ok_or_else(malformed)?;
                let rows = words.count()?;
                if word == "closed" {
                    Closing::Closed { at: moment, version, rows }
                } else {
                    Closing::Graced { until: moment, version, rows }
                }
            }
            "already" => Closing::Already(words.moment()),
            "waiting" => Closing::Waiting(words.moment()),
            "missing" => Closing::Missing,
            _ => return Err(malformed()),
        })
    }
}
