//! What a page costs: one round trip at any depth and over any distance, and hardly more than its bare rows.

use std::collections::BTreeSet;

use redis::Value;

use crate::common::{Key, Proxy, RedisServer, RoundTrip};
use crate::viewer::{BOARD, ROWS, Viewer, board, is_page, member, score};

/// Bytes of the reply to the rows of the first page and nothing else, in the older protocol.
fn bare_rows(server: &RedisServer) -> usize {
    let proxy = Proxy::before(server);
    let mut client = redis::Client::open(proxy.url()).unwrap().get_connection().unwrap();
    let range = redis::cmd("ZREVRANGE").arg(BOARD).arg(0).arg(ROWS - 1).arg("WITHSCORES").to_owned();
    range.query::<Vec<Value>>(&mut client).unwrap();
    let trips = proxy.since(0);
    trips.iter().find(|trip| trip.commands == ["ZREVRANGE"]).unwrap().got
}

fn is_within(a: usize, b: usize, percent: usize) -> bool {
    a.abs_diff(b) * 100 <= a * percent
}

#[test]
fn a_refresh_is_one_round_trip_and_little_more_than_the_rows() {
    let server = board(1_000, 4_000_000, 1);
    let viewer = Viewer::open(&server, "poll");
    let (refresh, _) = viewer.page_read("3,999,995", || score(&server, 2, 3_999_995));
    assert!(is_page(&refresh));
    assert_eq!((&*refresh.commands[0], &**refresh.commands.last().unwrap()), ("MULTI", "EXEC"));
    let bare = bare_rows(&server);
    assert!(refresh.got > bare && refresh.got * 4 <= bare * 5, "{} for {bare} of rows", refresh.got);
    assert_eq!(viewer.proxy.connections(), 1);
}

#[test]
fn a_page_turn_costs_the_same_at_any_depth() {
    let server = board(200_000, 4_000_000, 1);
    let viewer = Viewer::open(&server, "poll");
    let turn = |first: u64| viewer.page_read(&member(first + ROWS as u64 - 1), || viewer.pty.key(Key::PageDown));
    let (at_top, written) = turn(ROWS as u64 + 1);
    assert!(at_top.sent <= 400, "a page turn sends no script: {at_top:?}");
    // A synchronised update and what differs: ranks, members, scores and positions.
    assert!(written <= 2_200, "a page turn wrote {written} bytes");
    let middle = 100_000;
    let (jump, _) = viewer.page_read(&member(middle), || viewer.pty.send(format!(":{middle}\r")));
    let first = first_on(&viewer);
    let (deep, written) = turn(first + ROWS as u64);
    assert!(written <= 2_200, "a page turn wrote {written} bytes");
    assert_eq!(at_top.commands, ["MULTI", "GET", "ZCARD", "PTTL", "HMGET", "ZREVRANGE", "EXEC"]);
    assert_eq!(deep.commands, at_top.commands);
    assert!(is_within(at_top.sent, deep.sent, 3), "{at_top:?} {deep:?}");
    assert!(is_within(at_top.got, deep.got, 3), "{at_top:?} {deep:?}");
    assert!(is_within(at_top.got, jump.got, 25), "{at_top:?} {jump:?}");
}

/// The number of the member in the first row.
fn first_on(viewer: &Viewer) -> u64 {
    let screen = viewer.pty.screen();
    let (_, rest) = screen.split_once("player:").unwrap();
    rest[..7].parse().unwrap()
}

#[test]
fn a_tie_step_costs_the_same_over_any_distance() {
    let step = |run: u64, members: u64| -> RoundTrip {
        let server = board(members, 9_000_000, run);
        let viewer = Viewer::open(&server, "poll");
        // From the group at the top to the next one, beyond all the rows that share its score.
        viewer.page_read("at 8,999,990, rank", || viewer.pty.key(Key::Right)).0
    };
    let near = step(ROWS as u64 + 1, 1_000);
    let far = step(100_000, 200_000);
    assert_eq!((&near.commands, &far.commands), (&vec!["EVAL_RO".to_owned()], &near.commands));
    assert!(is_within(near.sent, far.sent, 3) && is_within(near.got, far.got, 3), "{near:?} {far:?}");
}

#[test]
fn nothing_is_ever_asked_that_could_write() {
    let server = board(1_000, 4_000_000, 40);
    let mut client = server.client();
    // From here on this test itself is the only other one that asks, and of the server only.
    redis::cmd("CONFIG").arg("RESETSTAT").exec(&mut client).unwrap();
    for watch in ["push", "poll", "content"] {
        let viewer = Viewer::open(&server, watch);
        // No group fits on a page, so that each step leaves it.
        let ways = [
            (Key::PageDown, "34–66 of"),
            (Key::End, "968–1,000 of"),
            (Key::PageUp, "935–967 of"),
            (Key::Home, "1–33 of"),
            (Key::Right, "rank 41,"),
            (Key::Char('}'), "rank 81,"),
            (Key::Left, "rank 41,"),
            (Key::Char('{'), "rank 1,"),
        ];
        for (key, shown) in ways {
            let mark = viewer.proxy.mark();
            viewer.pty.key(key);
            viewer.pty.wait_text(shown);
            assert!(viewer.proxy.since(mark).iter().any(is_page), "{key:?}");
        }
        viewer.pty.send("/player:0000500\r");
        viewer.pty.wait_text(&member(500));
        viewer.pty.send("i");
        viewer.pty.wait_text("ZCOUNT");
        // Out of the inspector, and out.
        viewer.pty.send("qq");
        assert_eq!(viewer.pty.wait_exit(), 0);
        assert!(viewer.proxy.connections() <= 2);
    }
    let stats: String = redis::cmd("INFO").arg("commandstats").query(&mut client).unwrap();
    let names = stats.lines().filter_map(|line| Some(line.strip_prefix("cmdstat_")?.split_once(':')?.0));
    // Commands that scripts run are among them.
    let asked: BTreeSet<&str> = names.filter(|name| *name != "config|resetstat").collect();
    assert!(asked.contains("zcount") && asked.contains("eval_ro"), "{asked:?}");
    for name in asked {
        let info: Vec<Vec<Value>> = redis::cmd("COMMAND").arg("INFO").arg(name).query(&mut client).unwrap();
        let words: Vec<String> = [2, 6].iter().flat_map(|at| words(&info[0][*at])).collect();
        let is_of = |word: &str| words.iter().any(|other| other == word);
        assert!(
            !is_of("write") && (is_of("readonly") || is_of("@transaction") || is_of("@connection")),
            "{name}: {words:?}"
        );
    }
}

/// The words of a list.
fn words(list: &Value) -> Vec<String> {
    redis::from_redis_value(list.clone()).unwrap()
}
