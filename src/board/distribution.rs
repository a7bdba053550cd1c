//! How the scores of a whole board are spread: bins between round bounds, how many members each holds, and the scores
//! that the best shares of the board reach. It says what has to be counted and what the counts mean; it counts nothing.

use super::grouping::{Cut, Grouping};
use super::order::Order;
use super::score::Score;
use super::version::Version;

/// More bins than this are asked for by nobody: each costs a count.
pub const MOST_BINS: usize = 24;
/// The shares of the board, from its top, whose last score is told, in percent.
const SHARES: [u8; 4] = [1, 10, 25, 50];
/// From so far apart on, two whole ends make it likely that all scores are whole.
const LIKELY_WHOLE: f64 = 3.0;

/// The scores of a bin: from one score on, up to but without another. Without an end it is open that way, so that bins
/// which follow each other hold every score exactly once, infinities included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The lowest score that is within.
    pub from: Option<Score>,
    /// The lowest score above it that is not.
    pub below: Option<Score>,
}

impl Range {
    /// True where `score` is within.
    pub fn holds(&self, score: Score) -> bool {
        self.from.is_none_or(|from| score >= from) && self.below.is_none_or(|below| score < below)
    }
}

/// How many bins are wanted at most, and of what: of scores, or of what they share a rank by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binning {
    /// So many bins.
    pub most: usize,
    /// No bin parts scores that share a rank.
    pub grouping: Grouping,
}

/// Bins of scores as they are.
impl From<usize> for Binning {
    fn from(most: usize) -> Self {
        Self { most, grouping: Grouping::Whole }
    }
}

impl Binning {
    /// Bounds for scores whose lowest and highest finite ones are `ends`: round scores, or the lowest scores of round leads.
    pub fn bounds(&self, ends: Option<(Score, Score)>) -> Vec<Score> {
        let Grouping::Cut(cut) = self.grouping else { return bounds(ends, self.most) };
        let most = self.most.clamp(1, MOST_BINS);
        let leads = ends.and_then(|(lowest, highest)| cut.index(lowest).zip(cut.index(highest)));
        match leads {
            Some((lowest, highest)) => {
                round_leads(lowest, highest, most).filter_map(|lead| first_of(cut, lead)).collect()
            }
            // Infinite, or too large to be told apart by their lead.
            None => bounds(ends, most),
        }
    }
}

/// Whole numbers above `lowest` and up to `highest` that part them into at most `most` bins.
fn round_leads(lowest: f64, highest: f64, most: usize) -> impl Iterator<Item = f64> {
    let count = u32::try_from(most).map_or(f64::MAX, f64::from);
    let bounds = if most == 1 || lowest >= highest {
        Vec::new()
    } else if highest - lowest < count {
        std::iter::successors(Some(lowest + 1.0), |lead| Some(lead + 1.0)).take_while(|lead| *lead <= highest).collect()
    } else {
        between(lowest, highest, most)
    };
    bounds.into_iter()
}

/// The lowest score of a lead, counted as the groups are.
fn first_of(cut: Cut, lead: f64) -> Option<Score> {
    let (width, offset) = (cut.width.get(), cut.offset.get());
    // A bound that belongs to the group below is followed by the next double.
    Score::new(if cut.rounds_up { (offset + (lead - 1.0) * width).next_up() } else { offset + lead * width })
}

/// Bounds for scores whose lowest and highest finite ones are `ends`, from the lowest up: they make at most `most` bins,
/// and no fewer than a third of that where doubles and whole numbers lie close enough. Each is a multiple of 1, 2 or 5
/// times a power of ten, rounded to a double once; none is below all scores, so that neither outer bin is without one.
pub fn bounds(ends: Option<(Score, Score)>, most: usize) -> Vec<Score> {
    let most = most.clamp(1, MOST_BINS);
    if most == 1 {
        return Vec::new();
    }
    let bounds = match ends {
        Some((lowest, highest)) if lowest < highest => between(lowest.get(), highest.get(), most),
        Some(_) => Vec::new(),
        // The two infinities are told apart all the same.
        None => vec![0.0],
    };
    bounds.into_iter().filter_map(Score::new).collect()
}

/// The bins that `bounds`, which ascend, lie between, from the lowest up.
pub fn ranges(bounds: &[Score]) -> impl Iterator<Item = Range> {
    let from = std::iter::once(None).chain(bounds.iter().copied().map(Some));
    let below = bounds.iter().copied().map(Some).chain(std::iter::once(None));
    from.zip(below).map(|(from, below)| Range { from, below })
}

