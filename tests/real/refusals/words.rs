//! The sentences, from peers that say one thing only and from servers that can be brought to.

use std::time::Duration;

use ranktop::query::error::StoreError;
use ranktop::query::error_code::ServerErrorCode;
use ranktop::store::redis::connect::Target;

use super::corrupt_replies::{board, run};
use crate::common::{Peer, RedisServer, ranktop};

const BOARD: &str = "lb:{x}:now";
const SECOND: Duration = Duration::from_secs(10);

/// What a viewer does about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conduct {
    /// Waits, for it passes.
    Wait,
    /// Tells, and tries on at its interval.
    Tell,
    /// Logs in anew.
    Login,
}
use Conduct::{Login, Tell, Wait};

/// What a server says, what is said of it, the conduct, a part of the hint.
const SAYINGS: [(&str, &str, Conduct, &str); 18] = [
    (
        "LOADING Redis is loading the dataset in memory",
        "the server is loading its data after a restart (LOADING Redis is loading the dataset in memory; ZCARD on 'lb:{x}:now'",
        Wait,
        "INFO persistence",
    ),
    (
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
        "the replica has lost its primary and refuses to serve stale data (MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'; ZCARD on",
        Wait,
        "connect to the primary",
    ),
    (
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
        "the server is busy running a script (BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE; ZCARD on",
        Wait,
        "SCRIPT KILL",
    ),
    (
        "CLUSTERDOWN The cluster is down",
        "the cluster is down (CLUSTERDOWN The cluster is down; ZCARD on",
        Wait,
        "CLUSTER INFO",
    ),
    (
        "TRYAGAIN Multiple keys request during rehashing of slot",
        "the board's slot is moving to another node (TRYAGAIN Multiple keys request during rehashing of slot; ZCARD on",
        Wait,
        "slot",
    ),
    (
        "NOREPLICAS Not enough good replicas to write.",
        "the server refuses writes because too few replicas are connected (NOREPLICAS Not enough good replicas to write; ZCARD on",
        Wait,
        "min-replicas-to-write",
    ),
    (
        "OOM command not allowed when used memory > 'maxmemory'.",
        "the server is out of memory (OOM command not allowed when used memory > 'maxmemory'; EVAL_RO on",
        Wait,
        "maxmemory",
    ),
    (
        "READONLY You can't write against a read only replica.",
        "the server is a read-only replica (READONLY You can't write against a read only replica; ZCARD on",
        Tell,
        "give the primary with --url",
    ),
    (
        "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
        "the server refuses writes because it cannot save to disk (MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk; ZCARD on",
        Tell,
        "log",
    ),
    (
        "CROSSSLOT Keys in request don't hash to the same slot",
        "the board's keys are in different slots of the cluster (CROSSSLOT Keys in request don't hash to the same slot; ZCARD on",
        Tell,
        "hash tag",
    ),
    (
        "MOVED 3999 127.0.0.1:6381",
        "the board is on another node of the cluster (MOVED 3999 127.0.0.1:6381; ZCARD on",
        Tell,
        "CLUSTER SLOTS",
    ),
    (
        "ASK 3999 127.0.0.1:6381",
        "the board is moving to another node of the cluster (ASK 3999 127.0.0.1:6381; ZCARD on",
        Tell,
        "once the slot has moved",
    ),
    (
        "ERR max number of clients reached",
        "the server's client limit is reached (ERR max number of clients reached; ZCARD on",
        Wait,
        "maxclients",
    ),
    (
        "ERR unknown command 'ZCARD', with args beginning with: 'x'",
        "the server does not know this command (ERR unknown command 'ZCARD', with args beginning with: 'x'; ZCARD on",
        Tell,
        "Redis 5.0",
    ),
    ("NOAUTH Authentication required.", "login refused: NOAUTH Authentication required.", Login, "--user"),
    ("WRONGPASS invalid username-password pair or user is disabled.", "login refused: WRONGPASS", Login, "--user"),
    (
        "NOPERM this user has no permissions to run the 'zcard' command",
        "the user may not run ZCARD on 'lb:{x}:now'",
        Tell,
        "README",
    ),
    ("WHATEVER is \u{1b}[31m new", "WHATEVER is \\e[31m new", Tell, ""),
];

/// The trouble that a viewer meets at a peer that says nothing but this.
fn met(error: &'static str) -> StoreError {
    let peer = Peer::refusing(error);
    let target = Target::new(&peer.url(), SECOND, SECOND).unwrap();
    run(async {
        let mut home = target.connect(Some(|| ())).await.unwrap().home;
        let ask = ranktop::query::page::PageRequest::new(ranktop::query::page::PageStart::Position(1), 5);
        home.read(&board(BOARD), &ask).await.unwrap_err()
    })
}

#[test]
fn every_refusal_is_a_sentence_with_its_conduct() {
    for (error, sentence, conduct, hint) in SAYINGS {
        let trouble = met(error);
        assert_eq!(trouble.is_passing(), conduct == Wait, "{error}: {trouble:?}");
        assert_eq!(trouble.ends_connection(), conduct == Login, "{error}: {trouble:?}");

        let peer = Peer::refusing(error);
        let run = ranktop(&["page", BOARD, "--url", &peer.url()]).run();
        let start = format!("error: cannot read board '{BOARD}' at {}: ", peer.address());
        run.assert_code(1).assert_out("").assert_err_has(&start).assert_err_has(sentence);
        assert_eq!(run.err().lines().count(), if hint.is_empty() { 1 } else { 2 }, "{}", run.err());
        assert!(hint.is_empty() || run.err().lines().nth(1).unwrap().contains(hint), "{}", run.err());
    }
}

