//! The page on boards over many sorted sets, followed as it stands: redis-cli is given the blocks for writers, and
//! ranktop the lines that are its own.

use crate::common::{Program, RedisServer, ranktop};

/// The lines of the page, without their indentation.
fn lines() -> Vec<&'static str> {
    include_str!("../../../docs/shards.md").lines().filter_map(|line| line.strip_prefix("    ")).collect()
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

#[test]
fn readme_is_followed_as_it_stands() {
    let server = RedisServer::start();
    let (own, writes): (Vec<&str>, Vec<&str>) = lines().into_iter().partition(|line| line.starts_with("ranktop "));
    let socket = server.socket();
    let cli = Program::new("redis-cli", &["-s", socket.to_str().unwrap()]).stdin(writes.join("\n") + "\n").run();
    cli.assert_code(0);
    assert!(!cli.out().contains("ERR"), "{cli}");
    // Somebody else, so that there is a second position.
    server.cmd(&["ZADD", "lb:{spring:0}:2026-W41", "7", "other"]);
    server.cmd(&["SET", "lb:{spring:0}:2026-W41:version", "1"]);
    assert_eq!(own.len(), 7, "{own:#?}");
    for line in own {
        let words = words(line);
        let args: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let program = ranktop(&args).env("RANKTOP_URL", server.url());
        if args[0].starts_with("lb:") {
            let pty = program.pty(120, 20);
            pty.wait_text("16 shards");
            pty.wait_text("verified");
            pty.send("q");
            continue;
        }
        let run = program.run();
        run.assert_code(0);
        if args[0] == "rank" {
            assert!(run.out().contains("123456789"), "{run}");
        }
        if args[0] == "score" {
            assert_eq!(run.out(), "123456789: 980 -> 1000 (rank 1), shard 6, version 2\n");
        }
    }
}
