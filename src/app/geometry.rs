//! How the lines of the screen are shared out. The page fits the table, so its size follows from here.

use std::ops::Range;

/// Which lines the parts of the screen take, from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Columns of the screen.
    pub columns: u16,
    /// Lines of the header: 2, 1 or 0.
    pub header: u16,
    /// Whether an empty line stands below the header.
    pub has_gap: bool,
    /// Whether the columns have heads.
    pub has_heads: bool,
    /// Lines of the table.
    pub rows: u16,
    /// Lines of the banner and of the empty line above it: 2, 1 or 0. They are kept free while there is no banner, so
    /// that it never covers a row.
    pub banner: u16,
    /// Lines of the footer: 1 or 0.
    pub footer: u16,
}

impl Geometry {
    /// Shares out a screen of this size. What carries the least gives way first: the empty lines, then the second
    /// line of the header, then the heads, the banner's line, the footer and the header.
    pub fn of(columns: u16, lines: u16) -> Self {
        let (header, has_gap, has_heads, banner, footer) = match lines {
            16.. => (2, true, true, 2, 1),
            12..=15 => (2, false, true, 1, 1),
            8..=11 => (1, false, true, 1, 1),
            5..=7 => (1, false, false, 1, 1),
            3..=4 => (1, false, false, 0, 1),
            2 => (1, false, false, 0, 0),
            _ => (0, false, false, 0, 0),
        };
        let taken = header + u16::from(has_gap) + u16::from(has_heads) + banner + footer;
        Self { columns, header, has_gap, has_heads, rows: lines.saturating_sub(taken), banner, footer }
    }

    /// All lines of the screen.
    pub fn lines(&self) -> u16 {
        self.table_top() + self.rows + self.banner + self.footer
    }

    /// The lines between the header and the footer, but for the empty one below the header.
    pub fn between(&self) -> Range<u16> {
        self.header + u16::from(self.has_gap)..self.lines() - self.footer
    }

    /// The first line of the table.
    pub fn table_top(&self) -> u16 {
        self.header + u16::from(self.has_gap) + u16::from(self.has_heads)
    }
}

/// From which row on a list of `len` rows is shown on `rows` lines, so that `selected` is in sight: moved as little as
/// possible from `scroll`, and never past a full last screen.
pub fn revealed(scroll: usize, selected: usize, len: usize, rows: usize) -> usize {
    let rows = rows.max(1);
    let lowest = (selected + 1).saturating_sub(rows);
    scroll.clamp(lowest, selected.max(lowest)).min(len.saturating_sub(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_given_to_one_part() {
        for lines in 0..200 {
            let parts = Geometry::of(80, lines);
            assert_eq!(parts.lines(), lines, "{lines} lines");
        }
    }

    #[test]
    fn a_screen_never_loses_rows_by_growing() {
        for lines in 0..200 {
            assert!(Geometry::of(80, lines).rows <= Geometry::of(80, lines + 1).rows + 2, "{lines} lines");
            assert!(lines == 0 || Geometry::of(80, lines).rows >= 1, "{lines} lines");
        }
        assert_eq!((Geometry::of(80, 24).rows, Geometry::of(120, 34).rows), (17, 27));
    }
}
