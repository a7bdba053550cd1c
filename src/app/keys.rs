//! What keys do: at the table, in what is open above it, and in the prompt.

use crate::app::event::{Effect, Link, Moment};
use crate::app::keymap::{Action, Key, Press, binding, resolve};
use crate::app::overlay::Overlay;
use crate::app::packing;
use crate::app::periods;
use crate::app::periods::list::Browse;
use crate::app::picker;
use crate::app::polling::want_refresh;
use crate::app::presses;
use crate::app::presses::Step;
use crate::app::prompt::{GoTarget, Prompt, PromptKind};
use crate::app::queue::Intent;
use crate::app::selection;
use crate::app::state::State;

/// Takes in pasted text.
pub fn paste(state: &mut State, text: &str) {
    match &mut state.overlay {
        Some(Overlay::Prompt(prompt)) => {
            prompt.line.insert(text);
            state.is_dirty = true;
        }
        Some(Overlay::Boards) => picker::update::paste(state, text),
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
    let Some((in_table, shown)) = in_table.zip(state.session.shown.as_ref()) else { return };
    let index = shown.scroll + usize::from(in_table);
    if index >= shown.window.len() {
        return;
    }
    state.is_dirty |= state.periods.stop(None) | state.session.moves.leap.take().is_some();
    let notice = state.notice.take();
    if let Some(shown) = state.session.shown.as_mut().filter(|shown| shown.selected != index) {
        shown.select(index);
        state.is_dirty = true;
        selection::let_go(state);
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
    state.is_dirty |= state.periods.stop(is_to) | state.session.moves.leap.take().is_some();
    let notice = state.notice.take();
    match state.overlay.take() {
        Some(Overlay::Prompt(prompt)) => typed(state, prompt, press, effects),
        Some(Overlay::Boards) => picker::update::key(state, press, effects),
        Some(overlay) => opened(state, overlay, press, effects),
        None => {
            if let Some(action) = resolve(press) {
                act(state, action, effects);
            }
        }
    }
    state.is_dirty |= state.notice != notice;
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
        Some((period, None)) => periods::update::open(state, &period, None),
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
        Press { key: Key::Backspace, .. } if prompt.line.text().is_empty() => return,
        press => {
            prompt.line.press(press);
        }
    }
    state.overlay = Some(Overlay::Prompt(prompt));
}

fn entered(state: &mut State, prompt: &Prompt) {
    let text = prompt.line.text();
    if text.is_empty() {
        return;
    }
    match prompt.kind {
        PromptKind::Find => {
            presses::update::press(state, Step::Find(text.to_owned()));
        }
        PromptKind::GoTo => match text.parse::<GoTarget>() {
            Ok(place) => presses::update::press(state, Step::GoTo(place)),
            Err(reason) => state.notice = Some(reason),
        },
    }
}

fn act(state: &mut State, action: Action, effects: &mut Vec<Effect>) {
    let before = state.session.shown.as_ref().map(|shown| (shown.selected, shown.scroll));
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
    match action {
        Action::RowDown => presses::update::press(state, Step::Row(true)),
        Action::RowUp => presses::update::press(state, Step::Row(false)),
        Action::PageDown => presses::update::press(state, Step::Page(true)),
        Action::PageUp => presses::update::press(state, Step::Page(false)),
        Action::NextTie => presses::update::press(state, Step::Tie(true)),
        Action::PreviousTie => presses::update::press(state, Step::Tie(false)),
        Action::NextScore => presses::update::press(state, Step::Score(true)),
        Action::PreviousScore => presses::update::press(state, Step::Score(false)),
        Action::First => presses::update::press(state, Step::First),
        Action::Last => presses::update::press(state, Step::Last),
        Action::Back => presses::update::press(state, Step::Back),
        Action::GoTo => state.overlay = Some(Overlay::Prompt(Prompt::new(PromptKind::GoTo))),
        Action::Find => state.overlay = Some(Overlay::Prompt(Prompt::new(PromptKind::Find))),
        Action::FindNext => presses::update::press(state, Step::FindNext(true)),
        Action::FindPrevious => presses::update::press(state, Step::FindNext(false)),
        Action::Follow if packing::update::take(state) => {}
        Action::Follow => presses::update::press(state, Step::Follow),
        Action::Hold => hold(state),
        Action::Refresh => refresh(state, effects),
        Action::Style => style(state),
        Action::Paging => presses::update::press(state, Step::Paging),
        Action::Faster => interval(state, true),
        Action::Slower => interval(state, false),
        Action::CopyCommand if packing::update::copy(state, effects) => {}
        Action::CopyCommand => copy(state, selection::command(state), "command", effects),
        Action::CopyCursor => copy(state, selection::cursor(state), "cursor", effects),
        Action::PreviousPeriod => periods::update::step(state, false),
        Action::NextPeriod => periods::update::step(state, true),
        Action::Periods => periods::update::browse(state),
        Action::Inspect => state.overlay = Some(Overlay::Inspector),
        Action::Boards => picker::update::open(state),
        Action::Distribution => state.overlay = Some(Overlay::Distribution),
        Action::Trace => state.overlay = Some(Overlay::Trace),
        Action::Help => state.overlay = Some(Overlay::Help(0)),
        Action::Close => close(state),
        Action::Suspend => effects.push(Effect::Suspend),
        Action::Quit => state.has_quit = true,
    }
    let after = state.session.shown.as_ref().map(|shown| (shown.selected, shown.scroll));
    state.is_dirty |= before != after || !moves;
}

/// What Esc closes, one thing at a time; it is never destructive.
fn close(state: &mut State) {
    if presses::update::stop(state) {
        return;
    }
    let shown = state.session.shown.as_mut();
    if let Some(left) = shown.and_then(|shown| shown.left.as_mut()).filter(|_| state.session.banner.is_some()) {
        left.hide();
    }
    if state.session.banner.take().is_none()
        && !state.session.rollover.answer()
        && !packing::update::forget(state)
        && state.session.departed.take().is_none()
    {
        state.session.follow = None;
    }
}

fn copy(state: &mut State, text: Option<String>, what: &str, effects: &mut Vec<Effect>) {
    if let Some(text) = text {
        effects.push(Effect::Copy(text));
        // Whether it takes it, no terminal says.
        state.notice = Some(format!("{what} sent to the terminal's clipboard"));
    }
}

fn hold(state: &mut State) {
    state.session.is_held = !state.session.is_held;
    state.session.watch.next_look = Moment::ZERO;
    if !state.session.is_held {
        want_refresh(state);
    }
}

fn refresh(state: &mut State, effects: &mut Vec<Effect>) {
    if !matches!(state.link, Link::Up { .. }) {
        effects.push(Effect::Retry);
        return;
    }
    presses::update::press(state, Step::Refresh);
}

fn style(state: &mut State) {
    state.style = state.style.next();
    state.is_style_set = true;
    state.notice = Some(format!("{} ranks: {}", state.style.name(), state.style.example()));
    let is_counted = state.session.shown.as_ref().is_some_and(|shown| shown.window.distinct_better.is_some());
    if state.wants_dense() && !is_counted {
        state.session.reading.want_quietly(Intent::Refresh { accept: false });
    }
}

fn interval(state: &mut State, shorter: bool) {
    state.session.watch.step_interval(shorter);
    state.notice = Some(format!("polling every {}", humantime::format_duration(state.session.watch.interval)));
}
