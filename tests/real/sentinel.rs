//! A primary that sentinels watch: found, lost and found again by the built program, whatever becomes of the old one.

use std::time::{Duration, Instant};

use vt100::Screen;

use crate::common::{Program, Pty, RedisServer, SentinelSet, ranktop, readme_of_services, text, wait_until};

const BOARD: &str = "lb:{spring}:2026-W41";
const VERSION: &str = "lb:{spring}:2026-W41:version";

/// The viewer is live again within two intervals of the failover's end; the rest is for machines that are busy.
const LIVE_AGAIN: Duration = Duration::from_millis(2 * 500 + 1_500);

fn program(set: &SentinelSet, args: &[&str]) -> Program {
    let found: Vec<String> = set.args();
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    ranktop(args).args(&found)
}

/// Sets the score of `u:1` and counts the version up.
fn put(set: &SentinelSet, server: usize, score: u32) {
    set.server(server, &["EVAL", PUT, "2", BOARD, VERSION, &score.to_string()]).unwrap();
}
const PUT: &str = "redis.call('ZADD', KEYS[1], ARGV[1], 'u:1') return redis.call('INCR', KEYS[2])";

fn first_line(screen: &Screen) -> String {
    text(screen).lines().next().unwrap_or_default().to_owned()
}

/// Waits until the viewer is live at this server with this score.
#[track_caller]
fn wait_live(pty: &Pty, server: &RedisServer, score: &str) {
    let address = server.tcp_address();
    pty.wait_for(&format!("{score}, live at {address}"), |screen| {
        let line = first_line(screen);
        line.contains("● live") && line.contains(&address) && text(screen).contains(score)
    });
}

/// Waits until both replicas have what the primary was written.
fn wait_replicated(set: &SentinelSet) {
    wait_until("the replicas to follow", || {
        [1, 2].iter().all(|replica| {
            let score = set.server(*replica, &["GET", VERSION]).unwrap();
            score == set.server(0, &["GET", VERSION]).unwrap()
        })
    });
}

#[test]
fn a_killed_primary_and_a_replaced_one_are_followed() {
    let mut set = SentinelSet::start();
    put(&set, 0, 1_001);
    wait_replicated(&set);
    let page = program(&set, &["page", BOARD, "--format", "json"]).run();
    page.assert_clean();
    assert_eq!((&page.json()["rows"][0]["score"], &page.json()["verified"]), (&1001.into(), &true.into()));
    let polling = program(&set, &[BOARD, "--watch", "poll"]).pty(140, 24);
    let pushed = program(&set, &[BOARD]).pty(140, 24);
    wait_live(&polling, &set.servers[0], "1,001");
    wait_live(&pushed, &set.servers[0], "1,001");

    // By hand: the old primary lives on as a replica.
    set.fail_over();
    let (primary, since) = set.wait_failover(0);
    put(&set, primary, 1_002);
    for pty in [&polling, &pushed] {
        wait_live(pty, &set.servers[primary], "1,002");
    }
    assert!(since.elapsed() < LIVE_AGAIN, "{:?}", since.elapsed());
    wait_until("the old primary to be a replica", || {
        let info = set.info(0);
        info.contains("role:slave") && info.contains("master_link_status:up")
    });

    // By a crash.
    set.wait_settled(primary);
    wait_until("a replica to have the last score", || {
        (0..3).all(|server| set.server(server, &["GET", VERSION]).unwrap() == redis::Value::BulkString(b"2".to_vec()))
    });
    set.servers[primary].kill();
    for pty in [&polling, &pushed] {
        pty.wait_for("the loss", |screen| first_line(screen).contains("reconnecting"));
    }
    let (next, since) = set.wait_failover(primary);
    put(&set, next, 1_003);
    for pty in [&polling, &pushed] {
        wait_live(pty, &set.servers[next], "1,003");
    }
    assert!(since.elapsed() < LIVE_AGAIN, "{:?}", since.elapsed());
    let page = program(&set, &["page", BOARD, "--format", "json"]).run();
    assert_eq!(page.json()["rows"][0]["score"], 1003, "{page}");
    let score = program(&set, &["score", BOARD, "u:1", "--by", "1"]).run();
    score.assert_clean().assert_out_has("u:1: 1003 -> 1004 (rank 1), version 4");
}

