//! Pages, jumps and ties by the thousand against one sorted set of the same rows, on one server.

use std::time::Duration;

use ranktop::board::entry::{Entry, Member};
use ranktop::board::keys::Board;
use ranktop::board::order::Order;
use ranktop::board::score::Score;
use ranktop::board::sharded::placement::part_of;
use ranktop::query::page::{Anchor, PageReply, PageRequest, PageStart};
use ranktop::store::BoardSource as _;
use ranktop::store::redis::connect::Target;
use ranktop::store::redis::topology::AnySource;
use ranktop::store::sharded::board::part_board;
use tokio::runtime::Builder;

use crate::common::RedisServer;

/// How many questions are asked of each board.
const QUESTIONS: u64 = 150;
const ROWS: u64 = 20_000;

pub(crate) fn board(key: &str, order: Order) -> Board {
    let companion = |kind: &str| format!("{key}{kind}").as_str().into();
    Board { key: key.into(), order, version_key: companion(":version"), meta_key: companion(":meta") }
}

/// A number that looks like chance and is the same every time.
pub(crate) fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
    mixed ^= mixed >> 29;
    mixed = mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 32)
}

/// A fifth in one tie group, half on a thousand whole scores, the others on doubles.
pub(crate) fn entry(number: u64) -> Entry {
    let drawn = mixed(number);
    let value = match drawn % 10 {
        0 | 1 => 500.0,
        2..=6 => f64::from(u32::try_from(mixed(drawn) % 1_000).unwrap()),
        _ => f64::from(u32::try_from(mixed(drawn) % 1_000_000_000).unwrap()) / 1e6,
    };
    Entry::new(format!("m{number}").as_str(), Score::new(value).unwrap())
}

/// Writes all rows to the board of `parts` parts by this rule, and sets their versions.
pub(crate) fn fill(server: &RedisServer, board: &Board, entries: &[Entry], parts: u32, rule: impl Fn(&Entry) -> u32) {
    let mut client = server.client();
    for batch in entries.chunks(2_000) {
        let mut pipeline = redis::pipe();
        for entry in batch {
            let part = part_board(board, rule(entry));
            let add = pipeline.cmd("ZADD").arg(part.key.as_ref()).arg(entry.score.to_string());
            add.arg(entry.member.as_bytes());
        }
        pipeline.exec(&mut client).unwrap();
    }
    for part in 0..parts {
        server.cmd(&[b"SET".as_slice(), part_board(board, part).version_key.as_ref(), b"1"]);
    }
}

fn request(seed: u64, entries: &[Entry]) -> PageRequest {
    let row = &entries[usize::try_from(mixed(seed + 1) % ROWS).unwrap()];
    let place = match seed % 3 {
        0 => Entry::new(format!("absent{seed}").as_str(), row.score),
        _ => row.clone(),
    };
    let position = 1 + mixed(seed + 2) % (ROWS + 10);
    let start = match mixed(seed + 3) % 11 {
        0 => PageStart::Position(position),
        1 => PageStart::Last,
        2 => PageStart::After(place.clone()),
        3 => PageStart::Before(place.clone()),
        4 => PageStart::Member(place.member.clone()),
        5 => PageStart::Row(position),
        6 => PageStart::Score(place.score),
        7 => PageStart::NextTie(place.score),
        8 => PageStart::PreviousTie(place.score),
        9 => PageStart::NextScore(place.score),
        _ => PageStart::PreviousScore(place.score),
    };
    PageRequest {
        lead: 7,
        fill: seed.is_multiple_of(2),
        anchor: Some(Anchor { place: place.clone(), inclusive: seed.is_multiple_of(5) }),
        track: Some(place.member),
        dense: seed.is_multiple_of(16),
        ..PageRequest::new(start, 50)
    }
}

/// Which part a row is in.
type Rule = fn(&Entry) -> u32;

