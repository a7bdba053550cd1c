//! How the scores of one board are read: by a notation or as they are, and on how many parts they are ranked.

use std::sync::Arc;

use super::decode::{Parts, Value};
use super::member::{MemberParts, MemberSpec};
use super::{InexactCut, RankParts, Spec, Stored, Unit};
use crate::board::entry::Member;
use crate::board::grouping::Grouping;
use crate::board::key_pattern::KeyPattern;
use crate::board::keys::Key;
use crate::board::order::Order;
use crate::board::score::Score;

/// How scores and members are read. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scoring {
    spec: Option<Arc<Spec>>,
    ranked: usize,
    grouping: Grouping,
    member: Option<Arc<MemberSpec>>,
}

impl Scoring {
    /// Scores that are packed by `spec` and ranked on so many parts.
    pub fn new(spec: Spec, parts: RankParts) -> Result<Self, InexactCut> {
        let grouping = spec.grouping(parts)?;
        Ok(Self { ranked: spec.ranked(parts), grouping, spec: Some(Arc::new(spec)), member: None })
    }

    /// The same with members that are packed by `member`.
    pub fn with_member(self, member: Option<Arc<MemberSpec>>) -> Self {
        Self { member, ..self }
    }

    /// The notation of scores, where there is one.
    pub fn spec(&self) -> Option<&Spec> {
        self.spec.as_deref()
    }

    /// The notation of members, where there is one.
    pub fn member(&self) -> Option<&Arc<MemberSpec>> {
        self.member.as_ref()
    }

    /// Which scores share a rank.
    pub fn grouping(&self) -> Grouping {
        self.grouping
    }

    /// How many parts are ranked on.
    pub fn ranked(&self) -> usize {
        self.ranked
    }

    /// The parts of a score; none where there is no notation, or the score does not decode.
    pub fn parts(&self, score: Score) -> Option<Parts> {
        self.spec.as_ref()?.decode(score)
    }

    /// The parts of a member, likewise.
    pub fn member_parts(&self, member: &[u8]) -> Option<MemberParts> {
        self.member.as_ref()?.decode(member)
    }

    /// By what a member's name is looked up: its id, or all of it.
    pub fn id_of(&self, member: &Member) -> Member {
        self.member.as_ref().map_or_else(|| member.clone(), |packed| packed.id_of(member))
    }

    /// The score that somebody means who writes `score`: its lead, where there is a notation.
    pub fn meant(&self, score: Score) -> Score {
        let lead =
            self.spec.as_ref().filter(|_| score.get().is_finite()).and_then(|spec| spec.score_of_lead(score.get()));
        lead.unwrap_or(score)
    }

    /// The first part in which two scores differ, and by how much the first one has more.
    pub fn difference(&self, score: Score, other: Score) -> Option<Value> {
        let (mine, others) = (self.parts(score)?, self.parts(other)?);
        let mut pairs = mine.values.iter().zip(&others.values);
        pairs.find(|(a, b)| a.amount != b.amount).map(|(a, b)| {
            // Between two moments lies a length of time.
            let unit = if let Unit::Moment(tick) = a.unit { Unit::Duration(tick) } else { a.unit };
            Value { amount: a.amount - b.amount, unit }
        })
    }

    /// Which of those who are level stand first, in words: "earlier first".
    pub fn tie_break(&self, order: Order) -> Option<String> {
        let spec = self.spec.as_ref()?;
        let part = spec.parts.get(self.ranked.checked_sub(1)?)?;
        // The stored number runs with the score, what is shown of it the other way where it is turned.
        let is_high_first = (order == Order::Desc) == (part.stored == Stored::Bare);
        Some(match (part.unit, is_high_first) {
            (Unit::Moment(_), true) => "later first".to_owned(),
            (Unit::Moment(_), false) => "earlier first".to_owned(),
            (_, true) => format!("more {} first", part.name),
            (_, false) => format!("less {} first", part.name),
        })
    }

    /// By how much the last part may be off among scores that have lost digits: "time to ±8 s".
    pub fn grain(&self, scores: impl Iterator<Item = Score>) -> Option<String> {
        let spec = self.spec.as_ref()?;
        let grain = scores.filter_map(|score| spec.decode(score)?.grain).max()?;
        let last = spec.parts.last()?;
        let unit = match last.unit {
            Unit::Moment(tick) | Unit::Duration(tick) => format!(" {}", tick.name()),
            Unit::Scale(scale) => format!("/{scale}"),
            Unit::Plain => String::new(),
        };
        Some(format!("{} to ±{grain}{unit}", last.name))
    }
}

