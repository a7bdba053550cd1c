//! The built program's `rank` and `ties` on a real server, against rows that are found by counting.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::common::boards::{Dice, ORDERS, Row, bytes, double, fill, rows};
use crate::common::{Program, RedisServer, ranktop};
use ranktop::board::entry::Entry;
use ranktop::board::order::Order;
use ranktop::board::rank::RankStyle;
use ranktop::board::score::Score;
use serde_json::{Value, json};

fn run(server: &RedisServer, args: &[&str]) -> Program {
    ranktop(args).env("RANKTOP_URL", server.url())
}

/// In this order and style, whatever the board says, as JSON.
fn asked(server: &RedisServer, command: &[&str], order: Order, style: RankStyle) -> Program {
    let order = order.to_string();
    let more = ["--format", "json", "--order", &order, "--rank-style", style.name()];
    run(server, &[command, &more].concat())
}

fn numbered(from: u32, to: u32, score: impl Fn(u32) -> f64) -> Vec<Entry> {
    let entry = |number: u32| Entry::new(format!("u:{number:05}").as_str(), Score::new(score(number)).unwrap());
    (from..to).map(entry).collect()
}

#[test]
fn members_of_random_boards_in_both_orders_and_all_styles() {
    let server = RedisServer::start();
    let mut dice = Dice::new();
    for case in 0..6 {
        let (key, entries) = (format!("b{case}"), dice.board());
        fill(&server, &key, &entries);
        for (order, style) in ORDERS.into_iter().flat_map(|order| RankStyle::ALL.map(|style| (order, style))) {
            let rows = rows(&entries, order, style);
            let around: usize = dice.roll(0..4_usize);
            let around_text = around.to_string();
            let mut command = vec!["rank", key.as_str()];
            if around > 0 {
                command.extend(["--around", &around_text]);
            }
            // An argument cannot hold a zero byte. Nobody is named 'nobody'.
            let mut members: Vec<&[u8]> =
                entries.iter().map(|entry| entry.member.as_bytes()).filter(|member| !member.contains(&0)).collect();
            members.insert(members.len() / 2, b"nobody");
            let mut program = asked(&server, &command, order, style).arg("--");
            for member in &members {
                program = program.arg(OsStr::from_bytes(member));
            }
            let run = program.run();
            run.assert_code(3);
            assert_eq!(run.err(), format!("error: 'nobody' is not on board '{key}'\n"));
            let printed = run.json();
            assert_eq!(printed.as_array().unwrap().len(), members.len());
            for (asked, printed) in members.iter().zip(printed.as_array().unwrap()) {
                if *asked == b"nobody" {
                    assert_eq!(*printed, json!({"member":"nobody","error":"not on this board"}));
                    continue;
                }
                let index = rows.iter().position(|row| row.member == *asked).unwrap();
                assert_eq!(Row::read(printed), rows[index], "{order} {style:?}\n{run}");
                assert_eq!(printed["better"], rows[index].better(&rows, order));
                assert!(printed["name"].is_null());
                assert_eq!(printed.get("around").is_some(), around > 0);
                if around > 0 {
                    let last = (index + around).min(rows.len() - 1);
                    let neighbours = &rows[index.saturating_sub(around)..=last];
                    assert_eq!(Row::read_all(&printed["around"]), neighbours, "{order} {style:?}\n{run}");
                }
            }
        }
    }
}

/// A tie group as it is printed: rank, score, size, first and last position.
type Group = (Option<f64>, f64, u64, u64, u64);

fn group(printed: &Value) -> Group {
    let number = |name: &str| printed[name].as_u64().unwrap();
    (printed["rank"].as_f64(), double(&printed["score"]), number("size"), number("first"), number("last"))
}

/// All groups of a board.
fn groups(rows: &[Row]) -> Vec<Group> {
    let runs = rows.chunk_by(|a, b| a.score == b.score).filter(|run| run.len() > 1);
    runs.map(|run| (run[0].rank, run[0].score, run.len() as u64, run[0].position, run[run.len() - 1].position))
        .collect()
}

