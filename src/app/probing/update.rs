//! When the next step of the search for names is sent, and what it brought.

use crate::app::event::Effect;
use crate::app::names::Names;
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::board::foreign::probe::{NameSearch, ProbeReply};
use crate::board::names::NamesLocation;
use crate::query::error::StoreError;
use crate::query::request::Request;

/// Begins the search where names were asked for in vain. `was_refused`: they may not be read.
pub fn begin(state: &mut State, was_refused: bool) {
    let Some(key) =
        state.key().cloned().filter(|key| state.probing.is_allowed && !state.probing.searches.contains_key(key))
    else {
        return;
    };
    let Some(shown) = state.session.shown.as_ref().filter(|shown| !shown.window.is_empty()) else { return };
    let Some(NamesLocation::Hash(names)) = state.names_home() else { return };
    let scoring = &shown.window.scoring;
    let members: Vec<_> = shown.window.entries.iter().take(3).map(|entry| scoring.id_of(&entry.member)).collect();
    state.probing.searches.insert(key.clone(), NameSearch::new(key, names, &members, was_refused));
}

/// Sends the next step, where one is due and none is under way.
pub fn send(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(key) = state.key().cloned().filter(|_| state.probing.asked.is_none()) else { return };
    let Some(search) = state.probing.searches.get_mut(&key) else { return };
    let commands = search.next_step();
    if !commands.is_empty() {
        state.probing.asked = Some(key);
        effects.push(Effect::Send(Request::Probe(commands)));
    }
}

/// Takes in what a step brought.
pub fn take(state: &mut State, result: Result<Vec<ProbeReply>, StoreError>) {
    let Some(key) = state.probing.asked.take() else { return };
    // The inspector tells what was tried.
    state.is_dirty |= state.overlay == Some(Overlay::Inspector);
    let Some(search) = state.probing.searches.get_mut(&key) else { return };
    let Ok(replies) = result else {
        // A connection that fails says nothing about names: the search begins anew with the next page that has none.
        state.probing.searches.remove(&key);
        return;
    };
    search.take(replies);
    if state.key() == Some(&key) && state.probing.found(&key).is_some() {
        state.names = Names::of(state.packing.options.member(&key));
        state.is_dirty = true;
    }
}
