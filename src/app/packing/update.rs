//! How the reading of scores is adopted, suggested and taken.

use crate::app::event::{Effect, Moment};
use crate::app::queue::Intent;
use crate::app::state::State;
use crate::board::foreign::hints::sounds_low_first;
use crate::board::packed::suggest::suggest;
use crate::board::window::Window;

/// Takes up what the board says of its scores. True where it has to be read anew for that.
pub fn adopt(state: &mut State, window: &Window) -> bool {
    let Some(key) = state.key().cloned() else { return false };
    state.packing.scoring = state.packing.due(&key, window.meta.score.as_deref());
    window.scoring != state.packing.scoring
}

/// Says once of a board that its key sounds as if the lowest score were the best, where nothing says in which order it is.
fn hint_order(state: &mut State) {
    let Some(board) = &state.session.board else { return };
    let is_said =
        state.order.is_some() || state.session.shown.as_ref().is_some_and(|shown| shown.window.meta.order.is_some());
    if !is_said && sounds_low_first(&board.key) && state.packing.hinted.insert(board.key.clone()) {
        state.notice = Some("high first; if low is best here: --order asc".to_owned());
    }
}

/// Looks whether the scores of a page fit a known form, where nothing is known of them.
pub fn look(state: &mut State, now: Moment) {
    hint_order(state);
    let packing = &state.packing;
    if packing.scoring.spec().is_some() || !packing.suggestion.is_empty() {
        return;
    }
    let Some((key, unix_ms)) = state.key().cloned().zip(state.clock.at(now)) else { return };
    let Some(shown) = state.session.shown.as_ref().filter(|_| !packing.forgotten.contains(&key)) else { return };
    let scores: Vec<_> = shown.window.entries.iter().map(|entry| entry.score).collect();
    let found = suggest(&scores, unix_ms);
    state.is_dirty |= !found.is_empty();
    state.packing.suggestion = found;
}

/// Reads the scores as is suggested. False where nothing is.
pub fn take(state: &mut State) -> bool {
    let Some(spec) = state.packing.suggestion.first().cloned() else { return false };
    let Some(key) = state.key().cloned() else { return false };
    state.packing.suggestion.clear();
    state.notice = Some(format!("scores are read as {spec}; to keep it: --score '{spec}'"));
    state.packing.taken.insert(key.clone(), spec);
    state.packing.scoring = state.packing.due(&key, None);
    let at = state.session.shown.as_ref().map_or(1, |shown| shown.window.position(shown.selected));
    state.session.reading.want(Intent::Row(at));
    true
}

/// Copies the option that would say what is suggested. False where nothing is.
pub fn copy(state: &mut State, effects: &mut Vec<Effect>) -> bool {
    let Some(spec) = state.packing.suggestion.first() else { return false };
    effects.push(Effect::Copy(format!("--score '{spec}'")));
    state.notice = Some("option copied".to_owned());
    true
}

/// Forgets what is suggested. False where nothing is.
pub fn forget(state: &mut State) -> bool {
    if state.packing.suggestion.is_empty() {
        return false;
    }
    state.packing.suggestion.clear();
    if let Some(key) = state.key().cloned() {
        state.packing.forgotten.insert(key);
    }
    true
}
