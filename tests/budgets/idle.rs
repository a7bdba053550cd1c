//! What a viewer costs that is left open on a board where nothing happens, or that is not to be followed.

use std::time::Duration;

use crate::common::Key;
use crate::viewer::{BOARD, Viewer, board, is_names, is_page, is_poll, score};

#[test]
fn an_idle_poll_is_one_small_command_and_nothing_is_drawn() {
    let server = board(1_000, 4_000_000, 1);
    let viewer = Viewer::open(&server, "poll");
    let mark = viewer.proxy.mark();
    viewer.looks(mark, 2);
    let (mark, written) = (viewer.proxy.mark(), viewer.pty.bytes_written_by_program());
    let trips = viewer.looks(mark, 20);
    assert_eq!(viewer.pty.bytes_written_by_program(), written, "nothing changed");
    for trip in &trips {
        assert!(is_poll(trip), "{trips:#?}");
        assert!(trip.got <= 60 && trip.sent <= 100, "{trip:?}");
    }
    // One score that changes is a few cells: it, its gaps, the version, the mark of the move.
    // Where the server is slow for a moment, the latency is drawn anew with one of the changes: the least counts.
    let changes = [985, 984, 986, 983]
        .map(|end| viewer.page_read(&format!("3,999,{end}"), || score(&server, 2, 3_999_000 + end)).1);
    assert!(changes.iter().min().is_some_and(|drawn| *drawn <= 110), "one score took {changes:?} bytes");
    assert_eq!(viewer.proxy.connections(), 1);
}

#[test]
fn a_server_that_tells_is_asked_nothing_but_the_safety_poll() {
    let server = board(1_000, 4_000_000, 1);
    let viewer = Viewer::open(&server, "push");
    let opened = viewer.proxy.since(0);
    assert_eq!(opened.iter().filter(|trip| is_page(trip)).count(), 1, "{opened:#?}");
    let page = opened.iter().find(|trip| is_page(trip)).unwrap().at;
    let trips = viewer.looks(0, 1);
    assert_eq!(trips.iter().filter(|trip| is_page(trip)).count(), 1, "{trips:#?}");
    let first = trips.iter().find(|trip| is_poll(trip)).unwrap();
    assert!(first.at - page >= Duration::from_secs(4), "{trips:#?}");
    assert_eq!(viewer.proxy.pushes(), 0);
    // A change is told at once, and read at once.
    let (mark, pushes) = (viewer.proxy.mark(), viewer.proxy.pushes());
    score(&server, 2, 3_999_985);
    viewer.pty.wait_text("3,999,985");
    let trips = viewer.proxy.since(mark);
    let pages: Vec<_> = trips.iter().filter(|trip| is_page(trip)).collect();
    assert_eq!(pages.len(), 1, "{trips:#?}");
    assert!(trips.iter().all(|trip| is_page(trip) || is_names(trip)), "{trips:#?}");
    assert!((1..=2).contains(&(viewer.proxy.pushes() - pushes)), "one word for each key that changed");
    assert_eq!(viewer.proxy.connections(), 1);
}

#[test]
fn a_page_that_is_held_asks_for_versions_only() {
    let server = board(1_000, 4_000_000, 1);
    let viewer = Viewer::open(&server, "poll");
    viewer.pty.key(Key::Char(' '));
    viewer.pty.wait_text("held");
    let mark = viewer.proxy.mark();
    for step in 0..5 {
        score(&server, 3, 3_999_971 + step);
        let trips = viewer.looks(viewer.proxy.mark(), 2);
        assert!(trips.iter().all(is_poll), "{trips:#?}");
    }
    assert!(viewer.proxy.since(mark).iter().all(is_poll));
    assert!(viewer.pty.screen().contains("3,999,970"), "the page stays");
}

#[test]
fn a_closed_board_is_left_alone() {
    let server = board(1_000, 4_000_000, 1);
    // What is held is looked at for its version, closed or not: a clock.
    let clock = Viewer::open(&server, "poll");
    clock.pty.key(Key::Char(' '));
    clock.pty.wait_text("held");
    server.cmd(&["HSET", &format!("{BOARD}:meta"), "state", "closed"]);
    let viewer = Viewer::open(&server, "poll");
    viewer.pty.wait_text("closed");
    clock.looks(clock.proxy.mark(), 5);
    let mark = viewer.proxy.mark();
    clock.looks(clock.proxy.mark(), 20);
    let trips = viewer.proxy.since(mark);
    assert!(trips.is_empty(), "{trips:#?}");
}
