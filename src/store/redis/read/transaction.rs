//! The window at a position: one transaction, one round trip, at the same cost at any depth.

use std::sync::LazyLock;

use redis::{Pipeline, Value};

use crate::board::keys::Board;
use crate::board::keys::Key;
use crate::board::meta::{Meta, Ttl};
use crate::board::window::Window;
use crate::query::error::StoreError;
use crate::query::page::{Page, PageReply, PageRequest};
use crate::store::redis::read::grouped;
use crate::store::redis::script_cache::Script;
use crate::store::redis::{ReadFailure, RedisSource, error, is_reversed, range_command, rank_command, reply};

/// Counts at the edges of a page, inside the transaction that reads it.
static EDGES: LazyLock<Script> =
    LazyLock::new(|| Script::new(grouped(include_str!("../../../../assets/lua/edges.lua"))));

/// What a command in the transaction is for. A refusal of it says what the user lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store::redis) enum Part {
    Multi,
    Version,
    Total,
    Rows,
    Ttl,
    Meta,
    Edges,
    Tracked,
    Count,
    LowestRow,
    HighestRow,
    Score,
    Exec,
    /// The script for pages, outside of a transaction.
    Page,
}

impl Part {
    fn command(self, board: &Board) -> &'static str {
        match self {
            Self::Multi => "MULTI",
            Self::Version => "GET",
            Self::Total => "ZCARD",
            Self::Rows => range_command(board),
            Self::Ttl => "PTTL",
            Self::Meta => "HMGET",
            Self::Edges | Self::Page => "EVAL",
            Self::Tracked => rank_command(board),
            Self::Count => "ZCOUNT",
            Self::LowestRow => "ZRANGEBYSCORE",
            Self::HighestRow => "ZREVRANGEBYSCORE",
            Self::Score => "ZSCORE",
            Self::Exec => "EXEC",
        }
    }

    fn key(self, board: &Board) -> &Key {
        match self {
            Self::Version => &board.version_key,
            Self::Meta => &board.meta_key,
            _ => &board.key,
        }
    }
}

impl RedisSource {
    /// Reads the rows from `position` on, with everything that belongs to their moment.
    pub(in crate::store::redis) async fn read_window(
        &mut self,
        board: &Board,
        position: u64,
        ask: &PageRequest,
        eval: &str,
    ) -> Result<PageReply, ReadFailure> {
        let (first, last) = indexes(position, ask.size);
        let mut parts = vec![Part::Multi, Part::Total, Part::Rows];
        let mut pipeline = Pipeline::with_capacity(9);
        pipeline.cmd("MULTI");
        pipeline.cmd("ZCARD").arg(board.key.as_ref());
        pipeline.cmd(range_command(board)).arg(board.key.as_ref()).arg(first).arg(last).arg("WITHSCORES");
        if self.access.has_ttl {
            parts.push(Part::Ttl);
            pipeline.cmd("PTTL").arg(board.key.as_ref());
        }
        parts.push(Part::Edges);
        let edges = self.scripts.begin(&mut pipeline, eval, &EDGES).arg(1).arg(board.key.as_ref());
        edges.arg(first).arg(last).arg(is_reversed(board)).arg(&ask.scoring.grouping().arguments());
        if self.access.has_version {
            parts.push(Part::Version);
            pipeline.cmd("GET").arg(board.version_key.as_ref());
        }
        if self.access.has_meta {
            parts.push(Part::Meta);
            pipeline.cmd("HMGET").arg(board.meta_key.as_ref()).arg(&Meta::FIELDS);
        }
        if let Some(member) = ask.track.as_ref().filter(|_| self.access.has_lookups) {
            parts.push(Part::Tracked);
            pipeline.cmd(rank_command(board)).arg(board.key.as_ref()).arg(member.as_bytes());
        }
        parts.push(Part::Exec);
        pipeline.cmd("EXEC");

        let replies = self.send(&pipeline).await?;
        let results = self.executed(board, &parts, replies).await?;
        self.scripts.has_run(&EDGES);
        let mut window =
            Window { start: position, ttl: Ttl::Unknown, scoring: ask.scoring.clone(), ..Window::nothing(board.order) };
        window.distinct_better = None;
        let mut tracked = None;
        for (part, value) in results {
            match part {
                Part::Version => window.version = reply::version_or_none(value)?,
                Part::Total => window.total = reply::count(value, "ZCARD")?,
                Part::Rows => window.entries = reply::rows(value)?,
                Part::Ttl => window.ttl = Ttl::from_pttl(reply::number(value, "PTTL")?),
                Part::Meta => window.meta = reply::meta(value)?,
                Part::Edges => {
                    let mut counts = reply::array(value, eval)?.into_iter();
                    if let (Some(better), Some(through)) = (counts.next(), counts.next()) {
                        window.better_than_first = reply::count(better, eval)?;
                        window.through_last = reply::count(through, eval)?;
                    }
                }
                Part::Tracked => tracked = reply::maybe_count(value, "ZRANK")?.map(|index| index + 1),
                _ => {}
            }
        }
        window.start = window.start.min(window.total + 1);
        Ok(PageReply::Page(Box::new(Page { window, target: None, boundary: None, tracked })))
    }

