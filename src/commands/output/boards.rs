//! Boards one after another: as a table or as JSON.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use super::ListFormat;
use super::columns::{Column, DIM, line, paint, shown};
use super::json::{version, write_line};
use crate::board::bytes::JsonBytes;
use crate::board::foreign::hints::belongs_to;
use crate::board::keys::{Key, split_period};
use crate::board::meta::{State, Ttl};
use crate::commands::text;
use crate::commands::text::Charset;
use crate::query::listing::Listed;

/// Columns that a key takes at most. It is there to be copied, so it is cut later than other texts.
const KEY: usize = 160;

/// What is not there or not known.
const NOTHING: &str = "-";

/// All that is printed of some boards.
#[derive(Clone, Copy, Debug)]
pub struct Boards<'a> {
    /// The boards, in the order of their keys.
    pub boards: &'a [Listed],
    /// How many keys were looked at, where that is known.
    pub keys: Option<u64>,
}

impl Boards<'_> {
    /// Prints them. A pipe that was closed is an error here; see [`crate::exit::forgive_closed_pipe`].
    pub fn write(&self, format: ListFormat, out: &mut impl Write) -> io::Result<()> {
        match format {
            ListFormat::Table { color } => self.write_table(color, out)?,
            ListFormat::Json => {
                write_line(&self.boards.iter().map(|board| self.shape(board)).collect::<Vec<_>>(), out)?;
            }
        }
        out.flush()
    }

    fn write_table(&self, color: bool, out: &mut impl Write) -> io::Result<()> {
        let columns = self.columns();
        if !self.boards.is_empty() {
            writeln!(out, "{}", paint(color, DIM, line(&columns, 0).trim_end()))?;
        }
        for (index, board) in self.boards.iter().enumerate() {
            let row = line(&columns, index + 1);
            writeln!(out, "{}", paint(color && board.total.is_none(), DIM, row.trim_end()))?;
        }
        let counted = |number: u64, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
        let mut counts = vec![counted(self.boards.len() as u64, "board")];
        counts.extend(self.keys.map(|keys| format!("{} looked at", counted(keys, "key"))));
        writeln!(out, "{}", paint(color, DIM, &counts.join(" · ")))
    }

    fn columns(&self) -> Vec<Column> {
        let column = |heading, is_number, cell: &dyn Fn(&Listed) -> Option<String>| {
            let cells = self.boards.iter().map(|board| cell(board).unwrap_or_else(|| NOTHING.into()));
            Column::new(heading, is_number, cells)
        };
        let mut columns = vec![
            column("BOARD", false, &|board| Some(text::escape_to(board.key.as_ref(), KEY, Charset::Utf8))),
            column("PLAYERS", true, &|board| board.total.map(|total| total.to_string())),
            column("VERSION", true, &|board| board.version.as_ref().map(|version| shown(version.as_bytes()))),
            column("STATE", false, &|board| board.state.map(|state| state.name().into())),
            column("EXPIRES", false, &|board| board.ttl.map(expires)),
            column("PERIOD", false, &|board| period(&board.key)),
        ];
        let notes: Vec<String> = self.boards.iter().map(|board| self.note(board)).collect();
        if notes.iter().any(|note| !note.is_empty()) {
            columns.push(Column::new("", false, notes));
        }
        columns
    }

    fn note(&self, board: &Listed) -> String {
        if board.total.is_none() {
            return "the user may not read it".into();
        }
        if let Some(of) = self.belongs_to(board) {
            return format!("belongs to {}", text::escape_to(of.as_ref(), KEY, Charset::Utf8));
        }
        split_period(board.key.as_ref()).1.and_then(|period| period.remark()).unwrap_or_default().into()
    }

    /// The board among these that this set only accompanies.
    fn belongs_to(&self, board: &Listed) -> Option<Key> {
        belongs_to(&board.key).filter(|key| self.boards.iter().any(|other| other.key == *key))
    }

    fn shape(&self, board: &Listed) -> Shape {
        Shape {
            board: JsonBytes(board.key.as_ref().to_vec()),
            total: board.total,
            version: board.version.as_ref().map(version),
            state: board.state.map(State::name),
            ttl_ms: board.ttl.and_then(Ttl::milliseconds),
            period: period(&board.key),
            belongs_to: self.belongs_to(board).map(|key| JsonBytes(key.as_ref().to_vec())),
        }
    }
}

