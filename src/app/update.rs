//! The one place where the state changes: an event and its moment in, effects out.

use crate::app::event::{Effect, Event, Link, Moment};
use crate::app::geometry::Geometry;
use crate::app::keymap::{Action, Key, Press, resolve};
use crate::app::prompt::{Place, Prompt, PromptKind};
use crate::app::reading::Intent;
use crate::app::state::{Overlay, PageSize, SETTLE, State, Whereabouts};
use crate::app::watch::{BETWEEN_READS, CLOSED_CHECK, CONTENT_CHECK, SAFETY_POLL, WatchMode};
use crate::app::{steps, turns};
use crate::board::entry::Member;
use crate::board::meta;
use crate::board::trouble::Trouble;

/// Takes in `event`, which happened at `now`. Never waits and never fails; where the screen has to be drawn anew,
/// `state.is_dirty` says so.
pub fn update(state: &mut State, event: Event, now: Moment) -> Vec<Effect> {
    let mut effects = Vec::new();
    match event {
        Event::Key(press) => key(state, press, &mut effects),
        Event::Paste(text) => paste(state, &text),
        Event::Resized { columns, lines } => resized(state, columns, lines, now),
        Event::Woken => {}
        Event::Answered { generation, result, took } => {
            if let Some(intent) = state.reading.ended(generation) {
                match result {
                    Ok(answer) => {
                        succeeded(state, now);
                        state.latency = Some(took);
                        turns::take(state, intent, answer, now);
                    }
                    Err(trouble) => failed(state, trouble),
                }
            }
        }
        Event::Polled { result, took: _ } => {
            state.watch.is_polling = false;
            match result {
                Ok(version) => {
                    succeeded(state, now);
                    turns::note_version(state, version.as_ref(), now);
                    let is_new = state.shown.as_ref().is_some_and(|shown| shown.window.version != version);
                    if is_new && !state.is_held {
                        want_refresh(state);
                    }
                }
                Err(trouble) => failed(state, trouble),
            }
        }
        Event::Named { members, result } => match result {
            Ok(names) => state.is_dirty |= state.names.learn(members, names, now),
            Err(trouble) => state.names.fail(!trouble.is_passing()),
        },
        Event::Pushed => state.watch.is_told = true,
        Event::Link(link) => linked(state, link),
    }
    settle(state, now);
    look(state, now, &mut effects);
    send(state, now, &mut effects);
    let second = state.health_second(now);
    if second != state.shown_second {
        state.shown_second = second;
        state.is_dirty = true;
    }
    effects
}

fn succeeded(state: &mut State, now: Moment) {
    state.fresh_at = Some(now);
    state.reason = None;
    state.is_dirty |= state.trouble.take().is_some();
}

fn failed(state: &mut State, trouble: Trouble) {
    state.search = None;
    state.is_dirty |= state.trouble.as_ref() != Some(&trouble);
    state.trouble = Some(trouble);
}

fn linked(state: &mut State, link: Link) {
    match &link {
        Link::Down { reason, .. } => state.reason = Some(reason.clone()),
        // What was read over another connection may have changed unseen.
        Link::Up { .. } => {
            if state.shown.is_some() {
                want_refresh(state);
            }
        }
        Link::Connecting => {}
    }
    state.is_dirty |= state.link != link;
    state.link = link;
}

fn want_refresh(state: &mut State) {
    state.reading.want(match &state.follow {
        Some(member) => Intent::Follow(member.clone()),
        None => Intent::Refresh { accept: false },
    });
}

fn resized(state: &mut State, columns: u16, lines: u16, now: Moment) {
    let rows = state.page_rows();
    state.geometry = Geometry::of(columns, lines);
    if let Some(shown) = &mut state.shown {
        shown.reveal(usize::from(state.geometry.rows));
    }
    if state.page_rows() != rows {
        state.settling = Some(now);
    }
    state.is_dirty = true;
}

/// A size that has stood long enough is read for.
fn settle(state: &mut State, now: Moment) {
    if state.settling.is_some_and(|since| now >= since + SETTLE) {
        state.settling = None;
        if state.page_size == PageSize::Fit && state.shown.is_some() && !state.is_held {
            want_refresh(state);
        }
    }
}

/// Looks whether the board has changed, when the time has come.
fn look(state: &mut State, now: Moment, effects: &mut Vec<Effect>) {
    let Link::Up { pushes } = state.link else { return };
    if state.reading.is_busy() || state.watch.is_polling {
        return;
    }
    if state.watch.is_told && !state.is_held && state.watch.last_read.is_none_or(|last| now >= last + BETWEEN_READS) {
        want_refresh(state);
        return;
    }
    if now < state.watch.next_look {
        return;
    }
    let Some(shown) = &state.shown else {
        state.watch.looked(now, state.watch.interval);
        state.reading.want(Intent::First);
        return;
    };
    let is_closed = shown.window.meta.state == Some(meta::State::Closed);
    let is_versioned =
        shown.window.version.is_some() && !state.watch.is_version_broken && state.watch.mode != WatchMode::Content;
    let needs_read = state.trouble.is_some() || state.is_missing || is_closed || !is_versioned;
    let every = match () {
        () if is_closed && state.trouble.is_none() => CLOSED_CHECK,
        () if pushes && state.watch.mode == WatchMode::Push && state.trouble.is_none() => SAFETY_POLL,
        () => state.watch.interval,
    };
    state.watch.looked(now, every.max(state.watch.interval));
    if state.is_held {
        // The version is watched still; the page is not touched.
        poll(state, effects);
    } else if needs_read || now >= state.watch.next_content {
        want_refresh(state);
    } else {
        poll(state, effects);
    }
}

