//! Reads while somebody writes as fast as the server takes it: whatever is called verified must be what the board held at
//! the version that was read with it. The writer's boards follow from the version alone, so that each can be made again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use ranktop::board::entry::{Entry, Member};
use ranktop::board::keys::Board;
use ranktop::board::order::Order;
use ranktop::board::score::Score;
use ranktop::query::page::{Anchor, PageReply, PageRequest, PageStart};
use ranktop::store::BoardSource;
use ranktop::store::redis::connect::Target;
use ranktop::store::redis::topology::AnySource;

use crate::common::{RedisServer, oracle};

/// How many members there are at most, and into how many groups they are cut. Each write is of one group, in turn.
const MEMBERS: u64 = 120;
const GROUPS: u64 = 30;

/// How many rounds of [`asks`] are asked.
const ROUNDS: u64 = 60;

fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

fn board() -> Board {
    let key = "lb:{torn}:now";
    let companion = |kind: &str| format!("{key}:{kind}").as_str().into();
    Board { key: key.into(), order: Order::Desc, version_key: companion("version"), meta_key: companion("meta") }
}

fn member(number: u64) -> Member {
    format!("m{number:03}").as_str().into()
}

/// The score that the write of `version` gives to one of its group; `None` takes it off the board.
fn written(number: u64, version: u64) -> Option<Score> {
    // Few distinct scores, and many members in each.
    let mixed = (version * 7_919 + number * 104_729) % 1_009;
    let value = u8::try_from(mixed % 9).unwrap();
    (value > 0).then(|| Score::new(value.into()).unwrap())
}

/// All that is on the board at a version.
fn entries(version: u64) -> Vec<Entry> {
    let rows = (0..MEMBERS).filter_map(|number| {
        let (group, phase) = (number % GROUPS, version % GROUPS);
        let last = version.checked_sub((phase + GROUPS - group) % GROUPS)?;
        Some(Entry::new(member(number), written(number, last)?))
    });
    rows.collect()
}

/// The write that makes the board of `version` out of the one before.
fn write(version: u64) -> redis::Pipeline {
    let board = board();
    let mut pipeline = redis::pipe();
    pipeline.atomic().cmd("INCR").arg(board.version_key.as_ref());
    for number in (0..MEMBERS).filter(|number| number % GROUPS == version % GROUPS) {
        match written(number, version) {
            Some(score) => pipeline.cmd("ZADD").arg(board.key.as_ref()).arg(score.get()).arg(member(number).as_bytes()),
            None => pipeline.cmd("ZREM").arg(board.key.as_ref()).arg(member(number).as_bytes()),
        };
    }
    pipeline
}

/// One question of each kind. A server takes in some 16 kB of a pipeline at a time: those with a long member are spread
/// over several moments unless something holds them together.
fn asks(round: u64) -> Vec<PageRequest> {
    let score = |value: u64| Score::new(u8::try_from(value % 8 + 1).unwrap().into()).unwrap();
    let place = Entry::new(member(round * 7 % MEMBERS), score(round));
    let mut asks = Vec::new();
    for whence in [
        PageStart::Position(round % 70 + 1),
        PageStart::Last,
        PageStart::After(place.clone()),
        PageStart::Before(place.clone()),
        PageStart::Row(round % 90 + 1),
        PageStart::Score(score(round)),
        PageStart::NextTie(score(round)),
        PageStart::PreviousTie(score(round)),
        PageStart::NextScore(score(round)),
    ] {
        let ask = PageRequest { lead: 2, fill: true, dense: round.is_multiple_of(2), ..PageRequest::new(whence, 12) };
        let anchor = Some(Anchor { place: place.clone(), inclusive: round.is_multiple_of(3) });
        let long = Member::from(vec![b'x'; 50_000]);
        asks.push(PageRequest { anchor: anchor.clone(), track: Some(member(round)), ..ask.clone() });
        asks.push(PageRequest { anchor, track: Some(long), ..ask });
    }
    asks
}

/// A server with the first versions of the board, whoever writes to it, and a reader with these rights.
async fn begun(rights: &[&str]) -> (RedisServer, redis::Connection, AnySource) {
    let server = RedisServer::start();
    let mut client = server.client();
    for version in 1..=GROUPS {
        write(version).exec(&mut client).unwrap();
    }
    server.cmd(&[&["ACL", "SETUSER", "reader", "on", ">secret", "~*"], rights].concat());
    let target = Target::new(&server.url(), Duration::from_secs(10), Duration::from_secs(10)).unwrap();
    let reader = target.with_user("reader").with_password("secret").connect(None::<fn()>).await.unwrap();
    (server, client, reader.home.into())
}

