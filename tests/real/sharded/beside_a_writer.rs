//! Reads while somebody writes: whatever is called verified must be what the board held at the versions that were read with
//! it. Each part's rows follow from its version alone, so that each state can be made again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use ranktop::board::entry::Entry;
use ranktop::board::order::Order;
use ranktop::board::score::Score;
use ranktop::board::sharded::spread::Doubt;
use ranktop::query::page::{PageReply, PageRequest, PageStart};
use ranktop::store::BoardSource as _;
use ranktop::store::redis::connect::Target;
use ranktop::store::redis::topology::AnySource;
use ranktop::store::sharded::board::part_board;
use tokio::runtime::Builder;

use super::one_set::{board, mixed};
use crate::common::RedisServer;

const SHARDS: u32 = 8;
/// Members of each part.
const MEMBERS: u64 = 40;

/// The row that the write of `version` puts into `part`: one member, in turn.
fn written(part: u32, version: u64) -> Entry {
    let value = mixed(version * 31 + u64::from(part)) % 25;
    let member = format!("p{part}m{}", version % MEMBERS);
    Entry::new(member.as_str(), Score::new(f64::from(u32::try_from(value).unwrap())).unwrap())
}

/// All rows of a part at a version.
fn rows(part: u32, version: u64) -> impl Iterator<Item = Entry> {
    let first = version.saturating_sub(MEMBERS - 1).max(1);
    (first..=version).map(move |version| written(part, version))
}

/// All rows of the board at these versions, in its order.
fn state(versions: &[u64]) -> Vec<Entry> {
    let parts = (0..SHARDS).zip(versions);
    let mut all: Vec<Entry> = parts.flat_map(|(part, version)| rows(part, *version)).collect();
    all.sort_by(|a, b| Order::Desc.compare(a, b));
    all
}

/// Reads beside a writer with this pause between two writes; how many pages were verified, bounded, and unknown.
fn read_beside(pause: Duration, pages: u64) -> (u32, u32, u32) {
    let server = RedisServer::start();
    let sharded = board("lb:{w:<shard>}", Order::Desc);
    let write = {
        let sharded = sharded.clone();
        move |client: &mut redis::Connection, part: u32, version: u64| {
            let (keys, row) = (part_board(&sharded, part), written(part, version));
            let mut pipeline = redis::pipe();
            pipeline.atomic().cmd("INCRBY").arg(keys.version_key.as_ref()).arg(1);
            pipeline.cmd("ZADD").arg(keys.key.as_ref()).arg(row.score.get()).arg(row.member.as_bytes());
            pipeline.exec(client).unwrap();
        }
    };
    let mut client = server.client();
    let mut versions = vec![0_u64; SHARDS as usize];
    for part in 0..SHARDS {
        let meta = part_board(&sharded, part).meta_key;
        server.cmd(&[b"HSET".as_slice(), meta.as_ref(), b"version", b"members"]);
        for version in 1..=MEMBERS {
            write(&mut client, part, version);
        }
        versions[part as usize] = MEMBERS;
    }
    let is_done = Arc::new(AtomicBool::new(false));
    let is_told = Arc::clone(&is_done);
    let writer = thread::spawn(move || {
        let mut step = 0;
        while !is_told.load(Relaxed) {
            step += 1;
            let part = u32::try_from(mixed(step) % u64::from(SHARDS)).unwrap();
            versions[part as usize] += 1;
            write(&mut client, part, versions[part as usize]);
            let until = Instant::now() + pause;
            while Instant::now() < until && !is_told.load(Relaxed) {
                thread::yield_now();
            }
        }
    });
    let (mut verified, mut bounded, mut unknown) = (0, 0, 0);
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let target = Target::new(&server.url(), Duration::from_secs(10), Duration::from_secs(10)).unwrap();
        let source: AnySource = target.connect(None::<fn()>).await.unwrap().home.into();
        let mut source = source.with_shards(Some(SHARDS));
        for round in 0..pages {
            let part = u32::try_from(round % u64::from(SHARDS)).unwrap();
            let place = written(part, 1 + round % MEMBERS);
            let start = match round % 4 {
                0 => PageStart::Position(1 + mixed(round) % 150),
                1 => PageStart::After(place),
                2 => PageStart::Member(place.member),
                _ => PageStart::NextTie(place.score),
            };
            let request = PageRequest { lead: 3, ..PageRequest::new(start, 12) };
            let PageReply::Page(page) = source.read(&sharded, &request).await.unwrap() else { continue };
            let mut window = page.window;
            let parts = *window.parts.take().unwrap();
            assert!(window.is_coherent(), "{window:?}");
            match parts.doubt {
                Doubt::Nothing => {
                    assert!(window.verified);
                    verified += 1;
                    let versions: Vec<u64> = parts.versions.iter().map(|version| number(version.as_ref())).collect();
                    let state = state(&versions);
                    let from = usize::try_from(window.start - 1).unwrap();
                    assert_eq!(window.total, state.len() as u64);
                    assert!(state.iter().skip(from).take(window.len()).eq(&window.entries), "round {round}");
                    for (row, standing) in window.entries.iter().zip(window.standings()) {
                        let better = state.iter().filter(|other| other.score > row.score).count() as u64;
                        let tied = state.iter().filter(|other| other.score == row.score).count() as u64;
                        assert_eq!((standing.better, standing.tied), (better, tied), "round {round}");
                    }
                }
                Doubt::Within(errors) => {
                    bounded += 1;
                    assert_eq!(errors.len(), window.len());
                }
                Doubt::Unknown => unknown += 1,
            }
        }
    });
    is_done.store(true, Relaxed);
    writer.join().unwrap();
    (verified, bounded, unknown)
}

fn number(version: Option<&ranktop::board::version::Version>) -> u64 {
    u64::try_from(version.unwrap().number().unwrap()).unwrap()
}

#[test]
fn what_is_verified_was_on_the_board_at_one_moment() {
    let (verified, bounded, unknown) = read_beside(Duration::from_millis(4), 800);
    println!("slow writer: {verified} verified, {bounded} bounded, {unknown} unknown");
    assert!(verified > 0, "{verified} verified, {bounded} bounded, {unknown} unknown");
    let (verified, bounded, unknown) = read_beside(Duration::from_millis(1), 800);
    println!("1,000 writes a second: {verified} verified, {bounded} bounded, {unknown} unknown");
    assert!(bounded > 0, "{verified} verified, {bounded} bounded, {unknown} unknown");
}
