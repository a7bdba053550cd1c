//! Boards that are missing or of the wrong type, and servers that are absent, killed, stopped or silent: what is said,
//! and that keys are answered all the while.

use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use vt100::Screen;

use super::harness::{
    BOARD, EXAMPLE, calls_of, example, footer, numbered, poll, put, wait_ranks, wait_selected, watch,
};
use crate::common::{Key, Pty, RedisServer, ranktop, text};

const RANKS: [&str; 4] = ["1 u:1000", "2 u:1002", "2 u:1001", "4 u:1003"];

fn first_line(screen: &Screen) -> String {
    text(screen).lines().next().unwrap_or_default().to_owned()
}

/// Help opens and closes.
#[track_caller]
fn assert_keys_live(pty: &Pty) {
    pty.key(Key::Char('?'));
    pty.wait_text("down one row; at the bottom, the next page");
    pty.key(Key::Char('?'));
    pty.wait_for("help to be closed", |screen| !text(screen).contains("down one row;"));
}

#[track_caller]
fn assert_quits(pty: &Pty) {
    pty.key(Key::Char('q'));
    assert_eq!(pty.wait_exit(), 0);
    assert!(pty.is_as_found());
}

#[test]
fn a_missing_board_is_awaited() {
    let server = RedisServer::start();
    let pty = poll(&server).pty(80, 24);
    pty.wait_text(&format!("There is no board '{BOARD}' yet."));
    assert_keys_live(&pty);
    put(&server, &EXAMPLE);
    wait_ranks(&pty, &RANKS);
    pty.wait_text("● live");
    assert!(!pty.screen().contains("no board"));
}

#[test]
fn a_missing_board_is_awaited_by_push_too() {
    let server = RedisServer::start();
    let pty = watch(&server, &["--interval", "1h"]).pty(80, 24);
    pty.wait_text("There is no board");
    put(&server, &EXAMPLE);
    wait_ranks(&pty, &RANKS);
}

#[test]
fn another_type_is_named() {
    let server = RedisServer::start();
    server.cmd(&["HSET", BOARD, "a", "b"]);
    let pty = poll(&server).pty(120, 24);
    pty.wait_text("WRONGTYPE: it is a hash, not a sorted set");
    pty.wait_text("hint: a board is a sorted set");
    assert_keys_live(&pty);
    server.cmd(&["DEL", BOARD]);
    put(&server, &EXAMPLE);
    wait_ranks(&pty, &RANKS);
    // And the other way round: the last page stays, marked.
    server.cmd(&["DEL", BOARD]);
    server.cmd(&["SET", BOARD, "x"]);
    server.cmd(&["INCR", &format!("{BOARD}:version")]);
    pty.wait_for("the reason beside the page", |screen| first_line(screen).contains("WRONGTYPE: it is a string"));
    wait_ranks(&pty, &RANKS);
}

#[test]
fn a_server_that_is_not_there_is_awaited() {
    let mut server = RedisServer::start();
    server.kill();
    let pty = poll(&server).pty(140, 24);
    pty.wait_text(&format!("Cannot connect to {}: cannot connect", server.socket().display()));
    pty.wait_text("hint: check that the server is running");
    pty.wait_text("Next try in");
    assert_keys_live(&pty);
    server.restart();
    put(&server, &EXAMPLE);
    wait_ranks(&pty, &RANKS);
    pty.wait_text("● live");
    assert_quits(&pty);
}

#[test]
fn the_next_try_is_made_at_once_on_demand() {
    let mut server = RedisServer::start();
    server.kill();
    let pty = poll(&server).pty(140, 24);
    // The waits have grown.
    pty.wait_text("Next try in 4 s");
    server.restart();
    put(&server, &EXAMPLE);
    let began = Instant::now();
    pty.key(Key::Char('r'));
    wait_ranks(&pty, &RANKS);
    assert!(began.elapsed() < Duration::from_millis(2_500), "{:?}", began.elapsed());
}

#[test]
fn a_killed_server_leaves_the_last_page_and_is_awaited() {
    for mode in ["poll", "push"] {
        let mut server = example();
        let pty = watch(&server, &["--watch", mode, "--interval", "100ms"]).pty(140, 24);
        wait_ranks(&pty, &RANKS);
        pty.wait_text("● live");
        server.kill();
        pty.wait_for("the loss", |screen| first_line(screen).contains("reconnecting"));
        pty.wait_text("ago");
        wait_ranks(&pty, &RANKS);
        pty.send("jj");
        wait_selected(&pty, "u:1001");
        server.restart();
        pty.wait_text("board gone, last page shown");
        wait_ranks(&pty, &RANKS);
        put(&server, &[("u:1001", 5.0), ("u:7", 7.0)]);
        wait_ranks(&pty, &["1 u:7", "2 u:1001"]);
        pty.wait_text("● live");
        wait_selected(&pty, "u:1001");
    }
}

