//! The built program's `page` on a real server: windows against the oracle, pages by cursor on boards that are written
//! between turns, and everything that can go wrong on the way.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::net::TcpListener;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::boards::{Batch, Dice, ORDERS, Row, bytes, fill, member, rows, score, write};
use crate::common::{Program, RedisServer, oracle, ranktop};
use proptest::prelude::*;
use ranktop::board::entry::Entry;
use ranktop::board::order::Order;
use ranktop::board::rank::RankStyle;
use ranktop::board::score::Score;
use ranktop::query::page::{PageReply, PageRequest, PageStart};
use serde_json::{Value, json};

fn run(server: &RedisServer, args: &[&str]) -> Program {
    ranktop(args).env("RANKTOP_URL", server.url())
}

/// A page of board `key` as JSON.
fn page(server: &RedisServer, key: &str, order: Order, args: &[&str]) -> Program {
    let order = order.to_string();
    run(server, &[&["page", key, "--format", "json", "--order", &order], args].concat())
}

/// The JSON object of a run that must end well.
#[track_caller]
fn printed(program: Program) -> Value {
    let run = program.run();
    run.assert_clean();
    assert_eq!(run.out().lines().count(), 1, "{run}");
    run.json()
}

#[test]
fn windows_in_both_orders_and_all_styles() {
    let server = RedisServer::start();
    let mut dice = Dice::new();
    for case in 0..8 {
        let (key, entries) = (format!("b{case}"), dice.board());
        fill(&server, &key, &entries);
        for (order, style) in ORDERS.into_iter().flat_map(|order| RankStyle::ALL.map(|style| (order, style))) {
            let all = rows(&entries, order, style);
            let (at, size) = (dice.roll(1..=all.len() as u64), dice.roll(1..30_u64));
            let asked = &all[dice.roll(0..all.len())].member;
            let (at_text, size_text) = (at.to_string(), size.to_string());
            let whence = |whence| PageRequest { lead: (size - 1) / 2, ..PageRequest::new(whence, size) };
            let shared = ["--size", &size_text, "--rank-style", style.name()];
            let mut windows = vec![(
                whence(PageStart::Position(at)),
                page(&server, &key, order, &[&shared[..], &["--at", &at_text]].concat()),
            )];
            // An argument cannot hold a zero byte.
            if !asked.contains(&0) {
                let program = page(&server, &key, order, &[&shared[..], &["--around"]].concat());
                windows.push((whence(PageStart::Member(asked.clone().into())), program.arg(OsStr::from_bytes(asked))));
            }
            for (ask, program) in windows {
                let PageReply::Page(expected) = oracle::answer(&entries, order, &ask) else { panic!("{ask:?}") };
                let window = expected.window;
                let printed = printed(program);
                let (first, last) = (window.start - 1, window.end());
                let range = usize::try_from(first).unwrap()..usize::try_from(last).unwrap();
                assert_eq!(Row::read_all(&printed["rows"]), all[range], "{order} {style:?} {ask:?}\n{printed}");
                let names = |name: &str| printed[name].as_str().map(str::to_owned);
                assert_eq!(names("order"), Some(order.to_string()));
                assert_eq!(names("rank_style").as_deref(), Some(style.name()));
                assert_eq!((names("board"), names("version").as_deref()), (Some(key.clone()), Some("1")));
                assert_eq!((&printed["start"], &printed["total"]), (&json!(window.start), &json!(window.total)));
                assert_eq!(printed["verified"], true);
                assert!(printed["drift"].is_null() && printed["state"].is_null() && printed["ttl_ms"].is_null());
                let has_rows = !window.entries.is_empty();
                assert_eq!(printed["prev"].is_string(), has_rows && first > 0, "{printed}");
                assert_eq!(printed["next"].is_string(), has_rows && last < window.total, "{printed}");
            }
        }
    }
}

/// Where the boundary of a page that ends, or begins, at `edge` is: obviously.
fn boundary(entries: &[Entry], order: Order, edge: &Entry, is_forward: bool) -> u64 {
    let mut with_edge: Vec<_> = entries.iter().filter(|entry| *entry != edge).cloned().collect();
    let is_there = with_edge.len() < entries.len();
    with_edge.push(edge.clone());
    let sorted = oracle::sorted(&with_edge, order);
    let above = sorted.iter().position(|entry| entry == edge).unwrap() as u64;
    if is_forward && is_there { above + 1 } else { above }
}

