//! Rows as JSON, one object on each line: the rows of a page without the page around them. There may be millions, so
//! nothing is copied for one of them.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Serializer;

use super::Sheet;
use super::json::Harmless;
use super::parts::{IdShape, PartsShape, id, parts};
use crate::board::bytes::JsonSlice;
use crate::board::rank::Rank;
use crate::board::score::Score;

#[derive(Serialize)]
struct RowShape<'a> {
    position: u64,
    rank: Rank,
    member: JsonSlice<'a>,
    name: Option<JsonSlice<'a>>,
    score: Score,
    tied: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<PartsShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<IdShape>,
}

pub(super) fn write_rows(sheet: &Sheet<'_>, out: &mut impl Write) -> io::Result<()> {
    for (index, (entry, standing)) in sheet.window.entries.iter().zip(sheet.window.standings()).enumerate() {
        let shape = RowShape {
            position: standing.position,
            rank: standing.rank(sheet.style),
            member: JsonSlice(entry.member.as_bytes()),
            name: sheet.name(index).map(|name| JsonSlice(name)),
            score: entry.score,
            tied: standing.tied,
            parts: parts(&sheet.window.scoring, entry.score),
            id: id(&sheet.window.scoring, entry.member.as_bytes()),
        };
        shape.serialize(&mut Serializer::with_formatter(&mut *out, Harmless))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::Sample;
    use super::super::{Format, RowsFormat};
    use serde_json::value::RawValue;

    #[test]
    fn each_line_is_the_row_of_the_page() {
        #[derive(serde::Deserialize)]
        struct Page<'a> {
            #[serde(borrow)]
            rows: Vec<&'a RawValue>,
        }
        let binary = Sample::new("b", &[(b"\xff\x1b\xc2\x9b", f64::INFINITY), ("Ё\"\u{202e}".as_bytes(), 0.1)]);
        for sample in [Sample::spring(), binary] {
            let page = sample.written(Format::Json);
            let page: Page<'_> = serde_json::from_str(&page).unwrap();
            let rows: Vec<_> = page.rows.iter().map(|row| row.get()).collect();
            let mut out = Vec::new();
            sample.sheet().write_rows(RowsFormat::Ndjson, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap().lines().collect::<Vec<_>>(), rows);
        }
    }
}
