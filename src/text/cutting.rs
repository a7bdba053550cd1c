//! Cutting text to a number of columns, between units that must stay whole.

use std::borrow::Cow;
use std::ops::ControlFlow;

use unicode_segmentation::UnicodeSegmentation;

use super::{Charset, columns};

/// Stands for the rest of a grapheme.
pub(super) const DROPPED: &str = "\\…";

/// `text`, cut between graphemes and escapes and ended by an ellipsis where it takes more than `width` columns. The result never
/// takes more, and takes one less where a wide character did not fit. For text that is safe already.
pub fn fit(text: &str, width: usize, charset: Charset) -> Cow<'_, str> {
    if text.len() <= width && text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut line = Line::new(width, charset);
    for unit in units(text) {
        if line.push(unit).is_break() {
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

/// The graphemes of a text that is safe already, each escape in one piece.
fn units(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let length = escape_length(text).or_else(|| text.graphemes(true).next().map(str::len))?;
        let (unit, rest) = text.split_at(length);
        text = rest;
        Some(unit)
    })
}

/// How many bytes the escape takes that `text` begins with.
fn escape_length(text: &str) -> Option<usize> {
    let after = text.strip_prefix('\\')?;
    let length = match after.chars().next()? {
        'u' => after.find('}')? + 1,
        'x' => after.char_indices().nth(3).map_or(after.len(), |(at, _)| at),
        other => other.len_utf8(),
    };
    Some(1 + length)
}

/// The first `length` bytes or a little less, so as not to cut a character.
pub(super) fn prefix(bytes: &[u8], length: usize) -> &[u8] {
    let Some(seen) = bytes.get(..length).filter(|seen| seen.len() < bytes.len()) else {
        return bytes;
    };
    let is_start = |at: &usize| bytes[*at] & 0b1100_0000 != 0b1000_0000;
    let end = (length.saturating_sub(3)..=length).rev().find(is_start).unwrap_or(length);
    &seen[..end]
}

/// A text that grows by units that must not be cut, up to a width.
pub(super) struct Line {
    pub(super) text: String,
    columns: usize,
    width: usize,
    /// Bytes of `text` after which an ellipsis still fits.
    keep: usize,
    ellipsis: char,
}

impl Line {
    pub(super) fn new(width: usize, charset: Charset) -> Self {
        Self { text: String::new(), columns: 0, width, keep: 0, ellipsis: charset.ellipsis() }
    }

    /// Adds `unit`, or cuts the text and breaks where it does not fit.
    pub(super) fn push(&mut self, unit: &str) -> ControlFlow<()> {
        let after = self.columns.saturating_add(columns(unit));
        if after > self.width {
            self.cut();
            return ControlFlow::Break(());
        }
        self.text.push_str(unit);
        self.columns = after;
        // The mark of what was dropped and the mark of a cut would read as one.
        if after < self.width && unit != DROPPED {
            self.keep = self.text.len();
        }
        ControlFlow::Continue(())
    }

    /// Ends the text with an ellipsis, at the cost of its last unit where there is no room.
    pub(super) fn cut(&mut self) {
        self.text.truncate(self.keep);
        if self.width > 0 {
            self.text.push(self.ellipsis);
        }
    }
}
