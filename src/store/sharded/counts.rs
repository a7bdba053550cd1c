//! What belongs to a page beside its rows, and is counted by the same answers: the edges of its tie groups, the boundary
//! that it was left at, the member that is followed, distinct scores for dense ranks.

use super::locate::found;
use super::stretch::malformed;
use crate::board::entry::{Entry, Member};
use crate::board::grouping::Grouping;
use crate::board::order::Order;
use crate::board::score::Score;
use crate::board::sharded::distinct::union;
use crate::board::sharded::merge::Row;
use crate::board::sharded::part::{Answer, Gap, Question, Reply};
use crate::query::error::StoreError;
use crate::query::page::{DENSE_BOUND, PageRequest};

/// What is counted beside the rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Extras {
    anchor: Option<Gap>,
    track: Option<Member>,
    /// Known only once rows have been read.
    edges: Option<Edges>,
}

/// What the counts depend on that come from rows.
#[derive(Clone, Debug, PartialEq)]
struct Edges {
    /// The scores of the first and the last row.
    scores: Option<(Score, Score)>,
    /// The followed member as it stood.
    tracked: Option<Entry>,
    is_dense: bool,
    grouping: Grouping,
    order: Order,
}

/// The counts, each part by itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    /// Rows before the boundary.
    pub(super) anchor: Option<Vec<u64>>,
    /// The score of the followed member.
    pub(super) track: Option<Score>,
    /// The score of the first row, and the rows that are strictly better.
    pub(super) better: Option<(Score, Vec<u64>)>,
    /// The score of the last row, and the rows that are at least as good.
    pub(super) through: Option<(Score, Vec<u64>)>,
    /// Rows before the followed member.
    pub(super) tracked: Option<Vec<u64>>,
    /// Distinct better scores, within the bound.
    pub(super) distinct: Option<u64>,
}

impl Extras {
    /// What is counted with the first rows.
    pub(super) fn of(request: &PageRequest) -> Self {
        let anchor = request.anchor.as_ref().map(|anchor| {
            let place = anchor.place.clone();
            if anchor.inclusive { Gap::After(place) } else { Gap::Before(place) }
        });
        Self { anchor, track: request.track.clone(), edges: None }
    }

    /// What is counted with the same rows once more.
    pub(super) fn with_edges(&self, rows: &[Row], counts: &Counts, request: &PageRequest, order: Order) -> Self {
        let scores = rows.first().zip(rows.last()).map(|(first, last)| (first.entry.score, last.entry.score));
        let member = self.track.clone();
        let tracked = counts.track.zip(member).map(|(score, member)| Entry { member, score });
        let (is_dense, grouping) = (request.dense, request.scoring.grouping());
        Self { edges: Some(Edges { scores, tracked, is_dense, grouping, order }), ..self.clone() }
    }

    /// The questions, in the order in which [`Extras::counts`] reads the replies.
    pub(super) fn questions(&self) -> Vec<Question> {
        let mut questions: Vec<Question> = self.anchor.iter().cloned().map(Question::Count).collect();
        questions.extend(self.track.iter().cloned().map(Question::Score));
        let Some(edges) = &self.edges else { return questions };
        if let Some((first, last)) = edges.scores {
            questions.push(Question::Count(Gap::group_start(edges.grouping, edges.order, first)));
            questions.push(Question::Count(Gap::group_end(edges.grouping, edges.order, last)));
            if edges.is_dense {
                questions.push(Question::Better { than: first, bound: DENSE_BOUND });
            }
        }
        questions.extend(edges.tracked.iter().cloned().map(|entry| Question::Count(Gap::Before(entry))));
        questions
    }

    /// The counts by `answers`, whose first reply is to something else.
    pub(super) fn counts(&self, answers: &[Answer]) -> Result<Counts, StoreError> {
        let mut at = 0;
        let mut next = || {
            at += 1;
            at
        };
        let mut counts = Counts::default();
        if self.anchor.is_some() {
            counts.anchor = Some(each(answers, next())?);
        }
        if let Some(member) = &self.track {
            counts.track = found(answers, next(), member)?;
        }
        let Some(edges) = &self.edges else { return Ok(counts) };
        if let Some((first, last)) = edges.scores {
            counts.better = Some((first, each(answers, next())?));
            counts.through = Some((last, each(answers, next())?));
            if edges.is_dense {
                counts.distinct = distinct(answers, next(), edges, first)?;
            }
        } else if edges.is_dense {
            counts.distinct = Some(0);
        }
        if edges.tracked.is_some() {
            counts.tracked = Some(each(answers, next())?);
        }
        Ok(counts)
    }
}

pub(super) fn each(answers: &[Answer], at: usize) -> Result<Vec<u64>, StoreError> {
    let count = |answer: &Answer| match answer.replies.get(at) {
        Some(Reply::Count(count)) => Ok(*count),
        _ => Err(malformed()),
    };
    answers.iter().map(count).collect()
}

fn distinct(answers: &[Answer], at: usize, edges: &Edges, first: Score) -> Result<Option<u64>, StoreError> {
    let scores = answers.iter().map(|answer| match answer.replies.get(at) {
        Some(Reply::Better(scores)) => Ok(scores.clone()),
        _ => Err(malformed()),
    });
    let scores = scores.collect::<Result<Vec<_>, _>>()?;
    Ok(union(scores, DENSE_BOUND, edges.grouping, edges.order, first))
}
