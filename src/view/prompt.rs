//! The line that is being typed, in the footer's place. What does not fit is left out far from the cursor.

use ratatui::layout::Position;
use unicode_segmentation::UnicodeSegmentation;

use crate::app::line_editor::LineEditor;
use crate::app::prompt::{Prompt, PromptKind};
use crate::text::{Charset, columns, escape, fit};
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
    // The cursor may stand after the text.
    let room = usize::from(width.saturating_sub(x).saturating_sub(1 + margin));
    let (before, after) = visible(&prompt.line, room, canvas.look.charset);
    let cursor = canvas.put(x, width, line, &before, theme.text);
    let x = canvas.put(cursor, width, line, &after, theme.text);
    if columns(&before) + columns(&after) + APART + columns(hint) < room {
        canvas.put_right(x, width - margin, line, hint, theme.dim);
    }
    // Of a screen one column wide there is no column after the mark.
    Some(Position::new(cursor.min(width.checked_sub(1)?), line))
}

/// What is drawn of a line on `room` columns: the part before the cursor, and the part after it, which gives way first
/// but for a quarter of the room.
pub(super) fn visible(line: &LineEditor, room: usize, charset: Charset) -> (String, String) {
    let (before, after) = line.parts();
    let (before, after) = (escape(before.as_bytes(), charset), escape(after.as_bytes(), charset));
    let kept = columns(&after).min(room / 4);
    let before = tail(&before, room - kept, charset.ellipsis());
    let after = fit(&after, room - columns(&before), charset).into_owned();
    (before, after)
}

/// The end of `text`, on at most `room` columns; a mark stands for what is left out.
fn tail(text: &str, room: usize, ellipsis: char) -> String {
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
    use crate::app::keymap::{Key, Press};

    #[test]
    fn the_cursor_stays_in_sight_wherever_it_is() {
        let mut line = LineEditor::new(100);
        line.insert(&"0123456789".repeat(3));
        let shown = |line: &LineEditor| {
            let (before, after) = visible(line, 12, Charset::Utf8);
            assert!(columns(&before) + columns(&after) <= 12);
            format!("{before}|{after}")
        };
        assert_eq!(shown(&line), "…90123456789|");
        line.press(Press::plain(Key::Left));
        assert_eq!(shown(&line), "…9012345678|9");
        for _ in 0..10 {
            line.press(Press::plain(Key::Left));
        }
        assert_eq!(shown(&line), "…12345678|90…");
        line.press(Press::plain(Key::Home));
        assert_eq!(shown(&line), "|01234567890…");
    }

    #[test]
    fn the_end_is_kept() {
        assert_eq!(tail("abc", 3, '…'), "abc");
        assert_eq!(tail("abcd", 3, '…'), "…cd");
        assert_eq!(tail("ab庚", 3, '…'), "…庚");
        assert_eq!(tail("ab庚", 2, '…'), "…");
        assert_eq!(tail("abc", 0, '…'), "");
    }
}
