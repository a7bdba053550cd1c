//! The fast way to a position deep in a board whose members are spread by a hash: samples of each part near where the
//! position should be, and for each an estimate of how many rows of the board are before it. Estimates only choose where
//! to read; what is read there is counted exactly.

use super::super::entry::Entry;
use super::super::order::Order;
use super::part::Placed;
use super::quota::to_f64;

/// How far samples reach to either side of where a position is expected, in standard deviations.
const REACH: f64 = 4.0;

/// A row that is probably near the wanted position.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// The row.
    pub entry: Entry,
    /// About how many rows of the board are before it.
    pub before: u64,
    /// How far that may well be off: three standard deviations.
    pub margin: u64,
}

/// How many samples of each part are worth their bytes.
pub fn samples(parts: usize) -> u32 {
    if parts <= 16 { 17 } else { 5 }
}

/// Which indexes of a part with `total` rows to sample: `samples`, an odd number, around `centre`, over as many rows as
/// the index may well be off by chance where it was expected to be `spread` rows from something known.
pub fn indexes(total: u64, centre: f64, spread: f64, samples: u32) -> Vec<u64> {
    if total == 0 {
        return Vec::new();
    }
    let half = f64::from(samples / 2).max(1.0);
    let last = to_f64(total - 1);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the rows there are")]
    let at = |step: u32| (centre + spread * REACH * (f64::from(step) - half) / half).clamp(0.0, last) as u64;
    let mut indexes: Vec<u64> = (0..samples).map(at).collect();
    indexes.dedup();
    indexes
}

/// The first samples: where each of `totals` has its share of the rows before `position`.
pub fn first_indexes(totals: &[u64], position: u64) -> Vec<Vec<u64>> {
    let whole = to_f64(totals.iter().sum::<u64>()).max(1.0);
    let share = (to_f64(position) / whole).clamp(0.0, 1.0);
    let of = |&total: &u64| {
        let spread = (to_f64(total) * share * (1.0 - share)).sqrt();
        indexes(total, to_f64(total) * share, spread, samples(totals.len()))
    };
    totals.iter().map(of).collect()
}

/// Further samples, from a row that is known to have `before` rows of each part before it.
pub fn further_indexes(totals: &[u64], before: &[u64], position: u64) -> Vec<Vec<u64>> {
    let whole = to_f64(totals.iter().sum::<u64>()).max(1.0);
    let left = to_f64(position) - to_f64(before.iter().sum());
    let of = |(&total, &before): (&u64, &u64)| {
        let share = to_f64(total) / whole;
        let spread = (left.abs() * share * (1.0 - share)).sqrt();
        indexes(total, to_f64(before) + left * share, spread, samples(totals.len()))
    };
    totals.iter().zip(before).map(of).collect()
}

/// The sample that is nearest to `position`, by estimate: its own index, and for every other part the middle between the
/// two samples that it lies between. O(samples log samples).
pub fn nearest(samples: &[Vec<Placed>], totals: &[u64], order: Order, position: u64) -> Option<Hint> {
    let mut all: Vec<(usize, &Placed)> = Vec::new();
    for (part, rows) in samples.iter().enumerate() {
        all.extend(rows.iter().map(|row| (part, row)));
    }
    all.sort_by(|(_, a), (_, b)| order.compare(&a.1, &b.1));
    // For each part: at least so many rows are before the sample at hand, and at most so many.
    let mut bounds: Vec<(u64, u64)> =
        samples.iter().zip(totals).map(|(rows, total)| (0, rows.first().map_or(*total, |row| row.0))).collect();
    let mut next: Vec<usize> = vec![1; samples.len()];
    let middle = |(least, most): (u64, u64)| f64::midpoint(to_f64(least), to_f64(most));
    let square = |(least, most): (u64, u64)| to_f64(most.saturating_sub(least)).powi(2);
    let mut sum: f64 = bounds.iter().copied().map(middle).sum();
    let mut squares: f64 = bounds.iter().copied().map(square).sum();
    let mut best: Option<(f64, f64, &Entry)> = None;
    for (part, (index, entry)) in all {
        let own = bounds[part];
        let before = sum - middle(own) + to_f64(*index);
        let is_nearer = |other: f64| (before - to_f64(position)).abs() < (other - to_f64(position)).abs();
        if best.is_none_or(|(other, ..)| is_nearer(other)) {
            // A row anywhere between two samples: the standard deviation is their distance over the root of twelve.
            best = Some((before, ((squares - square(own)).max(0.0) / 12.0).sqrt(), entry));
        }
        let after = samples[part].get(next[part]).map_or(totals[part], |row| row.0);
        next[part] += 1;
        bounds[part] = (index + 1, after);
        sum += middle(bounds[part]) - middle(own);
        squares += square(bounds[part]) - square(own);
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sums of row counts, not negative")]
    let whole = |value: f64| value.max(0.0) as u64;
    best.map(|(before, deviation, entry)| Hint {
        entry: entry.clone(),
        before: whole(before),
        margin: whole(3.0 * deviation).saturating_add(1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::score::Score;

    fn placed(index: u64, score: u32) -> Placed {
        (index, Entry::new("m", Score::new(score.into()).unwrap()))
    }

    #[test]
    fn samples_lie_around_the_share_and_within_the_part() {
        let all = first_indexes(&[1_000, 1_000, 0, 1], 1_000);
        assert_eq!((all[0].len(), all[2].len(), &all[3][..]), (17, 0, &[0][..]));
        assert!(all[0][0] > 400 && all[0][16] < 600 && (498..=500).contains(&all[0][8]), "{all:?}");
        let one = first_indexes(&[1_000], 300);
        assert_eq!(one[0][one[0].len() / 2], 300, "one part alone has the position itself");
        let further = further_indexes(&[500, 500], &[250, 240], 500);
        assert!(further[0][0] < 255 && further[0].contains(&255), "{further:?}");
    }

    #[test]
    fn a_sample_counts_its_own_part_exactly_and_others_in_the_middle() {
        // Part 0 has rows 0 and 10 sampled, part 1 row 4 between them.
        let samples = [vec![placed(0, 90), placed(10, 50)], vec![placed(4, 70)]];
        let hint = nearest(&samples, &[20, 9], Order::Desc, 9).unwrap();
        // The sample of 70: 4 of its own part, and of the other between 1 and 10.
        assert_eq!((hint.entry.score.get(), hint.before), (70.0, 9));
        assert!(hint.margin >= 7, "{hint:?}");
        assert_eq!(nearest(&[vec![], vec![]], &[0, 0], Order::Desc, 9), None);
        let alone = nearest(&[vec![placed(7, 1)]], &[20], Order::Desc, 7).unwrap();
        assert_eq!((alone.before, alone.margin), (7, 1), "one part alone is known exactly");
    }
}
