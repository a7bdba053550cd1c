//! What keys do: at the table, in what is open above it, and in the prompt.

use crate::app::event::{Effect, Link, Moment};
use crate::app::find;
use crate::app::keymap::{Action, Key, Press, binding, resolve};
use crate::app::packing;
use crate::app::periods;
use crate::app::periods::list::Browse;
use crate::app::picker;
use crate::app::polling::want_refresh;
use crate::app::prompt::{GoTarget, Prompt, PromptKind};
use crate::app::queue::Intent;
use crate::app::selection;
use crate::app::state::{Overlay, State, Whereabouts};
use crate::board::entry::Member;
use crate::board::needle::Needle;

/// Takes in pasted text.
pub fn paste(state: &mut State, text: &str) {
    match &mut state.overlay {
        Some(Overlay::Prompt(prompt)) => {
            prompt.insert(text);
            state.is_dirty = true;
        }
        Some(Overlay::Boards) => picker::paste(state, text),
        _ => {}
    }
}

/// Takes in a notch of the wheel: it does what the arrow key does, whatever is open.
pub fn wheel(state: &mut State, down: bool, effects: &mut Vec<Effect>) {
    let action = if down { Action::RowDown } else { Action::RowUp };
    if let Some(press) = binding(action).and_then(|binding| binding.keys.first()) {
        key(state, *press, effects);
    }
}

/// Takes in a click on a line of the screen: where it is a row's, that row is selected. While something else is open,
/// nothing is.
pub fn click(state: &mut State, line: u16) {
    if state.overlay.is_some() {
        return;
    }
    let in_table = line.checked_sub(state.geometry.table_top()).filter(|line| *line < state.geometry.rows);
    let Some((in_table, shown)) = in_table.zip(state.shown.as_ref()) else { return };
    let index = shown.scroll + usize::from(in_table);
    if index >= shown.window.len() {
        return;
    }
    state.is_dirty |= state.periods.stop(None);
    let notice = begin(state, false);
    if let Some(shown) = state.shown.as_mut().filter(|shown| shown.selected != index) {
        shown.select(index);
        state.is_dirty = true;
        let_go(state);
    }
    state.is_dirty |= state.notice != notice;
}

/// Takes in a key.
pub fn key(state: &mut State, press: Press, effects: &mut Vec<Effect>) {
    // Pressing the same key again does not begin anew.
    let is_to = match resolve(press) {
        Some(Action::NextPeriod) => Some(true),
        Some(Action::PreviousPeriod) => Some(false),
        _ => None,
    };
    state.is_dirty |= state.periods.stop(is_to);
    let goes_on = state.overlay.is_none() && matches!(resolve(press), Some(Action::FindNext | Action::FindPrevious));
    let notice = begin(state, goes_on);
    match state.overlay.take() {
        Some(Overlay::Prompt(prompt)) => typed(state, prompt, press, effects),
        Some(Overlay::Boards) => picker::key(state, press, effects),
        Some(overlay) => opened(state, overlay, press, effects),
        None => {
            if let Some(action) = resolve(press) {
                act(state, action, effects);
            }
        }
    }
    state.is_dirty |= state.notice != notice;
}

/// What any key and any click does first: searches stop, but for one that the key goes on with, and what was said is
/// taken back and returned.
fn begin(state: &mut State, goes_on: bool) -> Option<String> {
    if state.search.take().is_some() {
        state.reading.cancel();
        state.is_dirty = true;
    }
    if !goes_on {
        state.is_dirty |= state.find.stop();
    }
    state.notice.take()
}

/// A key while help, the inspector or a list is open: what closes it does only that; what moves goes on below it.
fn opened(state: &mut State, overlay: Overlay, press: Press, effects: &mut Vec<Effect>) {
    state.is_dirty = true;
    let action = resolve(press);
    match (overlay, action) {
        (_, Some(Action::Close))
        | (Overlay::Help(_), Some(Action::Help))
        | (Overlay::Periods(_), Some(Action::Periods))
        | (Overlay::Inspector, Some(Action::Inspect))
        | (Overlay::Distribution, Some(Action::Distribution))
        | (Overlay::Trace, Some(Action::Trace)) => {}
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
        (Overlay::Periods(list), Some(Action::Follow)) => choose(state, list),
        (Overlay::Periods(mut list), Some(action)) if action != Action::Suspend => {
            list.go(action, &state.geometry);
            state.overlay = Some(Overlay::Periods(list));
        }
        (overlay @ (Overlay::Inspector | Overlay::Distribution | Overlay::Trace), Some(action)) => {
            state.overlay = Some(overlay);
            act(state, action, effects);
        }
        (overlay, action) => {
            state.overlay = Some(overlay);
            if action == Some(Action::Suspend) {
                act(state, Action::Suspend, effects);
            }
        }
    }
}

/// Opens the selected period, or says why it cannot be opened.
fn choose(state: &mut State, list: Browse) {
    let chosen = list.selected_row().map(|row| (row.period, row.refusal()));
    match chosen {
        Some((period, None)) => periods::open(state, &period, None),
        Some((period, Some(reason))) => {
            state.notice = Some(format!("cannot open {period}: {reason}"));
            state.overlay = Some(Overlay::Periods(list));
        }
        None => state.overlay = Some(Overlay::Periods(list)),
    }
}

