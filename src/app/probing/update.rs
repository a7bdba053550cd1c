//! When the next step of the search for names is sent, and what it brought.

use super::Asked;
use crate::app::event::{Effect, Link};
use crate::app::names::Names;
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::board::entry::Member;
use crate::board::foreign::name_path::lines;
use crate::board::foreign::probe::{NameSearch, ProbeCommand, ProbeReply};
use crate::board::keys::Key;
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

/// Sends the next step, where one is due and none is under way; else what the inspector has yet to show.
pub fn send(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(key) = state.key().cloned().filter(|_| state.probing.asked.is_none()) else { return };
    let commands = state.probing.searches.get_mut(&key).map(NameSearch::next_step).unwrap_or_default();
    if !commands.is_empty() {
        state.probing.asked = Some(Asked::Step(key));
        effects.push(Effect::Send(Request::Probe(commands)));
    } else if let Some((member, command)) = wanted_value(state, &key) {
        state.probing.asked = Some(Asked::Value(key, member));
        effects.push(Effect::Send(Request::Probe(vec![command])));
    }
}

/// What reads the value of the selected member, where the inspector is open and does not show it yet.
fn wanted_value(state: &mut State, key: &Key) -> Option<(Member, ProbeCommand)> {
    if state.overlay != Some(Overlay::Inspector) || !matches!(state.link, Link::Up { .. }) {
        // Whoever opens it again sees what is stored by then.
        state.probing.value = None;
        return None;
    }
    let shown = state.session.shown.as_ref()?;
    let member = shown.selected_entry()?.member.clone();
    if state.names.is_refused()
        || state.probing.value.as_ref().is_some_and(|(of, whose, _)| (of, whose) == (key, &member))
    {
        return None;
    }
    let id = shown.window.scoring.id_of(&member);
    let is_named = state.probing.found(key).is_none();
    Some((member, state.names_home()?.value_of(id.as_bytes(), is_named)?))
}

/// Takes in what is stored for a member.
fn take_value(state: &mut State, key: Key, member: Member, result: Result<Vec<ProbeReply>, StoreError>) {
    let first = result.ok().and_then(|replies| replies.into_iter().next());
    let value = match first {
        Some(ProbeReply::Values(values)) => values.into_iter().flatten().next(),
        _ => None,
    };
    state.is_dirty |= state.overlay == Some(Overlay::Inspector);
    state.probing.value = Some((key, member, value.map(|value| lines(&value)).unwrap_or_default()));
}

/// Takes in what a question brought.
pub fn take(state: &mut State, result: Result<Vec<ProbeReply>, StoreError>) {
    let key = match state.probing.asked.take() {
        Some(Asked::Step(key)) => key,
        Some(Asked::Value(key, member)) => return take_value(state, key, member, result),
        None => return,
    };
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
