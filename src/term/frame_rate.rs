//! How often news may draw: at most [`MOST`] frames in any second, a few of them as close together as they come. It
//! counts frames and knows neither what is drawn nor a clock.

use std::time::Duration;

/// Frames in any one second that nobody's key called for.
pub const MOST: u32 = 30;
/// So many may follow each other at once: a page and its names come right behind each other, and behind a key.
const AT_ONCE: u32 = 5;
/// Each frame uses up so much of the time; together with those at once this makes the most.
const SHARE: Duration = Duration::from_millis(1_000 / (MOST - AT_ONCE) as u64);
/// How far ahead of its share drawing may be.
const AHEAD: Duration = SHARE.saturating_mul(AT_ONCE - 1);

/// The pace of frames. All moments count from one origin and never go back.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameRate {
    /// The moment up to which the shares of the frames that were drawn reach.
    used: Duration,
}

impl FrameRate {
    /// When the next frame may be drawn; long past where frames were few.
    pub fn due(&self) -> Duration {
        self.used.saturating_sub(AHEAD)
    }

    /// Takes note of a frame.
    pub fn drawn(&mut self, now: Duration) {
        self.used = self.used.max(now) + SHARE;
    }

    /// The reader did something: that, and what comes of it, is drawn at once whatever was drawn before.
    pub fn hurry(&mut self, now: Duration) {
        self.used = self.used.min(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// The moments at which frames are drawn where one is wanted after each of these gaps.
    fn drawn(pace: &mut FrameRate, gaps: &[u64]) -> Vec<Duration> {
        let mut now = Duration::ZERO;
        let mut drawn = Vec::new();
        for gap in gaps {
            now += Duration::from_micros(*gap);
            if now >= pace.due() {
                pace.drawn(now);
                drawn.push(now);
            }
        }
        drawn
    }

    proptest! {
        #[test]
        fn no_second_has_more_than_the_most(gaps in prop::collection::vec(0_u64..60_000, 1..400)) {
            let drawn = drawn(&mut FrameRate::default(), &gaps);
            for (index, from) in drawn.iter().enumerate() {
                let within = drawn[index..].iter().filter(|at| **at < *from + SECOND).count();
                prop_assert!(within <= 30, "{within} frames in the second from {from:?}");
            }
        }

        #[test]
        fn few_frames_are_never_late(gaps in prop::collection::vec(40_000_u64..400_000, 1..100)) {
            prop_assert_eq!(drawn(&mut FrameRate::default(), &gaps).len(), gaps.len());
        }
    }

    #[test]
    fn a_flood_is_drawn_all_the_time() {
        let drawn = drawn(&mut FrameRate::default(), &vec![100; 30_000]);
        assert!((77..=80).contains(&drawn.len()), "{} in 3 s", drawn.len());
    }

    #[test]
    fn a_key_and_what_comes_of_it_are_drawn_at_once() {
        let mut pace = FrameRate::default();
        let now = *drawn(&mut pace, &vec![100; 10_000]).last().unwrap();
        assert!(pace.due() > now);
        pace.hurry(now);
        for _ in 0..5 {
            assert!(pace.due() <= now);
            pace.drawn(now);
        }
        assert!(pace.due() > now);
    }
}
