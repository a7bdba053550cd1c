//! Parts in memory: sorted lists, scanned. Between two trips a hook may write.

use std::collections::VecDeque;

use super::{Entry, Member, Order, Parts, Query, Score};
use crate::board::keys::Board;
use crate::board::meta::{Meta, Ttl};
use crate::board::sharded::part::{Answer, Gap, Question, Reply, Said};
use crate::board::sharded::placement::part_of;
use crate::query::error::StoreError;

#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    /// In board order.
    pub(super) rows: Vec<Entry>,
    pub(super) version: u64,
}

/// Writes before a trip: a member's score, or that it leaves.
pub(super) type Writes = Vec<(Member, Option<Score>)>;

pub(super) struct MemoryParts {
    pub(super) order: Order,
    pub(super) parts: Vec<Part>,
    /// What is written before each further trip.
    pub(super) writes: VecDeque<Writes>,
    /// The parts before each trip.
    pub(super) history: Vec<Vec<Part>>,
    pub(super) trips: u32,
    /// Parts that do not answer.
    pub(super) silent: Vec<usize>,
    pub(super) said: Said,
    pub(super) totals: Vec<u64>,
    pub(super) keeps_history: bool,
}

impl MemoryParts {
    /// Rows placed by a rule, each part at its first version.
    pub(super) fn new(entries: &[Entry], order: Order, count: usize, place: impl Fn(&Entry) -> usize) -> Self {
        let mut parts = vec![Part { version: 1, ..Part::default() }; count];
        for entry in entries {
            parts[place(entry) % count].rows.push(entry.clone());
        }
        for part in &mut parts {
            part.rows.sort_by(|a, b| order.compare(a, b));
        }
        Self {
            order,
            parts,
            writes: VecDeque::new(),
            history: Vec::new(),
            trips: 0,
            silent: Vec::new(),
            said: Said { counts_members: true, ..Said::default() },
            totals: Vec::new(),
            keeps_history: false,
        }
    }

    /// Rows placed as writers do.
    pub(super) fn hashed(entries: &[Entry], order: Order, count: usize) -> Self {
        let shards = u32::try_from(count).unwrap();
        Self::new(entries, order, count, |entry| part_of(entry.member.as_bytes(), shards) as usize)
    }

    fn write(&mut self, member: &Member, score: Option<Score>) {
        let shards = u32::try_from(self.parts.len()).unwrap();
        let order = self.order;
        let part = &mut self.parts[part_of(member.as_bytes(), shards) as usize];
        part.rows.retain(|row| row.member != *member);
        if let Some(score) = score {
            let entry = Entry { member: member.clone(), score };
            let at = part.rows.partition_point(|row| order.compare(row, &entry).is_lt());
            part.rows.insert(at, entry);
        }
        part.version += 1;
    }

    fn answer(&self, part: &Part, questions: &[Question]) -> Answer {
        Answer {
            version: Some(part.version.to_string().as_str().into()),
            total: part.rows.len() as u64,
            ttl: if part.rows.is_empty() { Ttl::NoKey } else { Ttl::Forever },
            meta: Meta::default(),
            said: self.said,
            replies: questions.iter().map(|question| self.reply(&part.rows, question)).collect(),
        }
    }

    fn before(&self, rows: &[Entry], gap: &Gap) -> usize {
        let order = self.order;
        let count = |is_before: &dyn Fn(&Entry) -> bool| rows.iter().filter(|row| is_before(row)).count();
        match gap {
            Gap::Top => 0,
            Gap::Bottom => rows.len(),
            Gap::Before(place) => count(&|row| order.compare(row, place).is_lt()),
            Gap::After(place) => count(&|row| order.compare(row, place).is_le()),
            Gap::GroupStart(score) => count(&|row| order.is_better(row.score, *score)),
            Gap::GroupEnd(score) => count(&|row| !order.is_better(*score, row.score)),
        }
    }

    fn reply(&self, rows: &[Entry], question: &Question) -> Reply {
        let whole = |count: u64| usize::try_from(count).unwrap();
        let placed = |at: usize| (at as u64, rows[at].clone());
        match question {
            Question::Count(gap) => Reply::Count(self.before(rows, gap) as u64),
            Question::Rows { gap, above, below } => {
                let gap = self.before(rows, gap);
                let from = gap.saturating_sub(whole(*above));
                let to = rows.len().min(gap + whole(*below));
                Reply::Rows { gap: gap as u64, rows: rows[from..to].to_vec(), above: gap - from }
            }
            Question::Sample(indexes) => {
                let there = indexes.iter().map(|index| whole(*index)).filter(|at| *at < rows.len());
                Reply::Sample(there.map(placed).collect())
            }
            Question::Between { from, to, most } => {
                let (from, to) = (self.before(rows, from), self.before(rows, to));
                let (len, most) = (to.saturating_sub(from), whole(*most));
                let at = |step: usize| if len <= most { from + step } else { from + (2 * step + 1) * len / (2 * most) };
                let rows = (0..len.min(most)).map(|step| placed(at(step))).collect();
                Reply::Between { from: from as u64, to: to as u64, rows }
            }
            Question::Score(member) => Reply::Score(rows.iter().find(|row| row.member == *member).map(|row| row.score)),
            Question::Better { than, bound } => {
                let mut scores: Vec<Score> =
                    rows.iter().map(|row| row.score).filter(|score| self.order.is_better(*score, *than)).collect();
                scores.dedup();
                scores.reverse();
                Reply::Better((scores.len() as u64 <= *bound).then_some(scores))
            }
        }
    }
}

impl Parts for MemoryParts {
    fn count(&self) -> usize {
        self.parts.len()
    }

    async fn trip(&mut self, _: &Board, queries: &[Query]) -> Result<Vec<Result<Answer, StoreError>>, StoreError> {
        self.trips += 1;
        for (member, score) in self.writes.pop_front().unwrap_or_default() {
            self.write(&member, score);
        }
        if self.keeps_history {
            self.history.push(self.parts.clone());
        }
        let answer = |query: &Query| {
            if self.silent.contains(&query.part) {
                return Err(StoreError::NotReady("silent".to_owned()));
            }
            Ok(self.answer(&self.parts[query.part], &query.questions))
        };
        Ok(queries.iter().map(answer).collect())
    }
}
