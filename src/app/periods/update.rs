//! How other periods are looked for and opened.

use super::{LIMIT, STRETCH, Step, Stretch};
use crate::app::event::{Effect, Link, Moment};
use crate::app::overlay::Overlay;
use crate::app::periods::list::Browse;
use crate::app::rollover::SeriesPosition;
use crate::app::state::State;
use crate::board::period::Period;
use crate::query::error::StoreError;
use crate::query::listing::KeySummary;
use crate::query::request::{ListPurpose, Request};

/// Begins a step to the nearest earlier or later period that is there; or opens the board that is offered.
pub fn step(state: &mut State, forward: bool) {
    if let Some(offered) = state.session.rollover.offered().filter(|_| forward) {
        open(state, &offered, None);
        return;
    }
    let Some(place) = place(state) else { return };
    if !matches!(state.link, Link::Up { .. }) {
        state.notice = Some("not connected: cannot look for other periods".to_owned());
        return;
    }
    let next = if forward { place.period.next() } else { place.period.previous() };
    state.periods.step.get_or_insert(Step { forward, next, looked: 0 });
}

/// Opens the list of periods.
pub fn browse(state: &mut State) {
    let Some(place) = place(state) else { return };
    let current = state.session.rollover.current.map(|span| span.period);
    // A list that was closed since asked for other rows.
    state.periods.in_flight.cancel_if(|stretch| !stretch.is_for_step);
    state.overlay = Some(Overlay::Periods(Browse::new(place.period, current)));
}

/// The place of the board; where it has none, that is said.
fn place(state: &mut State) -> Option<SeriesPosition> {
    if state.session.rollover.place.is_none() {
        state.notice = Some(match state.key() {
            Some(_) => "this board has no period; its key has no ending like ':2026-W41'".to_owned(),
            None => "no board is open".to_owned(),
        });
    }
    state.session.rollover.place.clone()
}

/// Opens the board of `period`, and says `notice`. The same board is only gone back to.
pub fn open(state: &mut State, period: &Period, notice: Option<String>) {
    let key = state.session.rollover.place.as_ref().and_then(|place| place.series.key(period));
    let Some(key) = key else { return };
    if state.key() != Some(&key) {
        state.open(key);
    }
    state.notice = notice;
}

/// Asks the next question, where one is due and none is under way.
pub fn send(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(place) = state.session.rollover.place.clone().filter(|_| !state.periods.in_flight.is_busy()) else {
        return;
    };
    let furthest = furthest(state, &place);
    let is_for_step = state.periods.step.is_some();
    let periods = match (&state.periods.step, &mut state.overlay) {
        (Some(step), _) => step.stretch(furthest),
        (None, Some(Overlay::Periods(list))) if list.is_wanting() => list.ask(),
        _ => return,
    };
    if periods.is_empty() {
        // The calendar ends here.
        state.is_dirty = true;
        in_vain(state);
        return;
    }
    let order = state.order.unwrap_or_default();
    let keys = periods.iter().filter_map(|period| place.series.key(period));
    let boards = keys.map(|key| state.templates.board(key, order)).collect();
    let generation = state.periods.in_flight.sent(Stretch { is_for_step, periods });
    effects.push(Effect::Send(Request::List { purpose: ListPurpose::Periods, generation, boards }));
}

/// Periods further ahead than this have no boards that anybody looks for.
fn furthest(state: &State, place: &SeriesPosition) -> Period {
    let current =
        state.session.rollover.current.map(|span| span.period).filter(|current| place.period.is_before(current));
    let mut furthest = current.unwrap_or(place.period);
    for _ in 0..STRETCH {
        furthest = furthest.next().unwrap_or(furthest);
    }
    furthest
}

impl Step {
    /// The periods that are looked at next.
    fn stretch(&self, furthest: Period) -> Vec<Period> {
        let room = STRETCH.min(LIMIT.saturating_sub(self.looked));
        let on = |period: &Period| if self.forward { period.next() } else { period.previous() };
        std::iter::successors(self.next, on).take_while(|period| !furthest.is_before(period)).take(room).collect()
    }
}

/// Takes in what there is at the keys that were asked about.
pub fn listed(state: &mut State, generation: u64, result: Result<Vec<KeySummary>, StoreError>, now: Moment) {
    let Some(Stretch { is_for_step, periods }) = state.periods.in_flight.ended(generation) else { return };
    if is_for_step {
        state.is_dirty = true;
        match result {
            Ok(sights) => take_step(state, &periods, &sights),
            Err(trouble) => {
                state.periods.step = None;
                state.notice = Some(format!("cannot look for other periods: {trouble}"));
            }
        }
    } else if let Some(Overlay::Periods(list)) = &mut state.overlay {
        state.is_dirty = true;
        list.take(&periods, result, now);
    }
}

fn take_step(state: &mut State, periods: &[Period], sights: &[KeySummary]) {
    let Some(step) = &mut state.periods.step else { return };
    let is_readable = |sight: &KeySummary| matches!(sight, KeySummary::Board(listed) if listed.total.is_some());
    if let Some((skipped, period)) =
        sights.iter().zip(periods).position(|(sight, _)| is_readable(sight)).and_then(|at| {
            let period = periods.get(at)?;
            Some((step.looked + at, *period))
        })
    {
        state.periods.step = None;
        let notice = (skipped > 0).then(|| format!("skipped {} without a readable board", counted(skipped)));
        open(state, &period, notice);
        return;
    }
    if let Some(trouble) = sights.iter().find_map(|sight| match sight {
        KeySummary::Unanswered(trouble) => Some(trouble),
        _ => None,
    }) {
        // The nearest one may be there.
        state.periods.step = None;
        state.notice = Some(format!("cannot look for other periods: {trouble}"));
        return;
    }
    step.looked += periods.len();
    let last = periods.last();
    step.next = last.and_then(|last| if step.forward { last.next() } else { last.previous() });
    if step.looked >= LIMIT || step.next.is_none() {
        in_vain(state);
    }
}

/// There is none: the current one is opened all the same, which will be there.
fn in_vain(state: &mut State) {
    let Some((step, place)) = state.periods.step.take().zip(state.session.rollover.place.clone()) else { return };
    let current = state.session.rollover.current.map(|span| span.period);
    if step.forward
        && let Some(current) = current.filter(|current| place.period.is_before(current))
        && step.looked < LIMIT
    {
        open(state, &current, None);
        return;
    }
    let what = if step.forward { "later" } else { "earlier" };
    state.notice = Some(match current {
        Some(current) if step.forward && current == place.period => {
            "this is the current period; there is no later board".to_owned()
        }
        _ => format!("no {what} period has a board ({} checked)", counted(step.looked)),
    });
}

fn counted(periods: usize) -> String {
    format!("{periods} period{}", if periods == 1 { "" } else { "s" })
}
