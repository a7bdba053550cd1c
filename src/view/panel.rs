//! Panels that stand over a part of the table: where they stand, and their first line.

use std::ops::Range;

use crate::app::geometry::Geometry;
use crate::app::state::State;
use crate::text::Charset;
use crate::view::canvas::Canvas;
use crate::view::segments::within;

/// The lines of a panel of `needed` lines: at the bottom of the table and the lines of the banner below it, which are free
/// while there is none, or at its top where the selected row would be covered. Where there is room enough on neither side
/// the row is covered: the panel says all it says.
pub(super) fn lines(state: &State, geometry: &Geometry, needed: u16) -> Range<u16> {
    let spare = if state.has_banner() { 0 } else { geometry.banner };
    let (top, end) = (geometry.table_top(), geometry.table_top() + geometry.rows + spare);
    let needed = needed.min(end - top);
    let line = state.session.shown.as_ref().and_then(|shown| shown.selected.checked_sub(shown.scroll));
    match line.and_then(|line| u16::try_from(line).ok()).map(|line| top.saturating_add(line)) {
        Some(line) if line < end && line >= end - needed && line - top >= needed => top..top + needed,
        _ => end - needed..end,
    }
}

/// Draws the first line: `words`, and a rule to the end of the line.
pub(super) fn title(canvas: &mut Canvas, line: u16, words: &str) {
    let look = canvas.look;
    let within = within(canvas.width());
    let x = canvas.put(within.start, within.end, line, words, look.theme.accent);
    let rule = match look.charset {
        Charset::Utf8 => "─",
        Charset::Ascii => "-",
    };
    canvas.put(x, within.end, line, &rule.repeat(usize::from(within.end.saturating_sub(x))), look.theme.faint);
}
