//! The built program's `boards` on a real server: what is a board, what is told of it, and that the search asks little of
//! the server and finds every board while others write.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

use crate::common::{Key, Program, RedisServer, ranktop, wait_until};
use serde_json::{Value, json};

/// `ranktop boards` with these arguments.
fn boards(server: &RedisServer, args: &[&str]) -> Program {
    ranktop(&["boards"]).args(args).env("RANKTOP_URL", server.url())
}

/// The keys that are listed, in the order in which they are.
#[track_caller]
fn listed(server: &RedisServer, pattern: &[&str]) -> Vec<Value> {
    let run = boards(server, &["--format", "json"]).args(pattern).run();
    run.assert_code(0);
    run.json().as_array().unwrap().iter().map(|board| board["board"].clone()).collect()
}

fn zadd(server: &RedisServer, key: impl AsRef<[u8]>) {
    server.cmd(&[b"ZADD", key.as_ref(), b"1", b"m"]);
}

#[test]
fn the_shape_to_the_letter() {
    let server = RedisServer::start();
    for key in ["lb:{spring}:2026-W41", "lb:{spring}:2026-W41:frozen:1284", "plain"] {
        zadd(&server, key);
    }
    zadd(&server, b"\xff\0b");
    server.cmd(&["ZADD", "plain", "2", "n"]);
    server.cmd(&["SET", "lb:{spring}:2026-W41:version", "1284"]);
    server.cmd(&["SET", "lb:{spring}:2026-W41:frozen:1284:version", "1284"]);
    server.cmd(&[b"SET".as_slice(), b"plain:version", b"\xff"]);
    server.cmd(&["HSET", "lb:{spring}:2026-W41:meta", "state", "closing", "title", "Spring"]);
    boards(&server, &["--format", "json"]).run().assert_clean().assert_out(concat!(
        r#"[{"board":"lb:{spring}:2026-W41","total":1,"version":"1284","state":"closing","ttl_ms":null,"period":"2026-W41"},"#,
        r#"{"board":"lb:{spring}:2026-W41:frozen:1284","total":1,"version":"1284","state":null,"ttl_ms":null,"period":null},"#,
        r#"{"board":"plain","total":2,"version":{"base64":"/w=="},"state":null,"ttl_ms":null,"period":null},"#,
        r#"{"board":{"base64":"/wBi"},"total":1,"version":null,"state":null,"ttl_ms":null,"period":null}]"#,
        "\n"
    ));
    boards(&server, &[]).run().assert_clean().assert_out(concat!(
        "  BOARD                             PLAYERS  VERSION  STATE    EXPIRES  PERIOD\n",
        "  lb:{spring}:2026-W41                    1     1284  closing  never    2026-W41\n",
        "  lb:{spring}:2026-W41:frozen:1284        1     1284  -        never    -\n",
        "  plain                                   2     \\xff  -        never    -\n",
        "  \\xff\\x00b                               1        -  -        never    -\n",
        "4 boards · 8 keys looked at\n",
    ));

    server.cmd(&["PEXPIRE", "plain", "90000000"]);
    let run = boards(&server, &["plain", "--format", "json"]).run();
    let left = run.json()[0]["ttl_ms"].as_u64().unwrap();
    assert!((80_000_000..=90_000_000).contains(&left), "{run}");
    boards(&server, &["plain"]).run().assert_out_has("  in 1 day ");
}

#[test]
fn what_is_no_board_is_not_listed_and_misplaced_companions_are_as_good_as_none() {
    let server = RedisServer::start();
    for key in ["b", "b:names", "b:meta", "other:version", ":version"] {
        zadd(&server, key);
    }
    server.cmd(&["RPUSH", "b:version", "1"]);
    server.cmd(&["SET", "string", "1"]);
    server.cmd(&["HSET", "hash", "f", "v"]);
    server.cmd(&["SADD", "set", "m"]);
    let none = json!({"total":1,"version":null,"state":null,"ttl_ms":null,"period":null});
    let board = |key: &str| {
        let mut board = none.clone();
        board["board"] = key.into();
        board
    };
    let run = boards(&server, &["--format", "json"]).run();
    run.assert_clean();
    // A suffix alone is nobody's companion.
    assert_eq!(run.json(), json!([board(":version"), board("b")]));
    // Where companions are elsewhere, they are read there.
    server.cmd(&["SET", "v/b", "7"]);
    server.cmd(&["HSET", "m/b", "state", "open"]);
    let run =
        boards(&server, &["b", "--format", "json", "--version-key", "v/<board>", "--meta-key", "m/<board>"]).run();
    assert_eq!((&run.json()[0]["version"], &run.json()[0]["state"]), (&json!("7"), &json!("open")), "{run}");
    boards(&server, &["--version-key", "<x>"]).run().assert_code(2).assert_err_has("--version-key");
}

