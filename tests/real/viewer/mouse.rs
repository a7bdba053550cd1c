//! The mouse, as a terminal reports it.

use vt100::{MouseProtocolEncoding, MouseProtocolMode};

use super::harness::{footer, numbered, poll, wait_selected, watch};
use crate::common::Key;

/// A report in the SGR form: columns and lines from 1.
fn report(button: u8, line: u16, end: char) -> String {
    format!("\x1b[<{button};12;{line}{end}")
}

#[test]
fn the_wheel_and_clicks_select_rows() {
    let server = numbered(100, 1);
    let pty = poll(&server).pty(80, 24);
    wait_selected(&pty, "p1");
    // The first row is on the fifth line of this screen.
    pty.send(report(0, 5 + 9, 'M') + &report(0, 5 + 9, 'm'));
    wait_selected(&pty, "p10");
    pty.send(report(65, 3, 'M'));
    wait_selected(&pty, "p11");
    pty.send(report(64, 3, 'M').repeat(4));
    wait_selected(&pty, "p7");
    pty.send(report(65, 3, 'M').repeat(11));
    wait_selected(&pty, "p18");
    pty.wait_for("the next page", |screen| footer(screen).starts_with("18–34 of 100"));
    // Releases, other buttons, motion, held keys, buttons and places that there are not.
    for noise in [report(0, 9, 'm'), report(1, 9, 'M'), report(2, 9, 'M'), report(35, 9, 'M'), report(32, 9, 'M')] {
        pty.send(noise);
    }
    pty.send(report(4, 9, 'M') + &report(80, 9, 'M') + &report(66, 9, 'M') + &report(160, 9, 'M'));
    pty.send(report(0, 24, 'M') + &report(0, 1, 'M') + &report(0, 9_999, 'M') + "\x1b[<0;1;70000M");
    pty.send("j");
    wait_selected(&pty, "p19");
    pty.send("?");
    pty.wait_text("help 1–");
    pty.send(report(65, 9, 'M'));
    pty.wait_text("help 2–");
    pty.send(report(64, 9, 'M'));
    pty.wait_text("help 1–");
    pty.key(Key::Char('q'));
    wait_selected(&pty, "p19");
}

#[test]
fn the_terminal_is_asked_for_little_and_with_no_mouse_for_nothing() {
    let server = numbered(3, 1);
    let asked = |bytes: &[u8], mode: &str| bytes.windows(mode.len()).any(|window| window == mode.as_bytes());
    let pty = poll(&server).pty(80, 24);
    wait_selected(&pty, "p1");
    for motion in ["1002", "1003", "1015"] {
        assert!(!asked(&pty.bytes(), motion), "{motion}");
    }
    let pty = watch(&server, &["--watch", "poll", "--interval", "100ms", "--no-mouse"]).pty(80, 24);
    wait_selected(&pty, "p1");
    pty.with_screen(|screen| {
        assert_eq!(screen.mouse_protocol_mode(), MouseProtocolMode::None);
        assert_eq!(screen.mouse_protocol_encoding(), MouseProtocolEncoding::Default);
    });
    pty.key(Key::Char('q'));
    assert_eq!(pty.wait_exit(), 0);
    for mode in ["1000", "1006"] {
        assert!(!asked(&pty.bytes(), mode), "{mode}");
    }
}
