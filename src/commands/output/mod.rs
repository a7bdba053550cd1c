//! Prints what was read: as a table for people, as JSON or CSV for programs. The words and shapes of the latter two are a
//! contract. It gets all that it prints from its caller and reads no board itself.

pub mod boards;
mod columns;
mod csv;
pub mod diff;
mod json;
mod ndjson;
mod parts;
pub mod ranks;
pub mod settings;
mod table;
pub mod ties;

use crate::cli::ListFormatName;
use std::io::{self, Write};

use crate::board::cursor::Cursor;
use crate::board::drift::Drift;
use crate::board::keys::Board;
use crate::board::names::Name;
use crate::board::rank::RankStyle;
use crate::board::window::Window;

/// In which form a page is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Aligned columns.
    Table {
        /// Whether colours are set.
        color: bool,
    },
    /// One object on one line.
    Json,
    /// RFC 4180.
    Csv {
        /// Whether texts that a spreadsheet would run as a formula are left as they are.
        raw: bool,
    },
}

/// In which form a list is printed that has no CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListFormat {
    /// Aligned columns.
    Table {
        /// Whether colours are set.
        color: bool,
    },
    /// One value on one line.
    Json,
}

/// In which form the rows of a whole board are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsFormat {
    /// RFC 4180.
    Csv {
        /// Whether texts that a spreadsheet would run as a formula are left as they are.
        raw: bool,
    },
    /// One object on each line.
    Ndjson,
}

impl RowsFormat {
    /// Writes what stands before the first row.
    pub fn write_header(self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Csv { .. } => csv::write_header(out),
            Self::Ndjson => Ok(()),
        }
    }
}

/// All that is printed of one page.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// The board, in the order of the window.
    pub board: &'a Board,
    /// Its rows.
    pub window: &'a Window,
    /// Their names, in the order of the rows.
    pub names: &'a [Option<Name>],
    /// In which style ranks are announced.
    pub style: RankStyle,
    /// What moved since the page that the reader comes from.
    pub drift: Option<&'a Drift>,
}

impl Sheet<'_> {
    /// Prints it. A pipe that was closed is an error here; see [`crate::exit::forgive_closed_pipe`].
    pub fn write(&self, format: Format, out: &mut impl Write) -> io::Result<()> {
        match format {
            Format::Table { color } => table::write(self, color, out)?,
            Format::Json => json::write(self, out)?,
            Format::Csv { raw } => csv::write(self, raw, out)?,
        }
        out.flush()
    }

    /// Writes its rows alone, each as the whole page has it.
    pub fn write_rows(&self, format: RowsFormat, out: &mut impl Write) -> io::Result<()> {
        match format {
            RowsFormat::Csv { raw } => csv::write_rows(self, raw, out),
            RowsFormat::Ndjson => ndjson::write_rows(self, out),
        }
    }

    /// The place before the first row; `None` on the first page, and where there are no rows to tell a place by.
    pub fn previous(&self) -> Option<Cursor> {
        (self.window.above() > 0).then(|| self.cursor(0, self.window.above())).flatten()
    }

    /// The place after the last row; `None` on the last page, and where there are no rows to tell a place by.
    pub fn next(&self) -> Option<Cursor> {
        let last = self.window.len().checked_sub(1)?;
        (!self.window.is_last()).then(|| self.cursor(last, self.window.end())).flatten()
    }

    fn cursor(&self, index: usize, boundary: u64) -> Option<Cursor> {
        Some(Cursor {
            board: self.board.key.clone(),
            direction: self.window.order,
            place: self.window.entries.get(index)?.clone(),
            version: self.window.version.clone(),
            position: Some(boundary),
        })
    }

    fn name(&self, index: usize) -> Option<&Name> {
        self.names.get(index)?.as_ref()
    }
}

/// True for characters that a terminal obeys instead of drawing them, or that change how their neighbours are drawn,
/// so that even a page meant for a program may be looked at. Tab and line ends are not among them.
pub(super) fn acts_on_terminal(c: char) -> bool {
    (c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl ListFormatName {
    /// As output. `color` is whether a table has colours.
    pub(super) fn with(self, color: bool) -> ListFormat {
        match self {
            Self::Table => ListFormat::Table { color },
            Self::Json => ListFormat::Json,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::entry::Entry;
    use crate::board::meta::{Meta, State, Ttl};
    use crate::board::order::Order;
    use crate::board::score::Score;

    /// A page of `board`, and what [`Sheet`] borrows of it.
    pub(super) struct Sample {
        pub(super) board: Board,
        pub(super) window: Window,
        pub(super) names: Vec<Option<Name>>,
        pub(super) style: RankStyle,
        pub(super) drift: Option<Drift>,
    }

    impl Sample {
        pub(super) fn new(key: &str, rows: &[(&[u8], f64)]) -> Self {
            let entries: Vec<_> =
                rows.iter().map(|(member, score)| Entry::new(*member, Score::new(*score).unwrap())).collect();
            let total = entries.len() as u64;
            Self {
                board: Board { key: key.into(), order: Order::Desc, version_key: "v".into(), meta_key: "m".into() },
                names: vec![None; entries.len()],
                window: Window {
                    total,
                    entries,
                    through_last: total,
                    ttl: Ttl::Forever,
                    ..Window::nothing(Order::Desc)
                },
                style: RankStyle::Competition,
                drift: None,
            }
        }

        /// The example of the contract: the first two of four rows, the second in a tie that goes on.
        pub(super) fn spring() -> Self {
            let mut sample = Self::new("lb:{spring}:2026-W41", &[(b"u:1000", 1050.0), (b"u:1002", 980.0)]);
            sample.names[0] = Some(b"Ada Lovelace".as_slice().into());
            sample.window.total = 4;
            sample.window.through_last = 3;
            sample.window.version = Some("1284".into());
            sample.window.meta = Meta { state: Some(State::Open), ..Meta::default() };
            sample
        }

        pub(super) fn sheet(&self) -> Sheet<'_> {
            Sheet {
                board: &self.board,
                window: &self.window,
                names: &self.names,
                style: self.style,
                drift: self.drift.as_ref(),
            }
        }

        pub(super) fn written(&self, format: Format) -> String {
            let mut out = Vec::new();
            self.sheet().write(format, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        }
    }

    #[test]
    fn cursors_stand_at_the_edges_and_only_where_there_is_more() {
        let mut sample = Sample::spring();
        let next = sample.sheet().next().unwrap();
        assert_eq!((next.place.member, next.position, next.version), ("u:1002".into(), Some(2), Some("1284".into())));
        assert_eq!(sample.sheet().previous(), None);

        sample.window.start = 3;
        let previous = sample.sheet().previous().unwrap();
        assert_eq!((previous.place.member, previous.position), ("u:1000".into(), Some(2)));
        assert_eq!(sample.sheet().next(), None);

        sample.window.entries.clear();
        assert_eq!((sample.sheet().previous(), sample.sheet().next()), (None, None));
    }

    /// Fails like a pipe that nobody reads, or a disk that is full.
    struct Broken(io::ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_form_tells_why_it_could_not_be_written() {
        let sample = Sample::spring();
        for format in [Format::Table { color: false }, Format::Json, Format::Csv { raw: false }] {
            for kind in [io::ErrorKind::BrokenPipe, io::ErrorKind::StorageFull] {
                let error = sample.sheet().write(format, &mut Broken(kind)).unwrap_err();
                assert_eq!(error.kind(), kind, "{format:?}");
            }
        }
    }
}
