//! The command lines of README and of `docs/` are run as they stand, against a server that has what they speak of; what a
//! test has to put in their place is listed here, each with its reason.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common::{Program, RedisServer, ranktop};
use redis::Value;

const README: &str = include_str!("../../README.md");

/// Every page with command lines or options; the protocol for writers has a test of its own.
const PAGES: [&str; 10] = [
    README,
    include_str!("../../docs/boards-of-others.md"),
    include_str!("../../docs/comparing.md"),
    include_str!("../../docs/connecting.md"),
    include_str!("../../docs/periods.md"),
    include_str!("../../docs/servers.md"),
    include_str!("../../docs/settings.md"),
    include_str!("../../docs/shards.md"),
    include_str!("../../docs/simulating.md"),
    include_str!("../../docs/watching.md"),
];

/// The board that README speaks of.
const BOARD: &str = "lb:{spring}:2026-W41";

/// Lines that are not run here.
const NOT_RUN: [(&str, &str); 2] = [
    ("cargo run --release -- demo", "it builds for minutes; the demo has tests of its own"),
    ("tests/run", "it runs this test"),
];

/// The indented lines of the pages, which are commands; the picture of the screen stands in a fence. What is for writers
/// is run by a test of its own, and so is what needs more servers than one.
fn lines() -> Vec<&'static str> {
    let elsewhere =
        ["Writing scores: the protocol\n", "Sentinel, Cluster, replicas\n", "# One board over many sorted sets\n"];
    let is_for_readers = |section: &&str| !elsewhere.iter().any(|title| section.starts_with(title));
    let sections = PAGES.into_iter().flat_map(|page| page.split("\n## ")).filter(is_for_readers);
    let prose = sections.flat_map(|section| section.split("```").step_by(2));
    prose.flat_map(str::lines).filter_map(|line| line.strip_prefix("    ")).collect()
}

fn server() -> RedisServer {
    let server = RedisServer::start();
    for (member, score) in [("u:1000", "1050"), ("u:1001", "980"), ("u:1002", "980"), ("u:1003", "910")] {
        server.cmd(&["ZADD", BOARD, score, member]);
    }
    server.cmd(&["SET", &format!("{BOARD}:version"), "1284"]);
    server.cmd(&["HSET", "lb:{spring}:names", "u:1000", "Ada Lovelace"]);
    server
}

