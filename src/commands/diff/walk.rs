//! One of two boards, row by row from its top, with where each row stands, and whether all of it was of one moment. It knows
//! nothing of the other board.

use std::vec;

use indicatif::ProgressBar;

use crate::board::diff::Placed;
use crate::board::entry::Entry;
use crate::board::rank::RankStyle;
use crate::board::score::Score;
use crate::board::window::Window;
use crate::commands::consistency::Moments;
use crate::commands::pages::Pages;
use crate::exit::Failure;
use crate::query::page::PageStart;
use crate::store::BoardSource;

/// A board that is walked down.
pub(super) struct Walk<'a, H> {
    pages: Pages<'a, H>,
    style: RankStyle,
    /// Rows of a worse rank are left out.
    top: Option<u64>,
    /// The page whose rows are given out; `None` before the first and after the last.
    page: Option<Window>,
    rows: vec::IntoIter<(Entry, Placed)>,
    is_over: bool,
    /// The score of the last row, and how many distinct ones stand above it: a walk from the top counts them without bound.
    last: Option<(Score, u64)>,
    pub(super) moments: Moments,
    bar: &'a ProgressBar,
}

impl<'a, H: BoardSource> Walk<'a, H> {
    pub(super) fn new(pages: Pages<'a, H>, style: RankStyle, top: Option<u64>, bar: &'a ProgressBar) -> Self {
        Self {
            pages,
            style,
            top,
            page: None,
            rows: Vec::new().into_iter(),
            is_over: false,
            last: None,
            moments: Moments::default(),
            bar,
        }
    }

    /// The next row; `None` at the end.
    pub(super) async fn next(&mut self) -> Result<Option<(Entry, Placed)>, Failure> {
        loop {
            if let Some((entry, placed)) = self.rows.next() {
                let is_within = self.top.is_none_or(|top| placed.standing.rank(self.style).is_within(top));
                self.is_over |= !is_within;
                return Ok(is_within.then_some((entry, placed)));
            }
            if self.is_over || !self.turn().await? {
                self.is_over = true;
                return Ok(None);
            }
        }
    }

    /// Reads the next page; false where there is none.
    async fn turn(&mut self) -> Result<bool, Failure> {
        let page = match self.page.take() {
            None => self.pages.first(PageStart::Position(1)).await?,
            Some(before) => match self.pages.after(&before).await {
                None => return Ok(false),
                Some(page) => {
                    let page = page?;
                    if page.above() != before.end() {
                        self.moments.tear();
                    }
                    page
                }
            },
        };
        self.moments.note(&page);
        self.bar.inc(page.len() as u64);
        let rows = self.placed(&page);
        let is_last = rows
            .last()
            .is_some_and(|(_, placed)| self.top.is_some_and(|top| !placed.standing.rank(self.style).is_within(top)));
        if !is_last {
            self.pages.send_ahead(&page);
        }
        self.rows = rows.into_iter();
        self.page = Some(page);
        Ok(true)
    }

    fn placed(&mut self, page: &Window) -> Vec<(Entry, Placed)> {
        let grouping = page.scoring.grouping();
        let rows = page.entries.iter().zip(page.standings());
        rows.map(|(entry, mut standing)| {
            let distinct = match self.last {
                None => 0,
                Some((last, distinct)) => distinct + u64::from(!grouping.is_same(last, entry.score)),
            };
            self.last = Some((entry.score, distinct));
            standing.distinct_better = Some(distinct);
            (entry.clone(), Placed { score: entry.score, standing })
        })
        .collect()
    }
}
