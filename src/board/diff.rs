//! What differs between two boards, or two moments of one: who entered, who left, whose score changed, who moved in rank.
//! It compares where members stood and knows nothing of how they were read or matched.

use std::cmp::Ordering;

use super::entry::Member;
use super::rank::{RankStyle, Standing};
use super::score::Score;

/// Where a member stood on one of two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    pub score: Score,
    pub standing: Standing,
}

/// One member, as it stood on each of two boards; at least one of them has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub member: Member,
    pub from: Option<Placed>,
    pub to: Option<Placed>,
}

/// In what a member differs between two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// It is on the second board only.
    Entered,
    /// It is on the first board only.
    Left,
    /// Its score is another one; so may its rank be.
    Changed { has_moved: bool },
    /// Its score is the same and its rank is another one.
    Moved,
}

impl Difference {
    /// The word that output uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Entered => "entered",
            Self::Left => "left",
            Self::Changed { .. } => "changed",
            Self::Moved => "moved",
        }
    }
}

impl Pair {
    /// In what the two differ, by ranks in `style`; `None` where they are equal.
    pub fn difference(&self, style: RankStyle) -> Option<Difference> {
        let (from, to) = match (&self.from, &self.to) {
            (Some(from), Some(to)) => (from, to),
            (None, _) => return Some(Difference::Entered),
            (_, None) => return Some(Difference::Left),
        };
        let has_moved = from.standing.rank(style) != to.standing.rank(style);
        if from.score == to.score {
            return has_moved.then_some(Difference::Moved);
        }
        Some(Difference::Changed { has_moved })
    }

    /// Takes in what else was found of the same member; what was found last counts.
    pub fn join(&mut self, other: &Self) {
        self.from = other.from.or(self.from);
        self.to = other.to.or(self.to);
    }

    /// The order in which differences are told: down the second board; those who left where they stood on the first.
    pub fn compare_places(&self, other: &Self) -> Ordering {
        let place = |pair: &Self| {
            let position = |placed: &Placed| placed.standing.position;
            (pair.to.as_ref().or(pair.from.as_ref()).map(position), pair.to.is_none())
        };
        place(self).cmp(&place(other)).then_with(|| self.member.cmp(&other.member))
    }
}

/// How many members differ in what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// In score and rank alike on both.
    pub equal: u64,
    pub entered: u64,
    pub left: u64,
    /// In score, those who also moved included.
    pub changed: u64,
    /// In score and in rank.
    pub changed_and_moved: u64,
    /// In rank alone.
    pub moved: u64,
}

impl Counts {
    pub fn add(&mut self, difference: Option<Difference>) {
        match difference {
            None => self.equal += 1,
            Some(Difference::Entered) => self.entered += 1,
            Some(Difference::Left) => self.left += 1,
            Some(Difference::Changed { has_moved }) => {
                self.changed += 1;
                self.changed_and_moved += u64::from(has_moved);
            }
            Some(Difference::Moved) => self.moved += 1,
        }
    }

    /// How many members differ.
    pub fn different(&self) -> u64 {
        self.entered + self.left + self.changed + self.moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(score: f64, better: u64, tied: u64) -> Placed {
        Placed {
            score: Score::new(score).unwrap(),
            standing: Standing { position: better + 1, better, tied, distinct_better: Some(better) },
        }
    }

    #[test]
    fn ranks_are_compared_in_their_style() {
        let (one, two) = (placed(5.0, 3, 1), placed(5.0, 3, 2));
        let pair = Pair { member: "a".into(), from: Some(one), to: Some(two) };
        assert_eq!(pair.difference(RankStyle::Competition), None);
        assert_eq!(pair.difference(RankStyle::Modified), Some(Difference::Moved));
        assert_eq!(pair.difference(RankStyle::Fractional), Some(Difference::Moved));
        for (to, difference) in [
            (Some(placed(6.0, 3, 1)), Difference::Changed { has_moved: false }),
            (Some(placed(6.0, 2, 1)), Difference::Changed { has_moved: true }),
            (Some(placed(5.0, 2, 1)), Difference::Moved),
            (None, Difference::Left),
        ] {
            assert_eq!(Pair { to, ..pair.clone() }.difference(RankStyle::Competition), Some(difference));
        }
        assert_eq!(Pair { from: None, ..pair }.difference(RankStyle::Competition), Some(Difference::Entered));
    }

    #[test]
    fn minus_zero_is_no_other_score() {
        let pair = Pair { member: "a".into(), from: Some(placed(0.0, 0, 1)), to: Some(placed(-0.0, 0, 1)) };
        assert_eq!(pair.difference(RankStyle::Competition), None);
    }
}
