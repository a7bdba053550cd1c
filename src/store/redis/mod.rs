//! Boards on a Redis server. Only this folder knows the client library.
//!
//! `window` reads a page at a position in one transaction, `places` everything that begins at a place in one script;
//! `plain` does both without scripts, for those who may not run them. What worked is remembered. `service` finds the server,
//! where sentinels or a cluster know it.

use std::sync::Arc;
use std::time::Duration;

use redis::Value;
use redis::aio::{ConnectionLike, MultiplexedConnection};
use tokio::time::Instant;
use tracing::{debug, info, trace};

use connect::Driver;

use crate::board::entry::Member;
use crate::board::foreign::probe::{ProbeCommand, ProbeReply};
use crate::board::keys::Board;
use crate::board::keys::Key;
use crate::board::meta::Meta;
use crate::board::names::{Name, NamesLocation};
use crate::board::version::Version;
use crate::query::capabilities::{Capabilities, ScriptCommand};
use crate::query::error::StoreError;
use crate::query::page::{PageReply, PageRequest, PageStart};
use crate::query::round_trip::RoundTrip;

mod capabilities;
pub mod connect;
mod dial;
mod error;
mod hang_up;
mod names;
mod parts;
mod probe;
mod read;
mod reply;
mod round_trip;
pub mod scan;
mod script_cache;
mod stream;
pub mod tls;
mod tls_error;
pub mod topology;
pub mod write;

/// Boards on one server, over one connection.
pub struct RedisSource {
    connection: MultiplexedConnection,
    driver: Arc<Driver>,
    /// How long an answer may take; it only words the error here, for the connection keeps to it by itself.
    timeout: Duration,
    /// What was tried once is remembered.
    access: Capabilities,
    rights: capabilities::Rights,
    /// The server has no memory to queue a transaction: this read goes without one.
    is_full: bool,
    guesses: read::scriptless::Prefetch,
    likely: read::guess::Guesses,
    scripts: script_cache::ScriptCache,
    /// How to connect anew, where the server hangs up at a command that can be done without.
    again: Option<hang_up::Again>,
    /// The trips since they were asked for, where they are kept: a viewer tells them, a command that prints does not.
    trips: Option<Vec<RoundTrip>>,
}

impl RedisSource {
    fn new((connection, driver): (MultiplexedConnection, Driver), timeout: Duration) -> Self {
        Self::over(connection, Arc::new(driver), timeout)
    }

    fn over(connection: MultiplexedConnection, driver: Arc<Driver>, timeout: Duration) -> Self {
        Self {
            connection,
            driver,
            timeout,
            access: Capabilities::FULL,
            rights: capabilities::Rights::default(),
            is_full: false,
            guesses: read::scriptless::Prefetch::default(),
            likely: read::guess::Guesses::default(),
            scripts: script_cache::ScriptCache::default(),
            again: None,
            trips: None,
        }
    }

    /// Keeps what is sent and answered, for [`BoardSource::trips`].
    pub fn keep_trips(mut self) -> Self {
        self.trips = Some(Vec::new());
        self
    }

    /// The same server over the same connection, for somebody who asks beside whoever reads boards.
    fn share_connection(&self) -> Self {
        Self::over(self.connection.clone(), self.driver.clone(), self.timeout)
    }

    /// Does `read` without the version, or without the meta hash, which are elsewhere.
    async fn without<T>(&mut self, (has_version, has_meta): (bool, bool), read: impl AsyncFnOnce(&mut Self) -> T) -> T {
        let before = self.access;
        self.access.has_version &= has_version;
        self.access.has_meta &= has_meta;
        let read = read(self).await;
        // What was not asked for was not refused either.
        if !has_version {
            self.access.has_version = before.has_version;
        }
        if !has_meta {
            self.access.has_meta = before.has_meta;
        }
        read
    }

    /// The meta hash alone; that of nobody where the user may not read it, or it is something else.
    async fn read_meta(&mut self, key: &Key) -> Result<Meta, StoreError> {
        const HMGET: &str = "HMGET";
        let mut pipeline = redis::Pipeline::with_capacity(1);
        pipeline.cmd(HMGET).arg(key.as_ref()).arg(&Meta::FIELDS);
        match self.send(&pipeline).await?.pop() {
            Some(Value::ServerError(error)) if error::is_refusal(&error) || error::is_wrong_type(&error) => {
                Ok(Meta::default())
            }
            Some(Value::ServerError(error)) => Err(error::server_trouble(&error, HMGET, key)),
            value => reply::meta(value.unwrap_or_default()),
        }
    }

