//! What a batch of commands is to bring, before there are commands.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::board::entry::{Entry, Member};
use crate::board::score::Score;

/// Which rows a count is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::store::redis) enum Side {
    /// Those strictly better than a score.
    Better,
    /// Those at least as good.
    Through,
}

/// What is to be read besides total, version, time to live and meta, which always are. Indexes count from 0.
#[derive(Clone, Debug, Default)]
pub(in crate::store::redis) struct ReadSet {
    ranges: Vec<Range<u64>>,
    pub(in crate::store::redis) last_rows: u64,
    pub(in crate::store::redis) counts: BTreeSet<(Score, Side)>,
    pub(in crate::store::redis) members: BTreeSet<Member>,
    /// Those of whom only the index is asked.
    pub(in crate::store::redis) tracked: BTreeSet<Member>,
}

impl ReadSet {
    /// The rows at these indexes, as far as there are such.
    pub(in crate::store::redis) fn rows(&mut self, indexes: Range<u64>) {
        self.ranges.push(indexes);
    }

    /// At least so many rows at the end of the board.
    pub(in crate::store::redis) fn last_rows(&mut self, rows: u64) {
        self.last_rows = self.last_rows.max(rows);
    }

    /// True where the row `from_end` rows before the end is among the last rows that are wanted.
    pub(in crate::store::redis) fn has_last(&self, from_end: u64) -> bool {
        from_end <= self.last_rows
    }

    /// How many rows are on this side of a score.
    pub(in crate::store::redis) fn count(&mut self, score: Score, side: Side) {
        self.counts.insert((score, side));
    }

    /// At which index a member stands, whatever its score.
    pub(in crate::store::redis) fn track(&mut self, member: &Member) {
        self.tracked.insert(member.clone());
    }

    /// Where a member stands, and its score.
    pub(in crate::store::redis) fn member(&mut self, member: &Member) {
        self.members.insert(member.clone());
    }

    /// What finds a place at which somebody stands, or which is in no tie group.
    pub(in crate::store::redis) fn place(&mut self, place: &Entry) {
        self.member(&place.member);
        self.count(place.score, Side::Better);
        self.count(place.score, Side::Through);
    }

    /// Takes over what costs little and helps again where the board has moved: all but rows.
    pub(in crate::store::redis) fn keep_look_ups(&mut self, older: Self) {
        self.counts.extend(older.counts);
        self.members.extend(older.members);
        self.tracked.extend(older.tracked);
    }

    /// The ranges of rows without overlaps.
    pub(in crate::store::redis) fn disjoint(&self) -> Vec<Range<u64>> {
        let mut ranges: Vec<_> = self.ranges.iter().filter(|range| !range.is_empty()).cloned().collect();
        ranges.sort_unstable_by_key(|range| range.start);
        let mut disjoint: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            match disjoint.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => disjoint.push(range),
            }
        }
        disjoint
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_is_asked_for_twice() {
        let mut wants = ReadSet::default();
        for range in [7..9, 0..3, 2..5, 5..6, 8..8, 20..21, 7..8] {
            wants.rows(range);
        }
        assert_eq!(wants.disjoint(), [0..6, 7..9, 20..21]);
    }
}
