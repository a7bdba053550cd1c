//! Ranks: what is announced of a place. Equal scores share a rank; how, the style says.

use std::cmp::Ordering;
use std::fmt;

use serde::Serialize;

use super::tie::TieGroup;

/// How equal scores share ranks. On scores 30 20 20 10:
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RankStyle {
    /// 1 2 2 4: the members strictly better, plus one.
    #[default]
    Competition,
    /// 1 3 3 4: the members at least as good.
    Modified,
    /// 1 2 2 3: the distinct better scores, plus one.
    Dense,
    /// 1 2 3 4: the position.
    Ordinal,
    /// 1 2.5 2.5 4: the mean of the group's positions.
    Fractional,
}

impl RankStyle {
    /// All styles, in the order in which a viewer steps through them.
    pub const ALL: [Self; 5] = [Self::Competition, Self::Modified, Self::Dense, Self::Ordinal, Self::Fractional];

    /// The style after this one, the first after the last.
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|style| *style == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    /// The name that settings and JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Competition => "competition",
            Self::Modified => "modified",
            Self::Dense => "dense",
            Self::Ordinal => "ordinal",
            Self::Fractional => "fractional",
        }
    }

    /// The ranks of scores 30 20 20 10 in this style, as a header tells a style to those who do not know its name.
    pub fn example(self) -> &'static str {
        match self {
            Self::Competition => "1 2 2 4",
            Self::Modified => "1 3 3 4",
            Self::Dense => "1 2 2 3",
            Self::Ordinal => "1 2 3 4",
            Self::Fractional => "1 2.5 2.5 4",
        }
    }
}

impl std::str::FromStr for RankStyle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|style| style.name() == text).ok_or_else(|| {
            format!("'{text}' is no rank style: there are competition, modified, dense, ordinal and fractional")
        })
    }
}

/// A rank: a whole or half number, or none where it could not be counted within the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rank {
    /// Twice the rank, since fractional ranks end in halves.
    twice: Option<u64>,
}

impl Rank {
    /// A dense rank that lies past the bound up to which distinct scores are counted.
    pub const UNCOUNTED: Self = Self { twice: None };

    /// The whole number `rank`.
    pub fn whole(rank: u64) -> Self {
        Self { twice: Some(rank * 2) }
    }

    /// The mean of two positions.
    pub fn mean(first: u64, last: u64) -> Self {
        Self { twice: Some(first + last) }
    }

    /// True where this is rank `worst` or a better one; false where it is not known.
    pub fn is_within(self, worst: u64) -> bool {
        self.twice.is_some_and(|twice| twice <= worst.saturating_mul(2))
    }

    /// How far this rank is from `before`, and which way: `Less` where it is better. `None` where one is not known.
    pub fn places_from(self, before: Self) -> Option<(Ordering, Self)> {
        let (now, before) = (self.twice?, before.twice?);
        Some((now.cmp(&before), Self { twice: Some(now.abs_diff(before)) }))
    }

    /// True where there is a number.
    pub fn is_counted(self) -> bool {
        self.twice.is_some()
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.twice {
            None => f.write_str("-"),
            Some(twice) if twice % 2 == 0 => write!(f, "{}", twice / 2),
            Some(twice) => write!(f, "{}.5", twice / 2),
        }
    }
}

impl Serialize for Rank {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.twice {
            None => serializer.serialize_none(),
            Some(twice) if twice % 2 == 0 => serializer.serialize_u64(twice / 2),
            // Positions are below 2^53 by far, so the half is exact.
            #[expect(clippy::cast_precision_loss, reason = "positions are far below 2^53")]
            Some(twice) => serializer.serialize_f64(twice as f64 / 2.0),
        }
    }
}

/// Where one member stands: all that any rank style needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// 1-based place in board order, unique.
    pub position: u64,
    /// How many members are strictly better.
    pub better: u64,
    /// How many members have this score, this one included: at least 1.
    pub tied: u64,
    /// How many distinct scores are strictly better; `None` where that was not counted or lies past the bound.
    pub distinct_better: Option<u64>,
}

impl Standing {
    /// The rank in `style`.
    pub fn rank(&self, style: RankStyle) -> Rank {
        match style {
            RankStyle::Competition => Rank::whole(self.better + 1),
            RankStyle::Modified => Rank::whole(self.better + self.tied),
            RankStyle::Dense => self.distinct_better.map_or(Rank::UNCOUNTED, |scores| Rank::whole(scores + 1)),
            RankStyle::Ordinal => Rank::whole(self.position),
            RankStyle::Fractional => Rank::mean(self.better + 1, self.better + self.tied),
        }
    }

    /// The tie group that this member is in, where it shares its score with another.
    pub fn tie_group(&self) -> Option<TieGroup> {
        (self.tied >= 2).then_some(TieGroup { first: self.better + 1, size: self.tied })
    }
}