/// A board that is read from one end to the other while others write to it.
struct Walk<'a> {
    server: &'a RedisServer,
    key: &'a str,
    order: Order,
    is_forward: bool,
    entries: Vec<Entry>,
    version: u64,
    /// Whoever's score was changed meanwhile.
    changed: HashSet<Vec<u8>>,
    met: Vec<Vec<u8>>,
}

impl Walk<'_> {
    fn write(&mut self, batch: &Batch) {
        write(self.server, self.key, batch);
        self.version += 1;
        let standing =
            |entries: &[Entry]| entries.iter().map(|e| (e.member.clone(), e.score)).collect::<HashMap<_, _>>();
        let before = standing(&self.entries);
        for (member, score) in batch {
            self.entries.retain(|entry| entry.member != *member);
            self.entries.extend(score.map(|score| Entry { member: member.clone(), score }));
        }
        let after = standing(&self.entries);
        let is_changed = |member: &&_| before.get(*member) != after.get(*member);
        self.changed.extend(batch.iter().map(|(member, _)| member).filter(is_changed).map(|m| m.as_bytes().to_vec()));
    }

    /// Reads page by page of `size` rows, with one of `batches` before each turn while there are any.
    fn go(&mut self, size: u64, batches: &[Batch]) {
        let size = size.to_string();
        let (way, turn) = if self.is_forward { ("next", "--after") } else { ("prev", "--before") };
        let total = self.entries.len() as u64;
        let at = if self.is_forward { 1 } else { total.saturating_sub(size.parse::<u64>().unwrap() - 1).max(1) };
        let mut batches = batches.iter();
        let mut page = printed(page(self.server, self.key, self.order, &["--size", &size, "--at", &at.to_string()]));
        loop {
            let rows = Row::read_all(&page["rows"]);
            self.meet(&rows);
            let Some(cursor) = page[way].as_str().map(str::to_owned) else { break };
            let edge = if self.is_forward { rows.last() } else { rows.first() }.unwrap();
            let edge = Entry::new(edge.member.clone(), Score::new(edge.score).unwrap());
            let (from, version) = (boundary(&self.entries, self.order, &edge, self.is_forward), self.version);
            if let Some(batch) = batches.next() {
                self.write(batch);
            }
            page = printed(self::page(self.server, self.key, self.order, &["--size", &size, turn, &cursor]));
            let to = boundary(&self.entries, self.order, &edge, self.is_forward);
            let drift = json!({"from_version":version.to_string(),"to_version":self.version.to_string(),
                "boundary_from":from,"boundary_to":to,"shift":to.cast_signed() - from.cast_signed()});
            assert_eq!(page["drift"], if version == self.version { Value::Null } else { drift }, "{page}");
        }
    }

    fn meet(&mut self, rows: &[Row]) {
        let members = rows.iter().map(|row| row.member.clone());
        if self.is_forward { self.met.extend(members) } else { self.met.extend(members.rev()) }
    }
}

#[test]
fn pages_by_cursor_lose_and_repeat_nobody_whose_score_stays() {
    let server = RedisServer::start();
    let mut dice = Dice::new();
    for case in 0..4 {
        for (order, is_forward) in ORDERS.into_iter().flat_map(|order| [(order, true), (order, false)]) {
            let key = format!("b{case}:{order}:{is_forward}");
            let entries = dice.board();
            fill(&server, &key, &entries);
            // Somebody stays, so that the board does.
            let change = (member(), prop::option::weighted(0.7, score()));
            let mut batches = dice.roll(prop::collection::vec(prop::collection::vec(change, 0..8), 0..5));
            let rock = entries[0].member.clone();
            for batch in &mut batches {
                batch.retain(|(member, _)| *member != rock);
            }
            let before: Vec<_> = entries.iter().map(|entry| entry.member.as_bytes().to_vec()).collect();
            let mut walk = Walk {
                server: &server,
                key: &key,
                order,
                is_forward,
                entries,
                version: 1,
                changed: HashSet::new(),
                met: Vec::new(),
            };
            walk.go(dice.roll(3..12_u64), &batches);
            for member in before.iter().filter(|member| !walk.changed.contains(*member)) {
                let times = walk.met.iter().filter(|met| *met == member).count();
                assert_eq!(times, 1, "'{}' of {key}", member.escape_ascii());
            }
            if walk.changed.is_empty() {
                let mut whole: Vec<_> =
                    rows(&walk.entries, order, RankStyle::Ordinal).into_iter().map(|row| row.member).collect();
                if !is_forward {
                    whole.reverse();
                }
                assert_eq!(walk.met, whole, "{key}");
            }
        }
    }
}

