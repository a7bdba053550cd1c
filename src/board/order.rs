//! Board order: by score, then by raw member bytes, both in the board's direction. It is Redis's own order.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::entry::Entry;
use super::score::Score;

/// Which end of a board is its top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The highest score is first.
    #[default]
    Desc,
    /// The lowest score is first, as for times.
    Asc,
}

impl Order {
    /// `Less` where `a` stands above `b`. Members of one score stand in byte order, reversed for `Desc`, as Redis has
    /// them: not numeric, not by any locale.
    pub fn compare(self, a: &Entry, b: &Entry) -> Ordering {
        self.directed(a.score.cmp(&b.score).then_with(|| a.member.cmp(&b.member)))
    }

    /// `Less` where score `a` is strictly better than `b`.
    pub fn compare_scores(self, a: Score, b: Score) -> Ordering {
        self.directed(a.cmp(&b))
    }

    /// True where score `a` is strictly better than `b`.
    pub fn is_better(self, a: Score, b: Score) -> bool {
        self.compare_scores(a, b) == Ordering::Less
    }

    fn directed(self, ascending: Ordering) -> Ordering {
        match self {
            Self::Desc => ascending.reverse(),
            Self::Asc => ascending,
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Desc => "desc",
            Self::Asc => "asc",
        })
    }
}

impl std::str::FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "desc" => Ok(Self::Desc),
            "asc" => Ok(Self::Asc),
            _ => Err(format!("'{text}' is no order: there are desc and asc")),
        }
    }
}
