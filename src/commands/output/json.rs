//! A page as one JSON object on one line. Absent things are `null`; numbers have exactly the digits of the score.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use super::parts::{IdShape, PartsShape, id, parts};
use super::{Sheet, acts_on_terminal};
use crate::board::bytes::JsonBytes;
use crate::board::cursor::Cursor;
use crate::board::drift::Drift;
use crate::board::order::Order;
use crate::board::rank::{Rank, RankStyle};
use crate::board::score::Score;
use crate::board::sharded::vector;
use crate::board::version::Version;

#[derive(Serialize)]
struct PageShape {
    board: JsonBytes,
    order: Order,
    rank_style: RankStyle,
    version: Option<JsonBytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    versions: Option<Vec<Option<String>>>,
    verified: bool,
    state: Option<&'static str>,
    total: u64,
    ttl_ms: Option<u64>,
    start: u64,
    rows: Vec<RowShape>,
    prev: Option<String>,
    next: Option<String>,
    drift: Option<DriftShape>,
}

/// A row, wherever rows are printed.
#[derive(Serialize)]
pub(super) struct RowShape {
    position: u64,
    rank: Rank,
    member: JsonBytes,
    name: Option<JsonBytes>,
    score: Score,
    tied: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<PartsShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<IdShape>,
    /// How far rank, position and tied can be off, on a board over many sorted sets; nothing where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    rank_error: Option<ErrorShape>,
}

/// `null` where it is not known.
#[derive(Serialize)]
#[serde(transparent)]
struct ErrorShape(Option<u64>);

#[derive(Serialize)]
struct DriftShape {
    from_version: Option<JsonBytes>,
    to_version: Option<JsonBytes>,
    boundary_from: Option<u64>,
    boundary_to: u64,
    shift: Option<i64>,
}

pub(super) fn write(sheet: &Sheet<'_>, out: &mut impl Write) -> io::Result<()> {
    let window = sheet.window;
    let shape = PageShape {
        board: JsonBytes(sheet.board.key.as_ref().to_vec()),
        order: window.order,
        rank_style: sheet.style,
        version: window.version.as_ref().map(version),
        versions: window.version.as_ref().and_then(vector::parts_of),
        verified: window.verified,
        state: window.meta.state.map(crate::board::meta::State::name),
        total: window.total,
        ttl_ms: window.ttl.milliseconds(),
        start: window.start,
        rows: rows(sheet),
        prev: sheet.previous().as_ref().map(Cursor::encode),
        next: sheet.next().as_ref().map(Cursor::encode),
        drift: sheet.drift.map(drift),
    };
    write_line(&shape, out)
}

/// `shape` on one line.
pub(super) fn write_line(shape: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    shape.serialize(&mut Serializer::with_formatter(&mut *out, Harmless))?;
    out.write_all(b"\n")
}

/// The rows of a sheet.
pub(super) fn rows(sheet: &Sheet<'_>) -> Vec<RowShape> {
    let rows = sheet.window.entries.iter().zip(sheet.window.standings()).enumerate();
    rows.map(|(index, (entry, standing))| RowShape {
        position: standing.position,
        rank: standing.rank(sheet.style),
        member: JsonBytes(entry.member.as_bytes().to_vec()),
        name: sheet.name(index).map(|name| JsonBytes(name.to_vec())),
        score: entry.score,
        tied: standing.tied,
        parts: parts(&sheet.window.scoring, entry.score),
        id: id(&sheet.window.scoring, entry.member.as_bytes()),
        rank_error: sheet.window.parts.as_ref().map(|parts| ErrorShape(parts.error_of(index))),
    })
    .collect()
}

fn drift(drift: &Drift) -> DriftShape {
    DriftShape {
        from_version: drift.from_version.as_ref().map(version),
        to_version: drift.to_version.as_ref().map(version),
        boundary_from: drift.boundary_from,
        boundary_to: drift.boundary_to,
        shift: drift.shift(),
    }
}

pub(super) fn version(version: &Version) -> JsonBytes {
    JsonBytes(vector::sum(version).map_or_else(|| version.as_bytes().to_vec(), |sum| sum.to_string().into_bytes()))
}

