//! What a viewer costs on a board that is written thousands of times a second.

use std::cell::RefCell;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::common::{Key, RedisServer, RoundTrip};
use crate::viewer::{BOARD, Viewer, board, is_names, is_page, member, score};

/// Writes a second.
const WRITES: u64 = 5_000;
/// How many of them are sent together.
const BATCH: u64 = 100;
/// How many there are.
const ALL: u64 = 7_500;

/// Writes as one who writes much does: each write of its own moment, with a version of its own. One in ten is of the
/// first page, and who comes onto it changes all the time. Returns how long it took.
fn burst(server: &RedisServer) -> Duration {
    let mut client = server.client();
    let began = Instant::now();
    // Nobody sends on it: to wait for it is to wait for a moment.
    let (_open, never) = mpsc::channel::<()>();
    for batch in 0..ALL / BATCH {
        let due = Duration::from_millis(batch * BATCH * 1_000 / WRITES);
        never.recv_timeout(due.saturating_sub(began.elapsed())).unwrap_err();
        let mut writes = redis::pipe();
        for number in batch * BATCH..(batch + 1) * BATCH {
            let (member, score) = if number % 10 == 0 {
                (member(number % 900), 4_000_000 + number)
            } else {
                (member(1_000 + number), 1_000_000 + number)
            };
            writes.cmd("MULTI").cmd("ZADD").arg(BOARD).arg(score).arg(member);
            writes.cmd("INCR").arg(format!("{BOARD}:version")).cmd("EXEC");
        }
        writes.exec(&mut client).unwrap();
    }
    began.elapsed()
}

/// The most page reads that were under way when one began.
fn most_at_once(trips: &[RoundTrip]) -> usize {
    let pages: Vec<&RoundTrip> = trips.iter().filter(|trip| is_page(trip)).collect();
    let under_way =
        |at: Instant| pages.iter().filter(move |page| page.at <= at && page.over.is_none_or(|over| at < over));
    pages.iter().map(|page| under_way(page.at).count()).max().unwrap_or(0)
}

/// A burst may cost so many reads a second, and thirty frames.
fn assert_bounded(watch: &str, interval: &str, reads_a_second: f64) {
    let server = board(10_000, 4_000_000, 1);
    let mut names = redis::cmd("HSET");
    names.arg(format!("{BOARD}:names"));
    for number in 0..1_000 {
        names.arg(member(number)).arg(format!("Player {number}"));
    }
    names.exec(&mut server.client()).unwrap();
    let viewer = Viewer::open_at(&server, watch, interval);
    let (mark, pieces) = (viewer.proxy.mark(), viewer.pty.pieces_written_by_program());
    let took = burst(&server);
    let (trips, pieces) = (viewer.proxy.since(mark), viewer.pty.pieces_written_by_program() - pieces);
    // What was due before may have been late, by less than the time between two reads.
    let seconds = took.as_secs_f64() + 0.1;
    let reads = trips.iter().filter(|trip| is_page(trip)).count();
    let most = |a_second: f64| 1.0 + a_second * seconds;
    let (read, drawn) = (f64::from(u32::try_from(reads).unwrap()), f64::from(u32::try_from(pieces).unwrap()));
    assert!(read <= most(reads_a_second), "{reads} reads in {took:?}");
    assert!(reads >= 3, "it goes on reading: {reads} reads in {took:?}");
    assert_eq!(most_at_once(&trips), 1, "{trips:#?}");
    assert!(trips.iter().any(is_names), "names are asked for beside the reads");
    assert!(drawn <= most(30.0), "{pieces} frames in {took:?}");
}

#[test]
fn a_burst_of_writes_is_ten_reads_a_second_where_the_server_tells() {
    assert_bounded("push", "100ms", 10.0);
}

#[test]
fn a_burst_of_writes_is_ten_reads_a_second_where_it_is_polled() {
    assert_bounded("poll", "100ms", 10.0);
}

#[test]
fn frames_are_thirty_a_second_however_often_pages_come() {
    assert_bounded("content", "10ms", 100.0);
}

#[test]
fn whatever_is_told_while_a_page_is_under_way_is_one_more_read() {
    let server = board(1_000, 4_000_000, 1);
    let clock = Viewer::open(&server, "poll");
    clock.pty.key(Key::Char(' '));
    clock.pty.wait_text("held");
    let viewer = Viewer::open(&server, "push");
    let mark = viewer.proxy.mark();
    viewer.proxy.hold();
    viewer.pty.key(Key::Char('r'));
    viewer.proxy.wait("the read", mark, |trips| trips.iter().any(is_page));
    // The server has answered once it has answered another, and tells of a change from then on.
    clock.looks(clock.proxy.mark(), 2);
    for step in 1..=200 {
        score(&server, 1, 4_000_000 + step);
    }
    viewer.proxy.release();
    viewer.pty.wait_text("4,000,200");
    clock.looks(clock.proxy.mark(), 5);
    let trips = viewer.proxy.since(mark);
    assert_eq!(trips.iter().filter(|trip| is_page(trip)).count(), 2, "{trips:#?}");
    assert!((1..=3).contains(&viewer.proxy.pushes()), "{}", viewer.proxy.pushes());
}

#[test]
fn a_busy_board_is_read_by_four_commands_and_what_rarely_changes_once_a_second() {
    let server = board(10_000, 4_000_000, 1);
    let viewer = Viewer::open_at(&server, "poll", "100ms");
    let writer = RefCell::new((0, server.client()));
    let write = || {
        let (number, client) = &mut *writer.borrow_mut();
        *number += 1;
        let mut pipeline = redis::pipe();
        pipeline.atomic().cmd("ZADD").arg(BOARD).arg(4_100_000 + *number).arg(member(5));
        pipeline.cmd("INCR").arg(format!("{BOARD}:version")).exec(client).unwrap();
    };
    // Whatever passes is followed by a change, so that each look finds one.
    let seen = |pages: usize| {
        write();
        viewer.proxy.wait("pages", viewer.proxy.mark(), |trips| {
            write();
            trips.iter().filter(|trip| is_page(trip)).count() >= pages
        })
    };
    // The first looks find out that the board is busy.
    seen(6);
    let trips = seen(30);
    let pages: Vec<&RoundTrip> = trips.iter().filter(|trip| is_page(trip)).collect();
    let whole = pages.iter().filter(|trip| trip.commands.iter().any(|command| command == "HMGET")).count();
    let lean = pages.iter().filter(|trip| trip.commands == ["MULTI", "GET", "ZCARD", "ZREVRANGE", "EXEC"]).count();
    let span = trips.last().unwrap().at - trips[0].at;
    assert!(trips.iter().all(|trip| trip.commands != ["GET"]), "nothing is asked before a page: {trips:#?}");
    assert_eq!(whole + lean, pages.len(), "{trips:#?}");
    assert!(lean >= 15, "{lean} of {} pages are lean", pages.len());
    assert!(whole as u64 <= 2 + 2 * span.as_secs(), "{whole} pages of {span:?} are whole");
}
