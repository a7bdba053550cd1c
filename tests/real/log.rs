//! The built program's log: what is in it and how much of it, that it is a file of one's own, that the screen shows nothing
//! of it, and that no password ever stands there.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use crate::common::{Program, RedisServer, ranktop, text, wait_until};
use tempfile::TempDir;

struct Log {
    folder: TempDir,
}

impl Log {
    fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn to(&self, program: Program) -> Program {
        program.arg("--log-file").arg(self.path())
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    #[track_caller]
    fn assert_has(&self, words: &str) {
        let text = self.text();
        assert!(text.contains(words), "expected in the log: {words:?}\n{text}");
    }

    #[track_caller]
    fn assert_has_not(&self, words: &str) {
        let text = self.text();
        assert!(!text.contains(words), "expected not in the log: {words:?}\n{text}");
    }
}

fn server() -> RedisServer {
    let server = RedisServer::start();
    server.cmd(&["ZADD", "b", "1", "x", "2", "y"]);
    server
}

#[test]
fn each_v_says_more() {
    let server = server();
    for (verbosity, has, has_not) in [
        (&[][..], &[][..], "starts"),
        (
            &["-v"],
            &["INFO  starts", "arguments=page board=b", "setting url is unix://", "INFO  ends code=0"],
            "read rows",
        ),
        (&["-vv"], &["DEBUG read rows board=\"b\" took=", "rows=2 total=2"], "TRACE"),
        (&["-v", "-v"], &["DEBUG read rows"], "TRACE"),
    ] {
        let log = Log::new();
        let run = log.to(ranktop(&["page", "b", "--url", &server.url()]).args(verbosity)).run();
        run.assert_clean();
        for words in has {
            log.assert_has(words);
        }
        log.assert_has_not(has_not);
        // What is asked for by the file of settings is the same.
        let program = ranktop(&["page", "b", "--url", &server.url()]).args(verbosity);
        let settings = program.home().join("settings.toml");
        fs::write(&settings, "log-file = 'my.log'").unwrap();
        let my = program.home().join("my.log");
        let kept = program.arg("--config").arg(&settings).pty(80, 24);
        assert_eq!(kept.wait_exit(), 0);
        let text = fs::read_to_string(&my).unwrap();
        assert!(has.iter().all(|words| text.contains(words)) && !text.contains(has_not), "{text}");
    }
}

#[test]
fn failures_are_there_without_being_asked_for() {
    let log = Log::new();
    log.to(ranktop(&["page", "a\n\u{1b}[2Jb", "--url", &server().url()])).run().assert_code(3);
    let text = log.text();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains(r"ERROR ends: no board 'a\n\e[2Jb' at ") && text.contains("code=3"), "{text}");
    assert!(!text.trim_end().contains(|c: char| c.is_control()), "{text:?}");
}

