//! Pages without a script where they begin where they are thought to: the page that was read last, again, and the one next to
//! it. Scripts are dear for a server, and rows through them dearer. So a transaction reads the rows there and one or a few
//! more on either side, and what it brought is checked: where the page does not begin there after all, or where it cuts a tie
//! that nobody knew of, the page is read by the script instead. A wrong guess costs a round trip, never a wrong answer.

use std::ops::Range;

use tokio::time::Instant;

use crate::board::entry::Entry;
use crate::board::keys::Board;
use crate::board::meta::{Meta, Ttl};
use crate::board::window::Window;
use crate::query::page::{PageReply, PageRequest, PageStart};
use crate::store::redis::read::scriptless::read_set::{ReadSet, Side};
use crate::store::redis::read::scriptless::resolver::Resolver;
use crate::store::redis::read::scriptless::snapshot::Unity;
use crate::store::redis::{ReadFailure, RedisSource};

/// Rows beyond a page that is turned to, which tell where a tie at its far edge ends.
const BEYOND: u64 = 4;
/// After a wrong guess so many pages are read by the script.
const REST: u32 = 8;

/// What the last page of a board says about the next.
#[derive(Default)]
pub(in crate::store::redis) struct Guesses {
    last: Option<Last>,
    rest: u32,
}

struct Last {
    board: Board,
    whence: PageStart,
    start: u64,
    total: u64,
    /// The first and the last row, with their indexes and whether a tie goes on past them.
    edges: Vec<(u64, Entry, bool)>,
    beside: Beside,
}

/// What belongs to a board, and when it was read.
#[derive(Clone)]
pub(in crate::store::redis) struct Beside {
    ttl: Ttl,
    meta: Meta,
    at: Instant,
}

impl Beside {
    /// How long the board lives now; `None` where it may have come to its end.
    fn ttl(&self) -> Option<Ttl> {
        match self.ttl {
            Ttl::Milliseconds(left) => {
                let passed = u64::try_from(self.at.elapsed().as_millis()).unwrap_or(u64::MAX);
                left.checked_sub(passed).filter(|left| *left > 0).map(Ttl::Milliseconds)
            }
            Ttl::Forever => Some(Ttl::Forever),
            Ttl::Unknown => Some(Ttl::Unknown),
            Ttl::NoKey => None,
        }
    }
}

impl Guesses {
    /// What to read for `ask`; `None` where nothing says where its page is.
    fn wants(&self, board: &Board, ask: &PageRequest) -> Option<ReadSet> {
        let last = self.last.as_ref().filter(|last| last.board == *board && !ask.dense && ask.turns.is_empty())?;
        let stood = |place: &Entry| last.edges.iter().find(|(_, entry, _)| entry == place).map(|(index, ..)| *index);
        let mut wants = ReadSet::default();
        let is_same = last.whence == ask.whence;
        let rows = match &ask.whence {
            PageStart::Position(position) if *position == last.start => around(last.start, ask.size),
            PageStart::Position(_)
            | PageStart::Last
            | PageStart::After(_)
            | PageStart::Before(_)
            | PageStart::From(_)
            | PageStart::Place(_)
            | PageStart::Row(_)
                if is_same =>
            {
                around(last.start, ask.size)
            }
            PageStart::Member(member) if is_same => {
                wants.member(member);
                around(last.start, ask.size)
            }
            PageStart::Score(score) if is_same => {
                wants.count(*score, Side::Better);
                around(last.start, ask.size)
            }
            PageStart::After(place) => {
                let index = stood(place)?;
                index..index.saturating_add(1 + ask.size).saturating_add(BEYOND)
            }
            PageStart::Before(place) => {
                let start = stood(place)?.saturating_sub(ask.size);
                start.saturating_sub(BEYOND)..start.saturating_add(ask.size).saturating_add(1)
            }
            _ => return None,
        };
        wants.rows(rows);
        if let Some(anchor) = &ask.anchor {
            // The place that a page begins at is read with it.
            if !matches!(&ask.whence, PageStart::After(place) | PageStart::Before(place) if *place == anchor.place) {
                wants.place(&anchor.place);
            }
        }
        if let Some(member) = &ask.track {
            wants.track(member);
        }
        let is_turn = !is_same && matches!(&ask.whence, PageStart::After(_) | PageStart::Before(_));
        for (at, (_, entry, is_cut)) in last.edges.iter().enumerate() {
            // Of the same page only what its own ranks follow from; a tie may go on through the page beside it.
            if *is_cut && (is_turn || at == 0) {
                wants.count(entry.score, Side::Better);
            }
            if *is_cut && (is_turn || at > 0) {
                wants.count(entry.score, Side::Through);
            }
        }
        Some(wants)
    }

