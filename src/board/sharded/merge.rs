//! Merging the rows that parts gave to the rows of the board, and finding out which parts have to be asked once more.

use std::cmp::Ordering;

use super::super::entry::{Entry, Member};
use super::super::order::Order;

/// Which way rows lead away from a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Down the board.
    Down,
    /// Up the board.
    Up,
}

/// Rows of one part next to a gap, the nearest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The rows.
    pub rows: Vec<Entry>,
    /// The part has no more rows that way.
    pub is_exhausted: bool,
}

/// A row, and the part that it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The row.
    pub entry: Entry,
    /// The index of the part.
    pub part: usize,
}

/// What the runs of all parts are together.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// The nearest rows, the nearest first: those that were wanted, or all that there are. They are right where nothing is
    /// missing.
    pub rows: Vec<Row>,
    /// The parts that may hold more of the wanted rows, each with how many more to ask for at most.
    pub missing: Vec<(usize, u64)>,
}

/// `Less` where `a` is nearer to a gap than `b`, both on that side of it.
pub fn nearer(order: Order, way: Way, a: &Entry, b: &Entry) -> Ordering {
    match way {
        Way::Down => order.compare(a, b),
        Way::Up => order.compare(b, a),
    }
}

/// The nearest `wanted` rows of all runs. A part is settled where it has no more rows, or its last row is not nearer than
/// the last of the wanted. O(rows log rows).
pub fn merge(runs: &[Run], order: Order, way: Way, wanted: u64) -> Merged {
    let whole = usize::try_from(wanted).unwrap_or(usize::MAX);
    let mut rows: Vec<Row> = Vec::with_capacity(runs.iter().map(|run| run.rows.len()).sum());
    for (part, run) in runs.iter().enumerate() {
        rows.extend(run.rows.iter().map(|entry| Row { entry: entry.clone(), part }));
    }
    rows.sort_by(|a, b| nearer(order, way, &a.entry, &b.entry));
    rows.truncate(whole);
    let last = if rows.len() == whole { rows.last() } else { None };
    let is_within = |entry: &Entry| last.is_none_or(|last| nearer(order, way, entry, &last.entry).is_lt());
    let missing = runs.iter().enumerate().filter_map(|(part, run)| {
        let end = run.rows.last();
        if run.is_exhausted || wanted == 0 || end.is_some_and(|end| !is_within(end)) {
            return None;
        }
        let before = end.map_or(0, |end| rows.partition_point(|row| nearer(order, way, &row.entry, end).is_le()));
        Some((part, wanted - before as u64))
    });
    let missing = missing.collect();
    Merged { rows, missing }
}

/// A member that is in two parts, with both: a writer placed it by another rule, and every number is wrong.
pub fn repeated<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Option<(Member, usize, usize)> {
    let mut seen = std::collections::HashMap::new();
    for row in rows {
        if let Some(other) = seen.insert(&row.entry.member, row.part) {
            return Some((row.entry.member.clone(), other, row.part));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::score::Score;
    use proptest::prelude::*;

    fn entry(score: u8, member: u16) -> Entry {
        Entry::new(member.to_be_bytes().to_vec(), Score::new(score.into()).unwrap())
    }

    #[test]
    fn a_part_whose_rows_are_all_among_the_wanted_may_hold_more() {
        let run = |scores: &[u8], is_exhausted| Run {
            rows: scores.iter().map(|score| entry(*score, 0)).collect(),
            is_exhausted,
        };
        let runs = [run(&[9, 8], false), run(&[7, 1], false), run(&[5], true)];
        let merged = merge(&runs, Order::Desc, Way::Down, 3);
        assert_eq!(merged.missing, [(0, 1)], "one more than 9 8 may be above 7");
        // The last of the wanted is its own part's last: nothing of it can be missing.
        assert_eq!(merge(&runs, Order::Desc, Way::Down, 2).missing, []);
        assert_eq!(merge(&runs, Order::Desc, Way::Down, 0).missing, []);
        assert_eq!(merge(&runs, Order::Desc, Way::Down, 9).missing, [(0, 7), (1, 4)]);
    }

    #[test]
    fn a_member_in_two_parts_is_told() {
        let row = |member, part| Row { entry: entry(1, member), part };
        assert_eq!(repeated(&[row(1, 0), row(2, 1)]), None);
        assert_eq!(repeated(&[row(1, 0), row(2, 1), row(1, 2)]).map(|(_, a, b)| (a, b)), Some((0, 2)));
    }

    proptest! {
        #[test]
        fn two_trips_are_enough_for_any_parts(
            parts in prop::collection::vec(prop::collection::vec((0_u8..6, any::<u16>()), 0..30), 1..6),
            quota in 1_usize..8, wanted in 0_u64..40, is_down: bool,
        ) {
            let way = if is_down { Way::Down } else { Way::Up };
            let mut sorted: Vec<Vec<Entry>> = Vec::new();
            for (at, part) in parts.iter().enumerate() {
                let mut rows: Vec<Entry> = part.iter().map(|(score, member)| {
                    let mut id = member.to_be_bytes().to_vec();
                    id.push(u8::try_from(at).unwrap());
                    Entry::new(id, Score::new((*score).into()).unwrap())
                }).collect();
                rows.sort_by(|a, b| nearer(Order::Desc, way, a, b));
                rows.dedup();
                sorted.push(rows);
            }
            let mut runs: Vec<Run> = sorted.iter().map(|rows| Run {
                rows: rows.iter().take(quota).cloned().collect(), is_exhausted: rows.len() <= quota,
            }).collect();
            let first = merge(&runs, Order::Desc, way, wanted);
            for (part, more) in first.missing {
                let have = runs[part].rows.len();
                let more = usize::try_from(more).unwrap();
                runs[part].rows.extend(sorted[part].iter().skip(have).take(more).cloned());
                runs[part].is_exhausted = runs[part].rows.len() == sorted[part].len();
            }
            let second = merge(&runs, Order::Desc, way, wanted);
            prop_assert_eq!(second.missing.len(), 0);
            let mut all: Vec<Entry> = sorted.concat();
            all.sort_by(|a, b| nearer(Order::Desc, way, a, b));
            all.truncate(usize::try_from(wanted).unwrap());
            prop_assert_eq!(second.rows.into_iter().map(|row| row.entry).collect::<Vec<_>>(), all);
        }
    }
}
