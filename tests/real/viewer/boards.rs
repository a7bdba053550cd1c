//! Boards that become empty, short or long under the reader, and terminals of every size.

use super::harness::{
    BOARD, EXAMPLE, calls, example, footer, numbered, poll, put, ranks, remove, selected, wait_ranks, wait_selected,
    watch,
};
use crate::common::{Key, text};

#[test]
fn an_emptied_board_leaves_its_last_page() {
    let server = example();
    let pty = poll(&server).pty(80, 24);
    pty.wait_text("● live");
    remove(&server, &EXAMPLE.map(|(member, _)| member));
    pty.wait_text("board gone, last page shown");
    pty.wait_text("● no board");
    wait_ranks(&pty, &["1 u:1000", "2 u:1002", "2 u:1001", "4 u:1003"]);
    pty.send("j");
    wait_selected(&pty, "u:1002");
    put(&server, &[("u:5", 1.0)]);
    wait_ranks(&pty, &["1 u:5"]);
    pty.wait_text("1 player ·");
    wait_selected(&pty, "u:5");
}

#[test]
fn a_board_of_one_row_takes_every_key() {
    let server = numbered(1, 1);
    let pty = poll(&server).pty(80, 24);
    wait_ranks(&pty, &["1 p1"]);
    // Each key after the answer to the one before, which only a notice or a read shows.
    pty.key(Key::PageDown);
    pty.wait_text("this is the last page");
    pty.key(Key::PageUp);
    pty.wait_text("this is the first page");
    pty.key(Key::Right);
    pty.wait_text("no tie group below");
    pty.key(Key::Left);
    pty.wait_text("no tie group above");
    pty.send("}");
    pty.wait_text("no other score below");
    pty.send("jkGg:9\r=s");
    pty.wait_text("modified ranks: 1 3 3 4");
    wait_ranks(&pty, &["1 p1"]);
    wait_selected(&pty, "p1");
}

#[test]
fn a_board_that_shrinks_under_the_selection_keeps_a_selection() {
    let server = numbered(100, 1);
    let pty = poll(&server).pty(80, 24);
    pty.wait_text("100 players");
    pty.key(Key::End);
    wait_selected(&pty, "p100");
    pty.wait_for("the last page", |screen| footer(screen).starts_with("84–100 of 100"));
    let gone: Vec<String> = (6..=100).map(|number| format!("p{number}")).collect();
    remove(&server, &gone.iter().map(String::as_str).collect::<Vec<_>>());
    wait_ranks(&pty, &["1 p1", "2 p2", "3 p3", "4 p4", "5 p5"]);
    pty.wait_for("a selection", |screen| selected(screen).is_some());
    pty.wait_for("the range", |screen| footer(screen).starts_with("1–5 of 5"));
}

#[test]
fn whoever_leaves_the_page_is_told_and_can_be_followed() {
    let server = numbered(100, 1);
    let pty = poll(&server).pty(100, 24);
    wait_selected(&pty, "p1");
    put(&server, &[("p1", 505.0)]);
    pty.wait_text("p1 left this page, now at 50 · Enter follows");
    wait_selected(&pty, "p2");
    pty.key(Key::Enter);
    wait_selected(&pty, "p1");
    pty.wait_text("following p1");
    put(&server, &[("p1", 105.0)]);
    wait_selected(&pty, "p1");
    pty.wait_for("position 90", |screen| selected(screen).is_some_and(|row| row.ends_with(" 90")));
}

