//! How the scores of a board in memory are spread. It counts rows; which version they have is none of its business.

use crate::board::distribution::{Binning, Distribution, Mark, bins, ranges, shares};
use crate::board::order::Order;
use crate::board::score::Score;
use crate::store::memory::rows::Rows;

/// The distribution of `rows` over the bins that are wanted, without a version. O(bins log n).
pub(super) fn of(rows: Rows<'_>, binning: Binning) -> Distribution {
    let total = rows.total();
    let bounds = binning.bounds(finite_ends(rows));
    // Each count follows from how many rows are below both ends.
    let mut counted = 0;
    let counts: Vec<u64> = ranges(&bounds)
        .map(|range| {
            let before = counted;
            counted = range.below.map_or(total, |below| lower(rows, below));
            counted - before
        })
        .collect();
    let marks = shares(total)
        .filter_map(|(percent, position)| Some(Mark { percent, position, score: rows.score(position)? }))
        .collect();
    let bins = bins(&bounds, &counts, rows.order);
    Distribution { order: rows.order, version: None, verified: true, total, bins, marks }
}

/// The lowest and the highest score that are finite.
fn finite_ends(rows: Rows<'_>) -> Option<(Score, Score)> {
    let (lowest, highest) = (Score::new(f64::NEG_INFINITY)?, Score::new(f64::INFINITY)?);
    let (first, last) = match rows.order {
        Order::Desc => (rows.at_least(highest) + 1, rows.better(lowest)),
        Order::Asc => (rows.at_least(lowest) + 1, rows.better(highest)),
    };
    if first > last {
        return None;
    }
    let (first, last) = rows.score(first).zip(rows.score(last))?;
    Some((first.min(last), first.max(last)))
}

/// How many rows have a score strictly lower than `score`, whichever end is the top.
fn lower(rows: Rows<'_>, score: Score) -> u64 {
    match rows.order {
        Order::Desc => rows.total() - rows.at_least(score),
        Order::Asc => rows.better(score),
    }
}
