//! The first page of a board is drawn together with its names, where they come soon: names that came a moment later would
//! move the columns.

use std::time::Duration;

use crate::app::event::{Link, Moment};
use crate::app::state::State;

/// A page waits for its names so long at least, and at most.
const PATIENCE: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(1)];

/// A page has come where there was none: it waits where nothing is known of its names. `state.latency` says how long an
/// answer takes; names take one more. A search for names that nobody named begins once the page is drawn: most boards
/// have none, and a page that waited for each of its steps would come late for all of them.
pub fn begin(state: &mut State, now: Moment) {
    let [least, most] = PATIENCE;
    let patience = (state.latency.unwrap_or_default() * 3).clamp(least, most);
    state.session.draws_at = (!state.names.is_answered()).then_some(now + patience);
}

/// When the page is drawn, whatever has come until then.
pub fn wake(state: &State) -> Option<Moment> {
    state.session.draws_at
}

/// The page is drawn once its names have come, or will not come soon.
pub fn end(state: &mut State, now: Moment) {
    let Some(at) = state.session.draws_at else { return };
    if state.names.is_answered() || now >= at || !matches!(state.link, Link::Up { .. }) {
        state.session.draws_at = None;
        state.is_dirty = true;
    }
}
