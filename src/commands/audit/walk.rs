//! Walks: a board page by page, one way or the other, by whatever pager. What a walk has to keep is said here; how a pager
//! goes from page to page is its own matter, so that a wrong one can be shown to fail.

use super::scan::{Scan, incoherent};
use super::tally::{Check, row_text};
use super::{Failure, Reader};
use crate::board::entry::Entry;
use crate::board::order::Order;
use crate::board::window::Window;
use crate::query::page::PageStart;
use crate::store::BoardSource;

/// Which way a board is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From the top down.
    Forward,
    /// From the end up.
    Backward,
}

impl Way {
    pub(super) const BOTH: [Self; 2] = [Self::Forward, Self::Backward];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Backward => "backward",
        }
    }
}

/// How pages are turned.
pub trait Pager {
    /// What it goes by, as the table of checks says it.
    fn name(&self) -> &'static str;

    /// Whether it promises to repeat and miss nobody whose score stays, however the board moves.
    fn keeps_everybody(&self) -> bool;

    /// Where the page after `page` begins, and how many rows it has, at most `size`; `None` after the last.
    fn turn(&self, page: &Window, way: Way, size: u64) -> Option<(PageStart, u64)>;
}

/// Turns pages as the viewer does: from the last row read.
pub struct Cursors;

impl Pager for Cursors {
    fn name(&self) -> &'static str {
        "cursor"
    }

    fn keeps_everybody(&self) -> bool {
        true
    }

    fn turn(&self, page: &Window, way: Way, size: u64) -> Option<(PageStart, u64)> {
        match way {
            Way::Forward if page.is_last() => None,
            Way::Forward => Some((PageStart::After(page.entries.last()?.clone()), size)),
            Way::Backward if page.above() == 0 => None,
            Way::Backward => Some((PageStart::Before(page.entries.first()?.clone()), size)),
        }
    }
}

/// Turns pages by row numbers: what moves above the page is repeated or skipped.
pub struct Positions;

impl Pager for Positions {
    fn name(&self) -> &'static str {
        "position"
    }

    fn keeps_everybody(&self) -> bool {
        false
    }

    fn turn(&self, page: &Window, way: Way, size: u64) -> Option<(PageStart, u64)> {
        if page.is_empty() {
            return None;
        }
        match way {
            Way::Forward => (!page.is_last()).then(|| (PageStart::Position(page.end() + 1), size)),
            Way::Backward => {
                let size = size.min(page.above());
                (size > 0).then(|| (PageStart::Position(page.start - size), size))
            }
        }
    }
}

/// One walk.
pub(super) struct Course {
    pub(super) way: Way,
    /// Rows of a page.
    pub(super) size: u64,
    /// The page it begins with: at this position, or at the end of the board that it comes from.
    pub(super) begin: Option<u64>,
    /// It ends after so many pages.
    pub(super) most: u64,
}

/// What a walk met.
pub(super) struct Walk {
    /// In board order; rows that were met twice are in it once.
    rows: Vec<Entry>,
    repeated: u64,
    /// Whether nothing lies above its first row that it could have met, and nothing below its last.
    is_open: [bool; 2],
}

impl Walk {
    /// Walks `course`. Each page is held against `scan`, and has to go strictly on from the one before if `pager` says so.
    pub(super) async fn take<H: BoardSource>(
        reader: &mut Reader<'_, H>,
        pager: &dyn Pager,
        course: &Course,
        scan: &Scan,
        check: &mut Check,
    ) -> Result<Self, Failure> {
        let order = reader.board.order;
        let begin = match (course.begin, course.way) {
            (Some(position), _) => PageStart::Position(position),
            (None, Way::Forward) => PageStart::Position(1),
            (None, Way::Backward) => PageStart::Last,
        };
        let mut rows: Vec<Entry> = Vec::new();
        let mut boundary: Option<Entry> = None;
        let mut next = Some((begin, course.size));
        let mut taken = 0;
        while let Some((whence, size)) = next.take_if(|_| taken < course.most) {
            let page = reader.window(whence, size).await?;
            taken += 1;
            check.see(&page);
            check.rows += page.len() as u64;
            incoherent(&page, check);
            if let Some(evidence) = scan.disagreement(&page) {
                check.fail(|| evidence);
            }
            let (near, far) = match course.way {
                Way::Forward => (page.entries.first(), page.entries.last()),
                Way::Backward => (page.entries.last(), page.entries.first()),
            };
            if let (true, Some(boundary), Some(near)) = (pager.keeps_everybody(), &boundary, near) {
                let is_on = match course.way {
                    Way::Forward => order.compare(near, boundary).is_gt(),
                    Way::Backward => order.compare(near, boundary).is_lt(),
                };
                if !is_on {
                    let (near, boundary) = (row_text(near), row_text(boundary));
                    check.fail(|| format!("page {taken} goes on with {near}, which is not past {boundary}"));
                }
            }
            boundary = far.cloned().or(boundary);
            next = pager.turn(&page, course.way, course.size);
            rows.extend(page.entries);
        }
        let is_finished = next.is_none();
        let met = rows.len();
        rows.sort_by(|a, b| order.compare(a, b));
        rows.dedup();
        let is_open = match course.way {
            Way::Forward => [course.begin.is_none(), is_finished],
            Way::Backward => [is_finished, course.begin.is_none()],
        };
        Ok(Self { repeated: (met - rows.len()) as u64, rows, is_open })
    }

    /// Judges what was repeated and missed, by the scans before and after the walk: `after` is `None` where the board
    /// still was at the version of `before`.
    pub(super) fn judge(
        &self,
        pager: &dyn Pager,
        before: &Scan,
        after: Option<&Scan>,
        order: Order,
        check: &mut Check,
    ) {
        let after = after.unwrap_or(before);
        let mut walked = self.rows.iter().peekable();
        let mut missed = 0;
        let mut example = None;
        for row in before.unmoved(after).filter(|row| self.covers(row, order)) {
            while walked.next_if(|other| order.compare(other, row).is_lt()).is_some() {}
            if walked.peek() != Some(&row) {
                missed += 1;
                example.get_or_insert(row);
            }
        }
        if !pager.keeps_everybody() && !before.is_still(after) {
            check.repeated += self.repeated;
            check.skipped += missed;
            return;
        }
        if self.repeated > 0 {
            check.fail(|| format!("{} rows were met twice", self.repeated));
        }
        if let Some(row) = example {
            check.fail(|| {
                format!("{missed} rows were missed, such as {}, which stood there before and after", row_text(row))
            });
        }
    }

    /// True where a row that did not move lies on the way.
    fn covers(&self, row: &Entry, order: Order) -> bool {
        let [is_open_above, is_open_below] = self.is_open;
        let is_below_first = is_open_above || self.rows.first().is_some_and(|first| order.compare(row, first).is_ge());
        let is_above_last = is_open_below || self.rows.last().is_some_and(|last| order.compare(row, last).is_le());
        is_below_first && is_above_last
    }
}
