//! The search for names that nobody named: once for each board, after its first page is on the screen and its usual names have
//! been asked for in vain. What it tried and found is told in the inspector.

use std::collections::HashMap;

use crate::app::event::Effect;
use crate::app::names::Names;
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::board::foreign::probe::{NameSearch, Outcome, ProbeReply};
use crate::board::keys::Key;
use crate::board::names::NamesLocation;
use crate::query::error::StoreError;
use crate::query::request::Request;

/// The searches of the boards that were opened.
#[derive(Clone, Debug, Default)]
pub struct Probing {
    is_allowed: bool,
    searches: HashMap<Key, NameSearch>,
    /// For which board a step is under way.
    asked: Option<Key>,
}

impl Probing {
    /// `is_allowed`: the reader has named no location, and has not forbidden to look for one.
    pub fn new(is_allowed: bool) -> Self {
        Self { is_allowed, ..Self::default() }
    }

    /// Where the names of the board `key` were found.
    pub fn found(&self, key: &Key) -> Option<NamesLocation> {
        match self.searches.get(key)?.outcome() {
            Outcome::Found(found) => NamesLocation::found(found),
            _ => None,
        }
    }

    /// What was tried for the board `key` and what came of it, a line each.
    pub fn told(&self, key: &Key) -> Vec<String> {
        let Some(search) = self.searches.get(key) else { return Vec::new() };
        let end = match search.outcome() {
            Outcome::Searching => return search.tried().to_vec(),
            Outcome::Found(found) => found.told(),
            Outcome::Nothing => "no names found".to_owned(),
            Outcome::Refused => "no permission: looked no further".to_owned(),
        };
        search.tried().iter().cloned().chain([end]).collect()
    }
}

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
        state.names = Names::of(state.packing.options.member.clone());
        state.is_dirty = true;
    }
}
