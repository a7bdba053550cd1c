//! The one place where the state changes: an event and its moment in, effects out.

use std::time::Duration;

use crate::app::event::{Effect, Event, Link, Moment};
use crate::app::geometry::Geometry;
use crate::app::look::{look, want_refresh};
use crate::app::state::{Overlay, PageSize, SETTLE, State};
use crate::app::watch::CONTENT_CHECK;
use crate::app::{keys, questions, turns};
use crate::board::place::Place;
use crate::board::trouble::Trouble;

/// Takes in `event`, which happened at `now`. Never waits and never fails; where the screen has to be drawn anew,
/// `state.is_dirty` says so.
pub fn update(state: &mut State, event: Event, now: Moment) -> Vec<Effect> {
    let mut effects = Vec::new();
    match event {
        Event::Key(press) => keys::key(state, press, &mut effects),
        Event::Paste(text) => keys::paste(state, &text),
        Event::Resized { columns, lines } => resized(state, columns, lines, now),
        Event::Woken => {}
        Event::Answered { generation, result, took } => {
            if let Some(intent) = state.reading.ended(generation) {
                match result {
                    Ok(answer) => {
                        succeeded(state, now);
                        state.latency = Some(steady(state.latency, took));
                        turns::take(state, intent, answer, now);
                    }
                    Err(trouble) => {
                        state.is_dirty |= state.search.take().is_some();
                        failed(state, trouble);
                    }
                }
            }
            if !state.reading.is_busy() {
                state.watch.is_told |= std::mem::take(&mut state.watch.is_told_before_read);
            }
        }
        Event::Evidence(evidence) => {
            let is_seen = state.overlay == Some(Overlay::Inspector);
            state.is_dirty |= is_seen && state.evidence != evidence;
            state.evidence = evidence;
        }
        Event::Polled { result, took: _ } => {
            state.watch.is_polling = false;
            match result {
                Ok(version) => {
                    // A version that can be read does not show that pages can.
                    if state.trouble.is_none() {
                        succeeded(state, now);
                    }
                    turns::note_version(state, version.as_ref(), now);
                    let is_new = state.shown.as_ref().is_some_and(|shown| shown.window.version != version);
                    state.watch.changes_in_a_row =
                        if is_new { state.watch.changes_in_a_row.saturating_add(1) } else { 0 };
                    if is_new && !state.keeps_page() {
                        want_refresh(state);
                    }
                }
                Err(trouble) => failed(state, trouble),
            }
        }
        Event::Named { members, result } => match result {
            Ok(names) => state.is_dirty |= state.names.learn(members, names, now),
            Err(trouble) => state.names.fail(!trouble.is_passing(), now),
        },
        Event::Pushed => state.watch.is_told = true,
        Event::Link(link) => linked(state, link, now),
        Event::Place(place) => placed(state, place),
    }
    settle(state, now);
    look(state, now, &mut effects);
    send(state, now, &mut effects);
    if let Some(shown) = &mut state.shown {
        state.is_dirty |= shown.reveal(usize::from(state.geometry.rows));
    }
    let second = state.health_second(now);
    if second != state.shown_second {
        state.shown_second = second;
        state.is_dirty = true;
    }
    effects
}

/// The latency to show: the one that is shown while the new one is of its size, so that a number that only trembles
/// costs the terminal nothing.
fn steady(shown: Option<Duration>, took: Duration) -> Duration {
    shown.filter(|shown| *shown / 3 <= took && took / 3 <= *shown).unwrap_or(took)
}

fn succeeded(state: &mut State, now: Moment) {
    state.fresh_at = Some(now);
    state.reason = None;
    state.is_dirty |= state.trouble.take().is_some();
}

fn failed(state: &mut State, trouble: Trouble) {
    state.is_dirty |= state.trouble.as_ref() != Some(&trouble);
    state.trouble = Some(trouble);
}

fn linked(state: &mut State, link: Link, now: Moment) {
    match &link {
        Link::Down { reason, .. } => state.reason = Some(reason.clone()),
        // What was read over another connection may have changed unseen: it is read at once, and then on the beat.
        Link::Up { .. } => {
            want_refresh(state);
            state.watch.next_look = now + state.watch.interval;
        }
        Link::Connecting => {}
    }
    state.is_dirty |= state.link != link;
    state.link = link;
}

fn placed(state: &mut State, place: Place) {
    state.is_dirty |= state.server != place.server || state.role != place.role;
    state.server = place.server;
    state.role = place.role;
    if state.place_notice != place.notice {
        state.place_notice = place.notice;
        state.notice = place.notice.map(str::to_owned);
        state.is_dirty = true;
    }
}

fn resized(state: &mut State, columns: u16, lines: u16, now: Moment) {
    let rows = state.page_rows();
    state.geometry = Geometry::of(columns, lines);
    if state.page_rows() != rows {
        state.settling = Some(now);
    }
    state.is_dirty = true;
}

/// A size that has stood long enough is read for; a table without a line shows nothing, so it is not.
fn settle(state: &mut State, now: Moment) {
    if state.settling.is_some_and(|since| now >= since + SETTLE) {
        state.settling = None;
        if state.page_size == PageSize::Fit && state.geometry.rows > 0 && !state.keeps_page() {
            want_refresh(state);
        }
    }
}

/// Sends what is wanted next, if nothing is in flight, and asks for names.
fn send(state: &mut State, now: Moment, effects: &mut Vec<Effect>) {
    if !matches!(state.link, Link::Up { .. }) {
        return;
    }
    if let Some(intent) = state.reading.due() {
        let ask = questions::ask(state, &intent);
        let generation = state.reading.sent(intent);
        state.watch.last_read = Some(now);
        state.watch.next_content = now + CONTENT_CHECK;
        // Cleared before the read is sent: a change that comes after it is told again.
        state.watch.is_told_before_read |= std::mem::take(&mut state.watch.is_told);
        effects.push(Effect::Ask { generation, board: state.board.clone(), ask });
    }
    if let Some(shown) = &state.shown {
        let members = shown.window.entries.iter().map(|entry| &entry.member);
        let unnamed = state.names.wanted(members, now);
        if !unnamed.is_empty() {
            state.names.ask();
            effects.push(Effect::Names(unnamed));
        }
    }
}
