//! When the writes of a contest come: at random and independently, calm for most of the time, with short bursts between.
//! It knows no players. Only additions, multiplications and comparisons are used, whose results no machine disagrees on.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// How many times the mean rate a burst runs at.
const BURST: f64 = 10.0;
/// Seconds that a burst lasts, and that the calm between two lasts: uniform between these bounds.
const BURST_LASTS: [f64; 2] = [0.4, 0.8];
const CALM_LASTS: [f64; 2] = [8.0, 18.0];

/// The beat of a contest.
#[derive(Debug)]
pub(super) struct Tempo {
    calm_rate: f64,
    burst_rate: f64,
    bursting: bool,
    /// Seconds to the end of the current spell.
    left: f64,
}

impl Tempo {
    /// A tempo of `rate` writes a second on average, that begins calm.
    pub(super) fn new(rate: f64, rng: &mut ChaCha8Rng) -> Self {
        let [calm, burst] = [CALM_LASTS, BURST_LASTS].map(|[low, high]| f64::midpoint(low, high));
        Self {
            // What the bursts write more, the calm must write less.
            calm_rate: rate * (calm + burst - BURST * burst) / calm,
            burst_rate: rate * BURST,
            bursting: false,
            left: between(CALM_LASTS, rng),
        }
    }

    /// The time from one write to the next.
    pub(super) fn gap(&mut self, rng: &mut ChaCha8Rng) -> Duration {
        let mut due = exponential(rng);
        let mut seconds = 0.0;
        loop {
            let rate = if self.bursting { self.burst_rate } else { self.calm_rate };
            let wait = due / rate;
            if wait <= self.left {
                self.left -= wait;
                return Duration::from_secs_f64(seconds + wait);
            }
            seconds += self.left;
            due -= self.left * rate;
            self.bursting = !self.bursting;
            self.left = between(if self.bursting { BURST_LASTS } else { CALM_LASTS }, rng);
        }
    }
}

fn between([low, high]: [f64; 2], rng: &mut ChaCha8Rng) -> f64 {
    low + (high - low) * rng.random::<f64>()
}

/// An exponential variate of mean 1 by von Neumann's comparison of uniform ones. A logarithm would be shorter, but
/// its last bit differs between systems.
fn exponential(rng: &mut ChaCha8Rng) -> f64 {
    let mut whole = 0.0;
    loop {
        let first: f64 = rng.random();
        let mut last = first;
        let mut descending = 1_u32;
        loop {
            let next: f64 = rng.random();
            if next >= last {
                break;
            }
            last = next;
            descending += 1;
        }
        if !descending.is_multiple_of(2) {
            return whole + first;
        }
        whole += 1.0;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use rand::SeedableRng;

    #[test]
    fn exponential_has_the_right_tail() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let drawn: Vec<f64> = (0..100_000).map(|_| exponential(&mut rng)).collect();
        for at in [0.1_f64, 0.5, 1.0, 2.0, 4.0] {
            let beyond = f64::from(u32::try_from(drawn.iter().filter(|x| **x > at).count()).unwrap()) / 1e5;
            assert!((beyond - (-at).exp()).abs() < 0.005, "P(x > {at}) came out as {beyond}");
        }
    }

    #[test]
    fn the_mean_rate_holds_at_any_rate() {
        for rate in [0.5, 20.0, 300.0] {
            let mut rng = ChaCha8Rng::seed_from_u64(2);
            let mut tempo = Tempo::new(rate, &mut rng);
            let mut seconds = 0.0;
            let mut writes = 0.0;
            while seconds < 3_000.0 {
                seconds += tempo.gap(&mut rng).as_secs_f64();
                writes += 1.0;
            }
            let mean = writes / seconds;
            assert!((mean / rate - 1.0).abs() < 0.05, "{mean} instead of {rate}");
        }
    }

    #[test]
    fn a_minute_has_bursts_and_calm() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut tempo = Tempo::new(20.0, &mut rng);
        let mut tenths = vec![0; 600];
        let mut now = Duration::ZERO;
        loop {
            now += tempo.gap(&mut rng);
            let Some(count) = tenths.get_mut(usize::try_from(now.as_millis() / 100).unwrap()) else {
                break;
            };
            *count += 1;
        }
        // 0.1 s at ten times the rate holds 20 writes on average, at the calm one 1.2.
        assert!(tenths.iter().filter(|count| **count >= 12).count() >= 10);
        assert!(tenths.iter().filter(|count| **count <= 3).count() >= 450);
    }
}