#[test]
fn a_place_stays_where_its_member_was() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", "b", "5", "a", "4", "b", "3", "c", "2", "d", "1", "e"]);
    let first = printed(page(&server, "b", Order::Desc, &["--size", "2"]));
    let next = first["next"].as_str().unwrap();
    server.cmd(&["ZREM", "b", "b"]);
    server.cmd(&["ZADD", "b", "9", "x", "8", "y", "7", "z"]);
    let page = printed(page(&server, "b", Order::Desc, &["--size", "2", "--after", next]));
    assert_eq!((&page["rows"][0]["member"], &page["rows"][1]["member"]), (&json!("c"), &json!("d")));
    let drift = json!({"from_version":null,"to_version":null,"boundary_from":2,"boundary_to":4,"shift":2});
    assert_eq!(page["drift"], drift);
}

#[test]
fn only_at_the_version_that_is_expected() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", "b", "5", "a"]);
    let unversioned = run(&server, &["page", "b", "--expect-version", "41"]).run();
    unversioned.assert_code(4).assert_err_has("error: board 'b' has no version, and is not at '41'").assert_out("");
    server.cmd(&["SET", "b:version", "41"]);
    run(&server, &["page", "b", "--expect-version", "41"]).run().assert_clean().assert_out_has("version 41");
    server.cmd(&["INCR", "b:version"]);
    for more in [&[][..], &["--around", "nobody"], &["--at", "9"]] {
        let changed = run(&server, &[&["page", "b", "--expect-version", "41"], more].concat()).run();
        changed.assert_code(4).assert_out("");
        assert_eq!(changed.err(), "error: board 'b' is at version '42', not at '41'\n");
    }
}

#[test]
fn what_is_not_there_or_something_else() {
    let server = RedisServer::start();
    let missing = run(&server, &["page", "none"]).run();
    missing.assert_code(3).assert_err_has("error: no board 'none' at ").assert_err_has("\nhint: ").assert_out("");
    server.cmd(&["ZADD", "b", "1", "m"]);
    let nobody = run(&server, &["page", "b", "--around", "x"]).run();
    nobody.assert_code(3).assert_out("");
    assert_eq!(nobody.err(), "error: 'x' is not on board 'b'\n");
    server.cmd(&["SET", "string", "x"]);
    server.cmd(&["HSET", "hash", "a", "b"]);
    for key in ["string", "hash"] {
        for start in [&[][..], &["--around", "x"], &["--rank-style", "dense"]] {
            let wrong = run(&server, &[&["page", key], start].concat()).run();
            wrong.assert_code(1).assert_out("");
            let message = format!("error: cannot read board '{key}' at ");
            let type_of = format!(": WRONGTYPE: it is a {key}, not a sorted set\nhint: ");
            wrong.assert_err_has(&message).assert_err_has(&type_of);
        }
    }
}

/// Runs with a limit of 300 ms on connecting and on each answer; it must fail, and say that it was by that limit. How long
/// the machine takes to start it is left room for.
fn fails_in_time(url: &str, password: Option<&str>) -> String {
    let limits = ["page", "b", "--url", url, "--connect-timeout", "300ms", "--timeout", "300ms"];
    let mut program = ranktop(&limits);
    if let Some(password) = password {
        program = program.env("RANKTOP_PASSWORD", password);
    }
    let began = Instant::now();
    let run = program.run();
    let took = began.elapsed();
    run.assert_code(1).assert_out("");
    assert!(took < Duration::from_secs(5), "{took:?}\n{run}");
    assert!(!run.err().contains("s3cret"), "{run}");
    run.err().to_owned()
}

