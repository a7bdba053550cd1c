//! A window: rows `start..start+len` with the version, total and ranks that were read at one moment.
//!
//! Ranks are derived afresh from two counts, the members strictly better than the first row and those at least as good
//! as the last, and from positions in between. Nothing is carried over from another window.

use super::entry::Entry;
use super::meta::{Meta, Ttl};
use super::order::Order;
use super::packed::scoring::Scoring;
use super::rank::Standing;
use super::sharded::spread::Spread;
use super::version::Version;

/// Rows of one board at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// The order in which the board was read.
    pub order: Order,
    /// How its scores are read, and so which of them share a rank; the counts are of those.
    pub scoring: Scoring,
    /// Position of the first row, from 1. Without rows: where they would begin.
    pub start: u64,
    /// How many members the board had.
    pub total: u64,
    /// What the version key held.
    pub version: Option<Version>,
    /// False where the parts may be of different moments.
    pub verified: bool,
    /// The rows, in board order.
    pub entries: Vec<Entry>,
    /// How many members are strictly better than the first row.
    pub better_than_first: u64,
    /// How many members are at least as good as the last row.
    pub through_last: u64,
    /// How many distinct scores are strictly better than the first row, where that was asked and within the bound.
    pub distinct_better: Option<u64>,
    /// How long the key will live.
    pub ttl: Ttl,
    /// What the board says of itself.
    pub meta: Meta,
    /// How it was put together, where the board lies in many sorted sets.
    pub parts: Option<Box<Spread>>,
}

impl Window {
    /// A window of a board that is not there.
    pub fn nothing(order: Order) -> Self {
        Self {
            order,
            scoring: Scoring::default(),
            start: 1,
            total: 0,
            version: None,
            verified: true,
            entries: Vec::new(),
            better_than_first: 0,
            through_last: 0,
            distinct_better: Some(0),
            ttl: Ttl::NoKey,
            meta: Meta::default(),
            parts: None,
        }
    }

    /// True where the key of the board does not exist; an existing sorted set is never empty.
    pub fn is_missing(&self) -> bool {
        self.total == 0
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True where there are no rows.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many members stand above the first row.
    pub fn above(&self) -> u64 {
        self.start - 1
    }

    /// Position of the last row; of the row above the window where there are none.
    pub fn end(&self) -> u64 {
        self.above() + self.entries.len() as u64
    }

    /// True where the last row is the last of the board.
    pub fn is_last(&self) -> bool {
        self.end() >= self.total
    }

    /// The same from its second row on; `None` where it has fewer than two. O(rows).
    pub fn without_first(mut self) -> Option<Self> {
        if self.len() < 2 {
            return None;
        }
        let first = self.entries.remove(0);
        self.start += 1;
        if !self.scoring.grouping().is_same(self.entries[0].score, first.score) {
            self.better_than_first = self.above();
            self.distinct_better = self.distinct_better.map(|above| above + 1);
        }
        Some(self)
    }

    /// Position of row `index`.
    pub fn position(&self, index: usize) -> u64 {
        self.start + index as u64
    }

    /// The row of `member`, if it is in the window. O(rows).
    pub fn find(&self, member: &super::entry::Member) -> Option<usize> {
        self.entries.iter().position(|entry| entry.member == *member)
    }

    /// Where row `index` stands; `None` past the end. O(rows).
    pub fn standing(&self, index: usize) -> Option<Standing> {
        self.standings().nth(index)
    }

    /// Where each row stands, in order. O(rows) for all of them.
    pub fn standings(&self) -> impl Iterator<Item = Standing> {
        let grouping = self.scoring.grouping();
        let mut runs = 0;
        self.entries
            .chunk_by(move |a, b| grouping.is_same(a.score, b.score))
            .scan(0, move |at, run| {
                let (from, to) = (*at, *at + run.len());
                *at = to;
                let better = if from == 0 { self.better_than_first } else { self.above() + from as u64 };
                let through = if to == self.len() { self.through_last } else { self.above() + to as u64 };
                let distinct_better = self.distinct_better.map(|above| above + runs);
                runs += 1;
                Some((from..to).map(move |index| Standing {
                    position: self.position(index),
                    better,
                    tied: through.saturating_sub(better).max(1),
                    distinct_better,
                }))
            })
            .flatten()
    }

    /// True where the parts can be of one moment: rows in board order without a repetition, and counts that fit the
    /// positions. Parts read one after another are caught by this when they do not fit; not always when they do.
    pub fn is_coherent(&self) -> bool {
        let ordered = self.entries.windows(2).all(|pair| self.order.compare(&pair[0], &pair[1]).is_lt());
        let counted = self.is_empty()
            || (self.better_than_first <= self.above()
                && self.through_last >= self.end()
                && self.through_last <= self.total);
        ordered && counted && (self.is_empty() || self.end() <= self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::score::Score;

    #[test]
    fn without_its_first_row_a_window_says_the_same_of_the_others() {
        // The first is in a group that began above the window, or alone; a group follows, which goes on below.
        for scores in [[7_u8, 7, 5, 5], [8, 7, 7, 5], [9, 8, 7, 6], [5; 4]] {
            let entries = scores.iter().zip(["d", "c", "b", "a"]);
            let window = Window {
                start: 4,
                total: 9,
                better_than_first: if scores[0] == scores[1] { 2 } else { 3 },
                through_last: 8,
                distinct_better: Some(1),
                entries: entries
                    .map(|(score, member)| Entry::new(member, Score::new((*score).into()).unwrap()))
                    .collect(),
                ..Window::nothing(Order::Desc)
            };
            let others: Vec<_> = window.standings().skip(1).collect();
            let rest = window.clone().without_first().unwrap();
            assert_eq!(rest.standings().collect::<Vec<_>>(), others);
            assert_eq!(rest.entries, window.entries[1..]);
            assert_eq!((rest.end(), rest.total), (window.end(), window.total));
        }
        assert_eq!(Window::nothing(Order::Desc).without_first(), None);
    }
}
