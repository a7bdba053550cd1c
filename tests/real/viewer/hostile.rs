//! Members, names, titles and keys that are written to break terminals: all of it is drawn escaped, none of it reaches
//! the terminal as a control.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::harness::{footer, watch};
use crate::common::{Key, Peer, RedisServer, ranktop, text};

/// Each with the text that must be seen of it.
const HOSTILE: [(&[u8], &str); 9] = [
    (b"\x1b]0;owned\x07", r"\e]0;owned\x07"),
    (b"\x1b[?1049l\x1b[2J", r"\e[?1049l\e[2J"),
    (b"c1\xc2\x9b31m", r"c1\u{9b}31m"),
    (b"raw\x9b31m", r"raw\x9b31m"),
    ("bidi\u{202e}txt".as_bytes(), r"bidi\u{202e}txt"),
    (b"nul\0nul", r"nul\x00nul"),
    (b"new\nline", r"new\nline"),
    (b"tab\ttab", r"tab\ttab"),
    (b"\xff\xfe", r"\xff\xfe"),
];

/// No control but those of ranktop's own drawing.
#[track_caller]
fn assert_unharmed(bytes: &[u8]) {
    let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    for part in [&b"\x1b]0;"[..], b"\x07", b"\x1b[?1049l", b"\x9b", b"\0", b"\t", b"\xff", "\u{202e}".as_bytes()] {
        // A lone continuation byte is part of many characters.
        let is_there = if part == b"\x9b" { has(b"\xc2\x9b") || has(b"raw\x9b") } else { has(part) };
        assert!(!is_there, "{} was sent", part.escape_ascii());
    }
}

#[test]
fn hostile_bytes_are_drawn_escaped_wherever_they_stand() {
    let key: &[u8] = b"lb:\x1b]0;owned\x07{x}\xc2\x9b\n";
    let server = RedisServer::start();
    let mut pipeline = redis::pipe();
    let with = |suffix: &[u8]| [key, suffix].concat();
    for ((member, _), score) in HOSTILE.iter().zip(1..) {
        pipeline.cmd("ZADD").arg(key).arg(score).arg(*member);
        pipeline.cmd("HSET").arg(with(b":names")).arg(*member).arg([b"name ", *member].concat());
    }
    pipeline.cmd("SET").arg(with(b":version")).arg(b"\x1b]0;owned\x07");
    pipeline.cmd("HSET").arg(with(b":meta")).arg("title").arg(b"\x1b]0;owned\x07\xe2\x80\xae");
    pipeline.query::<()>(&mut server.client()).unwrap();
    for (columns, lines) in [(200, 40), (80, 24), (33, 13)] {
        let pty = ranktop(&["--url", &server.url()]).arg(OsStr::from_bytes(key)).pty(columns, lines);
        if columns == 200 {
            for (_, drawn) in HOSTILE {
                pty.wait_text(drawn);
                pty.wait_text(&format!("name {drawn}"));
            }
            pty.wait_text(r"lb:\e]0;owned\x07{x}\u{9b}\n");
        }
        pty.wait_for("rows", |screen| text(screen).contains(r"\x"));
        // The inspector, the footer and the search quote them as well.
        for _ in 0..HOSTILE.len() {
            pty.send("ij");
            pty.wait_text("why rank");
            pty.key(Key::Char('i'));
            pty.wait_for("the inspector's end", |screen| !text(screen).contains("why rank"));
        }
        pty.key(Key::Enter);
        pty.wait_for("a footer", |screen| footer(screen).contains(" of 9"));
        assert!(pty.with_screen(vt100::Screen::alternate_screen));
        let seen = pty.screen();
        assert!(!seen.contains(|c: char| c != '\n' && c.is_control()), "{seen:?}");
        assert_unharmed(&pty.bytes());
    }
}

#[test]
fn what_a_server_says_is_drawn_escaped() {
    for error in ["WHATEVER \u{1b}]0;owned\u{7}\u{9b}31m\u{202e}", "\u{1b}[?1049l no code\u{1b}]0;x\u{7}"] {
        let peer = Peer::refusing(error);
        let pty = ranktop(&["b", "--url", &peer.url(), "--interval", "100ms"]).pty(160, 24);
        pty.wait_text("Cannot read board 'b'");
        pty.wait_for("the words, escaped", |screen| text(screen).contains(r"\e"));
        assert!(pty.with_screen(vt100::Screen::alternate_screen));
        assert_unharmed(&pty.bytes());
        let printed = ranktop(&["page", "b", "--url", &peer.url()]).run();
        assert_unharmed(&printed.stderr);
        // One that is refused while connecting.
        let peer = Peer::start(move |_| format!("-{error}\r\n"));
        let pty = ranktop(&["b", "--url", &peer.url(), "--interval", "100ms"]).pty(160, 24);
        pty.wait_for("the words, escaped", |screen| text(screen).contains(r"\e"));
        assert_unharmed(&pty.bytes());
    }
}

#[test]
fn nothing_but_base64_goes_to_the_clipboard() {
    let server = RedisServer::start();
    for (member, _) in HOSTILE {
        server.cmd(&[b"ZADD", &b"b\x1b]52;c;x\x07"[..], b"1", member]);
    }
    let pty = ranktop(&["--url", &server.url()]).arg(OsStr::from_bytes(b"b\x1b]52;c;x\x07")).pty(120, 24);
    pty.wait_text("9 players");
    for copies in 1..=HOSTILE.len() {
        pty.send("yj");
        let lead = b"\x1b]52;c;";
        crate::common::wait_until("the copy", || {
            let bytes = pty.bytes();
            let starts: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(lead)).collect();
            let is_clean = |start: &usize| {
                let text = &bytes[start + lead.len()..];
                let end = text.iter().position(|byte| *byte == 7);
                end.is_some_and(|end| {
                    text[..end].iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(byte))
                })
            };
            starts.len() == copies && starts.iter().all(is_clean)
        });
    }
}

#[test]
fn a_member_of_a_megabyte_is_cut() {
    let server = RedisServer::start();
    let huge = "é\u{301}\x1b".repeat(210_000);
    super::harness::put(&server, &[(huge.as_str(), 2.0), ("u:1", 1.0)]);
    server.cmd(&["HSET", "lb:{spring}:names", "u:1", &huge]);
    let pty = watch(&server, &["--interval", "100ms"]).pty(80, 24);
    pty.wait_text("1–2 of 2");
    pty.send("i");
    pty.wait_text("why rank 1");
    pty.send("ij");
    pty.send("i");
    pty.wait_text("why rank 2");
    let sent = pty.bytes_written_by_program();
    assert!(sent < 30_000, "{sent} bytes for three screens");
    assert!(!pty.bytes().windows(3).any(|bytes| bytes == "é\x1b".as_bytes()));
    pty.send("iq");
    assert_eq!(pty.wait_exit(), 0);
}
