//! Boards on a Redis server. Only this folder knows the client library.
//!
//! `window` reads a page at a position in one transaction, `places` everything that begins at a place in one script;
//! `plain` does both without scripts, for those who may not run them. What worked is remembered. `service` finds the server,
//! where sentinels or a cluster know it.

use std::time::Duration;

use redis::Value;
use redis::aio::{ConnectionLike, MultiplexedConnection};

use crate::board::ask::{Answer, Ask, Board, Whence};
use crate::board::entry::Member;
use crate::board::evidence::Exchange;
use crate::board::keys::Key;
use crate::board::meta::Meta;
use crate::board::names::{Name, NamesHome};
use crate::board::trouble::Trouble;
use crate::board::version::Version;
use crate::store::Home;

mod attempt;
pub mod close;
pub mod connect;
mod decode;
pub mod discover;
mod error;
mod evidence;
pub mod freeze;
mod names;
mod places;
mod plain;
pub mod score;
pub mod service;
mod window;
pub mod write;

/// What the server and the user's rights allow, tried once and remembered; each is a step down from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Means {
    /// `EVAL_RO` inside a transaction: Redis 7.0 and later.
    ReadOnlyScripts,
    /// `EVAL` inside a transaction: before 7.0.
    Scripts,
    /// A transaction without scripts.
    Transactions,
    /// A plain pipeline, checked by the version at both ends.
    Pipelines,
}

impl Means {
    /// The command that runs a script, where scripts are run.
    fn eval(self) -> Option<&'static str> {
        match self {
            Self::ReadOnlyScripts => Some("EVAL_RO"),
            Self::Scripts => Some("EVAL"),
            _ => None,
        }
    }

    /// The next step down; the last one stays.
    fn below(self) -> Self {
        match self {
            Self::ReadOnlyScripts => Self::Scripts,
            Self::Scripts => Self::Transactions,
            _ => Self::Pipelines,
        }
    }
}

/// Boards on one server, over one connection.
pub struct RedisHome {
    connection: MultiplexedConnection,
    /// How long an answer may take; it only words the error here, for the connection keeps to it by itself.
    timeout: Duration,
    means: Means,
    /// The user may read the version.
    has_version: bool,
    /// The user may read the meta hash.
    has_meta: bool,
    guesses: plain::Guesses,
    /// What the last read asked, where that is kept: a viewer tells it, a command that prints does not.
    evidence: Option<Vec<Exchange>>,
    /// Only reads are recorded.
    is_recording: bool,
}

impl RedisHome {
    fn new(connection: MultiplexedConnection, timeout: Duration) -> Self {
        Self {
            connection,
            timeout,
            means: Means::ReadOnlyScripts,
            has_version: true,
            has_meta: true,
            guesses: plain::Guesses::default(),
            evidence: None,
            is_recording: false,
        }
    }

    /// Keeps what each read asks and is answered, for [`Home::evidence`].
    pub fn keep_evidence(mut self) -> Self {
        self.evidence = Some(Vec::new());
        self
    }

    /// The same server over the same connection, for somebody who asks beside whoever reads boards.
    fn beside(&self) -> Self {
        Self::new(self.connection.clone(), self.timeout)
    }

    /// [`Home::read`] without the version, or without the meta hash, which are elsewhere.
    async fn read_without(
        &mut self,
        board: &Board,
        ask: &Ask,
        (has_version, has_meta): (bool, bool),
    ) -> Result<Answer, Trouble> {
        let before = (self.has_version, self.has_meta);
        self.has_version &= has_version;
        self.has_meta &= has_meta;
        let answer = self.read(board, ask).await;
        // What was not asked for was not refused either.
        if !has_version {
            self.has_version = before.0;
        }
        if !has_meta {
            self.has_meta = before.1;
        }
        answer
    }

    /// The meta hash alone; that of nobody where the user may not read it, or it is something else.
    async fn read_meta(&mut self, key: &Key) -> Result<Meta, Trouble> {
        const HMGET: &str = "HMGET";
        let mut pipeline = redis::Pipeline::with_capacity(1);
        pipeline.cmd(HMGET).arg(key.as_ref()).arg(&Meta::FIELDS);
        match self.send(&pipeline).await?.pop() {
            Some(Value::ServerError(error)) if error::is_not_to_be_had(&error) || error.code() == "WRONGTYPE" => {
                Ok(Meta::default())
            }
            Some(Value::ServerError(error)) => Err(error::server_trouble(&error, HMGET, key)),
            value => decode::meta(value.unwrap_or_default()),
        }
    }

