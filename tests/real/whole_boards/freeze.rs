//! Copies: what they hold, how long they live, and when there is none.

use std::time::Duration;

use ranktop::board::keys::Board;
use ranktop::board::order::Order;
use ranktop::store::redis::connect::Target;
use ranktop::store::redis::write::freeze::Freezing;

use super::{changes, fill, keys, run, ttl};
use crate::common::RedisServer;

const DAY: i64 = 24 * 60 * 60 * 1000;
const COPY: &str = "lb:{x}:2026-W41:frozen:41";
const BOARD: &str = "lb:{x}:2026-W41";

#[test]
fn a_copy_is_its_board_with_companions_that_all_expire() {
    let server = RedisServer::start();
    fill(&server, BOARD, 1_500, "i % 7");
    server.cmd(&[
        "HSET",
        &format!("{BOARD}:meta"),
        "state",
        "open",
        "title",
        "Spring",
        "order",
        "asc",
        "closes_at",
        "9",
    ]);
    // What the board itself has left is not the copy's.
    server.cmd(&["EXPIRE", BOARD, "1000000"]);
    let frozen = run(&server, &["freeze", BOARD]);
    frozen.assert_code(0).assert_out(&format!("{COPY}\n"));
    assert_eq!(frozen.err(), "frozen: 1500 rows at version 41, kept for 7 days\n");

    assert_eq!(
        server.cmd(&["ZRANGE", BOARD, "0", "-1", "WITHSCORES"]),
        server.cmd(&["ZRANGE", COPY, "0", "-1", "WITHSCORES"])
    );
    let made = keys(&server, &format!("{COPY}*"));
    assert_eq!(made, [COPY.to_owned(), format!("{COPY}:meta"), format!("{COPY}:version")]);
    for key in &made {
        assert!((6 * DAY..=7 * DAY).contains(&ttl(&server, key)), "{key}");
    }
    let page = run(&server, &["page", COPY, "--size", "1", "--format", "json"]).json();
    assert_eq!((page["version"].as_str(), page["state"].as_str()), (Some("41"), Some("closed")));
    assert_eq!((page["order"].as_str(), page["total"].as_u64()), (Some("asc"), Some(1500)));
    let meta: Vec<String> = redis::cmd("HKEYS").arg(format!("{COPY}:meta")).query(&mut server.client()).unwrap();
    assert_eq!(meta.len(), 4, "{meta:?}");
}

#[test]
fn the_same_version_again_is_the_same_key_and_only_lives_longer() {
    let server = RedisServer::start();
    fill(&server, BOARD, 3, "i");
    run(&server, &["freeze", BOARD, "--retain", "3d"]).assert_code(0);
    let again = |args: &[&str], days: i64| {
        let frozen = run(&server, args);
        frozen.assert_code(0).assert_out(&format!("{COPY}\n")).assert_err_has("frozen already: 3 rows at version 41");
        for key in keys(&server, &format!("{COPY}*")) {
            assert!(((days - 1) * DAY..=days * DAY).contains(&ttl(&server, &key)), "{key} {args:?}");
        }
    };
    again(&["freeze", BOARD, "--retain", "1d"], 3);
    again(&["freeze", BOARD, "--retain", "5d"], 5);
    again(&["freeze", COPY, "--retain", "9d"], 9);
    // A copy that lost its companions gets them back, and is kept as long as it was.
    server.cmd(&["DEL", &format!("{COPY}:version"), &format!("{COPY}:meta")]);
    again(&["freeze", BOARD], 9);
    assert_eq!(keys(&server, &format!("{COPY}*")).len(), 3);

    server.cmd(&["PERSIST", COPY]);
    run(&server, &["freeze", BOARD]).assert_code(0).assert_err_has("never expires");
    assert!(keys(&server, &format!("{COPY}*")).iter().all(|key| ttl(&server, key) == -1));

    // The board goes on, the copy stays.
    server.cmd(&["ZADD", BOARD, "9", "newcomer"]);
    server.cmd(&["INCR", &format!("{BOARD}:version")]);
    run(&server, &["freeze", BOARD]).assert_code(0).assert_out(&format!("{BOARD}:frozen:42\n"));
    assert_eq!(server.cmd(&["ZCARD", COPY]), redis::Value::Int(3));
}

#[test]
fn what_cannot_be_frozen_is_refused_and_nothing_is_written() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", "plain", "1", "a"]);
    fill(&server, "old", 70, "i");
    run(&server, &["freeze", "old"]).assert_code(0);
    server.cmd(&["ZINCRBY", "old", "0.5", "m:000030"]);
    fill(&server, "odd", 1, "i");
    server.cmd(&["SET", "odd:version", "1:frozen:2"]);
    server.cmd(&["HSET", "hash", "a", "1"]);
    let before = changes(&server);
    for (args, code, words) in [
        (&["freeze", "nobody"][..], 3, "no board 'nobody'"),
        (&["freeze", "plain"], 4, "hint: every writer does INCR on that key"),
        (&["freeze", "old"], 4, "'old:frozen:41' is there and is no copy"),
        (&["freeze", "odd"], 4, "cannot be a part of a key"),
        (&["freeze", "hash"], 1, "WRONGTYPE: it is a hash"),
        (&["freeze", "old", "--version-key", "old:version"], 2, "would share the key 'old:version'"),
        (&["freeze", "old", "--meta-key", "<base>:meta"], 2, "--meta-key: a copy would share"),
        (&["freeze", "old", "--retain", "11y"], 2, "between 1s and 10y"),
    ] {
        let refused = run(&server, args);
        refused.assert_code(code).assert_err_has(words).assert_out("");
    }
    assert_eq!(changes(&server), before);
}

#[test]
fn a_reader_may_not_freeze() {
    let server = RedisServer::start();
    fill(&server, "b", 3, "i");
    server.cmd(&["ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@read", "+@transaction", "+@scripting"]);
    let frozen = crate::common::ranktop(&["freeze", "b", "--user", "reader"])
        .env("RANKTOP_URL", server.url())
        .env("RANKTOP_PASSWORD", "secret")
        .run();
    frozen.assert_code(1).assert_out("").assert_err_has("cannot freeze board 'b'");
    assert_eq!(keys(&server, "*"), ["b", "b:version"]);
}

#[tokio::test]
async fn a_board_that_moved_meanwhile_is_not_copied() {
    let server = RedisServer::start();
    fill(&server, "b", 3, "i");
    let board = |key: &str| Board {
        key: key.into(),
        order: Order::Desc,
        version_key: format!("{key}:version").as_str().into(),
        meta_key: format!("{key}:meta").as_str().into(),
    };
    let target = Target::new(&server.url(), Duration::from_secs(10), Duration::from_secs(10)).unwrap();
    let mut writer = target.connect_writer().await.unwrap();
    let (before, day) = (changes(&server), Duration::from_secs(86_400));
    let mut freeze = async |key: &str| writer.freeze(&board(key), &"40".into(), &board("copy"), day).await.unwrap();
    assert_eq!(freeze("b").await, Freezing::Moved(Some("41".into())));
    assert_eq!(freeze("nobody").await, Freezing::Missing);
    server.cmd(&["ZADD", "unversioned", "1", "a"]);
    assert_eq!(freeze("unversioned").await, Freezing::Moved(None));
    server.cmd(&["ZREM", "unversioned", "a"]);
    let written = |text: &str| text.rsplit(':').next().unwrap().parse::<u32>().unwrap();
    assert_eq!(written(&changes(&server)), written(&before) + 2, "the test's own two writes alone");
}