    /// Sends a pipeline as it stands and returns the reply to each command, errors among them. One round trip.
    async fn send(&mut self, pipeline: &redis::Pipeline) -> Result<Vec<Value>, StoreError> {
        let (began, before) = (Instant::now(), self.driver.got());
        let sent = self.connection.req_packed_commands(pipeline, 0, pipeline.len()).await;
        let replies = sent.map_err(|error| self.driver.trouble(&error, self.timeout));
        if let Some(kept) = self.trips.as_mut().filter(|kept| kept.len() < round_trip::MOST) {
            let got = self.driver.got() - before;
            kept.push(round_trip::trip(pipeline, &replies, began.elapsed(), got));
        }
        replies
    }

    /// Answers `ask` by the best means that work here.
    async fn read_by_any_means(&mut self, board: &Board, ask: &PageRequest) -> Result<PageReply, StoreError> {
        // Each step down is taken at most once; the last one has nothing that could be refused but what a window needs.
        let mut hang_ups = hang_up::HangUps::default();
        loop {
            let read = match self.access.scripts.map(ScriptCommand::name) {
                Some(eval) => self.read_by_guess_or_script(board, ask, eval).await,
                None => self.read_plainly(board, &PageRequest { is_lean: false, ..ask.clone() }).await,
            };
            match read {
                Ok(answer) => return Ok(answer),
                Err(ReadFailure::StoreError(trouble)) => self.hung_up(trouble, &mut hang_ups).await?,
                Err(setback) => self.fall_back(board, setback)?,
            }
        }
    }

    /// Answers `ask` where a script would, but without one where that is enough.
    async fn read_by_guess_or_script(
        &mut self,
        board: &Board,
        ask: &PageRequest,
        eval: &str,
    ) -> Result<PageReply, ReadFailure> {
        let runs_inside = self.access.transactions && self.access.scripts_in_transactions && !self.is_full;
        let is_window = !ask.dense && ask.anchor.is_none() && ask.turns.is_empty() && runs_inside;
        let guess = self.read_by_guess(board, ask).await;
        let read = match guess {
            Ok(Some(page)) => return Ok(page),
            Err(failure) => Err(failure),
            Ok(None) => match &ask.whence {
                PageStart::Position(position) if is_window => self.read_window(board, *position, ask, eval).await,
                PageStart::Row(position) if is_window && self.likely.has_rows(board, *position, ask.size) => {
                    self.read_around(board, (*position).max(1), ask, eval).await
                }
                _ => self.read_place(board, ask, eval).await,
            },
        };
        self.note_page(board, ask, &read);
        read
    }

    /// Does without what was refused, and remembers it, so that the read can be tried again; the trouble where that is
    /// no help.
    fn fall_back(&mut self, board: &Board, setback: ReadFailure) -> Result<(), StoreError> {
        match setback {
            // The cache has taken note of it.
            ReadFailure::WithoutHash => {}
            ReadFailure::WithoutScripts if self.access.scripts.is_some() => {
                self.access.scripts = self.access.scripts.and_then(ScriptCommand::below);
                self.access.scripts_in_transactions = true;
                info!(board = ?board.key, scripts = ?self.access.scripts, "a script was refused");
            }
            ReadFailure::WithoutScriptsInside if self.access.scripts_in_transactions => {
                self.access.scripts_in_transactions = false;
                info!(board = ?board.key, "reading without scripts in transactions, which were refused");
            }
            ReadFailure::WithoutTransactions if self.access.transactions => {
                self.access.transactions = false;
                info!(board = ?board.key, "reading without transactions, which were refused");
            }
            ReadFailure::WithoutTtl if self.access.has_ttl => {
                self.access.has_ttl = false;
                info!(board = ?board.key, "reading without the expiry, which was refused");
            }
            ReadFailure::WithoutLookups if self.access.has_lookups => {
                self.access.has_lookups = false;
                info!(board = ?board.key, "reading without counts and ranks, which were refused");
            }
            ReadFailure::WithoutVersion if self.access.has_version => self.do_without_version(&board.version_key),
            ReadFailure::WithoutMeta if self.access.has_meta => {
                self.access.has_meta = false;
                info!(key = ?board.meta_key, "reading without the meta hash, for want of rights");
            }
            ReadFailure::Full(_) if !self.is_full => self.is_full = true,
            ReadFailure::Full(trouble) | ReadFailure::StoreError(trouble) => return Err(trouble),
            // What is done without is not asked for.
            _ => return Err(StoreError::Other("it refuses every way of reading".to_owned())),
        }
        Ok(())
    }

    fn do_without_version(&mut self, key: &Key) {
        self.access.has_version = false;
        info!(?key, "reading without the version, for want of rights");
    }

