//! How a search begins, goes on and ends.

use super::Search;
use crate::app::event::Effect;
use crate::app::queue::Intent;
use crate::app::selection;
use crate::app::session::{Departed, Whereabouts};
use crate::app::state::State;
use crate::board::entry::{Entry, Member};
use crate::board::needle::Needle;
use crate::query::error::StoreError;
use crate::query::find::{FindReply, FindRequest};
use crate::query::request::Request;

/// Goes to the member whose id was typed; where there is none, to the first of whose id or name it is a part.
pub fn typed(state: &mut State, text: &str) {
    state.find.needle = Some(Needle::new(text));
    let member = member_of(state, text.as_bytes()).unwrap_or_else(|| Member::from(text));
    selection::leave_for(state, Intent::Find(member));
}

/// The member whose id is `id`, where members are packed and it follows from the id or is on the page.
fn member_of(state: &State, id: &[u8]) -> Option<Member> {
    let spec = state.packing.scoring.member()?;
    if let Some(member) = spec.encode(id) {
        return Some(member.into());
    }
    let entries = state.session.shown.iter().flat_map(|shown| &shown.window.entries);
    let has_id = |member: &Member| spec.decode(member.as_bytes()).is_some_and(|parts| parts.id == id);
    entries.map(|entry| &entry.member).find(|member| has_id(member)).cloned()
}

/// Looks for whoever has the id of `member`, which is no longer on the board, to follow it on. False where members are not
/// packed, so that there is nothing else of the same id.
pub fn follow_id(state: &mut State, member: &Member) -> bool {
    let parts = state.packing.scoring.member_parts(member.as_bytes());
    let Some(id) = parts.and_then(|parts| String::from_utf8(parts.id).ok()) else { return false };
    begin(state, None, true);
    if let Some(search) = &mut state.find.search {
        search.follows = Some((member.clone(), Needle::id(&id)));
    }
    true
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
    state.find.search = Some(Search { forward, from, reached, is_around, follows: None });
    state.is_dirty = true;
}

/// Asks for the next step, where one is due.
pub fn ask(state: &mut State, effects: &mut Vec<Effect>) {
    if state.find.in_flight.is_busy() {
        return;
    }
    let Some((board, names)) = state.session.board.clone().zip(state.names_home()) else { return };
    let member = state.packing.scoring.member().cloned();
    let typed = state.find.needle.clone();
    let Some(search) = &state.find.search else { return };
    let (from, forward) = (search.from.clone(), search.forward);
    let followed = search.follows.as_ref().map(|(_, needle)| needle.clone());
    let Some(needle) = followed.or(typed) else { return };
    let generation = state.find.in_flight.sent(());
    effects.push(Effect::Send(Request::Find {
        generation,
        find: Box::new(FindRequest { board, names, member, needle, from, forward }),
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
        Ok(FindReply::Found(entry)) if search.follows.is_some() => {
            state.session.departed = None;
            state.session.follow = Some(entry.member.clone());
            state.session.reading.want(Intent::Follow { member: entry.member, is_asked: false });
        }
        Ok(FindReply::NoFurther) | Err(_) if search.follows.is_some() => {
            let gone = search.follows.map(|(member, _)| member);
            state.session.departed = gone.map(|member| Departed { member, whereabouts: Some(Whereabouts::Gone) });
            state.session.reading.want_quietly(Intent::Refresh { accept: false });
        }
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
