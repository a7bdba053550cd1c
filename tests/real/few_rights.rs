//! A user who may run the two commands that a window needs, and nothing else.

use crate::common::{Key, RedisServer, ranktop};

const BOARD: &str = "lb:{few}:now";

fn served(rights: &[&str]) -> (RedisServer, String) {
    let server = RedisServer::start_tcp();
    for number in 0..30 {
        server.cmd(&["ZADD", BOARD, &(number / 3).to_string(), &format!("m{number:02}")]);
    }
    server.cmd(&["PEXPIRE", BOARD, "90000000"]);
    server.cmd(&[&["ACL", "SETUSER", "few", "on", ">secret", "~*", "+zcard", "+zrevrange"], rights].concat());
    let url = format!("redis://few:secret@{}", server.tcp_address());
    (server, url)
}

#[test]
fn the_table_shows_and_the_line_that_allows_more_is_told() {
    let (server, url) = served(&[]);
    let run = ranktop(&["page", BOARD, "--url", &url, "--format", "json", "--size", "2"]).run();
    run.assert_code(0);
    let page = run.json();
    assert_eq!(
        (&page["total"], &page["rows"][0]["member"], &page["rows"][1]["tied"]),
        (&30.into(), &"m29".into(), &3.into())
    );
    assert!(page["ttl_ms"].is_null() && page["version"].is_null() && page["verified"] == false, "{page}");

    let pty = ranktop(&[BOARD, "--url", &url]).pty(120, 36);
    pty.wait_text("m29");
    pty.wait_text("no scripts, no transactions: two trips a page, unverified");
    assert!(!pty.screen().contains("expires"), "{}", pty.screen());
    pty.key(Key::Char('i'));
    pty.wait_text("no PTTL: the expiry is unknown; ACL SETUSER <user> +pttl allows it");
    pty.key(Key::Ctrl('c'));
    assert_eq!(pty.wait_exit(), 0);

    // The line does what it says.
    server.cmd(&["ACL", "SETUSER", "few", "+pttl"]);
    let run = ranktop(&["page", BOARD, "--url", &url, "--format", "json"]).run();
    run.assert_code(0);
    assert!(run.json()["ttl_ms"].as_u64().is_some_and(|ttl| ttl > 80_000_000), "{run}");
}