/// Scores that are shown as they are, and share ranks like this.
impl From<Grouping> for Scoring {
    fn from(grouping: Grouping) -> Self {
        Self { grouping, ..Self::default() }
    }
}

/// How the scores and members of some boards are packed, as settings say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardScoring {
    /// Which boards: their key, where `*` stands for any text.
    pub boards: KeyPattern,
    /// The notation of scores, where one is set.
    pub spec: Option<Spec>,
    /// How members are packed, where that is set.
    pub member: Option<Arc<MemberSpec>>,
}

/// What was asked for, before the board itself is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoringOptions {
    /// What holds for some boards, before what holds for all. The first that fits and says something counts.
    pub boards: Arc<[BoardScoring]>,
    /// The notation. `None`: what the board says of itself, else scores are as they are.
    pub spec: Option<Spec>,
    /// On how many parts ranks go.
    pub parts: RankParts,
    /// How members are packed.
    pub member: Option<Arc<MemberSpec>>,
}

impl ScoringOptions {
    /// How scores are read on the board `key`, which says this of itself. Where ranks cannot be cut as asked in the board's own
    /// notation, they go by the lead.
    pub fn of(&self, key: &Key, said: Option<&Spec>) -> Scoring {
        let own = self.boards.iter().filter(|of| of.boards.matches(key)).find_map(|of| of.spec.as_ref());
        let scoring = own.or(self.spec.as_ref()).or(said).and_then(|spec| {
            let cut = |parts| Scoring::new(spec.clone(), parts);
            cut(self.parts).or_else(|_| cut(RankParts::default())).ok()
        });
        scoring.unwrap_or_default().with_member(self.member(key))
    }

    /// How the members of the board `key` are packed.
    pub fn member(&self, key: &Key) -> Option<Arc<MemberSpec>> {
        let own = self.boards.iter().filter(|of| of.boards.matches(key)).find_map(|of| of.member.as_ref());
        own.or(self.member.as_ref()).cloned()
    }

    /// Refuses a cut that the notation does not allow.
    pub fn check(&self) -> Result<(), InexactCut> {
        self.spec.as_ref().map_or(Ok(()), |spec| spec.grouping(self.parts).map(drop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scoring(spec: &str, parts: RankParts) -> Scoring {
        Scoring::new(spec.parse().unwrap(), parts).unwrap()
    }

    fn score(value: f64) -> Score {
        Score::new(value).unwrap()
    }

    #[test]
    fn what_is_meant_by_a_number_and_how_far_two_scores_are_apart() {
        let points = scoring("points,time:10=9999999999-s", RankParts::default());
        assert_eq!(points.meant(score(1500.0)), score(1500.0 * 1e10));
        assert_eq!(Scoring::default().meant(score(1500.0)), score(1500.0));
        let apart = |a: f64, b: f64| points.difference(score(a), score(b)).map(|value| (value.amount, value.unit));
        assert_eq!(apart(3e10 + 5.0, 1e10 + 9.0), Some((2, Unit::Plain)));
        assert_eq!(apart(3e10 + 5.0, 3e10 + 9.0), Some((4, Unit::Duration(super::super::Tick::Second))));
        assert_eq!(apart(3e10, 3e10), None);
        assert_eq!(scoring("wpm/100,left:5s~", RankParts::default()).meant(score(12.34)), score(1234.0 * 1e5));
        assert_eq!(scoring("solved,penalty:6-s~", RankParts::default()).meant(score(3.0)), score(3e6));
    }

    #[test]
    fn who_is_first_among_those_who_are_level() {
        let told = |spec: &str, order| scoring(spec, RankParts::default()).tie_break(order);
        assert_eq!(told("points,time:10=9999999999-s", Order::Desc).as_deref(), Some("earlier first"));
        assert_eq!(told("points.time:40b s", Order::Asc).as_deref(), Some("earlier first"));
        assert_eq!(told("points,time:41b ms", Order::Desc).as_deref(), Some("later first"));
        assert_eq!(told("solved,penalty:6-s~", Order::Desc).as_deref(), Some("less penalty first"));
        assert_eq!(told("gold,silver:3,bronze:3", Order::Desc).as_deref(), Some("more silver first"));
        assert_eq!(told("points", Order::Desc), None);
        assert_eq!(scoring("gold,silver:3", RankParts::All).tie_break(Order::Desc), None);
    }

    #[test]
    fn lost_digits_in_words() {
        let points = scoring("points,time:10=9999999999-s", RankParts::default());
        assert_eq!(points.grain([score(5e16), score(3.0)].into_iter()).as_deref(), Some("time to ±8 s"));
        assert_eq!(points.grain([score(5e12)].into_iter()), None);
    }
}
