//! How the calendar turns.

use crate::app::event::Moment;
use crate::app::state::State;

/// Looks at the clock as it is at `now`.
pub fn turn(state: &mut State, now: Moment) {
    let Some(unix_ms) = state.clock.at(now) else { return };
    let before = (state.session.rollover.offered, state.session.rollover.current);
    state.session.rollover.turn(unix_ms, &state.zone);
    state.is_dirty |= before != (state.session.rollover.offered, state.session.rollover.current);
}

/// When the clock leaves the period that it is in, as far as can be told.
pub fn wake(state: &State) -> Option<Moment> {
    let ends = state.session.rollover.current.map(|span| span.ends).filter(|ends| *ends < i64::MAX)?;
    state.clock.moment_of(ends)
}