#[test]
fn every_size_of_terminal_is_drawn_and_left_again() {
    let server = numbered(500, 1);
    let pty = poll(&server).pty(20, 6);
    pty.wait_for("a row on 20x6", |screen| text(screen).contains("p1") && text(screen).contains("5,000"));
    pty.resize(300, 100);
    pty.wait_for("93 rows", |screen| ranks(screen).len() == 93);
    for (columns, lines) in [(1, 1), (80, 24), (0, 0), (80, 24), (1, 100), (200, 1), (2, 2), (80, 24)] {
        pty.resize(columns, lines);
        if (columns, lines) == (80, 24) {
            pty.wait_for("17 rows again", |screen| ranks(screen).len() == 17 && footer(screen).starts_with("1–17"));
        }
    }
    // With something open, too.
    for (open, close) in [("?", "?"), ("i", "i"), (":12", "\x15\x7f")] {
        pty.send(open);
        for (columns, lines) in [(1, 1), (20, 6), (0, 0), (100, 30)] {
            pty.resize(columns, lines);
        }
        pty.send(close);
        pty.resize(80, 24);
        pty.wait_for("the table", |screen| footer(screen).starts_with("1–17") && ranks(screen).len() == 17);
    }
    pty.key(Key::Char('q'));
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn a_key_that_comes_with_a_new_size_is_not_lost() {
    let server = numbered(500, 1);
    let pty = watch(&server, &["--watch", "poll", "--interval", "1h"]).pty(80, 24);
    wait_selected(&pty, "p1");
    for step in 1..=40_u16 {
        let (key, wanted) = if step % 2 == 1 { ("j", "p2") } else { ("k", "p1") };
        pty.resize(80 + step, 24);
        pty.send(key);
        pty.resize(80 + step, 25);
        wait_selected(&pty, wanted);
    }
}

#[test]
fn a_prompt_that_ends_with_a_new_size_leaves_no_cursor() {
    let server = numbered(500, 1);
    let pty = watch(&server, &["--watch", "poll", "--interval", "1h"]).pty(80, 24);
    wait_selected(&pty, "p1");
    for step in 1..=40_u16 {
        pty.send(":");
        pty.wait_for("the prompt", |screen| footer(screen).starts_with(':') && !screen.hide_cursor());
        pty.resize(80 + step, 24);
        pty.send("\x7f");
        pty.wait_for("no cursor", |screen| footer(screen).ends_with("q quit") && screen.hide_cursor());
    }
}

#[test]
fn a_storm_of_sizes_costs_few_reads() {
    let server = numbered(500, 1);
    let pty = watch(&server, &["--watch", "poll", "--interval", "1h"]).pty(80, 24);
    pty.wait_for("17 rows", |screen| ranks(screen).len() == 17);
    super::harness::reset_calls(&server);
    for step in 0..60 {
        pty.resize(80 + step, 20 + step % 30);
    }
    pty.resize(100, 57);
    pty.wait_for("50 rows", |screen| ranks(screen).len() == 50);
    let reads: u64 =
        ["exec", "eval_ro", "evalsha_ro"].iter().filter_map(|name| calls(&server).get(*name).copied()).sum();
    assert!((1..=6).contains(&reads), "{:?}", calls(&server));
}

#[test]
fn a_page_longer_than_the_table_scrolls() {
    let server = numbered(2_500, 1);
    let pty = watch(&server, &["--page-size", "1000", "--watch", "poll", "--interval", "1h", "--no-probe"]).pty(80, 24);
    pty.wait_for("the first rows", |screen| footer(screen).starts_with("1–17 of 2,500"));
    // Names are asked for once the rows are there, behind an EXISTS; HMGET alone may be the meta hash of the page.
    crate::common::wait_until("the names to be asked for", || calls(&server).contains_key("exists"));
    super::harness::reset_calls(&server);
    pty.send("j".repeat(29));
    wait_selected(&pty, "p30");
    pty.wait_for("scrolled", |screen| footer(screen).starts_with("14–30 of 2,500"));
    pty.key(Key::PageDown);
    pty.wait_for("a screen further", |screen| footer(screen).starts_with("31–47 of 2,500"));
    assert!(calls(&server).is_empty(), "nothing is read for what is there: {:?}", calls(&server));
    pty.send(":1000\r");
    wait_selected(&pty, "p1000");
    pty.key(Key::End);
    wait_selected(&pty, "p2500");
    assert_eq!(calls(&server).get("zadd"), None, "{BOARD}");
}
