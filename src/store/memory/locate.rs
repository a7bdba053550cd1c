//! Where the page that an ask wants begins on a board in memory. It only looks at rows; what is shown of them is none of
//! its business. How many rows a search for ties may look at is handed in.

use crate::board::score::Score;
use crate::query::page::{PageReply, PageRequest, PageStart, turned};
use crate::store::memory::rows::Rows;

/// Where a page lies.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// Position of its first row.
    pub(super) start: u64,
    /// How many rows it has at most.
    pub(super) size: u64,
    /// Position of the row that was asked for, where one was.
    pub(super) target: Option<u64>,
}

/// The page of `ask`, or the answer where there is none. A search for ties looks at up to `step` rows, at least 2.
/// O(log n), and O(`step`) for ties.
pub(super) fn locate(rows: Rows<'_>, ask: &PageRequest, step: u64) -> Result<Spot, PageReply> {
    let (total, size) = (rows.total(), ask.size);
    let last_start = total.saturating_sub(size) + 1;
    let from = |start| Spot { start, size, target: None };
    let around = |position: u64| Spot {
        start: position.saturating_sub(ask.lead).clamp(1, last_start),
        size,
        target: Some(position),
    };
    let spot = match &ask.whence {
        PageStart::Position(position) => from((*position).clamp(1, total + 1)),
        PageStart::Last => from(last_start),
        PageStart::After(place) => from(rows.through(place) + 1),
        PageStart::Before(place) => {
            let before = rows.before(place);
            let size = if ask.fill { size } else { size.min(before) };
            Spot { start: before.saturating_sub(size) + 1, size, target: None }
        }
        PageStart::From(place) => from(rows.before(place) + 1),
        PageStart::Member(member) => around(rows.position(member).ok_or(PageReply::NotOnBoard)?),
        PageStart::Row(_) | PageStart::Score(_) | PageStart::Place(_) if total == 0 => from(1),
        PageStart::Place(place) => around((rows.before(place) + 1).min(total)),
        PageStart::Row(position) => around((*position).clamp(1, total)),
        PageStart::Score(score) => around((rows.better(*score) + 1).min(total)),
        PageStart::NextTie(score) => around(next_tie(rows, *score, step)?),
        PageStart::PreviousTie(score) => around(previous_tie(rows, *score, step)?),
        PageStart::NextScore(score) => {
            let through = rows.at_least(*score);
            around((through < total).then_some(through + 1).ok_or(PageReply::NoFurther)?)
        }
        PageStart::PreviousScore(score) => {
            let better = rows.score(rows.better(*score)).ok_or(PageReply::NoFurther)?;
            around(rows.better(better) + 1)
        }
    };
    Ok(Spot { start: turned(spot.start - 1, spot.size, total, &ask.turns) + 1, ..spot })
}

/// Position of the first row of the first group that is strictly worse than `score`.
fn next_tie(rows: Rows<'_>, score: Score, step: u64) -> Result<u64, PageReply> {
    let first = rows.at_least(score) + 1;
    let last = rows.total().min(first + step - 1);
    if let Some(found) = (first..last).find(|&at| rows.are_tied(at, at + 1)) {
        return Ok(found);
    }
    // The rows looked at have distinct scores, so that the search goes on with the last of them: a group that begins
    // there is not missed.
    let from = if last < rows.total() { rows.score(last - 1) } else { None };
    Err(from.map_or(PageReply::NoFurther, |from| PageReply::Onward { from, reached: last }))
}

/// Position of the first row of the nearest group that is strictly better than `score`.
fn previous_tie(rows: Rows<'_>, score: Score, step: u64) -> Result<u64, PageReply> {
    let nearest = rows.better(score);
    let farthest = (nearest + 1).saturating_sub(step).max(1);
    let found = (farthest..nearest).rev().find(|&at| rows.are_tied(at, at + 1));
    if let Some(score) = found.and_then(|at| rows.score(at)) {
        return Ok(rows.better(score) + 1);
    }
    let from = if farthest > 1 { rows.score(farthest + 1) } else { None };
    Err(from.map_or(PageReply::NoFurther, |from| PageReply::Onward { from, reached: farthest }))
}

#[cfg(test)]
mod tests {
    use super::super::rows::SortedSet;
    use super::*;
    use crate::board::entry::Entry;
    use crate::board::grouping::Grouping;
    use crate::board::order::Order;
    use proptest::prelude::*;

    fn score(value: u32) -> Score {
        Score::new(value.into()).unwrap()
    }

    /// From outside a board of these scores, given best first, to its last group: where the search found groups, and
    /// where it went on.
    fn walk(scores: &[u32], step: u64, is_forward: bool) -> (Vec<u64>, Vec<u64>) {
        let mut set = SortedSet::default();
        let member = |index: usize| u32::try_from(index).unwrap().to_be_bytes().to_vec();
        set.extend(scores.iter().enumerate().map(|(index, value)| Entry::new(member(index), score(*value))));
        let rows = Rows { set: &set, order: Order::Desc, grouping: Grouping::Whole };
        let (mut found, mut reached) = (Vec::new(), Vec::new());
        let mut from = if is_forward { score(u32::MAX) } else { Score::new(-1.0).unwrap() };
        loop {
            let whence = if is_forward { PageStart::NextTie(from) } else { PageStart::PreviousTie(from) };
            match locate(rows, &PageRequest::new(whence, 1), step) {
                Ok(spot) => {
                    found.extend(spot.target);
                    from = rows.score(spot.target.unwrap()).unwrap();
                }
                Err(PageReply::Onward { from: score, reached: position }) => {
                    reached.push(position);
                    from = score;
                }
                Err(answer) => {
                    assert_eq!(answer, PageReply::NoFurther);
                    return (found, reached);
                }
            }
        }
    }

    #[test]
    fn a_group_across_the_edge_of_a_step_is_found() {
        // Steps of three rows: 9 8 7, then 7 7 6.
        assert_eq!(walk(&[9, 8, 7, 7, 6], 3, true), (vec![3], vec![3]));
        assert_eq!(walk(&[9, 8, 8, 7, 6], 3, false), (vec![2], vec![3]));
        // Nothing is left once the step has come to the end, and a step goes on only where rows remain.
        assert_eq!(walk(&[9, 8, 7], 3, true), (vec![], vec![]));
        assert_eq!(walk(&[9, 8, 7, 6], 3, true), (vec![], vec![3]));
        assert_eq!(walk(&[9, 8, 7, 6], 3, false), (vec![], vec![2]));
        assert_eq!(walk(&[], 3, true), (vec![], vec![]));
    }

    proptest! {
        #[test]
        fn steps_of_any_length_find_every_group(mut scores in prop::collection::vec(0_u32..60, 0..60), step in 2_u64..8) {
            scores.sort_unstable_by(|a, b| b.cmp(a));
            let mut groups = Vec::new();
            for (index, value) in scores.iter().enumerate() {
                let is_first = index == 0 || scores[index - 1] != *value;
                if is_first && scores.get(index + 1) == Some(value) {
                    groups.push(index as u64 + 1);
                }
            }
            let (down, onward) = walk(&scores, step, true);
            prop_assert_eq!(&down, &groups);
            prop_assert!(onward.is_sorted_by(|a, b| a < b));
            let (up, onward) = walk(&scores, step, false);
            groups.reverse();
            prop_assert_eq!(&up, &groups);
            prop_assert!(onward.is_sorted_by(|a, b| a > b));
        }
    }
}
