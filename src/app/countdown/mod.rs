//! What the header counts down to: when the board closes or its period ends, and how long its key lives. Told coarsely, so
//! that a frame is due only when the words change.

pub mod update;

use std::time::Duration;

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
