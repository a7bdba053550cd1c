//! `ranktop demo`: on a private server, on a board in memory, and without a trace afterwards.

use std::fs;
use std::path::Path;
use std::process::Command;

use vt100::Screen;

use crate::common::{Key, Program, Pty, process_state, ranktop, text, wait_until};

/// The processes that `parent` has started.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let output = Command::new("ps").args(["-o", "pid=", "--ppid", &parent.to_string()]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

fn folders(within: &Path) -> usize {
    let entries = fs::read_dir(within).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    entries.filter(|name| name.starts_with("ranktop-demo-")).count()
}

fn demo(args: &[&str], temporary: &Path) -> Program {
    ranktop(&["demo"]).args(args).env("TMPDIR", temporary)
}

/// Only a demo that ends by itself takes its server along.
#[track_caller]
fn quit(pty: &Pty) {
    pty.key(Key::Char('q'));
    assert_eq!(pty.wait_exit(), 0);
}

/// The rows of the table, without the header that tells of time and load.
fn table(screen: &Screen) -> Vec<String> {
    text(screen).lines().skip(3).map(str::to_owned).collect()
}

fn first_line(pty: &Pty) -> String {
    pty.screen().lines().next().unwrap().to_owned()
}

fn version(line: &str) -> Option<u64> {
    let word = line.split_whitespace().find_map(|word| word.strip_prefix('v'))?;
    word.replace(',', "").parse().ok()
}

#[test]
fn a_private_server_is_there_for_as_long_as_the_demo() {
    type Way = (fn(&Pty), i32);
    let ways: [Way; 3] =
        [(|pty| pty.key(Key::Char('q')), 0), (|pty| pty.signal("TERM"), 143), (|pty| pty.signal("HUP"), 129)];
    for (leave, code) in ways {
        let temporary = tempfile::tempdir().unwrap();
        let pty = demo(&[], temporary.path()).pty(110, 30);
        pty.wait_text("● live  push");
        pty.wait_text("5,000 players");
        assert!(first_line(&pty).contains("Demo Cup") && first_line(&pty).contains("redis-server"));
        let children = children(pty.pid());
        assert_eq!((children.len(), folders(temporary.path())), (1, 1));
        leave(&pty);
        assert_eq!(pty.wait_exit(), code);
        assert!(pty.is_as_found());
        wait_until("the server's end", || matches!(process_state(children[0]), None | Some('Z')));
        assert_eq!(folders(temporary.path()), 0, "{code}");
    }
}

#[test]
fn a_demo_that_ends_before_it_is_shown_leaves_nothing_either() {
    for (name, code) in [("TERM", 143), ("INT", 130), ("HUP", 129)] {
        let temporary = tempfile::tempdir().unwrap();
        // Its opening is being written for a while.
        let pty = demo(&["--players", "300000"], temporary.path()).pty(110, 30);
        let mut started = Vec::new();
        wait_until("the server to be started", || {
            started = children(pty.pid());
            !started.is_empty() && folders(temporary.path()) == 1
        });
        pty.signal(name);
        assert_eq!(pty.wait_exit(), code);
        wait_until("the server's end", || matches!(process_state(started[0]), None | Some('Z')));
        assert_eq!(folders(temporary.path()), 0, "{name}");
        assert!(pty.is_as_found());
    }
    let temporary = tempfile::tempdir().unwrap();
    demo(&[], temporary.path()).run().assert_code(2).assert_err_has("needs a terminal");
    assert_eq!(folders(temporary.path()), 0);
}

#[test]
fn a_demo_that_is_killed_leaves_nothing_either() {
    let temporary = tempfile::tempdir().unwrap();
    let pty = demo(&[], temporary.path()).pty(110, 30);
    pty.wait_text("● live  push");
    let started = children(pty.pid());
    pty.signal("KILL");
    wait_until("the server's end", || matches!(process_state(started[0]), None | Some('Z')));
    wait_until("the folder's end", || folders(temporary.path()) == 0);
}

