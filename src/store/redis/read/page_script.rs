//! Pages that begin at a place, a member or a score: one read-only script that locates, ranges and counts, so that a
//! page turn is one round trip and of one moment.

use std::sync::LazyLock;

use redis::{Pipeline, Value};

use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::meta::{Meta, Ttl};
use crate::board::score::Score;
use crate::board::window::Window;
use crate::query::error::StoreError;
use crate::query::page::{DENSE_BOUND, Page, PageReply, PageRequest, PageStart, SEARCH_STEP};
use crate::store::redis::read::grouped;
use crate::store::redis::read::transaction::Part;
use crate::store::redis::script_cache::Script;
use crate::store::redis::{ReadFailure, RedisSource, is_reversed, reply};

/// Locates, ranges and counts.
static PAGE: LazyLock<Script> = LazyLock::new(|| Script::new(grouped(include_str!("../../../../assets/lua/page.lua"))));

impl RedisSource {
    /// Reads the page of `ask`.
    pub(in crate::store::redis) async fn read_place(
        &mut self,
        board: &Board,
        ask: &PageRequest,
        eval: &str,
    ) -> Result<PageReply, ReadFailure> {
        let mut pipeline = Pipeline::with_capacity(1);
        let command = self.scripts.begin(&mut pipeline, eval, &PAGE);
        // The board itself, which is no string and so no version, stands in for a version that may not be read.
        let version_key = if self.access.has_version { &board.version_key } else { &board.key };
        command.arg(if self.access.has_meta { 3 } else { 2 }).arg(board.key.as_ref()).arg(version_key.as_ref());
        if self.access.has_meta {
            command.arg(board.meta_key.as_ref());
        }
        let (mode, what, member) = whence(&ask.whence);
        command.arg(is_reversed(board)).arg(mode).arg(what).arg(member.map_or(&b""[..], Member::as_bytes));
        command.arg(ask.size).arg(ask.lead).arg(if ask.fill { "1" } else { "" });
        command.arg(ask.turns.iter().map(|is_forward| if *is_forward { '+' } else { '-' }).collect::<String>());
        match &ask.anchor {
            Some(anchor) => {
                command.arg(if anchor.inclusive { "through" } else { "above" });
                command.arg(anchor.place.score.to_string()).arg(anchor.place.member.as_bytes());
            }
            None => {
                command.arg("").arg("").arg("");
            }
        }
        match &ask.track {
            Some(member) => command.arg("1").arg(member.as_bytes()),
            None => command.arg("").arg(""),
        };
        command.arg(if ask.dense { DENSE_BOUND } else { 0 }).arg(SEARCH_STEP).arg(&ask.scoring.grouping().arguments());
        if self.access.has_meta {
            command.arg(&Meta::FIELDS);
        }
        match self.send(&pipeline).await?.pop() {
            Some(Value::ServerError(error)) => Err(self.script_refused(board, eval, &error).await),
            Some(value) => {
                self.scripts.has_run(&PAGE);
                self.rights.prove([Part::Page]);
                let answer = answer(board, ask, value, eval)?;
                if let PageReply::Page(page) = &answer {
                    self.access.has_ttl &= page.window.ttl != Ttl::Unknown;
                }
                Ok(answer)
            }
            None => Err(reply::malformed(eval).into()),
        }
    }

    /// A script is refused as a whole: whether it is the script or one of its keys, the keys tell, each by itself.
    async fn script_refused(&mut self, board: &Board, eval: &str, error: &redis::ServerError) -> ReadFailure {
        if self.scripts.is_refused_by_hash(&PAGE, error) {
            return ReadFailure::WithoutHash;
        }
        if !self.is_refusal(Part::Page, error) {
            return self.refuse(error, eval, &board.key).await.into();
        }
        let (mut pipeline, mut parts) = (Pipeline::with_capacity(2), Vec::new());
        if self.access.has_version {
            parts.push(Part::Version);
            pipeline.cmd("GET").arg(board.version_key.as_ref());
        }
        if self.access.has_meta {
            parts.push(Part::Meta);
            pipeline.cmd("HMGET").arg(board.meta_key.as_ref()).arg(&Meta::FIELDS);
        }
        if parts.is_empty() {
            return ReadFailure::WithoutScripts;
        }
        let replies = match self.send(&pipeline).await {
            Ok(replies) => replies,
            Err(trouble) => return trouble.into(),
        };
        match self.piped(board, &parts, replies).await {
            Err(setback) => setback,
            Ok(_) => ReadFailure::WithoutScripts,
        }
    }
}

/// The mode, what it works on, and the member of a place, as the script wants them.
fn whence(whence: &PageStart) -> (&'static str, Vec<u8>, Option<&Member>) {
    let of_score = |mode, score: &Score| (mode, score.to_string().into_bytes(), None);
    let of_index = |mode, position: u64| (mode, position.saturating_sub(1).to_string().into_bytes(), None);
    match whence {
        PageStart::Position(position) => of_index("position", *position),
        PageStart::Row(position) => of_index("row", *position),
        PageStart::Last => ("last", Vec::new(), None),
        PageStart::After(place) => ("after", place.score.to_string().into_bytes(), Some(&place.member)),
        PageStart::Before(place) => ("before", place.score.to_string().into_bytes(), Some(&place.member)),
        PageStart::From(place) => ("from", place.score.to_string().into_bytes(), Some(&place.member)),
        PageStart::Place(place) => ("place", place.score.to_string().into_bytes(), Some(&place.member)),
        PageStart::Member(member) => ("member", member.as_bytes().to_vec(), None),
        PageStart::Score(score) => of_score("score", score),
        PageStart::NextTie(score) => of_score("nexttie", score),
        PageStart::PreviousTie(score) => of_score("prevtie", score),
        PageStart::NextScore(score) => of_score("nextscore", score),
        PageStart::PreviousScore(score) => of_score("prevscore", score),
    }
}

fn answer(board: &Board, ask: &PageRequest, value: Value, eval: &str) -> Result<PageReply, StoreError> {
    let mut values = reply::array(value, eval)?.into_iter();
    let mut next = || values.next().ok_or_else(|| reply::malformed(eval));
    match reply::text(next()?, eval)?.as_str() {
        "absent" => return Ok(PageReply::NotOnBoard),
        "nofurther" => return Ok(PageReply::NoFurther),
        "onward" => {
            let from = reply::maybe_score(next()?)?.ok_or_else(|| reply::malformed(eval))?;
            return Ok(PageReply::Onward { from, reached: reply::count(next()?, eval)? });
        }
        _ => {}
    }
    let known = |value| Ok::<_, StoreError>(u64::try_from(reply::number(value, eval)?).ok());
    let start = reply::count(next()?, eval)? + 1;
    let target = known(next()?)?.map(|index| index + 1);
    let boundary = known(next()?)?;
    let tracked = known(next()?)?.map(|index| index + 1);
    let window = Window {
        order: board.order,
        scoring: ask.scoring.clone(),
        start,
        better_than_first: reply::count(next()?, eval)?,
        through_last: reply::count(next()?, eval)?,
        distinct_better: known(next()?)?,
        total: reply::count(next()?, eval)?,
        version: reply::version_or_none(next()?)?,
        ttl: Ttl::from_pttl(reply::number(next()?, eval)?),
        meta: reply::meta(next()?)?,
        entries: reply::rows(next()?)?,
        verified: true,
        parts: None,
    };
    let boundary = if ask.anchor.is_some() { boundary } else { None };
    Ok(PageReply::Page(Box::new(Page { window, target, boundary, tracked })))
}
