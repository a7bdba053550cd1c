//! Scores: what is written, told and counted, and what is refused.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::thread;
use std::time::Duration;

use ranktop::board::keys::Board;
use ranktop::board::order::Order;
use ranktop::board::score::Score;
use ranktop::store::redis::connect::Target;
use ranktop::store::redis::write::score::{Scoring, Step};
use redis::Value;

use super::{BOARD, META, VERSION, everything, now, run, run_as, text};
use crate::common::{RedisServer, ranktop};

#[test]
fn a_change_is_told_with_the_rank_and_the_version() {
    let server = RedisServer::start();
    for (args, told) in [
        (&["u:1", "--set", "980"][..], "u:1: new -> 980 (rank 1), version 1"),
        (&["u:2", "--by", "990"], "u:2: new -> 990 (rank 1), version 2"),
        (&["u:1", "--by", "20"], "u:1: 980 -> 1000 (rank 1), version 3"),
        (&["u:3", "--set", "990"], "u:3: new -> 990 (rank 2), version 4"),
        (&["u:1", "--by", "-10.5"], "u:1: 1000 -> 989.5 (rank 3), version 5"),
        (&["u:1", "--set", "989.5"], "u:1: 989.5 -> 989.5 (rank 3), version 6"),
        (&["u:1", "--by", "0", "--order", "asc"], "u:1: 989.5 -> 989.5 (rank 1), version 7"),
    ] {
        run(&server, &[&["score", BOARD], args].concat()).assert_clean().assert_out(&format!("{told}\n"));
    }
    server.cmd(&["HSET", META, "order", "asc", "state", "open"]);
    run(&server, &["score", BOARD, "u:2", "--by", "-1"]).assert_out("u:2: 990 -> 989 (rank 1), version 8\n");
    run(&server, &["score", BOARD, "u:2", "--by", "0", "--order", "desc"]).assert_out_has("(rank 3), version 9");
    // Elsewhere, as templates say.
    run(&server, &["score", "b", "m", "--set", "1", "--version-key", "v:<board>", "--meta-key", "m:<board>"])
        .assert_clean();
    assert_eq!(text(&server, &["GET", "v:b"]).as_deref(), Some("1"));
    server.cmd(&["HSET", "m:b", "state", "closed"]);
    run(&server, &["score", "b", "m", "--set", "1", "--meta-key", "m:<board>"]).assert_code(4);
}

#[test]
fn doubles_are_written_exactly_and_told_as_what_they_are() {
    let server = RedisServer::start();
    for (number, told) in [
        ("0.1", "0.1"),
        ("1e300", "1e300"),
        ("-0", "0"),
        ("9007199254740993", "9007199254740992"),
        ("5e-324", "5e-324"),
        ("-1.7976931348623157e308", "-1.7976931348623157e308"),
        ("0.30000000000000004", "0.30000000000000004"),
    ] {
        run(&server, &["score", BOARD, "m", "--set", number]).assert_clean().assert_out_has(&format!("-> {told} ("));
        let held: f64 = text(&server, &["ZSCORE", BOARD, "m"]).unwrap().parse().unwrap();
        assert_eq!(held.to_bits(), (number.parse::<f64>().unwrap() + 0.0).to_bits(), "{number}");
    }
    run(&server, &["score", BOARD, "n", "--by", "0.1"]).assert_clean();
    run(&server, &["score", BOARD, "n", "--by", "0.2"]).assert_out_has("n: 0.1 -> 0.30000000000000004 (");
    server.cmd(&["SET", VERSION, "9007199254740992"]);
    run(&server, &["score", BOARD, "n", "--by", "1"]).assert_out_has("version 9007199254740993");
}

#[test]
fn hostile_members_are_written_as_their_bytes_and_told_escaped() {
    let server = RedisServer::start();
    let long = vec![b'x'; 100_000];
    for member in [&b""[..], b"-7", b"a\xff\x1b[2J\r\n", b"'; return 1 --", "ё\u{202e}".as_bytes(), &long] {
        let run = ranktop(&["score", BOARD, "--set", "5", "--"])
            .arg(OsStr::from_bytes(member))
            .env("RANKTOP_URL", server.url())
            .run();
        run.assert_clean();
        assert!(run.out().ends_with('\n') && !run.out().trim_end().contains(char::is_control), "{:?}", run.out());
        let held: Option<f64> = redis::cmd("ZSCORE").arg(BOARD).arg(member).query(&mut server.client()).unwrap();
        assert_eq!(held, Some(5.0));
    }
    assert_eq!(text(&server, &["GET", VERSION]).as_deref(), Some("6"));
}

