//! Keys as terminals, networks and newer protocols bring them: byte by byte, with releases, in the forms of the kitty
//! protocol.

use super::harness::{footer, numbered, poll, ranks, wait_selected};
use crate::common::{Key, Pty};

fn opened() -> (crate::common::RedisServer, Pty) {
    let server = numbered(200, 1);
    let pty = poll(&server).pty(80, 24);
    wait_selected(&pty, "p1");
    (server, pty)
}

/// Sends each byte by itself.
fn send_apart(pty: &Pty, bytes: &[u8]) {
    for byte in bytes {
        pty.send([*byte]);
    }
}

#[test]
fn a_key_that_comes_byte_by_byte_is_one_key() {
    let (_server, pty) = opened();
    for (bytes, member) in [
        (&b"\x1b[B"[..], "p2"),
        (b"\x1b[B", "p3"),
        (b"\x1bOB", "p4"),
        (b"\x1b[A", "p3"),
        (b"\x1b[6~", "p20"),
        (b"\x1b[5~", "p3"),
        (b"\x1b[F", "p200"),
        (b"\x1b[H", "p1"),
    ] {
        send_apart(&pty, bytes);
        wait_selected(&pty, member);
    }
    // Within a prompt it neither closes it nor is it text.
    pty.send("/");
    pty.wait_for("the prompt", |screen| footer(screen).starts_with("/ an id or a part of a name"));
    send_apart(&pty, b"\x1b[B");
    pty.send("p7");
    pty.wait_for("what was typed alone", |screen| footer(screen).starts_with("/p7") && !footer(screen).contains("[B"));
    // And Esc is Esc.
    pty.key(Key::Esc);
    pty.wait_for("the table", |screen| footer(screen).ends_with("q quit"));
}

#[test]
fn an_escape_with_something_else_behind_it_is_both() {
    let (_server, pty) = opened();
    pty.send("?");
    pty.wait_text("down one row; at the bottom, the next page");
    send_apart(&pty, b"\x1b");
    pty.wait_for("the table", |screen| footer(screen).ends_with("q quit"));
    pty.send("j");
    wait_selected(&pty, "p2");
}

#[test]
fn releases_do_nothing_and_repeats_are_presses() {
    let (_server, pty) = opened();
    // Down: pressed, repeated, released; then j in the same ways.
    for (event, member) in [(":1", "p2"), (":2", "p3"), (":3", "p3")] {
        pty.send(format!("\x1b[1;1{event}B"));
        wait_selected(&pty, member);
    }
    for (event, member) in [("", "p4"), (":1", "p5"), (":2", "p6"), (":3", "p6")] {
        pty.send(format!("\x1b[106;1{event}u"));
        wait_selected(&pty, member);
    }
    // What was released is in the past once a later key has been answered.
    pty.send("\x1b[113;1:3u\x1b[57441;2u\x1b[57441;1:3u?");
    pty.wait_text("down one row; at the bottom, the next page");
    pty.send("\x1b[27u");
    pty.wait_for("the table", |screen| footer(screen).ends_with("q quit"));
    wait_selected(&pty, "p6");
    pty.send("\x1b[99;5u");
    assert_eq!(pty.wait_exit(), 0, "Ctrl-C");
}

#[test]
fn a_paste_that_comes_in_pieces_is_text() {
    let (_server, pty) = opened();
    pty.send("\x1b[200~jjq");
    pty.send("\nq\x1b[B");
    pty.send("\x1b[201~");
    pty.send("j");
    wait_selected(&pty, "p2");
    assert_eq!(pty.with_screen(ranks).len(), 17);
}
