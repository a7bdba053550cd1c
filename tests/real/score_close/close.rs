//! Ends of periods: the states, the last version, how long keys live, and what changes nothing.

use redis::Value;

use super::{BOARD, META, VERSION, everything, now, run, run_as, text};
use crate::common::RedisServer;

const DAY: i64 = 24 * 60 * 60 * 1000;

fn open_board() -> RedisServer {
    let server = RedisServer::start();
    server.cmd(&["ZADD", BOARD, "1", "m", "2", "n"]);
    server.cmd(&["SET", VERSION, "41"]);
    server.cmd(&["HSET", META, "state", "open", "title", "Spring"]);
    server.cmd(&["HSET", "lb:{x}:names", "m", "Ada"]);
    server
}

fn ttls(server: &RedisServer) -> Vec<i64> {
    [BOARD, VERSION, META, "lb:{x}:names"]
        .iter()
        .map(|key| redis::cmd("PTTL").arg(key).query(&mut server.client()).unwrap())
        .collect()
}

fn field(server: &RedisServer, name: &str) -> i64 {
    text(server, &["HGET", META, name]).unwrap().parse().unwrap()
}

#[test]
fn a_close_is_the_last_version_and_sets_how_long_the_keys_live() {
    let server = open_board();
    let start = now(&server);
    let closed = run(&server, &["close", BOARD, "--retain", "90d"]);
    closed.assert_clean().assert_out_has(": 2 rows at version 42, kept until 20");
    let at = field(&server, "closed_at");
    assert!((start..=now(&server)).contains(&at), "{at}");
    let page = run(&server, &["page", BOARD, "--format", "json"]).json();
    assert_eq!((page["version"].as_str(), page["state"].as_str()), (Some("42"), Some("closed")));
    let ttls = ttls(&server);
    assert!(ttls[..3].iter().all(|ttl| (89 * DAY..=90 * DAY).contains(ttl)), "{ttls:?}");
    assert_eq!(ttls[3], -1, "names outlive a period");
    run(&server, &["score", BOARD, "m", "--by", "1"]).assert_code(4).assert_err_has("is closed since 20");

    // Again: nothing changes.
    server.cmd(&["HSET", META, "closed_at", "1791763200000"]);
    let before = everything(&server);
    for args in [&["close", BOARD][..], &["close", BOARD, "--retain", "1d"], &["close", BOARD, "--grace", "1h"]] {
        let again = run(&server, args);
        again.assert_clean().assert_out(&format!("{BOARD}: already closed since 2026-10-12T00:00:00Z\n"));
        assert_eq!(everything(&server), before);
    }
}

#[test]
fn without_retention_keys_live_as_long_as_they_would() {
    let server = open_board();
    server.cmd(&["PEXPIRE", META, "5000000"]);
    run(&server, &["close", BOARD]).assert_clean();
    let ttls = ttls(&server);
    assert_eq!((ttls[0], ttls[1]), (-1, -1));
    assert!((1..=5_000_000).contains(&ttls[2]));
}

#[test]
fn a_plain_sorted_set_is_closed_too() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", BOARD, "1", "m"]);
    run(&server, &["close", BOARD, "--retain", "1d"])
        .assert_clean()
        .assert_out_has(": 1 row at version 1, kept until 20");
    assert!(ttls(&server)[..3].iter().all(|ttl| (1..=DAY).contains(ttl)));
}

#[test]
fn a_time_of_grace_comes_first_and_ends() {
    let server = open_board();
    let start = now(&server);
    let closing = run(&server, &["close", BOARD, "--grace", "10m", "--retain", "1d"]);
    closing.assert_clean().assert_out_has("closing, takes late scores until 20").assert_out_has("2 rows at version 42");
    assert_eq!(text(&server, &["HGET", META, "state"]).as_deref(), Some("closing"));
    let until = field(&server, "grace_until");
    assert!((start + 600_000..=now(&server) + 600_000).contains(&until));
    assert_eq!(field(&server, "closes_at"), until);
    // Kept for a day from its close on, not from now on.
    assert!(ttls(&server)[..3].iter().all(|ttl| (DAY + 1..=DAY + 600_000).contains(ttl)), "{:?}", ttls(&server));
    run(&server, &["score", BOARD, "m", "--by", "4"]).assert_clean().assert_out_has("version 43, late");

    let before = everything(&server);
    let waiting = run(&server, &["close", BOARD, "--grace", "1h"]);
    waiting.assert_clean().assert_out_has("already closing, takes late scores until 20");
    assert_eq!(everything(&server), before);

    server.cmd(&["HSET", META, "grace_until", "1791763200000"]);
    run(&server, &["score", BOARD, "m", "--by", "4"]).assert_code(4);
    run(&server, &["close", BOARD, "--grace", "10m"]).assert_clean().assert_out_has("2 rows at version 44");
    assert_eq!(text(&server, &["HGET", META, "state"]).as_deref(), Some("closed"));
    assert_eq!(field(&server, "late"), 1);
}

#[test]
fn a_time_of_grace_is_cut_short_by_a_close_without_one() {
    let server = open_board();
    run(&server, &["close", BOARD, "--grace", "10m"]).assert_clean();
    run(&server, &["close", BOARD]).assert_clean().assert_out_has("closed at").assert_out_has("version 43");
    run(&server, &["score", BOARD, "m", "--by", "4"]).assert_code(4).assert_err_has("is closed since");
}

#[test]
fn what_cannot_be_closed_is_left_as_it_is() {
    let server = open_board();
    server.cmd(&["SET", "string", "x"]);
    for board in ["odd", "list"] {
        server.cmd(&["ZADD", board, "1", "m"]);
    }
    server.cmd(&["SET", "odd:meta", "x"]);
    server.cmd(&["RPUSH", "list:version", "x"]);
    let before = everything(&server);
    for (args, code, words) in [
        (&["close", "nobody", "--retain", "1d"][..], 3, "no board 'nobody'"),
        (&["close", "string"], 1, "WRONGTYPE: it is a string, not a sorted set"),
        (&["close", "odd"], 1, "HMGET on 'odd:meta': WRONGTYPE"),
        (&["close", "list", "--retain", "1d"], 1, "GET on 'list:version': WRONGTYPE"),
    ] {
        run(&server, args).assert_code(code).assert_out("").assert_err_has(words);
        assert_eq!(everything(&server), before, "{args:?}");
    }
    for (rights, words) in [
        (&["~*", "+@read"][..], format!("may not run EVAL on '{BOARD}'")),
        (&["~*", "+@all", "-hset"], format!("may not run HSET on '{META}'")),
        (&["~*", "+@all", "-pexpire"], format!("may not run PEXPIRE on '{BOARD}'")),
        (&["~*", "+@all", "-get"], format!("may not run GET on '{VERSION}'")),
        (&["~*", "+@all", "-time"], "can't run this command".to_owned()),
    ] {
        run_as(&server, rights, &["close", BOARD, "--retain", "1d"]).assert_code(1).assert_err_has(&words);
    }
    assert_eq!(everything(&server), before);
    assert_eq!(server.cmd(&["EXISTS", "nobody:meta", "nobody:version"]), Value::Int(0));
}