fn between(lowest: f64, highest: f64, most: usize) -> Vec<f64> {
    let size = lowest.abs().max(highest.abs());
    // Divided first: the difference may be past the largest double. Bins narrower than the doubles there lie apart
    // would share bounds, and a width that is subnormal is too coarsely rounded to divide by.
    let count = u32::try_from(most).map_or(f64::MAX, f64::from);
    let mut narrowest = (highest / count - lowest / count).max(size - size.next_down()).max(f64::MIN_POSITIVE);
    let is_whole = lowest.fract() == 0.0 && highest.fract() == 0.0;
    if is_whole && highest - lowest >= LIKELY_WHOLE {
        narrowest = narrowest.max(1.0);
    }
    #[expect(clippy::cast_possible_truncation, reason = "a logarithm of a double is small")]
    let exponent = narrowest.log10().floor() as i32 - 1;
    for exponent in exponent.. {
        for step in [1, 2, 5] {
            let width = decimal(step, exponent);
            if width.is_infinite() {
                // Zero is a multiple of any width.
                return vec![if lowest < 0.0 && highest >= 0.0 { 0.0 } else { highest }];
            }
            if width >= narrowest
                && let Some(bounds) = multiples((lowest, highest), (step, exponent), most - 1)
            {
                return if bounds.is_empty() { vec![highest] } else { bounds };
            }
        }
    }
    Vec::new()
}

/// The multiples of a width, `step` times a power of ten, that are above `lowest` and not above `highest`, if there are
/// at most `most`. The width is no less than the distance of doubles of that size.
fn multiples((lowest, highest): (f64, f64), (step, exponent): (i64, i32), most: usize) -> Option<Vec<f64>> {
    let multiple = |at: i64| decimal(at * step, exponent);
    #[expect(clippy::cast_possible_truncation, reason = "at most 2^53, since doubles lie no further apart than widths")]
    let mut at = (lowest / decimal(step, exponent)).floor() as i64;
    // The quotient is rounded; which multiple is the first is decided by the doubles themselves.
    while multiple(at) > lowest {
        at -= 1;
    }
    while multiple(at) <= lowest {
        at += 1;
    }
    let bounds: Vec<f64> = (at..).map(multiple).take_while(|bound| *bound <= highest).take(most + 1).collect();
    (bounds.len() <= most).then_some(bounds)
}

/// The double nearest to `digits` times ten to the power of `exponent`: by its text, which is rounded once.
fn decimal(digits: i64, exponent: i32) -> f64 {
    // A number in this form is always a double, if only zero or infinity.
    format!("{digits}e{exponent}").parse().unwrap_or(f64::INFINITY)
}

/// The best members that make up a share of the board, and the score that the last of them has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The share, in percent.
    pub percent: u8,
    /// The position of its last member: the share of the total, rounded up.
    pub position: u64,
    /// That member's score.
    pub score: Score,
}

/// Each share that is told, in percent, with the position of its last member on a board of `total`; none where nobody is
/// on it.
pub fn shares(total: u64) -> impl Iterator<Item = (u8, u64)> {
    let position = move |percent: u8| {
        let whole = (u128::from(total) * u128::from(percent)).div_ceil(100);
        (percent, u64::try_from(whole).unwrap_or(u64::MAX))
    };
    SHARES.into_iter().map(position).filter(move |_| total > 0)
}

/// A bin, and how many members have a score in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Its scores.
    pub range: Range,
    /// How many members have one of them.
    pub count: u64,
}

/// How the scores of a board are spread at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// The order in which the board was read.
    pub order: Order,
    /// What the version key held.
    pub version: Option<Version>,
    /// False where the parts may be of different moments.
    pub verified: bool,
    /// How many members the board had.
    pub total: u64,
    /// The bins, the one at the top of the board first.
    pub bins: Vec<Bin>,
    /// The shares, the smallest first.
    pub marks: Vec<Mark>,
}

impl Distribution {
    /// The index of the bin that holds `score`. O(bins).
    pub fn bin_of(&self, score: Score) -> Option<usize> {
        self.bins.iter().position(|bin| bin.range.holds(score))
    }

    /// True where the counts of the bins add up to the total, as those of one moment do.
    pub fn is_whole(&self) -> bool {
        self.bins.iter().map(|bin| bin.count).sum::<u64>() == self.total
    }
}

