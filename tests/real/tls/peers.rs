//! Ports that are not what the URL says, and peers that say nothing: each ends within its limit, with its phase and the
//! likely cause.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use super::{ANYBODY, BOARD, page, served, text};
use crate::common::{Program, RedisServer, Validity, ranktop};

/// Short, for it is waited for.
const LIMIT: [&str; 2] = ["--connect-timeout", "300ms"];
/// How much longer than its limits a run may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(5);

/// A peer that does `what` with whoever connects; its port.
fn peer(what: impl Fn(TcpStream) + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || listener.incoming().for_each(|stream| what(stream.unwrap())));
    port
}

/// A peer that answers the first bytes with `words`, and closes once the other end does.
fn speaking(words: &'static [u8]) -> u16 {
    peer(move |mut stream| {
        let mut space = [0; 4096];
        if stream.read(&mut space).is_ok_and(|read| read > 0) {
            stream.write_all(words).ok();
            while stream.read(&mut space).is_ok_and(|read| read > 0) {}
        }
    })
}

/// The message of a run that fails, within its limits.
#[track_caller]
fn message(program: Program) -> String {
    let began = Instant::now();
    let run = program.args(&LIMIT).run();
    assert!(began.elapsed() < PATIENCE, "{:?}\n{run}", began.elapsed());
    run.assert_code(1).assert_out("");
    assert_eq!(run.err().lines().count(), 2, "{run}");
    run.err().to_owned()
}

fn page_of(url: &str) -> Program {
    ranktop(&["page", BOARD, "--url", url])
}

/// With a login to do, so that the login is a phase of its own.
fn page_with_login(url: &str) -> Program {
    page_of(url).env("RANKTOP_PASSWORD", "secret")
}

#[test]
fn tls_to_a_plain_port() {
    let server = RedisServer::start_tcp();
    let message = message(page_of(&server.tls_url("127.0.0.1")).args(&["--tls-insecure"]));
    assert!(message.contains("it may be a plain port") && message.contains("try redis://"), "{message}");
}

#[test]
fn plain_to_a_tls_port() {
    let (authority, server) = served(&["localhost"], Validity::Now, &ANYBODY);
    let url = server.tcp_url();
    for program in [page_of(&url), page_with_login(&url)] {
        let message = message(program);
        assert!(message.contains("TLS port") && message.contains("try rediss://"), "{message}");
    }
    let pty = ranktop(&[BOARD, "--url", &url]).pty(160, 24);
    pty.wait_text("TLS port; try rediss://");
    // The server is well.
    super::assert_page(&page(&server.tls_url("localhost"), &["--tls-ca", text(&authority.file())]));
}

#[test]
fn a_peer_that_speaks_something_else() {
    for (words, part) in [
        (b"-ERR unknown command\r\n".as_slice(), "the port answers, but not in TLS"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "the port answers, but not in TLS"),
        // A fatal alert: protocol version.
        (b"\x15\x03\x01\x00\x02\x02\x46", "the server does not speak TLS 1.2 or 1.3"),
    ] {
        let message = message(page_of(&format!("rediss://127.0.0.1:{}", speaking(words))).args(&["--tls-insecure"]));
        assert!(message.contains(part), "{message}");
    }
    for (words, part) in [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n".as_slice(), "another kind of server"),
        (b"\x15\x03\x01\x00\x02\x02\x46", "it is a TLS port; try rediss://"),
    ] {
        let url = format!("redis://127.0.0.1:{}", speaking(words));
        for program in [page_of(&url), page_with_login(&url)] {
            let message = message(program);
            assert!(message.contains(part), "{message}");
        }
    }
}

#[test]
fn a_peer_that_stays_silent_is_told_by_phase() {
    // Never accepted, yet connected: the kernel does that.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let tls = message(page_of(&format!("rediss://127.0.0.1:{port}")).args(&["--tls-insecure"]));
    assert!(tls.contains("did not answer in TLS within 300ms"), "{tls}");
    let login = message(page_with_login(&format!("redis://127.0.0.1:{port}")));
    assert!(login.contains("no answer to the login within 300ms"), "{login}");
    let pty = ranktop(&[BOARD, "--url", &format!("redis://127.0.0.1:{port}")]).args(&LIMIT).pty(160, 24);
    pty.wait_text("no answer to the login within 300ms");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn a_peer_that_closes_is_told_by_phase() {
    let closing = || {
        peer(|mut stream| {
            // Read first: else what was sent would reset the connection.
            let _ = stream.read(&mut [0; 4096]);
        })
    };
    let tls = message(page_of(&format!("rediss://127.0.0.1:{}", closing())).args(&["--tls-insecure"]));
    assert!(tls.contains("closed the connection during the TLS handshake"), "{tls}");
    let login = message(page_with_login(&format!("redis://127.0.0.1:{}", closing())));
    assert!(login.contains("closed the connection before it said a word"), "{login}");
}

#[test]
fn an_address_that_leads_nowhere() {
    let name = "a".repeat(64);
    let unknown = message(page_of(&format!("redis://{name}")));
    assert!(unknown.contains(&format!("unknown host '{name}'")), "{unknown}");
    let refused = message(page_of("redis://127.0.0.1:1"));
    assert!(refused.contains("connection refused: nothing listens there"), "{refused}");
    let socket = message(page_of("unix:///nowhere/s"));
    assert!(socket.contains("there is no such socket"), "{socket}");
}

#[test]
fn a_database_that_is_not_there_is_named() {
    let server = RedisServer::start_tcp();
    let run = page_of(&format!("{}/99", server.tcp_url())).run();
    run.assert_code(1).assert_err_has("it refuses database 99, named in the URL: DB index is out of range");
    let pty = ranktop(&[BOARD, "--url", &format!("{}/99", server.tcp_url())]).pty(160, 24);
    pty.wait_text("it refuses database 99");
}
