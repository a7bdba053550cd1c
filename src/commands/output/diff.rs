//! What differs between two boards: as a table, as one JSON object, or as CSV. Rows come bit by bit, for there may be
//! millions of them.

use std::cmp::Ordering;
use std::io::{self, Write};

use csv::{Terminator, WriterBuilder};
use serde::Serialize;
use serde_json::ser::Serializer;

use super::Format;
use super::columns::{BOLD, Column, DIM, YELLOW, line, paint, shown};
use super::csv::push_cell;
use super::json::{Harmless, version};
use crate::board::bytes::{JsonBytes, JsonSlice};
use crate::board::diff::{Counts, Difference, Pair, Placed};
use crate::board::keys::Key;
use crate::board::names::Name;
use crate::board::order::Order;
use crate::board::rank::{Rank, RankStyle};
use crate::board::score::Score;
use crate::board::version::Version;
use crate::commands::consistency::Moments;

/// One of the two boards, as it was read.
#[derive(Clone, Debug)]
pub struct Seen {
    key: Key,
    total: u64,
    /// At the first page, and at the last one.
    versions: [Option<Version>; 2],
    /// `None` where it cannot be told.
    is_one_moment: Option<bool>,
}

impl Seen {
    pub(in crate::commands) fn new(key: Key, moments: &Moments) -> Self {
        let versions = moments.versions().map(Option::<&Version>::cloned);
        Self { key, total: moments.total(), versions, is_one_moment: moments.is_one() }
    }
}

/// A member that differs, with its name.
#[derive(Clone, Debug)]
pub struct Row {
    pub pair: Pair,
    pub name: Option<Name>,
}

/// All that is printed but for the rows.
#[derive(Clone, Debug)]
pub struct Report {
    pub from: Seen,
    pub to: Seen,
    pub order: Order,
    pub style: RankStyle,
    /// Only rows with this rank or a better one were compared.
    pub top: Option<u64>,
    pub counts: Counts,
    pub format: Format,
}

impl Report {
    /// What stands before the rows.
    pub fn start(&self, out: &mut impl Write) -> io::Result<()> {
        match self.format {
            Format::Table { color } => self.start_table(color, out),
            Format::Json => self.start_json(out),
            Format::Csv { .. } => {
                out.write_all(b"change,member,name,rank_from,rank_to,score_from,score_to,position_from,position_to\r\n")
            }
        }
    }

    /// Some rows more; `is_first`: none were printed before.
    pub fn rows(&self, rows: &[Row], is_first: bool, out: &mut impl Write) -> io::Result<()> {
        match self.format {
            Format::Table { color } => self.table_rows(rows, is_first, color, out),
            Format::Json => self.json_rows(rows, is_first, out),
            Format::Csv { raw } => self.csv_rows(rows, raw, out),
        }
    }

    /// What stands behind them; `more` rows that differ are not printed.
    pub fn end(&self, more: u64, out: &mut impl Write) -> io::Result<()> {
        match self.format {
            Format::Table { color } => self.end_table(more, color, out)?,
            Format::Json => writeln!(out, "],\"more\":{more}}}")?,
            Format::Csv { .. } => {}
        }
        out.flush()
    }

    fn start_table(&self, color: bool, out: &mut impl Write) -> io::Result<()> {
        for (word, seen) in [("from", &self.from), ("to", &self.to)] {
            writeln!(out, "{}", paint(color, BOLD, &format!("{word:<4}  {}", headline(seen))))?;
        }
        let order = if self.order == Order::Desc { "high first" } else { "low first" };
        let top = self.top.map_or_else(String::new, |top| format!(" · ranks 1 to {top} only"));
        writeln!(out, "{}", paint(color, DIM, &format!("{order} · ranks {}{top}", self.style.example())))
    }

