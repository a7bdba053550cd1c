//! Comparisons: the built program against real servers, and what it finds against what the server says of each member.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{changes, fill, run};
use crate::common::{RedisServer, ranktop};

/// Each member with its score and its competition rank, as the server counts.
fn standings(server: &RedisServer, key: &str) -> BTreeMap<String, (i64, u64)> {
    let mut client = server.client();
    let rows: Vec<(String, i64)> =
        redis::cmd("ZRANGE").arg(key).arg(0).arg(-1).arg("WITHSCORES").query(&mut client).unwrap();
    let mut better = BTreeMap::new();
    rows.into_iter()
        .map(|(member, score)| {
            let better = *better.entry(score).or_insert_with(|| {
                let count = redis::cmd("ZCOUNT").arg(key).arg(format!("({score}")).arg("inf").query(&mut client);
                count.unwrap_or(u64::MAX)
            });
            (member, (score, better + 1))
        })
        .collect()
}

/// What differs, by member.
fn oracle(server: &RedisServer, from: &str, to: &str) -> BTreeMap<String, Value> {
    let (from, to) = (standings(server, from), standings(server, to));
    let members = from.keys().chain(to.keys());
    let rows = members.filter_map(|member| {
        let change = match (from.get(member), to.get(member)) {
            (None, _) => "entered",
            (_, None) => "left",
            (Some(was), Some(is)) if was.0 != is.0 => "changed",
            (Some(was), Some(is)) if was.1 != is.1 => "moved",
            _ => return None,
        };
        let pair = |place: Option<&(i64, u64)>| place.map(|(score, rank)| json!([score, rank]));
        Some((member.clone(), json!([change, pair(from.get(member)), pair(to.get(member))])))
    });
    rows.collect()
}

fn reported(report: &Value) -> BTreeMap<String, Value> {
    let place = |place: &Value| if place.is_null() { Value::Null } else { json!([place["score"], place["rank"]]) };
    let rows = report["rows"].as_array().unwrap().iter();
    rows.map(|row| {
        (row["member"].as_str().unwrap().to_owned(), json!([row["change"], place(&row["from"]), place(&row["to"])]))
    })
    .collect()
}

#[test]
fn a_frozen_copy_and_the_board_as_it_is() {
    let server = RedisServer::start();
    fill(&server, "b", 2_500, "math.floor(i / 3)");
    server.cmd(&["HSET", "b:names", "m:000900", "Ada Lovelace"]);
    let copy = run(&server, &["freeze", "b"]).out().trim().to_owned();
    let before = changes(&server);
    let same = run(&server, &["diff", &copy, "b"]);
    same.assert_code(0).assert_clean().assert_out_has("nothing differs · 2500 equal");
    same.assert_out_has("from  b:frozen:41 · 2500 players · version 41\n");
    assert_eq!(changes(&server), before, "reading writes nothing");

    server.cmd(&["ZADD", "b", "9999", "new", "400", "m:000900", "1", "m:002500", "0", "also new"]);
    server.cmd(&["ZREM", "b", "m:001000"]);
    server.cmd(&["INCR", "b:version"]);
    let report = run(&server, &["diff", &copy, "b", "--format", "json"]);
    report.assert_code(4);
    assert_eq!(report.err(), "");
    let report = report.json();
    assert_eq!(reported(&report), oracle(&server, &copy, "b"));
    assert_eq!((&report["from"]["version"], &report["to"]["version"]), (&json!("41"), &json!("42")));
    assert_eq!((&report["from"]["one_moment"], &report["to"]["one_moment"]), (&json!(true), &json!(true)));
    let named: Vec<_> = report["rows"].as_array().unwrap().iter().filter(|row| !row["name"].is_null()).collect();
    assert_eq!(named.len(), 1);
    assert_eq!((&named[0]["member"], &named[0]["name"]), (&json!("m:000900"), &json!("Ada Lovelace")));

    let csv = run(&server, &["diff", &copy, "b", "--format", "csv"]);
    csv.assert_code(4);
    assert_eq!(csv.out().lines().count(), 1 + report["rows"].as_array().unwrap().len());
    let top = run(&server, &["diff", &copy, "b", "--top", "2"]);
    top.assert_code(4).assert_out_has("ranks 1 to 2 only").assert_out_has("  entered ").assert_out_has("  moved ");
    let table = run(&server, &["diff", &copy, "b"]);
    table.assert_out_has("more differ: --limit N");
}

#[test]
fn boards_of_periods_and_boards_that_are_not_there() {
    let server = RedisServer::start();
    for (key, score) in [("lb:{g}:2026-W40", "i"), ("lb:{g}:2026-W41", "i % 7"), ("other", "-i")] {
        fill(&server, key, 1_500, score);
    }
    let (from, to) = ("lb:{g}:2026-W40", "lb:{g}:2026-W41");
    for (args, other) in [
        (&["diff", "--game", "g", "--period", "2026-W40", "--to", "2026-W41"][..], to),
        (&["diff", "--game", "g", "--period", "2026-W40", to], to),
        (&["diff", "--game", "g", "--period", "2026-W40", "other"], "other"),
    ] {
        let run = run(&server, &[args, &["--format", "json"]].concat());
        run.assert_code(4);
        assert_eq!(reported(&run.json()), oracle(&server, from, other), "{args:?}");
    }
    run(&server, &["diff", from, "nobody"]).assert_code(3).assert_err_has("no board 'nobody'");
    run(&server, &["diff", "nobody", from]).assert_code(3).assert_err_has("no board 'nobody'");
    server.cmd(&["SET", "text", "x"]);
    run(&server, &["diff", from, "text"]).assert_code(1).assert_err_has("WRONGTYPE");
}

#[test]
fn a_progress_bar_is_for_terminals() {
    let server = RedisServer::start();
    fill(&server, "a", 30_000, "i");
    fill(&server, "b", 30_000, "i");
    let pty = ranktop(&["diff", "a", "b"]).env("RANKTOP_URL", server.url()).pty(100, 20);
    pty.wait_text("nothing differs");
    assert_eq!(pty.wait_exit(), 0);
    assert!(!pty.screen().contains(" left"), "the bar is gone at the end: {}", pty.screen());
}
