//! From intents to questions: what is asked of the board for what the reader wants, as the page stands at that moment.

use crate::app::reading::Intent;
use crate::app::state::{Paging, State};
use crate::board::ask::{Ask, Whence};
use crate::board::entry::Member;

/// The question that `intent` is at this moment.
pub fn ask(state: &State, intent: &Intent) -> Ask {
    let size = state.page_rows();
    let mut ask = Ask::new(Whence::Position(1), size);
    // Landed rows stand among their neighbours, in the upper third.
    ask.lead = size / 3;
    ask.dense = state.wants_dense();
    match intent {
        Intent::Refresh { .. } => refresh(state, &mut ask),
        Intent::Turn { forward, .. } => turn(state, *forward, &mut ask),
        Intent::First => {}
        Intent::Shrunk { .. } => {
            ask.whence = Whence::Last;
            ask.track = departed(state);
        }
        Intent::Last => ask.whence = Whence::Last,
        Intent::Row(position) => ask.whence = Whence::Row(*position),
        Intent::Score(score) => ask.whence = Whence::Score(*score),
        Intent::Find(member) => ask.whence = Whence::Member(member.clone()),
        Intent::Follow(member) => {
            ask.whence = Whence::Member(member.clone());
            // It keeps its line on the screen, and the board moves past it.
            if let Some(shown) = &state.shown {
                ask.lead = (shown.selected as u64).min(size - 1);
            }
        }
        Intent::Tie { forward: true, from } => ask.whence = Whence::NextTie(*from),
        Intent::Tie { forward: false, from } => ask.whence = Whence::PreviousTie(*from),
        Intent::Distinct { forward: true, from } => ask.whence = Whence::NextScore(*from),
        Intent::Distinct { forward: false, from } => ask.whence = Whence::PreviousScore(*from),
    }
    ask
}

fn refresh(state: &State, ask: &mut Ask) {
    if let Some(shown) = &state.shown {
        // A page that has become too short for the selected row begins lower.
        let beyond = (shown.selected as u64 + 1).saturating_sub(ask.size);
        ask.whence = Whence::Position(shown.window.start + beyond);
    }
    ask.track = departed(state);
}

fn departed(state: &State) -> Option<Member> {
    state.departed.as_ref().map(|departed| departed.member.clone())
}

fn turn(state: &State, forward: bool, ask: &mut Ask) {
    let Some(shown) = &state.shown else { return };
    let window = &shown.window;
    let edge = if forward { window.entries.last() } else { window.entries.first() };
    // An empty page has no edge to go on from.
    let Some(edge) = edge.cloned() else { return };
    ask.fill = !forward;
    ask.anchor = shown.baseline.anchor(forward);
    ask.whence = match (state.paging, forward) {
        (Paging::Cursor, true) => Whence::After(edge),
        (Paging::Cursor, false) => Whence::Before(edge),
        (Paging::Position, true) => Whence::Position(window.end() + 1),
        (Paging::Position, false) => Whence::Position(window.start.saturating_sub(ask.size).max(1)),
    };
}
