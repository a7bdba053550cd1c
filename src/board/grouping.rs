//! Which scores share a rank. Mostly equal ones do; where a score is packed, all scores of one lead do, and those are a
//! range of doubles. A range is what Redis counts by, so a rank on the lead costs what a rank on the score costs.
//! `assets/lua/grouping.lua` is the same arithmetic, on the same doubles.

use super::order::Order;
use super::score::Score;

/// Which scores share a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// Equal scores.
    #[default]
    Whole,
    /// Scores between the same two multiples of a width.
    Cut(Cut),
}

/// Groups that follow each other without gap: the bounds are `offset + n * width`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// How far apart the bounds are: more than zero.
    pub width: Score,
    /// One of the bounds.
    pub offset: Score,
    /// True where a bound belongs to the group below it, as where something is subtracted from a multiple.
    pub rounds_up: bool,
}

/// Which ends of a range belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    Low,
    High,
    Both,
}

/// The scores of one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreRange {
    low: Score,
    high: Score,
    ends: Ends,
}

impl ScoreRange {
    fn only(score: Score) -> Self {
        Self { low: score, high: score, ends: Ends::Both }
    }

    /// True where `score` is within.
    pub fn holds(&self, score: Score) -> bool {
        match self.ends {
            Ends::Low => score >= self.low && score < self.high,
            Ends::High => score > self.low && score <= self.high,
            Ends::Both => score == self.low,
        }
    }

    /// The lower end and whether it belongs to this range, the upper end and whether it does.
    pub fn ends(&self) -> [(Score, bool); 2] {
        [(self.low, self.ends != Ends::High), (self.high, self.ends != Ends::Low)]
    }

    /// The lower bound of this range, as Redis takes it.
    pub fn from(&self) -> String {
        if self.ends == Ends::High { self.low.exclusive() } else { self.low.to_string() }
    }

    /// The upper bound of this range.
    pub fn to(&self) -> String {
        if self.ends == Ends::Low { self.high.exclusive() } else { self.high.to_string() }
    }

    /// The lower bound of all scores above this range.
    pub fn above(&self) -> String {
        if self.ends == Ends::Low { self.high.to_string() } else { self.high.exclusive() }
    }

    /// The upper bound of all scores below this range.
    pub fn below(&self) -> String {
        if self.ends == Ends::High { self.low.to_string() } else { self.low.exclusive() }
    }

    /// The bounds between which the strictly better scores lie.
    pub fn better(&self, order: Order) -> (String, String) {
        match order {
            Order::Desc => (self.above(), "+inf".to_owned()),
            Order::Asc => ("-inf".to_owned(), self.below()),
        }
    }

    /// The bounds between which the scores lie that are at least as good.
    pub fn through(&self, order: Order) -> (String, String) {
        match order {
            Order::Desc => (self.from(), "+inf".to_owned()),
            Order::Asc => ("-inf".to_owned(), self.to()),
        }
    }
}

impl Cut {
    /// Which group a score is in, counted from the offset; none for an infinity, and where doubles lie further apart than
    /// the bounds.
    pub fn index(&self, score: Score) -> Option<f64> {
        self.locate(score).map(|(index, _, _)| index)
    }

    fn locate(&self, score: Score) -> Option<(f64, f64, f64)> {
        let (value, width, offset) = (score.get(), self.width.get(), self.offset.get());
        let quotient = (value - offset) / width;
        let mut index = if self.rounds_up { quotient.ceil() - 1.0 } else { quotient.floor() };
        let is_below = |bound: f64| if self.rounds_up { value <= bound } else { value < bound };
        // The quotient is rounded; between which bounds the score lies is decided by the doubles themselves.
        if is_below(offset + index * width) {
            index -= 1.0;
        } else if !is_below(offset + (index + 1.0) * width) {
            index += 1.0;
        }
        let (low, high) = (offset + index * width, offset + (index + 1.0) * width);
        // Adding zero turns -0 into +0.
        let index = if self.rounds_up { index + 1.0 } else { index } + 0.0;
        (!is_below(low) && is_below(high)).then_some((index, low, high))
    }
}

impl Grouping {
    /// The scores that share a rank with `score`.
    pub fn range(&self, score: Score) -> ScoreRange {
        let Self::Cut(cut) = self else { return ScoreRange::only(score) };
        let found = cut.locate(score).and_then(|(_, low, high)| Some((Score::new(low)?, Score::new(high)?)));
        found.map_or(ScoreRange::only(score), |(low, high)| ScoreRange {
            low,
            high,
            ends: if cut.rounds_up { Ends::High } else { Ends::Low },
        })
    }

