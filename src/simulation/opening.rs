//! How a contest begins: who holds which score before the first write. It knows nothing of what happens afterwards.

use crate::simulation::Settings;
use crate::simulation::field::Standing;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rows that a large screen shows: gaps are widest among them, and big groups do not begin before two of these.
const PAGE: usize = 50;

/// The opening board, best score first: alone or in small groups at the top, in groups of up to 200 further down, with
/// the famous in front.
pub(super) fn line_up(settings: Settings, famous: usize) -> Vec<Standing> {
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    rng.set_stream(1);
    let mut numbers: Vec<u64> = (0..settings.players.into()).collect();
    let (front, rest) = numbers.split_at_mut(famous.min(settings.players as usize));
    front.shuffle(&mut rng);
    rest.shuffle(&mut rng);

    // From the top downwards, below zero as it were; the last one's depth then becomes zero.
    let mut depths = Vec::with_capacity(numbers.len());
    let mut depth = 0;
    while depths.len() < numbers.len() {
        let size = match rng.random_range(0..100) {
            0..45 => 1,
            45..70 => 2,
            70..85 => rng.random_range(3..=5),
            _ if depths.len() < 2 * PAGE => rng.random_range(2..=6),
            85..95 => rng.random_range(6..=20),
            _ => rng.random_range(21..=200),
        };
        let end = numbers.len().min(depths.len() + size);
        depths.resize(end, depth);
        depth += rng.random_range(if end < PAGE { 2..=30 } else { 1..=24 });
    }
    let deepest: u64 = depths.last().copied().unwrap_or(0);
    let standings = numbers.into_iter().zip(depths);
    standings.map(|(number, depth)| Standing { number, score: deepest - depth }).collect()
}
