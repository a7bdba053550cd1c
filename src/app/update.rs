//! The one place where the state changes: an event and its moment in, effects out.

use std::time::Duration;

use crate::app::event::{Effect, Event, Link, Moment, Mouse};
use crate::app::geometry::Geometry;
use crate::app::overlay::Overlay;
use crate::app::page::apply;
use crate::app::polling::schedule::CONTENT_CHECK;
use crate::app::polling::{look, want_refresh};
use crate::app::queue::Intent;
use crate::app::settings::PageSize;
use crate::app::state::State;
use crate::app::{
    countdown, distribution, find, first_frame, keys, moves, periods, picker, presses, probing, request, rollover,
    selection, wake,
};
use crate::board::entry::Member;
use crate::board::names::Name;
use crate::board::version::Version;
use crate::query::error::StoreError;
use crate::query::page::PageReply;
use crate::query::reply::Reply;
use crate::query::request::ListPurpose;
use crate::query::request::Request;
use crate::query::round_trip::RoundTrip;
use crate::query::server::Server;

/// Takes in `event`, which happened at `now`. Never waits and never fails; where the screen has to be drawn anew,
/// `state.is_dirty` says so.
pub fn update(state: &mut State, event: Event, now: Moment) -> Vec<Effect> {
    let mut effects = Vec::new();
    match event {
        Event::Key(press) => keys::key(state, press, &mut effects),
        Event::Mouse(Mouse::Wheel { down }) => keys::wheel(state, down, &mut effects),
        Event::Mouse(Mouse::Click { line }) => keys::click(state, line),
        Event::Paste(text) => keys::paste(state, &text),
        Event::Resized { columns, lines } => resized(state, columns, lines, now),
        Event::Reply(reply) => replied(state, reply, now),
        Event::Woken => {}
        Event::Clock(unix_ms) => state.clock.set(now, unix_ms),
        Event::Pushed => state.session.watch.is_told = true,
    }
    settle(state, now);
    presses::update::expire(state, now);
    presses::update::go_on(state);
    rollover::update::turn(state, now);
    look(state, now, &mut effects);
    send(state, now, &mut effects);
    picker::update::ask(state, now, &mut effects);
    distribution::update::ask(state, now, &mut effects);
    if let Some(shown) = &mut state.session.shown {
        state.is_dirty |= shown.reveal(usize::from(state.geometry.rows));
    }
    if let Some(Overlay::Periods(list)) = &mut state.overlay {
        state.is_dirty |= list.reveal(&state.geometry);
    }
    moves::update::end(state, now);
    first_frame::end(state, now);
    let terms = countdown::update::terms(state, now);
    if terms != state.shown_terms {
        state.shown_terms = terms;
        state.is_dirty = true;
    }
    let second = wake::health_second(state, now);
    if second != state.shown_second {
        state.shown_second = second;
        state.is_dirty = true;
    }
    effects
}

/// Takes in a reply. One for a board that was left since is dropped; each feature knows its own by their generation.
fn replied(state: &mut State, reply: Reply, now: Moment) {
    match reply {
        Reply::Page { generation, result, took } => answered(state, generation, result, took, now),
        Reply::RoundTrips { is_page, trips } => travelled(state, is_page, trips, now),
        Reply::Version { key, result, took } if state.key() == Some(&key) => {
            if result.is_ok() {
                paced(state, took);
            }
            polled(state, result, now);
        }
        Reply::Names { location, members, result } if state.names_home() == Some(location.clone()) => {
            named(state, members, result, now);
        }
        Reply::Version { .. } | Reply::Names { .. } => {}
        Reply::List { purpose: ListPurpose::Periods, generation, result } => {
            periods::update::listed(state, generation, result, now);
        }
        Reply::List { purpose: ListPurpose::Picker, generation, result } => {
            picker::update::listed(state, generation, result, now);
        }
        Reply::Distribution { generation, result } => distribution::update::take(state, generation, result),
        Reply::Find { generation, result } => find::update::take(state, generation, result),
        Reply::Probe(result) => probing::update::take(state, result),
        Reply::Search { generation, result } => picker::update::found(state, generation, result, now),
        Reply::Capabilities(capabilities) => {
            state.access = Some(capabilities);
            state.is_dirty |= state.overlay.is_some();
        }
        Reply::Link(change) => linked(state, Link::after(change, now), now),
        Reply::Server(server) => placed(state, server),
    }
}

/// Takes in the answer to a page read.
fn answered(state: &mut State, generation: u64, result: Result<PageReply, StoreError>, took: Duration, now: Moment) {
    match &result {
        Ok(_) => paced(state, took),
        Err(_) => state.session.watch.whole_at = None,
    }
    if let Some(intent) = state.session.reading.ended(generation) {
        match result {
            Ok(answer) => {
                succeeded(state, now);
                state.latency = Some(steady(state.latency, took));
                apply::take(state, intent, answer, now);
            }
            Err(trouble) => {
                state.is_dirty |= state.session.search.take().is_some();
                if !trouble.is_passing() {
                    state.session.presses.clear();
                } else if !intent.is_quiet() && state.session.shown.is_some() {
                    state.session.presses.again(intent);
                }
                failed(state, trouble, now);
            }
        }
    }
    if !state.session.reading.is_busy() {
        state.session.watch.is_told |= std::mem::take(&mut state.session.watch.is_told_before_read);
    }
}

