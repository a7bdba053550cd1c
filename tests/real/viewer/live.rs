//! A board that is written while it is watched: its ranks, its changes, and the banner between two pages.

use std::time::{Duration, Instant};

use super::harness::{
    EXAMPLE, example, footer, numbered, poll, put, ranks, selected, wait_ranks, wait_selected, watch,
};
use crate::common::{Key, Pty, text};

#[test]
fn equal_scores_share_a_rank_on_small_and_large_screens() {
    let server = example();
    for (columns, lines) in [(80, 24), (160, 50)] {
        let pty = watch(&server, &[]).pty(columns, lines);
        wait_ranks(&pty, &["1 u:1000", "2 u:1002", "2 u:1001", "4 u:1003"]);
        pty.wait_text("4 players · high first · ranks 1 2 2 4");
    }
}

#[test]
fn a_polled_write_is_shown() {
    let server = example();
    let pty = poll(&server).pty(80, 24);
    pty.wait_text("● live  poll  v1");
    put(&server, &[("u:1003", 1100.0)]);
    wait_ranks(&pty, &["1 u:1003", "2 u:1000", "3 u:1002", "3 u:1001"]);
    pty.wait_text("▲ 3");
    pty.wait_text("v2");
}

#[test]
fn a_pushed_write_is_shown_without_waiting_for_a_poll() {
    let server = example();
    let pty = watch(&server, &["--watch", "push", "--interval", "1h"]).pty(80, 24);
    pty.wait_text("● live  push  v1");
    let began = Instant::now();
    for step in 1..=6 {
        put(&server, &[("u:1003", 2000.0 + f64::from(step))]);
        pty.wait_text(&format!("2,00{step}"));
        pty.wait_text(&format!("v{}", step + 1));
    }
    // One poll in five seconds is what is left where pushes are lost.
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}

/// A page is read at version 41, two come in above it, and the page is turned.
fn turned_over_newcomers(is_held: bool) -> (crate::common::RedisServer, Pty) {
    let server = numbered(60, 41);
    let pty = poll(&server).pty(80, 24);
    pty.wait_text("v41");
    pty.wait_for("17 rows", |screen| footer(screen).starts_with("1–17 of 60"));
    if is_held {
        pty.key(Key::Char(' '));
        pty.wait_text("● held");
    }
    put(&server, &[("u:1", 9001.0)]);
    put(&server, &[("u:2", 9002.0)]);
    if is_held {
        pty.wait_text("held · 2 behind");
        assert_eq!(pty.with_screen(ranks)[0], "1 p1", "a held page stays");
    } else {
        pty.wait_for("both newcomers", |screen| ranks(screen).starts_with(&["1 u:2".into(), "2 u:1".into()]));
    }
    pty.key(Key::PageDown);
    (server, pty)
}

#[test]
fn newcomers_above_a_page_are_told_when_it_is_turned() {
    for is_held in [false, true] {
        let (_server, pty) = turned_over_newcomers(is_held);
        if is_held {
            pty.wait_text("▲ v41 → v43 · row 17 is now row 19: 2 moved in above you");
            // From the last row that was read: nobody is repeated, nobody skipped.
            assert_eq!(pty.with_screen(ranks)[0], "20 p18");
        } else {
            // What was redrawn under the reader's eyes has been seen.
            pty.wait_text("Board changed v41 → v43 · nothing moved above you");
            assert_eq!(pty.with_screen(ranks)[0], "18 p16");
        }
        pty.resize(120, 24);
        pty.wait_text(if is_held {
            "▲ Board changed v41 → v43 · row 17 is now row 19: 2 moved in above you"
        } else {
            "Board changed v41 → v43 · nothing moved above you"
        });
        pty.wait_text("r refresh  g first page  Esc keep");
    }
}

#[test]
fn the_banner_is_answered() {
    let is_gone = |screen: &vt100::Screen| !text(screen).contains("moved in above you");
    for (key, first) in [(Key::Char('r'), "20 p18"), (Key::Esc, "20 p18"), (Key::Char('g'), "1 u:2")] {
        let (_server, pty) = turned_over_newcomers(true);
        pty.wait_text("▲ v41 → v43");
        pty.key(key);
        pty.wait_for("the banner's end", is_gone);
        pty.wait_for(first, |screen| ranks(screen).first().is_some_and(|row| row == first));
    }
}

#[test]
fn the_selection_follows_its_member() {
    let server = example();
    let pty = poll(&server).pty(80, 24);
    pty.wait_text("● live");
    pty.send("jjj");
    wait_selected(&pty, "u:1003");
    put(&server, &[("u:1003", 2000.0)]);
    pty.wait_for("the new first", |screen| ranks(screen)[0] == "1 u:1003");
    assert!(pty.with_screen(selected).unwrap().contains("u:1003"));
    assert_eq!(pty.with_screen(ranks).len(), EXAMPLE.len());
}