#[test]
fn tie_groups_of_random_boards_in_both_orders_and_all_styles() {
    let server = RedisServer::start();
    let mut dice = Dice::new();
    for case in 0..6 {
        let (key, entries) = (format!("b{case}"), dice.board());
        fill(&server, &key, &entries);
        for (order, style) in ORDERS.into_iter().flat_map(|order| RankStyle::ALL.map(|style| (order, style))) {
            let all = groups(&rows(&entries, order, style));
            let (first, limit) = (dice.roll(1..=entries.len() as u64 + 1), dice.roll(1..4_usize));
            let mut expected = all.iter().filter(|(.., last)| *last >= first).copied().peekable();
            let mut at = Some(first);
            while let Some(from) = at {
                let (from, limit_text) = (from.to_string(), limit.to_string());
                let command = ["ties", key.as_str(), "--at", &from, "--limit", &limit_text];
                let run = asked(&server, &command, order, style).run();
                run.assert_clean();
                let printed = run.json();
                assert_eq!((&printed["board"], &printed["version"]), (&json!(key), &json!("1")));
                let found: Vec<_> = printed["groups"].as_array().unwrap().iter().map(group).collect();
                assert_eq!(found, expected.by_ref().take(limit).collect::<Vec<_>>(), "{order} {style:?}\n{run}");
                at = printed["next"].as_u64();
                assert_eq!(at, expected.peek().map(|(_, _, _, first, _)| *first), "{run}");
            }
        }
    }
}

#[test]
fn equal_scores_only() {
    let server = RedisServer::start();
    let entries = numbered(0, 5_000, |_| -0.0);
    fill(&server, "b", &entries);
    for order in ORDERS {
        for style in RankStyle::ALL {
            let rank = match style {
                RankStyle::Modified => 5000.0,
                RankStyle::Fractional => 2500.5,
                _ => 1.0,
            };
            for at in ["1", "2500", "5000"] {
                let printed = asked(&server, &["ties", "b", "--at", at], order, style).run().json();
                let found: Vec<_> = printed["groups"].as_array().unwrap().iter().map(group).collect();
                assert_eq!((found, &printed["next"]), (vec![(Some(rank), 0.0, 5000, 1, 5000)], &Value::Null));
            }
            let printed = asked(&server, &["rank", "b", "u:02500"], order, style).run().json();
            let position = if order == Order::Asc { 2501 } else { 2500 };
            let rank = if style == RankStyle::Ordinal { f64::from(position) } else { rank };
            let row = &printed[0];
            assert_eq!((&row["position"], &row["tied"], &row["better"]), (&json!(position), &json!(5000), &json!(0)));
            assert_eq!(row["rank"].as_f64(), Some(rank), "{style:?}");
        }
    }
    let past = run(&server, &["ties", "b", "--at", "5001", "--format", "json"]).run();
    past.assert_clean().assert_out("{\"board\":\"b\",\"version\":\"1\",\"groups\":[],\"next\":null}\n");
}

#[test]
fn a_group_far_below_and_ranks_past_the_bound() {
    let server = RedisServer::start();
    let mut entries = numbered(0, 3_500, f64::from);
    entries.extend(numbered(3_500, 3_700, |_| -7.0));
    fill(&server, "b", &entries);
    let printed = run(&server, &["ties", "b", "--format", "json", "--rank-style", "dense"]).run().json();
    let last = json!({"rank":null,"score":-7,"size":200,"first":3501,"last":3700});
    assert_eq!(printed["groups"], json!([last]));
    let ranked = run(&server, &["rank", "b", "u:03499", "u:00000", "--format", "json", "--rank-style", "dense"]).run();
    ranked.assert_clean();
    assert_eq!((&ranked.json()[0]["rank"], &ranked.json()[1]["rank"]), (&json!(1), &Value::Null));
    let note = "dense ranks are counted up to 1000 distinct scores";
    run(&server, &["rank", "b", "u:00000", "--rank-style", "dense"]).run().assert_clean().assert_out_has(note);
    run(&server, &["ties", "b", "--rank-style", "dense"]).run().assert_clean().assert_out_has(note);
}

