//! The banner: what moved between two pages, else which period has begun. Its numbers are the last to go as the screen gets narrow.

use crate::app::geometry::Geometry;
use crate::app::keymap::{Action, Key, binding};
use crate::app::page::banner::Banner;
use crate::app::settings::Paging;
use crate::app::state::State;
use crate::board::drift::Drift;
use crate::board::packed::Spec;
use crate::board::period::Period;
use crate::text::{Charset, count};
use crate::view::canvas::Canvas;
use crate::view::format::{counted, marks, version};
use crate::view::segments;
use crate::view::segments::{Piece, room, width};

/// Draws the banner, where there is one, on the last of its lines.
pub(super) fn draw(canvas: &mut Canvas, geometry: &Geometry, state: &State) {
    if geometry.banner == 0 {
        return;
    }
    let (charset, theme) = (canvas.look.charset, &canvas.look.theme);
    let line = geometry.table_top() + geometry.rows + geometry.banner - 1;
    let (style, forms) = match (&state.session.banner, state.session.rollover.offered()) {
        (None, None) if state.packing.suggestion.is_empty() => return,
        (None, None) => (theme.banner_info, suggested(&state.packing.suggestion)),
        (None, Some(period)) => (theme.banner_info, begun(period)),
        (Some(Banner::Changed { drift, shift, is_forward }), _) => {
            // By position it counts how far the edge has moved, by cursor what came into what was read.
            let shift = if state.paging == Paging::Cursor { *shift } else { drift.shift().unwrap_or_default() };
            let style = if shift == 0 { theme.banner_info } else { theme.banner_warn };
            (style, changed(drift, (shift, *is_forward), state.paging, charset))
        }
        (Some(Banner::Unversioned), _) => (theme.banner_info, unversioned()),
    };
    let sides = |(left, right): &(String, String)| {
        let piece = |words: &str| Piece::new(marks(words, charset), style);
        (vec![piece(left)], vec![piece(right)])
    };
    let room = room(canvas.width());
    // The first form that fits with its keys; else the first that fits without keys; else the shortest, cut.
    let with_keys = forms.iter().map(sides);
    let mut alone = forms.iter().map(|form| (sides(form).0, Vec::new()));
    let fits = |(left, right): &(Vec<Piece>, Vec<Piece>)| {
        let between = if right.is_empty() { 0 } else { 2 };
        width(left) + between + width(right) <= room
    };
    let chosen = with_keys.chain(alone.clone()).find(fits).or_else(|| alone.next_back());
    if let Some((left, right)) = chosen {
        segments::draw(canvas, line, &left, &right);
        canvas.lay_under(line, style);
    }
}

/// What changed, from the longest form to the shortest, each with the keys beside it.
fn changed(drift: &Drift, (shift, is_forward): (i64, bool), paging: Paging, charset: Charset) -> Vec<(String, String)> {
    let from = version(drift.from_version.as_ref(), charset);
    let to = version(drift.to_version.as_ref(), charset);
    let versions = match (&drift.from_version, &drift.to_version) {
        (None, None) => String::new(),
        _ => format!("{from} → {to}"),
    };
    let sign = match shift {
        0 => "",
        1.. => "▲ ",
        _ => "▼ ",
    };
    let (long, short, bare) = match paging {
        Paging::Cursor => boundary(drift, shift, is_forward),
        Paging::Position => (rows(drift, is_forward), rows(drift, is_forward), rows(drift, is_forward)),
    };
    let board = if versions.is_empty() { "Board changed".to_owned() } else { format!("Board changed {versions}") };
    let mut forms = vec![
        (format!("{sign}{board} · {long}"), keys([" refresh", " first page", " keep"])),
        (format!("{sign}{board} · {short}"), keys([" refresh", " first", ""])),
        (format!("{sign}{board} · {short}"), keys(["", "", ""])),
    ];
    if long != short {
        // Where the row went is worth more than what the keys do.
        let lead = if versions.is_empty() { &board } else { &versions };
        let shorter = [&board, lead].map(|lead| (format!("{sign}{lead} · {long}"), keys(["", "", ""])));
        forms.splice(1..1, shorter);
    }
    if !versions.is_empty() {
        forms.push((format!("{sign}{versions} · {short}"), keys(["", "", ""])));
    }
    forms.push((format!("{sign}{short}"), keys(["", "", ""])));
    if bare != short {
        forms.push((format!("{sign}{bare}"), keys(["", "", ""])));
    }
    forms
}

