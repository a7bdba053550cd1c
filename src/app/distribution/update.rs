//! When the distribution is asked for, and what its answer changes.

use super::{Asked, Overview};
use crate::app::event::{Effect, Link, Moment};
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::board::distribution::{Binning, Distribution, MOST_BINS};
use crate::query::error::StoreError;
use crate::query::request::Request;
use std::time::Duration;

/// However often the board changes, it is not counted more often than this.
const BETWEEN: Duration = Duration::from_secs(1);
/// Lines that what stands around the bins takes, and where so many are left for it.
const AROUND: u16 = 4;
const AROUND_FROM: u16 = 10;

/// How many bins there is room for.
fn room(state: &State) -> usize {
    let lines = u16::try_from(state.geometry.between().len()).unwrap_or(u16::MAX);
    let around = if lines < AROUND_FROM { 1 } else { AROUND };
    usize::from(lines.saturating_sub(around)).clamp(1, MOST_BINS)
}

/// Which bins are wanted.
fn binning(state: &State) -> Binning {
    Binning { most: room(state), grouping: state.packing.scoring.grouping() }
}

/// When it is to be counted next, if it is.
pub fn due(state: &State, now: Moment) -> Option<Moment> {
    let is_open = state.overlay == Some(Overlay::Distribution);
    let is_up = matches!(state.link, Link::Up { .. });
    if !is_open || !is_up || state.session.board.is_none() || state.distribution.in_flight.is_busy() {
        return None;
    }
    match &state.distribution.asked {
        None => Some(now),
        Some(asked) => is_outdated(state, asked).then_some(asked.at + BETWEEN),
    }
}

/// True where the answer to what was `asked` is no longer, or never was, what the board and the screen are like.
fn is_outdated(state: &State, asked: &Asked) -> bool {
    let overview = &state.distribution;
    if overview.trouble.as_ref().is_some_and(StoreError::is_passing) || asked.binning != binning(state) {
        return true;
    }
    if state.keeps_page() {
        return false;
    }
    let is_versioned = state.session.seen_version.is_some() && !state.session.watch.is_version_broken;
    match &overview.read {
        Some(read) if state.session.board.as_ref().is_some_and(|board| board.order != read.order) => true,
        Some(read) if is_versioned && overview.trouble.is_none() => state.session.seen_version != read.version,
        _ if is_versioned => state.session.seen_version != asked.version,
        // Nothing tells of a change: it is counted as often as the page is read.
        _ => state.fresh_at.is_some_and(|fresh| fresh > asked.at),
    }
}

/// Asks, where it is open and that is due; forgets, where it is not open.
pub fn ask(state: &mut State, now: Moment, effects: &mut Vec<Effect>) {
    if state.overlay != Some(Overlay::Distribution) {
        forget(&mut state.distribution);
        return;
    }
    if due(state, now).is_none_or(|due| due > now) {
        return;
    }
    let Some(board) = state.session.board.clone() else { return };
    let binning = binning(state);
    let overview = &mut state.distribution;
    overview.asked = Some(Asked { at: now, binning, version: state.session.seen_version.clone() });
    let generation = overview.in_flight.sent(());
    effects.push(Effect::Send(Request::Distribution { generation, board, binning }));
}

/// Takes in an answer. One that nobody waits for any more only makes room for the next question.
pub fn take(state: &mut State, generation: u64, result: Result<Distribution, StoreError>) {
    let overview = &mut state.distribution;
    if overview.in_flight.ended(generation).is_none() {
        return;
    }
    match result {
        Ok(read) => {
            state.is_dirty |= overview.trouble.take().is_some() || overview.read.as_ref() != Some(&read);
            overview.read = Some(read);
        }
        Err(trouble) => {
            state.is_dirty |= overview.trouble.as_ref() != Some(&trouble);
            overview.trouble = Some(trouble);
        }
    }
}

fn forget(overview: &mut Overview) {
    if overview.asked.take().is_some() {
        (overview.read, overview.trouble) = (None, None);
        overview.in_flight.cancel();
    }
}