/// The bins of `bounds` with their `counts`, both from the lowest up, as they stand on a board in `order`.
pub fn bins(bounds: &[Score], counts: &[u64], order: Order) -> Vec<Bin> {
    let bins = ranges(bounds).zip(counts).map(|(range, &count)| Bin { range, count });
    let mut bins: Vec<Bin> = bins.collect();
    if order == Order::Desc {
        bins.reverse();
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn score(value: f64) -> Score {
        Score::new(value).unwrap()
    }

    fn texts(lowest: f64, highest: f64, most: usize) -> Vec<String> {
        bounds(Some((score(lowest), score(highest))), most).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn bounds_of_packed_scores_are_those_of_round_leads() {
        use crate::board::packed::{RankParts, Spec};
        for (spec, lowest, highest, most, expected) in [
            (
                "points,time:10=9999999999-s",
                3e10 + 5.0,
                97e10 + 9e9,
                6,
                "200000000000 400000000000 600000000000 800000000000",
            ),
            ("points,time:10=9999999999-s", 3e10 + 5.0, 5e10, 24, "40000000000 50000000000"),
            ("points,time:10=9999999999-s", 3e10 + 5.0, 3e10 + 7.0, 24, ""),
            ("points.time:13=1e13-ms", 3.5, 5.25, 24, "4 5"),
            ("solved,penalty:6-s~", 1.5e6, 3e6, 24, "2000000.0000000002"),
            ("points@-10", 0.0, 4.0, 3, "2 4"),
            ("points,x:1@-10", 0.0, 20.0, 24, "10 20"),
        ] {
            let grouping = spec.parse::<Spec>().unwrap().grouping(RankParts::default()).unwrap();
            let bounds = Binning { most, grouping }.bounds(Some((score(lowest), score(highest))));
            let texts: Vec<String> = bounds.iter().map(ToString::to_string).collect();
            assert_eq!(texts.join(" "), expected, "{spec}");
        }
        let grouping = "points,x:3".parse::<Spec>().unwrap().grouping(RankParts::default()).unwrap();
        assert_eq!(Binning { most: 24, grouping }.bounds(None), bounds(None, 24));
    }

    #[test]
    fn bounds_are_round() {
        for (lowest, highest, most, expected) in [
            (0.0, 100.0, 11, "10 20 30 40 50 60 70 80 90 100"),
            (3.0, 97.0, 6, "20 40 60 80"),
            (3.0, 97.0, 4, "50"),
            (1.0, 5.0, 24, "2 3 4 5"),
            (-7.0, 8.0, 4, "-5 0 5"),
            (0.0, 1.0, 6, "0.2 0.4 0.6 0.8 1"),
            (0.1, 0.35, 4, "0.2 0.3"),
            (980.0, 980.0, 24, ""),
            (1.0, 4.0, 2, "4"),
            (-1.0, 4.0, 2, "0"),
            (1.0, 9.0, 1, ""),
            // Neighbours among doubles, and the ends of all of them.
            (9_007_199_254_740_992.0, 9_007_199_254_740_996.0, 24, "9007199254740994 9007199254740996"),
            (1e21, 1.000_000_000_000_000_1e21, 24, "1.0000000000000001e21"),
            (0.0, 5e-324, 24, "5e-324"),
            (-f64::MAX, f64::MAX, 5, "-1e308 0 1e308"),
            (-f64::MAX, f64::MAX, 2, "0"),
        ] {
            assert_eq!(texts(lowest, highest, most).join(" "), expected, "{lowest} to {highest}, {most}");
        }
        assert_eq!(bounds(None, 24), [score(0.0)], "one infinity and the other");
    }

    #[test]
    fn shares_end_at_the_position_that_completes_them() {
        let of = |total| shares(total).map(|(_, position)| position).collect::<Vec<_>>();
        assert_eq!(of(0), [0_u64; 0]);
        assert_eq!(of(1), [1, 1, 1, 1]);
        assert_eq!(of(200), [2, 20, 50, 100]);
        assert_eq!(of(201), [3, 21, 51, 101]);
        assert_eq!(of(u64::MAX)[3], u64::MAX / 2 + 1);
    }

    /// Any doubles, boards of whole numbers, and scores that differ by as little as they can.
    fn scores() -> impl Strategy<Value = Vec<f64>> {
        let any = proptest::num::f64::ANY.prop_filter("never NaN", |value| !value.is_nan()).boxed();
        let whole = (-5_000_i32..5_000).prop_map(f64::from).boxed();
        let near = any.clone().prop_flat_map(|from| {
            let near = (0..9_u8).prop_map(move |steps| (0..steps).fold(from, |at, _| at.next_up()));
            prop::collection::vec(near, 1..9)
        });
        prop_oneof![
            prop::collection::vec(any, 1..40),
            prop::collection::vec(whole, 1..40),
            near,
            prop::collection::vec(prop::sample::select(vec![f64::INFINITY, f64::NEG_INFINITY, 0.0, -1e300, 7.5]), 1..9),
        ]
    }

    proptest! {
        #[test]
        fn every_score_is_in_one_bin_and_bounds_are_the_doubles_they_are_sent_as(
            values in scores(), most in 0..40_usize, is_desc: bool,
        ) {
            let finite = || values.iter().copied().filter(|value| value.is_finite());
            let (lowest, highest) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
            let ends = (lowest <= highest).then(|| (score(lowest), score(highest)));
            let bounds = bounds(ends, most);
            prop_assert!(bounds.len() < most.clamp(1, MOST_BINS));
            prop_assert!(bounds.is_sorted_by(|a, b| a < b), "{bounds:?}");
            for bound in &bounds {
                prop_assert_eq!(bound.to_string().parse::<f64>().unwrap().to_bits(), bound.get().to_bits());
                prop_assert!(ends.is_none() || (bound.get() > lowest && bound.get() <= highest), "{bounds:?}");
            }
            prop_assert!(most < 2 || ends.is_none_or(|(a, b)| a == b) || !bounds.is_empty());

            // The obvious twin: each score against each bin, by the comparisons that a server makes.
            let mut counts = vec![0; bounds.len() + 1];
            for value in &values {
                let holding: Vec<usize> = (0..counts.len())
                    .filter(|&at| (at == 0 || *value >= bounds[at - 1].get()) && bounds.get(at).is_none_or(|b| *value < b.get()))
                    .collect();
                prop_assert_eq!(holding.len(), 1, "{} in {:?}", value, bounds);
                counts[holding[0]] += 1;
            }
            if ends.is_some() {
                prop_assert!(counts[0] > 0 && counts[counts.len() - 1] > 0, "no outer bin is empty");
            }
            let order = if is_desc { Order::Desc } else { Order::Asc };
            let bins = bins(&bounds, &counts, order);
            let total = values.len() as u64;
            let distribution = Distribution { order, version: None, verified: true, total, bins, marks: Vec::new() };
            prop_assert!(distribution.is_whole());
            for value in values {
                let at = distribution.bin_of(score(value)).unwrap();
                let ascending = bounds.iter().filter(|bound| bound.get() <= value).count();
                prop_assert_eq!(at, if is_desc { bounds.len() - ascending } else { ascending });
            }
        }

        /// Nobody is parted from those who share the lead, and every bin's bound is the lowest score of its lead.
        #[test]
        fn no_bin_parts_a_lead(
            leads in prop::collection::vec(-2_000_i32..2_000, 1..30), low in 0_u32..1_000_000, most in 1..25_usize, rounds_up: bool,
        ) {
            let cut = Cut { width: score(1e6), offset: score(-7.0), rounds_up };
            let grouping = Grouping::Cut(cut);
            let sign = if rounds_up { -1.0 } else { 1.0 };
            let of = |lead: i32, low: u32| score(-7.0 + f64::from(lead) * 1e6 + sign * f64::from(low));
            let all: Vec<Score> = leads.iter().flat_map(|&lead| [of(lead, 0), of(lead, low), of(lead, 999_999)]).collect();
            let bounds = Binning { most, grouping }.bounds(all.iter().min().copied().zip(all.iter().max().copied()));
            prop_assert!(bounds.len() < most, "{bounds:?}");
            prop_assert!(bounds.is_sorted_by(|a, b| a < b));
            for bound in bounds {
                let below = score(bound.get().next_down());
                prop_assert!(!grouping.is_same(bound, below), "{bound}");
                for &lead in &leads {
                    let is_above = |low| of(lead, low) >= bound;
                    prop_assert!(is_above(0) == is_above(low) && is_above(low) == is_above(999_999), "{lead} {bound}");
                }
            }
        }

        #[test]
        fn there_are_about_as_many_bins_as_are_wanted(lowest in -1e6..1e6_f64, range in 1e-3..1e9_f64, most in 3..25_usize) {
            let bounds = bounds(Some((score(lowest), score(lowest + range))), most);
            prop_assert!(3 * (bounds.len() + 1) >= most, "{} of {most}", bounds.len() + 1);
        }
    }
}
