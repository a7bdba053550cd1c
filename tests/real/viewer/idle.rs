//! What is sent where nothing happens: nothing to the terminal, one small question an interval to the server, and never a
//! command that could write.

use super::harness::{
    BOARD, assert_only_reads, calls, calls_of, example, numbered, poll, put, reset_calls, wait_ranks, wait_selected,
};
use crate::common::{Key, Pty, RedisServer, wait_until};

/// Waits for so many polls of the version: the server's own clock.
#[track_caller]
fn wait_polls(server: &RedisServer, more: u64) {
    let before = calls_of(server, "get");
    wait_until("the version to be polled", || calls_of(server, "get") >= before + more);
}

#[test]
fn a_still_board_costs_the_terminal_nothing() {
    let server = example();
    let pty = poll(&server).pty(80, 24);
    wait_ranks(&pty, &["1 u:1000", "2 u:1002", "2 u:1001", "4 u:1003"]);
    wait_polls(&server, 3);
    let sent = pty.bytes_written_by_program();
    wait_polls(&server, 25);
    assert_eq!(pty.bytes_written_by_program(), sent);
}

#[test]
fn a_held_board_is_asked_for_its_version_alone() {
    let server = example();
    let pty = poll(&server).pty(80, 24);
    pty.wait_text("● live");
    pty.key(Key::Char(' '));
    pty.wait_text("● held");
    // Whatever was under way has been answered.
    wait_polls(&server, 2);
    reset_calls(&server);
    let sent = pty.bytes_written_by_program();
    wait_polls(&server, 10);
    assert_eq!(calls(&server).keys().collect::<Vec<_>>(), ["get"]);
    assert_eq!(pty.bytes_written_by_program(), sent);
    put(&server, &[("u:1003", 2000.0)]);
    pty.wait_text("held · 1 behind");
    assert_eq!(pty.with_screen(super::harness::ranks)[0], "1 u:1000");
    pty.key(Key::Char(' '));
    wait_ranks(&pty, &["1 u:1003", "2 u:1000", "3 u:1002", "3 u:1001"]);
}

#[test]
fn a_closed_board_is_not_polled() {
    let server = example();
    server.cmd(&["HSET", &format!("{BOARD}:meta"), "state", "closed", "closed_at", "1760301000000"]);
    let pty = poll(&server).pty(120, 24);
    pty.wait_text("● closed");
    pty.wait_text("closed since Sun 2025-10-12 20:30 UTC");
    // Another viewer at the same interval is the clock.
    let (other, _clock) = beside();
    wait_polls(&other, 2);
    reset_calls(&server);
    wait_polls(&other, 12);
    assert!(calls(&server).is_empty(), "{:?}", calls(&server));
}

fn beside() -> (RedisServer, Pty) {
    let other = example();
    let pty = poll(&other).pty(80, 24);
    pty.wait_text("● live");
    (other, pty)
}

#[test]
fn no_key_and_no_mode_ever_writes() {
    let changes = |server: &RedisServer| {
        let info: String = redis::cmd("INFO").arg("persistence").query(&mut server.client()).unwrap();
        info.lines().find(|line| line.starts_with("rdb_changes_since_last_save")).unwrap().to_owned()
    };
    for mode in ["auto", "push", "poll", "content"] {
        let server = numbered(60, 1);
        server.cmd(&["HSET", "lb:{spring}:names", "p1", "Ada"]);
        let before = changes(&server);
        reset_calls(&server);
        let pty = super::harness::watch(&server, &["--watch", mode, "--interval", "100ms"]).pty(80, 24);
        wait_selected(&pty, "p1");
        for key in "jkGglh{}rimmssssyns? ?+-r i".chars() {
            pty.key(Key::Char(key));
        }
        pty.send("\x1b[6~\x1b[5~/p30\r");
        wait_selected(&pty, "p30");
        pty.send(":=100\r");
        wait_selected(&pty, "p51");
        pty.key(Key::Char('q'));
        assert_eq!(pty.wait_exit(), 0);
        assert_only_reads(&server);
        assert_eq!(changes(&server), before, "{mode}");
    }
}
