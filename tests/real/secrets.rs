//! Passwords: each way to give one works, whatever is in it, and wherever it comes from it is never shown again: not on
//! the screen, not in the window's title, not in a message.

use std::fs;
use std::net::TcpListener;

use crate::common::{Key, Program, Pty, RedisServer, ranktop};

/// Every character that means something in a URL, and what must not be cut from the end.
const PASSWORD: &str = "#p@%/:?41x&";
/// As a URL has it.
const ENCODED: &str = "%23p%40%25%2F%3A%3F41x%26";
/// A wrong one of the same kind.
const WRONG: &str = "#wr0ng@%/:?42y&";
const WRONG_ENCODED: &str = "%23wr0ng%40%25%2F%3A%3F42y%26";

const BOARD: &str = "b";

fn server() -> RedisServer {
    let server = RedisServer::start_tcp();
    server.cmd(&["ZADD", BOARD, "7", "ada"]);
    server.cmd(&["CONFIG", "SET", "requirepass", PASSWORD]);
    server
}

fn page(url: &str) -> Program {
    ranktop(&["page", BOARD, "--url", url])
}

fn watch(url: &str) -> Program {
    ranktop(&[BOARD, "--url", url])
}

/// None of the passwords, in either form, nor a good part of one, is in what was written.
#[track_caller]
fn assert_unsaid(written: &[u8]) {
    let text = String::from_utf8_lossy(written);
    for secret in [PASSWORD, ENCODED, WRONG, WRONG_ENCODED, "p@%", "p%40", "wr0ng", "41x", "42y"] {
        assert!(!text.contains(secret), "'{secret}' was shown:\n{text}");
    }
}

/// The program's output, which says none of the passwords.
#[track_caller]
fn run(program: Program, code: i32) -> String {
    let run = program.run();
    run.assert_code(code);
    assert_unsaid(&run.stdout);
    assert_unsaid(&run.stderr);
    format!("{}{}", run.out(), run.err())
}

#[track_caller]
fn leave(pty: &Pty) {
    pty.key(Key::Char('q'));
    assert_eq!(pty.wait_exit(), 0);
    assert_unsaid(&pty.bytes());
}

/// The four ways to give `password`, which a URL has as `encoded`.
fn ways(start: fn(&str) -> Program, server: &RedisServer, (password, encoded): (&str, &str)) -> Vec<Program> {
    let url = server.tcp_url();
    let in_url = url.replace("redis://", &format!("redis://:{encoded}@"));
    let with_file = start(&url);
    let file = with_file.home().join("password");
    fs::write(&file, format!("{password}\nmore\n")).unwrap();
    vec![
        start(&in_url),
        start(&url).env("RANKTOP_PASSWORD", password),
        with_file.args(&["--password-file", file.to_str().unwrap()]),
        start(&url)
            .env("RANKTOP_URL", "redis://127.0.0.1:1")
            .env("REDIS_URL", &in_url)
            .env("RANKTOP_PASSWORD", password),
    ]
}

#[test]
fn each_way_to_give_a_password_works() {
    let server = server();
    for program in ways(page, &server, (PASSWORD, ENCODED)) {
        assert!(run(program, 0).contains("ada"));
    }
    for program in ways(watch, &server, (PASSWORD, ENCODED)) {
        let pty = program.pty(120, 24);
        pty.wait_text("ada");
        leave(&pty);
    }
}

#[test]
fn a_wrong_one_is_refused_and_not_repeated() {
    let server = server();
    for program in ways(page, &server, (WRONG, WRONG_ENCODED)) {
        let said = run(program, 1);
        assert!(said.contains("login refused") && said.contains("--password-file"), "{said}");
    }
    for program in ways(watch, &server, (WRONG, WRONG_ENCODED)) {
        let pty = program.pty(140, 24);
        pty.wait_text("login refused: WRONGPASS");
        leave(&pty);
    }
    let none = run(page(&server.tcp_url()), 1);
    assert!(none.contains("login refused: NOAUTH"), "{none}");
}

#[test]
fn a_password_is_asked_for_without_being_shown() {
    let server = server();
    for (password, wanted) in [(PASSWORD, "ada"), (WRONG, "login refused")] {
        for program in [page(&server.tcp_url()), watch(&server.tcp_url())] {
            let pty = program.args(&["--ask-password"]).pty(140, 24);
            pty.wait_text("Password:");
            pty.wait_unechoed();
            pty.send(format!("{password}\r"));
            pty.wait_bytes(wanted, wanted.as_bytes());
            pty.key(Key::Char('q'));
            pty.wait_exit();
            assert_unsaid(&pty.bytes());
        }
    }
}

#[test]
fn a_user_of_ones_own_has_a_password_too() {
    let server = server();
    let mut client = redis::Client::open(server.url()).unwrap().get_connection().unwrap();
    redis::cmd("AUTH").arg(PASSWORD).exec(&mut client).unwrap();
    redis::cmd("ACL").arg(&["SETUSER", "viewer", "on", ">other/secret", "~*", "+@read"]).exec(&mut client).unwrap();
    let program = page(&server.tcp_url()).args(&["--user", "viewer"]).env("RANKTOP_PASSWORD", "other/secret");
    assert!(run(program, 0).contains("ada"));
    let said = run(page(&server.tcp_url()).args(&["--user", "viewer"]).env("RANKTOP_PASSWORD", WRONG), 1);
    assert!(said.contains("login refused"), "{said}");
}

#[test]
fn no_message_about_an_address_repeats_its_password() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = listener.local_addr().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("s");
    for (url, code) in [
        // Not reached, in each phase.
        (format!("redis://:{ENCODED}@127.0.0.1:1"), 1),
        (format!("redis://:{ENCODED}@{}", "a".repeat(64)), 1),
        (format!("redis://:{ENCODED}@{silent}"), 1),
        (format!("rediss://:{ENCODED}@{silent}"), 1),
        (format!("unix://{}?pass={ENCODED}", nowhere.display()), 1),
        // Not an address: the password is not written as it has to be in a URL, or all is wrong.
        (format!("redis://:{PASSWORD}@127.0.0.1:1"), 2),
        ("redis://p@%/:@127.0.0.1:1".to_owned(), 2),
        ("redis://ada:41x/@127.0.0.1:1".to_owned(), 2),
        ("redis://ada:41?42y@127.0.0.1:1".to_owned(), 2),
        ("redis://ada:41#42y@127.0.0.1:1".to_owned(), 2),
        (format!("redis://:{ENCODED}@127.0.0.1:wrong"), 2),
        (format!("redis://:{ENCODED}@127.0.0.1:1/wrong"), 2),
        (format!("http://:{ENCODED}@127.0.0.1:1"), 2),
        (format!(":{ENCODED}@127.0.0.1:1"), 2),
    ] {
        let limits = ["--connect-timeout", "200ms", "--timeout", "200ms"];
        for program in [page(&url), ranktop(&["page", BOARD]).env("RANKTOP_URL", &url)] {
            run(program.args(&limits), code);
        }
        // Misplaced, it is quoted: but not all of it.
        run(ranktop(&["page", BOARD, &url]), 2);
        run(ranktop(&["page", BOARD, "--size", &url]), 2);
    }
}

#[test]
fn a_file_without_a_password_names_the_file_only() {
    let missing = page("redis://127.0.0.1:1").args(&["--password-file", "/nowhere/password"]);
    assert!(run(missing, 2).contains("cannot read the password from '/nowhere/password'"));
}