/// Compact JSON that also escapes what JSON itself allows but a terminal would obey: DEL, C1 controls, overrides of the
/// writing direction. It reads back to the same texts.
pub(super) struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| acts_on_terminal(*c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            // All of them are in the first plane, so one escape does.
            write!(out, "\\u{:04x}", u32::from(c))?;
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::tests::Sample;
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    #[test]
    fn the_example_of_the_contract() {
        let next = URL_SAFE_NO_PAD.encode(
            r#"{"board":"lb:{spring}:2026-W41","direction":"desc","score":980,"member":"u:1002","version":"1284","position":2}"#,
        );
        let golden = concat!(
            r#"{"board":"lb:{spring}:2026-W41","order":"desc","rank_style":"competition","version":"1284","verified":true,"#,
            r#""state":"open","total":4,"ttl_ms":null,"start":1,"rows":["#,
            r#"{"position":1,"rank":1,"member":"u:1000","name":"Ada Lovelace","score":1050,"tied":1},"#,
            r#"{"position":2,"rank":2,"member":"u:1002","name":null,"score":980,"tied":2}],"#,
            r#""prev":null,"next":"NEXT","drift":null}"#,
            "\n"
        );
        assert_eq!(Sample::spring().written(Format::Json), golden.replace("NEXT", &next));
    }

    #[test]
    fn drift_binary_bytes_infinities_and_halves() {
        let mut sample = Sample::new("b", &[(b"\xff\xfe", f64::INFINITY), (b"b", 0.1), (b"a", 0.1)]);
        sample.style = RankStyle::Fractional;
        sample.window.version = Some(b"\xff".to_vec().into());
        sample.window.verified = false;
        sample.drift =
            Some(Drift { from_version: Some("41".into()), to_version: None, boundary_from: Some(20), boundary_to: 18 });
        let golden = concat!(
            r#"{"board":"b","order":"desc","rank_style":"fractional","version":{"base64":"/w=="},"verified":false,"#,
            r#""state":null,"total":3,"ttl_ms":null,"start":1,"rows":["#,
            r#"{"position":1,"rank":1,"member":{"base64":"//4="},"name":null,"score":"inf","tied":1},"#,
            r#"{"position":2,"rank":2.5,"member":"b","name":null,"score":0.1,"tied":2},"#,
            r#"{"position":3,"rank":2.5,"member":"a","name":null,"score":0.1,"tied":2}],"prev":null,"next":null,"#,
            r#""drift":{"from_version":"41","to_version":null,"boundary_from":20,"boundary_to":18,"shift":-2}}"#,
            "\n"
        );
        assert_eq!(sample.written(Format::Json), golden);
    }

    #[test]
    fn an_uncounted_rank_and_an_unknown_boundary_are_null() {
        let mut sample = Sample::new("b", &[(b"a", 1.0)]);
        sample.style = RankStyle::Dense;
        sample.window.distinct_better = None;
        sample.window.ttl = crate::board::meta::Ttl::Milliseconds(1500);
        sample.drift = Some(Drift { from_version: None, to_version: None, boundary_from: None, boundary_to: 1 });
        let value: serde_json::Value = serde_json::from_str(&sample.written(Format::Json)).unwrap();
        assert!(value["rows"][0]["rank"].is_null());
        assert_eq!(value["ttl_ms"], 1500);
        assert!(value["drift"]["boundary_from"].is_null() && value["drift"]["shift"].is_null());
        assert!(value["version"].is_null());
    }

    #[test]
    fn nothing_in_it_commands_a_terminal_and_nothing_is_lost() {
        let member = "\u{1b}[2J\u{7f}\u{9b}\n\u{202e}\u{2066}\u{2028}Ё\"\\";
        let line = Sample::new("b", &[(member.as_bytes(), 1.0)]).written(Format::Json);
        assert!(!line.trim_end().contains(|c: char| c.is_control() || acts_on_terminal(c)), "{line:?}");
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["rows"][0]["member"], member);
    }
}
