//! The one way by which bytes from Redis become text that may be drawn, and the one measure of how wide text is.
//!
//! Everything returned by [`escape`], [`escape_to`] and [`escape_name`] is free of controls, of invisible characters and of characters
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
//! they differ only in what `\…` stands for. Names, which nobody is told apart by, are transliterated first where only
//! ASCII can be drawn ([`escape_name`]). [`Charset::Ascii`] escapes all that is not ASCII: on a terminal that does
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
mod cutting;
mod escape;
mod numbers;
pub mod quoting;
#[cfg(test)]
mod tests;
mod width;

pub use cutting::{fit, fit_left_padded, pad};
pub use escape::{escape, escape_name, escape_to};
pub use numbers::{count, duration, group_digits};
pub use width::columns;

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
