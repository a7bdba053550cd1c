//! What is told of a window beside its rows where its board lies in many parts: the versions of the parts, which of them
//! did not answer, and how far numbers can be off.

use super::super::version::Version;

/// How a window was put together.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The version of each part; `None` where a part has none or did not answer.
    pub versions: Vec<Option<Version>>,
    /// How far ranks, positions and sizes of tie groups can be off.
    pub doubt: Doubt,
    /// The parts that did not answer.
    pub lost: Vec<Lost>,
}

/// How far numbers can be off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Not at all: there was a moment at which the whole board held this.
    Nothing,
    /// For each row, by at most so many.
    Within(Vec<u64>),
    /// That is not known: versions are missing or do not count members, or a part is missing.
    Unknown,
}

/// A part that did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Its number, from 0.
    pub part: usize,
    /// Why.
    pub why: String,
}

impl Spread {
    /// How far the numbers of row `index` can be off: 0 where they are exact, `None` where that is not known.
    pub fn error_of(&self, index: usize) -> Option<u64> {
        match &self.doubt {
            Doubt::Nothing => Some(0),
            Doubt::Within(errors) => errors.get(index).copied(),
            Doubt::Unknown => None,
        }
    }

    /// What is put after a rank: that it is not exact, and which way where that is known.
    pub fn mark_of(&self, index: usize) -> &'static str {
        match self.error_of(index) {
            Some(0) => "",
            // The rows of a part that did not answer are missing above.
            None if !self.lost.is_empty() => "+",
            _ => "±",
        }
    }

    /// The largest of them; `None` where it is not known.
    pub fn error(&self) -> Option<u64> {
        match &self.doubt {
            Doubt::Nothing => Some(0),
            Doubt::Within(errors) => errors.iter().max().copied().or(Some(0)),
            Doubt::Unknown => None,
        }
    }
}