#[test]
fn a_pattern_is_a_glob_and_names_may_hold_its_characters() {
    let server = RedisServer::start();
    for key in ["a*b", "axb", "[x]", "x", "a\\b", "-7"] {
        zadd(&server, key);
    }
    assert_eq!(listed(&server, &["a*b"]), ["a*b", "a\\b", "axb"]);
    assert_eq!(listed(&server, &["a\\*b"]), ["a*b"]);
    assert_eq!(listed(&server, &["a\\\\b"]), ["a\\b"]);
    assert_eq!(listed(&server, &["[x]"]), ["x"]);
    assert_eq!(listed(&server, &["\\[x\\]"]), ["[x]"]);
    assert_eq!(listed(&server, &["--", "-?"]), ["-7"]);
    assert_eq!(listed(&server, &[]), ["-7", "[x]", "a*b", "a\\b", "axb", "x"]);
    zadd(&server, b"\xffk");
    let run = boards(&server, &["--format", "json"]).arg(OsStr::from_bytes(b"\xff?")).run();
    assert_eq!(run.json()[0]["board"], json!({"base64":"/2s="}), "{run}");
}

#[test]
fn where_there_are_none_the_list_is_empty_and_a_hint_says_why() {
    let server = RedisServer::start();
    let run = boards(&server, &["--format", "json"]).run();
    run.assert_code(0).assert_out("[]\n").assert_err_has("hint: this database has no board");
    let run = boards(&server, &["lb:\x1b*"]).run();
    run.assert_code(0).assert_out("0 boards · 0 keys looked at\n").assert_err_has("hint: no board matches 'lb:\\e*'");
    ranktop(&[]).run().assert_code(2).assert_err_has("ranktop boards");
}

/// Fills the server with `count` keys that are no boards.
fn populate(client: &mut redis::Connection, count: u32) {
    let script = "for i = 1, ARGV[1] do redis.call('set', 'k:' .. i, i) end";
    redis::cmd("EVAL").arg(script).arg(0).arg(count).exec(client).unwrap();
}

#[test]
fn forty_boards_among_200_000_keys_while_keys_come_and_go() {
    const KEYS: u32 = 200_000;
    const AT_ONCE: u32 = 1_000;
    let server = RedisServer::start();
    populate(&mut server.client(), KEYS);
    let keys: BTreeSet<String> = (0..40).map(|number| format!("lb:{{g{number}}}:2026-10")).collect();
    for key in &keys {
        zadd(&server, key);
        server.cmd(&["SET", &format!("{key}:version"), "3"]);
    }
    let (rounds, is_over) = (AtomicU32::new(0), AtomicBool::new(false));
    let mut client = server.client();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::SeqCst) {
                for first in (1..=KEYS).step_by(AT_ONCE as usize) {
                    let mut unlink = redis::cmd("UNLINK");
                    for number in first..first + AT_ONCE {
                        unlink.arg(format!("k:{number}"));
                    }
                    unlink.exec(&mut client).unwrap();
                    rounds.fetch_add(1, Ordering::SeqCst);
                    if is_over.load(Ordering::SeqCst) {
                        return;
                    }
                }
                populate(&mut client, KEYS);
            }
        });
        wait_until("the first keys to be deleted", || rounds.load(Ordering::SeqCst) > 0);
        let before = rounds.load(Ordering::SeqCst);
        let runs = [0, 1, 2].map(|_| boards(&server, &["--format", "json", "--timeout", "10s"]).run());
        let after = rounds.load(Ordering::SeqCst);
        is_over.store(true, Ordering::SeqCst);
        assert!(after > before, "no key was deleted meanwhile");
        for run in runs {
            run.assert_clean();
            let found: Vec<_> = run.json().as_array().unwrap().clone();
            let expected: Vec<_> = keys
                .iter()
                .map(|key| json!({"board":key,"total":1,"version":"3","state":null,"ttl_ms":null,"period":"2026-10"}))
                .collect();
            assert_eq!(found, expected);
        }
    });
}

