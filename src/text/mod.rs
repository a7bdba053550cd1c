//! The one way by which bytes from Redis become text that may be drawn, and the one measure of how wide text is.
//!
//! Everything returned by [`escape`] and [`escape_to`] is free of controls, of invisible characters and of characters
//! that reorder what stands beside them. It must not know what a text means, nor any colour.
//!
//! # The escape
//!
//! | in the bytes | drawn |
//! |---|---|
//! | `\` | `\\` |
//! | newline, return, tab, escape | `\n` `\r` `\t` `\e` |
//! | any other ASCII control | `\x07` |
//! | a byte that is not UTF-8 | `\xff` |
//! | a character that must not be drawn, or has nothing to stand on | `\u{202e}` |
//! | the rest of a grapheme, after four marks on one letter or sixteen code points | `\…` |
//!
//! All but the last line can be read back to the very bytes, so two members that differ are drawn differently unless
//! they differ only in what `\…` stands for. [`Charset::Ascii`] escapes all that is not ASCII: on a terminal that does
//! not speak UTF-8 the second byte of a plain `ě` is the C1 control that opens an escape sequence.
//!
//! # Letters that run from right to left
//!
//! Arabic and Hebrew letters are drawn as they are. Most terminals put them down one cell after the other; some (VTE,
//! Konsole, mlterm) apply the Unicode bidi algorithm to the row. What those reorder is a run of such letters together
//! with the blanks, digits and signs after it, up to the next letter that runs from left to right or the end of the
//! row: a column of digits straight after a column of Arabic names may trade places with it on the screen. No mark that
//! would stop this is inserted here, since a mark has no cell of its own; whoever lays out columns can turn the
//! reordering off for the terminal (ECMA-48 BDSM, `CSI 8 l`).

mod class;
mod numbers;
pub mod quoting;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::ControlFlow;

use ratatui::buffer::CellWidth;
use unicode_segmentation::UnicodeSegmentation;

pub use numbers::{count, duration, group_digits};

/// Marks that one letter may carry. Four is Hebrew with a dagesh, a vowel, an accent and a meteg; more is an attack on
/// the rows above and below.
const MARKS: usize = 4;

/// Code points that one grapheme may have. The longest emoji that Unicode lists has ten.
const CLUSTER: usize = 16;

/// Bytes that are looked at for each column drawn: more than the densest text that is drawn whole (an emoji of 35
/// bytes on two columns), so that only dropped marks can use it up.
const BYTES_PER_COLUMN: usize = 32;

/// Bytes that are looked at even for a text of no columns.
const BYTES_AT_LEAST: usize = 256;

/// What the terminal can draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// Any character.
    #[default]
    Utf8,
    /// ASCII alone: text from Redis is escaped, and the marks that ranktop draws have ASCII forms.
    Ascii,
}

impl Charset {
    /// The mark of a text that was cut, one column wide.
    pub const fn ellipsis(self) -> char {
        match self {
            Self::Utf8 => '…',
            Self::Ascii => '~',
        }
    }
}

/// `bytes` as text that may be drawn, however long; see the table above.
pub fn escape(bytes: &[u8], charset: Charset) -> String {
    let mut line = Line::new(usize::MAX, charset);
    // The line has no end, so it cannot be full.
    let _ = write_bytes(&mut line, bytes, charset);
    line.text
}

/// `bytes` as text that may be drawn on at most `width` columns, ending in an ellipsis where it was cut. An escape is
/// never cut in the middle.
///
/// The cost depends on `width` alone: a member of a megabyte costs no more than a short one. A text whose dropped marks
/// exceed some hundred bytes may therefore be cut before its columns are full.
pub fn escape_to(bytes: &[u8], width: usize, charset: Charset) -> String {
    let seen = prefix(bytes, width.saturating_mul(BYTES_PER_COLUMN).saturating_add(BYTES_AT_LEAST));
    let mut line = Line::new(width, charset);
    let flow = write_bytes(&mut line, seen, charset);
    if flow.is_continue() && seen.len() < bytes.len() {
        line.cut();
    }
    line.text
}

/// Terminal columns that `text` takes: the sum over its graphemes, each as wide as the buffer that is drawn into takes
/// it to be, characters of ambiguous width counting as narrow. Graphemes with a control count nothing, since the buffer
/// leaves them out.
pub fn columns(text: &str) -> usize {
    if text.is_ascii() {
        return text.bytes().filter(|byte| !byte.is_ascii_control()).count();
    }
    text.graphemes(true)
        .filter(|grapheme| !grapheme.contains(char::is_control))
        .map(|grapheme| usize::from(grapheme.cell_width()))
        .sum()
}

