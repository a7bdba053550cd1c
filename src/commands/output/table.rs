//! A page as a table for people: what it is of, its rows in aligned columns with ties bracketed, what moved, and how to
//! go on. Every text is drawn escaped; digits are never grouped, so that a number can be copied.

use std::borrow::Cow;
use std::io::{self, Write};

use super::Sheet;
use super::columns::{BOLD, CYAN, Column, DIM, YELLOW, line, paint, shown};
use super::parts::{self, ranked_on};
use crate::board::drift::Drift;
use crate::board::keys::Board;
use crate::board::order::Order;
use crate::board::rank::{RankStyle, Standing};
use crate::board::sharded::vector;
use crate::board::version::Version;
use crate::board::window::Window;
use crate::commands::text;
use crate::commands::text::Charset;
use crate::query::page::DENSE_BOUND;

pub(super) fn write(sheet: &Sheet<'_>, color: bool, out: &mut impl Write) -> io::Result<()> {
    let headline = headline(sheet.board, sheet.window, sheet.style);
    writeln!(out, "{}", paint(color, BOLD, &headline))?;
    let columns = columns(sheet);
    if !sheet.window.is_empty() {
        writeln!(out, " {}", paint(color, DIM, &line(&columns, 0)))?;
    }
    for (index, standing) in sheet.window.standings().enumerate() {
        let mark = paint_mark(color, tie_mark(sheet.window, index, &standing));
        writeln!(out, "{mark}{}", line(&columns, index + 1))?;
    }
    if let Some(note) = dense_note(sheet.style, sheet.window.standings()) {
        writeln!(out, "{}", paint(color, DIM, &note))?;
    }
    if let Some(drift) = sheet.drift {
        let style = if drift.has_moved() { YELLOW } else { DIM };
        writeln!(out, "{}", paint(color, style, &drift_line(drift)))?;
    }
    writeln!(out, "{}", paint(color, DIM, &footer(sheet)))
}

/// What the table is of.
pub(super) fn headline(board: &Board, window: &Window, style: RankStyle) -> String {
    let mut parts = vec![text::escape(board.key.as_ref(), Charset::Utf8)];
    parts.extend(window.meta.title.as_ref().map(|title| shown(title)));
    parts.extend(window.version.as_ref().map(|version| {
        let text = vector::sum(version).map_or_else(|| shown(version.as_bytes()), |sum| format!("Σ{sum}"));
        format!("version {text}")
    }));
    parts.push(if window.total == 1 { "1 player".into() } else { format!("{} players", window.total) });
    parts.push(if window.order == Order::Desc { "high first" } else { "low first" }.into());
    parts.push(format!("ranks {}{}", style.example(), ranked_on(&window.scoring, window.order)));
    parts.extend(window.meta.state.map(|state| state.name().to_owned()));
    parts.extend(window.scoring.grain(window.entries.iter().map(|entry| entry.score)));
    if let Some(spread) = &window.parts {
        parts.push(format!("{} shards", spread.versions.len()));
        parts.extend(spread.lost.iter().map(|lost| format!("NO ANSWER from shard {}: {}", lost.part, lost.why)));
    }
    let error = window.parts.as_ref().and_then(|spread| spread.error()).filter(|error| *error > 0);
    if let Some(error) = error {
        parts.push(format!("NOT EXACT: ranks ±{error}"));
    } else if !window.verified {
        parts.push("NOT VERIFIED: its parts may be of different moments".into());
    }
    parts.join(" · ")
}

/// Why ranks are missing, where dense ones are.
pub(super) fn dense_note(style: RankStyle, standings: impl IntoIterator<Item = Standing>) -> Option<String> {
    let is_short = standings.into_iter().any(|standing| !standing.rank(style).is_counted());
    is_short.then(|| {
        format!("dense ranks are counted up to {DENSE_BOUND} distinct scores above a page; past it they are -")
    })
}

fn columns(sheet: &Sheet<'_>) -> Vec<Column> {
    let entries = &sheet.window.entries;
    let ids = || entries.iter().map(|entry| shown(entry.member.as_bytes()));
    let names = ids().enumerate().map(|(index, id)| sheet.name(index).map_or(id, |name| shown(name)));
    let mark = |index: usize| sheet.window.parts.as_ref().map_or("", |spread| spread.mark_of(index));
    let ranks = sheet.window.standings().enumerate();
    let ranks = ranks.map(|(index, standing)| format!("{}{}", standing.rank(sheet.style), mark(index)));
    let positions = sheet.window.standings().map(|standing| standing.position.to_string());
    let mut columns = vec![Column::new("RANK", true, ranks), Column::new("PLAYER", false, names)];
    if sheet.names.iter().any(Option::is_some) {
        columns.push(Column::new("ID", false, ids()));
    }
    let scores: Vec<_> = entries.iter().map(|entry| entry.score).collect();
    columns.extend(parts::columns(&sheet.window.scoring, &scores));
    columns.push(Column::new("POS", true, positions));
    columns
}

/// The bracket around a tie group; broken at the edge of the window where the group goes on past it.
pub(super) fn tie_mark(window: &Window, index: usize, standing: &Standing) -> &'static str {
    let Some(group) = standing.tie_group() else { return " " };
    if standing.position == group.first {
        "┌"
    } else if standing.position == group.last() {
        "└"
    } else if index == 0 || standing.position == window.end() {
        "┆"
    } else {
        "│"
    }
}

/// The same in its colour.
pub(super) fn paint_mark(color: bool, mark: &str) -> Cow<'_, str> {
    paint(color && mark != " ", CYAN, mark)
}