#[test]
fn more_boards_than_one_batch_are_each_listed_once_in_order() {
    let server = RedisServer::start();
    let mut pipeline = redis::pipe();
    let keys: BTreeSet<String> = (0..2_345).map(|number| format!("b{number}")).collect();
    for (size, key) in keys.iter().enumerate() {
        pipeline.cmd("ZADD").arg(key).arg(1).arg("m");
        pipeline.cmd("SET").arg(format!("{key}:version")).arg(size);
    }
    pipeline.exec(&mut server.client()).unwrap();
    let run = boards(&server, &["--format", "json"]).run();
    run.assert_clean();
    let expected: Vec<_> = keys.iter().enumerate().map(|(size, key)| (json!(key), json!(size.to_string()))).collect();
    let found: Vec<_> =
        run.json().as_array().unwrap().iter().map(|board| (board["board"].clone(), board["version"].clone())).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_board_without_rights_is_listed_with_nothing_known_of_it() {
    let server = RedisServer::start();
    for key in ["mine:a", "other:b"] {
        zadd(&server, key);
        server.cmd(&["SET", &format!("{key}:version"), "3"]);
    }
    let viewer = |rights: &[&str], args: &[&str]| {
        server.cmd(&[&["ACL", "SETUSER", "viewer", "reset", "on", ">secret", "~mine:*"], rights].concat());
        boards(&server, args).args(&["--user", "viewer"]).env("RANKTOP_PASSWORD", "secret").run()
    };
    viewer(&["+@read"], &["--format", "json"]).assert_clean().assert_out(concat!(
        r#"[{"board":"mine:a","total":1,"version":"3","state":null,"ttl_ms":null,"period":null},"#,
        r#"{"board":"other:b","total":null,"version":null,"state":null,"ttl_ms":null,"period":null}]"#,
        "\n"
    ));
    viewer(&["+@read"], &[]).assert_clean().assert_out(concat!(
        "  BOARD    PLAYERS  VERSION  STATE  EXPIRES  PERIOD\n",
        "  mine:a         1        3  -      never    -\n",
        "  other:b        -        -  -      -        -       the user may not read it\n",
        "2 boards · 4 keys looked at\n",
    ));
    // What else is refused is left out; without a scan there is no list.
    let run = viewer(&["+scan", "+zcard"], &["mine:*"]);
    run.assert_clean().assert_out_has("  mine:a        1        -  -      -        -\n1 board\n");
    let run = viewer(&["+@read", "-scan"], &["mine:*"]);
    run.assert_code(1).assert_out("").assert_err_has("the user may not run SCAN");
}

#[test]
fn only_commands_that_read_are_sent_and_none_that_asks_for_all_keys() {
    let server = RedisServer::start();
    zadd(&server, "b");
    server.cmd(&["CONFIG", "RESETSTAT"]);
    boards(&server, &[]).run().assert_clean();
    let stats: String = redis::cmd("INFO").arg("commandstats").query(&mut server.client()).unwrap();
    let sent: BTreeSet<_> =
        stats.lines().filter_map(|line| Some(line.strip_prefix("cmdstat_")?.split_once(':')?.0)).collect();
    // The client of this test says which library it is.
    let sent: Vec<_> =
        sent.into_iter().filter(|name| !matches!(*name, "client|setinfo" | "config|resetstat")).collect();
    assert_eq!(sent, ["dbsize", "get", "hmget", "pttl", "scan", "zcard"]);
}

/// A socket beside the server's that passes everything on but `SCAN … TYPE`, which it refuses in the words of Redis 5,
/// for one connection.
fn without_scan_by_type(server: &RedisServer) -> String {
    let path = server.socket().with_extension("old");
    let listener = UnixListener::bind(&path).unwrap();
    let mut upstream = UnixStream::connect(server.socket()).unwrap();
    thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let (mut replies, mut back) = (upstream.try_clone().unwrap(), client.try_clone().unwrap());
        thread::spawn(move || std::io::copy(&mut replies, &mut back).ok());
        let mut commands = BufReader::new(client.try_clone().unwrap());
        while let Some((raw, words)) = command(&mut commands) {
            if words[0] == b"SCAN" && words.contains(&b"TYPE".to_vec()) {
                client.write_all(b"-ERR syntax error\r\n").unwrap();
            } else {
                upstream.write_all(&raw).unwrap();
            }
        }
    });
    format!("unix://{}", path.display())
}

/// The next command of a connection, as it was sent and in its words.
fn command(from: &mut impl BufRead) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
    let mut raw = Vec::new();
    let number = |raw: &mut Vec<u8>, from: &mut dyn BufRead| {
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        raw.extend(line.bytes());
        line.get(1..).and_then(|number| number.trim_end().parse::<usize>().ok())
    };
    let count = number(&mut raw, from)?;
    let mut words = Vec::new();
    for _ in 0..count {
        let mut word = vec![0; number(&mut raw, from)? + 2];
        from.read_exact(&mut word).unwrap();
        raw.extend(&word);
        word.truncate(word.len() - 2);
        words.push(word);
    }
    Some((raw, words))
}

#[test]
fn a_server_that_cannot_scan_by_type_is_asked_for_the_types() {
    let server = RedisServer::start();
    populate(&mut server.client(), 3_000);
    for key in ["b", "c", "c:names"] {
        zadd(&server, key);
    }
    server.cmd(&["CONFIG", "RESETSTAT"]);
    let run = boards(&server, &["--url", &without_scan_by_type(&server)]).run();
    run.assert_clean().assert_out_has("2 boards · 3003 keys looked at\n");
    let stats: String = redis::cmd("INFO").arg("commandstats").query(&mut server.client()).unwrap();
    assert!(stats.contains("cmdstat_type:"), "{stats}");
}

#[test]
fn a_search_says_how_it_goes_on_a_terminal_and_ends_at_once_when_interrupted() {
    let server = RedisServer::start();
    zadd(&server, "lb:x");
    server.stop();
    let pty = boards(&server, &["--timeout", "1h"]).pty(80, 10);
    pty.wait_text("looking for boards");
    pty.key(Key::Ctrl('c'));
    assert_eq!(pty.wait_exit(), 130);
    assert!(!pty.screen().contains("BOARD"), "{}", pty.screen());
    server.cont();

    let pty = boards(&server, &[]).pty(80, 10);
    assert_eq!(pty.wait_exit(), 0);
    let screen = pty.screen();
    assert!(screen.contains("lb:x") && screen.contains("1 board") && !screen.contains("looking for"), "{screen}");
}
