//! Which server or front end serves which command, found out by running each of them, and kept in `docs/servers.md`. With
//! `RANKTOP_WRITE_TABLE=1` the lines there are written anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ranktop::store::redis::connect::Target;

use crate::common::{FrontEnd, Handling, RedisServer, ranktop};

const BOARD: &str = "lb:{table}:now";
const LIMIT: Duration = Duration::from_secs(10);

fn table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/servers.md")
}

/// A server with a board of 30 in ties of three, in version 7.
fn filled() -> RedisServer {
    let server = RedisServer::start_tcp();
    let mut pipeline = redis::pipe();
    for number in 0..30 {
        pipeline.cmd("ZADD").arg(BOARD).arg(number / 3).arg(format!("m{number:02}"));
    }
    pipeline.cmd("SET").arg(format!("{BOARD}:version")).arg(7);
    pipeline.exec(&mut server.client()).unwrap();
    server
}

/// The server and its release, as it tells them.
fn name(server: &RedisServer) -> String {
    let info: String = redis::cmd("INFO").arg("server").query(&mut server.client()).unwrap();
    let of = |field: &str| info.lines().find_map(|line| line.strip_prefix(field)).map(str::trim);
    match of("valkey_version:") {
        Some(release) => format!("Valkey {release}"),
        None => format!("Redis {}", of("redis_version:").unwrap()),
    }
}

/// The cells of a line, each by what it takes to fill it.
fn line(name: &str, url: &str) -> String {
    let does = |args: &[&str]| {
        let run = ranktop(&[args, &["--url", url]].concat()).run();
        if run.code == 0 { "yes" } else { "no" }
    };
    let page = ranktop(&["page", BOARD, "--format", "json", "--url", url]).run();
    // Names that are refused are warned of.
    page.assert_code(0);
    let (page, is_verified) = (page.json(), page.json()["verified"] == true);
    assert_eq!((&page["total"], &page["rows"][0]["member"]), (&30.into(), &"m29".into()), "{name}");
    let pty = ranktop(&[BOARD, "--url", url]).pty(80, 24);
    pty.wait_text("m29");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0, "{name}");
    let connected = async { Target::new(url, LIMIT, LIMIT).unwrap().connect(Some(|| ())).await.unwrap().pushes };
    let pushes = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(connected);
    let cells = [
        name,
        "yes",
        does(&["rank", BOARD, "m29"]),
        does(&["ties", BOARD]),
        does(&["boards"]),
        does(&["audit", BOARD]),
        does(&["score", BOARD, "m00", "--by", "1"]),
        does(&["export", BOARD, "--live"]),
        does(&["freeze", BOARD]),
        does(&["simulate", "lb:{table}:simulated", "--players", "5", "--for", "1s"]),
        does(&["close", BOARD]),
        "yes",
        if pushes { "push" } else { "poll" },
        if is_verified { "atomic" } else { "unverified" },
    ];
    format!("| {} |", cells.join(" | "))
}

/// Finds the line in the table, or writes it there.
#[track_caller]
fn keep(line: &str) {
    let text = fs::read_to_string(table()).unwrap();
    let name = |line: &str| line.split(" | ").next().unwrap_or_default().to_owned();
    let found = text.lines().find(|known| name(known) == name(line));
    if std::env::var_os("RANKTOP_WRITE_TABLE").is_some() {
        let written = match found {
            Some(known) => text.replace(known, line),
            None => format!("{}\n{line}\n", text.trim_end()),
        };
        fs::write(table(), written).unwrap();
    } else if let Some(known) = found {
        assert_eq!(line, known, "docs/servers.md says otherwise");
    }
    // A release that is not in the table is one that nobody has looked at; what it does is tested all the same.
}

#[test]
fn the_server_does_what_the_table_says() {
    let server = filled();
    keep(&line(&name(&server), &server.tcp_url()));
}

#[test]
fn front_ends_do_what_the_table_says() {
    type Rule = fn(&[String], bool) -> Handling;
    let rules: [(&str, Rule); 8] = [
        ("refuses HELLO and CLIENT", |words, _| match words[0].as_str() {
            "HELLO" | "CLIENT" => Handling::refuse("unsupported command"),
            _ => Handling::Pass,
        }),
        ("refuses MULTI", |words, _| match words[0].as_str() {
            "MULTI" => Handling::refuse("unsupported command 'multi'"),
            _ => Handling::Pass,
        }),
        ("refuses scripts that only read", |words, _| {
            if words[0].ends_with("_RO") {
                Handling::refuse("ERR not support for your account")
            } else {
                Handling::Pass
            }
        }),
        ("refuses scripts", |words, _| {
            if words[0].starts_with("EVAL") { Handling::refuse("ERR see https://example.com") } else { Handling::Pass }
        }),
        ("refuses scripts in transactions", |words, is_inside| {
            let is_refused = is_inside && words[0].starts_with("EVAL");
            if is_refused { Handling::refuse("ERR no scripts in transactions") } else { Handling::Pass }
        }),
        ("refuses INFO, TYPE and PTTL", |words, _| match words[0].as_str() {
            "INFO" | "TYPE" | "PTTL" => Handling::refuse("ERR forbidden"),
            _ => Handling::Pass,
        }),
        ("hangs up at HELLO and MULTI", |words, _| match words[0].as_str() {
            "HELLO" | "MULTI" => Handling::Close,
            _ => Handling::Pass,
        }),
        ("takes ZCARD, ZREVRANGE and SCAN alone", |words, _| match words[0].as_str() {
            "ZCARD" | "ZREVRANGE" | "SCAN" => Handling::Pass,
            _ => Handling::refuse("unsupported command"),
        }),
    ];
    for (name, rule) in rules {
        let server = filled();
        let front = FrontEnd::before(&server, rule);
        keep(&line(name, &front.url()));
    }
}