#[test]
fn a_server_that_is_dead_or_silent_fails_in_time() {
    let mut server = RedisServer::start_tcp();
    let (url, address) = (server.tcp_url(), server.tcp_address());
    server.kill();
    let dead = fails_in_time(&url, None);
    assert!(dead.starts_with(&format!("error: cannot read board 'b' at {address}: cannot connect: ")), "{dead}");
    assert!(dead.contains("\nhint: check that the server is running"), "{dead}");

    // One that accepts and never answers. It ends with the test.
    let hole = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = hole.local_addr().unwrap();
    thread::spawn(move || hole.incoming().collect::<Vec<_>>());
    let silent = fails_in_time(&format!("redis://{address}"), None);
    assert!(silent.starts_with(&format!("error: cannot read board 'b' at {address}: ")), "{silent}");
    assert!(silent.contains("within 300ms\nhint: "), "{silent}");
    let login = fails_in_time(&format!("redis://{address}"), Some("s3cret"));
    assert!(login.contains("no answer to the login within 300ms"), "{login}");
    let tls = fails_in_time(&format!("rediss://{address}"), None);
    assert!(tls.contains("did not answer in TLS within 300ms"), "{tls}");

    let server = RedisServer::start();
    server.stop();
    let stopped = fails_in_time(&server.url(), None);
    assert!(stopped.contains("no answer within 300ms\nhint: the server may be busy or stopped"), "{stopped}");
}

#[test]
fn infinite_scores_and_binary_members() {
    let server = RedisServer::start();
    let add: [&[u8]; 10] =
        [b"ZADD", b"b", b"inf", b"\xff\xfe", b"1e17", b"", b"-inf", b"a,\"b\"\r\n", b"0.1", b"=1\\+\0"];
    server.cmd(&add);
    let json = printed(page(&server, "b", Order::Desc, &[]));
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(bytes(&rows[0]["member"]), b"\xff\xfe");
    let scores: Vec<_> = rows.iter().map(|row| &row["score"]).collect();
    assert_eq!(json!(scores), json!(["inf", 100_000_000_000_000_000_u64, 0.1, "-inf"]));

    // A cursor stands at an infinite score as at any other, and at a member that is no text.
    let first = printed(page(&server, "b", Order::Desc, &["--size", "1"]));
    let second = printed(page(&server, "b", Order::Desc, &["--size", "1", "--after", first["next"].as_str().unwrap()]));
    assert_eq!(second["rows"][0]["member"], "");
    let last = printed(page(&server, "b", Order::Desc, &["--at", "4"]));
    let back = printed(page(&server, "b", Order::Desc, &["--before", last["prev"].as_str().unwrap()]));
    assert_eq!(back["rows"].as_array().unwrap().len(), 3);

    run(&server, &["page", "b", "--format", "csv"]).run().assert_clean().assert_out(
        "position,rank,member,name,score,tied\r\n\
         1,1,\\xff\\xfe,,inf,1\r\n\
         2,2,,,100000000000000000,1\r\n\
         3,3,'=1\\\\+\\x00,,0.1,1\r\n\
         4,4,\"a,\"\"b\"\"\r\n\",,-inf,1\r\n",
    );
    let raw = run(&server, &["page", "b", "--format", "csv", "--raw", "--at", "3", "--size", "1"]).run();
    raw.assert_clean().assert_out("position,rank,member,name,score,tied\r\n3,3,=1\\\\+\\x00,,0.1,1\r\n");
    let table = run(&server, &["page", "b"]).run();
    table.assert_clean();
    assert!(!table.out().replace('\n', "").contains(char::is_control), "{table}");
}

#[test]
fn whoever_has_read_enough_hears_no_complaint() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", "b", "1", "m"]);
    for command in ["page b", "page b --format json", "page b --format csv", "rank b m", "ties b", "--help"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_ranktop"))
            .args(command.split(' '))
            .env_clear()
            .env("RANKTOP_URL", server.url())
            .stdin(Stdio::null())
            .stdout(writer)
            .output()
            .unwrap();
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
            (Some(0), ""),
            "{command}"
        );
    }
    let entries: Vec<_> =
        (0..1_000).map(|at| Entry::new(format!("{at:0300}").as_str(), Score::new(1.0).unwrap())).collect();
    fill(&server, "large", &entries);
    let program = env!("CARGO_BIN_EXE_ranktop");
    let script = format!("('{program}' page large --size 1000; echo code=$? >&2) | head -1");
    let head = Program::new("sh", &["-c", &script]).env("RANKTOP_URL", server.url()).run();
    assert_eq!((head.out().lines().count(), head.err()), (1, "code=0\n"), "{head}");
}
