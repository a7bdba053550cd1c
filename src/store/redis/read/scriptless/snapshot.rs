//! One batch of commands and what it brought: facts about a board, as far as can be told of one moment. What follows from
//! them is worked out elsewhere.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use redis::{Pipeline, Value};

use crate::board::entry::{Entry, Member};
use crate::board::grouping::Grouping;
use crate::board::keys::Board;
use crate::board::meta::{Meta, Ttl};
use crate::board::score::Score;
use crate::board::version::Version;
use crate::query::error::StoreError;
use crate::store::redis::read::scriptless::read_set::{ReadSet, Side};
use crate::store::redis::read::transaction::Part;
use crate::store::redis::{ReadFailure, RedisSource, range_command, rank_command, reply};

/// Whether all facts of a batch are of one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store::redis) enum Unity {
    /// They are.
    One,
    /// There is no version to tell it by.
    Unknown,
    /// The version changed while they were read.
    Torn,
}

/// What a batch brought.
pub(in crate::store::redis) struct Snapshot {
    /// Whether it is one.
    pub(in crate::store::redis) unity: Unity,
    pub(in crate::store::redis) total: u64,
    pub(in crate::store::redis) version: Option<Version>,
    pub(in crate::store::redis) ttl: Ttl,
    pub(in crate::store::redis) meta: Meta,
    /// By index.
    pub(in crate::store::redis) rows: BTreeMap<u64, Entry>,
    pub(in crate::store::redis) counts: HashMap<(Score, Side), u64>,
    /// Index and score of those who were asked for; `None` is not on the board.
    pub(in crate::store::redis) members: HashMap<Member, Option<(u64, Score)>>,
    /// Index of those of whom no more was asked.
    pub(in crate::store::redis) tracked: HashMap<Member, Option<u64>>,
}

impl Snapshot {
    /// Takes what is missing here from what was read before. Then it is no moment any more.
    pub(in crate::store::redis) fn complete(&mut self, older: Self) {
        self.unity = Unity::Torn;
        for (index, entry) in older.rows.into_iter().filter(|(index, _)| *index < self.total) {
            self.rows.entry(index).or_insert(entry);
        }
        for (count, rows) in older.counts {
            self.counts.entry(count).or_insert(rows);
        }
        for (member, stands) in older.members {
            self.members.entry(member).or_insert(stands);
        }
        for (member, index) in older.tracked {
            self.tracked.entry(member).or_insert(index);
        }
    }

    fn put_rows(&mut self, start: u64, entries: Vec<Entry>) {
        self.rows.extend((start..).zip(entries));
    }
}

/// One command of a batch.
enum Command {
    Version,
    Total,
    Ttl,
    Meta,
    Rows(Range<u64>),
    LastRows(u64),
    Count(Score, Side),
    Rank(Member),
    Score(Member),
    /// A rank alone.
    Track(Member),
}

impl Command {
    fn part(&self) -> Part {
        match self {
            Self::Version => Part::Version,
            Self::Total => Part::Total,
            Self::Ttl => Part::Ttl,
            Self::Meta => Part::Meta,
            Self::Rows(_) | Self::LastRows(_) => Part::Rows,
            Self::Count(..) => Part::Count,
            Self::Rank(_) | Self::Track(_) => Part::Tracked,
            Self::Score(_) => Part::Score,
        }
    }

    fn write(&self, pipeline: &mut Pipeline, board: &Board, grouping: Grouping) {
        let index = |index: u64| i64::try_from(index).unwrap_or(i64::MAX);
        let key = board.key.as_ref();
        match self {
            Self::Version => pipeline.cmd("GET").arg(board.version_key.as_ref()),
            Self::Total => pipeline.cmd("ZCARD").arg(key),
            Self::Ttl => pipeline.cmd("PTTL").arg(key),
            Self::Meta => pipeline.cmd("HMGET").arg(board.meta_key.as_ref()).arg(&Meta::FIELDS),
            Self::Rows(range) => {
                let range_command = pipeline.cmd(range_command(board)).arg(key);
                range_command.arg(index(range.start)).arg(index(range.end - 1)).arg("WITHSCORES")
            }
            Self::LastRows(rows) => {
                pipeline.cmd(range_command(board)).arg(key).arg(-index(*rows)).arg(-1).arg("WITHSCORES")
            }
            Self::Count(score, side) => {
                let group = grouping.range(*score);
                let (from, to) = match side {
                    Side::Better => group.better(board.order),
                    Side::Through => group.through(board.order),
                };
                pipeline.cmd("ZCOUNT").arg(key).arg(from).arg(to)
            }
            Self::Rank(member) | Self::Track(member) => {
                pipeline.cmd(rank_command(board)).arg(key).arg(member.as_bytes())
            }
            Self::Score(member) => pipeline.cmd("ZSCORE").arg(key).arg(member.as_bytes()),
        };
    }
}

