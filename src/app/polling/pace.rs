//! A slow server is not asked more: where answers take longer than a quarter of the time between two looks, that time is
//! stretched, so that at most a quarter of it is spent waiting. It goes back by itself.

use std::time::Duration;

/// How fast the server has answered of late.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    /// The last answers, of which the middle one counts: one that is late by itself says nothing.
    took: [Duration; 3],
}

impl Pace {
    /// An answer took so long.
    pub fn answered(&mut self, took: Duration) {
        self.took.rotate_left(1);
        self.took[2] = took;
    }

    /// How often the server is asked what is to be asked every `wanted`: a multiple of that.
    pub fn every(&self, wanted: Duration) -> Duration {
        let mut took = self.took;
        took.sort_unstable();
        let least = 4 * took[1].as_micros();
        let times = least.div_ceil(wanted.as_micros().max(1)).max(1);
        wanted.saturating_mul(u32::try_from(times).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn at_most_a_quarter_of_the_time_is_spent_waiting_and_it_goes_back_by_itself() {
        let mut pace = Pace::default();
        let mut every = |took: u64| {
            pace.answered(ms(took));
            pace.every(ms(100))
        };
        assert_eq!([1, 25, 25, 25].map(&mut every), [ms(100); 4]);
        assert_eq!([90, 1, 1].map(&mut every), [ms(100); 3], "one late answer is none");
        assert_eq!([90, 90].map(&mut every), [ms(100), ms(400)]);
        assert_eq!([1, 1].map(&mut every), [ms(400), ms(100)]);
    }

    #[test]
    fn times_at_their_ends() {
        let pace = Pace { took: [Duration::MAX / 8; 3] };
        assert!(pace.every(Duration::ZERO) >= Duration::ZERO);
        assert!(pace.every(ms(1)) > ms(1));
    }
}
