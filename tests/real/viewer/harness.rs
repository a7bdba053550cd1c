//! What the viewer's tests share: a board, the viewer on it, and what its screen and the server's counters say.

use std::collections::BTreeMap;

use redis::Value;
use vt100::{Color, Screen};

use crate::common::{Program, Pty, RedisServer, boards, ranktop, text};

/// The board that most tests watch.
pub(crate) const BOARD: &str = "lb:{spring}:2026-W41";

/// The four rows of the example: ranks 1 2 2 4.
pub(crate) const EXAMPLE: [(&str, f64); 4] =
    [("u:1000", 1050.0), ("u:1001", 980.0), ("u:1002", 980.0), ("u:1003", 910.0)];

/// Sets scores and the version in one transaction, as every writer does.
pub(crate) fn put(server: &RedisServer, rows: &[(&str, f64)]) {
    boards::put(server, BOARD, rows);
}

/// Takes members off the board, and changes its version, in one transaction.
pub(crate) fn remove(server: &RedisServer, members: &[&str]) {
    let mut pipeline = redis::pipe();
    pipeline.atomic().cmd("ZREM").arg(BOARD).arg(members);
    pipeline.cmd("INCR").arg(format!("{BOARD}:version"));
    pipeline.query::<()>(&mut server.client()).unwrap();
}

/// A server with the example on its board.
pub(crate) fn example() -> RedisServer {
    let server = RedisServer::start();
    put(&server, &EXAMPLE);
    server
}

/// A server whose board has `p1` to `p<count>` from the top down, without ties, at this version.
pub(crate) fn numbered(count: u32, version: u32) -> RedisServer {
    let server = RedisServer::start();
    put_many(&server, count);
    server.cmd(&["SET", &format!("{BOARD}:version"), &version.to_string()]);
    server
}

/// Puts `p1` to `p<count>` onto the board from the top down, without ties.
pub(crate) fn put_many(server: &RedisServer, count: u32) {
    let names: Vec<String> = (1..=count).map(|number| format!("p{number}")).collect();
    let rows: Vec<_> =
        names.iter().zip(0..).map(|(name, above)| (name.as_str(), 10.0 * f64::from(count - above))).collect();
    put(server, &rows);
}

/// The viewer on the board.
pub(crate) fn watch(server: &RedisServer, args: &[&str]) -> Program {
    ranktop(&[BOARD, "--url", &server.url()]).args(args)
}

/// The viewer that asks for the version ten times a second.
pub(crate) fn poll(server: &RedisServer) -> Program {
    watch(server, &["--watch", "poll", "--interval", "100ms"])
}

/// A line with its blanks squeezed.
fn squeezed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rows of the table as `rank member`, for members that begin with one of `u:` and `p`; marks of ties and movement
/// left out.
pub(crate) fn ranks(screen: &Screen) -> Vec<String> {
    let is_member = |word: &str| word.starts_with("u:") || (word.starts_with('p') && word[1..].parse::<u32>().is_ok());
    let row = |line: &str| {
        let words: Vec<_> = line.split_whitespace().filter(|word| !["┌", "│", "└"].contains(word)).collect();
        let member = words.iter().position(|word| is_member(word))?;
        let rank = words.first().filter(|_| member > 0)?;
        rank.parse::<f64>().ok().map(|_| format!("{rank} {}", words[member]))
    };
    text(screen).lines().skip(1).filter_map(row).collect()
}

/// The first words of the footer: the positions in sight and the total.
pub(crate) fn footer(screen: &Screen) -> String {
    squeezed(text(screen).lines().last().unwrap_or_default())
}

/// The row of the table that is selected, by its background or by being reversed; its blanks squeezed.
pub(crate) fn selected(screen: &Screen) -> Option<String> {
    let (lines, columns) = screen.size();
    let is_lit = |line: u16| {
        let cell = screen.cell(line, 8);
        cell.is_some_and(|cell| cell.inverse() || cell.bgcolor() != Color::Default)
    };
    // The banner, which is lit as well, stands on the line above the footer.
    let line = (1..lines.saturating_sub(2)).find(|line| is_lit(*line))?;
    screen.rows(0, columns).nth(line.into()).map(|line| squeezed(&line))
}

/// Waits until the row of `member` is selected.
#[track_caller]
pub(crate) fn wait_selected(pty: &Pty, member: &str) {
    pty.wait_for(&format!("{member} to be selected"), |screen| {
        selected(screen).is_some_and(|row| row.split(' ').any(|word| word == member))
    });
}

/// Waits until these, and no others, are the rows, each `rank member`.
#[track_caller]
pub(crate) fn wait_ranks(pty: &Pty, wanted: &[&str]) {
    pty.wait_for(&format!("{wanted:?}"), |screen| ranks(screen) == wanted);
}

/// How often the server has run each command, but for those with which it is asked.
pub(crate) fn calls(server: &RedisServer) -> BTreeMap<String, u64> {
    let info: String = redis::cmd("INFO").arg("commandstats").query(&mut server.client()).unwrap();
    let one = |line: &str| {
        let (name, rest) = line.strip_prefix("cmdstat_")?.split_once(":calls=")?;
        let asks = ["info", "config", "command"];
        let is_ours = asks.iter().any(|ask| name == *ask || name.starts_with(&format!("{ask}|")));
        (!is_ours).then(|| (name.to_owned(), rest.split(',').next().unwrap().parse().unwrap()))
    };
    info.lines().filter_map(one).collect()
}

/// How often one command was run.
pub(crate) fn calls_of(server: &RedisServer, name: &str) -> u64 {
    calls(server).get(name).copied().unwrap_or(0)
}

/// Counts commands anew.
pub(crate) fn reset_calls(server: &RedisServer) {
    server.cmd(&["CONFIG", "RESETSTAT"]);
}

/// Every command that was run since the counters were reset is one that cannot write, by the server's own word.
#[track_caller]
pub(crate) fn assert_only_reads(server: &RedisServer) {
    let calls = calls(server);
    assert!(!calls.is_empty(), "nothing was counted");
    for name in calls.keys() {
        let info = server.cmd(&["COMMAND", "INFO", name]);
        let Value::Array(infos) = &info else { panic!("{name}: {info:?}") };
        let [Value::Array(info)] = &infos[..] else { panic!("{name}: {info:?}") };
        let flags = format!("{:?}", info[2]);
        assert!(!flags.contains("write") && !flags.contains("may_replicate"), "{name} may write: {flags}");
    }
}
