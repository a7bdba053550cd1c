//! The table: the rows in sight, each with its rank, its tie bracket and how it moved. Text is made for rows in sight
//! alone; a page of a thousand members of a megabyte costs what its visible columns cost.

use ratatui::style::Style;

use crate::app::geometry::Geometry;
use crate::app::page::Shown;
use crate::app::state::State;
use crate::board::foreign::hints::common_prefix;
use crate::board::movement::Movement;
use crate::board::names::Name;
use crate::board::rank::{RankStyle, Standing};
use crate::text::{columns, count, escape_to, fit, group_digits};
use crate::view::Appearance;
use crate::view::canvas::Canvas;
use crate::view::columns::{Columns, Needs, Span};
use crate::view::format::{bytes, marks, name_or_id};
use crate::view::parts::{ScoreCells, gap};
use crate::view::theme::Glyphs;

/// Columns of an id at most: those of a UUID.
const ID: usize = 36;

/// A row in sight.
struct Row<'a> {
    index: usize,
    standing: Standing,
    rank: String,
    member: &'a [u8],
    /// So many bytes of the member are those of all members of the window.
    common: usize,
    name: Option<&'a Name>,
    score: String,
    /// The score, where there is no room for all of its parts.
    lead: String,
    gap: String,
}

/// Draws the heads of the columns and the rows in sight.
pub(super) fn draw(canvas: &mut Canvas, geometry: &Geometry, state: &State) {
    let Some(shown) = &state.session.shown else { return };
    let (mut rows, mut head, lead_head) = rows(state, shown, usize::from(geometry.rows), canvas.look);
    let mut columns = Columns::of(canvas.width(), &needs(state, shown, &rows, &head, canvas.look));
    if columns.position.is_none() && shown.window.scoring.spec().is_some() {
        // Parts give way before the columns that say where a row stands.
        head = lead_head;
        for row in &mut rows {
            row.score = std::mem::take(&mut row.lead);
        }
        columns = Columns::of(canvas.width(), &needs(state, shown, &rows, &head, canvas.look));
    }
    if geometry.has_heads {
        heads(canvas, geometry.table_top().saturating_sub(1), &columns, &head);
    }
    for (line, row) in (geometry.table_top()..).zip(&rows) {
        let is_at_edge = (row.index == rows[0].index, row.index + 1 == rows[0].index + rows.len());
        draw_row(canvas, line, &columns, row, state, is_at_edge);
        if state.session.is_missing {
            canvas.fade(line, canvas.look.theme.dim);
        }
        if row.index == shown.selected {
            canvas.lay_under(line, canvas.look.theme.selected);
        }
    }
}

/// The rows in sight, of at most `lines` lines; the head of their scores, with all parts and with the lead alone.
fn rows<'a>(state: &'a State, shown: &'a Shown, lines: usize, look: &Appearance) -> (Vec<Row<'a>>, String, String) {
    let entries = &shown.window.entries;
    let scores: Vec<_> = entries.iter().skip(shown.scroll).take(lines).map(|entry| entry.score).collect();
    let ScoreCells { head, cells, lead_head, leads } = ScoreCells::of(shown, &scores, &look.zone);
    let common = common_prefix(entries.iter().map(|entry| &entry.member));
    let in_sight = entries.iter().zip(shown.window.standings()).enumerate().skip(shown.scroll).take(lines);
    let rows = in_sight
        .zip(cells.into_iter().zip(leads))
        .map(|((index, (entry, standing)), (score, lead))| {
            let above = index.checked_sub(1).and_then(|above| entries.get(above));
            Row {
                index,
                standing,
                rank: group_digits(&standing.rank(state.style).to_string(), ',') + mark(shown, index),
                member: entry.member.as_bytes(),
                common,
                name: state.names.get(&entry.member),
                score,
                lead,
                gap: above.map_or_else(String::new, |above| gap(&shown.window, entry.score, above.score, &look.zone)),
            }
        })
        .collect();
    (rows, head, lead_head)
}

/// What a rank that is not exact is marked by.
fn mark(shown: &Shown, index: usize) -> &'static str {
    shown.window.parts.as_ref().map_or("", |spread| spread.mark_of(index))
}

fn needs(state: &State, shown: &Shown, rows: &[Row], head: &str, look: &Appearance) -> Needs {
    let total = count(shown.window.total).len();
    let halves = if state.style == RankStyle::Fractional { 2 } else { 0 };
    let marks = usize::from(rows.iter().any(|row| !mark(shown, row.index).is_empty()));
    let widest = |width: &dyn Fn(&Row) -> usize| narrow(rows.iter().map(width).max().unwrap_or(0));
    let has_names = state.names.has_names();
    Needs {
        rank: narrow(total + halves + marks),
        rank_in_sight: widest(&|row| row.rank.len()),
        id: has_names.then(|| widest(&|row| columns(&escape_to(row.member, ID, look.charset)))),
        score: widest(&|row| columns(&row.score)).max(narrow(columns(head))),
        gap: widest(&|row| row.gap.len()),
        position: narrow(total),
    }
}

fn narrow(width: usize) -> u16 {
    u16::try_from(width).unwrap_or(u16::MAX)
}