/// Reads beside a writer, checks each verified page, and says how many pages were verified and how many were not.
async fn read_beside_a_writer(rights: &[&str]) -> (u32, u32) {
    let (_server, mut client, mut home) = begun(rights).await;
    let is_done = Arc::new(AtomicBool::new(false));
    let is_told = Arc::clone(&is_done);
    let writer = thread::spawn(move || {
        let mut version = GROUPS;
        while !is_told.load(Relaxed) {
            version += 1;
            write(version).exec(&mut client).unwrap();
        }
        version
    });
    let mut pages = Vec::new();
    for ask in (0..ROUNDS).flat_map(asks) {
        if let PageReply::Page(page) = home.read(&board(), &ask).await.unwrap() {
            pages.push((ask, page));
        }
    }
    is_done.store(true, Relaxed);
    let last = writer.join().unwrap();
    assert!(last > GROUPS + ROUNDS, "the writer wrote {last} versions");

    let (mut verified, mut unverified) = (0, 0);
    for (ask, page) in pages {
        if !page.window.verified {
            unverified += 1;
            continue;
        }
        verified += 1;
        assert!(page.window.is_coherent());
        let version = page.window.version.as_ref().unwrap().number().unwrap();
        let mut expected = oracle::answer(&entries(u64::try_from(version).unwrap()), Order::Desc, &ask);
        if let PageReply::Page(expected) = &mut expected {
            expected.window.version.clone_from(&page.window.version);
        }
        assert_eq!(PageReply::Page(page), expected, "{:?} in version {version}", ask.whence);
    }
    (verified, unverified)
}

/// Counts beside a writer, checks each verified distribution, and says how many were verified and how many were not.
async fn count_beside_a_writer(rights: &[&str]) -> (u32, u32) {
    let (_server, mut client, mut home) = begun(rights).await;
    let is_done = Arc::new(AtomicBool::new(false));
    let is_told = Arc::clone(&is_done);
    let writer = thread::spawn(move || {
        for version in GROUPS + 1.. {
            if is_told.load(Relaxed) {
                return;
            }
            write(version).exec(&mut client).unwrap();
        }
    });
    let mut read = Vec::new();
    for _ in 0..10 * ROUNDS {
        read.push(home.distribution(&board(), 24.into()).await.unwrap());
    }
    is_done.store(true, Relaxed);
    writer.join().unwrap();

    let (mut verified, mut unverified) = (0, 0);
    for read in read {
        if !read.verified {
            unverified += 1;
            continue;
        }
        verified += 1;
        let version = read.version.as_ref().unwrap().number().unwrap();
        let rows = oracle::sorted(&entries(u64::try_from(version).unwrap()), Order::Desc);
        assert_eq!(read.total, rows.len() as u64);
        for bin in &read.bins {
            let count = rows.iter().filter(|row| bin.range.holds(row.score)).count();
            assert_eq!(bin.count, count as u64, "{bin:?} in version {version}");
        }
        for mark in &read.marks {
            let position = usize::try_from(mark.position).unwrap();
            assert_eq!(position, (rows.len() * usize::from(mark.percent)).div_ceil(100), "version {version}");
            assert_eq!(mark.score, rows[position - 1].score, "{mark:?} in version {version}");
        }
        assert_eq!(read.marks.len(), 4);
    }
    (verified, unverified)
}

#[test]
fn distributions_are_of_one_moment_or_marked() {
    let (verified, unverified) = run(count_beside_a_writer(&["+@all"]));
    assert!(verified > 500, "{verified} were verified, {unverified} not");
    let (verified, unverified) = run(count_beside_a_writer(&["+@read"]));
    assert!(verified > 100, "{verified} were verified, {unverified} not");
}

#[test]
fn scripts_and_transactions_are_of_one_moment() {
    for rights in [&["+@all"][..], &["+@all", "-eval_ro"]] {
        let (verified, unverified) = run(read_beside_a_writer(rights));
        assert!(verified > 100 && unverified == 0, "{verified} were verified, {unverified} not");
    }
}

#[test]
fn transactions_without_scripts_settle() {
    let (verified, unverified) = run(read_beside_a_writer(&["+@read", "+@transaction", "+@connection"]));
    assert!(verified > unverified, "{verified} were verified, {unverified} not");
}

#[test]
fn pipelines_are_verified_where_no_version_came_between() {
    let (verified, unverified) = run(read_beside_a_writer(&["+@read"]));
    // How many are torn is up to the machine; that many are not shows that those are read again.
    assert!(verified > 100, "{verified} were verified, {unverified} not");
}
