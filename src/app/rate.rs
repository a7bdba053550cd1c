//! How fast the version moves: writes a second, and a short history of it.
//!
//! It learns only from versions that are seen, and says something new at most once a second. While the board is still
//! it says nothing at all, so that a still board costs the terminal nothing.

use std::collections::VecDeque;
use std::time::Duration;

use crate::app::event::Moment;

/// The rate is taken over this span.
const SPAN: Duration = Duration::from_secs(5);
/// A second each.
const BUCKETS: usize = 12;

/// Counts the steps of a version that is a number.
#[derive(Clone, Debug, Default)]
pub struct Rate {
    seen: VecDeque<(Moment, i64)>,
    buckets: VecDeque<u64>,
    bucket_second: u64,
    shown: Option<u64>,
    shown_second: u64,
}

impl Rate {
    /// Takes note of a version that was read. True where the rate that is shown changes by it.
    pub fn observe(&mut self, now: Moment, version: Option<i64>) -> bool {
        let Some(number) = version else {
            let had = self.shown.is_some();
            *self = Self::default();
            return had;
        };
        let was_shown = self.shown;
        let last = self.seen.back().map(|(_, number)| *number);
        if last.is_some_and(|last| number < last) {
            // The counter was reset: what came before says nothing about the rate.
            *self = Self::default();
        }
        let stepped = last.map_or(0, |last| u64::try_from(number.saturating_sub(last)).unwrap_or(0));
        if stepped > 0 {
            self.count(now, stepped);
        }
        self.seen.push_back((now, number));
        while self.seen.len() > 2 && self.seen.get(1).is_some_and(|(at, _)| now.saturating_sub(*at) >= SPAN) {
            self.seen.pop_front();
        }
        if now.as_secs() != self.shown_second || self.shown.is_none() {
            self.shown_second = now.as_secs();
            self.shown = self.per_second().filter(|rate| *rate > 0);
        }
        self.shown != was_shown
    }

    /// Writes a second, rounded; `None` before there is a second to count over, and where there are none.
    pub fn shown(&self) -> Option<u64> {
        self.shown
    }

    /// Steps in each of the last seconds up to the last change, oldest first; the second that still runs is left out.
    pub fn history(&self) -> impl Iterator<Item = u64> {
        self.buckets.iter().copied().take(BUCKETS.min(self.buckets.len().saturating_sub(1)))
    }

    fn per_second(&self) -> Option<u64> {
        let ((from, first), (to, last)) = (self.seen.front()?, self.seen.back()?);
        let span = to.saturating_sub(*from);
        if span < Duration::from_secs(1) {
            return self.shown;
        }
        let steps = u128::try_from(last.saturating_sub(*first)).ok()?;
        let per_second = (steps * 1000 + span.as_millis() / 2) / span.as_millis();
        u64::try_from(per_second).ok()
    }

    fn count(&mut self, now: Moment, steps: u64) {
        let second = now.as_secs();
        let passed = if self.buckets.is_empty() { 1 } else { second.saturating_sub(self.bucket_second) };
        for _ in 0..passed.min(BUCKETS as u64 + 1) {
            self.buckets.push_back(0);
        }
        while self.buckets.len() > BUCKETS + 1 {
            self.buckets.pop_front();
        }
        self.bucket_second = second;
        if let Some(last) = self.buckets.back_mut() {
            *last += steps;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Moment {
        Duration::from_millis(ms)
    }

    #[test]
    fn twelve_a_second() {
        let mut rate = Rate::default();
        for step in 0..100 {
            rate.observe(at(step * 500), Some(i64::try_from(step).unwrap() * 6));
        }
        assert_eq!(rate.shown(), Some(12));
        assert_eq!(rate.history().count(), BUCKETS);
        assert_eq!(rate.history().last(), Some(12));
    }

    #[test]
    fn a_still_board_falls_to_zero_and_then_says_nothing_new() {
        let mut rate = Rate::default();
        rate.observe(at(0), Some(0));
        rate.observe(at(1000), Some(50));
        let changes = (3..60).filter(|step| rate.observe(at(step * 500), Some(50))).count();
        assert_eq!(rate.shown(), None);
        assert!(changes <= 11, "{changes}");
        assert!((60..200).all(|step| !rate.observe(at(step * 500), Some(50))));
    }

    #[test]
    fn a_reset_counter_and_a_version_that_is_no_number_have_no_rate() {
        let mut rate = Rate::default();
        rate.observe(at(0), Some(100));
        rate.observe(at(2000), Some(200));
        assert_eq!(rate.shown(), Some(50));
        assert!(rate.observe(at(2500), Some(1)));
        assert_eq!(rate.shown(), None);
        rate.observe(at(5000), Some(6));
        assert!(rate.observe(at(5500), None));
        assert_eq!(rate.shown(), None);
    }

    #[test]
    fn versions_at_the_ends_of_the_numbers() {
        let mut rate = Rate::default();
        rate.observe(at(0), Some(i64::MIN));
        rate.observe(at(2000), Some(i64::MAX));
        assert!(rate.shown().is_some_and(|shown| shown > 0));
        rate.observe(at(4000), Some(i64::MIN));
        assert_eq!(rate.shown(), None);
    }
}
