//! However the viewer ends or is stopped, the terminal is given back as it was found.

use std::time::{Duration, Instant};

use vt100::Screen;

use super::harness::{calls_of, example, footer, numbered, poll, wait_selected, watch};
use crate::common::{Key, Pty, process_state, text, wait_until};

/// What a way out is called, how it is taken, the exit code.
type Way = (&'static str, fn(&Pty), i32);
/// What a way to stop is called, how it is taken.
type Stop = (&'static str, fn(&Pty));

#[track_caller]
fn assert_taken(pty: &Pty) {
    assert!(!pty.is_as_found());
    pty.with_screen(|screen| {
        assert!(screen.alternate_screen() && screen.hide_cursor() && screen.bracketed_paste());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::PressRelease);
        assert_eq!(screen.mouse_protocol_encoding(), vt100::MouseProtocolEncoding::Sgr);
    });
}

#[track_caller]
fn assert_given_back(pty: &Pty) {
    assert!(pty.is_as_found());
    pty.with_screen(|screen| {
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste(), "{}", text(screen));
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_eq!(screen.mouse_protocol_encoding(), vt100::MouseProtocolEncoding::Default);
        assert_eq!((screen.fgcolor(), screen.bgcolor()), (vt100::Color::Default, vt100::Color::Default));
    });
}

#[test]
fn every_way_out_gives_the_terminal_back() {
    let server = example();
    let ways: [Way; 8] = [
        ("q", |pty| pty.key(Key::Char('q')), 0),
        ("Ctrl-C", |pty| pty.key(Key::Ctrl('c')), 0),
        ("TERM", |pty| pty.signal("TERM"), 143),
        ("INT", |pty| pty.signal("INT"), 130),
        ("HUP", |pty| pty.signal("HUP"), 129),
        ("Ctrl-C in help", |pty| pty.send("?\x03"), 0),
        ("q in a prompt, then Ctrl-C", |pty| pty.send("/q\x03"), 0),
        ("TERM in a prompt", open_prompt_and_end, 143),
    ];
    for (way, leave, code) in ways {
        let pty = poll(&server).pty(80, 24);
        wait_selected(&pty, "u:1000");
        assert_taken(&pty);
        leave(&pty);
        assert_eq!(pty.wait_exit(), code, "{way}");
        assert_given_back(&pty);
        assert_eq!(pty.screen().trim(), "", "{way} leaves nothing on the screen");
    }
}

fn open_prompt_and_end(pty: &Pty) {
    pty.send("/abc");
    pty.wait_for("the prompt", |screen| footer(screen).starts_with("/abc"));
    pty.signal("TERM");
}

#[test]
fn no_frame_comes_after_the_terminal_was_given_back() {
    let server = numbered(1_000, 1);
    for keys in 1..=40_usize {
        let pty = watch(&server, &["--watch", "poll", "--interval", "1h"]).pty(250, 100);
        wait_selected(&pty, "p1");
        // Each changes many cells, and the last frame may be on its way still when the end comes.
        for key in "?i".chars().cycle().take(keys % 5) {
            pty.key(Key::Char(key));
        }
        pty.key(Key::Ctrl('c'));
        pty.wait_exit();
        assert_given_back(&pty);
        assert_eq!(pty.screen().trim(), "", "after {keys} keys");
    }
}

#[test]
fn an_early_signal_finds_a_terminal_that_is_given_back() {
    let server = example();
    for name in ["TERM", "HUP", "INT"] {
        let pty = poll(&server).pty(80, 24);
        // As soon as anything has been written.
        pty.wait_for("the alternate screen", Screen::alternate_screen);
        pty.signal(name);
        assert!(pty.wait_exit() > 128);
        assert_given_back(&pty);
    }
}

#[test]
fn an_error_is_said_on_a_terminal_that_was_given_back() {
    let pty = crate::common::ranktop(&["demo"]).pty(100, 30);
    pty.wait_text("● live");
    assert_taken(&pty);
    // The keeper's child is the server.
    let servers: Vec<u32> = super::demo::children(pty.pid()).into_iter().flat_map(super::demo::children).collect();
    assert_eq!(servers.len(), 1);
    assert!(crate::common::signal(servers[0], "KILL"));
    assert_eq!(pty.wait_exit(), 1);
    assert_given_back(&pty);
    let screen = pty.screen();
    assert!(screen.contains("error: the demo cannot go on: ") && screen.contains("hint: "), "{screen}");
}

