//! Contests on a real board: what is written is the contest that the seed says, in transactions that keep the protocol;
//! what they must not be played on, and how they end.

use std::collections::BTreeMap;
use std::collections::HashSet;
use std::thread::{self, JoinHandle};

use crate::common::{Program, RedisServer, Run, ranktop, wait_until};
use ranktop::simulation::{Contest, Player, Settings, Write};
use redis::Value;

const BOARD: &str = "lb:{x}:2026-W41";
const VERSION: &str = "lb:{x}:2026-W41:version";
const META: &str = "lb:{x}:2026-W41:meta";
const NAMES: &str = "lb:{x}:names";

type Rows = BTreeMap<Vec<u8>, f64>;

fn simulate(server: &RedisServer, args: &[&str]) -> Program {
    ranktop(&["simulate", BOARD]).args(args).env("RANKTOP_URL", server.url())
}

fn start(server: &RedisServer, args: &[&str]) -> JoinHandle<Run> {
    let program = simulate(server, args);
    thread::spawn(move || program.run())
}

fn text(server: &RedisServer, words: &[&str]) -> Option<String> {
    redis::from_redis_value(server.cmd(words)).unwrap()
}

fn version(server: &RedisServer) -> u64 {
    text(server, &["GET", VERSION]).map_or(0, |version| version.parse().unwrap())
}

fn rows(server: &RedisServer) -> Rows {
    let rows: Vec<(Vec<u8>, f64)> =
        redis::cmd("ZRANGE").arg(BOARD).arg(0).arg(-1).arg("WITHSCORES").query(&mut server.client()).unwrap();
    rows.into_iter().collect()
}

/// How often the server was given a command that it did.
fn calls(server: &RedisServer, command: &str) -> u64 {
    let stats = text(server, &["INFO", "commandstats"]).unwrap();
    let line = stats.lines().find_map(|line| line.strip_prefix(&format!("cmdstat_{command}:calls=")));
    line.map_or(0, |line| line.split(',').next().unwrap().parse().unwrap())
}

