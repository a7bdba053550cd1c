//! Reading from a replica: which one, what is said of its lag, and what a replica is worth that has lost its primary.

use vt100::Screen;

use crate::common::{Pty, RedisServer, Run, ranktop, readme_of_services, text, wait_until};

const BOARD: &str = "lb:{spring}:2026-W41";

/// A primary with a board, and a replica that has it too.
fn pair() -> (RedisServer, RedisServer) {
    let speed = ["--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"];
    let primary = RedisServer::start_tcp_with(&speed);
    put(&primary, 1_001);
    let port = primary.tcp_port().to_string();
    let replica = RedisServer::start_tcp_with(&[&speed[..], &["--replicaof", "127.0.0.1", &port]].concat());
    wait_until("the replica to have the board", || replica.cmd(&["ZCARD", BOARD]) == redis::Value::Int(1));
    wait_until("the primary to know that", || info(&primary).contains("state=online"));
    (primary, replica)
}

fn put(server: &RedisServer, score: u32) {
    let mut pipeline = redis::pipe();
    pipeline.atomic().cmd("ZADD").arg(BOARD).arg(score).arg("u:1").cmd("INCR").arg(format!("{BOARD}:version"));
    pipeline.exec(&mut server.client()).unwrap();
}

fn info(server: &RedisServer) -> String {
    redis::from_redis_value(server.cmd(&["INFO", "replication"])).unwrap()
}

fn page(server: &RedisServer, args: &[&str]) -> Run {
    ranktop(&["page", BOARD, "--url", &server.tcp_url()]).args(args).run()
}

fn first_line(screen: &Screen) -> String {
    text(screen).lines().next().unwrap_or_default().to_owned()
}

#[track_caller]
fn wait_header(pty: &Pty, words: &[&str]) {
    pty.wait_for(&format!("{words:?}"), |screen| words.iter().all(|word| first_line(screen).contains(word)));
}

const FROM_REPLICA: [&str; 2] = ["--read-from", "replica"];

#[test]
fn a_replica_is_read_whichever_of_the_two_is_named() {
    let (primary, replica) = pair();
    let is_unread = || !format!("{:?}", primary.cmd(&["INFO", "commandstats"])).contains("cmdstat_zrevrange");
    for (named, score) in [(&primary, 1_002), (&replica, 1_003)] {
        page(named, &FROM_REPLICA).assert_clean().assert_out_has("1 player");
        let pty = ranktop(&[BOARD, "--url", &named.tcp_url()]).args(&FROM_REPLICA).pty(160, 24);
        wait_header(&pty, &["● live", &replica.tcp_address(), "replica, last heard from primary"]);
        put(&primary, score);
        pty.wait_text(&format!("1,00{}", score - 1_000));
    }
    assert!(is_unread(), "the primary was read");
    page(&primary, &[]).assert_clean();
    assert!(!is_unread());
}

#[test]
fn a_replica_is_read_as_readme_writes_it() {
    let (primary, replica) = pair();
    let line = readme_of_services("ranktop ").into_iter().find(|line| line.contains("--read-from")).unwrap();
    let told = line.split(' ').skip(1).map(|word| word.trim_matches('\'').to_owned());
    let told: Vec<String> = told.map(|word| word.replace("redis://redis-1:6379", &primary.tcp_url())).collect();
    let told: Vec<&str> = told.iter().map(String::as_str).collect();
    let pty = ranktop(&told).pty(160, 24);
    wait_header(&pty, &["● live", &replica.tcp_address(), "replica, last heard from primary"]);
}

#[test]
fn a_replica_that_is_cut_off_is_stale_until_it_is_linked_again() {
    let (primary, replica) = pair();
    let pty = ranktop(&[BOARD, "--url", &replica.tcp_url()]).args(&FROM_REPLICA).pty(160, 24);
    wait_header(&pty, &["● live", "replica, last heard from primary"]);
    // Nobody listens there.
    let nobody = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port().to_string()
    };
    replica.cmd(&["REPLICAOF", "127.0.0.1", &nobody]);
    wait_header(&pty, &["stale", "the replica has lost its primary"]);
    pty.wait_text("1,001");
    page(&replica, &FROM_REPLICA).assert_code(0).assert_out_has("1001").assert_err_has("has lost its primary");
    replica.cmd(&["REPLICAOF", "127.0.0.1", &primary.tcp_port().to_string()]);
    wait_until("the replica to be linked", || info(&replica).contains("master_link_status:up"));
    put(&primary, 1_002);
    wait_header(&pty, &["● live", "replica, last heard from primary"]);
    pty.wait_text("1,002");
    // Once it is a primary itself it is not read any more.
    replica.cmd(&["REPLICAOF", "NO", "ONE"]);
    wait_header(&pty, &["reconnecting", "has no replica that can be read from"]);
}

#[test]
fn without_a_replica_nothing_is_read_and_without_rights_the_lag_is_unknown() {
    let alone = RedisServer::start_tcp();
    put(&alone, 1_001);
    let run = page(&alone, &FROM_REPLICA);
    let several = page(&alone, &["--url", &alone.url()]);
    several
        .assert_code(2)
        .assert_err_has("2 URLs")
        .assert_err_has("hint: several are for --sentinel NAME and for --cluster");
    let both = format!("{}, {}", alone.tcp_url(), alone.url());
    ranktop(&["page", BOARD]).env("RANKTOP_URL", both).run().assert_code(2).assert_err_has("2 URLs");
    run.assert_code(1).assert_out("").assert_err_has("has no replica that can be read from");

    let (primary, mut replica) = pair();
    for server in [&primary, &replica] {
        server.cmd(&["ACL", "SETUSER", "viewer", "reset", "on", ">secret", "~*", "+@read"]);
    }
    let viewer = ["--read-from", "replica", "--user", "viewer"];
    let pty =
        ranktop(&[BOARD, "--url", &replica.tcp_url()]).args(&viewer).env("RANKTOP_PASSWORD", "secret").pty(160, 24);
    wait_header(&pty, &["● live", "replica, lag unknown"]);
    let run =
        ranktop(&["page", BOARD, "--url", &primary.tcp_url()]).args(&viewer).env("RANKTOP_PASSWORD", "secret").run();
    run.assert_code(1).assert_err_has("the user may not run INFO, needed to learn which replicas there are");

    let score = ranktop(&["score", BOARD, "u:1", "--by", "1", "--url", &replica.tcp_url()]).run();
    score
        .assert_code(1)
        .assert_err_has("the server is a read-only replica")
        .assert_err_has("hint: give the primary with --url");
    replica.kill();
    page(&primary, &FROM_REPLICA).assert_code(1).assert_err_has("has no replica that can be read from");
}
