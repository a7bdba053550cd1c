//! Questions to the parts of a board on one server: a script for each part, all of them in one pipeline. The script's text
//! goes over a connection once; after that its hash is enough.

use std::sync::LazyLock;

use redis::{FromRedisValue, Pipeline, Value};

use super::{ReadFailure, RedisSource, compact, error, is_reversed, reply};
use crate::board::entry::Entry;
use crate::board::keys::Board;
use crate::board::meta::{Meta, Ttl};
use crate::board::score::Score;
use crate::board::sharded::part::{Answer, Gap, Placed, Question, Reply, Said};
use crate::board::version::Version;
use crate::query::capabilities::ScriptCommand;
use crate::query::error::StoreError;
use crate::store::redis::script_cache::Script;

static PART: LazyLock<Script> = LazyLock::new(|| Script::new(compact(include_str!("../../../assets/lua/part.lua"))));

/// The fields of a part's meta hash beside those of every board.
const FIELDS: [&str; 4] = ["shard", "shards", "version", "shard-hash"];

/// So often one trip is sent again for what the server turned out not to have or to allow.
const TRIES: u32 = 6;

/// A part by its keys, and what it is asked.
pub(super) type Asked<'a> = (&'a Board, &'a [Question]);

impl RedisSource {
    /// Asks all of these parts: one round trip, and another where the server does not have the script. The answers are in
    /// the order of the parts, each of one moment of that part.
    pub(super) async fn ask_parts(
        &mut self,
        parts: &[Asked<'_>],
    ) -> Result<Vec<Result<Answer, StoreError>>, StoreError> {
        let mut answers: Vec<Option<Result<Answer, StoreError>>> = vec![None; parts.len()];
        for _ in 0..TRIES {
            let waiting: Vec<usize> = (0..parts.len()).filter(|at| answers[*at].is_none()).collect();
            if waiting.is_empty() {
                break;
            }
            let mut refused = None;
            let Some(eval) = self.access.scripts.map(ScriptCommand::name) else {
                return Err(StoreError::Other(
                    "a board over many sorted sets is read by scripts, and the user may run none".to_owned(),
                ));
            };
            let mut pipeline = Pipeline::with_capacity(waiting.len());
            let by_text = !self.scripts.goes_by_hash(&PART);
            // The server runs the commands one after another: the first brings the text for all.
            let first = self.scripts.begin(&mut pipeline, eval, &PART);
            arguments(first, parts[waiting[0]]);
            self.scripts.has_run(&PART);
            for at in &waiting[1..] {
                let command = self.scripts.begin(&mut pipeline, eval, &PART);
                arguments(command, parts[*at]);
            }
            let replies = self.send(&pipeline).await?;
            if replies.len() != waiting.len() {
                return Err(reply::malformed(eval));
            }
            for (turn, (at, value)) in waiting.into_iter().zip(replies).enumerate() {
                let (board, questions) = parts[at];
                match value {
                    Value::ServerError(error) if is_about_keys(&error) => {
                        return Err(error::server_trouble(&error, eval, &board.key));
                    }
                    Value::ServerError(error) if error.code() == "NOSCRIPT" || error::is_not_to_be_had(&error) => {
                        // Several may have been refused for one reason, which is taken note of once.
                        if refused.is_none() {
                            let is_hash = !(by_text && turn == 0);
                            refused = Some(is_hash && self.scripts.is_refused_by_hash(&PART, &error));
                        }
                    }
                    Value::ServerError(error) => answers[at] = Some(Err(self.refuse(&error, eval, &board.key).await)),
                    value => answers[at] = Some(Ok(answer(value, questions, eval)?)),
                }
            }
            if let (Some(false), Some((board, _))) = (refused, parts.first()) {
                self.fall_back(board, ReadFailure::WithoutScripts)?;
            }
        }
        answers.into_iter().map(|answer| answer.ok_or_else(|| reply::malformed("EVAL"))).collect()
    }
}

/// True where it is the keys that the user may not read, not the script that may not be run.
fn is_about_keys(error: &redis::ServerError) -> bool {
    error.code() == "NOPERM" && error.details().is_some_and(|details| details.contains("key"))
}

fn arguments(command: &mut Pipeline, (board, questions): Asked<'_>) {
    command.arg(3);
    for key in [&board.key, &board.version_key, &board.meta_key] {
        command.arg(key.as_ref());
    }
    command.arg(is_reversed(board)).arg(Meta::FIELDS.len() + FIELDS.len()).arg(&Meta::FIELDS).arg(&FIELDS);
    for question in questions {
        ask(command, question);
    }
}

fn ask(command: &mut Pipeline, question: &Question) {
    match question {
        Question::Count(at) => gap(command.arg("count"), at),
        Question::Rows { gap: at, above, below } => {
            gap(command.arg("rows"), at);
            command.arg(above).arg(below);
        }
        Question::Sample(indexes) => {
            command.arg("sample").arg(indexes.len());
            for index in indexes {
                command.arg(index);
            }
        }
        Question::Between { from, to, most } => {
            gap(command.arg("between"), from);
            gap(command, to);
            command.arg(most);
        }
        Question::Score(member) => {
            command.arg("score").arg(member.as_bytes());
        }
        Question::Better { than, bound } => {
            command.arg("better").arg(than.to_string()).arg(bound);
        }
    }
}

fn gap(command: &mut Pipeline, gap: &Gap) {
    match gap {
        Gap::Top => command.arg("top"),
        Gap::Bottom => command.arg("bottom"),
        Gap::Before(place) => command.arg("before").arg(place.score.to_string()).arg(place.member.as_bytes()),
        Gap::After(place) => command.arg("after").arg(place.score.to_string()).arg(place.member.as_bytes()),
        Gap::GroupStart(score) => command.arg("start").arg(score.to_string()),
        Gap::GroupEnd(score) => command.arg("end").arg(score.to_string()),
    };
}

fn answer(value: Value, questions: &[Question], eval: &str) -> Result<Answer, StoreError> {
    let mut values = reply::array(value, eval)?.into_iter();
    let mut next = || values.next().ok_or_else(|| reply::malformed(eval));
    let version = reply::version_or_none(next()?)?;
    let total = reply::count(next()?, eval)?;
    let ttl = Ttl::from_pttl(reply::number(next()?, eval)?);
    let (meta, said) = fields(next()?, eval)?;
    let replies: Result<Vec<_>, _> = questions.iter().map(|question| replied(question, next()?, eval)).collect();
    Ok(Answer { version, total, ttl, meta, said, replies: replies? })
}

fn fields(value: Value, eval: &str) -> Result<(Meta, Said), StoreError> {
    let values = Vec::<Option<Vec<u8>>>::from_redis_value(value).map_err(|_| reply::malformed(eval))?;
    let own = values.get(Meta::FIELDS.len()..).unwrap_or_default();
    let text = |at: usize| own.get(at)?.as_ref().and_then(|value| std::str::from_utf8(value).ok());
    let said = Said {
        shard: text(0).and_then(|text| text.parse().ok()),
        shards: text(1).and_then(|text| text.parse().ok()),
        counts_members: text(2) == Some("members"),
        is_hashed: text(3) == Some("crc32"),
    };
    Ok((Meta::from_values(&values), said))
}

fn replied(question: &Question, value: Value, eval: &str) -> Result<Reply, StoreError> {
    Ok(match question {
        Question::Count(_) => Reply::Count(reply::count(value, eval)?),
        Question::Rows { .. } => {
            let [gap, above, rows] = array(value, eval)?;
            let (gap, rows) = (reply::count(gap, eval)?, reply::rows(rows)?);
            let above = usize::try_from(reply::count(above, eval)?).map_err(|_| reply::malformed(eval))?;
            Reply::Rows { gap, rows, above }
        }
        Question::Sample(_) => Reply::Sample(placed(value, eval)?),
        Question::Between { .. } => {
            let [from, to, rows] = array(value, eval)?;
            Reply::Between { from: reply::count(from, eval)?, to: reply::count(to, eval)?, rows: placed(rows, eval)? }
        }
        Question::Score(_) => Reply::Score(reply::maybe_score(value)?),
        Question::Better { .. } if matches!(value, Value::Int(_)) => Reply::Better(None),
        Question::Better { .. } => {
            let scores = reply::array(value, eval)?.into_iter();
            let scores = scores.map(|score| reply::maybe_score(score)?.ok_or_else(|| reply::malformed(eval)));
            Reply::Better(Some(scores.collect::<Result<_, _>>()?))
        }
    })
}

fn array<const N: usize>(value: Value, eval: &str) -> Result<[Value; N], StoreError> {
    reply::array(value, eval)?.try_into().map_err(|_| reply::malformed(eval))
}

/// Rows, each after its index.
fn placed(value: Value, eval: &str) -> Result<Vec<Placed>, StoreError> {
    let flat = reply::array(value, eval)?;
    let row = |row: &[Value]| -> Result<Placed, StoreError> {
        let [index, member, score] = row else { return Err(reply::malformed(eval)) };
        let member = Vec::<u8>::from_redis_value(member.clone()).map_err(|_| reply::malformed(eval))?;
        let score: Score = reply::maybe_score(score.clone())?.ok_or_else(|| reply::malformed(eval))?;
        Ok((reply::count(index.clone(), eval)?, Entry::new(member, score)))
    };
    flat.chunks(3).map(row).collect()
}

impl RedisSource {
    /// The versions of all these parts: a tiny command for each, one round trip.
    pub(super) async fn versions(&mut self, parts: &[Board]) -> Result<Vec<Option<Version>>, StoreError> {
        const GET: &str = "GET";
        let mut pipeline = Pipeline::with_capacity(parts.len());
        for part in parts {
            pipeline.cmd(GET).arg(part.version_key.as_ref());
        }
        let replies = self.send(&pipeline).await?;
        if replies.len() != parts.len() {
            return Err(reply::malformed(GET));
        }
        let version = |(part, value): (&Board, Value)| match value {
            Value::ServerError(error) if reply::is_absence(&error) => Ok(None),
            Value::ServerError(error) => Err(error::server_trouble(&error, GET, &part.version_key)),
            value => reply::version(value),
        };
        parts.iter().zip(replies).map(version).collect()
    }
}