/// What the last line says: players, writes, version.
#[track_caller]
fn told(run: &Run) -> (u64, u64, u64) {
    let line = run.out().strip_suffix('\n').unwrap_or_else(|| panic!("{run}"));
    assert!(line.starts_with(BOARD) && !line.contains('\n'), "{run}");
    let before = |word: &str| {
        let (head, _) = line.split_once(word).unwrap_or_else(|| panic!("{run}"));
        head.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let after = line.split_once(" a second, version ").unwrap_or_else(|| panic!("{run}")).1;
    let version = after.split(',').next().unwrap().parse().unwrap();
    (before(" players at first, "), before(" writes in "), version)
}

/// Everything that the server holds.
fn everything(server: &RedisServer) -> Vec<(String, Value)> {
    let mut keys: Vec<String> = redis::cmd("KEYS").arg("*").query(&mut server.client()).unwrap();
    keys.sort();
    keys.iter().map(|key| (key.clone(), server.cmd(&["DUMP", key]))).collect()
}

/// The board and the names after so many writes, as a plain reader of the contest has them.
fn expected(settings: Settings, writes: u64) -> (Rows, BTreeMap<Vec<u8>, String>) {
    let mut contest = Contest::new(settings);
    let (mut board, mut names) = (BTreeMap::new(), BTreeMap::new());
    let mut enter = |board: &mut Rows, player: Player| {
        board.insert(player.id.as_bytes().to_vec(), player.score);
        names.insert(player.id.as_bytes().to_vec(), player.name);
    };
    contest.opening().into_iter().for_each(|player| enter(&mut board, player));
    for step in contest.by_ref().take(usize::try_from(writes).unwrap()) {
        match step.write {
            Write::Score { id, score } => _ = board.insert(id.as_bytes().to_vec(), score),
            Write::Join { player } => enter(&mut board, player),
            Write::Leave { id } => _ = board.remove(id.as_bytes()),
        }
    }
    (board, names)
}

#[test]
fn the_board_is_the_one_that_the_seed_says_on_every_server() {
    let args = ["--seed", "3", "--players", "2500", "--rate", "3000", "--ties", "0.5", "--for", "400ms"];
    let settings = Settings { seed: 3, players: 2500, rate: 3000.0, ties: 0.5 };
    for _ in 0..2 {
        let server = RedisServer::start();
        let run = simulate(&server, &args).run();
        let (players, writes, last) = told(run.assert_code(0));
        assert!(players == 2500 && writes > 100, "{run}");
        let (board, names) = expected(settings, writes);
        assert_eq!(rows(&server), board);
        let held: BTreeMap<Vec<u8>, String> = redis::cmd("HGETALL").arg(NAMES).query(&mut server.client()).unwrap();
        assert_eq!(held, names);
        assert_eq!((last, calls(&server, "incr")), (version(&server), version(&server)));
        assert_eq!(text(&server, &["HGET", META, "state"]).as_deref(), Some("open"));
        assert_eq!(text(&server, &["HGET", META, "title"]).as_deref(), Some("Simulated contest"));
    }
}

#[test]
fn what_goes_with_an_empty_board_is_kept() {
    let server = RedisServer::start();
    server.cmd(&["HSET", META, "title", "Spring", "order", "desc"]);
    server.cmd(&["HSET", NAMES, "u:1000", "Ada"]);
    server.cmd(&["SET", VERSION, "41"]);
    let run = simulate(&server, &["--players", "10", "--rate", "0.1", "--for", "10ms"]).run();
    assert_eq!(told(run.assert_code(0)), (10, 0, 42));
    let meta: BTreeMap<String, String> = redis::cmd("HGETALL").arg(META).query(&mut server.client()).unwrap();
    assert_eq!(
        meta,
        [("order", "desc"), ("state", "open"), ("title", "Spring")].map(|(k, v)| (k.into(), v.into())).into()
    );
    assert_eq!(text(&server, &["HGET", NAMES, "u:1000"]).as_deref(), Some("Ada"));
    assert_eq!(text(&server, &["HLEN", NAMES]).as_deref(), Some("10"));
}

#[test]
fn names_go_where_names_are() {
    let server = RedisServer::start();
    let few = ["--players", "3", "--rate", "0.1", "--for", "10ms"];
    server.cmd(&["HSET", "user:u:1001", "name", "Ada"]);
    simulate(&server, &few).args(&["--name-of", "hash:user:<member>:name"]).run().assert_code(0);
    assert_eq!(text(&server, &["HGET", "user:u:1001", "name"]).as_deref(), Some("Ada"));
    assert!(text(&server, &["HGET", "user:u:1002", "name"]).is_some());
    server.cmd(&["DEL", BOARD]);
    server.cmd(&["SET", "name:u:1001", "Ada"]);
    simulate(&server, &few).args(&["--name-of", "string:name:<member>"]).run().assert_code(0);
    assert_eq!(text(&server, &["GET", "name:u:1001"]).as_deref(), Some("Ada"));
    assert!(text(&server, &["GET", "name:u:1002"]).is_some());
    assert_eq!(server.cmd(&["EXISTS", NAMES]), Value::Int(0));
}

#[test]
fn what_is_refused_changes_nothing() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", BOARD, "1", "m", "2", "n"]);
    server.cmd(&["SET", "string", "x"]);
    server.cmd(&["HSET", "empty:meta", "state", "closed", "closed_at", "1791763200000"]);
    server.cmd(&["ZADD", "closed", "1", "m"]);
    server.cmd(&["HSET", "closed:meta", "state", "closed"]);
    server.cmd(&["ZADD", "over", "1", "m"]);
    server.cmd(&["HSET", "over:meta", "state", "closing", "grace_until", "1000"]);
    server.cmd(&["RPUSH", "list:version", "x"]);
    server.cmd(&["RPUSH", "unnamed:names", "x"]);
    let before = everything(&server);
    for (args, code, words) in [
        (&[BOARD][..], 4, "is not empty: it has 2 members"),
        (&["string"], 1, "WRONGTYPE: it is a string, not a sorted set"),
        (&["string", "--into-existing"], 1, "WRONGTYPE: it is a string, not a sorted set"),
        (&["empty"], 4, "'empty' is closed since 2026-10-12T00:00:00Z"),
        (&["closed", "--into-existing"], 4, "'closed' is closed: it takes no scores"),
        (&["over", "--into-existing"], 4, "'over' is closing: it took late scores until 1970"),
        (&[BOARD, "--into-existing", "--version-key", "list:version"], 1, "GET on 'list:version': WRONGTYPE"),
        (&["unnamed"], 1, "HSETNX on 'unnamed:names': WRONGTYPE"),
        (&[BOARD, "--order", "asc"], 2, "no effect with 'ranktop simulate'"),
    ] {
        let run = ranktop(&["simulate", "--for", "10s"]).args(args).env("RANKTOP_URL", server.url()).run();
        run.assert_code(code).assert_out("").assert_err_has(words);
        assert_eq!(everything(&server), before, "{run}");
    }
    let nobody = ranktop(&["simulate", BOARD, "--url", "unix:///nobody"]).run();
    nobody.assert_code(1).assert_out("").assert_err_has("at /nobody: cannot connect");
}

