//! Periods of a real server's boards: rights, keys of other types, a silent server, and what looking for them costs.

use std::collections::BTreeMap;

use super::harness::calls;
use crate::common::{Key, RedisServer, ranktop, text};

/// Boards of 2026-W38 and 2026-W41, a hash in the place of 2026-W40.
fn weeks() -> RedisServer {
    let server = RedisServer::start();
    for (week, member) in [("2026-W41", "u:41"), ("2026-W38", "u:38")] {
        server.cmd(&["ZADD", &format!("lb:{{spring}}:{week}"), "5", member]);
    }
    server.cmd(&["HSET", "lb:{spring}:2026-W40", "x", "1"]);
    server
}

#[test]
fn steps_and_the_list_look_along_the_calendar_and_never_scan() {
    let server = weeks();
    let watch = ["--game", "spring", "--period", "2026-W41", "--watch", "poll", "--url", &server.url()];
    let pty = ranktop(&watch).pty(110, 24);
    pty.wait_text("u:41");
    let before = calls(&server);
    pty.key(Key::Char('['));
    pty.wait_text("u:38");
    pty.wait_text("skipped 2 periods without a readable board");
    let looks = |calls: &BTreeMap<String, u64>| calls.get("pttl").copied().unwrap_or(0);
    let after = calls(&server);
    // Sixty by one look; the rest are of pages that were read.
    assert!((60..70).contains(&(looks(&after) - looks(&before))), "{after:?}");
    pty.key(Key::Char('p'));
    pty.wait_for("the list", |screen| {
        let screen = text(screen);
        let row = |week: &str, what: &str| {
            screen.lines().skip(1).any(|line| line.trim_start().starts_with(week) && line.contains(what))
        };
        row("2026-W41", " never") && row("2026-W40", "not a sorted set") && row("2026-W38", "open")
    });
    assert!(!calls(&server).keys().any(|name| name.starts_with("scan") || name.starts_with("keys")));
    pty.key(Key::Esc);
    pty.wait_text("? help");
    // A server that is silent holds no key up.
    server.stop();
    pty.key(Key::Char(']'));
    pty.key(Key::Char('?'));
    pty.wait_text("help 1–");
    server.cont();
    pty.key(Key::Esc);
    pty.wait_text("u:38");
    pty.key(Key::Char(']'));
    pty.wait_text("u:41");
    pty.key(Key::Char('q'));
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn what_the_user_may_not_read_is_said_to_be_so() {
    let server = weeks();
    server.cmd(&["ACL", "SETUSER", "viewer", "on", ">secret", "~lb:{spring}:2026-W41*", "+@read"]);
    let key = "lb:{spring}:2026-W41";
    let pty =
        ranktop(&[key, "--url", &server.url(), "--user", "viewer"]).env("RANKTOP_PASSWORD", "secret").pty(110, 24);
    pty.wait_text("u:41");
    pty.key(Key::Char('p'));
    pty.wait_text("no permission to read it");
    pty.wait_text("open");
    pty.key(Key::Down);
    pty.key(Key::Enter);
    pty.wait_text("cannot open 2026-W40: no permission to read it");
    pty.key(Key::Esc);
    pty.wait_text("? help");
    pty.key(Key::Char('['));
    pty.wait_text("no earlier period has a board (1200 periods checked)");
    pty.key(Key::Char('q'));
    assert_eq!(pty.wait_exit(), 0);
}
