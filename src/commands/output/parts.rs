//! The parts of packed scores and members, as rows print them: an object in JSON, a column each in tables.

use std::collections::HashMap;

use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::columns::Column;
use crate::board::bytes::JsonBytes;
use crate::board::packed::decode::Value;
use crate::board::packed::scoring::Scoring;
use crate::board::score::Score;

/// The parts of one score, by their names in the order of the notation; null where it does not decode.
pub(super) struct PartsShape(Option<Vec<(String, Value)>>);

/// The id in one member; null where that does not decode.
#[derive(Serialize)]
pub(super) struct IdShape(Option<JsonBytes>);

/// Moments are texts in RFC 3339, all else is a number.
impl Serialize for PartsShape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(parts) = &self.0 else { return serializer.serialize_none() };
        let mut map = serializer.serialize_map(Some(parts.len()))?;
        for (name, value) in parts {
            let text = value.to_string();
            if value.moment().is_some() {
                map.serialize_entry(name, &text)?;
            } else {
                map.serialize_entry(name, &RawValue::from_string(text).map_err(S::Error::custom)?)?;
            }
        }
        map.end()
    }
}

/// What `parts` is in JSON; left out without a notation.
pub(super) fn parts(scoring: &Scoring, score: Score) -> Option<PartsShape> {
    let spec = scoring.spec()?;
    let parts = scoring.parts(score);
    Some(PartsShape(parts.map(|parts| spec.names().map(str::to_owned).zip(parts.values).collect())))
}

/// The parts that the members of a group share: those that are ranked on.
pub(super) fn ranked_parts(scoring: &Scoring, score: Score) -> Option<PartsShape> {
    let mut shape = parts(scoring, score)?;
    if let Some(parts) = &mut shape.0 {
        parts.truncate(scoring.ranked());
    }
    Some(shape)
}

/// The columns of these.
pub(super) fn ranked_columns(scoring: &Scoring, scores: &[Score]) -> Vec<Column> {
    let mut columns = columns(scoring, scores);
    columns.truncate(scoring.ranked().max(1));
    columns
}

/// What `id` is in JSON, likewise.
pub(super) fn id(scoring: &Scoring, member: &[u8]) -> Option<IdShape> {
    scoring.member()?;
    Some(IdShape(scoring.member_parts(member).map(|parts| JsonBytes(parts.id))))
}

/// The column of scores; with a notation, a column for each part. A score that does not decode stands as it is.
pub(super) fn columns(scoring: &Scoring, scores: &[Score]) -> Vec<Column> {
    let Some(spec) = scoring.spec() else {
        return vec![Column::new("SCORE", true, scores.iter().map(Score::to_string))];
    };
    let decoded: HashMap<Score, _> = scores.iter().map(|score| (*score, scoring.parts(*score))).collect();
    let cell = |at: usize, score: &Score| match decoded.get(score).and_then(Option::as_ref) {
        Some(parts) => {
            let rough = if at == 0 && parts.is_lead_rough { "~" } else { "" };
            parts.values.get(at).map_or_else(String::new, |value| format!("{rough}{value}"))
        }
        None if at == 0 => score.to_string(),
        None => "-".to_owned(),
    };
    let heads = spec.names().map(str::to_uppercase).enumerate();
    heads.map(|(at, head)| Column::new(&head, true, scores.iter().map(|score| cell(at, score)))).collect()
}

/// On what ranks go, where that is not the score alone: "on points, earlier first".
pub(super) fn ranked_on(scoring: &Scoring, order: crate::board::order::Order) -> String {
    let Some(spec) = scoring.spec().filter(|spec| scoring.ranked() < spec.count()) else { return String::new() };
    let names: Vec<&str> = spec.names().take(scoring.ranked()).collect();
    let then = scoring.tie_break(order).map_or_else(String::new, |then| format!(", {then}"));
    format!(" on {}{then}", names.join(" and "))
}
