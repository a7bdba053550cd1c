//! From intents to questions: what is asked of the board for what the reader wants, as the page stands at that moment.

use crate::app::page::left::Left;
use crate::app::queue::Intent;
use crate::app::settings::Paging;
use crate::app::state::State;
use crate::board::entry::Member;
use crate::query::page::{Anchor, PageRequest, PageStart};

/// The question that `intent` is at this moment.
pub fn ask(state: &State, intent: &Intent) -> PageRequest {
    let size = state.page_rows();
    let mut ask = PageRequest::new(PageStart::Position(1), size);
    // Landed rows stand among their neighbours, in the upper third.
    ask.lead = size / 3;
    ask.dense = state.wants_dense();
    ask.scoring = state.packing.scoring.clone();
    match intent {
        Intent::Refresh { .. } => refresh(state, &mut ask),
        Intent::Turn { turns, .. } => turn(state, turns, &mut ask),
        Intent::Back(stay) => stay.anchor.ask(&mut ask),
        Intent::Cursor { is_after, cursor } => {
            let place = cursor.place.clone();
            ask.anchor = Some(Anchor { place: place.clone(), inclusive: *is_after });
            ask.fill = !is_after;
            ask.whence = if *is_after { PageStart::After(place) } else { PageStart::Before(place) };
        }
        Intent::First => {}
        Intent::Shrunk { .. } => {
            ask.whence = PageStart::Last;
            ask.anchor = left(state);
            ask.track = departed(state);
        }
        Intent::Last => ask.whence = PageStart::Last,
        Intent::Row(position) => ask.whence = PageStart::Row(*position),
        Intent::Score(score) => ask.whence = PageStart::Score(*score),
        Intent::Find(member) => ask.whence = PageStart::Member(member.clone()),
        Intent::Follow { member, .. } => {
            ask.whence = PageStart::Member(member.clone());
            ask.anchor = left(state);
            // It keeps its line on the screen, and the board moves past it.
            if let Some(shown) = &state.session.shown {
                ask.lead = (shown.selected as u64).min(size - 1);
            }
        }
        Intent::Tie { forward: true, from } => ask.whence = PageStart::NextTie(*from),
        Intent::Tie { forward: false, from } => ask.whence = PageStart::PreviousTie(*from),
        Intent::Distinct { forward: true, from } => ask.whence = PageStart::NextScore(*from),
        Intent::Distinct { forward: false, from } => ask.whence = PageStart::PreviousScore(*from),
    }
    ask
}

/// The edge of the page that was left. It is counted at each read of a page that stays; one that is jumped to has none.
fn left(state: &State) -> Option<Anchor> {
    state.session.shown.as_ref().and_then(|shown| shown.left.as_ref()).map(Left::anchor)
}

fn refresh(state: &State, ask: &mut PageRequest) {
    ask.anchor = left(state);
    if let Some(shown) = &state.session.shown {
        shown.anchor.ask(ask);
    }
    ask.track = departed(state);
}

fn departed(state: &State) -> Option<Member> {
    state.session.departed.as_ref().map(|departed| departed.member.clone())
}

fn turn(state: &State, turns: &[bool], ask: &mut PageRequest) {
    let Some((shown, (&forward, further))) = state.session.shown.as_ref().zip(turns.split_first()) else { return };
    let window = &shown.window;
    let edge = if forward { window.entries.last() } else { window.entries.first() };
    // An empty page has no edge to go on from.
    let Some(edge) = edge.cloned() else { return };
    ask.fill = !forward;
    ask.turns = further.to_vec();
    ask.anchor = Some(Anchor { place: edge.clone(), inclusive: forward });
    ask.whence = match (state.paging, forward) {
        (Paging::Cursor, true) => PageStart::After(edge),
        (Paging::Cursor, false) => PageStart::Before(edge),
        (Paging::Position, true) => PageStart::Position(window.end() + 1),
        (Paging::Position, false) => PageStart::Position(window.start.saturating_sub(ask.size).max(1)),
    };
}
