//! Boards that are deleted, expire, are renamed, replaced or written without their version, while they are watched.
//!
//! A change that the version does not tell of is found by the slow content check, so all viewers wait for it together.

use vt100::Screen;

use super::harness::{
    BOARD, EXAMPLE, example, footer, numbered, poll, put, ranks, selected, wait_ranks, wait_selected,
};
use crate::common::{Key, Pty, RedisServer, text};

const RANKS: [&str; 4] = ["1 u:1000", "2 u:1002", "2 u:1001", "4 u:1003"];
const GONE: &str = "board gone, last page shown";

/// The rows of the table have one colour.
fn is_greyed(screen: &Screen) -> bool {
    let rows: Vec<u16> = (0..screen.size().0).filter(|line| is_row(screen, *line)).collect();
    let cells = |line: u16| (0..screen.size().1).filter_map(move |column| screen.cell(line, column));
    let inked = rows.iter().flat_map(|line| cells(*line)).filter(|cell| !cell.contents().trim().is_empty());
    let mut colours: Vec<vt100::Color> = inked.map(vt100::Cell::fgcolor).collect();
    colours.dedup();
    rows.len() == 4 && colours.len() == 1
}

fn is_row(screen: &Screen, line: u16) -> bool {
    screen.rows(0, screen.size().1).nth(line.into()).is_some_and(|row| row.contains("u:100"))
}

#[track_caller]
fn wait_gone(pty: &Pty) {
    pty.wait_text(GONE);
    pty.wait_text("● no board");
    pty.wait_for("the last page, greyed", is_greyed);
    wait_ranks(pty, &RANKS);
}

/// Nothing is said of a change, and nobody is said to have moved: it is another board.
#[track_caller]
fn assert_new(pty: &Pty) {
    let screen = pty.screen();
    for mark in ["▲", "▼", " new ", "changed", GONE] {
        assert!(!screen.contains(mark), "{mark}: {screen}");
    }
    assert!(!pty.with_screen(is_greyed));
}

fn live() -> (RedisServer, Pty) {
    let server = example();
    let pty = poll(&server).pty(120, 24);
    wait_ranks(&pty, &RANKS);
    pty.wait_text("● live");
    assert!(!pty.with_screen(is_greyed));
    (server, pty)
}

#[test]
fn what_the_version_does_not_tell_is_found_by_looking() {
    let watched: Vec<(RedisServer, Pty)> = (0..5).map(|_| live()).collect();
    let [deleted, renamed, replaced, unversioned, reset] = &watched[..] else { panic!("five are watched") };
    deleted.0.cmd(&["DEL", BOARD]);
    renamed.0.cmd(&["RENAME", BOARD, "elsewhere"]);
    replaced.0.cmd(&["DEL", BOARD]);
    replaced.0.cmd(&["HSET", BOARD, "a", "b"]);
    unversioned.0.cmd(&["ZADD", BOARD, "2000", "u:1003"]);
    // As the version stands at 1, so does that of the board that is put there.
    reset.0.cmd(&["FLUSHALL"]);
    put(&reset.0, &[("u:7", 7.0)]);

    let (server, pty) = deleted;
    wait_gone(pty);
    pty.send("j");
    wait_selected(pty, "u:1002");
    put(server, &EXAMPLE);
    pty.wait_text("● live");
    wait_ranks(pty, &RANKS);
    assert_new(pty);
    wait_selected(pty, "u:1002");

    let (server, pty) = renamed;
    wait_gone(pty);
    server.cmd(&["RENAME", "elsewhere", BOARD]);
    pty.wait_text("● live");
    wait_ranks(pty, &RANKS);
    assert_new(pty);

    let (server, pty) = replaced;
    pty.wait_text("WRONGTYPE: it is a hash, not a sorted set");
    wait_ranks(pty, &RANKS);
    server.cmd(&["DEL", BOARD]);
    wait_gone(pty);
    put(server, &[("u:5", 5.0)]);
    wait_ranks(pty, &["1 u:5"]);
    pty.wait_text("● live");
    assert_new(pty);

    let (server, pty) = unversioned;
    pty.wait_text("a writer skips INCR on the version: comparing rows instead");
    pty.wait_for("the word in the header", |screen| text(screen).lines().next().unwrap().contains("content"));
    wait_ranks(pty, &["1 u:1003", "2 u:1000", "3 u:1002", "3 u:1001"]);
    // From now on within an interval, not at the next slow check.
    for step in 1..=5 {
        server.cmd(&["ZADD", BOARD, &format!("300{step}"), "u:1003"]);
        pty.wait_text(&format!("3,00{step}"));
    }

    let (_server, pty) = reset;
    wait_ranks(pty, &["1 u:7"]);
    pty.wait_text("comparing rows instead");
}

#[test]
fn a_board_that_expires_is_gone_when_it_is_due() {
    for mode in ["poll", "push"] {
        let server = example();
        let pty = super::harness::watch(&server, &["--watch", mode, "--interval", "100ms"]).pty(120, 24);
        wait_ranks(&pty, &RANKS);
        server.cmd(&["PEXPIRE", BOARD, "1500"]);
        // The version tells that there is something to look at, and nothing of the end.
        put(&server, &[("u:1003", 910.0)]);
        let began = std::time::Instant::now();
        wait_gone(&pty);
        // The slow check would come ten seconds after the page was read.
        assert!(began.elapsed() < std::time::Duration::from_secs(9), "{mode}: {:?}", began.elapsed());
        put(&server, &EXAMPLE);
        pty.wait_text("● live");
        wait_ranks(&pty, &RANKS);
        assert_new(&pty);
    }
}

#[test]
fn a_board_that_is_restored_elsewhere_goes_on_as_a_new_one() {
    let (server, pty) = live();
    let dump = server.cmd(&["DUMP", BOARD]);
    let redis::Value::BulkString(dump) = dump else { panic!("{dump:?}") };
    server.cmd(&["FLUSHALL"]);
    wait_gone(&pty);
    server.cmd(&[b"RESTORE", BOARD.as_bytes(), b"0", &dump]);
    pty.wait_text("● live");
    wait_ranks(&pty, &RANKS);
    pty.wait_text("watched by content");
    assert_new(&pty);
    // A page turn on it is compared with nothing of before.
    pty.key(Key::PageDown);
    pty.wait_text("this is the last page");
    assert!(!pty.screen().contains("Board changed"));
}

#[test]
fn a_version_of_another_kind_is_none_and_the_content_is_watched() {
    let server = numbered(60, 41);
    let pty = poll(&server).pty(120, 24);
    pty.wait_text("v41");
    let version = format!("{BOARD}:version");
    for (step, make) in
        [["DEL", "", ""], ["HSET", "a", "b"], ["RPUSH", "a", "b"], ["ZADD", "1", "b"]].iter().enumerate()
    {
        server.cmd(&["DEL", &version]);
        if make[0] != "DEL" {
            server.cmd(&[make[0], &version, make[1], make[2]]);
        }
        pty.wait_text("watched by content");
        let score = 10_000 + step;
        server.cmd(&["ZADD", BOARD, &score.to_string(), "p9"]);
        pty.wait_for("the score", |screen| {
            ranks(screen).first().is_some_and(|row| row == "1 p9") && text(screen).contains(&format!("10,00{step}"))
        });
        server.cmd(&["DEL", &version]);
        server.cmd(&["SET", &version, "7"]);
        pty.wait_text("v7 ");
    }
    assert!(pty.with_screen(selected).is_some() && pty.with_screen(footer).starts_with("1–17 of 60"));
}