fn heads(canvas: &mut Canvas, line: u16, columns: &Columns, head: &str) {
    let style = canvas.look.theme.heading;
    let mut right = |span: Option<Span>, head: &str| {
        if let Some(span) = span {
            let head = fit(head, span.width(), canvas.look.charset).into_owned();
            canvas.put_right(span.start, span.end, line, &head, style);
        }
    };
    right(Some(columns.rank), if columns.rank.width() < "RANK".len() { "#" } else { "RANK" });
    right(columns.movement, "MOVE");
    right(Some(columns.score), head);
    right(columns.gap, "GAP");
    right(columns.position, "POS");
    canvas.put(columns.player.start, columns.player.end, line, "PLAYER", style);
    if let Some(id) = columns.id {
        canvas.put(id.start, id.end, line, "ID", style);
    }
}

fn draw_row(canvas: &mut Canvas, line: u16, columns: &Columns, row: &Row, state: &State, is_at_edge: (bool, bool)) {
    let (theme, charset) = (&canvas.look.theme, canvas.look.charset);
    if let Some(bracket) = bracket(&row.standing, is_at_edge, canvas.glyphs()) {
        canvas.put(columns.bracket, columns.rank.start, line, bracket, theme.tie);
    }
    let (podium, name_style) = match row.standing.better {
        0 => (Some(theme.gold), theme.strong),
        1 => (Some(theme.silver), theme.strong),
        2 => (Some(theme.bronze), theme.strong),
        _ => (None, theme.text),
    };
    number(canvas, columns.rank, line, &marks(&row.rank, charset), podium.unwrap_or(theme.text));
    if let Some(span) = columns.movement
        && let Some((text, style)) = movement(canvas, state, row)
    {
        canvas.put_right(span.start, span.end, line, &text, style);
    }
    let player = name_or_id(row.name.map(|name| &**name), row.member, columns.player.width(), charset);
    canvas.put(columns.player.start, columns.player.end, line, &player, name_style);
    let common = escape_to(&row.member[..row.common], columns.player.width(), charset);
    if row.name.is_none() && player.starts_with(&*common) {
        // What tells nobody apart stands back.
        canvas.put(columns.player.start, columns.player.end, line, &common, theme.dim);
    }
    if let Some(id) = columns.id {
        let text = bytes(row.member, id.width(), charset);
        canvas.put(id.start, id.end, line, &text, theme.id);
    }
    // Digits before commas: a score that does not fit loses its groups first.
    let bare = row.score.replace(',', "");
    let score = if row.score.len() > columns.score.width() { &bare } else { &row.score };
    let style = podium.unwrap_or(theme.strong);
    let entry = state.session.shown.as_ref().and_then(|shown| shown.window.entries.get(row.index));
    let is_marked = entry.is_some_and(|entry| state.session.moves.marked.contains(&entry.member));
    number(canvas, columns.score, line, score, if is_marked { style.patch(theme.changed) } else { style });
    if let Some(gap) = columns.gap {
        number(canvas, gap, line, &row.gap, theme.dim);
    }
    if let Some(position) = columns.position {
        number(canvas, position, line, &count(row.standing.position), theme.dim);
    }
}

/// Draws a number at the right of its column; one that is too wide is marked as cut.
fn number(canvas: &mut Canvas, span: Span, line: u16, text: &str, style: Style) {
    canvas.put_right(span.start, span.end, line, text, style);
}

/// The row's part of the bracket of its tie group, given whether the row is the first or the last in sight.
fn bracket(standing: &Standing, (is_first, is_last): (bool, bool), glyphs: &'static Glyphs) -> Option<&'static str> {
    let group = standing.tie_group()?;
    Some(match standing.position {
        position if position == group.first => glyphs.tie_top,
        position if position == group.last() => glyphs.tie_bottom,
        _ if is_first || is_last => glyphs.tie_past_edge,
        _ => glyphs.tie_middle,
    })
}

/// A figure in four columns at most: from 10,000 on in thousands, millions and so on, rounded down.
fn short(figure: u64) -> String {
    const UNITS: [(u64, &str); 6] = [
        (1_000_000_000_000_000_000, "E"),
        (1_000_000_000_000_000, "P"),
        (1_000_000_000_000, "T"),
        (1_000_000_000, "G"),
        (1_000_000, "M"),
        (1_000, "k"),
    ];
    match UNITS.iter().find(|(size, _)| figure >= 10_000 && figure >= *size) {
        None => figure.to_string(),
        Some((size, unit)) if figure / size < 10 => format!("{}.{}{unit}", figure / size, figure % size * 10 / size),
        Some((size, unit)) => format!("{}{unit}", figure / size),
    }
}

fn movement(canvas: &Canvas, state: &State, row: &Row) -> Option<(String, Style)> {
    let shown = state.session.shown.as_ref()?;
    let theme = &canvas.look.theme;
    let glyphs = canvas.glyphs();
    let moved = state.session.moves.moved.get(&shown.window.entries.get(row.index)?.member)?;
    Some(match moved {
        Movement::Up(by) => (format!("{} {}", glyphs.up, short(*by)), theme.up),
        Movement::Down(by) => (format!("{} {}", glyphs.down, short(*by)), theme.down),
        Movement::New => ("new".to_owned(), theme.new),
    })
}
