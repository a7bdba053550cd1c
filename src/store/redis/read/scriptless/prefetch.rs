//! What a read is thought to need before anything of it is known. A wrong guess costs a round trip, never a wrong answer.

use crate::board::entry::Entry;
use crate::board::keys::Board;
use crate::board::window::Window;
use crate::query::page::{PageRequest, PageStart, turned};
use crate::store::redis::read::scriptless::read_set::{ReadSet, Side};

/// What the last page that was read says about the next.
#[derive(Default)]
pub(in crate::store::redis) struct Prefetch {
    last: Option<Last>,
}

struct Last {
    board: Board,
    ask: PageRequest,
    /// All that the answer was worked out from.
    wants: ReadSet,
    /// The first and the last row, with their indexes.
    edges: Vec<(u64, Entry)>,
}

impl Prefetch {
    /// What to read first. The same question needs what it needed last time.
    pub(in crate::store::redis) fn wants(&self, board: &Board, ask: &PageRequest) -> ReadSet {
        match &self.last {
            Some(last) if last.board == *board && last.ask == *ask => last.wants.clone(),
            Some(last) if last.board == *board => first(ask, &last.edges),
            _ => first(ask, &[]),
        }
    }

    /// Remembers a page and what it was worked out from.
    pub(in crate::store::redis) fn remember(
        &mut self,
        board: &Board,
        ask: &PageRequest,
        window: &Window,
        wants: ReadSet,
    ) {
        let first = window.entries.first().map(|entry| (window.above(), entry.clone()));
        let last = window.entries.last().map(|entry| (window.end() - 1, entry.clone()));
        let edges = first.into_iter().chain(last).collect();
        self.last = Some(Last { board: board.clone(), ask: ask.clone(), wants, edges });
    }
}

fn first(ask: &PageRequest, edges: &[(u64, Entry)]) -> ReadSet {
    let mut wants = ReadSet::default();
    let mut page = |start: u64| wants.rows(start.saturating_sub(1)..start.saturating_add(ask.size).saturating_add(1));
    // A page is mostly turned from an edge of the one before, which is where it was or close by.
    let stood = |place: &Entry| edges.iter().find(|(_, entry)| entry == place).map(|(index, _)| *index);
    match &ask.whence {
        PageStart::Position(position) => {
            page(turned(position.saturating_sub(1), ask.size, u64::MAX, &ask.turns));
        }
        PageStart::Row(position) => page(position.saturating_sub(1).saturating_sub(ask.lead)),
        PageStart::Last => wants.last_rows(ask.size.saturating_add(1)),
        PageStart::After(place) => {
            if let Some(index) = stood(place) {
                page(turned(index + 1, ask.size, u64::MAX, &ask.turns));
            }
            wants.place(place);
        }
        PageStart::Before(place) => {
            if let Some(index) = stood(place) {
                page(turned(index.saturating_sub(ask.size), ask.size, u64::MAX, &ask.turns));
            }
            wants.place(place);
        }
        PageStart::From(place) | PageStart::Place(place) => {
            if let Some(index) = stood(place) {
                page(index.saturating_sub(ask.lead));
            }
            wants.place(place);
        }
        PageStart::Member(member) => wants.member(member),
        PageStart::Score(score) | PageStart::PreviousTie(score) | PageStart::PreviousScore(score) => {
            wants.count(*score, Side::Better);
        }
        PageStart::NextTie(score) | PageStart::NextScore(score) => wants.count(*score, Side::Through),
    }
    if let Some(anchor) = &ask.anchor {
        wants.place(&anchor.place);
    }
    if let Some(member) = &ask.track {
        wants.track(member);
    }
    // A tie group at the edge of one page often goes on in the next.
    for (_, entry) in edges {
        wants.count(entry.score, Side::Better);
        wants.count(entry.score, Side::Through);
    }
    wants
}
