//! A board over the nodes of a real cluster of three primaries: the same answers as one sorted set, and what is said while a
//! node is away.

use std::time::Duration;

use ranktop::board::entry::Entry;
use ranktop::board::keys::Board;
use ranktop::board::order::Order;
use ranktop::board::sharded::placement::part_of;
use ranktop::board::sharded::spread::Doubt;
use ranktop::query::page::{PageReply, PageRequest, PageStart};
use ranktop::store::BoardSource as _;
use ranktop::store::redis::connect::Target;
use ranktop::store::redis::topology::{Address, AnySource, Dial, ReadFrom, Service};
use ranktop::store::sharded::board::part_board;
use tokio::runtime::Builder;

use super::one_set::{board, entry};
use crate::common::{Cluster, DEADLINE};

const SHARDS: u32 = 16;
const ROWS: u64 = 3_000;

fn service(cluster: &Cluster) -> Service {
    let target = |url: &str| Target::new(url, Duration::from_secs(2), Duration::from_secs(1)).unwrap();
    let seeds = cluster.nodes.iter().take(3).map(|node| target(&node.tcp_url())).collect();
    let dial: Dial = std::rc::Rc::new(|address: &Address| {
        Target::new(&format!("redis://{address}"), Duration::from_secs(2), Duration::from_secs(1))
    });
    Service::cluster(seeds, dial, ReadFrom::Primary).with_shards(Some(SHARDS))
}

fn fill(cluster: &Cluster, board: &Board, entries: &[Entry]) {
    for part in 0..SHARDS {
        let keys = part_board(board, part);
        let mut client = cluster.nodes[cluster.holder(keys.key.as_ref())].client();
        let mut pipeline = redis::pipe();
        for entry in entries.iter().filter(|entry| part_of(entry.member.as_bytes(), SHARDS) == part) {
            let add = pipeline.cmd("ZADD").arg(keys.key.as_ref());
            add.arg(entry.score.to_string()).arg(entry.member.as_bytes());
        }
        pipeline.cmd("SET").arg(keys.version_key.as_ref()).arg(1);
        pipeline.exec(&mut client).unwrap();
    }
}

fn sorted(entries: &[Entry]) -> Vec<Entry> {
    let mut rows = entries.to_vec();
    rows.sort_by(|a, b| Order::Desc.compare(a, b));
    rows
}

async fn page(
    source: &mut AnySource,
    board: &Board,
    start: PageStart,
) -> Result<ranktop::board::window::Window, String> {
    match source.read(board, &PageRequest::new(start, 40)).await {
        Ok(PageReply::Page(page)) => Ok(page.window),
        Ok(other) => panic!("no page: {other:?}"),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn pages_over_three_primaries_and_a_failover_in_their_midst() {
    let cluster = Cluster::start();
    let board = board("lb:{spring:<shard>}:2026-W41", Order::Desc);
    let entries: Vec<Entry> = (0..ROWS).map(entry).collect();
    fill(&cluster, &board, &entries);
    let rows = sorted(&entries);
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut source = service(&cluster).connect(&board.key, None).await.unwrap().home;
        // All of it by cursor pages, then by positions.
        let mut read: Vec<Entry> = Vec::new();
        let mut start = PageStart::Position(1);
        while read.len() < rows.len() {
            let window = page(&mut source, &board, start).await.unwrap();
            assert!(window.verified && window.total == ROWS, "{window:?}");
            assert_eq!(window.start, read.len() as u64 + 1);
            read.extend(window.entries);
            start = PageStart::After(read.last().unwrap().clone());
        }
        assert_eq!(read, rows);
        for position in (1..ROWS).step_by(171) {
            let window = page(&mut source, &board, PageStart::Position(position)).await.unwrap();
            let from = usize::try_from(position - 1).unwrap();
            assert!(window.entries.iter().eq(rows.iter().skip(from).take(40)) && window.verified, "{position}");
        }
        let version = source.version(&board).await.unwrap().unwrap();
        assert_eq!(version.number(), Some(i64::from(SHARDS)));

        // One primary stops: the others are shown at once, and what is missing is said.
        cluster.nodes[1].stop();
        let place = rows[100].clone();
        let window = page(&mut source, &board, PageStart::After(place.clone())).await.unwrap();
        let spread = window.parts.unwrap();
        assert!(!window.verified && spread.doubt == Doubt::Unknown && !spread.lost.is_empty());
        assert!(window.total < ROWS && window.entries.iter().all(|row| rows.contains(row)));
        let refused = page(&mut source, &board, PageStart::Position(900)).await.unwrap_err();
        assert!(refused.contains("positions are not known"), "{refused}");

        // Its replica takes over, and the cursor goes on from where it was.
        let until = tokio::time::Instant::now() + DEADLINE;
        loop {
            let window = page(&mut source, &board, PageStart::After(place.clone())).await;
            if window.as_ref().is_ok_and(|window| window.verified && window.total == ROWS) {
                assert!(window.unwrap().entries.iter().eq(rows.iter().skip(101).take(40)));
                break;
            }
            assert!(tokio::time::Instant::now() < until, "no failover: {window:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        cluster.nodes[1].cont();
    });
}

#[test]
fn a_slot_that_moves_between_pages() {
    let cluster = Cluster::start_patient();
    let board = board("lb:{spring:<shard>}:2026-W41", Order::Desc);
    let entries: Vec<Entry> = (0..500).map(entry).collect();
    fill(&cluster, &board, &entries);
    let rows = sorted(&entries);
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut source = service(&cluster).connect(&board.key, None).await.unwrap().home;
        assert!(page(&mut source, &board, PageStart::Last).await.unwrap().verified);
        let keys = part_board(&board, 5);
        let (slot, from) = (cluster.slot(keys.key.as_ref()), cluster.holder(keys.key.as_ref()));
        let to = (from + 1) % 3;
        cluster.begin_move(slot, from, to);
        cluster.move_keys(slot, from, to);
        cluster.end_move(slot, from, to);
        let window = page(&mut source, &board, PageStart::After(rows[49].clone())).await.unwrap();
        assert!(window.entries.iter().eq(rows.iter().skip(50).take(40)), "{window:?}");
    });
}
