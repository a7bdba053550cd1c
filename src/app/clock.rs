//! The calendar's clock as the viewer knows it: a reading, carried on by the time that the program has been running. It is
//! read by whoever drives the viewer, never here.

use std::time::Duration;

use crate::app::event::Moment;

/// So far the clock may be off before it is told again.
const TOLERANCE: Duration = Duration::from_millis(500);

/// What the clock showed, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    reading: Option<(Moment, i64)>,
}

impl Clock {
    /// Takes in that the clock shows `unix_ms` at `now`.
    pub fn set(&mut self, now: Moment, unix_ms: i64) {
        self.reading = Some((now, unix_ms));
    }

    /// What the clock shows at `now`, in Unix milliseconds; `None` before it was told.
    pub fn at(&self, now: Moment) -> Option<i64> {
        let (since, unix_ms) = self.reading?;
        let run = i64::try_from(now.saturating_sub(since).as_millis()).unwrap_or(i64::MAX);
        Some(unix_ms.saturating_add(run))
    }

    /// When the clock will show `unix_ms`, as far as can be told; a moment that has passed is now or was before.
    pub fn moment_of(&self, unix_ms: i64) -> Option<Moment> {
        let (since, shown) = self.reading?;
        let ahead = u64::try_from(unix_ms.saturating_sub(shown)).unwrap_or(0);
        since.checked_add(Duration::from_millis(ahead))
    }

    /// What is to be told where the clock shows `unix_ms` at `now`: nothing while that is as expected.
    pub fn check(&self, now: Moment, unix_ms: i64) -> Option<i64> {
        let is_off = |expected: i64| u128::from(expected.abs_diff(unix_ms)) > TOLERANCE.as_millis();
        self.at(now).is_none_or(is_off).then_some(unix_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_with_the_program_and_is_told_where_it_is_off() {
        let mut clock = Clock::default();
        assert_eq!((clock.at(Moment::ZERO), clock.check(Moment::ZERO, 7)), (None, Some(7)));
        clock.set(Duration::from_secs(1), 1_000_000);
        assert_eq!(clock.at(Duration::from_secs(3)), Some(1_002_000));
        assert_eq!(clock.moment_of(1_005_000), Some(Duration::from_secs(6)));
        assert_eq!(clock.moment_of(0), Some(Duration::from_secs(1)));
        for (shown, told) in [(1_002_400, None), (1_002_600, Some(1_002_600)), (1_001_000, Some(1_001_000))] {
            assert_eq!(clock.check(Duration::from_secs(3), shown), told);
        }
    }
}
