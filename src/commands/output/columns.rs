//! Aligned columns of a table for people, and what they are drawn with. It knows no board.

use std::borrow::Cow;

use crate::commands::text;
use crate::commands::text::Charset;

/// A text takes at most so many columns, so that one long name does not push the scores off the screen.
const WIDEST: usize = 48;

pub(super) const BOLD: &str = "1";
pub(super) const DIM: &str = "2";
pub(super) const CYAN: &str = "36";
pub(super) const YELLOW: &str = "33";

/// `line` in `style`, where there are colours.
pub(super) fn paint<'a>(color: bool, style: &str, line: &'a str) -> Cow<'a, str> {
    if color { format!("\x1b[{style}m{line}\x1b[0m").into() } else { line.into() }
}

/// Bytes from elsewhere as a cell shows them: escaped, and cut where they are long.
pub(super) fn shown(bytes: &[u8]) -> String {
    text::escape_to(bytes, WIDEST, Charset::Utf8)
}

/// One column: its heading and its cells, all of one width.
pub(super) struct Column {
    cells: Vec<String>,
    width: usize,
    is_number: bool,
}

impl Column {
    /// Numbers stand at the right, texts at the left.
    pub(super) fn new(heading: &str, is_number: bool, cells: impl IntoIterator<Item = String>) -> Self {
        let cells: Vec<_> = std::iter::once(heading.to_owned()).chain(cells).collect();
        let width = cells.iter().map(|cell| text::columns(cell)).max().unwrap_or(0);
        Self { cells, width, is_number }
    }
}

/// Line `index` of all columns, the heading at 0, each after two blanks. Where the last column is one of numbers, no line
/// ends in blanks.
pub(super) fn line(columns: &[Column], index: usize) -> String {
    let mut line = String::new();
    for column in columns {
        let cell = column.cells.get(index).map_or("", String::as_str);
        let blanks = " ".repeat(column.width.saturating_sub(text::columns(cell)));
        line += "  ";
        if column.is_number {
            line += &blanks;
        }
        line += cell;
        if !column.is_number {
            line += &blanks;
        }
    }
    line
}