#[test]
fn members_that_are_no_words() {
    let server = RedisServer::start();
    let members: [&[u8]; 7] = [b"", b"-7", b"--format", b"\xff\xfe", b"\x1b[2J\n", "漢字".as_bytes(), &[b'x'; 9_000]];
    let score = |index: usize| Score::new(f64::from(u32::try_from(index).unwrap())).unwrap();
    let entries: Vec<_> = members.iter().enumerate().map(|(at, member)| Entry::new(*member, score(at))).collect();
    fill(&server, "b", &entries);
    let mut program = run(&server, &["rank", "b", "--order", "asc", "--format", "json", "--"]);
    for member in members {
        program = program.arg(OsStr::from_bytes(member));
    }
    let printed = program.run();
    printed.assert_clean();
    for (index, member) in members.iter().enumerate() {
        let row = &printed.json()[index];
        assert_eq!((bytes(&row["member"]), row["position"].as_u64()), (member.to_vec(), Some(index as u64 + 1)));
    }
    let table = run(&server, &["rank", "b", "--around", "2", "--", "-7"]).arg(OsStr::from_bytes(b"\x1b\xff")).run();
    table.assert_code(3);
    assert!(!table.out().replace('\n', "").contains(char::is_control), "{table}");
    table.assert_out_has(r"'\e\xff' is not on this board").assert_err_has(r"error: '\e\xff' is not on board 'b'");
    // Without '--' it is an option, and refused as one.
    run(&server, &["rank", "b", "-7"]).run().assert_code(2).assert_err_has("'-7'");
}

#[test]
fn tables_with_names() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", "lb:{s}", "1050", "u:1", "980", "u:2", "980", "u:3", "910", "u:4"]);
    server.cmd(&["SET", "lb:{s}:version", "1284"]);
    server.cmd(&["HSET", "lb:{s}:meta", "state", "open", "title", "Spring Cup", "rank", "dense"]);
    server.cmd(&["HSET", "lb:{s}:names", "u:1", "Ada", "u:3", "Алан"]);
    let head = "lb:{s} · Spring Cup · version 1284 · 4 players · high first · ranks 1 2 2 3 · open\n";
    let ranks = run(&server, &["rank", "lb:{s}", "u:4", "u:9", "u:3"]).run();
    ranks.assert_code(3).assert_out(&format!(
        "{head}\
         \x20   RANK  PLAYER  ID   SCORE  TIED  BETTER  POS\n\
         \x20      3  u:4     u:4    910     1       3    4\n\
         \x20   'u:9' is not on this board\n\
         ┌      2  Алан    u:3    980     2       1    2\n"
    ));
    run(&server, &["rank", "lb:{s}", "u:2", "--around", "1"]).run().assert_clean().assert_out(&format!(
        "{head}\
         \x20   RANK  PLAYER  ID   SCORE  TIED  BETTER  POS\n\
         ┌      2  Алан    u:3    980     2       1    2\n\
         └>     2  u:2     u:2    980     2       1    3\n\
         \x20      3  u:4     u:4    910     1       3    4\n"
    ));
    run(&server, &["ties", "lb:{s}"]).run().assert_clean().assert_out(&format!(
        "{head}\
         \x20 RANK  SCORE  SIZE  FIRST  LAST\n\
         \x20    2    980     2      2     3\n\
         1 tie group from position 1 on · no more of them\n"
    ));
    server.cmd(&["SET", "text", "x"]);
    let plain = run(&server, &["rank", "lb:{s}", "u:1", "--names-key", "text", "--format", "json"]).run();
    plain.assert_code(0);
    let why = "WRONGTYPE: their key is a string, not a hash";
    assert_eq!(plain.err(), format!("warning: names of board 'lb:{{s}}' are left out: {why}\n"));
    assert!(plain.json()[0]["name"].is_null());
}

#[test]
fn what_cannot_be_read() {
    let server = RedisServer::start();
    server.cmd(&["HSET", "hash", "a", "b"]);
    server.cmd(&["ZADD", "b", "1", "m"]);
    for command in [&["rank", "none", "m"][..], &["ties", "none"]] {
        let missing = run(&server, command).run();
        missing.assert_code(3).assert_err_has("error: no board 'none' at ").assert_err_has("\nhint: ").assert_out("");
    }
    for command in [&["rank", "hash", "m"][..], &["ties", "hash"]] {
        let wrong = run(&server, command).run();
        wrong.assert_code(1).assert_err_has("WRONGTYPE: it is a hash, not a sorted set\nhint: ").assert_out("");
    }
    for command in [&["rank", "b", "m", "--format", "csv"][..], &["ties", "b", "--format", "csv"]] {
        run(&server, command).run().assert_code(2).assert_err_has("'csv'").assert_out("");
    }
    let watched = run(&server, &["--", "rank"]).run();
    watched.assert_code(2).assert_err_has("error: watching needs a terminal");
}