#[test]
fn a_stopped_server_holds_up_no_key() {
    for mode in ["poll", "push"] {
        let server = numbered(200, 1);
        let args = ["--watch", mode, "--interval", "100ms", "--timeout", "300ms", "--connect-timeout", "300ms"];
        let pty = watch(&server, &args).pty(140, 24);
        pty.wait_for("the first page", |screen| footer(screen).starts_with("1–17 of 200"));
        server.stop();
        pty.send("jjk");
        wait_selected(&pty, "p2");
        // In push mode nothing is asked, and so nothing found out, until a key asks.
        pty.key(Key::PageDown);
        pty.wait_for("the reason", |screen| {
            let line = first_line(screen);
            (line.contains("stale") && line.contains("no answer within 300ms")) || line.contains("reconnecting")
        });
        for _ in 0..40 {
            pty.key(Key::PageDown);
        }
        assert_keys_live(&pty);
        pty.resize(100, 20);
        pty.wait_for("the new size", |screen| footer(screen).contains("? help") && footer(screen).starts_with("1–"));
        pty.resize(140, 24);
        pty.wait_for("the old size", |screen| footer(screen).starts_with("1–17 of 200"));
        // A page turn that waits comes before the row: both are dropped where nothing answers.
        pty.wait_text("key presses were dropped");
        pty.send("j");
        wait_selected(&pty, "p3");
        pty.wait_for("the loss", |screen| first_line(screen).contains("reconnecting"));
        server.cont();
        pty.wait_text("● live");
        // Whatever is still queued has been asked once the server has been written to and that is on the screen.
        put(&server, &[("p200", 11.0)]);
        pty.wait_text("v2");
        let reads = calls_of(&server, "exec");
        assert!(reads < 12, "{reads} reads after 41 page keys");
        let footer = pty.with_screen(footer);
        assert!(footer.starts_with("1–17 ") || footer.starts_with("18–34 "), "{footer}");

        server.stop();
        pty.key(Key::PageDown);
        assert_quits(&pty);
        server.cont();
    }
}

#[test]
fn a_peer_that_never_answers_is_told_within_the_time_limit() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://{}", silent.local_addr().unwrap());
    // Held open for as long as the test runs.
    thread::spawn(move || silent.incoming().collect::<Vec<_>>());
    let began = Instant::now();
    let pty = ranktop(&[BOARD, "--url", &url, "--connect-timeout", "400ms"]).pty(120, 24);
    pty.wait_text("Connecting to 127.0.0.1");
    assert_keys_live(&pty);
    pty.wait_text("no answer to the login within 400ms");
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    assert_quits(&pty);
    drop(pty);
    // In the midst of connecting, too.
    let pty = ranktop(&[BOARD, "--url", &url, "--connect-timeout", "1h"]).pty(120, 24);
    pty.wait_text("Connecting to 127.0.0.1");
    assert_quits(&pty);
}

#[test]
fn a_connection_that_is_cut_is_made_again() {
    for mode in ["poll", "push"] {
        let server = example();
        let pty = watch(&server, &["--watch", mode, "--interval", "100ms"]).pty(140, 24);
        wait_ranks(&pty, &RANKS);
        for step in 1..=5 {
            server.cmd(&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
            put(&server, &[("u:1003", 2000.0 + f64::from(step))]);
            pty.wait_text(&format!("2,00{step}"));
            pty.wait_text("● live");
        }
    }
}

#[test]
fn a_login_that_is_wanted_is_told_and_the_page_stays() {
    let server = example();
    let pty = poll(&server).pty(160, 24);
    wait_ranks(&pty, &RANKS);
    let mut client = server.client();
    let mut set = |password: &str| {
        redis::pipe()
            .cmd("CONFIG")
            .arg(&["SET", "requirepass", password])
            .cmd("CLIENT")
            .arg(&["KILL", "TYPE", "normal", "SKIPME", "yes"])
            .query::<()>(&mut client)
            .unwrap();
    };
    set("secret");
    pty.wait_for("the reason", |screen| first_line(screen).contains("login refused"));
    wait_ranks(&pty, &RANKS);
    assert_keys_live(&pty);
    set("");
    pty.wait_text("● live");
}

#[test]
fn a_version_that_is_odd_or_goes_away_is_taken_as_it_is() {
    let server = example();
    let key = format!("{BOARD}:version");
    let pty = poll(&server).pty(140, 24);
    pty.wait_text("v1 ");
    server.cmd(&["SET", &key, "abc"]);
    pty.wait_text("vabc");
    server.cmd(&["DEL", &key]);
    pty.wait_text("watched by content");
    server.cmd(&["ZADD", BOARD, "3000", "u:1003"]);
    wait_ranks(&pty, &["1 u:1003", "2 u:1000", "3 u:1002", "3 u:1001"]);
    server.cmd(&["FLUSHALL"]);
    pty.wait_text("board gone, last page shown");
    put(&server, &EXAMPLE);
    wait_ranks(&pty, &RANKS);
}