#[test]
fn what_is_refused_changes_nothing() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", BOARD, "1.7e308", "m", "inf", "endless"]);
    server.cmd(&["SET", VERSION, "7"]);
    server.cmd(&["SET", "string", "x"]);
    for (key, board) in [("ZADD", "odd"), ("ZADD", "list"), ("ZADD", "full")] {
        server.cmd(&[key, board, "1", "m"]);
    }
    server.cmd(&["SET", "odd:meta", "x"]);
    server.cmd(&["RPUSH", "list:version", "x"]);
    server.cmd(&["SET", "full:version", "9223372036854775807"]);
    let before = everything(&server);
    for (args, code, words) in [
        (&["score", BOARD, "m", "--by", "1e308"][..], 4, "from 1.7e308 that is no finite number"),
        (&["score", BOARD, "endless", "--by", "-1e308"], 4, "from inf that is no finite number"),
        (&["score", "string", "m", "--by", "1"], 1, "WRONGTYPE: it is a string, not a sorted set"),
        (&["score", "odd", "m", "--by", "1"], 1, "HMGET on 'odd:meta': WRONGTYPE"),
        (&["score", "list", "m", "--by", "1"], 1, "GET on 'list:version': WRONGTYPE"),
        (&["score", "full", "m", "--by", "1"], 1, "INCR on 'full:version': ERR increment or decrement would overflow"),
        (&["score", "string", "m", "--by", "nan"], 2, "finite number"),
        (&["score", "string", "m", "--set", "1e309"], 2, "finite number"),
    ] {
        run(&server, args).assert_code(code).assert_out("").assert_err_has(words);
        assert_eq!(everything(&server), before, "{args:?}");
    }
}

#[test]
fn a_closed_board_takes_no_score_and_says_since_when() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", BOARD, "1", "m"]);
    server.cmd(&["HSET", META, "state", "closed", "closed_at", "1791763200000"]);
    let before = everything(&server);
    for step in ["--by", "--set"] {
        let refused = run(&server, &["score", BOARD, "m", step, "5"]);
        refused
            .assert_code(4)
            .assert_out("")
            .assert_err_has("is closed since 2026-10-12T00:00:00Z: it takes no scores");
    }
    assert_eq!(everything(&server), before);
    server.cmd(&["HDEL", META, "closed_at"]);
    run(&server, &["score", BOARD, "m", "--by", "1"]).assert_code(4).assert_err_has("is closed: it takes no scores");
}

#[test]
fn a_late_score_is_taken_within_the_time_of_grace_and_counted() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", BOARD, "1", "m"]);
    let soon = (now(&server) + 600_000).to_string();
    server.cmd(&["HSET", META, "state", "closing", "grace_until", &soon]);
    run(&server, &["score", BOARD, "m", "--by", "1"])
        .assert_clean()
        .assert_out("m: 1 -> 2 (rank 1), version 1, late\n");
    run(&server, &["score", BOARD, "n", "--set", "1"]).assert_clean().assert_out_has("version 2, late");
    assert_eq!(text(&server, &["HGET", META, "late"]).as_deref(), Some("2"));

    server.cmd(&["HSET", META, "grace_until", "1791763200000"]);
    let before = everything(&server);
    let refused = run(&server, &["score", BOARD, "m", "--by", "1"]);
    refused.assert_code(4).assert_err_has("it took late scores until 2026-10-12T00:00:00Z");
    assert_eq!(everything(&server), before);
    server.cmd(&["HSET", META, "grace_until", "soon"]);
    run(&server, &["score", BOARD, "m", "--by", "1"]).assert_code(4).assert_err_has("says of no time");
    assert_eq!(text(&server, &["GET", VERSION]).as_deref(), Some("2"));
}

