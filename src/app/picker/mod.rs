//! Choosing a board: the list over the table, what is typed at it, and what it asks for while it is open. Boards are found
//! step by step, and looked at when they come in sight.

use crate::app::geometry::Geometry;
use list::List;
use search::Search;

pub mod filter;
pub mod list;
pub mod search;
pub mod sort_key;
pub mod update;

/// The list of boards, which outlives its being open: it is shown again until a new search has replaced it.
#[derive(Clone, Debug)]
pub struct Picker {
    /// The boards.
    pub list: List,
    /// What is asked.
    pub search: Search,
    /// How a key is shown. The filter is matched with what the reader sees.
    text: fn(&[u8]) -> String,
}

impl Picker {
    /// An empty list, whose keys are shown by `text`.
    pub fn new(text: fn(&[u8]) -> String) -> Self {
        Self { list: List::default(), search: Search::default(), text }
    }
}

/// Which lines the parts of the list take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The line of the filter.
    pub filter: Option<u16>,
    /// The line of the heads.
    pub heads: Option<u16>,
    /// The first row.
    pub top: u16,
    /// How many rows.
    pub rows: u16,
}

impl Lines {
    /// Shares out the lines between the header and the footer; the rows come first, then the filter.
    pub fn of(geometry: &Geometry) -> Self {
        let room = geometry.lines().saturating_sub(geometry.header + geometry.footer);
        let gap = u16::from(geometry.has_gap);
        let top = geometry.header + gap;
        let (filter, heads, taken) = match room {
            0..=1 => (None, None, 0),
            2..=5 => (Some(top), None, gap + 1),
            _ => (Some(top), Some(top + 1 + gap), 2 * gap + 2),
        };
        // Above the footer a line stays free where there are many.
        let rows = room.saturating_sub(taken + gap);
        Self { filter, heads, top: geometry.header + taken, rows }
    }
}
