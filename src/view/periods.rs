//! The list of a board's periods, over the lines between header and footer. What cannot be opened is dim and says why.

use std::borrow::Cow;
use std::time::Duration;

use crate::app::countdown::Left;
use crate::app::event::Moment;
use crate::app::geometry::Geometry;
use crate::app::periods::LIMIT;
use crate::app::periods::list::{Browse, Row, There, rows_in_sight};
use crate::app::state::State;
use crate::board::meta::Ttl;
use crate::query::listing::Listed;
use crate::text::count;
use crate::view::Appearance;
use crate::view::canvas::Canvas;
use crate::view::format::{marks, own, version};
use crate::view::lifecycle::span;
use crate::view::segments::within;

/// Columns of each column at most, from the left: period, players, state, version, life; the remark takes the rest.
const WIDTHS: [u16; 5] = [10, 13, 7, 16, 12];
/// Columns between two columns.
const BETWEEN: u16 = 2;
/// Columns that are kept for the remark before a column is left out.
const REMARK: u16 = 12;
/// The columns in the order in which they give way as the screen gets narrow; period and players never do.
const YIELDING: [usize; 3] = [3, 4, 2];
/// Columns of what a server said at most.
const QUOTED: usize = 400;

/// Draws the list. Returns which rows are in sight: from, to, of how many.
pub(super) fn draw(
    canvas: &mut Canvas,
    geometry: &Geometry,
    state: &State,
    list: &Browse,
    now: Moment,
) -> (usize, usize, usize) {
    let top = geometry.header;
    let end = canvas.height().saturating_sub(geometry.footer);
    canvas.clear(top..end);
    let rows = rows_in_sight(geometry);
    let within = within(canvas.width());
    let columns = columns(within.start, within.end);
    let look = canvas.look;
    let heads = ["PERIOD", "PLAYERS", "STATE", "VERSION", "EXPIRES"];
    for (index, head) in heads.into_iter().enumerate() {
        cell(canvas, &columns, index, top, head, look.theme.heading);
    }
    let first = list.scroll.min(list.rows.len().saturating_sub(rows));
    let mut line = top + 1;
    for (index, row) in list.rows.iter().enumerate().skip(first).take(rows) {
        draw_row(canvas, &columns, line, row, state, list, now);
        if index == list.selected {
            canvas.lay_under(line, look.theme.selected);
        }
        line += 1;
    }
    if line < end {
        let words = own(&last_words(list), QUOTED, look.charset);
        canvas.put(within.start, within.end, line, &words, look.theme.dim);
    }
    let to = (first + rows).min(list.rows.len());
    ((first + 1).min(to), to, list.rows.len())
}

/// Where each column is, if it is there, and where the remark begins and ends.
struct Columns {
    spans: [Option<(u16, u16)>; 5],
    remark: (u16, u16),
}

fn columns(start: u16, end: u16) -> Columns {
    let mut is_there = [true; 5];
    let width = |is_there: &[bool; 5]| -> u16 {
        WIDTHS.iter().zip(is_there).filter(|(_, is_there)| **is_there).map(|(width, _)| width + BETWEEN).sum()
    };
    for index in YIELDING {
        if width(&is_there) + REMARK > end.saturating_sub(start) {
            is_there[index] = false;
        }
    }
    let mut at = start;
    let spans = std::array::from_fn(|index| {
        is_there[index].then(|| {
            let span = (at.min(end), (at + WIDTHS[index]).min(end));
            at = span.1 + BETWEEN;
            span
        })
    });
    Columns { spans, remark: (at.min(end), end) }
}

/// Numbers stand at the right of their column.
fn cell(canvas: &mut Canvas, columns: &Columns, index: usize, line: u16, text: &str, style: ratatui::style::Style) {
    let Some((start, end)) = columns.spans.get(index).copied().flatten() else { return };
    if index == 1 {
        canvas.put_right(start, end, line, text, style);
    } else {
        canvas.put(start, end, line, text, style);
    }
}

fn draw_row(canvas: &mut Canvas, columns: &Columns, line: u16, row: &Row, state: &State, list: &Browse, now: Moment) {
    let look = canvas.look;
    let theme = &look.theme;
    let is_open = row.period == list.own;
    let (is_dim, listed) = match &row.there {
        There::Board(listed) => (row.refusal().is_some(), Some(listed)),
        There::NoSortedSet | There::Nothing => (true, None),
    };
    let (first, rest) = match (is_dim, is_open) {
        (true, _) => (theme.dim, theme.dim),
        (false, true) => (theme.accent, theme.text),
        (false, false) => (theme.strong, theme.text),
    };
    cell(canvas, columns, 0, line, &row.period.to_string(), first);
    if let Some(listed) = listed {
        let total = listed.total.map_or_else(|| "-".to_owned(), count);
        cell(canvas, columns, 1, line, &total, rest);
        cell(canvas, columns, 2, line, listed.state.map_or("", |state| state.name()), rest);
        if listed.version.is_some() {
            let text = version(listed.version.as_ref(), look.charset);
            cell(canvas, columns, 3, line, &text, rest);
        }
        let kept = kept(listed, now.saturating_sub(row.seen_at));
        cell(canvas, columns, 4, line, &kept, theme.dim);
    }
    let current = state.session.rollover.current.map(|span| span.period);
    let remarks = [
        (current == Some(row.period)).then_some("current"),
        is_open.then_some("open"),
        row.refusal(),
        (row.there == There::Nothing).then_some("no board yet"),
    ];
    let remarks: Vec<&str> = remarks.into_iter().flatten().collect();
    let style = if is_dim { theme.dim } else { theme.accent };
    let separator = marks(" · ", look.charset);
    canvas.put(columns.remark.0, columns.remark.1, line, &remarks.join(&separator), style);
}

/// How long the board is kept, `age` after it was looked at.
fn kept(listed: &Listed, age: Duration) -> String {
    match listed.ttl {
        Some(Ttl::Forever) => "never".to_owned(),
        Some(Ttl::Milliseconds(ms)) => span(Left::of(Duration::from_millis(ms).saturating_sub(age))),
        Some(Ttl::NoKey | Ttl::Unknown) | None => String::new(),
    }
}

/// How far the calendar has been looked at.
fn last_words(list: &Browse) -> Cow<'static, str> {
    if let Some(trouble) = &list.trouble {
        return format!("cannot look for periods: {trouble}").into();
    }
    match list.older {
        Some(older) if list.is_looking() => format!("searching back from {older} …").into(),
        Some(older) => format!("searched back to {}; ↓ searches further", older.next().unwrap_or(older)).into(),
        None if list.looked >= LIMIT => format!("stopped after {} periods", count(LIMIT as u64)).into(),
        None => "the calendar begins here".into(),
    }
}

/// What the footer says beside the rows in sight.
pub(super) fn in_sight(seen: (usize, usize, usize), look: &Appearance) -> String {
    let (from, to, all) = seen;
    let words = match all {
        0 => "no periods".to_owned(),
        _ => format!("periods {from}–{to} of {all}"),
    };
    marks(&words, look.charset).into_owned()
}
