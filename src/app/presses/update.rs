//! How presses are taken in, whose turn comes, and when they are dropped.

use super::{MARK_AFTER, PATIENCE, Step, Waiting};
use crate::app::event::Moment;
use crate::app::find;
use crate::app::queue::Intent;
use crate::app::selection;
use crate::app::state::State;

/// Takes in a press: its turn comes at once where nothing is waited for.
pub fn press(state: &mut State, step: Step) {
    if matches!(step, Step::First | Step::Last) {
        // It leads to one place, whatever was pressed before.
        stop(state);
        take(state, step);
        return;
    }
    state.session.presses.waiting.push_back(Waiting::Step(step));
    // How many wait is shown with the mark.
    state.is_dirty |= state.session.presses.is_marked;
    run(state);
}

/// Gives up what is waited for. True where something was.
pub fn stop(state: &mut State) -> bool {
    let had = state.session.presses.clear();
    let is_searching = state.session.search.take().is_some();
    if is_searching {
        state.session.reading.cancel();
    }
    had | is_searching | state.find.stop()
}

/// Takes the presses that have waited and whose turn it is now.
pub fn go_on(state: &mut State) {
    let notice = state.notice.clone();
    run(state);
    state.is_dirty |= state.notice != notice;
}

fn run(state: &mut State) {
    while !is_awaiting(state) {
        match state.session.presses.waiting.front() {
            // What failed is asked for again once the server answers.
            Some(Waiting::Again(_)) if state.session.trouble.is_some() => return,
            None => return,
            Some(_) => {}
        }
        match state.session.presses.waiting.pop_front() {
            Some(Waiting::Step(step)) => take(state, step),
            Some(Waiting::Again(intent)) => state.session.reading.want(intent),
            None => return,
        }
    }
}

/// True where the page that the next press is about is not there yet.
fn is_awaiting(state: &State) -> bool {
    state.session.reading.is_awaited() || state.session.search.is_some() || state.find.progress().is_some()
}

fn take(state: &mut State, step: Step) {
    let before = state.session.shown.as_ref().map(|shown| (shown.selected, shown.scroll));
    if matches!(step, Step::Row(_) | Step::Page(_) | Step::Tie(_) | Step::Score(_)) {
        selection::let_go(state);
    }
    match step {
        Step::Row(forward) => selection::row(state, forward),
        Step::Page(forward) => selection::page(state, forward),
        Step::Tie(forward) => selection::tie(state, forward),
        Step::Score(forward) => selection::distinct(state, forward),
        Step::First => selection::leave_for(state, Intent::First),
        Step::Last => selection::leave_for(state, Intent::Last),
        Step::GoTo(target) => selection::go_to(state, target),
        Step::Find(text) => find::update::typed(state, &text),
        Step::FindNext(forward) => find::update::on(state, forward),
        Step::Follow => selection::follow(state),
        Step::Back => selection::back(state),
        Step::Refresh => selection::read_again(state),
        Step::Paging => selection::paging(state),
    }
    let after = state.session.shown.as_ref().map(|shown| (shown.selected, shown.scroll));
    state.is_dirty |= before != after;
}

/// When the presses that wait are dropped if nothing answers until then, or what is waited for is to be shown.
pub fn deadline(state: &State) -> Option<Moment> {
    let since = state.session.presses.since?;
    let mark = (state.session.shown.is_some() && !state.session.presses.is_marked).then(|| since + MARK_AFTER);
    mark.into_iter().chain(dropped_at(state)).min()
}

fn dropped_at(state: &State) -> Option<Moment> {
    let is_dropped = !state.session.presses.waiting.is_empty()
        || (state.session.shown.is_some() && state.session.reading.unsent().is_some());
    state.session.presses.since.filter(|_| is_dropped).map(|since| since + PATIENCE)
}

/// Drops the presses that nothing has answered for too long, and says so; counts on while something is waited for.
pub fn expire(state: &mut State, now: Moment) {
    if dropped_at(state).is_some_and(|due| now >= due) {
        let unsent = if state.session.shown.is_some() { state.session.reading.drop_unsent() } else { None };
        let count = state.session.presses.count(unsent.as_ref());
        state.session.presses.clear();
        let (keys, were) = if count == 1 { ("key press", "was") } else { ("key presses", "were") };
        state.notice = Some(format!("no answer for {} s: {count} {keys} {were} dropped", PATIENCE.as_secs()));
        state.is_dirty = true;
    }
    let is_waiting = is_awaiting(state) || !state.session.presses.waiting.is_empty();
    state.session.presses.since = if is_waiting { state.session.presses.since.or(Some(now)) } else { None };
    // A mark stays until the last answer.
    let is_late = state.session.presses.since.is_some_and(|since| now >= since + MARK_AFTER);
    let is_marked = is_waiting && state.session.shown.is_some() && (is_late || state.session.presses.is_marked);
    state.is_dirty |= is_marked != state.session.presses.is_marked;
    state.session.presses.is_marked = is_marked;
}