#[test]
fn the_rights_that_the_docs_list_are_enough() {
    let server = RedisServer::start();
    let page = include_str!("../../docs/writing.md");
    let rights: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("    ACL SETUSER writer ")).collect();
    assert_eq!(rights.len(), 2);
    let grant = |rights: &str| {
        _ = server.cmd(&[&["ACL", "SETUSER", "writer"], &rights.split(' ').collect::<Vec<_>>()[..]].concat());
    };
    rights.into_iter().for_each(grant);
    let board = "lb:{spring}:2026-W41";
    let run = |args: &[&str]| {
        let login = ["--user", "writer", "--players", "1200", "--rate", "1000", "--for", "200ms"];
        let program = ranktop(&["simulate", board]).args(&login).args(args);
        program.env("RANKTOP_URL", server.url()).env("RANKTOP_PASSWORD", "secret").run()
    };
    run(&[]).assert_code(0).assert_out_has("1200 players at first");
    grant("+@read");
    run(&["--into-existing"]).assert_code(0).assert_out_has(" players at first");

    server.cmd(&["DEL", board, "lb:{spring}:names"]);
    grant("-hsetnx");
    run(&[]).assert_code(1).assert_out("").assert_err_has("may not run HSETNX on 'lb:{spring}:names'");
    grant("+hsetnx");

    // Nothing is written of what the user may write a part of only.
    server.cmd(&["DEL", board]);
    grant("-zadd");
    let version = text(&server, &["GET", "lb:{spring}:2026-W41:version"]);
    run(&[]).assert_code(1).assert_out("").assert_err_has("may not run ZADD on 'lb:{spring}:2026-W41'");
    assert_eq!(text(&server, &["GET", "lb:{spring}:2026-W41:version"]), version);
}

#[test]
fn those_who_are_there_take_part() {
    let server = RedisServer::start();
    server.cmd(&["SET", VERSION, "6"]);
    let mut add = redis::cmd("ZADD");
    add.arg(BOARD).arg("inf").arg("endless").arg("0.25").arg(b"\xff\x00".as_slice());
    for number in 0..1_500 {
        add.arg(f64::from(number % 700) * 1.5).arg(format!("u:{number}"));
    }
    add.exec(&mut server.client()).unwrap();
    let before = rows(&server);
    let run = simulate(&server, &["--into-existing", "--rate", "5000", "--for", "500ms"]).run();
    let (players, writes, last) = told(run.assert_code(0));
    let after = rows(&server);
    assert!(players == 1_502 && writes > 200 && last == version(&server), "{run}");
    assert!(after[&b"endless"[..]].is_infinite());
    // The first version of this contest, 7, is in the ids of its newcomers.
    let is_new = |id: &[u8]| id.starts_with(b"u:7-");
    assert!(after.keys().all(|id| before.contains_key(id) || is_new(id)));
    assert!(after.keys().any(|id| is_new(id)), "newcomers");
    assert!(before.keys().any(|id| !after.contains_key(id)), "leavers");
    let changed: Vec<f64> =
        after.iter().filter(|(id, score)| before.get(*id).is_some_and(|was| was != *score)).map(|(_, s)| *s).collect();
    let tied = changed.iter().filter(|score| before.values().any(|held| held == *score)).count();
    assert!(changed.len() > 50 && tied > 10, "{} changed, {tied} of them to scores that were there", changed.len());
    assert!(changed.iter().all(|score| score.is_finite()));
    assert!((1_400..1_600).contains(&after.len()), "{}", after.len());

    // Where there is nobody it is a contest like any other.
    server.cmd(&["FLUSHALL"]);
    let run = simulate(&server, &["--into-existing", "--players", "20", "--rate", "0.1", "--for", "10ms"]).run();
    assert_eq!(told(run.assert_code(0)), (20, 0, 1));
}

