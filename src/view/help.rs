//! The help screen: the live keymap, and what the words and marks on the screen mean. It takes the lines between the
//! header and the footer.

use ratatui::style::Style;

use crate::app::geometry::Geometry;
use crate::app::keymap::BINDINGS;
use crate::app::state::State;
use crate::text::columns;
use crate::view::Appearance;
use crate::view::canvas::Canvas;
use crate::view::format::{marks, wrapped};
use crate::view::segments::within;

/// What is not about keys: a word or a mark, and what it means.
const NOTES: &[(&str, &str)] = &[
    ("MOVE", "how many places somebody rose (▲) or fell (▼) between the last two reads of the board"),
    ("new", "was not on this page at the read before, and would have been seen"),
    ("RANK", "counted from the whole board, never from the page: members of one score share it as the style says"),
    ("ties", "a bracket holds members of one score; a broken line where they go on past the edge of what is shown"),
    ("GAP", "to the next better score; empty inside a tie, and where no exact text exists"),
    ("POS", "the place in board order: by score, then by the bytes of the id; nobody shares it"),
    ("FROM, BELOW", "of the distribution: a bin holds the score it begins with, and not the one it goes up to"),
    ("TOP", "of the distribution: the last member of the best 1, 10, 25 or 50 % has a score of that bin"),
    ("wheel, click", "a row down or up, as the arrow keys; the row clicked on. With Shift the terminal selects text"),
    ("live", "each number is what the server held at the version shown"),
    ("push, poll", "with push the server tells of changes; else the version is looked at, at the interval"),
    ("content", "the version does not tell of changes, so the rows are read and compared"),
    ("stale, reconnecting", "the last good page stays, marked; no key waits for the server"),
    ("unverified", "the parts of the page may be of different moments"),
];

/// Draws the lines from `scrolled` on; clamped, so that the last screenful is full. Returns which lines are in sight:
/// from, to, of how many.
pub(super) fn draw(canvas: &mut Canvas, geometry: &Geometry, state: &State, scrolled: u16) -> (usize, usize, usize) {
    let top = geometry.header;
    let end = canvas.height().saturating_sub(geometry.footer);
    canvas.clear(top..end);
    let within = within(canvas.width());
    let lines = lines(within.len(), state, canvas.look);
    let room = usize::from(end.saturating_sub(top));
    let first = usize::from(scrolled).min(lines.len().saturating_sub(room));
    let indent = indent(within.len());
    let indent = within.start.saturating_add(u16::try_from(indent).unwrap_or(u16::MAX));
    for (line, (word, text, style)) in (top..end).zip(lines.iter().skip(first)) {
        let after = canvas.put(within.start, within.end, line, word, *style);
        canvas.put(indent.max(after), within.end, line, text, canvas.look.theme.text);
    }
    (first + 1, (first + room).min(lines.len()), lines.len())
}

/// Where the explanations begin.
fn indent(width: usize) -> usize {
    if width < 50 { 8 } else { 22 }
}

/// Each line: a key or a word, and its explanation or the next part of it.
fn lines(width: usize, state: &State, look: &Appearance) -> Vec<(String, String, Style)> {
    let keys = BINDINGS.iter().map(|binding| {
        let keys: Vec<String> = binding.keys.iter().map(ToString::to_string).collect();
        (keys.join("  "), binding.help, look.theme.strong)
    });
    let notes = NOTES.iter().map(|(word, meaning)| ((*word).to_owned(), *meaning, look.theme.accent));
    let indent = indent(width);
    let mut lines = Vec::new();
    let missing = state.missing().into_iter().map(|missing| ("here".to_owned(), missing, look.theme.accent));
    for (word, meaning, style) in keys.chain(notes).chain(missing) {
        let word = marks(&word, look.charset);
        let meaning = marks(meaning, look.charset);
        // A word that is too long to stand beside its explanation stands above it.
        let mut beside = Some(word.into_owned());
        if beside.as_deref().is_some_and(|word| columns(word) >= indent) {
            lines.push((beside.take().unwrap_or_default(), String::new(), style));
        }
        for text in wrapped(&meaning, width.saturating_sub(indent), look.charset) {
            lines.push((beside.take().unwrap_or_default(), text, style));
        }
    }
    lines
}