    /// True where the two share a rank.
    pub fn is_same(&self, a: Score, b: Score) -> bool {
        a == b || self.range(a).holds(b)
    }

    /// True where `a` is in a strictly better group than `b`.
    pub fn is_better(&self, order: Order, a: Score, b: Score) -> bool {
        order.is_better(a, b) && !self.is_same(a, b)
    }

    /// The arguments that tell a script the same: the width, empty for equal scores, the offset, and `1` where a bound
    /// belongs to the group below it.
    pub fn arguments(&self) -> [String; 3] {
        match self {
            Self::Whole => [const { String::new() }; 3],
            Self::Cut(cut) => [
                format!("{:e}", cut.width.get()),
                format!("{:e}", cut.offset.get()),
                if cut.rounds_up { "1".to_owned() } else { String::new() },
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn score(value: f64) -> Score {
        Score::new(value).unwrap()
    }

    fn cut(width: f64, offset: f64, rounds_up: bool) -> Grouping {
        Grouping::Cut(Cut { width: score(width), offset: score(offset), rounds_up })
    }

    #[test]
    fn bounds_as_redis_takes_them() {
        let plain = cut(1e10, 0.0, false).range(score(15.0 * 1e10 + 7.0));
        assert_eq!(plain.better(Order::Desc), ("160000000000".to_owned(), "+inf".to_owned()));
        assert_eq!(plain.through(Order::Desc), ("150000000000".to_owned(), "+inf".to_owned()));
        assert_eq!(plain.better(Order::Asc), ("-inf".to_owned(), "(150000000000".to_owned()));
        assert_eq!(plain.through(Order::Asc), ("-inf".to_owned(), "(160000000000".to_owned()));
        let subtracted = cut(1e6, 0.0, true).range(score(3e6));
        assert_eq!((subtracted.from(), subtracted.to()), ("(2000000".to_owned(), "3000000".to_owned()));
        assert_eq!((subtracted.above(), subtracted.below()), ("(3000000".to_owned(), "2000000".to_owned()));
        let whole = Grouping::Whole.range(score(980.0));
        assert_eq!(whole.better(Order::Desc).0, "(980");
    }

    #[test]
    fn infinities_and_scores_too_large_for_the_width_are_groups_of_their_own() {
        for value in [f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -f64::MAX] {
            for rounds_up in [false, true] {
                let range = cut(1.0, 0.0, rounds_up).range(score(value));
                assert!(range.holds(score(value)) && !range.holds(score(0.0)));
                assert_eq!(range.from(), score(value).to_string());
            }
        }
    }

    proptest! {
        /// Near the bounds and far from them the group is that of the whole-number division.
        #[test]
        fn the_group_is_the_quotient(
            lead in -900_719_i64..900_719_i64, low in prop_oneof![0_i64..3, 9_999_999_997_i64..10_000_000_000_i64], rounds_up: bool,
        ) {
            let whole = 10_000_000_000_i64;
            let value = if rounds_up { lead * whole - low } else { lead * whole + low };
            #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
            let (value, lead) = (value as f64, lead as f64);
            let Grouping::Cut(cut) = cut(1e10, 0.0, rounds_up) else { unreachable!() };
            prop_assert_eq!(cut.index(score(value)), Some(lead));
        }

        /// Groups part all doubles: one that is out of a group is wholly above or below it.
        #[test]
        fn groups_do_not_overlap(
            a in proptest::num::f64::NORMAL, b in proptest::num::f64::NORMAL, width in prop_oneof![Just(1e13), Just(1.0), Just(0.125), Just(67_108_864.0)],
            rounds_up: bool,
        ) {
            let grouping = cut(width, 0.0, rounds_up);
            let (a, b) = (score(a), score(b));
            prop_assert!(grouping.range(a).holds(a));
            prop_assert_eq!(grouping.is_same(a, b), grouping.is_same(b, a));
        }

        #[test]
        fn neighbouring_doubles_are_in_one_group_or_in_neighbouring_ones(at in -4_000_000_i64..4_000_000, width in prop_oneof![Just(1e10), Just(1e13), Just(4_294_967_296.0)]) {
            #[expect(clippy::cast_precision_loss, reason = "small")]
            let bound = at as f64 * width;
            let (below, here) = (score(bound.next_down()), score(bound));
            let (floor, ceil) = (cut(width, 0.0, false), cut(width, 0.0, true));
            prop_assert!(!floor.is_same(below, here));
            prop_assert!(ceil.is_same(below, here));
            prop_assert!(!ceil.is_same(here, score(bound.next_up())));
        }
    }
}