    /// Reads the page around the row at `position`, which the board is thought to have. Only where it has not, the page begins
    /// higher up, and the script finds where.
    pub(in crate::store::redis) async fn read_around(
        &mut self,
        board: &Board,
        position: u64,
        ask: &PageRequest,
        eval: &str,
    ) -> Result<PageReply, ReadFailure> {
        let start = position.saturating_sub(ask.lead).max(1);
        match self.read_window(board, start, ask, eval).await? {
            PageReply::Page(mut page) if page.window.total >= start - 1 + ask.size => {
                page.target = Some(position);
                Ok(PageReply::Page(page))
            }
            _ => self.read_place(board, ask, eval).await,
        }
    }

    /// The results of a transaction whose commands were `parts`, with `MULTI` first and `EXEC` last. A command that was
    /// refused when it was queued says what the user lacks; one that failed inside says so of the board.
    pub(in crate::store::redis) async fn executed(
        &mut self,
        board: &Board,
        parts: &[Part],
        mut replies: Vec<Value>,
    ) -> Result<Vec<(Part, Value)>, ReadFailure> {
        let executed = replies.pop();
        for (part, reply) in parts.iter().zip(&replies) {
            if let Value::ServerError(error) = reply {
                let error = error.clone();
                return Err(self.refused(board, *part, &error).await);
            }
        }
        match executed {
            Some(Value::ServerError(error)) => {
                let refused = error::server_trouble(&error, "EXEC", &board.key);
                // Why it was given up, the refusal of a command before it says; without one it is no refusal of transactions.
                let is_refusal = error.kind() != Some(redis::ServerErrorKind::ExecAbort)
                    && self.is_refusal(Part::Exec, &error)
                    || error::is_not_to_be_had(&error);
                Err(if is_refusal { ReadFailure::WithoutTransactions } else { refused.into() })
            }
            Some(Value::Array(results)) if results.len() == parts.len() - 2 => {
                self.rights.prove([Part::Multi, Part::Exec]);
                self.sound(board, parts[1..].iter().copied().zip(results).collect()).await
            }
            _ => Err(reply::malformed("EXEC").into()),
        }
    }

    /// The results of commands that were sent without a transaction: each is refused, or fails, by itself.
    pub(in crate::store::redis) async fn piped(
        &mut self,
        board: &Board,
        parts: &[Part],
        replies: Vec<Value>,
    ) -> Result<Vec<(Part, Value)>, ReadFailure> {
        if replies.len() != parts.len() {
            return Err(StoreError::Protocol("the replies do not fit the commands".to_owned()).into());
        }
        for (part, reply) in parts.iter().zip(&replies) {
            if let Value::ServerError(error) = reply
                && self.is_refusal(*part, error)
            {
                let error = error.clone();
                return Err(self.refused(board, *part, &error).await);
            }
        }
        self.sound(board, parts.iter().copied().zip(replies).collect()).await
    }

    /// Passes results on where none that the window needs is an error.
    pub(in crate::store::redis) async fn sound(
        &mut self,
        board: &Board,
        results: Vec<(Part, Value)>,
    ) -> Result<Vec<(Part, Value)>, ReadFailure> {
        for (part, value) in &results {
            // What belongs to the board but is of another type is as good as not there. Any other error is no answer.
            if let Value::ServerError(error) = value
                && !(matches!(part, Part::Version | Part::Meta) && error::is_wrong_type(error))
            {
                let error = error.clone();
                return Err(self.refused(board, *part, &error).await);
            }
        }
        self.rights.prove(results.iter().map(|(part, _)| *part));
        Ok(results)
    }

    /// True where a command is refused, and not merely fails: what has worked over this connection is refused for want of
    /// rights alone.
    pub(in crate::store::redis) fn is_refusal(&self, part: Part, error: &redis::ServerError) -> bool {
        error::is_not_to_be_had(error) || (error::is_refusal(error) && !self.rights.is_proven(part))
    }

    async fn refused(&mut self, board: &Board, part: Part, error: &redis::ServerError) -> ReadFailure {
        if part == Part::Edges && self.scripts.is_refused_by_hash(&EDGES, error) {
            return ReadFailure::WithoutHash;
        }
        if self.is_refusal(part, error) {
            match part {
                Part::Version => return ReadFailure::WithoutVersion,
                Part::Meta => return ReadFailure::WithoutMeta,
                Part::Ttl => return ReadFailure::WithoutTtl,
                Part::Multi | Part::Exec => return ReadFailure::WithoutTransactions,
                // One that is not known inside is not known outside.
                Part::Edges if error::is_not_to_be_had(error) => return ReadFailure::WithoutScripts,
                Part::Edges => return ReadFailure::WithoutScriptsInside,
                Part::Tracked | Part::Score | Part::Count if self.access.has_lookups => {
                    return ReadFailure::WithoutLookups;
                }
                _ => {}
            }
        }
        let trouble = self.refuse(error, part.command(board), part.key(board)).await;
        if error::is_full(error) { ReadFailure::Full(trouble) } else { trouble.into() }
    }
}

/// First and last index of `size` rows from `position` on, as Redis counts: from 0, both included, signed 64 bit.
pub(in crate::store::redis) fn indexes(position: u64, size: u64) -> (i64, i64) {
    let first = i64::try_from(position.saturating_sub(1)).unwrap_or(i64::MAX);
    (first, first.saturating_add(i64::try_from(size).unwrap_or(i64::MAX)).saturating_sub(1))
}