/// When a board is gone, in the two largest units.
fn expires(ttl: Ttl) -> String {
    let Some(ms) = ttl.milliseconds() else { return "never".into() };
    let left = Duration::from_secs(ms.div_ceil(1000));
    // The two largest units: what is smaller than an hour is not told of days, nor seconds of hours.
    let unit = [30 * 24 * 60 * 60, 24 * 60 * 60, 60 * 60, 60].into_iter().find(|unit| left.as_secs() >= unit * 24);
    let coarse = unit.map_or(left, |unit| Duration::from_secs(left.as_secs() / unit * unit));
    format!("in {}", text::duration(coarse))
}

fn period(key: &Key) -> Option<String> {
    split_period(key.as_ref()).1.map(|period| period.to_string())
}

#[derive(Serialize)]
struct Shape {
    board: JsonBytes,
    total: Option<u64>,
    version: Option<JsonBytes>,
    state: Option<&'static str>,
    ttl_ms: Option<u64>,
    period: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    belongs_to: Option<JsonBytes>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(boards: &[Listed], keys: Option<u64>, format: ListFormat) -> String {
        let mut out = Vec::new();
        Boards { boards, keys }.write(format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn boards() -> [Listed; 3] {
        [
            Listed {
                key: b"\x1b\xff".as_slice().into(),
                total: None,
                version: Some(b"\xff".to_vec().into()),
                state: None,
                ttl: None,
            },
            Listed { key: "b".into(), total: Some(1), version: None, state: None, ttl: Some(Ttl::Forever) },
            Listed {
                key: "lb:{spring}:2026-W41".into(),
                total: Some(12_345),
                version: Some("1284".into()),
                state: Some(State::Closed),
                ttl: Some(Ttl::Milliseconds(187_299_001)),
            },
        ]
    }

    #[test]
    fn the_shape_of_the_contract() {
        assert_eq!(
            written(&boards(), Some(9), ListFormat::Json),
            concat!(
                r#"[{"board":{"base64":"G/8="},"total":null,"version":{"base64":"/w=="},"state":null,"ttl_ms":null,"period":null},"#,
                r#"{"board":"b","total":1,"version":null,"state":null,"ttl_ms":null,"period":null},"#,
                r#"{"board":"lb:{spring}:2026-W41","total":12345,"version":"1284","state":"closed","ttl_ms":187299001,"period":"2026-W41"}]"#,
                "\n"
            )
        );
        assert_eq!(written(&[], Some(9), ListFormat::Json), "[]\n");
    }

    #[test]
    fn a_table() {
        let plain = ListFormat::Table { color: false };
        assert_eq!(
            written(&boards(), Some(9), plain),
            "  BOARD                 PLAYERS  VERSION  STATE   EXPIRES       PERIOD\n\
             \x20 \\e\\xff                      -     \\xff  -       -             -         the user may not read it\n\
             \x20 b                           1        -  -       never         -\n\
             \x20 lb:{spring}:2026-W41    12345     1284  closed  in 2 days 4h  2026-W41\n\
             3 boards · 9 keys looked at\n"
        );
        assert_eq!(written(&boards()[1..2], None, plain).lines().last(), Some("1 board"));
        assert_eq!(written(&[], Some(1), plain), "0 boards · 1 key looked at\n");
    }

    #[test]
    fn colour_changes_no_text() {
        let painted = written(&boards(), Some(9), ListFormat::Table { color: true });
        let plain = painted.replace("\x1b[2m", "").replace("\x1b[0m", "");
        assert_ne!(plain, painted);
        assert_eq!(plain, written(&boards(), Some(9), ListFormat::Table { color: false }));
    }
}
