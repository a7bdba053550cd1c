//! STAND-IN for `view::text`, with the names and signatures of it that are used here. Delete this file and name
//! `crate::view::text` in `commands/mod.rs` instead.

use std::fmt::Write;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What the terminal can draw.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Charset {
    /// Any character.
    Utf8,
}

/// `bytes` as text that may be drawn.
pub(crate) fn escape(bytes: &[u8], _: Charset) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => text.push_str("\\\\"),
                '\n' => text.push_str("\\n"),
                c if super::output::acts_on_terminal(c) || c.is_control() => {
                    let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
                }
                c => text.push(c),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// The same on at most `width` columns.
pub(crate) fn escape_to(bytes: &[u8], width: usize, charset: Charset) -> String {
    let whole = escape(bytes, charset);
    if columns(&whole) <= width {
        return whole;
    }
    let mut cut = String::new();
    for grapheme in whole.graphemes(true) {
        if columns(&cut) + columns(grapheme) >= width {
            break;
        }
        cut.push_str(grapheme);
    }
    cut + "…"
}

/// Terminal columns that `text` takes.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}