#[test]
fn without_sentinels_nobody_vouches_for_the_primary() {
    let mut set = SentinelSet::start();
    put(&set, 0, 1_001);
    let pty = program(&set, &[BOARD, "--watch", "poll"]).pty(160, 24);
    wait_live(&pty, &set.servers[0], "1,001");
    assert!(!pty.screen().contains("role unverified"));
    set.sentinels.iter_mut().for_each(RedisServer::kill);
    pty.wait_text("role unverified");
    // It is read on, and said to be what it is.
    put(&set, 0, 1_002);
    wait_live(&pty, &set.servers[0], "1,002");
}

#[test]
fn a_stopped_primary_that_comes_back_is_never_shown_as_live() {
    let set = SentinelSet::start();
    put(&set, 0, 1_001);
    wait_replicated(&set);
    let polling = program(&set, &[BOARD, "--watch", "poll"]).pty(160, 24);
    let pushed = program(&set, &[BOARD]).pty(160, 24);
    for pty in [&polling, &pushed] {
        wait_live(pty, &set.servers[0], "1,001");
    }
    set.servers[0].stop();
    let (primary, since) = set.wait_failover(0);
    put(&set, primary, 1_002);
    for pty in [&polling, &pushed] {
        wait_live(pty, &set.servers[primary], "1,002");
    }
    assert!(since.elapsed() < LIVE_AGAIN, "{:?}", since.elapsed());
    // It takes itself for the primary until the sentinels tell it otherwise.
    set.servers[0].cont();
    if set.info(0).contains("role:master") {
        set.server(0, &["EVAL", PUT, "2", BOARD, VERSION, "6006"]).ok();
    }
    let page = program(&set, &["page", BOARD, "--format", "json"]).run();
    assert_eq!(page.json()["rows"][0]["score"], 1002, "{page}");
    wait_until("the old primary to be a replica", || set.info(0).contains("role:slave"));
    put(&set, primary, 1_003);
    for pty in [&polling, &pushed] {
        wait_live(pty, &set.servers[primary], "1,003");
        assert!(!String::from_utf8_lossy(&pty.bytes()).contains("6,006"), "the old primary was shown");
    }
}

/// The sentinels lose the primary, and the viewer does not: its connection stands and brings answers.
#[test]
fn a_primary_that_only_the_sentinels_have_lost_is_left_when_it_is_replaced() {
    let set = SentinelSet::start_with_passwords("of servers", "of sentinels");
    put(&set, 0, 1_001);
    wait_replicated(&set);
    let secret = |program: Program| program.env("RANKTOP_PASSWORD", "of servers");
    let polling = secret(program(&set, &[BOARD, "--watch", "poll"])).pty(160, 24);
    let pushed = secret(program(&set, &[BOARD])).pty(160, 24);
    for pty in [&polling, &pushed] {
        wait_live(pty, &set.servers[0], "1,001");
    }
    let mut old = redis::Client::open(format!("redis://:of%20servers@{}", set.servers[0].tcp_address()))
        .unwrap()
        .get_connection()
        .unwrap();
    redis::cmd("CONFIG").arg(&["SET", "requirepass", "another"]).exec(&mut old).unwrap();
    let clients: String = redis::cmd("CLIENT").arg("LIST").query(&mut old).unwrap();
    for client in clients.lines().filter(|client| client.contains("name=sentinel-")) {
        let id = client.split(' ').find_map(|word| word.strip_prefix("id=")).unwrap();
        redis::cmd("CLIENT").arg(&["KILL", "ID", id]).exec(&mut old).unwrap();
    }
    let (primary, since) = set.wait_failover(0);
    put(&set, primary, 1_002);
    for pty in [&polling, &pushed] {
        wait_live(pty, &set.servers[primary], "1,002");
    }
    assert!(since.elapsed() < LIVE_AGAIN, "{:?}", since.elapsed());
    // The old one is still there, and still calls itself the primary.
    let role: Vec<redis::Value> = redis::cmd("ROLE").query(&mut old).unwrap();
    assert_eq!(role[0], redis::Value::BulkString(b"master".to_vec()));
    redis::cmd("EVAL").arg(&[PUT, "2", BOARD, VERSION, "6006"]).exec(&mut old).unwrap();
    put(&set, primary, 1_003);
    for pty in [&polling, &pushed] {
        wait_live(pty, &set.servers[primary], "1,003");
        assert!(!String::from_utf8_lossy(&pty.bytes()).contains("6,006"), "the old primary was shown");
    }

    // Each hop has its own login.
    secret(program(&set, &["page", BOARD])).run().assert_clean().assert_out_has("1003");
    let run = program(&set, &["page", BOARD]).run();
    run.assert_code(1).assert_err_has("login refused");
    let bare = set.sentinels[0].tcp_url();
    let run = secret(ranktop(&["page", BOARD, "--sentinel", "spring", "--url", &bare])).run();
    run.assert_code(1).assert_err_has("its login is the one in its URL");
}

