//! The cells that are drawn into: every write is clipped to the screen, whatever its size. Nothing here knows what a
//! text means.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};

use crate::text::{columns, fit};
use crate::view::Appearance;
use crate::view::theme::Glyphs;

/// A screen of lines and columns, both from 0.
pub(super) struct Canvas<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
    /// How things look.
    pub(super) look: &'a Appearance,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(buffer: &'a mut Buffer, area: Rect, look: &'a Appearance) -> Self {
        Self { area: area.intersection(buffer.area), buffer, look }
    }

    /// Columns of the screen.
    pub(super) fn width(&self) -> u16 {
        self.area.width
    }

    /// Lines of the screen.
    pub(super) fn height(&self) -> u16 {
        self.area.height
    }

    /// The marks of this terminal.
    pub(super) fn glyphs(&self) -> &'static Glyphs {
        Glyphs::of(self.look.charset)
    }

    /// Draws `text`, which is safe already, from column `x` on and cut before column `end`. Returns the column after it.
    pub(super) fn put(&mut self, x: u16, end: u16, line: u16, text: &str, style: Style) -> u16 {
        let end = end.min(self.area.width);
        if line >= self.area.height || x >= end {
            return x;
        }
        let room = usize::from(end - x);
        let text = fit(text, room, self.look.charset);
        if text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
            return self.put_plain(x, line, &text, style);
        }
        let (after, _) = self.buffer.set_stringn(self.area.x + x, self.area.y + line, &text, room, style);
        after - self.area.x
    }

    /// Draws `text`, which fits, each byte of it on a column of its own: much less work than finding graphemes.
    fn put_plain(&mut self, x: u16, line: u16, text: &str, style: Style) -> u16 {
        let mut column = x;
        for at in 0..text.len() {
            if let Some(cell) = self.buffer.cell_mut(Position::new(self.area.x + column, self.area.y + line)) {
                cell.set_symbol(&text[at..=at]).set_style(style);
            }
            column += 1;
        }
        column
    }

    /// Draws `text` so that it ends before column `end`; it takes at most the columns from `x` on.
    pub(super) fn put_right(&mut self, x: u16, end: u16, line: u16, text: &str, style: Style) {
        let end = end.min(self.area.width);
        let width = u16::try_from(columns(text)).unwrap_or(u16::MAX);
        self.put(end.saturating_sub(width).max(x), end, line, text, style);
    }

    /// Lays `style` under what stands on a line, as one even colour. Where it sets a background, texts keep the colours
    /// that they have; where it swaps the terminal's two, colours and weights of single cells would be patches.
    pub(super) fn lay_under(&mut self, line: u16, style: Style) {
        let is_swapped = style.add_modifier.contains(Modifier::REVERSED);
        for x in 0..self.area.width {
            let Some(cell) = self.buffer.cell_mut(Position::new(self.area.x + x, self.area.y + line)) else { return };
            cell.bg = style.bg.unwrap_or_default();
            if is_swapped || cell.fg == Color::Reset {
                cell.fg = style.fg.unwrap_or_default();
            }
            if is_swapped {
                // Underlining is no patch, and says that a score has just changed.
                cell.modifier = style.add_modifier | (cell.modifier & Modifier::UNDERLINED);
            } else {
                cell.modifier.remove(Modifier::DIM);
                cell.modifier |= style.add_modifier;
            }
        }
    }

    /// Draws what stands on a line in `style` alone, whatever colours it has.
    pub(super) fn fade(&mut self, line: u16, style: Style) {
        for x in 0..self.area.width {
            let Some(cell) = self.buffer.cell_mut(Position::new(self.area.x + x, self.area.y + line)) else { return };
            // Blanks are left as they are: styled blanks would cost the terminal bytes.
            if cell.symbol() != " " {
                let symbol = cell.symbol().to_owned();
                cell.reset();
                cell.set_symbol(&symbol).set_style(style);
            }
        }
    }

    /// Empties lines.
    pub(super) fn clear(&mut self, lines: Range<u16>) {
        for line in lines.start..lines.end.min(self.area.height) {
            for x in 0..self.area.width {
                if let Some(cell) = self.buffer.cell_mut(Position::new(self.area.x + x, self.area.y + line)) {
                    cell.reset();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::Charset;
    use crate::view::theme::{Depth, Theme};

    proptest! {
        /// What is drawn byte by byte is what the buffer would draw of the same text.
        #[test]
        fn plain_text_is_drawn_as_any_text(text in "[ -~]{0,20}", x in 0_u16..12, end in 0_u16..16) {
            let theme = Theme::named("default", Depth::True).unwrap();
            let look = Appearance { theme, charset: Charset::Utf8, zone: jiff::tz::TimeZone::UTC };
            let area = Rect::new(0, 0, 14, 1);
            let (mut drawn, mut expected) = (Buffer::empty(area), Buffer::empty(area));
            let style = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);
            let after = Canvas::new(&mut drawn, area, &look).put(x, end, 0, &text, style);
            let end = end.min(14);
            let mut after_expected = x;
            if x < end {
                let text = fit(&text, usize::from(end - x), look.charset);
                (after_expected, _) = expected.set_stringn(x, 0, &text, usize::from(end - x), style);
            }
            prop_assert_eq!((after, drawn), (after_expected, expected));
        }
    }
}
