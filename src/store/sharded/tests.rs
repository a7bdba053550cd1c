//! Boards over parts in memory against one sorted set of the same rows: every answer must be the same, whatever the number
//! of parts and however members are placed.

use proptest::prelude::*;

use super::{Parts, Query, Reader};
use crate::board::entry::{Entry, Member};
use crate::board::keys::Board;
use crate::board::order::Order;
use crate::board::score::Score;
use crate::board::sharded::spread::Spread;
use crate::query::page::{Anchor, PageReply, PageRequest, PageStart};
use crate::store::BoardSource as _;
use crate::store::memory::MemorySource;
use memory::MemoryParts;

mod memory;
mod moving;
mod pages;

fn board(order: Order) -> Board {
    let key = |kind: &str| format!("lb:{{<shard>}}{kind}").as_str().into();
    Board { key: key(""), order, version_key: key(":version"), meta_key: key(":meta") }
}

fn score(value: f64) -> Score {
    Score::new(value).unwrap()
}

fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(test)
}

/// A number that looks like chance and is the same every time.
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
    mixed ^= mixed >> 29;
    mixed = mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 32)
}

/// The answer of one sorted set with the same rows.
async fn single(entries: &[Entry], board: &Board, request: &PageRequest) -> PageReply {
    let mut home = MemorySource::default();
    home.write(|boards| boards.fill(board, entries.iter().cloned()));
    home.read(board, request).await.unwrap()
}

/// The answer over parts, with what belongs to one sorted set only made equal: each part has a version of its own.
async fn sharded(parts: &mut MemoryParts, board: &Board, request: &PageRequest) -> (PageReply, Option<Spread>) {
    let mut totals = std::mem::take(&mut parts.totals);
    let (mut reply, _) = Reader::new(parts, board, &mut totals).page(request).await.unwrap();
    parts.totals = totals;
    let mut spread = None;
    if let PageReply::Page(page) = &mut reply {
        page.window.version = None;
        spread = page.window.parts.take().map(|parts| *parts);
    }
    (reply, spread)
}
