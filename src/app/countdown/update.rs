//! How the time that is left follows from the state.

use super::{Left, Term, Terms};
use crate::app::event::Moment;
use crate::app::rollover::Span;
use crate::app::state::State;
use crate::board::keys::{frozen_of, live_of};
use crate::board::meta;
use std::time::Duration;

/// What the header tells at `now`. Nothing where it has no line for it.
pub fn terms(state: &State, now: Moment) -> Terms {
    let Some(shown) =
        state.session.shown.as_ref().filter(|shown| !shown.window.is_missing() && state.geometry.header > 1)
    else {
        return Terms::default();
    };
    let unix_ms = state.clock.at(now);
    let is_copy = state.key().is_some_and(|key| frozen_of(key).is_some() || live_of(key).is_some());
    let term = if is_copy { None } else { term(&shown.window.meta, state.session.rollover.own, unix_ms) };
    let left = term.filter(|term| term.is_ahead()).zip(unix_ms).map(|(term, unix_ms)| {
        let ms = u64::try_from(term.instant().saturating_sub(unix_ms)).unwrap_or(0);
        Left::of(Duration::from_millis(ms))
    });
    let life = state.session.expires_at.map(|at| Left::of(at.saturating_sub(now)));
    Terms { term, left, life }
}

/// Without a clock, what the board says of itself is told as if it lay ahead, and nothing of its period.
fn term(meta: &meta::Meta, own: Option<Span>, unix_ms: Option<i64>) -> Option<Term> {
    let has_passed = |at: i64| unix_ms.is_some_and(|unix_ms| at <= unix_ms);
    match (meta.state, meta.closes_at) {
        (Some(meta::State::Closed), _) => return None,
        (Some(meta::State::Open | meta::State::Closing), Some(at)) => {
            return Some(if has_passed(at) { Term::WasToClose(at) } else { Term::Closes(at) });
        }
        _ => {}
    }
    let Span { period, starts, ends } = own?;
    unix_ms.map(|_| match () {
        () if has_passed(ends) => Term::Ended(period, ends),
        () if has_passed(starts) => Term::Ends(period, ends),
        () => Term::Begins(period, starts),
    })
}

/// When the header's words change next.
pub fn wake(state: &State) -> Option<Moment> {
    let Terms { term, left, life } = state.shown_terms;
    let of_term = term.zip(left.and_then(Left::next)).and_then(|(term, next)| {
        let ahead = i64::try_from(next.as_millis()).unwrap_or(i64::MAX);
        state.clock.moment_of(term.instant().saturating_sub(ahead))
    });
    let of_life = state.session.expires_at.zip(life.and_then(Left::next)).and_then(|(at, next)| at.checked_sub(next));
    of_term.into_iter().chain(of_life).min()
}
