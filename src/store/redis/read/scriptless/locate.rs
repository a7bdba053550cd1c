//! Where the page that an ask wants begins, and what belongs to it, from the facts of one moment. Indexes count from 0
//! here, as the facts do; answers count positions from 1.

use crate::board::score::Score;
use crate::board::window::Window;
use crate::query::page::{DENSE_BOUND, Page, PageReply, PageRequest, PageStart, SEARCH_STEP, turned};
use crate::store::redis::read::scriptless::read_set::Side;
use crate::store::redis::read::scriptless::resolver::{Known, Resolver, Unsettled};

/// Up to so many rows above a page are read to count their distinct scores; past it dense ranks are not shown. Scripts
/// hop from score to score instead, which here would be a round trip each.
const DENSE_ROWS: u64 = 20_000;

/// Where a page lies.
struct Spot {
    start: u64,
    size: u64,
    target: Option<u64>,
}

impl Resolver<'_> {
    /// The answer to `ask`. All that can be found missing at once is.
    pub(in crate::store::redis) fn answer(&mut self, ask: &PageRequest) -> Known<PageReply> {
        let spot = self.locate(ask);
        let boundary = ask.anchor.as_ref().map(|anchor| {
            let (before, through) = self.place(&anchor.place)?;
            Ok(if anchor.inclusive { through } else { before })
        });
        let tracked = ask.track.as_ref().map(|member| self.tracked(member));
        let spot = spot?;
        let window = self.window(&spot, ask);
        Ok(PageReply::Page(Box::new(Page {
            window: window?,
            target: spot.target.map(|index| index + 1),
            boundary: boundary.transpose()?,
            tracked: tracked.transpose()?.flatten().map(|index| index + 1),
        })))
    }

    fn window(&mut self, spot: &Spot, ask: &PageRequest) -> Known<Window> {
        let start = spot.start.min(self.total());
        let end = start.saturating_add(spot.size).min(self.total());
        if ask.whence == PageStart::Last {
            self.hope_for_last(ask.size);
        }
        let rows = self.rows(start..end)?;
        let mut window = Window {
            start: start + 1,
            total: self.total(),
            version: self.moment.version.clone(),
            ttl: self.moment.ttl,
            meta: self.moment.meta.clone(),
            distinct_better: ask.dense.then_some(0),
            scoring: ask.scoring.clone(),
            ..Window::nothing(self.order)
        };
        if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
            let (better, through) = (self.count(first.score, Side::Better), self.count(last.score, Side::Through));
            window.better_than_first = better?;
            window.through_last = through?;
            if ask.dense {
                window.distinct_better = self.distinct(window.better_than_first)?;
            }
        }
        window.entries = rows.into_iter().cloned().collect();
        Ok(window)
    }

    /// How many distinct scores the first `count` rows have, where that is within the bounds.
    fn distinct(&mut self, count: u64) -> Known<Option<u64>> {
        if count > DENSE_ROWS {
            return Ok(None);
        }
        let grouping = self.grouping;
        let distinct = self.rows(0..count)?.chunk_by(|a, b| grouping.is_same(a.score, b.score)).count() as u64;
        Ok((distinct <= DENSE_BOUND).then_some(distinct))
    }

    fn locate(&mut self, ask: &PageRequest) -> Known<Spot> {
        let (total, size) = (self.total(), ask.size);
        let last_start = total.saturating_sub(size);
        let from = |start| Spot { start, size, target: None };
        let around =
            |index: u64| Spot { start: index.saturating_sub(ask.lead).min(last_start), size, target: Some(index) };
        let spot = match &ask.whence {
            PageStart::Position(position) => from(position.saturating_sub(1)),
            PageStart::Last => from(last_start),
            PageStart::After(place) => from(self.place(place)?.1),
            PageStart::Before(place) => {
                let before = self.place(place)?.0;
                let size = if ask.fill { size } else { size.min(before) };
                Spot { start: before.saturating_sub(size), size, target: None }
            }
            PageStart::From(place) => from(self.place(place)?.0),
            PageStart::Member(member) => {
                around(self.standing(member)?.ok_or(Unsettled::Instead(PageReply::NotOnBoard))?.0)
            }
            PageStart::Row(_) | PageStart::Score(_) | PageStart::Place(_) if total == 0 => from(0),
            PageStart::Place(place) => around(self.place(place)?.0.min(total - 1)),
            PageStart::Row(position) => around(position.saturating_sub(1).min(total - 1)),
            PageStart::Score(score) => around(self.count(*score, Side::Better)?.min(total - 1)),
            PageStart::NextTie(score) => around(self.next_tie(*score, ask)?),
            PageStart::PreviousTie(score) => around(self.previous_tie(*score, ask)?),
            PageStart::NextScore(score) => {
                let through = self.count(*score, Side::Through)?;
                if through >= total {
                    return Err(Unsettled::Instead(PageReply::NoFurther));
                }
                around(through)
            }
            PageStart::PreviousScore(score) => {
                let Some(nearest) = self.count(*score, Side::Better)?.checked_sub(1) else {
                    return Err(Unsettled::Instead(PageReply::NoFurther));
                };
                self.hope_for(nearest.saturating_sub(ask.lead)..nearest.saturating_add(size));
                let score = self.rows(nearest..nearest + 1)?.first().ok_or(Unsettled::Missing)?.score;
                around(self.count(score, Side::Better)?)
            }
        };
        Ok(Spot { start: turned(spot.start.min(total), spot.size, total, &ask.turns), ..spot })
    }

    /// Index of the first row of the first group strictly worse than `score`.
    fn next_tie(&mut self, score: Score, ask: &PageRequest) -> Known<u64> {
        let total = self.total();
        let start = self.count(score, Side::Through)?.min(total);
        let end = start.saturating_add(SEARCH_STEP).min(total);
        self.hope_for(start.saturating_sub(ask.lead)..end.saturating_add(ask.size));
        let rows = self.rows(start..end)?;
        if let Some(at) = rows.windows(2).position(|pair| self.grouping.is_same(pair[0].score, pair[1].score)) {
            return Ok(start + at as u64);
        }
        // From the last row but one, so that a group that begins with the last is found.
        let from = if end < total { rows.iter().nth_back(1) } else { None };
        Err(Unsettled::Instead(match from {
            Some(row) => PageReply::Onward { from: row.score, reached: end },
            None => PageReply::NoFurther,
        }))
    }

    /// Index of the first row of the nearest group strictly better than `score`.
    fn previous_tie(&mut self, score: Score, ask: &PageRequest) -> Known<u64> {
        let end = self.count(score, Side::Better)?.min(self.total());
        let start = end.saturating_sub(SEARCH_STEP);
        self.hope_for(start.saturating_sub(ask.lead)..end.saturating_add(ask.size));
        let rows = self.rows(start..end)?;
        if let Some(pair) = rows.windows(2).rfind(|pair| self.grouping.is_same(pair[0].score, pair[1].score)) {
            return self.count(pair[0].score, Side::Better);
        }
        let from = if start > 0 { rows.get(1) } else { None };
        Err(Unsettled::Instead(match from {
            Some(row) => PageReply::Onward { from: row.score, reached: start + 1 },
            None => PageReply::NoFurther,
        }))
    }
}