#[test]
fn every_word_is_met() {
    let met: Vec<ServerErrorCode> = SAYINGS
        .iter()
        .filter_map(|(error, ..)| {
            error.split_once(' ').and_then(|(code, details)| ServerErrorCode::read(code, details))
        })
        .collect();
    for word in ServerErrorCode::all().filter(|word| *word != ServerErrorCode::ExecAbort) {
        assert!(met.contains(&word), "{word:?}");
    }
}

#[test]
fn a_transaction_that_is_given_up_without_a_reason_is_told() {
    let peer = Peer::start(|words| match words[0].as_str() {
        "MULTI" => "+OK\r\n".to_owned(),
        "EXEC" => "-EXECABORT Transaction discarded because of previous errors.\r\n".to_owned(),
        _ => "+QUEUED\r\n".to_owned(),
    });
    let run = ranktop(&["page", BOARD, "--url", &peer.url()]).run();
    run.assert_code(1).assert_err_has("the server aborted the transaction (EXECABORT Transaction discarded because of previous errors; EXEC on 'lb:{x}:now'");
}

#[test]
fn the_newer_protocol_refused_is_no_trouble() {
    for refusal in [
        "-ERR unknown command `HELLO`, with args beginning with: `3`, \r\n",
        "-NOPROTO unsupported protocol version\r\n",
    ] {
        let peer = Peer::start(move |words| match words[0].as_str() {
            "HELLO" => refusal.to_owned(),
            "MULTI" => "+OK\r\n".to_owned(),
            "EXEC" => "*6\r\n:0\r\n*0\r\n:-2\r\n*0\r\n$-1\r\n*-1\r\n".to_owned(),
            "GET" => "$-1\r\n".to_owned(),
            _ => "+QUEUED\r\n".to_owned(),
        });
        let pty = ranktop(&[BOARD, "--url", &peer.url()]).pty(80, 24);
        pty.wait_text("There is no board 'lb:{x}:now' yet.");
    }
}

#[test]
fn while_a_server_is_not_ready_no_connection_goes_without_pushes() {
    let peer = Peer::start(|words| match words[0].as_str() {
        "HELLO" => "%1\r\n$5\r\nproto\r\n:3\r\n".to_owned(),
        _ => "-BUSY Redis is busy running a script.\r\n".to_owned(),
    });
    let target = Target::new(&peer.url(), SECOND, SECOND).unwrap();
    let trouble = run(async { target.connect(Some(|| ())).await.map(|_| ()).unwrap_err() });
    assert!(matches!(trouble, StoreError::Server { word: ServerErrorCode::Busy, .. }), "{trouble}");
}

#[test]
fn what_is_no_protocol_or_no_reply_is_told_as_such() {
    let of_protocol = "cannot connect: the port answers, but not as Redis does: it is another kind of server";
    for (reply, sentence) in [
        ("\u{1}garbage\r\n", of_protocol),
        ("HTTP/1.1 400 Bad Request\r\n\r\n", of_protocol),
        ("+PONG\r\n", "is not of its form"),
        (":7\r\n", "is not of its form"),
        ("*0\r\n", "is not of its form"),
    ] {
        let peer = Peer::start(move |_| reply.to_owned());
        let run = ranktop(&["page", BOARD, "--url", &peer.url()]).run();
        run.assert_code(1).assert_out("").assert_err_has(sentence);
        run.assert_err_has("hint: check ");
    }
}

/// A server's own refusal of a write, by the command that writes.
fn write_refused(server: &RedisServer, words: &[&str]) {
    let run = ranktop(&["score", BOARD, "u:1", "--by", "1", "--url", &server.url()]).run();
    run.assert_code(1).assert_out("");
    for word in words {
        run.assert_err_has(word);
    }
}

#[test]
fn writers_are_told_by_servers_that_take_no_writes() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", BOARD, "1", "u:1"]);
    server.cmd(&["CONFIG", "SET", "maxmemory", "1"]);
    write_refused(
        &server,
        &[
            "the server is out of memory (OOM command not allowed when",
            "hint: free memory on the server, or raise 'maxmemory'",
        ],
    );
    server.cmd(&["CONFIG", "SET", "maxmemory", "0"]);
    server.cmd(&["CONFIG", "SET", "min-replicas-to-write", "1"]);
    write_refused(
        &server,
        &[
            "the server refuses writes because too few replicas are connected (NOREPLICAS Not enough good replicas to write",
            "hint: ",
        ],
    );
    server.cmd(&["CONFIG", "SET", "min-replicas-to-write", "0"]);
    server.cmd(&["REPLICAOF", "127.0.0.1", "1"]);
    write_refused(
        &server,
        &[
            "the server is a read-only replica (READONLY You can't write against a read only replica",
            "hint: give the primary with --url",
        ],
    );
}

#[test]
fn a_full_server_is_read_all_the_same() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", BOARD, "1", "u:1", "2", "u:2"]);
    server.cmd(&["SET", "lb:{x}:now:version", "7"]);
    server.cmd(&["CONFIG", "SET", "maxmemory", "1"]);
    for rights in [&["+@all"][..], &["+@read", "+@transaction", "+@connection"], &["+@read"]] {
        server.cmd(&[&["ACL", "SETUSER", "reader", "reset", "on", ">secret", "~*"], rights].concat());
        let url = format!("unix://{}?user=reader&pass=secret", server.socket().display());
        let run = ranktop(&["page", BOARD, "--url", &url, "--format", "json"]).run();
        run.assert_clean();
        let page = run.json();
        assert_eq!((&page["version"], &page["verified"], &page["total"]), (&"7".into(), &true.into(), &2.into()));
    }
}