#[test]
fn a_board_that_is_closed_meanwhile_takes_nothing_after_that() {
    let server = RedisServer::start();
    let running = start(&server, &["--players", "500", "--rate", "2000"]);
    wait_until("some writes", || version(&server) > 20);
    let close = ranktop(&["close", BOARD]).env("RANKTOP_URL", server.url()).run();
    close.assert_clean();
    let run = running.join().unwrap();
    run.assert_code(4).assert_err_has(&format!("error: board '{BOARD}' is closed since 20"));
    let (_, writes, last) = told(&run);
    assert_eq!(last + 1, version(&server), "only the close came after the last write: {close}");
    let settings = Settings { players: 500, rate: 2000.0, ..Settings::default() };
    assert_eq!(rows(&server), expected(settings, writes).0);
}

#[test]
fn late_scores_are_taken_within_the_time_of_grace_and_counted() {
    let server = RedisServer::start();
    let running = start(&server, &["--players", "50", "--rate", "500"]);
    wait_until("some writes", || version(&server) > 5);
    ranktop(&["close", BOARD, "--grace", "1s"]).env("RANKTOP_URL", server.url()).run().assert_clean();
    let run = running.join().unwrap();
    run.assert_code(4).assert_out_has(", late\n").assert_err_has("is closing: it took late scores until 20");
    assert_eq!(told(&run).2, version(&server));
    let late: u64 = text(&server, &["HGET", META, "late"]).unwrap().parse().unwrap();
    assert!(late > 50, "{late} late scores\n{run}");
}

#[test]
fn signals_end_it_with_the_last_line() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let server = RedisServer::start();
        let pty = simulate(&server, &["--players", "300", "--rate", "1000"]).pty(100, 10);
        pty.wait_text(" a second, version ");
        wait_until("some writes", || version(&server) > 20);
        pty.signal(signal);
        assert_eq!(pty.wait_exit(), code);
        let last = format!(" a second, version {}", version(&server));
        let screen = pty.screen();
        let line = screen.lines().find(|line| line.starts_with(BOARD)).unwrap_or_else(|| panic!("{screen}"));
        assert!(line.trim_end().ends_with(&last), "{screen}\n{last}");
        assert_eq!(screen.matches(" writes").count(), 1, "the line that was drawn anew is gone\n{screen}");
    }
}

#[test]
fn it_ends_at_once_though_the_next_write_is_far_away() {
    let server = RedisServer::start();
    let pty = simulate(&server, &["--players", "30", "--rate", "0.001"]).pty(100, 10);
    pty.wait_text("0 writes, 0.0 a second, version 1");
    pty.send("\x03");
    assert_eq!(pty.wait_exit(), 130);
    pty.wait_text("30 players at first, 0 writes in ");
}

#[test]
fn two_on_one_board_lose_no_write() {
    let server = RedisServer::start();
    simulate(&server, &["--players", "400", "--rate", "0.1", "--for", "10ms"]).run().assert_code(0);
    let args = ["--into-existing", "--rate", "4000", "--for", "1500ms"];
    let both = [start(&server, &args), start(&server, &args)].map(|running| running.join().unwrap());
    let told = both.each_ref().map(|run| told(run.assert_code(0)));
    // Enough for somebody to have joined.
    assert!(told.iter().all(|told| told.1 > 500), "{told:?}");
    assert_eq!(told.iter().map(|told| told.2).max(), Some(version(&server)));
    assert_eq!((calls(&server, "eval"), calls(&server, "incr")), (version(&server), version(&server)));
    // Nobody's newcomer is another's.
    let rows = rows(&server);
    let marks: HashSet<_> = rows
        .keys()
        .filter_map(|id| id.split(|byte| *byte == b'-').next().filter(|mark| mark.len() < id.len()))
        .collect();
    assert_eq!(marks.len(), 2, "{marks:?}");
}