    /// True where the board had `size` rows from `position` on when it was read last.
    pub(in crate::store::redis) fn has_rows(&self, board: &Board, position: u64, size: u64) -> bool {
        self.last.as_ref().is_some_and(|last| last.board == *board && position.saturating_add(size) <= last.total)
    }

    /// What belongs to the board and was read of late, where `ask` takes it.
    fn beside(&self, board: &Board, ask: &PageRequest) -> Option<Beside> {
        let last = self.last.as_ref().filter(|last| last.board == *board && ask.is_lean)?;
        Some(Beside { ttl: last.beside.ttl()?, ..last.beside.clone() })
    }

    /// Takes note of a page. `beside`: what of it was read before.
    fn note(&mut self, board: &Board, ask: &PageRequest, window: &Window, beside: Option<Beside>) {
        if window.is_missing() {
            return self.forget();
        }
        let above = window.better_than_first < window.above();
        let below = window.through_last > window.end();
        let first = window.entries.first().map(|entry| (window.above(), entry.clone(), above));
        let last = window.entries.last().map(|entry| (window.end() - 1, entry.clone(), below));
        let read = || Beside { ttl: window.ttl, meta: window.meta.clone(), at: Instant::now() };
        self.last = Some(Last {
            board: board.clone(),
            whence: ask.whence.clone(),
            start: window.start,
            total: window.total,
            edges: first.into_iter().chain(last).collect(),
            beside: beside.unwrap_or_else(read),
        });
    }

    /// What was read may be of another time, or another server, than what comes next.
    pub(in crate::store::redis) fn forget(&mut self) {
        self.last = None;
    }
}

/// The indexes of a page from position `start` on, with one row more on either side.
fn around(start: u64, size: u64) -> Range<u64> {
    start.saturating_sub(2)..start.saturating_add(size)
}

impl RedisSource {
    /// Reads the page of `ask` where it is thought to be; `None` where it is not there, or nothing says where. One round
    /// trip, O(log n + rows).
    pub(in crate::store::redis) async fn read_by_guess(
        &mut self,
        board: &Board,
        ask: &PageRequest,
    ) -> Result<Option<PageReply>, ReadFailure> {
        // A guess is checked by what was read at one moment with it.
        if self.is_full || !self.access.transactions || !self.access.has_lookups {
            return Ok(None);
        }
        let Some(wants) = self.likely.wants(board, ask) else { return Ok(None) };
        if self.likely.rest > 0 {
            self.likely.rest -= 1;
            return Ok(None);
        }
        let beside = self.likely.beside(board, ask);
        let grouping = ask.scoring.grouping();
        let mut moment = self.read_moment(board, grouping, &wants, beside.is_none()).await?;
        if let Some(Beside { ttl, meta, .. }) = beside.clone() {
            // A board that is gone has nothing left beside it.
            moment.ttl = if moment.total == 0 { Ttl::NoKey } else { ttl };
            moment.meta = meta;
        }
        let reply = Resolver::new((board.order, grouping), &moment, 1).answer(ask);
        match reply {
            Ok(PageReply::Page(mut page)) if moment.unity == Unity::One && page.window.is_coherent() => {
                page.window.verified = true;
                self.likely.note(board, ask, &page.window, beside);
                Ok(Some(PageReply::Page(page)))
            }
            _ => {
                self.likely.rest = REST;
                Ok(None)
            }
        }
    }

    /// Takes note of what came of a read that was no guess.
    pub(in crate::store::redis) fn note_page(
        &mut self,
        board: &Board,
        ask: &PageRequest,
        reply: &Result<PageReply, ReadFailure>,
    ) {
        match reply {
            Ok(PageReply::Page(page)) => self.likely.note(board, ask, &page.window, None),
            Ok(_) => {}
            Err(_) => self.likely.forget(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_is_left_of_a_life_is_counted_down_and_its_end_is_asked_for() {
        let ago = |ttl, seconds| {
            let at = Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
            Beside { ttl, meta: Meta::default(), at }.ttl()
        };
        assert_eq!(ago(Ttl::Forever, 1), Some(Ttl::Forever));
        assert!(matches!(ago(Ttl::Milliseconds(5_000), 2), Some(Ttl::Milliseconds(2_000..=3_000))));
        assert_eq!((ago(Ttl::Milliseconds(900), 1), ago(Ttl::NoKey, 0)), (None, None));
    }
}
