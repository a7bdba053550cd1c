//! Asking all parts, for one read: which parts did not answer, whether each is the part that it should be, and whether
//! anything changed since the read began.

use super::{Parts, Query};
use crate::board::grouping::Grouping;
use crate::board::keys::Board;
use crate::board::order::Order;
use crate::board::score::Score;
use crate::board::sharded::part::{Answer, Gap, Question, Said};
use crate::board::sharded::spread::Lost;
use crate::query::error::StoreError;

/// One read of one board.
pub struct Reader<'a, P> {
    pub(super) parts: &'a mut P,
    pub(super) board: &'a Board,
    /// How many rows each part had when it was asked last: a guide to how many to ask for, never a result.
    pub(super) totals: &'a mut Vec<u64>,
    /// Which scores share a rank.
    pub(super) grouping: Grouping,
    /// Why a part is left out of the rest of this read.
    lost: Vec<Option<StoreError>>,
    /// What the parts were at the first trip whose answers count.
    base: Option<(u64, Vec<Answer>)>,
}

impl<'a, P: Parts> Reader<'a, P> {
    /// A read that has not begun. `totals` are kept from one read of a board to the next.
    pub fn new(parts: &'a mut P, board: &'a Board, totals: &'a mut Vec<u64>) -> Self {
        let count = parts.count();
        if totals.len() != count {
            *totals = vec![0; count];
        }
        Self { parts, board, totals, grouping: Grouping::default(), lost: vec![None; count], base: None }
    }

    pub(super) fn order(&self) -> Order {
        self.board.order
    }

    /// Above all rows that share a rank with `score`.
    pub(super) fn group_start(&self, score: Score) -> Gap {
        Gap::group_start(self.grouping, self.order(), score)
    }

    /// Below all rows that share a rank with `score`.
    pub(super) fn group_end(&self, score: Score) -> Gap {
        Gap::group_end(self.grouping, self.order(), score)
    }

    /// Asks every part that answers: one trip. A part that does not answer is taken for empty from then on.
    pub(super) async fn ask(&mut self, questions: impl Fn(usize) -> Vec<Question>) -> Result<Vec<Answer>, StoreError> {
        let all: Vec<Vec<Question>> = (0..self.parts.count()).map(questions).collect();
        let asked: Vec<usize> = (0..all.len()).filter(|part| self.lost[*part].is_none()).collect();
        let queries: Vec<Query> = asked.iter().map(|&part| Query { part, questions: all[part].clone() }).collect();
        let replies = self.parts.trip(self.board, &queries).await?;
        let mut answers: Vec<Answer> = all.iter().map(|questions| Answer::nobody(questions)).collect();
        for (part, reply) in asked.into_iter().zip(replies) {
            match reply {
                Ok(answer) => {
                    self.check(part, answer.said)?;
                    self.totals[part] = answer.total;
                    answers[part] = answer;
                }
                Err(error) if error.is_passing() && !error.is_moved() => self.lost[part] = Some(error),
                Err(error) => return Err(error),
            }
        }
        match self.lost.iter().position(Option::is_none) {
            Some(_) => Ok(answers),
            None => Err(self
                .lost
                .iter()
                .flatten()
                .next()
                .cloned()
                .unwrap_or_else(|| StoreError::NotReady("no part of the board was asked".to_owned()))),
        }
    }

    /// The same, for answers that the result depends on.
    pub(super) async fn ask_of_record(
        &mut self,
        questions: impl Fn(usize) -> Vec<Question>,
    ) -> Result<Vec<Answer>, StoreError> {
        let answers = self.ask(questions).await?;
        if self.base.is_none() {
            self.begin_from(&answers);
        }
        Ok(answers)
    }

    /// Forgets what was asked before: the next answers are the first that count.
    pub(super) fn begin_anew(&mut self) {
        self.base = None;
    }

    /// Takes these answers for the first that count.
    pub(super) fn begin_from(&mut self, answers: &[Answer]) {
        self.base = Some((self.parts.epoch(), answers.iter().map(without_replies).collect()));
    }

    /// True where no part changed from the first answers that count to these, and every part answered: at some moment the
    /// whole board held what was read.
    pub(super) fn is_one_moment(&self, last: &[Answer]) -> bool {
        let Some((epoch, base)) = &self.base else { return false };
        let is_same = base.iter().zip(last).all(|(first, last)| first.is_same_moment(last));
        is_same && *epoch == self.parts.epoch() && self.lost.iter().all(Option::is_none)
    }

    /// The parts that did not answer.
    pub(super) fn lost(&self) -> Vec<Lost> {
        let lost = self.lost.iter().enumerate();
        lost.filter_map(|(part, why)| Some(Lost { part, why: why.as_ref()?.to_string() })).collect()
    }

    /// A part that says that it belongs to a board of another size, or is another part, is never read as a smaller board.
    fn check(&self, part: usize, said: Said) -> Result<(), StoreError> {
        let count = self.parts.count();
        let wrong = match said {
            Said { shards: Some(shards), .. } if shards != count as u64 => {
                format!("shard {part} was built for {shards} shards, not {count}")
            }
            Said { shard: Some(shard), .. } if shard != part as u64 => {
                format!("the key of shard {part} is that of shard {shard}")
            }
            _ => return Ok(()),
        };
        Err(StoreError::Other(wrong))
    }
}

fn without_replies(answer: &Answer) -> Answer {
    let Answer { version, total, ttl, meta, said, .. } = answer;
    let (version, meta) = (version.clone(), meta.clone());
    Answer { version, total: *total, ttl: *ttl, meta, said: *said, replies: Vec::new() }
}
