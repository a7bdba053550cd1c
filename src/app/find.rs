//! Looking for a text in ids and names: from row to row in board order, around the end of the board once, until somebody
//! is found or a key is pressed. The board is asked step by step; the page stays meanwhile.

use crate::app::event::Effect;
use crate::app::queue::Intent;
use crate::app::state::State;
use crate::board::entry::Entry;
use crate::board::needle::Needle;
use crate::query::error::StoreError;
use crate::query::find::{FindReply, FindRequest};
use crate::query::request::Request;

/// The text that was looked for last, and the search for it that is under way.
#[derive(Clone, Debug, Default)]
pub struct Find {
    /// What `n` and `N` go on with.
    pub needle: Option<Needle>,
    search: Option<Search>,
    /// Who was found and is not on the screen yet.
    heading: Option<Entry>,
    generation: u64,
}

#[derive(Clone, Debug)]
struct Search {
    forward: bool,
    from: Option<Entry>,
    /// Position of the last row looked at.
    reached: u64,
    /// It has come to the end of the board once.
    is_around: bool,
    is_asked: bool,
    /// How many matches are passed over: a key that was pressed again meanwhile.
    passes: u32,
}

impl Find {
    /// Which way the search that is under way goes, and the position that it has come to.
    pub fn progress(&self) -> Option<(bool, u64)> {
        self.search.as_ref().map(|search| (search.forward, search.reached))
    }

    /// Gives the search up. True where one was under way.
    pub fn stop(&mut self) -> bool {
        self.generation += 1;
        self.heading = None;
        self.search.take().is_some()
    }

    /// Takes note that the one who was found is on the screen.
    pub fn arrive(&mut self) {
        self.heading = None;
    }
}

/// Looks from the top of the board on for what was typed.
pub fn from_top(state: &mut State) {
    begin(state, None, true);
}

/// Goes on to the next match below the selected row, or above it.
pub fn on(state: &mut State, forward: bool) {
    if state.find.needle.is_none() {
        state.notice = Some("nothing to find yet; press / and type an id or a name".to_owned());
        return;
    }
    if let Some(search) = state.find.search.as_mut().filter(|search| search.forward == forward) {
        search.passes += 1;
        return;
    }
    let selected = state.shown.as_ref().and_then(|shown| shown.selected_entry()).cloned();
    let from = state.find.heading.take().or(selected);
    begin(state, from, forward);
}

fn begin(state: &mut State, from: Option<Entry>, forward: bool) {
    state.find.stop();
    let reached = match (&from, &state.shown) {
        (Some(_), Some(shown)) => shown.window.position(shown.selected),
        _ => 0,
    };
    let is_around = from.is_none();
    state.find.search = Some(Search { forward, from, reached, is_around, is_asked: false, passes: 0 });
    state.is_dirty = true;
}

/// Asks for the next step, where one is due.
pub fn ask(state: &mut State, effects: &mut Vec<Effect>) {
    let generation = state.find.generation;
    let Some((board, needle)) = state.board.clone().zip(state.find.needle.clone()) else { return };
    let names = state.templates.names(&board.key);
    let Some(search) = state.find.search.as_mut().filter(|search| !search.is_asked) else { return };
    search.is_asked = true;
    let (from, forward) = (search.from.clone(), search.forward);
    effects.push(Effect::Send(Request::Find {
        generation,
        find: Box::new(FindRequest { board, names, needle, from, forward }),
    }));
}

/// Takes in what a step brought.
pub fn take(state: &mut State, generation: u64, result: Result<FindReply, StoreError>) {
    if generation != state.find.generation {
        return;
    }
    let Some(mut search) = state.find.search.take() else { return };
    state.is_dirty = true;
    let text = state.find.needle.as_ref().map_or("", Needle::text);
    match result {
        Ok(FindReply::Found(entry)) if search.passes > 0 => {
            (search.from, search.is_around, search.is_asked) = (Some(entry), false, false);
            search.passes -= 1;
            state.find.search = Some(search);
        }
        Ok(FindReply::Found(entry)) => {
            if search.is_around && search.from.is_none() && search.reached > 0 {
                let end = if search.forward { "top" } else { "end" };
                state.notice = Some(format!("search wrapped around to the {end} of the board"));
            }
            state.reading.want(Intent::Find(entry.member.clone()));
            state.find.heading = Some(entry);
        }
        Ok(FindReply::Onward { from, reached }) => {
            (search.from, search.reached, search.is_asked) = (Some(from), reached, false);
            state.find.search = Some(search);
        }
        Ok(FindReply::NoFurther) if !search.is_around => {
            (search.from, search.is_around, search.is_asked) = (None, true, false);
            state.find.search = Some(search);
        }
        Ok(FindReply::NoFurther) => state.notice = Some(format!("nothing on this board matches '{text}'")),
        Err(trouble) => state.notice = Some(format!("search for '{text}' failed: {trouble}")),
    }
}