/// `text`, cut between graphemes and ended by an ellipsis where it takes more than `width` columns. The result never
/// takes more, and takes one less where a wide character did not fit. For text that is safe already.
pub fn fit(text: &str, width: usize, charset: Charset) -> Cow<'_, str> {
    if text.len() <= width && text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut line = Line::new(width, charset);
    for grapheme in text.graphemes(true) {
        if line.push(grapheme).is_break() {
            return Cow::Owned(line.text);
        }
    }
    Cow::Borrowed(text)
}

/// `text` on exactly `width` columns, at the left; cut as by [`fit`].
pub fn pad(text: &str, width: usize, charset: Charset) -> String {
    let mut padded = fit(text, width, charset).into_owned();
    let blanks = width.saturating_sub(columns(&padded));
    padded.extend(std::iter::repeat_n(' ', blanks));
    padded
}

/// `text` on exactly `width` columns, at the right; cut as by [`fit`].
pub fn fit_left_padded(text: &str, width: usize, charset: Charset) -> String {
    let fitted = fit(text, width, charset);
    let blanks = width.saturating_sub(columns(&fitted));
    " ".repeat(blanks) + &fitted
}

/// The first `length` bytes or a little less, so as not to cut a character.
fn prefix(bytes: &[u8], length: usize) -> &[u8] {
    let Some(seen) = bytes.get(..length).filter(|seen| seen.len() < bytes.len()) else {
        return bytes;
    };
    let is_start = |at: &usize| bytes[*at] & 0b1100_0000 != 0b1000_0000;
    let end = (length.saturating_sub(3)..=length).rev().find(is_start).unwrap_or(length);
    &seen[..end]
}

/// A text that grows by units that must not be cut, up to a width.
struct Line {
    text: String,
    columns: usize,
    width: usize,
    /// Bytes of `text` after which an ellipsis still fits.
    keep: usize,
    ellipsis: char,
}

impl Line {
    fn new(width: usize, charset: Charset) -> Self {
        Self { text: String::new(), columns: 0, width, keep: 0, ellipsis: charset.ellipsis() }
    }

    /// Adds `unit`, or cuts the text and breaks where it does not fit.
    fn push(&mut self, unit: &str) -> ControlFlow<()> {
        let after = self.columns.saturating_add(columns(unit));
        if after > self.width {
            self.cut();
            return ControlFlow::Break(());
        }
        self.text.push_str(unit);
        self.columns = after;
        if after < self.width {
            self.keep = self.text.len();
        }
        ControlFlow::Continue(())
    }

    /// Ends the text with an ellipsis, at the cost of its last unit where there is no room.
    fn cut(&mut self) {
        self.text.truncate(self.keep);
        if self.width > 0 {
            self.text.push(self.ellipsis);
        }
    }
}

fn write_bytes(line: &mut Line, bytes: &[u8], charset: Charset) -> ControlFlow<()> {
    for chunk in bytes.utf8_chunks() {
        for cluster in chunk.valid().graphemes(true) {
            match charset {
                Charset::Utf8 => write_cluster(line, cluster)?,
                Charset::Ascii => write_ascii(line, cluster)?,
            }
        }
        for byte in chunk.invalid() {
            line.push(&format!("\\x{byte:02x}"))?;
        }
    }
    ControlFlow::Continue(())
}

fn write_ascii(line: &mut Line, cluster: &str) -> ControlFlow<()> {
    for c in cluster.chars() {
        if (c == ' ' || c.is_ascii_graphic()) && c != '\\' {
            line.push(c.encode_utf8(&mut [0; 4]))?;
        } else {
            line.push(&escape_char(c))?;
        }
    }
    ControlFlow::Continue(())
}

/// One grapheme. Where a code point in it is escaped, what follows would join the escape instead of its base, so it has
/// to be able to stand alone.
fn write_cluster(line: &mut Line, cluster: &str) -> ControlFlow<()> {
    if class::is_emoji_sequence(cluster) {
        return line.push(cluster);
    }
    let mut kept = String::new();
    let mut length = 0;
    let mut marks = 0;
    for c in cluster.chars() {
        let before = kept.chars().next_back();
        if !before.map_or_else(|| class::can_start(c), |before| class::can_follow(before, c)) {
            push_kept(line, &mut kept)?;
            line.push(&escape_char(c))?;
            length = 0;
            marks = 0;
            continue;
        }
        marks = if before.is_some() && class::is_mark(c) { marks + 1 } else { 0 };
        if marks > MARKS || length == CLUSTER {
            push_kept(line, &mut kept)?;
            return line.push("\\…");
        }
        kept.push(c);
        length += 1;
    }
    push_kept(line, &mut kept)
}

fn push_kept(line: &mut Line, kept: &mut String) -> ControlFlow<()> {
    let flow = line.push(kept);
    kept.clear();
    flow
}

fn escape_char(c: char) -> String {
    match c {
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '\u{1b}' => "\\e".to_owned(),
        c if c.is_ascii() => format!("\\x{:02x}", u32::from(c)),
        c => format!("\\u{{{:x}}}", u32::from(c)),
    }
}
