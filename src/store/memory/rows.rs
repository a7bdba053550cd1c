//! A sorted set in memory, and its rows in board order: positions, counts and rows, each found by binary search. It
//! knows no keys, no versions and no questions.

use std::collections::HashMap;
use std::iter;

use crate::board::entry::{Entry, Member};
use crate::board::grouping::Grouping;
use crate::board::order::Order;
use crate::board::score::Score;

/// Members with their scores, each member once.
#[derive(Default)]
pub(super) struct SortedSet {
    /// In the order of [`Order::Asc`].
    ascending: Vec<Entry>,
    /// The same entries.
    scores: HashMap<Member, Score>,
}

impl SortedSet {
    /// Puts a member where its score belongs. O(n).
    pub(super) fn insert(&mut self, entry: Entry) {
        self.remove(&entry.member);
        self.scores.insert(entry.member.clone(), entry.score);
        if let Err(at) = self.find(&entry) {
            self.ascending.insert(at, entry);
        }
    }

    /// Takes a member out. O(n).
    pub(super) fn remove(&mut self, member: &Member) {
        if let Some(score) = self.scores.remove(member)
            && let Ok(at) = self.find(&Entry { member: member.clone(), score })
        {
            self.ascending.remove(at);
        }
    }

    /// Puts many members in. O(n log n) for all of them.
    pub(super) fn extend(&mut self, entries: impl Iterator<Item = Entry>) {
        self.scores.extend(entries.map(|entry| (entry.member, entry.score)));
        self.ascending = self.scores.iter().map(|(member, &score)| Entry { member: member.clone(), score }).collect();
        self.ascending.sort_unstable_by(|a, b| Order::Asc.compare(a, b));
    }

    /// True where nobody is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.ascending.is_empty()
    }

    fn find(&self, entry: &Entry) -> Result<usize, usize> {
        self.ascending.binary_search_by(|other| Order::Asc.compare(other, entry))
    }
}

/// The rows of a set in board order, by positions from 1.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    /// Whose rows.
    pub(super) set: &'a SortedSet,
    /// From which end.
    pub(super) order: Order,
    /// Which scores share a rank.
    pub(super) grouping: Grouping,
}

impl<'a> Rows<'a> {
    /// How many rows there are.
    pub(super) fn total(self) -> u64 {
        self.set.ascending.len() as u64
    }

    /// The row at `position`, if the board has one.
    pub(super) fn row(self, position: u64) -> Option<&'a Entry> {
        let above = usize::try_from(position.checked_sub(1)?).ok()?;
        let index = match self.order {
            Order::Asc => above,
            Order::Desc => self.set.ascending.len().checked_sub(above + 1)?,
        };
        self.set.ascending.get(index)
    }

    /// Up to `size` rows from `start` on.
    pub(super) fn from(self, start: u64, size: u64) -> impl Iterator<Item = &'a Entry> {
        (start..start.saturating_add(size)).map_while(move |position| self.row(position))
    }

    /// The score of the row at `position`.
    pub(super) fn score(self, position: u64) -> Option<Score> {
        self.row(position).map(|row| row.score)
    }

    /// True where the rows at two positions share a rank.
    pub(super) fn are_tied(self, a: u64, b: u64) -> bool {
        self.score(a).zip(self.score(b)).is_some_and(|(a, b)| self.grouping.is_same(a, b))
    }

    /// The position of `member`, if it is on the board.
    pub(super) fn position(self, member: &Member) -> Option<u64> {
        let score = *self.set.scores.get(member)?;
        Some(self.through(&Entry { member: member.clone(), score }))
    }

    /// How many rows are strictly better than `score`.
    pub(super) fn better(self, score: Score) -> u64 {
        self.leading(|row| self.grouping.is_better(self.order, row.score, score))
    }

    /// How many rows are at least as good as `score`.
    pub(super) fn at_least(self, score: Score) -> u64 {
        self.leading(|row| !self.grouping.is_better(self.order, score, row.score))
    }

    /// How many rows stand strictly before `place`.
    pub(super) fn before(self, place: &Entry) -> u64 {
        self.leading(|row| self.order.compare(row, place).is_lt())
    }

    /// How many rows stand at or before `place`.
    pub(super) fn through(self, place: &Entry) -> u64 {
        self.leading(|row| self.order.compare(row, place).is_le())
    }

    /// How many distinct scores the first `count` rows have, if at most `bound`. O(`bound` log n).
    pub(super) fn distinct_through(self, count: u64, bound: u64) -> Option<u64> {
        let firsts = iter::successors(Some(1), |&first| Some(self.at_least(self.score(first)?) + 1));
        let distinct = firsts.take_while(|&first| first <= count).zip(1..=bound + 1).count() as u64;
        (distinct <= bound).then_some(distinct)
    }

    /// How many rows there are until `is_before` no longer holds; it must hold for no row below one for which it does
    /// not.
    fn leading(self, is_before: impl Fn(&Entry) -> bool) -> u64 {
        let ascending = &self.set.ascending;
        let count = match self.order {
            Order::Asc => ascending.partition_point(is_before),
            Order::Desc => ascending.len() - ascending.partition_point(|row| !is_before(row)),
        };
        count as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(rows: &[(&str, f64)]) -> SortedSet {
        let mut set = SortedSet::default();
        set.extend(rows.iter().map(|(member, score)| Entry::new(*member, Score::new(*score).unwrap())));
        set
    }

    #[test]
    fn a_member_is_in_a_set_once_with_its_last_score() {
        let mut set = set(&[("a", 1.0), ("b", 2.0), ("a", 3.0)]);
        set.insert(Entry::new("b", Score::new(4.0).unwrap()));
        let rows = Rows { set: &set, order: Order::Desc, grouping: Grouping::Whole };
        let members: Vec<_> = rows.from(1, 9).map(|row| row.member.as_bytes()).collect();
        assert_eq!(members, [b"b", b"a"]);
        assert_eq!((rows.position(&"b".into()), rows.position(&"c".into())), (Some(1), None));
    }

    #[test]
    fn there_are_no_rows_outside_a_board() {
        let set = set(&[("a", 1.0)]);
        for order in [Order::Asc, Order::Desc] {
            let rows = Rows { set: &set, order, grouping: Grouping::Whole };
            assert_eq!(rows.row(0), None);
            assert_eq!(rows.row(2), None);
            assert_eq!(rows.row(u64::MAX), None);
            assert_eq!(rows.from(1, u64::MAX).count(), 1);
        }
    }

    #[test]
    fn distinct_scores_are_counted_up_to_the_bound_and_not_past_it() {
        let set = set(&[("a", 1.0), ("b", 2.0), ("c", 2.0), ("d", 3.0)]);
        let rows = Rows { set: &set, order: Order::Desc, grouping: Grouping::Whole };
        assert_eq!([0, 1, 3, 4].map(|count| rows.distinct_through(count, 2)), [Some(0), Some(1), Some(2), None]);
    }
}