#[test]
fn writers_at_once_lose_nothing() {
    const WRITERS: usize = 8;
    const WRITES: usize = 50;
    let server = RedisServer::start();
    let board = Board { key: BOARD.into(), order: Order::Desc, version_key: VERSION.into(), meta_key: META.into() };
    let target = Target::new(&server.url(), Duration::from_secs(20), Duration::from_secs(20)).unwrap();
    let write = async || {
        let mut writer = target.connect_writer().await.unwrap();
        let mut versions = Vec::new();
        for _ in 0..WRITES {
            let step = Step::By(Score::new(1.0).unwrap());
            let Scoring::Written { before, after, version, .. } =
                writer.score(&board, None, &"m".into(), step).await.unwrap()
            else {
                panic!("an open board takes scores")
            };
            // Score and version are of one moment: here both count the writes.
            assert_eq!(after.to_string().as_bytes(), version.as_bytes());
            assert_eq!(Some(after), Score::new(before.map_or(0.0, Score::get) + 1.0));
            versions.push(version.number().unwrap());
        }
        versions
    };
    let mut versions: Vec<i64> = thread::scope(|scope| {
        let in_a_thread =
            || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(write());
        let writers: Vec<_> = (0..WRITERS).map(|_| scope.spawn(in_a_thread)).collect();
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    versions.sort_unstable();
    assert!(versions.iter().copied().eq(1..=i64::try_from(WRITERS * WRITES).unwrap()), "each version once");
    assert_eq!(text(&server, &["ZSCORE", BOARD, "m"]).as_deref(), Some("400"));
    assert_eq!(text(&server, &["GET", VERSION]).as_deref(), Some("400"));
}

#[test]
fn a_dry_run_sends_nothing() {
    let server = RedisServer::start();
    server.cmd(&["CONFIG", "RESETSTAT"]);
    for args in [&["score", BOARD, "m", "--by", "1", "--dry-run"][..], &["close", BOARD, "--dry-run"]] {
        run(&server, args).assert_code(0).assert_out_has(&format!("INCR {VERSION}\n"));
    }
    let info: String = redis::cmd("INFO").arg("all").query(&mut server.client()).unwrap();
    let counted = |name: &str| info.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
    assert_eq!(counted("total_connections_received:").as_deref(), Some("1"), "the test's own");
    for command in ["eval", "zincrby", "incr", "hset", "multi"] {
        assert_eq!(counted(&format!("cmdstat_{command}:")), None);
    }
}

#[test]
fn where_no_answer_comes_nobody_is_told_that_nothing_was_done() {
    let server = RedisServer::start();
    // It answers what is asked first, and takes no writes.
    server.cmd(&["CLIENT", "PAUSE", "60000", "WRITE"]);
    for command in [&["score", BOARD, "m", "--by", "1"][..], &["close", BOARD]] {
        let silent = run(&server, &[command, &["--timeout", "50ms"]].concat());
        silent
            .assert_code(1)
            .assert_err_has("no answer within 50ms")
            .assert_err_has("hint: it may have been done or not");
    }
}

#[test]
fn a_right_that_is_missing_is_named_with_its_key() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", BOARD, "1", "m"]);
    let score = ["score", BOARD, "m", "--by", "1"];
    for (rights, words) in [
        (&["~*", "+@read"][..], format!("the user may not run EVAL on '{BOARD}'")),
        (&["~other", "+@all"], format!("the user may not run EVAL on '{BOARD}'")),
        (&["~*", "+@all", "-incr"], format!("the user may not run INCR on '{VERSION}'")),
        (&["~*", "+@all", "-zincrby"], format!("the user may not run ZINCRBY on '{BOARD}'")),
        (&["~*", "+@all", "-zcount"], format!("the user may not run ZCOUNT on '{BOARD}'")),
        (&["~*", "+@all", "-get"], format!("the user may not run GET on '{VERSION}'")),
        (&["~*", "+@all", "-hmget"], format!("the user may not run HMGET on '{META}'")),
    ] {
        let refused = run_as(&server, rights, &score);
        refused
            .assert_code(1)
            .assert_out("")
            .assert_err_has(&words)
            .assert_err_has("hint: docs/writing.md lists the permissions");
    }
    assert_eq!(text(&server, &["ZSCORE", BOARD, "m"]).as_deref(), Some("1"));
    assert_eq!(server.cmd(&["EXISTS", VERSION]), Value::Int(0));
}
