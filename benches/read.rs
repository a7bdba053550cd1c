//! Reads of a board in memory, as a yardstick of what an answer costs without a server: the same questions as a viewer
//! asks, at the top, deep down, and from one tie group to the next.

mod common;

use divan::{Bencher, black_box};
use futures_util::FutureExt;
use ranktop::board::entry::Entry;
use ranktop::query::page::{Anchor, PageRequest, PageStart};
use ranktop::store::BoardSource;

fn main() {
    divan::main();
}

/// Rows of the board, and how many of them share a score.
const ROWS: u32 = 200_000;
const RUN: u32 = 50;
/// Rows of a page.
const PAGE: u64 = 37;

fn measure(bencher: Bencher, ask: impl FnOnce(&[Entry]) -> PageRequest) {
    let (board, entries) = (common::board(), common::entries(ROWS, RUN));
    let mut home = common::home(&entries);
    let ask = ask(&entries);
    // A board in memory answers without waiting.
    bencher.bench_local(|| home.read(&board, black_box(&ask)).now_or_never());
}

#[divan::bench(args = [1, 100_000])]
fn page_at(bencher: Bencher, position: u64) {
    measure(bencher, |_| PageRequest::new(PageStart::Position(position), PAGE));
}

#[divan::bench(args = [37, 100_000])]
fn page_after(bencher: Bencher, position: usize) {
    measure(bencher, |entries| {
        let place = entries[position].clone();
        let anchor = Some(Anchor { place: place.clone(), inclusive: true });
        PageRequest { anchor, ..PageRequest::new(PageStart::After(place), PAGE) }
    });
}

#[divan::bench]
fn next_tie_group(bencher: Bencher) {
    measure(bencher, |entries| PageRequest::new(PageStart::NextTie(entries[100_000].score), PAGE));
}

#[divan::bench]
fn member(bencher: Bencher) {
    measure(bencher, |entries| PageRequest::new(PageStart::Member(entries[150_000].member.clone()), PAGE));
}
