//! The harness itself, tried on small real things, so that what it says of ranktop can be believed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crate::common::{Key, Program, Pty, RedisServer, process_state, ranktop};
use redis::Value;

fn sh(script: &str) -> Program {
    Program::new("sh", &["-c", script])
}

fn shell(script: &str) -> Pty {
    sh(script).pty(40, 5)
}

fn message(failing: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(failing)).unwrap_err();
    match payload.downcast_ref::<&str>() {
        Some(text) => (*text).to_owned(),
        None => payload.downcast_ref::<String>().unwrap().clone(),
    }
}

#[test]
fn the_terminal_shows_text_and_styles() {
    let pty = shell(
        "printf 'a \\033[1;38;2;229;192;123mgold\\033[0m \\033[2mdim\\033[0m\\r\\n\\033[7m r \\033[0m';
         printf '\\r\\n\\033[3;4;31;48;5;200m漢\\033[0m.\\033[s'; read line",
    );
    pty.wait_text(".");
    assert_eq!(pty.screen(), "a gold dim\n r\n漢.\n\n");
    assert_eq!(
        pty.styled_dump(),
        "a gold dim\n  ~ 3-6 bold fg=#e5c07b; 8-10 dim\n r\n  ~ 1-3 reverse\n\
         漢.\n  ~ 1-2 italic underline fg=1 bg=200\n\n\n"
    );
    pty.key(Key::Enter);
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn a_resize_reaches_the_program() {
    let pty = shell("stty size; while read line; do stty size; done");
    pty.wait_text("5 40");
    pty.resize(33, 7);
    pty.key(Key::Enter);
    pty.wait_text("7 33");
    assert_eq!(pty.with_screen(vt100::Screen::size), (7, 33));
    pty.resize(0, 0);
    pty.key(Key::Enter);
    pty.resize(20, 4);
    pty.key(Key::Enter);
    pty.wait_text("4 20");
    pty.key(Key::Ctrl('d'));
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn exit_codes_and_signals_come_back() {
    assert_eq!(shell("exit 7").wait_exit(), 7);
    let pty = shell("echo ready; read line");
    pty.wait_text("ready");
    pty.signal("TERM");
    assert_eq!(pty.wait_exit(), 143);
    // Without 'noflsh', the kernel throws away what is written while it handles Ctrl-C.
    let pty = shell("stty noflsh; trap 'echo caught; exit 5' INT; echo ready; while :; do read line; done");
    pty.wait_text("ready");
    pty.key(Key::Ctrl('c'));
    assert_eq!(pty.wait_exit(), 5);
    assert!(pty.screen().contains("caught"));
}

#[test]
fn what_is_typed_arrives_and_bytes_are_counted() {
    let pty = shell("stty raw -echo; printf 'ready\\r\\n'; head -c 7 | od -An -c; stty sane; read line");
    pty.wait_text("ready");
    assert!(!pty.is_as_found());
    assert_eq!(pty.bytes_written_by_program(), 7);
    pty.key(Key::PageDown);
    pty.key(Key::Char('ж'));
    pty.key(Key::Ctrl('c'));
    pty.wait_text("033   [   6   ~ 320 266 003");
}

#[test]
fn the_terminals_settings_tell_whether_it_was_restored() {
    let pty = shell("old=$(stty -g); stty raw; stty \"$old\"");
    pty.wait_exit();
    assert!(pty.is_as_found());
    let pty = shell("stty -echo");
    pty.wait_exit();
    assert!(!pty.is_as_found());
}

#[test]
fn the_terminal_answers_what_it_is_asked() {
    let pty = shell(
        "stty raw -echo; printf '\\r\\n ab\\033[6n'; head -c 6 | od -An -c;
         printf '\\r\\033[c'; head -c 7 | od -An -c; stty sane; read line",
    );
    pty.wait_text("033   [   2   ;   4   R");
    pty.wait_text("033   [   ?   1   ;   2   c");
}

#[test]
fn a_wait_in_vain_shows_the_screen() {
    let pty = shell("echo something else; exit 3");
    let message = message(|| pty.wait_text("the wanted"));
    for part in ["the wanted", "something else", "exit code 3", "40x5"] {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
    assert_eq!(pty.wait_exit(), 3);
}

#[test]
fn a_terminal_that_hangs_up_ends_the_program() {
    let mut pty = shell("stty raw -echo; trap '' INT; echo ready; exec cat >/dev/null");
    pty.wait_text("ready");
    pty.hang_up();
    assert_eq!(pty.wait_exit(), 129);
}

#[test]
fn a_dropped_terminal_leaves_no_process() {
    let pty = shell("trap '' TERM HUP; sleep 1000 & echo child=$!=; wait; wait");
    pty.wait_text("child=");
    let screen = pty.screen();
    let child = screen.split('=').nth(1).unwrap().parse().unwrap();
    let pid = pty.pid();
    assert!(process_state(pid).is_some() && process_state(child).is_some());
    drop(pty);
    assert_eq!(process_state(pid), None);
    // Whoever adopts the orphan reaps it in its own time; a zombie runs no more.
    crate::common::wait_until("the orphan's end", || matches!(process_state(child), None | Some('Z')));
}

#[test]
fn a_program_sees_nothing_of_the_users_settings() {
    let run = sh("env | cut -d= -f1 | sort; ls -A \"$HOME\"; cat").stdin("in").run();
    run.assert_clean();
    let ours = ["COLORTERM", "HOME", "LANG", "PATH", "TERM", "TZ", "XDG_CONFIG_HOME", "in"];
    let shells = ["PWD", "OLDPWD", "SHLVL", "_", "TMPDIR"];
    let seen: Vec<_> = run.out().lines().filter(|name| !shells.contains(name)).collect();
    assert_eq!(seen, ours);
    let pty = sh("env | grep -c -e CARGO -e USER; echo \"$EXTRA\"").env("EXTRA", "told").pty(20, 5);
    pty.wait_exit();
    assert_eq!(pty.screen(), "0\ntold\n\n\n");
}

#[test]
fn a_run_returns_output_messages_and_code() {
    let run = sh("echo '{\"a\": 1}'; echo bad >&2; exit 4").run();
    run.assert_code(4).assert_err_has("bad").assert_out("{\"a\": 1}\n");
    assert_eq!(run.json()["a"], 1);
    sh("kill -TERM $$").run().assert_code(143);
    let message = message(|| {
        run.assert_code(0);
    });
    for part in ["exit code 0", "exit code 4", "{\"a\": 1}", "bad", "sh -c"] {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
}

#[test]
fn the_built_program_is_found() {
    let run = ranktop(&["--help"]).run();
    assert!(run.code == 0, "{run}");
}

#[test]
fn a_server_is_private_and_takes_bytes() {
    let one = RedisServer::start();
    let other = RedisServer::start_with(&["--maxmemory", "64mb"]);
    let member: &[u8] = b"\x00\xff\r\n";
    let add: [&[u8]; 4] = [b"ZADD", b"b", b"1.5", member];
    assert_eq!(one.cmd(&add), Value::Int(1));
    let rows = one.cmd(&["ZRANGE", "b", "0", "-1"]);
    assert_eq!(rows, Value::Array(vec![Value::BulkString(member.into())]));
    assert_eq!(other.cmd(&["DBSIZE"]), Value::Int(0));
    let maximum: Vec<String> = redis::cmd("CONFIG").arg(&["GET", "maxmemory"]).query(&mut other.client()).unwrap();
    assert_eq!(maximum, ["maxmemory", "67108864"]);
    assert!(one.url().starts_with("unix:///"));
    let message = message(|| {
        one.cmd(&["GET", "b"]);
    });
    assert!(message.starts_with("GET b: ") && message.contains("WRONGTYPE"), "{message}");
}

#[test]
fn a_server_restarts_empty_at_the_same_addresses() {
    let mut server = RedisServer::start_tcp();
    let (url, address, pid) = (server.url(), server.tcp_address(), server.pid());
    server.cmd(&["SET", "k", "v"]);
    server.kill();
    assert!(std::net::TcpStream::connect(&address).is_err());
    server.restart();
    assert_eq!((server.url(), server.tcp_address()), (url, address));
    assert_ne!(server.pid(), pid);
    let mut over_tcp = redis::Client::open(server.tcp_url()).unwrap();
    assert_eq!(redis::cmd("GET").arg("k").query::<Value>(&mut over_tcp).unwrap(), Value::Nil);
}

#[test]
fn a_stopped_server_answers_when_it_goes_on() {
    let server = RedisServer::start();
    let client = server.client();
    server.stop();
    assert_eq!(process_state(server.pid()), Some('T'));
    assert!(message(|| drop(server.client())).contains("stopped"));
    let waiting = thread::spawn(move || {
        let mut client = client;
        redis::cmd("PING").query::<Value>(&mut client).unwrap()
    });
    server.cont();
    assert_eq!(waiting.join().unwrap(), Value::SimpleString("PONG".into()));
    assert_ne!(process_state(server.pid()), Some('T'));
}

#[test]
fn output_on_the_smallest_screens_does_no_harm() {
    for (columns, rows) in [(0, 0), (1, 1), (1, 9), (9, 1)] {
        let pty = sh("stty size; printf 'long 漢字\\033[9;9H漢\\r\\n漢'; exit 6").pty(columns, rows);
        assert_eq!(pty.wait_exit(), 6, "{columns}x{rows}");
    }
}

#[test]
fn a_server_that_asks_for_a_password_counts_as_ready() {
    let server = RedisServer::start_with(&["--requirepass", "secret"]);
    let refused = server.try_cmd(&["PING"]).unwrap_err();
    assert_eq!(refused.code(), Some("NOAUTH"));
}

#[test]
fn a_server_that_cannot_start_shows_its_log() {
    let message = message(|| {
        RedisServer::start_with(&["--loadmodule", "/there/is/none.so"]);
    });
    assert!(message.contains("/there/is/none.so"), "{message}");
}

#[test]
fn a_dropped_server_leaves_no_process_and_no_files() {
    let server = RedisServer::start();
    let (pid, socket) = (server.pid(), server.socket());
    assert!(process_state(pid).is_some() && socket.exists());
    server.stop();
    drop(server);
    assert_eq!(process_state(pid), None);
    assert!(!socket.parent().unwrap().exists());
}
