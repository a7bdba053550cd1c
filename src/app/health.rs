//! How much the screen can be trusted: live, held, closed, stale, or waiting for a connection.

use std::time::Duration;

use crate::app::event::{Link, Moment};
use crate::app::state::State;
use crate::board::meta;
use crate::query::error::StoreError;
use crate::query::server::{Lag, Role};

/// What the header says of the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// There is a connection, and no board is chosen yet.
    Choosing,
    /// Nothing has been read yet.
    Opening,
    /// The page is what the server held at the version shown, and is kept so.
    Live,
    /// The page is kept as it was; behind by so many versions, where they can be counted.
    Held {
        /// `None` where the board has not changed since, or its versions are no numbers.
        behind: Option<i64>,
        /// Whether the board has changed since.
        has_changed: bool,
    },
    /// The board is closed and no longer polled.
    Closed,
    /// The last read failed; the page is so old.
    Stale {
        /// Since the last good answer.
        age: Duration,
        /// Why.
        reason: StoreError,
    },
    /// The replica that is read has lost its primary, so many seconds ago where that is known: whatever has changed since
    /// is not on the page.
    Cut(Option<u64>),
    /// There is no connection; the page, if any, is so old.
    Reconnecting {
        /// Since the last good answer; `None` where there never was one.
        age: Option<Duration>,
        /// Until the next try; zero while it is being made.
        next_try: Duration,
        /// Why the last try failed, where it did.
        reason: Option<StoreError>,
    },
}

impl Health {
    /// How `state` stands at `now`.
    pub fn of(state: &State, now: Moment) -> Self {
        let age = state.fresh_at.map(|at| now.saturating_sub(at));
        match &state.link {
            Link::Connecting if state.reason.is_none() && age.is_none() => return Self::Opening,
            Link::Connecting => {
                return Self::Reconnecting { age, next_try: Duration::ZERO, reason: state.reason.clone() };
            }
            Link::Down { reason, retry_at } => {
                let next_try = retry_at.saturating_sub(now);
                return Self::Reconnecting { age, next_try, reason: Some(reason.clone()) };
            }
            Link::Up { .. } if state.session.board.is_none() => return Self::Choosing,
            Link::Up { .. } => {}
        }
        if let Some(reason) = &state.session.trouble {
            return Self::Stale { age: age.unwrap_or_default(), reason: reason.clone() };
        }
        // The page is of the connection before, until this one has brought an answer.
        if state.reason.is_some() && age.is_some() {
            return Self::Reconnecting { age, next_try: Duration::ZERO, reason: state.reason.clone() };
        }
        if let Role::Replica(Lag::Cut(since)) = state.role {
            return Self::Cut(since);
        }
        let Some(shown) = &state.session.shown else { return Self::Opening };
        if state.session.is_held {
            let number = |version: &Option<crate::board::version::Version>| version.as_ref()?.number();
            let has_changed = state.session.seen_version != shown.window.version;
            let seen_and_held = number(&state.session.seen_version).zip(number(&shown.window.version));
            let behind = seen_and_held.and_then(|(seen, held)| seen.checked_sub(held)).filter(|behind| *behind > 0);
            return Self::Held { behind, has_changed };
        }
        if shown.window.meta.state == Some(meta::State::Closed) { Self::Closed } else { Self::Live }
    }

    /// True where what the header says changes with the second.
    pub fn ticks(&self) -> bool {
        matches!(self, Self::Stale { .. } | Self::Reconnecting { .. })
    }
}
