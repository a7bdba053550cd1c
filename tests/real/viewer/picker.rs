//! Choosing a board on a real server: among many keys while others delete some, without the right to search, and while
//! the server is stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use vt100::Screen;

use super::harness::{
    BOARD, EXAMPLE, assert_only_reads, calls_of, example, footer, numbered, put, reset_calls, selected, wait_ranks,
    watch,
};
use crate::common::{Key, Program, Pty, RedisServer, ranktop, text, wait_until};

/// Keys that are no boards.
fn populate(server: &RedisServer, count: u32) {
    let script = "for i = 1, ARGV[1] do redis.call('set', 'k:' .. i, i) end";
    redis::cmd("EVAL").arg(script).arg(0).arg(count).exec(&mut server.client()).unwrap();
}

fn without_a_board(server: &RedisServer) -> Program {
    ranktop(&["--url", &server.url(), "--interval", "100ms"])
}

fn has_line(screen: &Screen, part: &str) -> bool {
    text(screen).lines().any(|line| line.contains(part))
}

#[track_caller]
fn wait_chosen(pty: &Pty, key: &str) {
    pty.wait_for(&format!("{key} to be selected"), |screen| selected(screen).is_some_and(|row| row.contains(key)));
}

#[test]
fn forty_boards_among_200_000_keys_while_keys_are_deleted() {
    let server = RedisServer::start();
    populate(&server, 200_000);
    let mut pipeline = redis::pipe();
    for number in 0..39 {
        pipeline.cmd("ZADD").arg(format!("lb:{{g{number}}}:2026-10")).arg(number).arg(format!("p{number}"));
    }
    pipeline.exec(&mut server.client()).unwrap();
    put(&server, &EXAMPLE);
    reset_calls(&server);
    let is_over = AtomicBool::new(false);
    let mut client = server.client();
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in 1..=100_000 {
                if is_over.load(Ordering::SeqCst) {
                    return;
                }
                redis::cmd("UNLINK").arg(format!("k:{number}")).exec(&mut client).unwrap();
            }
        });
        // Opened over a board, which goes on being live, and without one.
        for is_named in [true, false] {
            let program = if is_named { watch(&server, &["--interval", "100ms"]) } else { without_a_board(&server) };
            let pty = program.pty(100, 30);
            if is_named {
                wait_ranks(&pty, &["1 u:1000", "2 u:1002", "2 u:1001", "4 u:1003"]);
                pty.send("b");
            }
            pty.wait_for("a search that goes on", |screen| {
                has_line(screen, " of about ") || has_line(screen, "40 boards")
            });
            // Keys are answered meanwhile.
            pty.send("spring");
            pty.wait_text("> spring");
            pty.wait_for("the board", |screen| selected(screen).is_some_and(|row| row.starts_with(BOARD)));
            pty.wait_text("1 of 40 boards in ");
            pty.key(Key::Ctrl('u'));
            pty.wait_for("all of them", |screen| footer(screen).contains("of 40 "));
            pty.send("g17");
            wait_chosen(&pty, "lb:{g17}:2026-10");
            pty.key(Key::Enter);
            wait_ranks(&pty, &["1 p17"]);
            pty.wait_text("● live");
            pty.key(Key::Char('q'));
            assert_eq!(pty.wait_exit(), 0);
        }
        is_over.store(true, Ordering::SeqCst);
    });
    assert!(calls_of(&server, "scan") >= 200, "{:?}", calls_of(&server, "scan"));
    assert_eq!(calls_of(&server, "keys"), 0);
}

#[test]
fn a_board_that_is_opened_is_live_and_nothing_was_written() {
    let server = example();
    for key in ["lb:{spring}:2026-W40", "other"] {
        server.cmd(&["ZADD", key, "7", "p1"]);
    }
    reset_calls(&server);
    let pty = without_a_board(&server).pty(100, 24);
    pty.wait_text("choose a board");
    pty.wait_text("● connected");
    pty.wait_for("all three", |screen| footer(screen).starts_with("1–3 of 3"));
    pty.wait_for("what is known of them", |screen| has_line(screen, "4          v1"));
    assert_only_reads(&server);
    // With nothing to go back to, the list stays; letters are typed.
    let scans = calls_of(&server, "scan");
    pty.key(Key::Esc);
    wait_until("another search", || calls_of(&server, "scan") > scans);
    pty.send("q?");
    pty.wait_text("No board matches 'q?'.");
    pty.key(Key::Esc);
    pty.wait_for("all three", |screen| footer(screen).starts_with("1–3 of 3"));
    pty.key(Key::Home);
    wait_chosen(&pty, "W41");
    pty.key(Key::Enter);
    wait_ranks(&pty, &["1 u:1000", "2 u:1002", "2 u:1001", "4 u:1003"]);
    put(&server, &[("u:9", 2_000.0)]);
    wait_ranks(&pty, &["1 u:9", "2 u:1000", "3 u:1002", "3 u:1001", "5 u:1003"]);
    // And from there to another one.
    pty.send("b");
    wait_chosen(&pty, "W41");
    pty.key(Key::Down);
    wait_chosen(&pty, "W40");
    pty.key(Key::Enter);
    wait_ranks(&pty, &["1 p1"]);
}

