//! Packed scores: one double that carries a lead and further parts in its low digits, its low bits or its fraction. Here is
//! what a notation says; `parse` reads it, `print` writes it, `decode` takes a score apart by it, `member` does the
//! like for members, and `suggest` recognises forms that are in use.

use super::grouping::{Cut, Grouping};
use super::score::Score;

pub mod decode;
pub mod examples;
pub mod member;
mod number;
pub mod parse;
mod print;
mod scan;
pub mod scoring;
pub mod suggest;
#[cfg(test)]
mod tests;

/// How the scores of a board are packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// What the leading number is called.
    pub lead: String,
    /// How the leading number is to be read.
    pub unit: Unit,
    /// The parts below it, the most significant first: those in the whole number, then those in the fraction.
    pub parts: Vec<Part>,
    /// What is added to every score: a whole number.
    pub offset: i64,
}

/// A part below the lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is called: no two parts of a notation are called the same.
    pub name: String,
    /// True where it is in the fraction, false where it is in the whole number.
    pub is_fraction: bool,
    /// How many values it has room for.
    pub width: Width,
    /// How it is stored.
    pub stored: Stored,
    /// How its number is to be read.
    pub unit: Unit,
}

/// How wide a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Decimal digits.
    Digits(u8),
    /// Bits.
    Bits(u8),
}

impl Width {
    /// How many values fit: at most 2^53, for what is wider is no exact double.
    pub fn size(self) -> u64 {
        match self {
            Self::Digits(digits) => 10_u64.saturating_pow(digits.into()),
            Self::Bits(bits) => 1_u64.checked_shl(bits.into()).unwrap_or(u64::MAX),
        }
    }
}

/// How a part is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// As it is.
    Bare,
    /// Subtracted from the whole, so that it borrows from the lead.
    Subtracted,
    /// As this number minus it.
    From(i64),
}

/// How a number is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// As it is.
    Plain,
    /// Divided by this.
    Scale(u32),
    /// A Unix moment.
    Moment(Tick),
    /// A length of time.
    Duration(Tick),
}

/// What time is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tick {
    /// Seconds.
    Second,
    /// Milliseconds.
    Millisecond,
    /// Microseconds.
    Microsecond,
}

impl Tick {
    /// How many there are in a second.
    pub fn per_second(self) -> i64 {
        match self {
            Self::Second => 1,
            Self::Millisecond => 1_000,
            Self::Microsecond => 1_000_000,
        }
    }

    /// Its short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Second => "s",
            Self::Millisecond => "ms",
            Self::Microsecond => "us",
        }
    }
}

/// How many leading parts count for rank and ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankParts {
    /// So many, at least 1.
    Leading(u8),
    /// All of them: the whole score.
    All,
}

impl Default for RankParts {
    fn default() -> Self {
        Self::Leading(1)
    }
}

impl std::fmt::Display for RankParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Leading(count) => write!(f, "{count}"),
            Self::All => f.write_str("all"),
        }
    }
}

impl std::str::FromStr for RankParts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            _ if text == "all" => Ok(Self::All),
            Ok(count) if count > 0 => Ok(Self::Leading(count)),
            _ => Err(format!("'{}' is not a number of parts: write 1 or more, or 'all'", text.escape_debug())),
        }
    }
}

/// Ranks cannot be cut within decimal digits of a fraction: thousandths are no doubles, so such groups have no exact bounds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "ranks cannot be cut after '{0}': decimal fractions are not exact\nrank on the parts before the point, or on 'all'"
)]
pub struct InexactCut(String);

impl Spec {
    /// How many parts there are, the lead among them.
    pub fn count(&self) -> usize {
        self.parts.len() + 1
    }

    /// The names of all parts, the lead first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.lead.as_str()).chain(self.parts.iter().map(|part| part.name.as_str()))
    }

    /// The units of all parts, the lead first.
    pub fn units(&self) -> impl Iterator<Item = Unit> {
        std::iter::once(self.unit).chain(self.parts.iter().map(|part| part.unit))
    }

    /// True where the parts are subtracted from the lead: they all are, or none is.
    pub fn is_subtracted(&self) -> bool {
        self.parts.iter().any(|part| part.stored == Stored::Subtracted)
    }

    /// How many of the parts, the lead among them, are ranked on.
    pub fn ranked(&self, parts: RankParts) -> usize {
        match parts {
            RankParts::Leading(count) => self.count().min(count.into()),
            RankParts::All => self.count(),
        }
    }

    /// Which scores share a rank, by so many leading parts.
    pub fn grouping(&self, parts: RankParts) -> Result<Grouping, InexactCut> {
        let ranked = self.ranked(parts);
        if ranked == self.count() {
            return Ok(Grouping::Whole);
        }
        // The parts that are ranked on besides the lead, and those that are not.
        let (above, below) = self.parts.split_at(ranked - 1);
        let width = if below.iter().any(|part| !part.is_fraction) {
            below.iter().filter(|part| !part.is_fraction).map(|part| size(part.width)).product()
        } else {
            let mut width = 1.0;
            for part in above.iter().filter(|part| part.is_fraction) {
                match part.width {
                    Width::Bits(_) => width /= size(part.width),
                    Width::Digits(_) => return Err(InexactCut(part.name.clone())),
                }
            }
            width
        };
        Ok(self.cut(width).map_or(Grouping::Whole, Grouping::Cut))
    }

    fn cut(&self, width: f64) -> Option<Cut> {
        Some(Cut {
            width: Score::new(width)?,
            offset: Score::new(exact(self.offset))?,
            rounds_up: self.is_subtracted(),
        })
    }

    /// How far leads are apart in the whole number.
    fn lead_width(&self) -> u64 {
        self.parts.iter().filter(|part| !part.is_fraction).map(|part| part.width.size()).product()
    }

    /// A score of this lead, which is given as people write it; none where that is no number of its kind.
    ///
    /// What the score has below the lead is zero, so that it lies in the lead's group.
    pub fn score_of_lead(&self, lead: f64) -> Option<Score> {
        let stored = match self.unit {
            Unit::Scale(scale) => (lead * f64::from(scale)).round(),
            _ => lead,
        };
        Score::new(stored.floor().mul_add(exact(i64::try_from(self.lead_width()).ok()?), exact(self.offset)))
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "offsets and widths are checked to be exact doubles where they are read"
)]
fn exact(whole: i64) -> f64 {
    whole as f64
}

#[expect(clippy::cast_precision_loss, reason = "powers of ten and of two up to 2^53 are exact doubles")]
fn size(width: Width) -> f64 {
    width.size() as f64
}
