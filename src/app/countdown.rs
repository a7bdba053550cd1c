//! What the header counts down to: when the board closes or its period ends, and how long its key lives. Told coarsely, so
//! that a frame is due only when the words change.

use std::time::Duration;

use crate::app::event::Moment;
use crate::app::rollover::Span;
use crate::app::state::State;
use crate::board::keys::{frozen_of, live_of};
use crate::board::meta;
use crate::board::period::Period;

/// What the calendar has in store for the board, or had. Instants are in Unix milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// The board says when it closes.
    Closes(i64),
    /// The board says when it should have closed.
    WasToClose(i64),
    /// Its period has not begun.
    Begins(Period, i64),
    /// Its period runs.
    Ends(Period, i64),
    /// Its period is over.
    Ended(Period, i64),
}

impl Term {
    /// Its instant.
    pub fn instant(self) -> i64 {
        match self {
            Self::Closes(at) | Self::WasToClose(at) | Self::Begins(_, at) | Self::Ends(_, at) | Self::Ended(_, at) => {
                at
            }
        }
    }

    fn is_ahead(self) -> bool {
        matches!(self, Self::Closes(_) | Self::Begins(..) | Self::Ends(..))
    }
}

/// What the header tells of time that is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Of the board's life.
    pub term: Option<Term>,
    /// How long until then; none where it is over, or the clock was not told.
    pub left: Option<Left>,
    /// How long the board's key will live, where it expires.
    pub life: Option<Left>,
}

/// Time that is left, in whole seconds, and as coarse as it is told: days with hours, hours with minutes, minutes, and of
/// the last one the seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left(u64);

impl Left {
    /// As it is told. A second that has begun is still told.
    pub fn of(left: Duration) -> Self {
        let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
        let unit = match seconds {
            86_400.. => 3_600,
            60.. => 60,
            _ => 1,
        };
        Self(seconds - seconds % unit)
    }

    /// Seconds.
    pub fn seconds(self) -> u64 {
        self.0
    }

    /// How much is left when the next words are due; none where there are no further ones.
    fn next(self) -> Option<Duration> {
        self.0.checked_sub(1).map(Duration::from_secs)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_change_when_they_say_they_do() {
        for (ms, told) in [
            (0, 0),
            (1, 1),
            (1_000, 1),
            (1_001, 2),
            (59_000, 59),
            (59_001, 60),
            (119_000, 60),
            (120_000, 120),
            (86_399_000, 86_340),
            (86_399_001, 86_400),
            (187_300_000, 187_200),
        ] {
            assert_eq!(Left::of(Duration::from_millis(ms)).seconds(), told, "{ms}");
        }
        // From any moment on, the words stay until the moment that is named, and are others then.
        for seconds in (0..400).chain(3_500..3_700).chain(86_300..86_500).chain(172_700..172_900) {
            let left = Duration::from_millis(seconds * 1_000 + 500);
            let told = Left::of(left);
            let Some(next) = told.next() else { continue };
            assert!(next < left);
            assert_ne!(Left::of(next), told, "{seconds}");
            assert_eq!(Left::of(next + Duration::from_millis(1)), told, "{seconds}");
        }
    }
}
