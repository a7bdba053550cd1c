//! How a search begins, goes on and ends.

use super::Search;
use crate::app::event::Effect;
use crate::app::queue::Intent;
use crate::app::selection;
use crate::app::state::State;
use crate::board::entry::{Entry, Member};
use crate::board::needle::Needle;
use crate::query::error::StoreError;
use crate::query::find::{FindReply, FindRequest};
use crate::query::request::Request;

/// Goes to the member whose id was typed; where there is none, to the first of whose id or name it is a part.
pub fn typed(state: &mut State, text: &str) {
    state.find.needle = Some(Needle::new(text));
    selection::leave_for(state, Intent::Find(Member::from(text)));
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
    let selected = state.session.shown.as_ref().and_then(|shown| shown.selected_entry()).cloned();
    begin(state, selected, forward);
}

fn begin(state: &mut State, from: Option<Entry>, forward: bool) {
    state.find.stop();
    let reached = match (&from, &state.session.shown) {
        (Some(_), Some(shown)) => shown.window.position(shown.selected),
        _ => 0,
    };
    let is_around = from.is_none();
    state.find.search = Some(Search { forward, from, reached, is_around });
    state.is_dirty = true;
}

/// Asks for the next step, where one is due.
pub fn ask(state: &mut State, effects: &mut Vec<Effect>) {
    if state.find.in_flight.is_busy() {
        return;
    }
    let Some((board, needle)) = state.session.board.clone().zip(state.find.needle.clone()) else { return };
    let names = state.templates.names(&board.key);
    let Some(search) = &state.find.search else { return };
    let (from, forward) = (search.from.clone(), search.forward);
    let generation = state.find.in_flight.sent(());
    effects.push(Effect::Send(Request::Find {
        generation,
        find: Box::new(FindRequest { board, names, needle, from, forward }),
    }));
}

/// Takes in what a step brought.
pub fn take(state: &mut State, generation: u64, result: Result<FindReply, StoreError>) {
    if state.find.in_flight.ended(generation).is_none() {
        return;
    }
    let Some(mut search) = state.find.search.take() else { return };
    state.is_dirty = true;
    let text = state.find.needle.as_ref().map_or("", Needle::text);
    match result {
        Ok(FindReply::Found(entry)) => {
            if search.is_around && search.from.is_none() && search.reached > 0 {
                let end = if search.forward { "top" } else { "end" };
                state.notice = Some(format!("search wrapped around to the {end} of the board"));
            }
            state.session.reading.want(Intent::Find(entry.member));
        }
        Ok(FindReply::Onward { from, reached }) => {
            (search.from, search.reached) = (Some(from), reached);
            state.find.search = Some(search);
        }
        Ok(FindReply::NoFurther) if !search.is_around => {
            (search.from, search.is_around) = (None, true);
            state.find.search = Some(search);
        }
        Ok(FindReply::NoFurther) => state.notice = Some(format!("nothing on this board matches '{text}'")),
        Err(trouble) => state.notice = Some(format!("search for '{text}' failed: {trouble}")),
    }
}
