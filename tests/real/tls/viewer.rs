//! The viewer over TLS: live, told of changes, and honest about a server that nobody checked.

use super::{ANYBODY, BOARD, served, text};
use crate::common::{Key, Validity, ranktop};

#[test]
fn a_board_is_live_over_tls() {
    let (authority, server) = served(&["localhost"], Validity::Now, &ANYBODY);
    server.cmd(&["INCR", "b:version"]);
    let ca = authority.file();
    let program = ranktop(&[BOARD, "--url", &server.tls_url("localhost"), "--tls-ca", text(&ca), "--interval", "1h"]);
    let pty = program.pty(120, 24);
    pty.wait_text("● live");
    pty.wait_text("push");
    pty.wait_text("ada");
    assert!(!pty.screen().contains("TLS not verified"), "{}", pty.screen());
    // Within the hour only a push can tell.
    let mut change = redis::pipe();
    change.atomic().cmd("ZADD").arg(BOARD).arg(9).arg("grace").cmd("INCR").arg("b:version");
    change.query::<()>(&mut server.client()).unwrap();
    pty.wait_text("grace");
    pty.key(Key::Char('q'));
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn a_server_that_nobody_checked_is_told_all_the_time() {
    let (_, mut server) = served(&["a.example"], Validity::Past, &ANYBODY);
    let pty = ranktop(&[BOARD, "--url", &server.tls_url("localhost"), "--tls-insecure"]).pty(100, 24);
    pty.wait_text("● live");
    pty.wait_text("TLS not verified");
    pty.key(Key::Char('?'));
    pty.wait_text("down one row; at the bottom, the next page");
    assert!(pty.screen().contains("TLS not verified"), "{}", pty.screen());
    pty.key(Key::Char('?'));
    server.kill();
    pty.wait_text("reconnecting");
    assert!(pty.screen().contains("TLS not verified"), "{}", pty.screen());
    pty.resize(40, 10);
    pty.wait_for("the narrow screen", |screen| screen.size() == (10, 40));
    pty.wait_text("TLS not verified");
}

#[test]
fn a_certificate_that_is_not_trusted_is_told_with_what_to_do() {
    let (_, server) = served(&["localhost"], Validity::Now, &ANYBODY);
    let stranger = crate::common::Authority::new("a stranger");
    let program = ranktop(&[BOARD, "--url", &server.tls_url("localhost"), "--tls-ca", text(&stranger.file())]);
    let pty = program.pty(140, 24);
    pty.wait_text("is signed by no authority that is trusted here");
    pty.wait_text("hint: name the certificate of the authority that signed it with --tls-ca");
    pty.key(Key::Char('q'));
    assert_eq!(pty.wait_exit(), 0);
}