#[test]
fn entries_are_appended_to_a_file_of_one_s_own() {
    let (server, log) = (server(), Log::new());
    for count in 1..=2 {
        log.to(ranktop(&["page", "b", "-v", "--url", &server.url()])).run().assert_clean();
        assert_eq!(log.text().matches(" starts ").count(), count);
    }
    assert_eq!(fs::metadata(log.path()).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_log_that_makes_no_sense_is_refused() {
    for args in [&["page", "b", "-v"][..], &["-v", "b"], &["b", "-vvv"], &["config", "--verbose"]] {
        let run = ranktop(args).run();
        run.assert_code(2)
            .assert_err_has("error: '-v' without a file to log to\nhint: name a file with '--log-file FILE'");
    }
    for path in ["/no/such/folder/log", "/"] {
        let run = ranktop(&["page", "b", "--log-file", path]).run();
        run.assert_code(2).assert_out("").assert_err_has(&format!("error: cannot log to '{path}': "));
    }
    ranktop(&["completions", "bash", "--log-file", "x"])
        .run()
        .assert_code(2)
        .assert_err_has("no effect with 'ranktop completions'");
}

#[test]
fn the_link_is_followed_and_the_screen_shows_nothing_of_it() {
    let (mut server, log) = (server(), Log::new());
    let pty = log.to(ranktop(&["b", "-vv", "--interval", "50ms", "--url", &server.url()])).pty(100, 20);
    pty.wait_text("● live");
    log.assert_has("INFO  connected pushes=");
    log.assert_has("INFO  the terminal is taken columns=100 lines=20");
    server.kill();
    pty.wait_text("connect");
    wait_until("the loss in the log", || log.text().contains("WARN  no connection reason="));
    server.restart();
    server.cmd(&["ZADD", "b", "7", "z"]);
    pty.wait_for("the board again", |screen| text(screen).contains("1 player"));
    assert!(log.text().matches("INFO  connected").count() >= 2);
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    log.assert_has("INFO  ends code=0");
    let bytes = pty.bytes();
    let shown = String::from_utf8_lossy(&bytes);
    for words in ["INFO", "DEBUG", "WARN", "pushes="] {
        assert!(!shown.contains(words), "{words}");
    }
}

#[test]
fn frames_are_logged_by_the_third_v_alone() {
    let server = server();
    for (verbosity, is_there) in [("-vv", false), ("-vvv", true)] {
        let log = Log::new();
        let pty = log.to(ranktop(&["b", verbosity, "--url", &server.url()])).pty(100, 20);
        pty.wait_text("● live");
        pty.send("q");
        assert_eq!(pty.wait_exit(), 0);
        assert_eq!(log.text().contains("TRACE drew a frame"), is_there, "{}", log.text());
    }
}

#[test]
fn lesser_means_are_told_with_what_is_wanting() {
    let (server, log) = (server(), Log::new());
    server.cmd(&["SET", "b:version", "7"]);
    server.cmd(&["ACL", "SETUSER", "viewer", "on", ">s3cret", "~b", "+@read"]);
    let program = ranktop(&["page", "b", "-v", "--user", "viewer", "--url", &server.url()]);
    log.to(program.env("RANKTOP_PASSWORD", "s3cret")).run().assert_code(0);
    log.assert_has("INFO  a script was refused board=\"b\"");
    log.assert_has("INFO  reading without transactions, which were refused board=\"b\"");
    log.assert_has("INFO  reading without the version, for want of rights key=\"b:version\"");
    log.assert_has("INFO  reading without the meta hash, for want of rights key=\"b:meta\"");
}

/// A server that wants `s3cret` as its password.
fn guarded(args: &[&str]) -> RedisServer {
    let server = RedisServer::start_tcp_with(args);
    server.cmd(&["ZADD", "b", "1", "x"]);
    server.cmd(&["ACL", "SETUSER", "me", "on", ">s3cret", "~*", "+@all"]);
    server
}

#[test]
fn no_password_ever_stands_in_the_log() {
    let server = guarded(&[]);
    let address = server.tcp_address();
    let url = |login: &str| format!("redis://{login}@{address}");
    let words = ["s3cret", "wr0ng", "s%33cret"];
    let plain = server.tcp_url();
    for (arguments, variables, code) in [
        (vec!["--url".to_owned(), url("me:s3cret")], vec![], 0),
        (vec!["--url".to_owned(), url("me:s%33cret")], vec![], 0),
        (vec!["-u".to_owned(), url("me:wr0ng")], vec![], 1),
        (vec![], vec![("RANKTOP_URL", url("me:s3cret"))], 0),
        (vec![], vec![("REDIS_URL", url("me:wr0ng"))], 1),
        (
            vec!["-u".to_owned(), plain.clone(), "--user=me".to_owned()],
            vec![("RANKTOP_PASSWORD", "s3cret".to_owned())],
            0,
        ),
        (
            vec!["-u".to_owned(), plain.clone(), "--user=me".to_owned()],
            vec![("RANKTOP_PASSWORD", "wr0ng".to_owned())],
            1,
        ),
        (vec!["-u".to_owned(), "redis:/:s3cret@h".to_owned()], vec![], 2),
        (vec!["-u".to_owned(), "s3cret".to_owned()], vec![], 2),
        (vec!["-u".to_owned(), "redis://:s3cret@h:port".to_owned()], vec![], 2),
        (vec![], vec![("RANKTOP_URL", "http://s3cret".to_owned())], 2),
    ] {
        let log = Log::new();
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let program = |words: &[&str]| {
            let program = ranktop(words).arg("-vvv").args(&arguments);
            log.to(variables.iter().fold(program, |program, (name, value)| program.env(name, value)))
        };
        program(&["page", "b"]).run().assert_code(code);
        if code != 2 {
            let pty = program(&["b"]).pty(100, 20);
            pty.wait_text(if code == 0 { "● live" } else { "WRONGPASS" });
            pty.send("q");
            assert_eq!(pty.wait_exit(), 0);
        }
        log.assert_has("starts");
        for word in words {
            log.assert_has_not(word);
        }
    }
    // A password of a file.
    let log = Log::new();
    let program = ranktop(&["page", "b", "-vvv", "--user", "me", "-u", &plain]);
    let file = program.home().join("password");
    fs::write(&file, "s3cret\n").unwrap();
    log.to(program.arg("--password-file").arg(&file)).run().assert_clean();
    log.assert_has_not("s3cret");
}

#[test]
fn a_server_that_repeats_a_password_is_not_quoted() {
    // A server that does not know a command answers with its arguments.
    let server = guarded(&["--rename-command", "AUTH", "", "--rename-command", "HELLO", ""]);
    let url = format!("redis://me:s3cret@{}", server.tcp_address());
    let log = Log::new();
    let run = log.to(ranktop(&["page", "b", "-vvv", "-u", &url])).run();
    run.assert_code(1).assert_err_has("login refused");
    assert!(!run.to_string().replace(&url, "").contains("s3cret"), "{run}");
    log.assert_has("login refused");
    log.assert_has_not("s3cret");
    let pty = log.to(ranktop(&["b", "-vvv", "-u", &url])).pty(100, 20);
    pty.wait_text("login refused");
    assert!(!pty.screen().contains("s3cret"), "{}", pty.screen());
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    log.assert_has_not("s3cret");
}
