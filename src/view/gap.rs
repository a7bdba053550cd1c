//! The gap between two scores, as the difference of the numbers on the screen: exact, or not told at all.
//!
//! Subtracting the doubles of 0.3 and 0.1 would print 0.19999999999999998 beside them. The decimals that are shown are
//! subtracted instead. Infinite scores, exponents, and numbers whose digits do not fit 38 have no gap.

use crate::board::score::Score;

/// `score - above`, with its sign; `None` where there is no exact text for it.
pub(super) fn between(score: Score, above: Score) -> Option<String> {
    let (one, one_scale) = decimal(&score.to_string())?;
    let (other, other_scale) = decimal(&above.to_string())?;
    let scale = one_scale.max(other_scale);
    let aligned = |digits: i128, from: u32| digits.checked_mul(10_i128.checked_pow(scale - from)?);
    let difference = aligned(one, one_scale)?.checked_sub(aligned(other, other_scale)?)?;
    Some(text(difference, scale))
}

/// The digits of a plain decimal, and how many of them follow the point.
fn decimal(text: &str) -> Option<(i128, u32)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    // `inf` and `1e21` are no digits, and end here.
    let digits = format!("{whole}{fraction}").parse().ok()?;
    Some((digits, u32::try_from(fraction.len()).ok()?))
}

fn text(difference: i128, scale: u32) -> String {
    let scale = scale as usize;
    let sign = if difference < 0 { '-' } else { '+' };
    let digits = format!("{:0>1$}", difference.unsigned_abs(), scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn gap(score: f64, above: f64) -> Option<String> {
        between(Score::new(score).unwrap(), Score::new(above).unwrap())
    }

    #[test]
    fn is_exact_or_absent() {
        assert_eq!(gap(910.0, 980.0).unwrap(), "-70");
        assert_eq!(gap(0.1, 0.3).unwrap(), "-0.2");
        assert_eq!(gap(12.5, 12.25).unwrap(), "+0.25");
        assert_eq!(gap(-3.0, 2.0).unwrap(), "-5");
        assert_eq!(gap(-0.5, 0.0).unwrap(), "-0.5");
        assert_eq!(gap(9_007_199_254_740_994.0, 9_007_199_254_740_996.0).unwrap(), "-2");
        assert_eq!(gap(1e20, 100_000_000_000_000_016_384.0).unwrap(), "-16384");
        for (score, above) in [(1.0, f64::INFINITY), (f64::NEG_INFINITY, 1.0), (1e-7, 1.0), (0.0, 1e21)] {
            assert_eq!(gap(score, above), None, "{score} {above}");
        }
        assert_eq!(gap(0.000_001_234_567_890_123_4, 1e20), None, "more digits than are counted");
    }

    proptest! {
        #[test]
        fn of_cents_is_the_difference_of_cents(a in -10_000_000_i32..10_000_000, b in -10_000_000_i32..10_000_000) {
            let told = gap(f64::from(a) / 100.0, f64::from(b) / 100.0).unwrap();
            let cents = a - b;
            let size = cents.unsigned_abs();
            let expected = format!("{}{}.{:02}", if cents < 0 { '-' } else { '+' }, size / 100, size % 100);
            prop_assert_eq!(told, expected.trim_end_matches('0').trim_end_matches('.'));
        }

        #[test]
        fn no_two_scores_panic(a in proptest::num::f64::ANY, b in proptest::num::f64::ANY) {
            prop_assume!(!a.is_nan() && !b.is_nan());
            let _ = gap(a, b);
        }
    }
}