#[test]
fn replicas_are_read_on_demand_and_sentinels_that_fail_are_passed_over() {
    let mut set = SentinelSet::start();
    put(&set, 0, 1_001);
    wait_replicated(&set);
    (0..3).for_each(|server| drop(set.server(server, &["CONFIG", "RESETSTAT"])));
    let calls = |server: usize| {
        let stats = set.server(server, &["INFO", "commandstats"]).unwrap();
        let stats: String = redis::from_redis_value(stats).unwrap();
        stats.lines().any(|line| line.starts_with("cmdstat_exec:"))
    };
    assert!(!calls(0) && !calls(1) && !calls(2));
    let run = program(&set, &["page", BOARD, "--read-from", "replica", "--format", "json"]).run();
    run.assert_clean();
    assert_eq!(run.json()["rows"][0]["score"], 1001);
    assert!(!calls(0), "the primary was read");
    assert!(calls(1) || calls(2));
    let pty = program(&set, &[BOARD, "--read-from", "replica"]).pty(160, 24);
    pty.wait_for("the lag", |screen| {
        let line = first_line(screen);
        line.contains("● live") && line.contains("replica, last heard from primary")
    });

    // With the rights that README lists, and the commands that it names.
    let words = |line: &'static str| line.split(' ').collect::<Vec<_>>();
    let rights = readme_of_services("ACL ");
    for index in 0..3 {
        set.sentinel(index, &words(rights[0])).unwrap();
        set.server(index, &["ACL", "SETUSER", "viewer", "reset", "on", ">secret", "~lb:{spring}:*", "+@read"]).unwrap();
        set.server(index, &words(rights[1])).unwrap();
    }
    let line = readme_of_services("ranktop ").into_iter().find(|line| line.contains("--sentinel")).unwrap();
    let told = line.split(' ').skip(1).map(|word| {
        let url = |at: usize| format!("redis://viewer:secret@{}", set.sentinels[at].tcp_address());
        match word.split_once("sentinel-") {
            Some((_, which)) if word.starts_with("redis://") => url(usize::from(which.starts_with('2'))),
            _ => word.trim_matches('\'').to_owned(),
        }
    });
    let told: Vec<String> = told.collect();
    let told: Vec<&str> = told.iter().map(String::as_str).chain(["--user", "viewer"]).collect();
    for (from, words) in [("primary", "● live"), ("replica", "replica, last heard from primary")] {
        let viewer = ranktop(&told).args(&["--read-from", from]).env("RANKTOP_PASSWORD", "secret").pty(160, 24);
        viewer.wait_text(words);
        viewer.wait_text("1,001");
    }

    // One sentinel is gone, one does not answer, one is another's, one is none.
    set.sentinels[0].kill();
    set.sentinels[1].stop();
    let began = Instant::now();
    let none = set.servers[0].tcp_url();
    program(&set, &["page", BOARD, "--url", &none]).run().assert_clean().assert_out_has("1001");
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    set.sentinels[1].cont();
    let run = program(&set, &["page", BOARD, "--sentinel", "autumn"]).run();
    run.assert_code(2).assert_err_has("--sentinel");
    let url = set.sentinels[2].tcp_url();
    let run = ranktop(&["page", BOARD, "--sentinel", "autumn", "--url", &url]).run();
    run.assert_code(1).assert_err_has("watches no 'autumn'");
    let run = ranktop(&["page", BOARD, "--sentinel", "spring", "--url", &none]).run();
    run.assert_code(1).assert_err_has("is no sentinel");
    let run = ranktop(&["page", BOARD, "--sentinel", "spring", "--url", &set.sentinels[0].tcp_url()]).run();
    run.assert_code(1).assert_err_has(&format!("'spring' of the sentinels at {}", set.sentinels[0].tcp_address()));
}