#[test]
fn every_answer_is_that_of_one_sorted_set() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let server = RedisServer::start();
    let entries: Vec<Entry> = (0..ROWS).map(entry).collect();
    let rules: [(&str, u32, Rule); 7] = [
        ("one", 1, |_| 0),
        ("hash4", 4, |entry| part_of(entry.member.as_bytes(), 4)),
        ("hash16", 16, |entry| part_of(entry.member.as_bytes(), 16)),
        ("hash64", 64, |entry| part_of(entry.member.as_bytes(), 64)),
        ("all in one", 16, |_| 9),
        ("by score", 16, |entry| {
            (0..15).filter(|part| entry.score.get() >= 62.5 * f64::from(part + 1)).count().try_into().unwrap()
        }),
        ("by member", 16, |entry| u32::from(entry.member.as_bytes()[1] & 15)),
    ];
    let single = board("one", Order::Desc);
    fill(&server, &single, &entries, 1, |_| 0);
    runtime.block_on(async {
        let target = Target::new(&server.url(), Duration::from_secs(10), Duration::from_secs(10)).unwrap();
        let mut plain: AnySource = target.connect(None::<fn()>).await.unwrap().home.into();
        for (name, parts, rule) in rules {
            let sharded = board(&format!("many {name}:<shard>"), Order::Desc);
            fill(&server, &sharded, &entries, parts, rule);
            let source: AnySource = target.connect(None::<fn()>).await.unwrap().home.into();
            let mut source = source.with_shards(Some(parts));
            for seed in 0..QUESTIONS {
                let order = if seed % 4 == 3 { Order::Asc } else { Order::Desc };
                let request = request(seed * 7 + u64::from(parts), &entries);
                let mut expected = plain.read(&Board { order, ..single.clone() }, &request).await.unwrap();
                let mut reply = source.read(&Board { order, ..sharded.clone() }, &request).await.unwrap();
                for reply in [&mut expected, &mut reply] {
                    if let PageReply::Page(page) = reply {
                        page.window.version = None;
                        page.window.parts = None;
                    }
                }
                assert!(reply == expected, "{name}: {request:?}\nexpected {expected:?}\nbut read {reply:?}");
            }
        }
    });
}

#[test]
fn what_is_wrong_with_parts_is_said() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let server = RedisServer::start();
    let sharded = board("lb:{x:<shard>}", Order::Desc);
    let entries: Vec<Entry> = (0..50).map(entry).collect();
    fill(&server, &sharded, &entries, 4, |entry| part_of(entry.member.as_bytes(), 4));
    let read = |shards: u32, start: PageStart| {
        runtime.block_on(async {
            let target = Target::new(&server.url(), Duration::from_secs(10), Duration::from_secs(10)).unwrap();
            let source: AnySource = target.connect(None::<fn()>).await.unwrap().home.into();
            let mut source = source.with_shards(Some(shards));
            source.read(&sharded, &PageRequest::new(start, 90)).await.map_err(|error| error.to_string())
        })
    };
    let top = || PageStart::Position(1);
    assert!(matches!(read(4, top()), Ok(PageReply::Page(page)) if page.window.len() == 50));
    server.cmd(&["HSET", "lb:{x:2}:meta", "shards", "4", "shard", "2"]);
    assert!(read(4, top()).is_ok());
    assert_eq!(read(8, top()).unwrap_err(), "shard 2 was built for 4 shards, not 8");
    server.cmd(&["HSET", "lb:{x:2}:meta", "shard", "3"]);
    assert_eq!(read(4, top()).unwrap_err(), "the key of shard 2 is that of shard 3");
    server.cmd(&["DEL", "lb:{x:2}:meta"]);
    let twice = Member::from("m7");
    for part in 0..4 {
        server.cmd(&["ZADD", &format!("lb:{{x:{part}}}"), "NX", "1", "m7"]);
    }
    for start in [top(), PageStart::Member(twice)] {
        let error = read(4, start).unwrap_err();
        assert!(error.starts_with("'m7' is in shard "), "{error}");
    }
    server.cmd(&["DEL", "lb:{x:1}"]);
    server.cmd(&["SET", "lb:{x:1}", "a string"]);
    assert_eq!(read(4, top()).unwrap_err(), "WRONGTYPE: it is a string, not a sorted set");
}
