//! The boards that are measured. All numbers follow from the row alone, so that each run measures the same.

#![allow(dead_code, unreachable_pub, reason = "each benchmark compiles this module anew and uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops where it meets the unexpected")]

use ranktop::board::entry::Entry;
use ranktop::board::keys::Board;
use ranktop::board::order::Order;
use ranktop::board::score::Score;
use ranktop::store::memory::MemorySource;

/// The board's address.
pub fn board() -> Board {
    let key = "lb:{bench}:now";
    let companion = |kind: &str| format!("{key}:{kind}").as_str().into();
    Board { key: key.into(), order: Order::Desc, version_key: companion("version"), meta_key: companion("meta") }
}

/// Rows in board order; each `run` rows that follow each other share a score.
pub fn entries(rows: u32, run: u32) -> Vec<Entry> {
    let row = |at: u32| {
        let score = Score::new(f64::from(9_000_000 - at / run * 7)).unwrap();
        Entry::new(format!("player:{:07}", 9_999_999 - at).as_str(), score)
    };
    (0..rows).map(row).collect()
}

/// A board in memory of these rows, in version 1.
pub fn home(entries: &[Entry]) -> MemorySource {
    let home = MemorySource::default();
    home.write(|boards| {
        boards.fill(&board(), entries.iter().cloned());
        boards.increment_version(&board());
    });
    home
}
