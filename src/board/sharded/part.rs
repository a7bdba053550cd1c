//! What is asked of one part, and what it answers: all answers to one query are of one moment of that part.

use super::super::entry::{Entry, Member};
use super::super::grouping::Grouping;
use super::super::meta::{Meta, Ttl};
use super::super::order::Order;
use super::super::score::Score;
use super::super::version::Version;

/// A place between two rows. Whether or not a row is at the key or score does not matter; the number of rows before it is
/// defined on every part, and the sum over the parts is the number of rows before it on the board.
#[derive(Clone, Debug, PartialEq)]
pub enum Gap {
    /// Above all rows.
    Top,
    /// Below all rows.
    Bottom,
    /// Right above this row.
    Before(Entry),
    /// Right below this row.
    After(Entry),
    /// Above all rows of this score.
    GroupStart(Score),
    /// Below all rows of this score.
    GroupEnd(Score),
}

impl Gap {
    /// Above all rows that share a rank with `score`.
    pub fn group_start(grouping: Grouping, order: Order, score: Score) -> Self {
        let [low, high] = grouping.range(score).ends();
        match order {
            Order::Desc => Self::outside(high),
            Order::Asc => Self::outside(low),
        }
    }

    /// Below all rows that share a rank with `score`.
    pub fn group_end(grouping: Grouping, order: Order, score: Score) -> Self {
        let [low, high] = grouping.range(score).ends();
        let (end, is_within) = match order {
            Order::Desc => low,
            Order::Asc => high,
        };
        if is_within { Self::GroupEnd(end) } else { Self::GroupStart(end) }
    }

    /// Right before the upper end of a range, as the board's order has it.
    fn outside((end, is_within): (Score, bool)) -> Self {
        if is_within { Self::GroupStart(end) } else { Self::GroupEnd(end) }
    }
}

/// One question to a part.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// How many rows are before the gap.
    Count(Gap),
    /// The nearest rows above and below the gap.
    Rows {
        /// Where.
        gap: Gap,
        /// How many rows above it.
        above: u64,
        /// How many rows below it.
        below: u64,
    },
    /// The rows at these indexes, from 0, which ascend.
    Sample(Vec<u64>),
    /// Rows between two gaps: all of them where there are at most `most`, else that many, evenly spaced.
    Between {
        /// The upper gap.
        from: Gap,
        /// The lower gap.
        to: Gap,
        /// How many rows at most.
        most: u64,
    },
    /// The score of a member.
    Score(Member),
    /// The distinct scores that are better than this one, the nearest first, if there are at most `bound`.
    Better {
        /// Than which.
        than: Score,
        /// How many at most.
        bound: u64,
    },
}

/// A row with its index in its part, from 0.
pub type Placed = (u64, Entry);

/// The answer to a [`Question`], of the variant of the same name.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// How many rows are before the gap.
    Count(u64),
    /// Rows around a gap.
    Rows {
        /// How many rows are before the gap.
        gap: u64,
        /// The rows, in board order; `above` of them are above the gap.
        rows: Vec<Entry>,
        /// How many of the rows are above the gap.
        above: usize,
    },
    /// The rows that there are at the indexes, with their indexes.
    Sample(Vec<Placed>),
    /// Rows between two gaps.
    Between {
        /// How many rows are before the upper gap.
        from: u64,
        /// How many rows are before the lower gap.
        to: u64,
        /// The rows.
        rows: Vec<Placed>,
    },
    /// The score; `None` where the member is not in this part.
    Score(Option<Score>),
    /// The scores; `None` where there are more than the bound.
    Better(Option<Vec<Score>>),
}

/// What a part was at the moment of its replies.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What its version key held.
    pub version: Option<Version>,
    /// How many rows it has.
    pub total: u64,
    /// How long its key will live.
    pub ttl: Ttl,
    /// What its meta hash says.
    pub meta: Meta,
    /// Which part of how many it is said to be by its meta hash, as far as that is there.
    pub said: Said,
    /// The replies, in the order of the questions.
    pub replies: Vec<Reply>,
}

/// What a part's meta hash says of the board that it is a part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Its own number, from 0.
    pub shard: Option<u64>,
    /// How many parts there are.
    pub shards: Option<u64>,
    /// Writers place members by their CRC-32.
    pub is_hashed: bool,
    /// Its version counts each member that changes.
    pub counts_members: bool,
}

impl Answer {
    /// What is taken for the answer of a part that did not answer: nobody is in it.
    pub fn nobody(questions: &[Question]) -> Self {
        let reply = |question: &Question| match question {
            Question::Count(_) => Reply::Count(0),
            Question::Rows { .. } => Reply::Rows { gap: 0, rows: Vec::new(), above: 0 },
            Question::Sample(_) => Reply::Sample(Vec::new()),
            Question::Between { .. } => Reply::Between { from: 0, to: 0, rows: Vec::new() },
            Question::Score(_) => Reply::Score(None),
            Question::Better { .. } => Reply::Better(Some(Vec::new())),
        };
        Self {
            version: None,
            total: 0,
            ttl: Ttl::NoKey,
            meta: Meta::default(),
            said: Said::default(),
            replies: questions.iter().map(reply).collect(),
        }
    }

    /// True where nothing can have changed between this answer and a later one: the versions are there and equal, or both
    /// times the part was empty and never written.
    pub fn is_same_moment(&self, later: &Self) -> bool {
        self.version == later.version && (self.version.is_some() || (self.total == 0 && later.total == 0))
    }
}
