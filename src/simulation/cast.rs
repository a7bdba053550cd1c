//! Who a contest's numbers are, and what its steps are worth: on a board of its own, ids and scores as it makes them; among
//! players who were there before, their ids and the scores they have. It knows nobody's standing.

use std::collections::{HashMap, HashSet};

use crate::board::entry::{Entry, Member};

/// What one step is worth on a board of the contest's own, as a power of ten.
const OWN_EXPONENT: i32 = 1;
/// The number in the first player's id on such a board.
const FIRST_ID: u64 = 1000;
/// Steps from the lowest to the highest score, below which smaller steps are looked for: as many as make ties a choice.
const FEW_STEPS: f64 = 100.0;
/// The smallest step, as a power of ten: scores with more decimals look invented.
const LEAST_EXPONENT: i32 = -6;
/// Steps count exactly to here, and leave room to rise.
const MOST_STEPS: f64 = 1_125_899_906_842_624.0;

/// Numbers and steps as members and scores.
#[derive(Debug)]
pub(super) struct Cast {
    /// Who was there before: the first numbers.
    there: Vec<Member>,
    /// The same, to be asked for.
    known: HashSet<Member>,
    /// In the ids of newcomers; `None` on a board of the contest's own.
    mark: Option<String>,
    /// The power of ten that a step is worth.
    exponent: i32,
    /// Steps from the score 0 to step 0.
    base: i64,
    /// Scores that somebody had between two steps, at the nearest one: who ties there has the very same score.
    held: HashMap<u64, f64>,
}

impl Default for Cast {
    /// Of a board of the contest's own.
    fn default() -> Self {
        Self {
            there: Vec::new(),
            known: HashSet::new(),
            mark: None,
            exponent: OWN_EXPONENT,
            base: 0,
            held: HashMap::new(),
        }
    }
}

impl Cast {
    /// Of those who are `there`, and the steps at which they stand, in their order. Scores that are not finite are left
    /// out.
    pub(super) fn of(there: Vec<Entry>, mark: &str) -> (Self, Vec<u64>) {
        let there: Vec<Entry> = there.into_iter().filter(|entry| entry.score.get().is_finite()).collect();
        let scores: Vec<f64> = there.iter().map(|entry| entry.score.get()).collect();
        let low = scores.iter().copied().fold(f64::INFINITY, f64::min);
        let mut cast = Self { mark: Some(mark.to_owned()), exponent: exponent(&scores), ..Self::default() };
        if low.is_finite() {
            cast.base = cast.nearest(low);
        }
        let steps: Vec<u64> = scores.iter().map(|score| cast.steps(*score)).collect();
        for (score, steps) in scores.into_iter().zip(&steps) {
            if cast.worth(*steps).total_cmp(&score).is_ne() {
                cast.held.entry(*steps).or_insert(score);
            }
        }
        cast.there = there.into_iter().map(|entry| entry.member).collect();
        cast.known = cast.there.iter().cloned().collect();
        (cast, steps)
    }

    /// True where nobody was there before.
    pub(super) fn is_own(&self) -> bool {
        self.mark.is_none()
    }

    /// The member of this number; no two numbers have the same.
    pub(super) fn id(&self, number: u64) -> Member {
        if let Some(member) = usize::try_from(number).ok().and_then(|at| self.there.get(at)) {
            return member.clone();
        }
        let Some(mark) = &self.mark else { return Member::from(format!("u:{}", FIRST_ID + number).as_str()) };
        let mut id = format!("u:{mark}-{}", number - self.there.len() as u64 + 1);
        // Whatever is there may look like a newcomer's id.
        while self.known.contains(&Member::from(id.as_str())) {
            id.push('x');
        }
        Member::from(id.as_str())
    }

    /// The score of so many steps, which is finite.
    pub(super) fn worth(&self, steps: u64) -> f64 {
        if let Some(held) = self.held.get(&steps) {
            return *held;
        }
        #[expect(clippy::cast_precision_loss, reason = "a contest would run for ages to get near 2^53 steps")]
        let number = self.base.saturating_add_unsigned(steps) as f64;
        // A power of ten below one is no double; dividing by its inverse gives the double of the fewest digits.
        let score = if self.exponent < 0 { number / power(-self.exponent) } else { number * power(self.exponent) };
        score.clamp(f64::MIN, f64::MAX)
    }

    fn steps(&self, score: f64) -> u64 {
        u64::try_from(self.nearest(score).saturating_sub(self.base)).unwrap_or(0)
    }

