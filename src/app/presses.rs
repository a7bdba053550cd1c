//! Key presses that come faster than answers. Each waits for its turn and is judged by the page that is there by then,
//! so that a burst ends where the same keys end when they are pressed one by one. Turns that follow each other are read
//! as one: the last page of them.

use std::collections::VecDeque;
use std::time::Duration;

use crate::app::event::Moment;
use crate::app::find;
use crate::app::prompt::GoTarget;
use crate::app::queue::Intent;
use crate::app::selection;
use crate::app::state::State;

/// Presses that nothing has answered for so long are dropped, so that nothing runs off later.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// What a key press asks for that has to wait for the page that it is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A row on; `true` is towards the end of the board, here and below.
    Row(bool),
    /// A page on.
    Page(bool),
    /// To the nearest tie group.
    Tie(bool),
    /// To the nearest other score.
    Score(bool),
    /// To the first page.
    First,
    /// To the last page.
    Last,
    /// To what was typed after `:`.
    GoTo(GoTarget),
    /// To what was typed after `/`.
    Find(String),
    /// To the next match.
    FindNext(bool),
    /// After the selected member, or no longer.
    Follow,
    /// Back to before a jump.
    Back,
    /// Read again.
    Refresh,
    /// From one paging to the other.
    Paging,
}

#[derive(Clone, Debug)]
enum Waiting {
    Step(Step),
    /// What was asked for and not answered.
    Again(Intent),
}

/// The presses whose turn has not come.
#[derive(Clone, Debug, Default)]
pub struct Presses {
    waiting: VecDeque<Waiting>,
    /// Since when nothing has answered, where something is waited for.
    since: Option<Moment>,
}

impl Presses {
    /// Takes note of an answer.
    pub fn answered(&mut self) {
        self.since = None;
    }

    /// What failed for a while is asked for again, before anything else.
    pub fn again(&mut self, intent: Intent) {
        self.waiting.push_front(Waiting::Again(intent));
    }

    /// These turns come next.
    pub fn turn_next(&mut self, turns: &[bool]) {
        turns.iter().rev().for_each(|turn| self.waiting.push_front(Waiting::Step(Step::Page(*turn))));
    }

    /// The turns at the head of the queue, which are taken from it.
    pub fn take_turns(&mut self) -> Vec<bool> {
        let mut turns = Vec::new();
        while let Some(Waiting::Step(Step::Page(forward))) = self.waiting.front() {
            turns.push(*forward);
            self.waiting.pop_front();
        }
        turns
    }

    /// Forgets all presses. True where there were any.
    pub fn clear(&mut self) -> bool {
        let had = !self.waiting.is_empty();
        self.waiting.clear();
        had
    }
}

/// Takes in a press: its turn comes at once where nothing is waited for.
pub fn press(state: &mut State, step: Step) {
    if matches!(step, Step::First | Step::Last) {
        // It leads to one place, whatever was pressed before.
        stop(state);
        take(state, step);
        return;
    }
    state.session.presses.waiting.push_back(Waiting::Step(step));
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
        Step::Find(text) => find::typed(state, &text),
        Step::FindNext(forward) => find::on(state, forward),
        Step::Follow => selection::follow(state),
        Step::Back => selection::back(state),
        Step::Refresh => selection::read_again(state),
        Step::Paging => selection::paging(state),
    }
    let after = state.session.shown.as_ref().map(|shown| (shown.selected, shown.scroll));
    state.is_dirty |= before != after;
}

/// When the presses that wait are dropped, if nothing answers until then.
pub fn deadline(state: &State) -> Option<Moment> {
    let is_dropped = !state.session.presses.waiting.is_empty()
        || (state.session.shown.is_some() && state.session.reading.unsent().is_some());
    state.session.presses.since.filter(|_| is_dropped).map(|since| since + PATIENCE)
}

/// Drops the presses that nothing has answered for too long, and says so; counts on while something is waited for.
pub fn expire(state: &mut State, now: Moment) {
    if deadline(state).is_some_and(|due| now >= due) {
        let unsent = if state.session.shown.is_some() { state.session.reading.drop_unsent() } else { None };
        let again = |waiting: &Waiting| match waiting {
            Waiting::Again(intent) => intent.presses(),
            Waiting::Step(_) => 1,
        };
        let count = unsent.map_or(0, |intent| intent.presses())
            + state.session.presses.waiting.iter().map(again).sum::<usize>();
        state.session.presses.clear();
        let (keys, were) = if count == 1 { ("key press", "was") } else { ("key presses", "were") };
        state.notice = Some(format!("no answer for {} s: {count} {keys} {were} dropped", PATIENCE.as_secs()));
        state.is_dirty = true;
    }
    let is_waiting = is_awaiting(state) || !state.session.presses.waiting.is_empty();
    state.session.presses.since = if is_waiting { state.session.presses.since.or(Some(now)) } else { None };
}