fn poll(state: &mut State, effects: &mut Vec<Effect>) {
    state.watch.is_polling = true;
    effects.push(Effect::Poll(state.board.clone()));
}

/// Sends what is wanted next, if nothing is in flight, and asks for names.
fn send(state: &mut State, now: Moment, effects: &mut Vec<Effect>) {
    if !matches!(state.link, Link::Up { .. }) {
        return;
    }
    if let Some(intent) = state.reading.due() {
        let ask = turns::ask(state, &intent);
        let generation = state.reading.sent(intent);
        state.watch.last_read = Some(now);
        state.watch.next_content = now + CONTENT_CHECK;
        // Cleared before the read is sent: a change that comes after it is told again.
        state.watch.is_told = false;
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

fn paste(state: &mut State, text: &str) {
    if let Some(Overlay::Prompt(prompt)) = &mut state.overlay {
        prompt.insert(text);
        state.is_dirty = true;
    }
}

fn key(state: &mut State, press: Press, effects: &mut Vec<Effect>) {
    if state.search.take().is_some() {
        state.reading.cancel();
        state.is_dirty = true;
    }
    if state.notice.take().is_some() {
        state.is_dirty = true;
    }
    match state.overlay.take() {
        Some(Overlay::Prompt(prompt)) => typed(state, prompt, press),
        Some(overlay) => opened(state, overlay, press, effects),
        None => {
            if let Some(action) = resolve(press) {
                act(state, action, effects);
            }
        }
    }
    if let Some(shown) = &mut state.shown {
        shown.reveal(usize::from(state.geometry.rows));
    }
}

/// A key while help or the inspector is open: what closes it does only that; what moves goes on below it.
fn opened(state: &mut State, overlay: Overlay, press: Press, effects: &mut Vec<Effect>) {
    state.is_dirty = true;
    let action = resolve(press);
    match (overlay, action) {
        (_, Some(Action::Close))
        | (Overlay::Help(_), Some(Action::Help))
        | (Overlay::Inspector, Some(Action::Inspect)) => {}
        // `q` leaves what is open first; Ctrl-C leaves the program from anywhere.
        (_, Some(Action::Quit)) => state.has_quit = press.ctrl,
        (Overlay::Help(at), Some(Action::RowDown)) => state.overlay = Some(Overlay::Help(at.saturating_add(1))),
        (Overlay::Help(at), Some(Action::RowUp)) => state.overlay = Some(Overlay::Help(at.saturating_sub(1))),
        (Overlay::Help(at), Some(Action::PageDown)) => {
            state.overlay = Some(Overlay::Help(at.saturating_add(state.geometry.rows.max(1))));
        }
        (Overlay::Help(at), Some(Action::PageUp)) => {
            state.overlay = Some(Overlay::Help(at.saturating_sub(state.geometry.rows.max(1))));
        }
        (Overlay::Help(_), Some(Action::First)) => state.overlay = Some(Overlay::Help(0)),
        (Overlay::Inspector, Some(action)) => {
            state.overlay = Some(Overlay::Inspector);
            act(state, action, effects);
        }
        (overlay, _) => state.overlay = Some(overlay),
    }
}

/// A key in the prompt.
fn typed(state: &mut State, mut prompt: Prompt, press: Press) {
    state.is_dirty = true;
    match press {
        Press { key: Key::Esc, .. } => return,
        Press { key: Key::Char('c'), ctrl: true } => {
            state.has_quit = true;
            return;
        }
        Press { key: Key::Enter, .. } => {
            entered(state, &prompt);
            return;
        }
        Press { key: Key::Char('u'), ctrl: true } => prompt.text.clear(),
        Press { key: Key::Backspace, .. } if prompt.text.is_empty() => return,
        Press { key: Key::Backspace, .. } => {
            prompt.text.pop();
        }
        Press { key: Key::Char(c), ctrl: false } => prompt.insert(c.encode_utf8(&mut [0; 4])),
        _ => {}
    }
    state.overlay = Some(Overlay::Prompt(prompt));
}

fn entered(state: &mut State, prompt: &Prompt) {
    if prompt.text.is_empty() {
        return;
    }
    match prompt.kind {
        PromptKind::Find => leave_for(state, Intent::Find(Member::from(prompt.text.as_str()))),
        PromptKind::GoTo => match prompt.text.parse::<Place>() {
            Ok(place) => go_to(state, place),
            Err(reason) => state.notice = Some(reason),
        },
    }
}

fn go_to(state: &mut State, place: Place) {
    let Some(shown) = &state.shown else { return };
    let selected = shown.window.position(shown.selected);
    let intent = match place {
        Place::Position(position) => Intent::Row(position),
        Place::Relative(by) => Intent::Row(selected.saturating_add_signed(by).max(1)),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a total is between 0 and the total"
        )]
        Place::Percent(percent) => Intent::Row(((shown.window.total as f64 * percent / 100.0).ceil() as u64).max(1)),
        Place::Score(score) => Intent::Score(score),
    };
    leave_for(state, intent);
}

