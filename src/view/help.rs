//! The help screen: the live keymap in groups, and what the words and marks on the screen mean. It takes the lines
//! between the header and the footer, in two columns where the width allows.

use std::ops::Range;

use ratatui::style::Style;

use crate::app::geometry::Geometry;
use crate::app::keymap::{BINDINGS, Group};
use crate::app::state::State;
use crate::text::columns;
use crate::view::Appearance;
use crate::view::canvas::Canvas;
use crate::view::format::{marks, wrapped};
use crate::view::segments::within;

/// Two columns from this width on.
const TWO_FROM: u16 = 110;
/// Blanks between the two columns.
const BETWEEN: u16 = 3;
/// Columns of the keys beside their explanation, and on a screen too narrow for that.
const KEYS: usize = 15;
const KEYS_NARROW: usize = 8;
/// Below so many columns the keys get less room.
const NARROW: usize = 50;

const COLUMNS: &[(&str, &str)] = &[
    ("RANK", "counted over the whole board, never the page"),
    ("MOVE", "ranks risen (▲) or fallen (▼)"),
    ("new", "was not on this page at the read before"),
    ("bracket", "a tie group; broken at the edge of the page"),
    ("GAP", "distance to the next better score"),
    ("POS", "position: by score, then by id; not shared"),
    ("FROM, BELOW", "a bin includes FROM and excludes BELOW"),
    ("TOP", "where the best 1, 10, 25 or 50 % end"),
];

const STATES: &[(&str, &str)] = &[
    ("live", "every number is as of the version shown"),
    ("push, poll", "changes are announced, or polled for"),
    ("content", "rows are compared: no version to trust"),
    ("stale", "the last read failed; the page is old"),
    ("reconnecting", "no connection; the page is old"),
    ("unverified", "rows may be from different moments"),
];

const MOUSE: &[(&str, &str)] = &[("wheel", "up or down one row"), ("click", "select a row; Shift: select text")];

/// A line of the help: a word, what it means, and the style of the word.
type Line = (String, String, Style);

/// Draws the lines from `scrolled` on; clamped, so that the last screenful is full. Returns which lines are in sight:
/// from, to, of how many.
pub(super) fn draw(canvas: &mut Canvas, geometry: &Geometry, state: &State, scrolled: u16) -> (usize, usize, usize) {
    let top = geometry.header;
    let end = canvas.height().saturating_sub(geometry.footer);
    canvas.clear(top..end);
    let columns = split(within(canvas.width()), canvas.width());
    let width = columns.first().map_or(0, ExactSizeIterator::len);
    let filled = balanced(sections(width, state, canvas.look), columns.len());
    let all = filled.iter().map(Vec::len).max().unwrap_or(0);
    let room = usize::from(end.saturating_sub(top));
    let first = usize::from(scrolled).min(all.saturating_sub(room));
    let indent = u16::try_from(indent(width)).unwrap_or(u16::MAX);
    for (column, lines) in columns.iter().zip(&filled) {
        for (line, (word, text, style)) in (top..end).zip(lines.iter().skip(first)) {
            let after = canvas.put(column.start, column.end, line, word, *style);
            let start = column.start.saturating_add(indent).max(after);
            canvas.put(start, column.end, line, text, canvas.look.theme.text);
        }
    }
    (first + 1, (first + room).min(all), all)
}

/// The columns of the screen that the help stands in.
fn split(within: Range<u16>, width: u16) -> Vec<Range<u16>> {
    if width < TWO_FROM {
        return vec![within];
    }
    let half = (within.end - within.start - BETWEEN) / 2;
    vec![within.start..within.start + half, within.end - half..within.end]
}

/// Where the explanations begin.
fn indent(width: usize) -> usize {
    if width < NARROW { KEYS_NARROW } else { KEYS }
}

/// The groups of lines, each under its heading.
fn sections(width: usize, state: &State, look: &Appearance) -> Vec<Vec<Line>> {
    let theme = &look.theme;
    let section = |title: &str, entries: &mut dyn Iterator<Item = (String, &str)>, style: Style| {
        let mut lines = vec![(title.to_owned(), String::new(), theme.heading)];
        for (word, meaning) in entries {
            lines.extend(explained(&marks(&word, look.charset), &marks(meaning, look.charset), style, width, look));
        }
        lines
    };
    let keys = |group: Group| {
        BINDINGS.iter().filter(move |binding| binding.action.group() == group).map(|binding| {
            let keys: Vec<String> = binding.keys.iter().map(ToString::to_string).collect();
            (keys.join("  "), binding.help)
        })
    };
    let notes = |notes: &'static [(&str, &str)]| notes.iter().map(|(word, meaning)| ((*word).to_owned(), *meaning));
    let mut all: Vec<Vec<Line>> =
        Group::ALL.iter().map(|group| section(group.title(), &mut keys(*group), theme.strong)).collect();
    all.push(section("Mouse", &mut notes(MOUSE), theme.strong));
    all.push(section("Columns", &mut notes(COLUMNS), theme.accent));
    all.push(section("States", &mut notes(STATES), theme.accent));
    let missing = state.missing();
    if !missing.is_empty() {
        all.push(section(
            "Limits here",
            &mut missing.into_iter().map(|missing| ("-".to_owned(), missing)),
            theme.accent,
        ));
    }
    all
}

/// A word beside its explanation; one that is too long for that stands above it.
fn explained(word: &str, meaning: &str, style: Style, width: usize, look: &Appearance) -> Vec<Line> {
    let indent = indent(width);
    let mut beside = Some(word.to_owned());
    let mut lines = Vec::new();
    if columns(word) >= indent {
        lines.push((beside.take().unwrap_or_default(), String::new(), style));
    }
    for text in wrapped(meaning, width.saturating_sub(indent), look.charset) {
        lines.push((beside.take().unwrap_or_default(), text, style));
    }
    lines
}

/// The sections one below the other, an empty line between them, in so many columns of about the same height.
fn balanced(sections: Vec<Vec<Line>>, columns: usize) -> Vec<Vec<Line>> {
    let height: usize = sections.iter().map(|section| section.len() + 1).sum();
    let mut filled: Vec<Vec<Line>> = vec![Vec::new(); columns];
    let mut at = 0;
    let mut taken = 0;
    for section in sections {
        // A section goes to the next column where more than half of it would be past this one's share.
        if at + 1 < columns && taken + section.len() / 2 > height * (at + 1) / columns {
            at += 1;
        }
        taken += section.len() + 1;
        if let Some(column) = filled.get_mut(at) {
            if !column.is_empty() {
                column.push((String::new(), String::new(), Style::new()));
            }
            column.extend(section);
        }
    }
    filled
}