/// The line in a shell that finds ranktop, in an empty folder.
fn shell(line: &str, server: &RedisServer) -> Program {
    let folder = Path::new(env!("CARGO_BIN_EXE_ranktop")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let line = format!("cd \"$HOME\" && {line}");
    Program::new("sh", &["-c", &line]).env("PATH", path).env("RANKTOP_URL", server.url())
}

#[test]
fn every_command_line_runs() {
    let server = server();
    let url = server.url();
    let page = ranktop(&["page", BOARD, "--url", &url, "--size", "2", "--format", "json"]).run();
    let cursor = page.json()["next"].as_str().unwrap().to_owned();
    let mut frozen = String::new();
    let mut run = 0;
    for line in lines() {
        if NOT_RUN.iter().any(|(not_run, _)| *not_run == line) || line.starts_with("ACL ") {
            continue;
        }
        assert!(line.starts_with("ranktop "), "what is '{line}'?");
        run += 1;
        // Words in capitals are for the reader to fill in, and nobody's server at the usual port is asked.
        let filled = line
            .replace("CURSOR", &cursor)
            .replace("FROZEN_KEY", &format!("'{frozen}'"))
            .replace("redis://127.0.0.1:6379", &url);
        let program = shell(&filled, &server);
        if line.starts_with("ranktop --url") {
            let pty = program.pty(120, 30);
            pty.wait_text("1 board in 3 keys");
            pty.send("\r");
            pty.wait_text("Ada Lovelace");
            pty.send("q");
            assert_eq!(pty.wait_exit(), 0, "{line}");
            continue;
        }
        if line.starts_with("ranktop 'lb:") || line.starts_with("ranktop --") {
            let pty = program.pty(120, 30);
            pty.wait_text("Ada Lovelace");
            pty.send("q");
            assert_eq!(pty.wait_exit(), 0, "{line}");
            continue;
        }
        let done = program.run();
        done.assert_code(0);
        if line.contains("freeze") {
            done.out().trim().clone_into(&mut frozen);
            let is_there = server.cmd(&["EXISTS", &frozen]);
            assert_eq!(is_there, Value::Int(1), "{done}");
        }
        if line.contains("--after") {
            done.assert_out_has("u:1001").assert_out_has("u:1003");
            assert!(!done.out().contains("u:1000"), "{done}");
        }
    }
    assert!(run >= 8, "only {run} command lines were found");
    for (line, _) in NOT_RUN {
        assert!(lines().contains(&line), "'{line}' is not in README any more");
    }
}

#[test]
fn every_line_of_rights_lets_a_reader_read() {
    let server = server();
    let rights: Vec<_> = lines().into_iter().filter(|line| line.starts_with("ACL ")).collect();
    assert_eq!(rights.len(), 3);
    for line in rights {
        server.try_cmd(&["ACL", "DELUSER", "viewer"]).unwrap();
        server.cmd(&line.split(' ').collect::<Vec<_>>());
        let args = ["page", BOARD, "--url", &server.url(), "--user", "viewer", "--format", "json"];
        let run = ranktop(&args).env("RANKTOP_PASSWORD", "secret").run();
        run.assert_clean();
        let page = run.json();
        assert_eq!((page["total"].as_u64(), page["verified"].as_bool()), (Some(4), Some(true)), "{line}");
        assert_eq!(page["rows"][0]["name"], "Ada Lovelace", "{line}");
        let watching = ranktop(&[BOARD, "--url", &server.url(), "--user", "viewer"]);
        let pty = watching.env("RANKTOP_PASSWORD", "secret").pty(120, 30);
        pty.wait_text("Ada Lovelace");
        pty.wait_text("● live");
        let screen = pty.screen();
        assert!(!screen.lines().next().unwrap_or_default().contains("unverified"), "{line}\n{screen}");
        assert_eq!(pty.screen().contains("push"), line.contains("+@connection"), "{line}\n{}", pty.screen());
    }
}

#[test]
fn every_option_that_is_named_is_there() {
    let help = |args: &[&str]| ranktop(args).arg("--help").run().out().to_owned();
    let overview = help(&[]);
    let commands = overview.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let commands = commands.take_while(|line| line.starts_with("  ")).filter_map(|line| line.split_whitespace().next());
    let mut all = overview.clone();
    for command in commands.filter(|command| *command != "help") {
        all.push_str(&help(&[command]));
    }
    let named: BTreeSet<_> = PAGES
        .into_iter()
        .chain([include_str!("../../docs/writing.md"), include_str!("../../docs/packed-scores.md")])
        .flat_map(|page| page.split(|c: char| !c.is_ascii_alphanumeric() && c != '-'))
        .filter(|word| {
            word.starts_with("--") && word.contains(char::is_alphanumeric) && !["--release", "--servers"].contains(word)
        })
        .collect();
    assert!(named.len() >= 10, "{named:?}");
    for option in named {
        let is_there = all.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').any(|word| word == option);
        assert!(is_there, "README or docs/ name {option}");
    }
}

#[test]
fn every_link_leads_to_a_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let links: Vec<&str> = README.split("](docs/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    for page in std::fs::read_dir(root.join("docs")).unwrap() {
        let name = page.unwrap().file_name().into_string().unwrap();
        assert!(links.contains(&name.as_str()), "README does not link docs/{name}");
    }
    for link in links {
        assert!(root.join("docs").join(link).is_file(), "docs/{link} is missing");
    }
}

/// Three minutes at 250 words a minute, with what is looked at and not read: the picture, tables and commands.
#[test]
fn readme_is_read_within_three_minutes() {
    let prose = README.split("```").step_by(2).flat_map(str::lines);
    let prose = prose.filter(|line| !line.starts_with("    ") && !line.starts_with('|'));
    let words = prose.flat_map(str::split_whitespace).count();
    assert!(words <= 750, "{words} words");
}
