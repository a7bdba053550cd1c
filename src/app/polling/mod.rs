//! Looking whether the board has changed: when the time has come, or when the server told.

pub mod pace;
pub mod schedule;

use crate::app::event::{Effect, Link, Moment};
use crate::app::polling::schedule::{BUSY, CLOSED_CHECK, SAFETY_POLL, WatchMode};
use crate::app::queue::Intent;
use crate::app::state::State;
use crate::board::meta;
use crate::query::request::Request;

/// Wants the page read again, though the reader did not ask for it.
pub fn want_refresh(state: &mut State) {
    let intent = match &state.session.follow {
        _ if state.session.shown.is_none() => state.session.opening.clone(),
        Some(member) if !state.keeps_page() => Intent::Follow { member: member.clone(), is_asked: false },
        _ => Intent::Refresh { accept: false },
    };
    state.session.reading.want_quietly(intent);
}

/// Looks, where the connection stands, nothing else is under way and it is time.
pub fn look(state: &mut State, now: Moment, effects: &mut Vec<Effect>) {
    if !matches!(state.link, Link::Up { .. }) {
        return;
    }
    let Some(board) = &state.session.board else { return };
    if state.session.reading.is_busy() || state.session.watch.is_polling {
        return;
    }
    if state.told_due(now).is_some_and(|due| now >= due) {
        want_refresh(state);
        return;
    }
    let is_whole_due = state.session.watch.whole_due().is_some_and(|due| now >= due) && !state.keeps_page();
    if now < state.session.watch.next_look {
        if is_whole_due {
            want_refresh(state);
        }
        return;
    }
    let Some(shown) = &state.session.shown else {
        state.session.watch.looked(now, state.session.watch.every());
        want_refresh(state);
        return;
    };
    let is_closed = shown.window.meta.state == Some(meta::State::Closed);
    let is_versioned = shown.window.version.is_some()
        && !state.session.watch.is_version_broken
        && state.session.watch.mode != WatchMode::Content;
    let every = match () {
        () if is_closed && !state.session.alarms.is_written() && state.session.trouble.is_none() => CLOSED_CHECK,
        // What is told is read at once; of a page that is held only the version is watched, by looking.
        () if state.is_told() && state.session.trouble.is_none() && !state.session.is_held => SAFETY_POLL,
        () => state.session.watch.every(),
    };
    if every == SAFETY_POLL
        && !is_whole_due
        && let Some(read) = state.session.watch.last_read.filter(|read| now < *read + SAFETY_POLL)
    {
        // What was read since needs no look.
        state.session.watch.next_look = read + SAFETY_POLL;
        return;
    }
    state.session.watch.looked(now, every.max(state.session.watch.every()));
    // Only a page that comes shows that pages can be read again. Of a page that is held the version is watched still.
    let is_busy = state.session.watch.changes_in_a_row >= BUSY;
    let needs_read = is_busy
        || is_whole_due
        || state.session.is_missing
        || is_closed
        || !is_versioned
        || now >= state.session.watch.next_content;
    if state.session.trouble.is_some() || (needs_read && !state.keeps_page()) {
        want_refresh(state);
    } else {
        state.session.watch.is_polling = true;
        effects.push(Effect::Send(Request::Version(board.clone())));
    }
}