    fn nearest(&self, score: f64) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "the exponent is one by which it fits")]
        let nearest = per(score, self.exponent).round() as i64;
        nearest
    }
}

/// The power of ten that a step among `scores` is worth: that of a contest's own board, unless they lie closer together or
/// are too large for it. Whole scores stay whole.
fn exponent(scores: &[f64]) -> i32 {
    let low = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let high = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = if scores.iter().all(|score| score.fract() == 0.0) { 0 } else { LEAST_EXPONENT };
    let mut exponent = OWN_EXPONENT;
    if scores.is_empty() {
        return exponent;
    }
    while exponent > least && high > low && per(high, exponent) - per(low, exponent) < FEW_STEPS {
        exponent -= 1;
    }
    while per(high.abs().max(low.abs()), exponent) > MOST_STEPS && exponent < f64::MAX_10_EXP {
        exponent += 1;
    }
    exponent
}

fn per(score: f64, exponent: i32) -> f64 {
    if exponent < 0 { score * power(-exponent) } else { score / power(exponent) }
}

fn power(exponent: i32) -> f64 {
    10_f64.powi(exponent)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "the very same double is what is promised")]

    use super::*;
    use crate::board::score::Score;
    use proptest::prelude::*;

    fn cast(scores: &[f64]) -> (Cast, Vec<u64>) {
        let entry = |(at, score): (usize, &f64)| Score::new(*score).map(|s| Entry::new(format!("m{at}").as_str(), s));
        Cast::of(scores.iter().enumerate().filter_map(entry).collect(), "9")
    }

    fn finite() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<f64>().prop_filter("finite", |score| score.is_finite()),
            (-1_000..1_000_i32).prop_map(f64::from),
            0.0..1.0,
            1.7e12..1.700_000_1e12,
        ]
    }

    proptest! {
        #[test]
        fn steps_stand_in_the_order_of_their_scores_and_are_worth_one_score_each(
            scores in prop::collection::vec(finite(), 1..40), more in 1..100_000_u64,
        ) {
            let (cast, steps) = cast(&scores);
            for (score, step) in scores.iter().zip(&steps) {
                for (other, at) in scores.iter().zip(&steps) {
                    prop_assert!(score >= other || step <= at, "{score} {step}, {other} {at}");
                }
                // Somebody has the score that their step is worth.
                let worth = cast.worth(*step);
                let has_it = scores.iter().zip(&steps).any(|(other, at)| at == step && *other + 0.0 == worth);
                prop_assert!(has_it, "{score} at {step} is worth {worth}");
                // Whoever moves by steps has another score than anybody who stood there, in the right direction.
                prop_assert!(cast.worth(step + more) > *score || cast.worth(step + more) == f64::MAX);
                prop_assert_eq!(cast.steps(cast.worth(step + more)), step + more);
            }
        }
    }

    #[test]
    fn a_step_fits_the_scores() {
        for (scores, exponent) in [
            (&[][..], 1),
            (&[5.0, 5.0], 1),
            (&[0.0, 5_000.0], 1),
            (&[0.0, 500.0], 0),
            (&[1.0, 2.0], 0),
            (&[0.5, 2.0], -2),
            (&[0.0, 1e300], 285),
            (&[f64::MIN, f64::MAX], 294),
            (&[f64::NEG_INFINITY, 7_000.0, 0.0, f64::INFINITY], 1),
        ] {
            assert_eq!(cast(scores).0.exponent, exponent, "{scores:?}");
        }
        let (cast, steps) = cast(&[0.25, 1.005, 3.5]);
        assert_eq!([cast.worth(steps[1]), cast.worth(steps[1] + 1)], [1.005, 1.01]);
    }

    #[test]
    fn newcomers_have_ids_that_nobody_has() {
        let there = ["a", "u:9-1", "u:9-1x", "u:9-2x"].map(|id| Entry::new(id, Score::new(1.0).unwrap()));
        let (cast, _) = Cast::of(there.to_vec(), "9");
        let ids: Vec<_> = (0..7).map(|number| cast.id(number)).collect();
        let texts = ["a", "u:9-1", "u:9-1x", "u:9-2x", "u:9-1xx", "u:9-2", "u:9-3"];
        assert_eq!(ids, texts.map(Member::from));
        assert_eq!(Cast::default().id(0), Member::from("u:1000"));
    }
}
