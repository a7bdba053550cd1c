//! The distribution of a real board, on the screen.

use super::harness::{assert_only_reads, calls_of, footer, numbered, poll, put, remove, reset_calls, wait_selected};
use crate::common::{Key, text};

#[test]
fn it_is_shown_follows_the_board_and_the_selection_and_is_closed() {
    let server = numbered(1_000, 7);
    let pty = poll(&server).pty(100, 30);
    wait_selected(&pty, "p1");
    reset_calls(&server);
    pty.send("d");
    pty.wait_text("scores of 1,000 players");
    pty.wait_text("the top 1 % reach 9,910 · 10 % reach 9,010 · 25 % reach 7,510 · 50 % reach 5,010");
    let here = |screen: &vt100::Screen, member: &str| {
        let is_line = |line: &&str| line.ends_with(&format!("← {member}"));
        text(screen).lines().find(is_line).map(|line| line.split_whitespace().take(3).collect::<Vec<_>>().join(" "))
    };
    // 10 to 10,000 by tens, in bins of 500: each holds its lower bound, so the one of 10,000 has only that.
    pty.wait_for("p1 in the uppermost bin", |screen| here(screen, "p1").is_some_and(|line| line == "10,000 1 0.1"));
    assert_eq!(calls_of(&server, "exec"), 1, "one transaction");
    pty.send("j");
    pty.wait_for("p2 in the next", |screen| here(screen, "p2").is_some_and(|line| line == "9,500 10,000 50"));
    put(&server, &[("p500", 9_501.0), ("p501", 9_502.0)]);
    pty.wait_for("two more there", |screen| here(screen, "p2").is_some_and(|line| line == "9,500 10,000 52"));
    remove(&server, &["p1000"]);
    pty.wait_text("scores of 999 players");
    assert!(pty.screen().contains("v9"), "{}", pty.screen());
    for (columns, lines) in [(20, 6), (1, 1), (300, 80), (100, 30)] {
        pty.resize(columns, lines);
    }
    pty.wait_text("scores of 999 players");
    pty.wait_for("the way out", |screen| footer(screen).ends_with("Esc close"));
    pty.key(Key::Esc);
    wait_selected(&pty, "p2");
    pty.wait_for("the table", |screen| footer(screen).ends_with("q quit"));
    pty.key(Key::Char('q'));
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn counting_never_writes() {
    let server = numbered(50, 1);
    reset_calls(&server);
    let pty = poll(&server).pty(80, 24);
    wait_selected(&pty, "p1");
    pty.send("d");
    pty.wait_text("scores of 50 players");
    assert_only_reads(&server);
}
