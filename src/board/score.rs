//! Scores: 64-bit floats that are never NaN, and the one text each of them has.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// From here up every double is an integer, and its shortest text has invented digits.
const EXACT_INTEGERS: f64 = 9_007_199_254_740_992.0;

/// A score: a double that is not NaN. The two zeros are one score, as they are for Redis, which compares doubles.
#[derive(Clone, Copy)]
pub struct Score(f64);

impl Score {
    /// `None` for NaN; minus zero becomes zero.
    pub fn new(value: f64) -> Option<Self> {
        // Adding zero turns -0 into +0 and changes nothing else.
        (!value.is_nan()).then_some(Self(value + 0.0))
    }

    /// The double, never NaN and never -0.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Reads what servers, users and cursors write: decimals, exponents, `inf`, `+inf`, `-inf`. Rounds correctly.
    pub fn parse(text: &str) -> Option<Self> {
        Self::new(text.trim().parse().ok()?)
    }

    /// Reads what a person types: as [`Score::parse`], but digits too large for a double are no infinity.
    pub fn typed(text: &str) -> Option<Self> {
        let is_infinity =
            text.trim().trim_start_matches(['+', '-']).get(..3).is_some_and(|word| word.eq_ignore_ascii_case("inf"));
        Self::parse(text).filter(|score| is_infinity || score.get().is_finite())
    }

    /// This score as an exclusive bound of a range: `(980`.
    pub fn exclusive(self) -> String {
        format!("({self}")
    }
}

/// The one text of a score, the same for every server release: `0` for both zeros, exponent form with the shortest
/// digits from 1e21 up and below 1e-6, the double's exact integer from 2^53 up, else the shortest decimal. It parses
/// back to the very same double, so it also serves as a bound that is sent to Redis.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if self.0.is_infinite() || size == 0.0 {
            write!(f, "{}", self.0)
        } else if !(1e-6..1e21).contains(&size) {
            write!(f, "{:e}", self.0)
        } else if size >= EXACT_INTEGERS {
            write!(f, "{:.0}", self.0)
        } else if self.0.fract() == 0.0 {
            // The same text as the double's, at a fraction of the cost.
            #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
            let whole = self.0 as i64;
            write!(f, "{whole}")
        } else {
            write!(f, "{}", self.0)
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Score {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        // Without NaN and -0 the total order of IEEE 754 is the order of the numbers.
        self.0.total_cmp(&other.0)
    }
}

impl Hash for Score {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// A JSON number with exactly the digits of the text; infinities, which JSON lacks, as `"inf"` and `"-inf"`.
impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.to_string();
        if self.0.is_infinite() {
            return serializer.serialize_str(&text);
        }
        RawValue::from_string(text).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Shape {
            Number(f64),
            Text(String),
        }
        let wrong = || D::Error::custom("a score is a number, \"inf\" or \"-inf\"");
        match Shape::deserialize(deserializer).map_err(|_| wrong())? {
            Shape::Number(value) => Self::new(value).ok_or_else(wrong),
            Shape::Text(text) if text == "inf" => Ok(Self(f64::INFINITY)),
            Shape::Text(text) if text == "-inf" => Ok(Self(f64::NEG_INFINITY)),
            Shape::Text(_) => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_case_of_the_score_file() {
        let file: serde_json::Value = serde_json::from_str(include_str!("../../tests/cases/scores.json")).unwrap();
        let cases = file["cases"].as_array().unwrap();
        assert!(cases.len() > 30);
        for case in cases {
            let bits = u64::from_str_radix(case["bits"].as_str().unwrap(), 16).unwrap();
            let score = Score::new(f64::from_bits(bits)).unwrap();
            assert_eq!(score.to_string(), case["text"].as_str().unwrap());
            assert_eq!(Score::parse(case["redis"].as_str().unwrap()), Some(score), "{case}");
        }
    }

    #[test]
    fn nan_is_no_score_and_the_zeros_are_one() {
        assert!(Score::new(f64::NAN).is_none());
        assert!(Score::parse("nan").is_none());
        assert_eq!(Score::new(-0.0), Score::new(0.0));
        assert_eq!(Score::new(-0.0).unwrap().to_string(), "0");
    }

    proptest! {
        #[test]
        fn the_text_is_the_double(value in proptest::num::f64::ANY) {
            prop_assume!(!value.is_nan());
            let score = Score::new(value).unwrap();
            prop_assert_eq!(Score::parse(&score.to_string()), Some(score));
            let json = serde_json::to_string(&score).unwrap();
            prop_assert_eq!(serde_json::from_str::<Score>(&json).unwrap(), score);
        }

        #[test]
        fn order_is_the_order_of_doubles(a in proptest::num::f64::ANY, b in proptest::num::f64::ANY) {
            prop_assume!(!a.is_nan() && !b.is_nan());
            let (x, y) = (Score::new(a).unwrap(), Score::new(b).unwrap());
            prop_assert_eq!(Some(x.cmp(&y)), a.partial_cmp(&b));
        }
    }
}