/// Takes note of how long an answer took.
fn paced(state: &mut State, took: Duration) {
    let before = state.slowed_to();
    state.session.watch.pace.answered(took);
    state.is_dirty |= state.slowed_to() != before;
}

/// Takes in what was sent to the server.
fn travelled(state: &mut State, is_page: bool, trips: Vec<RoundTrip>, now: Moment) {
    if is_page {
        let evidence: Vec<_> = trips.iter().flat_map(|trip| trip.exchanges.iter().cloned()).collect();
        state.is_dirty |= state.overlay == Some(Overlay::Inspector) && state.session.evidence != evidence;
        state.session.evidence = evidence;
    }
    state.trace.add(trips, now);
    state.is_dirty |= state.overlay == Some(Overlay::Trace);
}

/// Takes in the version.
fn polled(state: &mut State, result: Result<Option<Version>, StoreError>, now: Moment) {
    state.session.watch.is_polling = false;
    match result {
        Ok(version) => {
            // A version that can be read does not show that pages can.
            if state.session.trouble.is_none() {
                succeeded(state, now);
            }
            apply::note_version(state, version.as_ref(), now);
            let is_new = state.session.shown.as_ref().is_some_and(|shown| shown.window.version != version);
            state.session.watch.changes_in_a_row =
                if is_new { state.session.watch.changes_in_a_row.saturating_add(1) } else { 0 };
            if is_new && !state.keeps_page() {
                want_refresh(state);
            }
        }
        Err(trouble) => failed(state, trouble, now),
    }
}

/// Takes in names.
fn named(state: &mut State, members: Vec<Member>, result: Result<Option<Vec<Option<Name>>>, StoreError>, now: Moment) {
    match result {
        Ok(names) => {
            let is_in_vain = names.as_ref().is_none_or(|names| names.iter().all(Option::is_none));
            state.is_dirty |= state.names.learn(members, names, now);
            if is_in_vain {
                probing::update::begin(state, false);
            }
        }
        Err(trouble) => {
            let was_refused = state.names.is_refused();
            state.names.fail(!trouble.is_passing(), now);
            if matches!(trouble, StoreError::NoPermission { .. }) {
                probing::update::begin(state, true);
            }
            if state.names.is_refused() && !was_refused {
                state.notice = Some(format!("cannot read names, showing ids instead: {}", why(&trouble)));
                state.is_dirty = true;
            }
        }
    }
}

/// Why names cannot be read: their home may be of a type that boards cannot be of.
fn why(trouble: &StoreError) -> String {
    match trouble {
        StoreError::WrongType { found } => format!("their key is a {found}, not a hash"),
        other => other.to_string(),
    }
}

/// The latency to show: the one that is shown while the new one is of its size, so that a number that only trembles
/// costs the terminal nothing.
fn steady(shown: Option<Duration>, took: Duration) -> Duration {
    shown.filter(|shown| *shown / 3 <= took && took / 3 <= *shown).unwrap_or(took)
}

fn succeeded(state: &mut State, now: Moment) {
    state.fresh_at = Some(now);
    state.session.presses.answered();
    state.reason = None;
    state.is_dirty |= state.session.trouble.take().is_some();
}

fn failed(state: &mut State, trouble: StoreError, now: Moment) {
    // A wait that was begun while all was well does not hold up the next look.
    state.session.watch.hurry(now);
    state.is_dirty |= state.session.trouble.as_ref() != Some(&trouble);
    state.session.trouble = Some(trouble);
}

fn linked(state: &mut State, link: Link, now: Moment) {
    match &link {
        Link::Down { reason, .. } => state.reason = Some(reason.clone()),
        // What was read over another connection may have changed unseen: it is read at once, and then on the beat.
        Link::Up { .. } => {
            want_refresh(state);
            state.names.reconnected();
            state.session.watch.next_look = now + state.session.watch.interval + state.session.watch.spread;
            state.session.watch.whole_at = None;
            if let Some(Overlay::Periods(list)) = &mut state.overlay {
                list.retry();
            }
        }
        Link::Connecting => {}
    }
    state.is_dirty |= state.link != link;
    state.link = link;
}

fn placed(state: &mut State, place: Server) {
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
    if state.settling.is_some_and(|since| now >= since + wake::SETTLE) {
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
    periods::update::send(state, effects);
    let Some(board) = state.session.board.clone() else { return };
    if let Some(mut intent) = state.session.reading.due() {
        selection::gather(state, &mut intent);
        let size = state.page_rows();
        if let Some(shown) = state.session.shown.as_mut().filter(|_| matches!(intent, Intent::Refresh { .. })) {
            shown.refit(size);
        }
        let mut page = request::ask(state, &intent);
        page.is_lean = state.session.watch.asks(now, intent.is_quiet(), state.is_told());
        let generation = state.session.reading.sent(intent);
        state.session.watch.next_content = now + CONTENT_CHECK;
        // Cleared before the read is sent: a change that comes after it is told again.
        state.session.watch.is_told_before_read |= std::mem::take(&mut state.session.watch.is_told);
        effects.push(Effect::Send(Request::Page { generation, board, page }));
    }
    find::update::ask(state, effects);
    probing::update::send(state, effects);
    if let Some(shown) = &state.session.shown {
        let members = shown.window.entries.iter().map(|entry| &entry.member);
        let unnamed = state.names.wanted(members, now);
        if let Some(location) = state.names_home().filter(|_| !unnamed.is_empty()) {
            state.names.ask();
            effects.push(Effect::Send(Request::Names(location, unnamed)));
        }
    }
}
