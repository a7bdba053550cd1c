//! The list of a board's periods: those that are there, newest first, as far as the calendar has been looked at, and the
//! selection on it. It asks nothing itself; what it wants to know next it says.

use crate::app::event::Moment;
use crate::app::geometry::{Geometry, revealed};
use crate::app::keymap::Action;
use crate::app::periods::{LIMIT, STRETCH};
use crate::board::period::Period;
use crate::query::error::StoreError;
use crate::query::listing::{KeySummary, Listed};

/// The list begins so many periods after the current one: boards may have been made ready.
const AHEAD: usize = 4;

/// A period of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which.
    pub period: Period,
    /// What is there.
    pub there: There,
    /// When that was so.
    pub seen_at: Moment,
}

/// What there is of a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum There {
    /// A board.
    Board(Listed),
    /// Something else.
    NoSortedSet,
    /// Nothing yet, of the current or the watched period.
    Nothing,
}

impl Row {
    /// Why it cannot be opened, where it cannot.
    pub fn refusal(&self) -> Option<&'static str> {
        match &self.there {
            There::Board(listed) if listed.total.is_none() => Some("no permission to read it"),
            There::NoSortedSet => Some("not a sorted set"),
            There::Board(_) | There::Nothing => None,
        }
    }
}

/// The list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Browse {
    /// The watched board's period.
    pub own: Period,
    /// The period that the clock was in when the list was opened; none where that was not known.
    pub current: Option<Period>,
    /// The periods that are there, newest first.
    pub rows: Vec<Row>,
    /// Index of the selected row; 0 where there are none.
    pub selected: usize,
    /// Index of the first row in sight.
    pub scroll: usize,
    /// The next period to look at; none where there is nothing further to look at.
    pub older: Option<Period>,
    /// How many periods have been looked at.
    pub looked: usize,
    /// Why the last look failed, where it did.
    pub trouble: Option<StoreError>,
    /// A stretch is being looked at.
    is_asking: bool,
    is_wanting: bool,
    has_moved: bool,
}

impl Browse {
    /// The list around a board of the period `own`, of which nothing is known yet.
    pub fn new(own: Period, current: Option<Period>) -> Self {
        let mut newest = current.filter(|current| own.is_before(current)).unwrap_or(own);
        for _ in 0..AHEAD {
            newest = newest.next().unwrap_or(newest);
        }
        Self {
            own,
            current,
            rows: Vec::new(),
            selected: 0,
            scroll: 0,
            older: Some(newest),
            looked: 0,
            trouble: None,
            is_asking: false,
            is_wanting: true,
            has_moved: false,
        }
    }

    /// Whether a further stretch is to be looked at, and none is being looked at.
    pub fn is_wanting(&self) -> bool {
        self.is_wanting && !self.is_asking
    }

    /// Whether periods are being looked at, or about to be.
    pub fn is_looking(&self) -> bool {
        self.is_wanting || self.is_asking
    }

    /// Tries again what failed.
    pub(in crate::app) fn retry(&mut self) {
        self.is_wanting |= self.trouble.take().is_some();
    }

    /// The periods to look at next.
    pub(in crate::app) fn ask(&mut self) -> Vec<Period> {
        let room = STRETCH.min(LIMIT.saturating_sub(self.looked));
        self.is_wanting = false;
        let periods: Vec<Period> = std::iter::successors(self.older, Period::previous).take(room).collect();
        self.is_asking = !periods.is_empty();
        if periods.is_empty() {
            self.older = None;
        }
        periods
    }

    /// Takes in what there is of `periods`.
    pub(in crate::app) fn take(
        &mut self,
        periods: &[Period],
        result: Result<Vec<KeySummary>, StoreError>,
        now: Moment,
    ) {
        self.is_asking = false;
        let sights = match result {
            Ok(sights) => sights,
            Err(trouble) => {
                self.trouble = Some(trouble);
                return;
            }
        };
        let is_any_there = sights.iter().any(|sight| *sight != KeySummary::Nothing);
        for (period, sight) in periods.iter().zip(sights) {
            let there = match sight {
                KeySummary::Board(listed) => There::Board(listed),
                KeySummary::NoSortedSet => There::NoSortedSet,
                KeySummary::Nothing if *period == self.own || Some(*period) == self.current => There::Nothing,
                KeySummary::Nothing => continue,
                // The others are told of all the same.
                KeySummary::Unanswered(trouble) => {
                    self.trouble = Some(trouble);
                    continue;
                }
            };
            self.rows.push(Row { period: *period, there, seen_at: now });
        }
        self.looked += periods.len();
        self.older = periods.last().and_then(Period::previous).filter(|_| self.looked < LIMIT);
        if !self.has_moved {
            let own = self.rows.iter().position(|row| row.period == self.own);
            self.selected = own.unwrap_or(self.selected);
        }
        // On its own it goes on until the watched board is in the list, and as long as a stretch fills up the screen.
        let is_own_ahead = self.older.is_some_and(|older| !older.is_before(&self.own));
        let is_filling = is_any_there && self.rows.len() <= self.selected + STRETCH;
        self.is_wanting = self.older.is_some() && (is_own_ahead || is_filling);
    }

    /// The selected row.
    pub fn selected_row(&self) -> Option<&Row> {
        self.rows.get(self.selected)
    }

    /// Moves the selection; beyond the last row, a further stretch is looked at.
    pub(in crate::app) fn go(&mut self, action: Action, geometry: &Geometry) {
        let page = rows_in_sight(geometry).max(1);
        let last = self.rows.len().saturating_sub(1);
        let wanted = match action {
            Action::RowDown => self.selected + 1,
            Action::PageDown => self.selected + page,
            Action::Last => usize::MAX,
            Action::RowUp => self.selected.saturating_sub(1),
            Action::PageUp => self.selected.saturating_sub(page),
            Action::First => 0,
            _ => return,
        };
        self.has_moved = true;
        self.is_wanting |= wanted > last && self.older.is_some();
        self.selected = wanted.min(last);
    }

    /// Brings the selected row into sight; true where the list moved.
    pub(in crate::app) fn reveal(&mut self, geometry: &Geometry) -> bool {
        let before = self.scroll;
        self.scroll = revealed(self.scroll, self.selected, self.rows.len(), rows_in_sight(geometry));
        self.scroll != before
    }
}

/// How many periods are in sight: the lines between header and footer, but for the heads and a last line of words.
pub fn rows_in_sight(geometry: &Geometry) -> usize {
    usize::from(geometry.lines().saturating_sub(geometry.header + geometry.footer + 2))
}