/// Goes somewhere else; whoever was followed is let go.
fn leave_for(state: &mut State, intent: Intent) {
    state.follow = None;
    state.departed = None;
    state.reading.want(intent);
}

fn act(state: &mut State, action: Action, effects: &mut Vec<Effect>) {
    let before = state.shown.as_ref().map(|shown| (shown.selected, shown.scroll));
    let moves = matches!(
        action,
        Action::RowDown
            | Action::RowUp
            | Action::PageDown
            | Action::PageUp
            | Action::NextTie
            | Action::PreviousTie
            | Action::NextScore
            | Action::PreviousScore
    );
    if moves {
        // Whoever walks away from a member follows it no longer, nor asks where it went.
        state.is_dirty |= state.follow.take().is_some() | state.departed.take().is_some();
    }
    match action {
        Action::RowDown => steps::row(state, true),
        Action::RowUp => steps::row(state, false),
        Action::PageDown => steps::page(state, true),
        Action::PageUp => steps::page(state, false),
        Action::NextTie => steps::tie(state, true),
        Action::PreviousTie => steps::tie(state, false),
        Action::NextScore => steps::distinct(state, true),
        Action::PreviousScore => steps::distinct(state, false),
        Action::First => leave_for(state, Intent::First),
        Action::Last => leave_for(state, Intent::Last),
        Action::GoTo => state.overlay = Some(Overlay::Prompt(Prompt::new(PromptKind::GoTo))),
        Action::Find => state.overlay = Some(Overlay::Prompt(Prompt::new(PromptKind::Find))),
        Action::Follow => follow(state),
        Action::Hold => hold(state),
        Action::Refresh => refresh(state, effects),
        Action::Style => style(state),
        Action::Paging => steps::paging(state),
        Action::Faster => interval(state, true),
        Action::Slower => interval(state, false),
        Action::CopyCursor => {
            if let Some(text) = steps::cursor(state) {
                effects.push(Effect::Copy(text));
                state.notice = Some("cursor copied: ranktop page BOARD --after …".to_owned());
            }
        }
        Action::Inspect => state.overlay = Some(Overlay::Inspector),
        Action::Help => state.overlay = Some(Overlay::Help(0)),
        Action::Close => close(state),
        Action::Suspend => effects.push(Effect::Suspend),
        Action::Quit => state.has_quit = true,
    }
    let after = state.shown.as_ref().map(|shown| (shown.selected, shown.scroll));
    state.is_dirty |= before != after || state.notice.is_some() || !moves;
}

/// What Esc closes, one thing at a time; it is never destructive.
fn close(state: &mut State) {
    if state.banner.take().is_none() && state.departed.take().is_none() {
        state.follow = None;
    }
}

fn follow(state: &mut State) {
    let gone = match &state.departed {
        Some(departed) if departed.whereabouts == Some(Whereabouts::Gone) => return,
        Some(departed) => Some(departed.member.clone()),
        None => None,
    };
    if gone.is_none() && state.follow.take().is_some() {
        return;
    }
    let selected = state.shown.as_ref().and_then(|shown| shown.selected_entry()).map(|entry| entry.member.clone());
    if let Some(member) = gone.or(selected) {
        state.is_held = false;
        state.reading.want(Intent::Follow(member));
    }
}

fn hold(state: &mut State) {
    state.is_held = !state.is_held;
    if !state.is_held {
        want_refresh(state);
    }
}

fn refresh(state: &mut State, effects: &mut Vec<Effect>) {
    if !matches!(state.link, Link::Up { .. }) {
        effects.push(Effect::Retry);
        return;
    }
    state.reading.want(Intent::Refresh { accept: true });
}

fn style(state: &mut State) {
    state.style = state.style.next();
    state.is_style_set = true;
    state.notice = Some(format!("{} ranks: {}", state.style.name(), state.style.example()));
    let is_counted = state.shown.as_ref().is_some_and(|shown| shown.window.distinct_better.is_some());
    if state.wants_dense() && !is_counted {
        state.reading.want(Intent::Refresh { accept: false });
    }
}

fn interval(state: &mut State, shorter: bool) {
    state.watch.step_interval(shorter);
    state.notice = Some(format!("looking every {}", humantime::format_duration(state.watch.interval)));
}
