//! Taking a score apart by its notation. Nothing is invented: what does not decode is left as the score it is, and what
//! the double has lost is told.

use std::fmt;

use jiff::Timestamp;

use super::{RankParts, Spec, Stored, Tick, Unit};
use crate::board::grouping::Grouping;
use crate::board::score::Score;

/// Doubles past this are not taken apart.
const LARGEST: f64 = 1_180_591_620_717_411_303_424.0; // 2^70
const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53

/// A score in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The values, the lead first.
    pub values: Vec<Value>,
    /// By how much the last part may be off, in its own unit, where that is more than one.
    pub grain: Option<u64>,
    /// True where the lead itself is past 2^53, so that its last digits are not known.
    pub is_lead_rough: bool,
}

/// The number of one part, in the smallest unit it is stored in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// How many.
    pub amount: i128,
    /// Of what.
    pub unit: Unit,
}

impl Spec {
    /// The parts of `score`; none for infinities, for what is too large to be taken apart, and for a negative lead from which
    /// something is subtracted, which writers do not agree on.
    pub fn decode(&self, score: Score) -> Option<Parts> {
        let value = score.get();
        if value.abs() >= LARGEST {
            return None;
        }
        // The lead is found as the ranks find it, so that the two never disagree.
        let (lead, width) = match self.grouping(RankParts::Leading(1)).ok()? {
            Grouping::Cut(cut) => {
                // Where doubles lie too far apart for groups, the lead is only about right.
                let rough = || ((value - cut.offset.get()) / cut.width.get()).floor();
                (cut.index(score).unwrap_or_else(rough), i128::from(self.lead_width()))
            }
            Grouping::Whole => (value - self.offset_as_double(), 1),
        };
        if self.is_subtracted() && lead < 0.0 {
            return None;
        }
        if self.parts.is_empty() {
            return Some(self.lead_alone(score));
        }
        let fraction: i128 =
            self.parts.iter().filter(|part| part.is_fraction).map(|part| i128::from(part.width.size())).product();
        let base = (i128::from(self.offset) + whole(lead) * width) * fraction;
        let units = whole(value.floor()) * fraction + whole(((value - value.floor()) * as_double(fraction)).round());
        let distance = if self.is_subtracted() { base - units } else { units - base };
        // Rounding at the last digit must not carry into the lead.
        let mut rest = distance.clamp(0, width * fraction - 1);
        let mut values = Vec::with_capacity(self.count());
        for part in self.parts.iter().rev() {
            let size = i128::from(part.width.size());
            let stored = rest % size;
            rest /= size;
            let amount = match part.stored {
                Stored::From(max) => i128::from(max) - stored,
                Stored::Bare | Stored::Subtracted => stored,
            };
            values.push(Value { amount, unit: part.unit });
        }
        values.push(Value { amount: whole(lead), unit: self.unit });
        values.reverse();
        let grain = grain(value) * as_double(fraction);
        Some(Parts {
            values,
            grain: (grain > 1.0).then(|| u64::try_from(whole(grain)).unwrap_or(u64::MAX)),
            is_lead_rough: lead.abs() >= EXACT,
        })
    }

    /// A score without parts, which may have a fraction of its own: it is scaled only where that is exact.
    fn lead_alone(&self, score: Score) -> Parts {
        let value = score.get() - self.offset_as_double();
        Parts {
            values: vec![Value { amount: whole(value.floor()), unit: self.unit }],
            grain: None,
            is_lead_rough: value.abs() >= EXACT,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "at most 2^53 either way")]
    fn offset_as_double(&self) -> f64 {
        self.offset as f64
    }
}

/// How far the doubles around `value` lie apart.
fn grain(value: f64) -> f64 {
    let size = value.abs();
    size.next_up() - size
}

#[expect(clippy::cast_possible_truncation, reason = "below 2^127 by the bounds on scores and widths")]
fn whole(value: f64) -> i128 {
    value as i128
}

#[expect(clippy::cast_precision_loss, reason = "powers of ten and two up to 2^53")]
fn as_double(value: i128) -> f64 {
    value as f64
}

impl Value {
    /// The moment, for a part that is one, within the years 1 to 9999.
    pub fn moment(&self) -> Option<Timestamp> {
        let Unit::Moment(tick) = self.unit else { return None };
        let amount = i64::try_from(self.amount).ok()?;
        match tick {
            Tick::Second => Timestamp::from_second(amount).ok(),
            Tick::Millisecond => Timestamp::from_millisecond(amount).ok(),
            Tick::Microsecond => Timestamp::from_microsecond(amount).ok(),
        }
    }
}

/// Numbers as decimals, moments as RFC 3339 in UTC, durations as numbers in their own unit.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moment) = self.moment() {
            return write!(f, "{moment}");
        }
        let Unit::Scale(scale) = self.unit else { return write!(f, "{}", self.amount) };
        let scale = u128::from(scale);
        let (size, sign) = (self.amount.unsigned_abs(), if self.amount < 0 { "-" } else { "" });
        let digits = usize::try_from(scale.ilog10()).unwrap_or_default();
        write!(f, "{sign}{}.{:0digits$}", size / scale, size % scale)
    }
}