    fn table_rows(&self, rows: &[Row], is_first: bool, color: bool, out: &mut impl Write) -> io::Result<()> {
        let rank = |placed: Option<Placed>| placed.map_or_else(|| "-".into(), |placed| self.rank(placed).to_string());
        let score = |placed: Option<Placed>| placed.map_or_else(|| "-".into(), |placed| placed.score.to_string());
        let ids = || rows.iter().map(|row| shown(row.pair.member.as_bytes()));
        let names = ids().zip(rows).map(|(id, row)| row.name.as_ref().map_or(id, |name| shown(name)));
        let mut columns = vec![
            Column::new("CHANGE", false, rows.iter().map(|row| self.word(&row.pair).to_owned())),
            Column::new("RANK", true, rows.iter().map(|row| rank(row.pair.to))),
            Column::new("WAS", true, rows.iter().map(|row| rank(row.pair.from))),
            Column::new("MOVE", true, rows.iter().map(|row| self.movement(&row.pair))),
            Column::new("PLAYER", false, names),
        ];
        if rows.iter().any(|row| row.name.is_some()) {
            columns.push(Column::new("ID", false, ids()));
        }
        columns.push(Column::new("SCORE", true, rows.iter().map(|row| score(row.pair.to))));
        columns.push(Column::new("WAS", true, rows.iter().map(|row| score(row.pair.from))));
        if is_first {
            writeln!(out, "{}", paint(color, DIM, &line(&columns, 0)))?;
        }
        (1..=rows.len()).try_for_each(|index| writeln!(out, "{}", line(&columns, index)))
    }

    fn end_table(&self, more: u64, color: bool, out: &mut impl Write) -> io::Result<()> {
        if more > 0 {
            let text = format!("{more} more differ: --limit N prints more of them, --format csv all");
            writeln!(out, "{}", paint(color, DIM, &text))?;
        }
        let Counts { equal, entered, left, changed, changed_and_moved, moved } = self.counts;
        if self.counts.different() == 0 {
            let is_one = [&self.from, &self.to].iter().all(|seen| seen.is_one_moment != Some(false));
            let text = format!("nothing differs · {equal} equal{}", if is_one { "" } else { " · CHANGED ON THE WAY" });
            return writeln!(out, "{}", paint(color, if is_one { DIM } else { YELLOW }, &text));
        }
        let both = if changed_and_moved > 0 { format!(" ({changed_and_moved} in rank, too)") } else { String::new() };
        let text = format!(
            "{entered} entered · {left} left · {changed} changed in score{both} · {moved} moved in rank alone · {equal} equal"
        );
        writeln!(out, "{}", paint(color, BOLD, &text))
    }

    fn start_json(&self, out: &mut impl Write) -> io::Result<()> {
        let shape = ReportShape {
            board: JsonSlice(self.from.key.as_ref()),
            other: JsonSlice(self.to.key.as_ref()),
            order: self.order,
            rank_style: self.style,
            top: self.top,
            from: SeenShape::of(&self.from),
            to: SeenShape::of(&self.to),
            counts: self.counts.into(),
        };
        let mut text = Vec::new();
        shape.serialize(&mut Serializer::with_formatter(&mut text, Harmless))?;
        // The object goes on with its rows.
        text.truncate(text.len() - 1);
        text.extend_from_slice(b",\"rows\":[");
        out.write_all(&text)
    }

    fn json_rows(&self, rows: &[Row], is_first: bool, out: &mut impl Write) -> io::Result<()> {
        for (index, row) in rows.iter().enumerate() {
            if index > 0 || !is_first {
                out.write_all(b",")?;
            }
            let place = |placed: Placed| PlaceShape {
                position: placed.standing.position,
                rank: self.rank(placed),
                score: placed.score,
                tied: placed.standing.tied,
            };
            let shape = RowShape {
                change: self.word(&row.pair),
                member: JsonSlice(row.pair.member.as_bytes()),
                name: row.name.as_ref().map(|name| JsonSlice(name)),
                from: row.pair.from.map(place),
                to: row.pair.to.map(place),
            };
            shape.serialize(&mut Serializer::with_formatter(&mut *out, Harmless))?;
        }
        Ok(())
    }