#[test]
fn stopped_and_gone_on_again() {
    let server = example();
    let stops: [Stop; 2] = [("Ctrl-Z", |pty| pty.key(Key::Ctrl('z'))), ("TSTP", |pty| pty.signal("TSTP"))];
    for (way, stop) in stops {
        let pty = poll(&server).pty(80, 24);
        wait_selected(&pty, "u:1000");
        pty.send("j");
        wait_selected(&pty, "u:1002");
        for _ in 0..2 {
            stop(&pty);
            wait_until(way, || process_state(pty.pid()) == Some('T'));
            pty.wait_for("the terminal to be given back", |screen| !screen.alternate_screen());
            assert_given_back(&pty);
            pty.resize(90, 20);
            pty.signal("CONT");
            pty.wait_for("the alternate screen", Screen::alternate_screen);
            wait_selected(&pty, "u:1002");
            pty.wait_for("the new size", |screen| footer(screen).ends_with("q quit"));
            assert_taken(&pty);
        }
        pty.send("j");
        wait_selected(&pty, "u:1001");
        pty.key(Key::Char('q'));
        assert_eq!(pty.wait_exit(), 0);
        assert_given_back(&pty);
    }
}

#[test]
fn a_terminal_that_takes_nothing_holds_up_no_key_and_no_signal() {
    for leave in ["q", "TERM"] {
        let server = numbered(20_000, 1);
        let pty = watch(&server, &["--watch", "poll", "--interval", "1h"]).pty(250, 100);
        wait_selected(&pty, "p1");
        pty.pause();
        // Each turn is read from the server, though its frame goes nowhere: together far more than buffers hold.
        for _ in 0..60 {
            let before = calls_of(&server, "zcard");
            pty.key(Key::PageDown);
            wait_until("the page to be read", || calls_of(&server, "zcard") > before);
        }
        let began = Instant::now();
        if leave == "q" {
            pty.send("q");
        } else {
            pty.signal("TERM");
        }
        wait_until("the end", || matches!(process_state(pty.pid()), None | Some('Z')));
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
        pty.resume();
        assert_eq!(pty.wait_exit(), if leave == "q" { 0 } else { 143 });
        assert!(pty.is_as_found());
    }
}

#[test]
fn a_blocked_terminal_is_up_to_date_when_it_goes_on() {
    let server = numbered(20_000, 1);
    let pty = watch(&server, &["--watch", "poll", "--interval", "1h"]).pty(250, 100);
    wait_selected(&pty, "p1");
    pty.pause();
    for _ in 0..60 {
        let before = calls_of(&server, "zcard");
        pty.key(Key::PageDown);
        wait_until("the page to be read", || calls_of(&server, "zcard") > before);
    }
    let sent = pty.bytes_written_by_program();
    pty.resume();
    pty.wait_for("the sixtieth page", |screen| footer(screen).starts_with("5,581–5,673 of 20,000"));
    let frames = pty.bytes_written_by_program() - sent;
    assert!(frames < 250_000, "frames that nobody could see are not sent: {frames} bytes");
}

#[test]
fn a_terminal_that_is_gone_ends_the_viewer() {
    // In the midst of whatever, and whether or not the server answers.
    for (open, is_stopped) in [("", false), ("?", false), ("/abc", false), ("", true), ("i", true)] {
        let server = example();
        let mut pty = poll(&server).pty(80, 24);
        wait_selected(&pty, "u:1000");
        if is_stopped {
            server.stop();
            pty.key(Key::PageDown);
        }
        pty.send(open);
        if !open.is_empty() {
            pty.wait_for("what was opened", |screen| !footer(screen).ends_with("q quit"));
        }
        let began = Instant::now();
        pty.hang_up();
        let code = pty.wait_exit();
        assert!([1, 129].contains(&code), "{open} {is_stopped}: {code}");
        assert!(began.elapsed() < Duration::from_secs(2), "{open} {is_stopped}: {:?}", began.elapsed());
        if is_stopped {
            server.cont();
        }
    }
}