fn drift_line(drift: &Drift) -> String {
    let version = |version: Option<&Version>| {
        version.map_or_else(|| "no version".into(), |version| format!("v{}", shown(version.as_bytes())))
    };
    let (from, to) = (drift.from_version.as_ref(), drift.to_version.as_ref());
    let versions =
        if from.or(to).is_some() { format!(" {} → {}", version(from), version(to)) } else { String::new() };
    let boundary = match (drift.boundary_from, drift.shift()) {
        (Some(from), Some(shift)) if shift != 0 => {
            format!("boundary moved {from} → {} ({shift:+})", drift.boundary_to)
        }
        (Some(_), _) => format!("boundary still {}", drift.boundary_to),
        (None, _) => format!("boundary now {}, where it was is not known", drift.boundary_to),
    };
    format!("Board changed{versions} · {boundary}")
}

fn footer(sheet: &Sheet<'_>) -> String {
    let window = sheet.window;
    let rows = if window.is_empty() {
        format!("no rows at {} of {}", window.start, window.total)
    } else {
        format!("rows {}-{} of {}", window.start, window.end(), window.total)
    };
    match sheet.next() {
        Some(next) => format!("{rows} · next: --after {}", next.encode()),
        None if window.is_empty() => rows,
        None => format!("{rows} · last page"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::tests::Sample;
    use super::*;

    const PLAIN: Format = Format::Table { color: false };

    #[test]
    fn names_ties_and_the_way_on() {
        let sample = Sample::spring();
        let next = sample.sheet().next().unwrap().encode();
        assert_eq!(
            sample.written(PLAIN),
            format!(
                "lb:{{spring}}:2026-W41 · version 1284 · 4 players · high first · ranks 1 2 2 4 · open\n\
                 \x20  RANK  PLAYER        ID      SCORE  POS\n\
                 \x20     1  Ada Lovelace  u:1000   1050    1\n\
                 ┌     2  u:1002        u:1002    980    2\n\
                 rows 1-2 of 4 · next: --after {next}\n"
            )
        );
    }

    #[test]
    fn a_plain_board_has_no_id_column_and_a_group_is_open_where_it_goes_on() {
        let mut sample = Sample::new("b", &[(b"c", 7.0), (b"b", 7.0), (b"a", 7.0)]);
        sample.window.start = 3;
        sample.window.total = 6;
        sample.window.better_than_first = 1;
        sample.window.through_last = 6;
        sample.window.version = None;
        assert!(sample.written(PLAIN).starts_with("b · 6 players · high first"), "no version is nothing to tell of");
        assert_eq!(
            sample.written(PLAIN).lines().skip(1).take(4).collect::<Vec<_>>(),
            [
                "   RANK  PLAYER  SCORE  POS",
                "┆     2  c           7    3",
                "│     2  b           7    4",
                "┆     2  a           7    5"
            ]
        );
    }

    #[test]
    fn drift_no_rows_not_verified_and_uncounted_ranks_are_said() {
        let mut sample = Sample::new("b", &[(b"a", 1.0)]);
        sample.window.verified = false;
        sample.style = RankStyle::Dense;
        sample.window.distinct_better = None;
        sample.drift = Some(Drift {
            from_version: Some("41".into()),
            to_version: Some("44".into()),
            boundary_from: Some(20),
            boundary_to: 22,
        });
        let text = sample.written(PLAIN);
        assert!(text.contains("NOT VERIFIED") && text.contains("up to 1000 distinct scores"), "{text}");
        assert!(text.contains("Board changed v41 → v44 · boundary moved 20 → 22 (+2)\n"), "{text}");
        assert!(text.ends_with("rows 1-1 of 1 · last page\n"), "{text}");
        sample.window.entries.clear();
        sample.window.start = 9;
        assert!(sample.written(PLAIN).ends_with("no rows at 9 of 1\n"));
    }

    #[test]
    fn drift_says_only_what_is_known() {
        let drift = |from: Option<&str>, boundary_from| Drift {
            from_version: from.map(Version::from),
            to_version: None,
            boundary_from,
            boundary_to: 20,
        };
        assert_eq!(drift_line(&drift(None, Some(21))), "Board changed · boundary moved 21 → 20 (-1)");
        assert_eq!(drift_line(&drift(Some("4"), Some(20))), "Board changed v4 → no version · boundary still 20");
        assert!(drift_line(&drift(Some("4"), None)).ends_with("boundary now 20, where it was is not known"));
    }

    #[test]
    fn hostile_and_wide_texts_keep_the_columns() {
        let long = vec![b'x'; 1_000_000];
        let rows: [(&[u8], f64); 5] =
            [(b"\x1b[2J\n", 5.0), ("漢字".as_bytes(), 4.0), (b"\xff", 3.0), (&long, 2.0), (b"a", 1.0)];
        let text = Sample::new("a\nb", &rows).written(PLAIN);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 8, "{text}");
        assert!(!text.replace('\n', "").contains(char::is_control));
        let widths: Vec<_> = lines[1..7].iter().map(|line| text::columns(line)).collect();
        assert!(widths.iter().all(|width| *width == widths[0]), "{widths:?}\n{text}");
        assert!(widths[0] < 80);
    }

    #[test]
    fn colour_changes_no_text() {
        let coloured = Sample::spring().written(Format::Table { color: true });
        let mut plain = coloured.clone();
        for code in ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[36m"] {
            assert!(plain.contains(code));
            plain = plain.replace(code, "");
        }
        assert_eq!(plain, Sample::spring().written(PLAIN));
    }
}