    /// Turns an error that a server gave for `command` on `key` into trouble. A wrong type is asked for by its name.
    async fn refuse(&mut self, error: &redis::ServerError, command: &str, key: &Key) -> StoreError {
        if !error::is_wrong_type(error) {
            return error::server_trouble(error, command, key);
        }
        let mut pipeline = redis::Pipeline::with_capacity(1);
        pipeline.cmd("TYPE").arg(key.as_ref());
        let asked = self.send(&pipeline).await.ok().and_then(|mut replies| reply::text(replies.pop()?, "TYPE").ok());
        StoreError::WrongType { found: asked.unwrap_or_else(|| "key of another type".to_owned()) }
    }
}

impl RedisSource {
    pub async fn read(&mut self, board: &Board, ask: &PageRequest) -> Result<PageReply, StoreError> {
        self.is_full = false;
        self.regain();
        let began = Instant::now();
        let answer = self.read_by_any_means(board, ask).await;
        self.learn(&answer);
        let took = began.elapsed();
        match &answer {
            Ok(PageReply::Page(page)) => {
                let rows = page.window.entries.len();
                debug!(board = ?board.key, ?took, rows, total = page.window.total, "read rows");
            }
            Ok(_) => debug!(board = ?board.key, ?took, "read"),
            Err(trouble) => debug!(board = ?board.key, ?took, %trouble, "did not read"),
        }
        answer
    }

    pub fn access(&self) -> Option<Capabilities> {
        Some(self.access)
    }

    pub fn trips(&mut self) -> Vec<RoundTrip> {
        self.trips.as_mut().map_or_else(Vec::new, std::mem::take)
    }

    pub async fn version(&mut self, board: &Board) -> Result<Option<Version>, StoreError> {
        self.regain();
        if !self.access.has_version {
            return Ok(None);
        }
        trace!(key = ?board.version_key, "asking for the version");
        let mut get = redis::Pipeline::with_capacity(1);
        get.cmd("GET").arg(board.version_key.as_ref());
        match self.send(&get).await?.pop() {
            Some(Value::ServerError(error)) if error::is_not_to_be_had(&error) => {
                self.do_without_version(&board.version_key);
                Ok(None)
            }
            // What is no string holds no version.
            Some(Value::ServerError(error)) if error::is_wrong_type(&error) => Ok(None),
            Some(Value::ServerError(error)) => Err(error::server_trouble(&error, "GET", &board.version_key)),
            Some(value) => reply::version(value),
            None => Err(reply::malformed("GET")),
        }
    }

    pub async fn probe(&mut self, commands: &[ProbeCommand]) -> Result<Vec<ProbeReply>, StoreError> {
        self.send_probe(commands).await
    }

    pub async fn names(
        &mut self,
        home: &NamesLocation,
        members: &[Member],
    ) -> Result<Option<Vec<Option<Name>>>, StoreError> {
        let began = Instant::now();
        let names = self.read_names(home, members).await;
        debug!(members = members.len(), took = ?began.elapsed(), are_read = names.is_ok(), "asked for names");
        names
    }
}

/// Why one way of reading did not bring an answer.
enum ReadFailure {
    /// The script's hash was refused: its text goes next time.
    WithoutHash,
    /// The script is refused: run it by another command, or read without one.
    WithoutScripts,
    /// A script is refused between `MULTI` and `EXEC`: run it outside.
    WithoutScriptsInside,
    /// Transactions are refused.
    WithoutTransactions,
    /// `PTTL` is refused.
    WithoutTtl,
    /// A count or a look-up is refused: search among the rows.
    WithoutLookups,
    /// The user may not read the version: read without it.
    WithoutVersion,
    /// The user may not read the meta hash: read without it.
    WithoutMeta,
    /// The server has no memory to queue a transaction: read without one.
    Full(StoreError),
    /// There is no answer.
    StoreError(StoreError),
}

impl From<StoreError> for ReadFailure {
    fn from(trouble: StoreError) -> Self {
        Self::StoreError(trouble)
    }
}

/// A script as it is sent: without its comments and indentation, which would travel with every read.
fn compact(script: &str) -> String {
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("--"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The order as scripts are told it.
fn is_reversed(board: &Board) -> &'static str {
    match board.order {
        crate::board::order::Order::Desc => "1",
        crate::board::order::Order::Asc => "",
    }
}

/// The command for rows by index. The older names are used, for they are there in every release; `ZRANGE … REV` is not
/// before 6.2.
fn range_command(board: &Board) -> &'static str {
    match board.order {
        crate::board::order::Order::Desc => "ZREVRANGE",
        crate::board::order::Order::Asc => "ZRANGE",
    }
}

/// The command for the index of a member.
fn rank_command(board: &Board) -> &'static str {
    match board.order {
        crate::board::order::Order::Desc => "ZREVRANK",
        crate::board::order::Order::Asc => "ZRANK",
    }
}
