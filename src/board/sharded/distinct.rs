//! Distinct scores over parts: counts of one part cannot be added up, for parts share scores, but their union is exact.

use std::collections::BTreeSet;

use super::super::grouping::Grouping;
use super::super::order::Order;
use super::super::score::Score;

/// How many groups of scores the parts have together that are better than the group of `first`, if at most `bound`; each part
/// tells its distinct scores that are better than `first`. A part that has more than the bound says `None`: where equal scores
/// make a group, the union is no smaller. O(scores log scores).
pub fn union(
    parts: impl IntoIterator<Item = Option<Vec<Score>>>,
    bound: u64,
    grouping: Grouping,
    order: Order,
    first: Score,
) -> Option<u64> {
    let mut scores = BTreeSet::new();
    for part in parts {
        scores.extend(part?);
    }
    let better: Vec<Score> = scores.into_iter().filter(|score| grouping.is_better(order, *score, first)).collect();
    let count = better.chunk_by(|a, b| grouping.is_same(*a, *b)).count() as u64;
    (count <= bound).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(values: &[f64]) -> Vec<Score> {
        values.iter().map(|value| Score::new(*value).unwrap()).collect()
    }

    #[test]
    fn shared_scores_count_once_and_the_zeros_are_one() {
        let union = |parts: Vec<Option<Vec<Score>>>, bound| {
            super::union(parts, bound, Grouping::Whole, Order::Desc, Score::new(-1.0).unwrap())
        };
        assert_eq!(union(vec![Some(scores(&[0.0, 1.0, 2.0])), Some(scores(&[-0.0, 2.0, 3.0]))], 9), Some(4));
        assert_eq!(union(vec![Some(scores(&[1.0, 2.0])), Some(scores(&[3.0]))], 2), None, "past the bound together");
        let union = |parts: Vec<Option<Vec<Score>>>, bound| {
            super::union(parts, bound, Grouping::Whole, Order::Desc, Score::new(-1.0).unwrap())
        };
        assert_eq!(union(vec![Some(scores(&[])), None], 9), None, "past the bound by itself");
        assert_eq!(union(vec![], 9), Some(0));
    }
}
