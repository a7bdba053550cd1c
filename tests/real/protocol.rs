//! The protocol for those who write scores, in `docs/writing.md`, run as it stands: redis-cli is given each block over one connection, and
//! ranktop the lines that are its own. After each block the board is what the protocol says.

use crate::common::{Program, RedisServer, ranktop};

const BOARD: &str = "lb:{spring}:2026-W41";

/// The blocks of the protocol, each line without its indentation.
fn blocks() -> Vec<Vec<&'static str>> {
    blocks_of(include_str!("../../docs/writing.md"))
}

fn blocks_of(section: &'static str) -> Vec<Vec<&'static str>> {
    let mut blocks: Vec<Vec<_>> = Vec::new();
    let mut is_inside = false;
    for line in section.lines() {
        match line.strip_prefix("    ") {
            Some(line) if is_inside => blocks.last_mut().unwrap().push(line),
            Some(line) => blocks.push(vec![line]),
            None => {}
        }
        is_inside = line.starts_with("    ");
    }
    blocks
}

/// Gives `lines` to redis-cli and returns what it printed.
fn redis_cli(server: &RedisServer, login: &[&str], lines: &[&str]) -> String {
    let socket = server.socket();
    let cli = Program::new("redis-cli", &["-s", socket.to_str().unwrap()]).args(login);
    let run = cli.stdin(lines.join("\n") + "\n").run();
    run.assert_code(0);
    for word in ["ERR", "NOPERM", "WRONGTYPE", "EXECABORT"] {
        assert!(!run.out().contains(word), "{run}");
    }
    run.out().to_owned()
}

/// The words of a line as a shell reads them; the page quotes with single quotes only.
fn words(line: &str) -> Vec<String> {
    line.split('\'')
        .enumerate()
        .flat_map(|(at, part)| {
            if at % 2 == 1 { vec![part.to_owned()] } else { part.split_whitespace().map(str::to_owned).collect() }
        })
        .collect()
}

fn run(server: &RedisServer, user: &str, line: &str) -> String {
    let words = words(line);
    let args: Vec<_> = words.iter().skip(1).map(String::as_str).collect();
    let mut program = ranktop(&args).env("RANKTOP_URL", server.url());
    if !user.is_empty() {
        program = program.args(&["--user", user]).env("RANKTOP_PASSWORD", "secret");
    }
    let run = program.run();
    run.assert_code(0);
    run.out().to_owned()
}

/// Version, state, and the rows as `member score` from the first one down.
fn board(server: &RedisServer) -> (String, String, Vec<String>) {
    let page = ranktop(&["page", BOARD, "--format", "json"]).env("RANKTOP_URL", server.url()).run().json();
    let text = |name: &str| page[name].as_str().unwrap_or("none").to_owned();
    let rows = page["rows"].as_array().unwrap().iter();
    let rows = rows.map(|row| format!("{} {}", row["member"].as_str().unwrap(), row["score"])).collect();
    (text("version"), text("state"), rows)
}

fn follow(server: &RedisServer, login: &[&str], user: &str, block: &[&str]) -> String {
    let is_own = block[0].starts_with("ranktop ");
    assert!(
        block.iter().all(|line| line.starts_with("ranktop ") == is_own),
        "a block is one kind of command: {block:?}"
    );
    if is_own { block.iter().map(|line| run(server, user, line)).collect() } else { redis_cli(server, login, block) }
}

#[test]
fn the_protocol_is_followed_as_it_stands() {
    // What each block leaves behind.
    let after = [
        ("1", "none", vec!["u:1 980", "u:2 20"]),
        ("1", "none", vec!["u:1 980", "u:2 20"]),
        ("3", "none", vec!["u:1 1000", "u:3 975.5", "u:2 20"]),
        ("4", "closing", vec!["u:1 1000", "u:3 975.5", "u:2 20"]),
        ("5", "closing", vec!["u:1 1000", "u:3 975.5", "u:2 25"]),
        ("6", "closed", vec!["u:1 1000", "u:3 975.5", "u:2 25"]),
        ("6", "closed", vec!["u:1 1000", "u:3 975.5", "u:2 25"]),
    ];
    let blocks = blocks();
    assert_eq!(blocks.len(), after.len(), "{blocks:#?}");
    // By somebody who may do everything, then by a writer who has only the rights that the page gives.
    let rights = blocks.last().unwrap();
    for (login, user) in [(&[][..], ""), (&["--user", "writer", "--pass", "secret", "--no-auth-warning"], "writer")] {
        let server = RedisServer::start();
        redis_cli(&server, &[], rights);
        for (block, (version, state, rows)) in blocks.iter().zip(&after) {
            let is_rights = block == rights;
            let (login, user) = if is_rights { (&[][..], "") } else { (login, user) };
            follow(&server, login, user, block);
            let (is_version, is_state, is_rows) = board(&server);
            assert_eq!((is_version.as_str(), is_state.as_str()), (*version, *state), "after {block:#?}");
            assert_eq!(&is_rows, rows, "after {block:#?}");
        }
        let late = server.cmd(&["HGET", &format!("{BOARD}:meta"), "late"]);
        assert_eq!(late, redis::Value::BulkString(b"1".to_vec()));
        assert_eq!(server.cmd(&["PTTL", "lb:{spring}:names"]), redis::Value::Int(-1));
        for key in ["", ":version", ":meta"] {
            let redis::Value::Int(ttl) = server.cmd(&["PTTL", &format!("{BOARD}{key}")]) else { panic!("{key}") };
            assert!((7_700_000_000..=7_776_000_000).contains(&ttl), "{key}: {ttl}");
        }
    }
}

#[test]
fn readme_shows_the_first_block() {
    let readme = include_str!("../../README.md");
    let section = readme.split("\n## ").find(|section| section.starts_with("Writing scores: the protocol\n")).unwrap();
    assert_eq!(blocks_of(section), [blocks().swap_remove(0)]);
}

#[test]
fn a_board_that_is_closed_in_between_takes_nothing() {
    let server = RedisServer::start();
    let blocks = blocks();
    let (before, after) = blocks[0].split_at(blocks[0].iter().position(|line| *line == "EXEC").unwrap());
    let mut writer = server.client();
    let send = |line: &str, writer: &mut redis::Connection| -> redis::Value {
        let mut command = redis::Cmd::new();
        for word in line.split(' ') {
            command.arg(word);
        }
        command.query(writer).unwrap()
    };
    for line in before {
        send(line, &mut writer);
    }
    server.cmd(&["HSET", &format!("{BOARD}:meta"), "state", "closed"]);
    assert_eq!(send(after[0], &mut writer), redis::Value::Nil);
    assert_eq!(server.cmd(&["EXISTS", BOARD, &format!("{BOARD}:version")]), redis::Value::Int(0));
}

#[test]
fn what_a_dry_run_prints_does_it() {
    let server = RedisServer::start();
    for (args, version, state, row) in [
        (&["score", BOARD, "a \"b\"\\'\n", "--set", "0.1", "--dry-run"][..], "1", "none", 0.1),
        (&["score", BOARD, "a \"b\"\\'\n", "--by", "-7", "--dry-run"], "2", "none", -6.9),
        (&["close", BOARD, "--grace", "1h", "--retain", "1d", "--dry-run"], "3", "closing", -6.9),
        (&["close", BOARD, "--dry-run"], "4", "closed", -6.9),
    ] {
        let dry = ranktop(args).env("RANKTOP_URL", "redis://127.0.0.1:1").run();
        dry.assert_code(0).assert_err_has("dry run: nothing was sent");
        redis_cli(&server, &[], &dry.out().lines().collect::<Vec<_>>());
        let page = ranktop(&["page", BOARD, "--format", "json"]).env("RANKTOP_URL", server.url()).run().json();
        assert_eq!(page["version"].as_str(), Some(version));
        assert_eq!(page["state"].as_str().unwrap_or("none"), state);
        assert_eq!(page["rows"][0]["member"].as_str(), Some("a \"b\"\\'\n"));
        assert_eq!(page["rows"][0]["score"].as_f64(), Some(row));
    }
    let redis::Value::Int(ttl) = server.cmd(&["PTTL", BOARD]) else { panic!() };
    assert!((24 * 3_600_000..=25 * 3_600_000).contains(&ttl), "{ttl}");
}
