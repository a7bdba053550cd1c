//! When the loop has to wake the viewer though nothing has happened.

use std::time::Duration;

use crate::app::event::{Link, Moment};
use crate::app::health::Health;
use crate::app::state::State;
use crate::app::{countdown, distribution, first_frame, moves, picker, presses, rollover};

/// A size of the terminal counts once it has stood so long: a storm of resizes costs one read.
pub const SETTLE: Duration = Duration::from_millis(40);

/// The next moment at which [`crate::app::event::Event::Woken`] is wanted, if any.
pub fn next(state: &State, now: Moment) -> Option<Moment> {
    let is_up = matches!(state.link, Link::Up { .. });
    let can_look =
        is_up && state.session.board.is_some() && !state.session.reading.is_busy() && !state.session.watch.is_polling;
    let look = can_look.then_some(state.session.watch.next_look);
    let told = state.told_due(now).filter(|_| can_look);
    let whole = state.session.watch.whole_due().filter(|_| can_look && !state.keeps_page());
    let settled = state.settling.map(|since| since + SETTLE);
    // The second that follows the one that is counted now.
    let second = health_second(state, now).map(|second| Duration::from_secs(second) + second_offset(state, now));
    let entries = state.session.shown.iter().flat_map(|shown| &shown.window.entries);
    let names = state.names.due(entries.map(|entry| &entry.member)).filter(|_| is_up);
    let others = [
        rollover::update::wake(state),
        countdown::update::wake(state),
        picker::update::wake(state),
        distribution::update::due(state, now),
        names,
        presses::update::deadline(state),
        moves::update::wake(state),
        first_frame::wake(state),
    ];
    [look, told, whole, settled, second].into_iter().chain(others).flatten().min()
}

/// The second of what the header counts, where it counts anything: it turns with the seconds of that age, so the
/// count begins one second early.
pub fn health_second(state: &State, now: Moment) -> Option<u64> {
    // A page that never came has no age, and a try that is under way is not counted down to.
    let is_counted = match state.link {
        Link::Down { retry_at, .. } => state.fresh_at.is_some() || now < retry_at,
        _ => state.fresh_at.is_some(),
    };
    let second = (now + Duration::from_secs(1)).saturating_sub(second_offset(state, now)).as_secs();
    (is_counted && Health::of(state, now).ticks()).then_some(second)
}

/// Ages count from the last good answer, so their seconds turn with it.
fn second_offset(state: &State, now: Moment) -> Duration {
    let origin = match &state.link {
        Link::Down { retry_at, .. } if state.fresh_at.is_none() => *retry_at,
        _ => state.fresh_at.unwrap_or(now),
    };
    Duration::from_nanos(u64::from(origin.subsec_nanos()))
}