    /// Sends a pipeline as it stands and returns the reply to each command, errors among them. One round trip.
    async fn send(&mut self, pipeline: &redis::Pipeline) -> Result<Vec<Value>, Trouble> {
        let replies = self
            .connection
            .req_packed_commands(pipeline, 0, pipeline.len())
            .await
            .map_err(|error| error::trouble(&error, self.timeout))?;
        if self.is_recording
            && let Some(kept) = self.evidence.as_mut().filter(|kept| kept.len() < evidence::MOST)
        {
            kept.extend(evidence::exchanges(pipeline, &replies));
        }
        Ok(replies)
    }

    /// Answers `ask` by the best means that work here.
    async fn read_by_any_means(&mut self, board: &Board, ask: &Ask) -> Result<Answer, Trouble> {
        // Each step down is taken at most once; the last one has nothing that could be refused as unknown.
        loop {
            let means = self.means;
            let read = match (&ask.whence, means.eval()) {
                (Whence::Position(position), Some(eval)) if !ask.dense && ask.anchor.is_none() => {
                    self.read_window(board, *position, ask, eval).await
                }
                (_, Some(eval)) => self.read_place(board, ask, eval).await,
                (_, None) => self.read_plainly(board, ask).await,
            };
            match read {
                Ok(answer) => return Ok(answer),
                Err(Setback::StepDown) if means != Means::Pipelines => self.means = means.below(),
                Err(Setback::StepDown) => return Err(Trouble::Server("it refuses every way of reading".to_owned())),
                Err(Setback::WithoutVersion) if self.has_version => self.has_version = false,
                Err(Setback::WithoutMeta) if self.has_meta => self.has_meta = false,
                Err(Setback::WithoutVersion | Setback::WithoutMeta) => {
                    return Err(Trouble::Server("it refuses the companions of the board".to_owned()));
                }
                Err(Setback::Trouble(trouble)) => return Err(trouble),
            }
        }
    }

    /// Turns an error that a server gave for `command` on `key` into trouble. A wrong type is asked for by its name.
    async fn refuse(&mut self, error: &redis::ServerError, command: &str, key: &Key) -> Trouble {
        if error.code() != "WRONGTYPE" {
            return error::server_trouble(error, command, key);
        }
        let asked = redis::cmd("TYPE").arg(key.as_ref()).query_async(&mut self.connection).await;
        Trouble::WrongType { found: asked.unwrap_or_else(|_| "key of another type".to_owned()) }
    }
}

impl Home for RedisHome {
    async fn read(&mut self, board: &Board, ask: &Ask) -> Result<Answer, Trouble> {
        self.evidence.iter_mut().for_each(Vec::clear);
        self.is_recording = true;
        let answer = self.read_by_any_means(board, ask).await;
        self.is_recording = false;
        answer
    }

    fn evidence(&mut self) -> Vec<Exchange> {
        self.evidence.as_mut().map_or_else(Vec::new, std::mem::take)
    }

    async fn version(&mut self, board: &Board) -> Result<Option<Version>, Trouble> {
        if !self.has_version {
            return Ok(None);
        }
        let mut get = redis::Pipeline::with_capacity(1);
        get.cmd("GET").arg(board.version_key.as_ref());
        match self.send(&get).await?.pop() {
            Some(Value::ServerError(error)) if error.code() == "NOPERM" => {
                self.has_version = false;
                Ok(None)
            }
            // What is no string holds no version.
            Some(Value::ServerError(error)) if error.code() == "WRONGTYPE" => Ok(None),
            Some(Value::ServerError(error)) => Err(error::server_trouble(&error, "GET", &board.version_key)),
            Some(value) => decode::version(value),
            None => Err(decode::malformed("GET")),
        }
    }

    async fn names(&mut self, home: &NamesHome, members: &[Member]) -> Result<Option<Vec<Option<Name>>>, Trouble> {
        self.read_names(home, members).await
    }
}

/// Why one way of reading did not bring an answer.
enum Setback {
    /// This means is not to be had here: try the next one.
    StepDown,
    /// The user may not read the version: read without it.
    WithoutVersion,
    /// The user may not read the meta hash: read without it.
    WithoutMeta,
    /// There is no answer.
    Trouble(Trouble),
}

impl From<Trouble> for Setback {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
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
