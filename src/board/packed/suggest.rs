//! Which known form the scores of a window look like. Only forms that hold a moment have a witness: all moments must be
//! plausible. A random low part passes for one in about 4 rows of 100, so eight rows are hardly a chance; but it is never
//! more than a suggestion.

use std::collections::HashSet;

use super::{Spec, Tick, Unit};
use crate::board::score::Score;

/// Fewer rows than this are no evidence.
pub const FEWEST: usize = 8;

/// 2015-01-01 in Unix seconds: no board of today has older scores.
const EARLIEST: i128 = 1_420_070_400;
const DAY: i128 = 86_400;

/// The forms that are tried. Those in a row differ only in a number that shifts all times by a little: the first one that
/// fits stands for the row.
const FORMS: [&[&str]; 5] = [
    &["points,time:10=9999999999-s", "points,time:10=1e10-s", "points,time:10=2^32-s"],
    &["points,time:13=1e13-ms", "points,time:13=9999999999999-ms"],
    &["points,time:32b=5967498495-s@-2^53"],
    &["points.time:13=1e13-ms", "points.time:13=9999999999999-ms"],
    &["points.time:11=9999999999-s"],
];

/// The forms that these scores fit, at the moment `now` in Unix milliseconds; mostly none, and more than one where they
/// cannot be told apart.
pub fn suggest(scores: &[Score], now: i64) -> Vec<Spec> {
    let distinct: HashSet<Score> = scores.iter().copied().collect();
    if scores.len() < FEWEST || distinct.len() < 2 || are_moments(scores, now) {
        return Vec::new();
    }
    let fitting = |texts: &&[&str]| {
        let specs = texts.iter().filter_map(|text| text.parse::<Spec>().ok());
        specs.into_iter().find(|spec| fits(spec, scores, now))
    };
    FORMS.iter().filter_map(fitting).collect()
}

/// True where the scores themselves are moments: who was here last, not who has most.
fn are_moments(scores: &[Score], now: i64) -> bool {
    let all = |tick: Tick| {
        scores.iter().all(|score| {
            #[expect(clippy::cast_possible_truncation, reason = "what is past an i64 is no moment either")]
            let amount = score.get() as i64;
            is_plausible(i128::from(amount), tick, now)
        })
    };
    [Tick::Second, Tick::Millisecond, Tick::Microsecond].into_iter().any(all)
}

fn fits(spec: &Spec, scores: &[Score], now: i64) -> bool {
    let mut has_lead = false;
    let is_fraction = spec.parts.iter().all(|part| part.is_fraction);
    let fit = scores.iter().all(|score| {
        let Some(parts) = spec.decode(*score) else { return false };
        let [lead, time] = parts.values.as_slice() else { return false };
        let Unit::Moment(tick) = time.unit else { return false };
        has_lead |= lead.amount > 0;
        // A whole number is packed in no fraction, and a fraction in no whole number.
        let is_of_kind = (score.get().fract() != 0.0) == is_fraction;
        is_of_kind && lead.amount >= 0 && !parts.is_lead_rough && is_plausible(time.amount, tick, now)
    });
    fit && has_lead
}

fn is_plausible(amount: i128, tick: Tick, now: i64) -> bool {
    // The clock of this machine may show anything.
    let scale = i128::from(tick.per_second());
    let latest = (i128::from(now) / 1_000 + DAY) * scale;
    (EARLIEST * scale..=latest).contains(&amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-10-10 in Unix seconds.
    const NOW: i64 = 1_791_590_400;

    fn suggested(scores: impl Iterator<Item = f64>) -> Vec<String> {
        let scores: Vec<Score> = scores.map(|score| Score::new(score).unwrap()).collect();
        suggest(&scores, NOW * 1_000).iter().map(ToString::to_string).collect()
    }

    /// Points and, for each row, a moment in the last days.
    fn rows() -> impl Iterator<Item = (f64, f64)> {
        #[expect(clippy::cast_precision_loss, reason = "small")]
        (0..12_i64).map(|row| ((row * 37 % 90 + 1) as f64, (NOW - row * 4_321) as f64))
    }

    #[test]
    fn known_forms_are_recognised() {
        for (wanted, pack) in [
            ("points,time:10=9999999999-s", (|p, t| p * 1e10 + (9_999_999_999.0 - t)) as fn(f64, f64) -> f64),
            ("points,time:10=9999999999-s", |p, t| p * 1e10 + (1e10 - t)),
            ("points,time:10=2^32-s", |p, t| p * 1e10 + (4_294_967_296.0 - t)),
            ("points,time:13=1e13-ms", |p, t| p * 1e13 + (1e13 - t * 1e3)),
            ("points,time:32b=5967498495-s@-2^53", |p, t| {
                -9_007_199_254_740_992.0 + p * 4_294_967_296.0 + (5_967_498_495.0 - t)
            }),
            ("points.time:13=1e13-ms", |p, t| p + 1.0 - t * 1e3 / 1e13),
            ("points.time:11=9999999999-s", |p, t| p + (9_999_999_999.0 - t) / 1e11),
        ] {
            let found = suggested(rows().map(|(points, time)| pack(points, time)));
            assert!(found.contains(&wanted.to_owned()), "{wanted}: {found:?}");
        }
    }

    #[test]
    fn what_is_no_evidence_gives_nothing() {
        let packed =
            |rows: usize| suggested(super::tests::rows().take(rows).map(|(p, t)| p * 1e10 + (9_999_999_999.0 - t)));
        assert!(packed(7).is_empty() && !packed(8).is_empty());
        let none: Vec<String> = Vec::new();
        // Plain points, moments, one score for all, and a time of which one row is in the far future.
        assert_eq!(suggested(rows().map(|(p, _)| p * 10.0)), none);
        assert_eq!(suggested(rows().map(|(_, t)| t)), none);
        assert_eq!(suggested(rows().map(|(_, t)| t * 1e3)), none);
        assert_eq!(suggested(rows().map(|_| 5e10 + 8e9)), none);
        assert_eq!(suggested(rows().chain([(3.0, 4e9)]).map(|(p, t)| p * 1e10 + (9_999_999_999.0 - t))), none);
        assert_eq!(suggested(rows().map(|(p, t)| -p * 1e10 + (9_999_999_999.0 - t))), none);
        // Formulas that are broken or have no witness.
        assert_eq!(suggested(rows().map(|(p, t)| p + 1.0 / t)), none);
        assert_eq!(suggested(rows().map(|(p, t)| p * 1e6 - t % 5_000.0)), none);
        assert_eq!(suggested(rows().map(|_| f64::INFINITY)), none);
        let far = [3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0].map(|score| Score::new(score).unwrap());
        // Whatever the clock shows: at the end of time every moment has been, at its beginning none.
        assert!(suggest(&far, i64::MIN).is_empty());
        assert!(suggest(&far, i64::MAX).len() <= FORMS.concat().len());
    }

    #[test]
    fn every_form_is_a_notation() {
        for text in FORMS.concat() {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
    }
}