impl RedisSource {
    /// Reads all that is wanted in one batch, and what belongs to the board where that `is_whole`. One round trip.
    pub(in crate::store::redis) async fn read_moment(
        &mut self,
        board: &Board,
        grouping: Grouping,
        wants: &ReadSet,
        is_whole: bool,
    ) -> Result<Snapshot, ReadFailure> {
        let is_transaction = self.access.transactions && !self.is_full;
        let commands = self.commands(wants, is_transaction, is_whole);
        let mut pipeline = Pipeline::with_capacity(commands.len() + 2);
        let mut parts: Vec<Part> = commands.iter().map(Command::part).collect();
        if is_transaction {
            pipeline.cmd("MULTI");
            parts.insert(0, Part::Multi);
        }
        for command in &commands {
            command.write(&mut pipeline, board, grouping);
        }
        if is_transaction {
            pipeline.cmd("EXEC");
            parts.push(Part::Exec);
        }
        let replies = self.send(&pipeline).await?;
        let results = if is_transaction {
            self.executed(board, &parts, replies).await?
        } else {
            self.piped(board, &parts, replies).await?
        };
        let values = results.into_iter().map(|(_, value)| value);
        Ok(moment(commands.into_iter().zip(values), is_transaction)?)
    }

    fn commands(&self, wants: &ReadSet, is_transaction: bool, is_whole: bool) -> Vec<Command> {
        let version = || self.access.has_version.then_some(Command::Version);
        let mut commands = Vec::from_iter(version());
        commands.push(Command::Total);
        commands.extend((is_whole && self.access.has_ttl).then_some(Command::Ttl));
        commands.extend((is_whole && self.access.has_meta).then_some(Command::Meta));
        commands.extend(wants.disjoint().into_iter().map(Command::Rows));
        commands.extend((wants.last_rows > 0).then_some(Command::LastRows(wants.last_rows)));
        if self.access.has_lookups {
            commands.extend(wants.counts.iter().map(|(score, side)| Command::Count(*score, *side)));
            for member in &wants.members {
                commands.extend([Command::Rank(member.clone()), Command::Score(member.clone())]);
            }
            let tracked = wants.tracked.difference(&wants.members);
            commands.extend(tracked.map(|member| Command::Track(member.clone())));
        }
        if !is_transaction {
            commands.extend(version());
        }
        commands
    }
}

fn moment(results: impl Iterator<Item = (Command, Value)>, is_transaction: bool) -> Result<Snapshot, StoreError> {
    let mut moment = Snapshot {
        unity: Unity::Unknown,
        total: 0,
        version: None,
        ttl: Ttl::Unknown,
        meta: Meta::default(),
        rows: BTreeMap::new(),
        counts: HashMap::new(),
        members: HashMap::new(),
        tracked: HashMap::new(),
    };
    let (mut versions, mut rank) = (Vec::new(), None);
    for (command, value) in results {
        match command {
            Command::Version => versions.push(reply::version_or_none(value)?),
            Command::Total => moment.total = reply::count(value, "ZCARD")?,
            Command::Ttl => moment.ttl = Ttl::from_pttl(reply::number(value, "PTTL")?),
            Command::Meta => moment.meta = reply::meta(value)?,
            Command::Rows(range) => moment.put_rows(range.start, reply::rows(value)?),
            Command::LastRows(_) => {
                let entries = reply::rows(value)?;
                moment.put_rows(moment.total.saturating_sub(entries.len() as u64), entries);
            }
            Command::Count(score, side) => {
                moment.counts.insert((score, side), reply::count(value, "ZCOUNT")?);
            }
            Command::Rank(_) => rank = reply::maybe_count(value, "ZRANK")?,
            Command::Track(member) => {
                moment.tracked.insert(member, reply::maybe_count(value, "ZRANK")?);
            }
            Command::Score(member) => {
                moment.members.insert(member, rank.zip(reply::maybe_score(value)?));
            }
        }
    }
    moment.unity = match versions.as_slice() {
        _ if is_transaction => Unity::One,
        [Some(first), Some(last)] if first == last => Unity::One,
        [] | [None, None] => Unity::Unknown,
        _ => Unity::Torn,
    };
    moment.version = versions.pop().flatten();
    Ok(moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_before_fills_gaps_and_is_no_moment() {
        let moment = |total: i64, rows: &[(&str, f64)], better: Option<i64>| {
            let score = Score::new(1.0).unwrap();
            let rows = rows.iter().flat_map(|(member, score)| [(*member).to_owned(), score.to_string()]);
            let rows = rows.map(|text| Value::BulkString(text.into_bytes())).collect();
            let mut results = vec![(Command::Total, Value::Int(total)), (Command::Rows(0..3), Value::Array(rows))];
            results.extend(better.map(|count| (Command::Count(score, Side::Better), Value::Int(count))));
            super::moment(results.into_iter(), true).unwrap()
        };
        let mut newer = moment(2, &[("new", 2.0)], None);
        newer.complete(moment(3, &[("old", 9.0), ("b", 2.0), ("gone", 1.0)], Some(2)));
        let members: Vec<_> = newer.rows.values().map(|row| row.member.clone()).collect();
        assert_eq!(members, ["new".into(), "b".into()]);
        assert_eq!((newer.counts.len(), newer.total, newer.unity), (1, 2, Unity::Torn));
    }

    #[test]
    fn a_batch_between_two_versions_is_torn() {
        let unity = |first: Value, last: Value| {
            let results = [(Command::Version, first), (Command::Version, last)];
            moment(results.into_iter(), false).unwrap().unity
        };
        let version = |text: &str| Value::BulkString(text.into());
        assert_eq!(unity(version("1"), version("1")), Unity::One);
        assert_eq!(unity(version("1"), version("2")), Unity::Torn);
        assert_eq!(unity(version("1"), Value::Nil), Unity::Torn);
        assert_eq!(unity(Value::Nil, version("1")), Unity::Torn);
        assert_eq!(unity(Value::Nil, Value::Nil), Unity::Unknown);
    }
}
