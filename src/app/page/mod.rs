//! The page on the screen: its window, what it hangs on, the page that was left for it, and the selection on it.

pub mod anchor;
pub mod apply;
pub mod banner;
pub mod history;
pub mod left;
pub mod replace;
pub mod turn;

use crate::app::event::Moment;
use crate::app::geometry::revealed;
use crate::board::cursor::Cursor;
use crate::board::entry::{Entry, Member};
use crate::board::keys::Key;
use crate::board::version::Version;
use crate::board::window::Window;
use anchor::PageAnchor;
use history::Stay;
use left::Left;

/// True where rows that stand at the same positions of two stretches, each with the number of rows above it, are the
/// same rows.
fn is_agreed(old: (u64, &[Entry]), new: (u64, &[Entry])) -> bool {
    let from = old.0.max(new.0);
    let below = |above| usize::try_from(from - above).unwrap_or(usize::MAX);
    old.1.iter().skip(below(old.0)).zip(new.1.iter().skip(below(new.0))).all(|(old, new)| old == new)
}

/// True where two windows of one version cannot both be right: the board was written without its version being changed.
pub fn is_contradiction(old: &Window, new: &Window) -> bool {
    let is_one_version = old.version.is_some() && old.version == new.version && old.verified && new.verified;
    let is_agreed = old.total == new.total && is_agreed((old.above(), &old.entries), (new.above(), &new.entries));
    is_one_version && old.order == new.order && !is_agreed
}

/// What is on the screen.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The rows.
    pub window: Window,
    /// What it is read again from.
    pub anchor: PageAnchor,
    /// The version at which the reader started to read it: when it was turned to, or accepted last.
    pub started_at: Option<Version>,
    /// The page that was left for it, where it was turned to.
    pub left: Option<Left>,
    /// Index of the selected row; 0 where there are no rows.
    pub selected: usize,
    /// Index of the first row in sight, where the page is longer than the table.
    pub scroll: usize,
    /// When it was read.
    pub read_at: Moment,
}

impl Shown {
    /// A page that was turned or jumped to.
    pub fn turned_to(window: Window, anchor: PageAnchor, selected: usize, now: Moment) -> Self {
        let selected = selected.min(window.len().saturating_sub(1));
        let started_at = window.version.clone();
        Self { anchor, started_at, left: None, selected, scroll: 0, read_at: now, window }
    }

    /// Takes in the same stretch, read again. The selection follows its member; where that has left the page, the
    /// selection keeps its row and the member is returned.
    pub fn refresh(&mut self, window: Window, now: Moment) -> Option<Member> {
        let member = self.selected_entry().map(|entry| entry.member.clone());
        let found = member.as_ref().and_then(|member| window.find(member));
        self.window = window;
        self.read_at = now;
        self.select(found.unwrap_or(self.selected));
        if found.is_some() { None } else { member }
    }

    /// Takes the page as it is now for a new start.
    pub fn accept(&mut self) {
        self.started_at = self.window.version.clone();
        if let Some(left) = &mut self.left {
            left.accept(self.window.version.as_ref());
        }
    }

    /// The selected row.
    pub fn selected_entry(&self) -> Option<&Entry> {
        self.window.entries.get(self.selected)
    }

    /// Selects row `index`, the last one where there are fewer.
    pub fn select(&mut self, index: usize) {
        self.selected = index.min(self.window.len().saturating_sub(1));
    }

    /// Brings the selected row into sight of a table of `rows` lines, moving as little as possible. True where it moved.
    pub fn reveal(&mut self, rows: usize) -> bool {
        let before = self.scroll;
        self.scroll = revealed(self.scroll, self.selected, self.window.len(), rows);
        self.scroll != before
    }

    /// What is remembered of the page where it is left by a jump.
    pub fn stay(&self) -> Stay {
        let member = self.selected_entry().map(|entry| entry.member.clone());
        Stay { anchor: self.anchor.clone(), member, row: self.selected }
    }

    /// Moves the anchor of a page that has become too short for its selected row, or for the row that it hangs on, so that
    /// the selected row stays in sight.
    pub fn refit(&mut self, size: u64) {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let is_short = match &self.anchor {
            PageAnchor::End => self.selected + size < self.window.len(),
            PageAnchor::Before(_) => self.window.len() > size,
            PageAnchor::Row { line, .. } | PageAnchor::Score { line, .. } | PageAnchor::Place { line, .. } => {
                usize::try_from(*line).is_ok_and(|line| line >= size) || self.selected >= size
            }
            _ => self.selected >= size,
        };
        let beyond = (self.selected + 1).saturating_sub(size);
        if is_short && let Some(anchor) = self.anchor.moved_to(&self.window, beyond) {
            self.anchor = anchor;
        }
    }

    /// The cursor after the selected row of the board `key`.
    pub fn cursor(&self, key: &Key) -> Option<Cursor> {
        Some(Cursor {
            board: key.clone(),
            direction: self.window.order,
            place: self.selected_entry()?.clone(),
            version: self.window.version.clone(),
            position: Some(self.window.position(self.selected)),
        })
    }
}
