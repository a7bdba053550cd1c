//! What a page hangs on, and how it is read again from there. Positions and ranks are read afresh each time.

use crate::board::entry::Entry;
use crate::board::score::Score;
use crate::board::window::Window;
use crate::query::page::{PageRequest, PageStart};

/// What a page hangs on. A line counts the rows of the page above the row that is meant.
#[derive(Clone, Debug, PartialEq)]
pub enum PageAnchor {
    /// Its first row is the one at this position.
    Position(u64),
    /// The row at this position.
    Row { position: u64, line: u64 },
    /// The end of the board.
    End,
    /// The cursor that it was read after.
    After(Entry),
    /// The cursor that it was read before.
    Before(Entry),
    /// The place of its first row, as that stood.
    From(Entry),
    /// The place of this score.
    Score { score: Score, line: u64 },
    /// The place of this member, as it stood.
    Place { place: Entry, line: u64 },
}

impl PageAnchor {
    /// Asks for the page.
    pub fn ask(&self, ask: &mut PageRequest) {
        let around = |ask: &mut PageRequest, line: u64, whence| {
            ask.lead = line.min(ask.size - 1);
            whence
        };
        ask.whence = match self {
            Self::Position(position) => PageStart::Position(*position),
            Self::Row { position, line } => around(ask, *line, PageStart::Row(*position)),
            Self::End => PageStart::Last,
            Self::After(place) => PageStart::After(place.clone()),
            Self::Before(place) => {
                ask.fill = true;
                PageStart::Before(place.clone())
            }
            Self::From(place) => PageStart::From(place.clone()),
            Self::Score { score, line } => around(ask, *line, PageStart::Score(*score)),
            Self::Place { place, line } => around(ask, *line, PageStart::Place(place.clone())),
        };
    }

    fn is_position(&self) -> bool {
        matches!(self, Self::Position(_) | Self::Row { .. })
    }

    /// The same kind of anchor at row `index` of `window`, which is to be the first one. `None` where there is no row.
    pub(super) fn moved_to(&self, window: &Window, index: usize) -> Option<Self> {
        let entry = window.entries.get(index)?;
        Some(if self.is_position() { Self::Position(window.position(index)) } else { Self::From(entry.clone()) })
    }

    /// The anchor of what is read in its stead where no row is left from there on.
    pub fn shrunk(&self, window: &Window) -> Option<Self> {
        self.moved_to(window, 0)
    }
}
