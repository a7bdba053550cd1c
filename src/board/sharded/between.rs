//! The sure way to a position, however members are placed: two rows that enclose it are moved towards each other by
//! evenly spaced samples, whose places are known within proven bounds. On a board at rest each step leaves at most an
//! eighth of the rows between them, and a few.

use super::super::entry::Entry;
use super::super::order::Order;
use super::part::Placed;

/// What a part has between two gaps: rows with their indexes, all or some of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stretch {
    /// How many rows are before the upper gap.
    pub from: u64,
    /// How many rows are before the lower gap.
    pub to: u64,
    /// The rows, in board order.
    pub rows: Vec<Placed>,
}

/// A row with the least and the most rows of the board that are before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounded {
    /// The row.
    pub entry: Entry,
    /// At least so many.
    pub least: u64,
    /// At most so many.
    pub most: u64,
}

/// All rows of the stretches in board order, each with its bounds. O(rows log rows).
pub fn bounded(parts: &[Stretch], order: Order) -> Vec<Bounded> {
    let mut all: Vec<(usize, &Placed)> = Vec::new();
    for (part, stretch) in parts.iter().enumerate() {
        all.extend(stretch.rows.iter().map(|row| (part, row)));
    }
    all.sort_by(|(_, a), (_, b)| order.compare(&a.1, &b.1));
    let after = |part: usize, at: usize| parts[part].rows.get(at).map_or(parts[part].to, |row| row.0);
    let mut bounds: Vec<(u64, u64)> = (0..parts.len()).map(|part| (parts[part].from, after(part, 0))).collect();
    let mut next = vec![1; parts.len()];
    let (mut least, mut most) =
        bounds.iter().fold((0_u64, 0_u64), |(least, most), bound| (least + bound.0, most + bound.1));
    let mut bounded = Vec::with_capacity(all.len());
    for (part, (index, entry)) in all {
        let own = bounds[part];
        bounded.push(Bounded { entry: entry.clone(), least: least - own.0 + index, most: most - own.1 + index });
        bounds[part] = (index + 1, after(part, next[part]));
        next[part] += 1;
        least = least - own.0 + bounds[part].0;
        most = most - own.1 + bounds[part].1;
    }
    bounded
}

/// The nearest rows that enclose the rows from `start` up to but without `end`, counted from 0: no more than `start` rows
/// are before the first, no fewer than `end` before the second. `None` where no row is known to.
pub fn enclosing(bounded: &[Bounded], start: u64, end: u64) -> (Option<&Entry>, Option<&Entry>) {
    let from = bounded.iter().rfind(|row| row.most <= start);
    let to = bounded.iter().find(|row| row.least >= end);
    (from.map(|row| &row.entry), to.map(|row| &row.entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::score::Score;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_true_place_is_within_the_bounds_and_each_step_narrows(
            parts in prop::collection::vec(prop::collection::vec((0_u8..9, any::<u16>()), 0..60), 1..6),
            most in 2_usize..9, start in 0_u64..200,
        ) {
            let mut sorted: Vec<Vec<Entry>> = Vec::new();
            for (at, part) in parts.iter().enumerate() {
                let mut rows: Vec<Entry> = part.iter().map(|(score, member)| {
                    let mut id = member.to_be_bytes().to_vec();
                    id.push(u8::try_from(at).unwrap());
                    Entry::new(id, Score::new((*score).into()).unwrap())
                }).collect();
                rows.sort_by(|a, b| Order::Desc.compare(a, b));
                rows.dedup();
                sorted.push(rows);
            }
            let stretches: Vec<Stretch> = sorted.iter().map(|rows| Stretch {
                from: 0,
                to: rows.len() as u64,
                rows: rows.iter().cloned().enumerate()
                    .step_by(rows.len().div_ceil(most).max(1))
                    .map(|(index, row)| (index as u64, row)).collect(),
            }).collect();
            let mut all = sorted.concat();
            all.sort_by(|a, b| Order::Desc.compare(a, b));
            let place = |entry: &Entry| all.iter().position(|row| row == entry).unwrap() as u64;
            let found = bounded(&stretches, Order::Desc);
            for row in &found {
                let place = place(&row.entry);
                prop_assert!(row.least <= place && place <= row.most, "{place} in {row:?}");
            }
            prop_assert!(found.is_sorted_by(|a, b| a.least < b.least && a.most < b.most));
            let end = start + 5;
            let (from, to) = enclosing(&found, start, end);
            prop_assert!(from.is_none_or(|from| place(from) <= start));
            prop_assert!(to.is_none_or(|to| place(to) >= end));
        }
    }
}