/// A key in the prompt.
fn typed(state: &mut State, mut prompt: Prompt, press: Press, effects: &mut Vec<Effect>) {
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
        Press { key: Key::Char('z'), ctrl: true } => effects.push(Effect::Suspend),
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
        PromptKind::Find => {
            state.find.needle = Some(Needle::new(&prompt.text));
            leave_for(state, Intent::Find(Member::from(prompt.text.as_str())));
        }
        PromptKind::GoTo => match prompt.text.parse::<GoTarget>() {
            Ok(place) => go_to(state, place),
            Err(reason) => state.notice = Some(reason),
        },
    }
}

fn go_to(state: &mut State, place: GoTarget) {
    let Some(shown) = &state.shown else { return };
    let selected = shown.window.position(shown.selected);
    let intent = match place {
        GoTarget::Position(position) => Intent::Row(position),
        GoTarget::Relative(by) => Intent::Row(selected.saturating_add_signed(by).max(1)),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a total is between 0 and the total"
        )]
        GoTarget::Percent(percent) => Intent::Row(((shown.window.total as f64 * percent / 100.0).ceil() as u64).max(1)),
        GoTarget::Score(score) => Intent::Score(shown.window.scoring.meant(score)),
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
        let_go(state);
    }
    match action {
        Action::RowDown => selection::row(state, true),
        Action::RowUp => selection::row(state, false),
        Action::PageDown => selection::page(state, true),
        Action::PageUp => selection::page(state, false),
        Action::NextTie => selection::tie(state, true),
        Action::PreviousTie => selection::tie(state, false),
        Action::NextScore => selection::distinct(state, true),
        Action::PreviousScore => selection::distinct(state, false),
        Action::First => leave_for(state, Intent::First),
        Action::Last => leave_for(state, Intent::Last),
        Action::GoTo => state.overlay = Some(Overlay::Prompt(Prompt::new(PromptKind::GoTo))),
        Action::Find => state.overlay = Some(Overlay::Prompt(Prompt::new(PromptKind::Find))),
        Action::FindNext => find::on(state, true),
        Action::FindPrevious => find::on(state, false),
        Action::Follow if packing::take(state) => {}
        Action::Follow => follow(state),
        Action::Hold => hold(state),
        Action::Refresh => refresh(state, effects),
        Action::Style => style(state),
        Action::Paging => selection::paging(state),
        Action::Faster => interval(state, true),
        Action::Slower => interval(state, false),
        Action::CopyCursor if packing::copy(state, effects) => {}
        Action::CopyCursor => {
            if let Some(text) = selection::cursor(state) {
                effects.push(Effect::Copy(text));
                state.notice = Some("cursor copied; use it with: ranktop page BOARD --after …".to_owned());
            }
        }
        Action::PreviousPeriod => periods::step(state, false),
        Action::NextPeriod => periods::step(state, true),
        Action::Periods => periods::browse(state),
        Action::Inspect => state.overlay = Some(Overlay::Inspector),
        Action::Boards => picker::open(state),
        Action::Distribution => state.overlay = Some(Overlay::Distribution),
        Action::Trace => state.overlay = Some(Overlay::Trace),
        Action::Help => state.overlay = Some(Overlay::Help(0)),
        Action::Close => close(state),
        Action::Suspend => effects.push(Effect::Suspend),
        Action::Quit => state.has_quit = true,
    }
    let after = state.shown.as_ref().map(|shown| (shown.selected, shown.scroll));
    state.is_dirty |= before != after || !moves;
}

/// Whoever walks away from a member follows it no longer, nor asks where it went.
fn let_go(state: &mut State) {
    state.is_dirty |= state.follow.take().is_some() | state.departed.take().is_some();
}

/// What Esc closes, one thing at a time; it is never destructive.
fn close(state: &mut State) {
    if state.banner.take().is_none()
        && !state.rollover.answer()
        && !packing::forget(state)
        && state.departed.take().is_none()
    {
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
        state.follow = Some(member.clone());
        state.reading.want(Intent::Follow(member));
    }
}

fn hold(state: &mut State) {
    state.is_held = !state.is_held;
    state.watch.next_look = Moment::ZERO;
    if !state.is_held {
        want_refresh(state);
    }
}

fn refresh(state: &mut State, effects: &mut Vec<Effect>) {
    if !matches!(state.link, Link::Up { .. }) {
        effects.push(Effect::Retry);
        return;
    }
    // Where nothing has come yet, the viewer is still to be opened.
    let is_open = state.shown.is_some();
    state.reading.want(if is_open { Intent::Refresh { accept: true } } else { state.opening.clone() });
}

fn style(state: &mut State) {
    state.style = state.style.next();
    state.is_style_set = true;
    state.notice = Some(format!("{} ranks: {}", state.style.name(), state.style.example()));
    let is_counted = state.shown.as_ref().is_some_and(|shown| shown.window.distinct_better.is_some());
    if state.wants_dense() && !is_counted {
        state.reading.want_quietly(Intent::Refresh { accept: false });
    }
}

fn interval(state: &mut State, shorter: bool) {
    state.watch.step_interval(shorter);
    state.notice = Some(format!("polling every {}", humantime::format_duration(state.watch.interval)));
}
