//! The line that is being typed, in the footer's place. What does not fit is left out at the beginning: the end is
//! where typing goes on.

use ratatui::layout::Position;
use unicode_segmentation::UnicodeSegmentation;

use crate::app::prompt::{Prompt, PromptKind};
use crate::text::{columns, escape};
use crate::view::canvas::Canvas;

/// Columns that a hint needs beside the text.
const APART: usize = 2;

/// Draws the line. Returns where the terminal's cursor belongs, unless there is no screen.
pub(super) fn draw(canvas: &mut Canvas, prompt: &Prompt) -> Option<Position> {
    let line = canvas.height().checked_sub(1)?;
    canvas.clear(line..line + 1);
    let theme = &canvas.look.theme;
    let (mark, hint) = match prompt.kind {
        PromptKind::Find => ("/", "an id or a part of a name"),
        PromptKind::GoTo => (":", "120  =980  +50  -50  50%"),
    };
    let width = canvas.width();
    let margin = u16::from(width >= 24);
    let x = canvas.put(margin, width, line, mark, theme.prompt);
    // The cursor stands after the text.
    let room = usize::from(width.saturating_sub(x).saturating_sub(1 + margin));
    let escaped = escape(prompt.text.as_bytes(), canvas.look.charset);
    let typed = tail(&escaped, room, canvas.look.charset.ellipsis());
    let x = canvas.put(x, width, line, &typed, theme.text);
    if columns(&typed) + APART + columns(hint) < room {
        canvas.put_right(x, width - margin, line, hint, theme.dim);
    }
    // Of a screen one column wide there is no column after the mark.
    Some(Position::new(x.min(width.checked_sub(1)?), line))
}

/// The end of `text`, on at most `room` columns; a mark stands for what is left out.
pub(super) fn tail(text: &str, room: usize, ellipsis: char) -> String {
    if columns(text) <= room {
        return text.to_owned();
    }
    let mut kept = 1;
    let mut from = text.len();
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        kept += columns(grapheme);
        if kept > room {
            break;
        }
        from = at;
    }
    if room == 0 { String::new() } else { format!("{ellipsis}{}", &text[from..]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept() {
        assert_eq!(tail("abc", 3, '…'), "abc");
        assert_eq!(tail("abcd", 3, '…'), "…cd");
        assert_eq!(tail("ab庚", 3, '…'), "…庚");
        assert_eq!(tail("ab庚", 2, '…'), "…");
        assert_eq!(tail("abc", 0, '…'), "");
    }
}
