//! The page that was left for the one on the screen: where it ended, then and now. The banner is worked out from it at
//! each read, so that it is true at every moment.

use crate::app::page::banner::Banner;
use crate::board::cursor::Cursor;
use crate::board::drift::Drift;
use crate::board::entry::Entry;
use crate::board::version::Version;
use crate::board::window::Window;
use crate::query::page::Anchor;

/// Where the page that was left ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Left {
    /// The row at its edge, as last drawn. Its place counts, wherever the member goes.
    place: Entry,
    is_forward: bool,
    /// The version that the reader started from.
    version: Option<Version>,
    then: Stand,
    now: Stand,
    /// Where it stood when the reader waved the banner away.
    hidden: Option<Stand>,
}

/// How many rows stand at or before the place (going forward) or strictly before it (going backward), and how many rows
/// there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stand {
    rows: u64,
    total: u64,
}

impl Left {
    /// The edge of the page of `window`, which is turned, and which the reader began at `version`. `None` where it has no row.
    pub fn of(window: &Window, version: Option<&Version>, is_forward: bool) -> Option<Self> {
        let place = if is_forward { window.entries.last() } else { window.entries.first() }?.clone();
        let rows = if is_forward { window.end() } else { window.above() };
        let then = Stand { rows, total: window.total };
        Some(Self { place, is_forward, version: version.cloned(), then, now: then, hidden: None })
    }

    /// The place of a cursor that was handed in, as it recorded it, and the `rows` at it now.
    pub fn of_cursor(cursor: &Cursor, is_forward: bool, window: &Window, rows: u64) -> Self {
        let now = Stand { rows, total: window.total };
        // How many rows there were is not recorded: what came and went below the place is not known.
        let then = Stand { rows: cursor.position.unwrap_or(rows), total: window.total };
        let version = cursor.version.clone();
        Self { place: cursor.place.clone(), is_forward, version, then, now, hidden: None }
    }

    /// The place whose boundary is to be read with the page.
    pub fn anchor(&self) -> Anchor {
        Anchor { place: self.place.clone(), inclusive: self.is_forward }
    }

    /// Takes in where the place stands now.
    pub fn stands(&mut self, rows: Option<u64>, window: &Window) {
        if let Some(rows) = rows {
            self.now = Stand { rows, total: window.total };
        }
    }

    /// True where the boundary is not where it was when the page was left.
    pub fn has_moved(&self) -> bool {
        self.then.rows != self.now.rows
    }

    /// What is so now is the new start.
    pub fn accept(&mut self, version: Option<&Version>) {
        self.version = version.cloned();
        self.then = self.now;
        self.hidden = None;
    }

    /// Waves the banner away until the boundary changes again.
    pub fn hide(&mut self) {
        self.hidden = Some(self.now);
    }

    /// How many rows have come into the part that was read already; negative where rows have left it.
    fn shift(&self) -> i64 {
        let read = |stand: Stand| if self.is_forward { stand.rows } else { stand.total.saturating_sub(stand.rows) };
        read(self.now).cast_signed() - read(self.then).cast_signed()
    }

    /// What the banner says on a page of version `to`; `None` where it has nothing to say. `is_broken`: the version says
    /// nothing of the content.
    pub fn banner(&self, to: Option<&Version>, is_broken: bool) -> Option<Banner> {
        let (from, to) =
            if is_broken && self.version.as_ref() == to { (None, None) } else { (self.version.as_ref(), to) };
        let is_changed = match (from, to) {
            (Some(from), Some(to)) => from != to,
            (None, None) => self.has_moved() || self.shift() != 0,
            // A version that appears or vanishes is a change.
            _ => true,
        };
        (is_changed && self.hidden != Some(self.now)).then(|| Banner::Changed {
            drift: Drift {
                from_version: from.cloned(),
                to_version: to.cloned(),
                boundary_from: Some(self.then.rows),
                boundary_to: self.now.rows,
            },
            shift: self.shift(),
            is_forward: self.is_forward,
        })
    }
}