#[test]
fn without_a_server_it_is_played_in_memory() {
    let temporary = tempfile::tempdir().unwrap();
    let empty = tempfile::tempdir().unwrap();
    let without = demo(&[], temporary.path()).env("PATH", empty.path());
    for program in [without, demo(&["--embedded"], temporary.path())] {
        let pty = program.pty(110, 30);
        pty.wait_text("● live");
        pty.wait_text("5,000 players");
        assert!(first_line(&pty).contains("embedded"), "{}", first_line(&pty));
        assert_eq!((children(pty.pid()), folders(temporary.path())), (vec![], 0));
        pty.key(Key::Char('q'));
        assert_eq!(pty.wait_exit(), 0);
        assert!(pty.is_as_found());
    }
}

#[test]
fn a_seed_gives_one_opening_board_everywhere() {
    let temporary = tempfile::tempdir().unwrap();
    let opening = |args: &[&str]| {
        let pty = demo(args, temporary.path()).args(&["--rate", "0.001"]).pty(110, 30);
        pty.wait_text("● live");
        pty.wait_text("5,000 players");
        // Names come with a frame of their own, and a frame may arrive in parts.
        let is_whole = |row: &String| {
            let mut words = row.split_whitespace().filter(|word| !["┌", "│", "└", "┆"].contains(word));
            let is_ranked = words.next().is_some_and(|rank| rank.parse::<u64>().is_ok());
            let is_named = words.next().is_some_and(|name| !name.starts_with("u:"));
            is_ranked && is_named && row.contains(',') && row.contains(" u:1")
        };
        pty.wait_for("23 players by name", |screen| {
            table(screen)[1..].iter().filter(|row| is_whole(row)).count() == 23
        });
        let opening = pty.with_screen(table);
        quit(&pty);
        opening
    };
    let seven = opening(&["--seed", "7"]);
    assert!(seven.iter().any(|row| row.contains('┌')), "there are ties: {seven:#?}");
    assert_eq!(opening(&["--seed", "7", "--embedded"]), seven);
    assert_eq!(opening(&["--embedded"]), seven);
    assert_ne!(opening(&["--seed", "8", "--embedded"]), seven);
}

#[test]
fn standings_change_by_themselves() {
    let temporary = tempfile::tempdir().unwrap();
    for args in [&["--rate", "300"][..], &["--rate", "300", "--embedded", "--interval", "100ms"]] {
        let pty = demo(args, temporary.path()).pty(110, 30);
        pty.wait_text("● live");
        let first = version(&first_line(&pty)).unwrap();
        let is_on = |screen: &Screen| {
            let line = text(screen).lines().next().unwrap().to_owned();
            version(&line).is_some_and(|version| version >= first + 100)
        };
        pty.wait_for("a hundred versions", is_on);
        pty.wait_for("a rate", |screen| text(screen).lines().next().unwrap().contains("/s "));
        pty.wait_for("movement", |screen| table(screen).iter().any(|row| row.contains('▲') || row.contains('▼')));
        quit(&pty);
    }
}

#[test]
fn the_week_before_can_be_browsed() {
    let temporary = tempfile::tempdir().unwrap();
    for args in [&["--tz", "Asia/Tokyo"][..], &["--embedded"]] {
        let pty = demo(args, temporary.path()).pty(110, 30);
        pty.wait_text("5,000 players");
        pty.wait_text("open, closes Mon 00:00");
        pty.key(Key::Char('['));
        pty.wait_text("300 players");
        pty.wait_text("closed since Mon ");
        assert!(first_line(&pty).contains("● closed"), "{}", pty.screen());
        pty.key(Key::Char('p'));
        pty.wait_for("two weeks, the newer one current", |screen| {
            let rows: Vec<_> = text(screen).lines().filter(|line| line.contains("-W")).map(str::to_owned).collect();
            rows.iter().any(|row| row.contains(" 5,0") || row.contains(" 4,9"))
                && rows.iter().any(|row| row.contains("current"))
                && rows.iter().any(|row| row.contains(" 300 ") && row.contains("open"))
        });
        pty.key(Key::Up);
        pty.key(Key::Enter);
        pty.wait_text("● live");
        quit(&pty);
    }
}
