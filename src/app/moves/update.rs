//! What ends by itself: figures that have become too old, and marks.

use crate::app::event::{Link, Moment};
use crate::app::state::State;

/// True where time goes on for the page: it is known that it is still as the board is.
fn is_going_on(state: &State) -> bool {
    matches!(state.link, Link::Up { .. })
        && state.session.trouble.is_none()
        && !state.session.is_missing
        && !state.keeps_page()
}

/// When a figure or a mark ends.
pub fn wake(state: &State) -> Option<Moment> {
    let moves = &state.session.moves;
    // Where there is no page, the next one that comes is worked out anew.
    state.session.shown.as_ref()?;
    moves.ages_at.filter(|_| is_going_on(state)).into_iter().chain(moves.unmarks_at).min()
}

/// Takes away what has ended.
pub fn end(state: &mut State, now: Moment) {
    let is_going_on = is_going_on(state);
    let Some(shown) = &state.session.shown else { return };
    let moves = &mut state.session.moves;
    if is_going_on && moves.ages_at.is_some_and(|at| now >= at) {
        state.is_dirty |= moves.age(&shown.window, now);
    }
    if moves.unmarks_at.is_some_and(|at| now >= at) {
        state.is_dirty |= moves.unmark(&shown.window, now);
    }
}