    fn csv_rows(&self, rows: &[Row], raw: bool, out: &mut impl Write) -> io::Result<()> {
        let mut csv = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
        let cell = |bytes: &[u8]| {
            let mut text = String::new();
            push_cell(&mut text, bytes, raw);
            text
        };
        for Row { pair, name } in rows {
            let both = |of: &dyn Fn(Placed) -> String| [pair.from, pair.to].map(|at| at.map_or_else(String::new, of));
            let [rank_from, rank_to] = both(&|placed| self.rank(placed).to_string());
            let [score_from, score_to] = both(&|placed| placed.score.to_string());
            let [position_from, position_to] = both(&|placed| placed.standing.position.to_string());
            let name = name.as_ref().map_or_else(String::new, |name| cell(name));
            let record = [
                self.word(pair).to_owned(),
                cell(pair.member.as_bytes()),
                name,
                rank_from,
                rank_to,
                score_from,
                score_to,
                position_from,
                position_to,
            ];
            csv.write_record(&record).map_err(io::Error::other)?;
        }
        out.write_all(&csv.into_inner().map_err(|error| io::Error::other(error.to_string()))?)
    }

    fn rank(&self, placed: Placed) -> Rank {
        placed.standing.rank(self.style)
    }

    fn word(&self, pair: &Pair) -> &'static str {
        pair.difference(self.style).map_or("equal", Difference::name)
    }

    fn movement(&self, pair: &Pair) -> String {
        let (Some(from), Some(to)) = (pair.from, pair.to) else { return String::new() };
        match self.rank(to).places_from(self.rank(from)) {
            Some((Ordering::Less, places)) => format!("▲{places}"),
            Some((Ordering::Greater, places)) => format!("▼{places}"),
            _ => String::new(),
        }
    }
}

fn headline(seen: &Seen) -> String {
    let text = |seen: &Option<Version>| seen.as_ref().map_or_else(|| "none".to_owned(), |seen| shown(&version(seen).0));
    let players = if seen.total == 1 { "1 player".into() } else { format!("{} players", seen.total) };
    let [first, last] = &seen.versions;
    let moment = match (seen.is_one_moment, first) {
        (Some(true), _) => format!("version {}", text(first)),
        (Some(false), _) if first != last => format!("CHANGED ON THE WAY: versions {}…{}", text(first), text(last)),
        (Some(false), _) => "CHANGED ON THE WAY".to_owned(),
        (None, None) => "no version: whether it changed on the way cannot be told".to_owned(),
        (None, Some(_)) => format!("version {} · NOT VERIFIED: may be of different moments", text(first)),
    };
    format!("{} · {players} · {moment}", shown(seen.key.as_ref()))
}

#[derive(Serialize)]
struct ReportShape<'a> {
    board: JsonSlice<'a>,
    other: JsonSlice<'a>,
    order: Order,
    rank_style: RankStyle,
    top: Option<u64>,
    from: SeenShape,
    to: SeenShape,
    counts: CountsShape,
}

#[derive(Serialize)]
struct SeenShape {
    version: Option<JsonBytes>,
    last_version: Option<JsonBytes>,
    total: u64,
    one_moment: Option<bool>,
}

impl SeenShape {
    fn of(seen: &Seen) -> Self {
        let [first, last] = seen.versions.each_ref().map(|seen| seen.as_ref().map(version));
        Self { version: first, last_version: last, total: seen.total, one_moment: seen.is_one_moment }
    }
}

#[derive(Serialize)]
struct CountsShape {
    equal: u64,
    entered: u64,
    left: u64,
    changed: u64,
    changed_and_moved: u64,
    moved: u64,
}

impl From<Counts> for CountsShape {
    fn from(counts: Counts) -> Self {
        let Counts { equal, entered, left, changed, changed_and_moved, moved } = counts;
        Self { equal, entered, left, changed, changed_and_moved, moved }
    }
}

#[derive(Serialize)]
struct RowShape<'a> {
    change: &'static str,
    member: JsonSlice<'a>,
    name: Option<JsonSlice<'a>>,
    from: Option<PlaceShape>,
    to: Option<PlaceShape>,
}

#[derive(Serialize)]
struct PlaceShape {
    position: u64,
    rank: Rank,
    score: Score,
    tied: u64,
}