#[test]
fn every_size_of_terminal_shows_the_list() {
    let server = numbered(3, 1);
    for number in 0..60 {
        server.cmd(&["ZADD", &format!("k{number:02}"), "1", "m"]);
    }
    let pty = watch(&server, &[]).pty(80, 24);
    wait_ranks(&pty, &["1 p1", "2 p2", "3 p3"]);
    pty.send("b");
    pty.wait_text("61 boards in ");
    pty.key(Key::End);
    wait_chosen(&pty, BOARD);
    for (columns, lines) in [(1, 1), (20, 6), (0, 0), (300, 100), (2, 2), (20, 6), (80, 24)] {
        pty.resize(columns, lines);
        if lines >= 6 {
            pty.wait_for("the selected board", |screen| has_line(screen, if columns == 20 { "W41" } else { BOARD }));
        }
    }
    pty.key(Key::Ctrl('c'));
    assert_eq!(pty.wait_exit(), 0);
    assert!(pty.is_as_found());
}

#[test]
fn without_the_right_to_search_a_board_can_be_named() {
    let server = example();
    server.cmd(&["ACL", "SETUSER", "viewer", "reset", "on", ">secret", "~lb:*", "+@read", "-scan"]);
    let program = without_a_board(&server).args(&["--user", "viewer"]).env("RANKTOP_PASSWORD", "secret");
    let pty = program.pty(100, 24);
    pty.wait_text("the user may not run SCAN");
    pty.wait_text("ranktop BOARD");
    pty.send(BOARD);
    pty.wait_text(&format!("> {BOARD}"));
    pty.key(Key::Enter);
    wait_ranks(&pty, &["1 u:1000", "2 u:1002", "2 u:1001", "4 u:1003"]);
    // From a board one comes back to it.
    pty.send("b");
    pty.wait_text("the user may not run SCAN");
    wait_chosen(&pty, BOARD);
    pty.key(Key::Esc);
    wait_ranks(&pty, &["1 u:1000", "2 u:1002", "2 u:1001", "4 u:1003"]);
}

#[test]
fn boards_that_cannot_be_read_say_why() {
    let server = example();
    server.cmd(&["ZADD", "secret", "1", "m"]);
    server.cmd(&["ACL", "SETUSER", "viewer", "reset", "on", ">secret", "~lb:*", "+@read"]);
    let pty = without_a_board(&server).args(&["--user", "viewer"]).env("RANKTOP_PASSWORD", "secret").pty(100, 24);
    pty.wait_text("no permission to read it");
    server.cmd(&["DEL", BOARD]);
    pty.wait_for("the loss", |screen| text(screen).lines().any(|line| line.contains(BOARD) && line.ends_with(" gone")));
    server.cmd(&["SET", BOARD, "x"]);
    pty.wait_text("no longer a sorted set");
}

#[test]
fn a_stopped_server_holds_up_no_key_of_the_list() {
    let server = example();
    populate(&server, 200_000);
    server.cmd(&["ZADD", "other", "1", "m"]);
    for limit in ["300ms", "1h"] {
        let program = without_a_board(&server).args(&["--timeout", limit, "--connect-timeout", limit]);
        let pty = program.pty(100, 24);
        // Stopped while the list grows.
        pty.wait_text(" of about 200,0");
        server.stop();
        pty.send("spr");
        pty.wait_text("> spr");
        pty.key(Key::Backspace);
        pty.wait_for("one letter less", |screen| has_line(screen, "> sp ") && !has_line(screen, "> spr"));
        pty.key(Key::Ctrl('u'));
        pty.wait_text("type to filter");
        if limit == "300ms" {
            pty.wait_text("reconnecting");
            server.cont();
            pty.wait_text("2 boards in 200,0");
            server.stop();
            pty.send("b");
            pty.wait_text("> b");
        }
        pty.key(Key::Ctrl('c'));
        assert_eq!(pty.wait_exit(), 0);
        assert!(pty.is_as_found());
        server.cont();
    }
}

#[test]
fn an_empty_database_is_said_to_be_one_and_a_demo_has_a_list_too() {
    let server = RedisServer::start();
    let pty = without_a_board(&server).pty(80, 24);
    pty.wait_text("There are no boards in this database.");
    put(&server, &EXAMPLE);
    pty.key(Key::Esc);
    wait_chosen(&pty, BOARD);

    let pty = ranktop(&["demo", "--embedded", "--seed", "7"]).pty(100, 30);
    pty.wait_text("● live");
    pty.send("b");
    pty.wait_text("2 boards in ");
    wait_chosen(&pty, "lb:{demo}:");
    pty.key(Key::Enter);
    pty.wait_text("Space hold");
}

#[test]
fn a_place_needs_a_board_and_the_list_a_terminal() {
    let server = example();
    for args in [&["--at", "3"][..], &["--find", "u:1000"]] {
        let run = ranktop(&["--url", &server.url()]).args(args).run();
        run.assert_code(2).assert_out("").assert_err_has(args[0]).assert_err_has("no board was named");
    }
    let run = ranktop(&["--url", &server.url()]).run();
    run.assert_code(2).assert_out("").assert_err_has("error: watching needs a terminal");
    run.assert_err_has("ranktop boards").assert_err_has("ranktop page BOARD");
}
