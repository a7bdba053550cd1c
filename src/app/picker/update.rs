//! How the list of boards is opened, asked for and chosen from.

use super::Lines;
use super::filter::Filter;
use super::search::Phase;
use crate::app::event::{Effect, Link, Moment};
use crate::app::keymap::{Key as Pressed, Press};
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::board::keys::Board;
use crate::board::keys::Key;
use crate::query::error::StoreError;
use crate::query::listing::{Found, KeySummary};
use crate::query::request::{ListPurpose, Request};
use std::time::Duration;

/// Boards that one question is about at most: one round trip.
const BATCH: usize = 100;
/// What is told of boards in sight is looked at again when it is so old.
const AGE: Duration = Duration::from_secs(5);

/// Opens the list, with the board that is watched on it; it is searched for anew.
pub fn open(state: &mut State) {
    state.overlay = Some(Overlay::Boards);
    state.is_dirty = true;
    let picker = &mut state.picker;
    picker.list.refilter(Filter::clear);
    if let Some(board) = &state.session.board {
        picker.list.add(vec![board.key.clone()], picker.search.number(), picker.text, &state.templates.board);
        picker.list.select_key(&board.key);
    }
}

/// Takes in pasted text.
pub fn paste(state: &mut State, text: &str) {
    state.picker.list.refilter(|filter| filter.insert(text));
    state.is_dirty = true;
}

/// Takes in a key.
pub fn key(state: &mut State, press: Press, effects: &mut Vec<Effect>) {
    state.overlay = Some(Overlay::Boards);
    state.is_dirty = true;
    let lines = usize::from(Lines::of(&state.geometry).rows);
    let list = &mut state.picker.list;
    let at = list.selected_row();
    match press {
        Press { key: Pressed::Char('c'), ctrl: true } => state.has_quit = true,
        Press { key: Pressed::Char('z'), ctrl: true } => effects.push(Effect::Suspend),
        Press { key: Pressed::Up, .. } => list.select(at.saturating_sub(1)),
        Press { key: Pressed::Down, .. } => list.select(at + 1),
        Press { key: Pressed::PageUp, .. } => list.select(at.saturating_sub(lines.max(1))),
        Press { key: Pressed::PageDown, .. } => list.select(at + lines.max(1)),
        // Where something is typed they move in it, as in any line.
        Press { key: Pressed::Home, .. } if list.filter().text().is_empty() => list.select(0),
        Press { key: Pressed::End, .. } if list.filter().text().is_empty() => list.select(usize::MAX),
        Press { key: Pressed::Enter, .. } => choose(state),
        Press { key: Pressed::Esc, .. } if !list.filter().text().is_empty() => list.refilter(Filter::clear),
        Press { key: Pressed::Esc, .. } if state.session.board.is_some() => state.overlay = None,
        // With no board to go back to, the list stays, and is sought anew.
        Press { key: Pressed::Esc, .. } if matches!(state.link, Link::Up { .. }) => state.picker.search.begin(),
        Press { key: Pressed::Esc, .. } => effects.push(Effect::Retry),
        press => list.refilter(|filter| filter.press(press)),
    }
}

/// Opens the selected board; where boards may not be searched for, the one whose key was typed.
fn choose(state: &mut State) {
    let picker = &state.picker;
    let key = match (picker.list.selected(), picker.search.phase()) {
        (Some(listing), _) => listing.key.clone(),
        (None, Phase::Failed { .. }) if !picker.list.filter().is_empty() => picker.list.filter().text().into(),
        _ => return,
    };
    if state.key() == Some(&key) {
        state.overlay = None;
    } else {
        state.open(key);
    }
}

/// Takes in how a step of the search ended.
pub fn found(state: &mut State, generation: u64, result: Result<Found, StoreError>, now: Moment) {
    let picker = &mut state.picker;
    let Some(keys) = picker.search.found(generation, result, now) else { return };
    state.is_dirty = true;
    let number = picker.search.number();
    picker.list.add(keys, number, picker.text, &state.templates.board);
    if *picker.search.phase() == Phase::Over {
        picker.list.forget_others(number, state.session.board.as_ref().map(|board| &board.key));
    }
}

/// Takes in what there is at keys that were looked at.
pub fn listed(state: &mut State, generation: u64, result: Result<Vec<KeySummary>, StoreError>, now: Moment) {
    let picker = &mut state.picker;
    let Some(keys) = picker.search.looked(generation, result.is_err(), now) else { return };
    for (key, sight) in keys.iter().zip(result.into_iter().flatten()) {
        state.is_dirty |= picker.list.note(key, sight, now);
    }
}

/// Asks for what the list needs next. Where it is closed, nothing; where there is no connection, it begins anew as soon
/// as there is one.
pub fn ask(state: &mut State, now: Moment, effects: &mut Vec<Effect>) {
    if state.overlay != Some(Overlay::Boards) {
        state.picker.search.cancel();
        return;
    }
    state.picker.list.settle(Lines::of(&state.geometry).rows.into());
    let is_up = matches!(state.link, Link::Up { .. });
    if !is_up || *state.picker.search.phase() == Phase::Closed {
        state.picker.search.begin();
    }
    if !is_up {
        return;
    }
    if let Some((generation, is_new)) = state.picker.search.next_step(now) {
        effects.push(Effect::Send(Request::Search { generation, is_new }));
    }
    if !state.picker.search.can_look(now) {
        return;
    }
    let keys = unseen(state, now);
    if !keys.is_empty() {
        let order = state.order.unwrap_or_default();
        let boards: Vec<Board> = keys.iter().map(|key| state.templates.board(key.clone(), order)).collect();
        let generation = state.picker.search.look(keys);
        effects.push(Effect::Send(Request::List { purpose: ListPurpose::Picker, generation, boards }));
    }
}

/// The boards to be looked at: those in sight that were not, or not for long; then, together with them, those of the
/// screens below and above that never were.
fn unseen(state: &State, now: Moment) -> Vec<Key> {
    let list = &state.picker.list;
    let lines = usize::from(Lines::of(&state.geometry).rows);
    let sight = list.in_sight(lines);
    let is_old = |at: Option<Moment>| at.is_none_or(|at| now >= at + AGE);
    let old = sight.clone().filter(|row| list.row(*row).is_some_and(|board| is_old(board.looked_at)));
    let near = (sight.end..(sight.end + lines).min(list.rows())).chain(sight.start.saturating_sub(lines)..sight.start);
    let never = near.filter(|row| list.row(*row).is_some_and(|board| board.looked_at.is_none()));
    old.chain(never).take(BATCH).filter_map(|row| Some(list.row(row)?.key.clone())).collect()
}

/// When there is something to do that no event tells of.
pub fn wake(state: &State) -> Option<Moment> {
    if state.overlay != Some(Overlay::Boards) || !matches!(state.link, Link::Up { .. }) {
        return None;
    }
    let list = &state.picker.list;
    let sight = list.in_sight(usize::from(Lines::of(&state.geometry).rows));
    let oldest = sight.filter_map(|row| Some(list.row(row)?.looked_at? + AGE)).min();
    state.picker.search.wake(oldest)
}
