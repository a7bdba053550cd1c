//! What each command does with a board over many sorted sets, and what it refuses.

use crate::common::{Key, RedisServer, Run, ranktop};

const BOARD: &str = "lb:{spring:<shard>}:2026-W41";

fn run(server: &RedisServer, args: &[&str]) -> Run {
    ranktop(args).env("RANKTOP_URL", server.url()).run()
}

/// A server with a contest on a board of eight shards.
fn contest() -> RedisServer {
    let server = RedisServer::start();
    let args = ["simulate", BOARD, "--shards", "8", "--players", "300", "--rate", "200", "--for", "500ms"];
    run(&server, &args).assert_code(0);
    server
}

#[test]
fn a_contest_is_written_by_the_protocol_and_read_as_one_board() {
    let server = contest();
    let field = |part: u32, field: &str| {
        let value = server.cmd(&["HGET", &format!("lb:{{spring:{part}}}:2026-W41:meta"), field]);
        redis::from_redis_value::<String>(value).unwrap()
    };
    for part in 0..8 {
        assert_eq!((field(part, "shard"), field(part, "shards")), (part.to_string(), "8".to_owned()));
        assert_eq!((field(part, "shard-hash"), field(part, "version")), ("crc32".to_owned(), "members".to_owned()));
    }
    let page = run(&server, &["page", BOARD, "--shards", "8", "--size", "3", "--at", "150", "--format", "json"]).json();
    assert_eq!((page["verified"].as_bool(), page["start"].as_u64()), (Some(true), Some(150)));
    let versions: Vec<u64> =
        page["versions"].as_array().unwrap().iter().map(|version| version.as_str().unwrap().parse().unwrap()).collect();
    assert_eq!(versions.len(), 8);
    assert_eq!(page["version"].as_str().unwrap(), versions.iter().sum::<u64>().to_string());
    assert!(page["rows"].as_array().unwrap().iter().all(|row| row["rank_error"] == 0));
    // Each member that was ever written was counted by its shard's version.
    let total: u64 = page["total"].as_u64().unwrap();
    assert!(versions.iter().sum::<u64>() >= total);

    let vector = versions.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let expected = |version: &str| run(&server, &["page", BOARD, "--shards", "8", "--expect-version", version]);
    expected(&vector).assert_code(0);
    expected(page["version"].as_str().unwrap()).assert_code(4);
    let next = page["next"].as_str().unwrap();
    let after = run(&server, &["page", BOARD, "--shards", "8", "--after", next, "--format", "json"]).json();
    assert_eq!((after["start"].as_u64(), after["drift"].is_null()), (Some(153), true));
    run(&server, &["audit", BOARD, "--shards", "8"]).assert_code(0);
    run(&server, &["page", BOARD, "--shards", "4"])
        .assert_code(1)
        .assert_err_has("shard 0 was built for 8 shards, not 4");
}

#[test]
fn a_plain_board_is_no_sharded_one_and_the_other_way_round() {
    let server = RedisServer::start();
    run(&server, &["page", BOARD]).assert_code(2).assert_err_has("--shards N");
    run(&server, &["page", "plain", "--shards", "4"])
        .assert_code(2)
        .assert_err_has("without <shard> in the key 'plain'");
    run(&server, &["page", BOARD, "--shards", "0"]).assert_code(2);
    run(&server, &["page", BOARD, "--shards", "4"]).assert_code(3);
    run(&server, &["close", BOARD, "--shards", "4"]).assert_code(3);
    server.cmd(&["ZADD", "lb:{spring:1}:2026-W41", "5", "a"]);
    run(&server, &["score", BOARD, "--shards", "4", "b", "--set", "1"])
        .assert_code(4)
        .assert_err_has("does not say in which shard new members belong");
    let known = run(&server, &["score", BOARD, "--shards", "4", "a", "--by", "1"]);
    known.assert_code(0);
    assert!(known.out().starts_with("a: 5 -> 6 (rank 1"), "{known}");
    run(&server, &["score", BOARD, "--shards", "4", "a", "--by", "1", "--dry-run"]).assert_code(2);
}

#[test]
fn a_frozen_copy_is_the_board_at_one_moment_and_a_closed_board_takes_nothing() {
    let server = contest();
    let frozen = run(&server, &["freeze", BOARD, "--shards", "8"]);
    frozen.assert_code(0);
    let copy = frozen.out().trim_end().to_owned();
    assert!(copy.starts_with("lb:{spring:<shard>}:2026-W41:frozen:"), "{copy}");
    let rows = |board: &str| run(&server, &["export", board, "--shards", "8"]).out().to_owned();
    let before = rows(&copy);
    assert!(before.lines().count() > 300);
    run(&server, &["score", BOARD, "--shards", "8", "newcomer", "--set", "7"]).assert_code(0);
    assert_eq!(rows(&copy), before);
    let closed = run(&server, &["close", BOARD, "--shards", "8", "--retain", "1d"]);
    closed.assert_code(0);
    assert!(closed.out().contains("8 of 8 shards"), "{closed}");
    run(&server, &["score", BOARD, "--shards", "8", "newcomer", "--by", "7"])
        .assert_code(4)
        .assert_err_has("is closed");
    let again = run(&server, &["close", BOARD, "--shards", "8"]);
    assert!(again.out().contains("closed already"), "{again}");
    assert_ne!(rows(BOARD), before);
}

#[test]
fn the_viewer_shows_a_board_over_many_sorted_sets() {
    let server = contest();
    let pty = ranktop(&[BOARD, "--shards", "8"]).env("RANKTOP_URL", server.url()).pty(130, 20);
    pty.wait_text("8 shards");
    pty.wait_text("verified");
    pty.key(Key::PageDown);
    pty.wait_text("14–26 of");
    run(&server, &["score", BOARD, "--shards", "8", "u:1000", "--set", "9999999"]).assert_code(0);
    pty.key(Key::Home);
    pty.wait_text("9,999,999");
    pty.send("q");
}