#[test]
fn of_two_that_begin_on_an_empty_board_one_is_refused() {
    let server = RedisServer::start();
    let args = ["--players", "3000", "--rate", "0.1", "--for", "10ms"];
    let both = [start(&server, &args), start(&server, &args)].map(|running| running.join().unwrap());
    let mut codes = both.each_ref().map(|run| run.code);
    codes.sort_unstable();
    assert_eq!(codes, [0, 4], "{} {}", both[0], both[1]);
    assert_eq!((rows(&server).len(), version(&server)), (3000, 3));
}

#[test]
fn pages_are_of_one_moment_while_it_runs() {
    let server = RedisServer::start();
    let running = start(&server, &["--players", "300", "--rate", "3000", "--for", "3s"]);
    wait_until("some writes", || version(&server) > 5);
    let mut versions = Vec::new();
    while !running.is_finished() {
        let page = ranktop(&["page", BOARD, "--format", "json"]).env("RANKTOP_URL", server.url()).run();
        let page = page.assert_clean().json();
        assert_eq!((page["verified"].as_bool(), page["state"].as_str()), (Some(true), Some("open")));
        let scores: Vec<f64> =
            page["rows"].as_array().unwrap().iter().map(|row| row["score"].as_f64().unwrap()).collect();
        assert!(scores.len() == 20 && scores.is_sorted_by(|a, b| a >= b), "{page}");
        versions.push(page["version"].as_str().unwrap().parse::<u64>().unwrap());
    }
    running.join().unwrap().assert_code(0);
    assert!(versions.is_sorted() && versions.first() < versions.last(), "{versions:?}");
}

#[test]
fn more_writes_than_can_be_told_apart_are_one_transaction() {
    let server = RedisServer::start();
    let run = simulate(&server, &["--players", "300", "--rate", "100000", "--for", "500ms"]).run();
    let (_, writes, last) = told(run.assert_code(0));
    assert!(writes > 10 * last, "{run}");
    let settings = Settings { players: 300, rate: 100_000.0, ..Settings::default() };
    assert_eq!(rows(&server), expected(settings, writes).0);
}

#[test]
fn a_server_that_is_lost_ends_it() {
    let mut server = RedisServer::start();
    let running = start(&server, &["--players", "300", "--rate", "1000"]);
    wait_until("some writes", || version(&server) > 5);
    server.kill();
    let run = running.join().unwrap();
    run.assert_code(1).assert_err_has("error: cannot write to board 'lb:{x}:2026-W41' at ");
    assert!(told(&run).1 > 0, "{run}");
}

#[test]
fn closed_pipes_end_it_quietly() {
    let server = RedisServer::start();
    // The pipe has a reader until it is opened for writing, and none once ranktop writes to it.
    let script = "cd \"$HOME\" && mkfifo p && { : <p & exec 3>p; wait; \"$0\" \"$@\" --for 1m 2>&3 && \
                  \"$0\" \"$@\" --for 10ms --into-existing >&3; }";
    let program = Program::new("sh", &["-c", script, env!("CARGO_BIN_EXE_ranktop"), "simulate", BOARD]);
    let run = program.env("RANKTOP_URL", server.url()).run();
    run.assert_code(0);
    assert!(!run.err().contains("error"), "{run}");
}

#[test]
fn the_opening_and_the_rate_are_shown_on_a_terminal() {
    let server = RedisServer::start();
    let pty = simulate(&server, &["--players", "40000", "--rate", "50", "--for", "2s"]).pty(100, 10);
    pty.wait_bytes("the opening", b" of 40,000 players");
    pty.wait_text(" a second, version ");
    assert_eq!(pty.wait_exit(), 0);
    pty.wait_text("40000 players at first, ");
}