/// What moved over the edge of the page that was left: in full, short, and in numbers alone.
fn boundary(drift: &Drift, shift: i64, is_forward: bool) -> (String, String, String) {
    let side = if is_forward { "above you" } else { "below you" };
    if shift == 0 {
        let words = format!("nothing moved {side}");
        return (words.clone(), words.clone(), words);
    }
    let way = if shift > 0 { "in" } else { "out" };
    let moved = format!("{} moved {way} {side}", count(shift.unsigned_abs()));
    // Going back, the edge is the first row of the page that was left.
    let row = |rows: u64| count(if is_forward { rows } else { rows + 1 });
    match drift.boundary_from {
        Some(from) if from != drift.boundary_to => {
            let (from, to) = (row(from), row(drift.boundary_to));
            (format!("row {from} is now row {to}: {moved}"), moved, format!("{from} → {to}"))
        }
        _ => (moved.clone(), moved.clone(), moved),
    }
}

/// How many rows a page turn by position repeated or skipped. Rows that come in above the place push rows down onto the
/// next page, where they are met again, and off the page before, where they are missed.
fn rows(drift: &Drift, is_forward: bool) -> String {
    match drift.shift() {
        None => "rows may be repeated or skipped".to_owned(),
        Some(0) => "no row repeated or skipped".to_owned(),
        Some(shift) => {
            format!(
                "{} {}",
                counted(shift.unsigned_abs(), "row"),
                if (shift > 0) == is_forward { "repeated" } else { "skipped" }
            )
        }
    }
}

/// A period has begun after that of the board.
fn begun(period: Period) -> Vec<(String, String)> {
    let keys = |open, keep| keys_of(&[(Action::NextPeriod, open), (Action::Close, keep)]);
    vec![
        (format!("Period {period} has begun"), keys(" open it", " keep")),
        (format!("{period} has begun"), keys(" open it", "")),
        (format!("{period} has begun"), keys("", "")),
    ]
}

/// A notation that the scores fit, or several.
fn suggested(specs: &[Spec]) -> Vec<(String, String)> {
    let texts: Vec<String> = specs.iter().map(ToString::to_string).collect();
    let specs = texts.join(" or ");
    let first = texts.first().cloned().unwrap_or_default();
    let keys =
        |take, copy, forget| keys_of(&[(Action::Follow, take), (Action::CopyCommand, copy), (Action::Close, forget)]);
    vec![
        (format!("scores look like {specs}"), keys(" takes it", " copies the option", " forgets it")),
        (format!("scores look like {specs}"), keys(" take", " copy", "")),
        (format!("scores look like {first}"), keys(" take", "", "")),
        (format!("looks like {first}"), keys("", "", "")),
    ]
}

fn unversioned() -> Vec<(String, String)> {
    let close = keys_of(&[(Action::Close, "")]);
    vec![
        ("watched by content: changes between pages are seen by the rows alone".to_owned(), close.clone()),
        ("watched by content: rows are compared".to_owned(), close.clone()),
        ("watched by content".to_owned(), close),
    ]
}

/// The keys that answer the banner, each followed by what it does.
fn keys([refresh, first, close]: [&str; 3]) -> String {
    keys_of(&[(Action::Refresh, refresh), (Action::First, first), (Action::Close, close)])
}

fn keys_of(actions: &[(Action, &str)]) -> String {
    let named = actions.iter().filter_map(|(action, words)| {
        let keys = binding(*action)?.keys;
        // Letters are shorter than the names of keys.
        let key = keys.iter().find(|press| matches!(press.key, Key::Char(_))).or(keys.first())?;
        Some(format!("{key}{words}"))
    });
    named.collect::<Vec<_>>().join("  ")
}
