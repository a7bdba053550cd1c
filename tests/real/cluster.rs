//! A Redis Cluster: boards are read from the node that holds them, wherever that is and while they move.

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use vt100::Screen;

use crate::common::{Cluster, Program, Pty, RedisServer, ranktop, readme_of_services, text, wait_until};

const BOARD: &str = "lb:{spring}:2026-W41";

fn program(cluster: &Cluster, args: &[&str]) -> Program {
    let found: Vec<String> = cluster.args();
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    ranktop(args).args(&found)
}

/// Three ties at 980 between a first and a last, with version, meta and names in the board's slot.
fn fill(cluster: &Cluster, board: &str, names: &str) {
    cluster.at(&["ZADD", board, "1050", "u:1", "980", "u:2", "980", "u:3", "980", "u:4", "910", "u:5"]);
    cluster.at(&["SET", &format!("{board}:version"), "7"]);
    cluster.at(&["HSET", &format!("{board}:meta"), "state", "open", "title", "Spring Cup"]);
    cluster.at(&["HSET", names, "u:1", "Ada", "u:4", "Grace"]);
}

fn rows() -> Json {
    let row = |position: u64, rank: u64, member: &str, name: Option<&str>, score: u64, tied: u64| json!({"position":position,"rank":rank,"member":member,"name":name,"score":score,"tied":tied});
    json!([
        row(1, 1, "u:1", Some("Ada"), 1050, 1),
        row(2, 2, "u:4", Some("Grace"), 980, 3),
        row(3, 2, "u:3", None, 980, 3),
        row(4, 2, "u:2", None, 980, 3),
        row(5, 5, "u:5", None, 910, 1),
    ])
}

/// Sets the score of `u:1` and counts the version up, in one transaction.
fn put(cluster: &Cluster, score: u32) {
    let node = &cluster.nodes[cluster.holder(BOARD)];
    let mut pipeline = redis::pipe();
    pipeline.atomic().cmd("ZADD").arg(BOARD).arg(score).arg("u:1").cmd("INCR").arg(format!("{BOARD}:version"));
    pipeline.exec(&mut node.client()).unwrap();
}

fn first_line(screen: &Screen) -> String {
    text(screen).lines().next().unwrap_or_default().to_owned()
}

#[track_caller]
fn wait_live(pty: &Pty, server: &RedisServer, score: &str) {
    let address = server.tcp_address();
    pty.wait_for(&format!("{score}, live at {address}"), |screen| {
        let line = first_line(screen);
        line.contains("● live") && line.contains(&address) && text(screen).contains(score)
    });
}

#[test]
fn a_board_with_all_that_belongs_to_it_is_read_from_whichever_node_holds_it() {
    let cluster = Cluster::start_patient();
    let on = |node: usize| {
        let mut boards = (0..10_000).map(|number| format!("lb:{{game{number}}}:2026-W41"));
        boards.find(|board| cluster.holder(board) == node).unwrap()
    };
    let mut boards = [0, 1, 2].map(on);
    for board in &boards {
        fill(&cluster, board, &format!("{}:names", board.strip_suffix(":2026-W41").unwrap()));
        for args in [&[][..], &["--read-from", "replica"]] {
            let run = program(&cluster, &[&["page", board, "--format", "json"], args].concat()).run();
            run.assert_clean();
            let page = run.json();
            assert_eq!(page["rows"], rows());
            assert_eq!(
                (&page["version"], &page["verified"], &page["state"]),
                (&json!("7"), &json!(true), &json!("open"))
            );
        }
        program(&cluster, &["audit", board, "--sample", "2"]).run().assert_code(0);
        let run = program(&cluster, &["rank", board, "u:3", "--around", "1", "--format", "json"]).run();
        assert_eq!(run.json()[0]["rank"], 2, "{run}");
    }
    // Without its option, the cluster shows itself, and says so.
    let run = ranktop(&["page", &boards[0], "--url", &cluster.nodes[1].tcp_url()]).run();
    run.assert_code(1)
        .assert_err_has("the board is on another node of the cluster (MOVED ")
        .assert_err_has("hint: use --cluster to find the node");

    // All boards, each once, whichever of the seeds is asked.
    let run = program(&cluster, &["boards", "--format", "json"]).run();
    run.assert_clean();
    let listed: Vec<_> = run.json().as_array().unwrap().iter().map(|board| board["board"].clone()).collect();
    boards.sort_unstable();
    assert_eq!(listed, boards);
    assert!(run.json().as_array().unwrap().iter().all(|board| board["version"] == "7" && board["total"] == 5));
    program(&cluster, &["boards", &boards[1]]).run().assert_clean().assert_out_has("\n1 board ");

    // Writes go to the primary.
    let board = boards[2].as_str();
    let run = program(&cluster, &["score", board, "u:5", "--by", "200"]).run();
    run.assert_clean().assert_out("u:5: 910 -> 1110 (rank 1), version 8\n");
    let run = program(&cluster, &["freeze", board]).run();
    run.assert_code(0).assert_out(&format!("{board}:frozen:8\n"));
    let run = program(&cluster, &["export", &format!("{board}:frozen:8"), "--format", "ndjson"]).run();
    run.assert_code(0).assert_out_has(r#""name":"Grace""#);
    program(&cluster, &["close", board]).run().assert_clean().assert_out_has("closed at");
}

#[test]
fn companions_in_other_slots_are_read_there_and_the_window_says_so() {
    let cluster = Cluster::start();
    // Without a hash tag each key has a slot of its own, and so has each member's.
    let board = (0..10_000).map(|number| format!("plain{number}")).find(|board| {
        let holder = |key: &str| cluster.holder(key);
        let companions = ["version", "meta", "names"].map(|kind| format!("{board}:{kind}"));
        companions.iter().all(|key| holder(key) != holder(board))
    });
    let board = board.unwrap();
    // A sorted set with nothing else is of one moment, wherever its companions would be.
    cluster.at(&["ZADD", &board, "1050", "u:1", "980", "u:2"]);
    let run = program(&cluster, &["page", &board, "--format", "json"]).run();
    assert_eq!((&run.json()["verified"], &run.json()["version"]), (&json!(true), &Json::Null), "{run}");
    fill(&cluster, &board, &format!("{board}:names"));
    let run = program(&cluster, &["page", &board, "--format", "json"]).run();
    run.assert_clean();
    let page = run.json();
    assert_eq!(page["rows"], rows());
    assert_eq!((&page["version"], &page["verified"], &page["state"]), (&json!("7"), &json!(false), &json!("open")));
    for member in 1..=5 {
        cluster.at(&["HSET", &format!("user:u:{member}"), "name", &format!("Name {member}")]);
        cluster.at(&["SET", &format!("called:u:{member}"), &format!("Called {member}")]);
    }
    for (name_of, wanted) in [("hash:user:<member>:name", "Name"), ("string:called:<member>", "Called")] {
        let run = program(&cluster, &["page", &board, "--format", "json", "--name-of", name_of]).run();
        let names: Vec<_> =
            run.json()["rows"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect();
        assert_eq!(names, [1, 4, 3, 2, 5].map(|member| format!("{wanted} {member}")));
    }
    let pty = program(&cluster, &[&board, "--interval", "100ms"]).pty(160, 24);
    wait_live(&pty, &cluster.nodes[cluster.holder(&board)], "Grace");
    pty.wait_text("unverified");
    pty.wait_text("in another slot than the board");
    // The version is watched where it is.
    cluster.at(&["ZADD", &board, "2000", "u:5"]);
    cluster.at(&["INCR", &format!("{board}:version")]);
    pty.wait_text("v8");
    pty.wait_text("2,000");
    let run = program(&cluster, &["boards", &board, "--format", "json"]).run();
    assert_eq!((&run.json()[0]["version"], &run.json()[0]["state"]), (&json!("8"), &json!("open")), "{run}");

    // A node that holds only names may be lost: the board is live on, and names are found where they are after that.
    let (at, names_at) = (cluster.holder(&board), cluster.holder(format!("{board}:names")));
    let tagged = ["--version-key", "{<board>}:version", "--meta-key", "{<board>}:meta"];
    let pty = program(&cluster, &[&board, "--interval", "100ms"]).args(&tagged).pty(160, 24);
    wait_live(&pty, &cluster.nodes[at], "Grace");
    drop(pty);
    let pty = program(&cluster, &[&board, "--interval", "100ms"]).args(&tagged);
    cluster.nodes[names_at].stop();
    let pty = pty.pty(160, 24);
    wait_live(&pty, &cluster.nodes[at], "2,000");
    pty.wait_text("Grace");
    wait_live(&pty, &cluster.nodes[at], "2,000");
    assert!(!String::from_utf8_lossy(&pty.bytes()).contains("reconnecting"));
    cluster.nodes[names_at].cont();
    wait_until("the node to be back", || cluster.holder(format!("{board}:names")) >= 3);

    // No script reaches all the keys.
    for args in [&["score", &board, "u:1", "--by", "1"][..], &["close", &board], &["freeze", &board]] {
        let run = program(&cluster, args).run();
        run.assert_code(1).assert_err_has("in different slots of the cluster").assert_err_has("hint: a hash tag");
    }
    assert_eq!(cluster.at(&["GET", &format!("{board}:version")]), redis::Value::BulkString(b"8".to_vec()));
}

#[test]
fn a_slot_that_moves_and_a_failover_are_a_short_stale_spell() {
    let mut cluster = Cluster::start();
    fill(&cluster, BOARD, "lb:{spring}:names");
    let polling = program(&cluster, &[BOARD, "--watch", "poll", "--interval", "100ms"]).pty(170, 24);
    let pushed = program(&cluster, &[BOARD]).pty(170, 24);
    let from = cluster.holder(BOARD);
    for pty in [&polling, &pushed] {
        wait_live(pty, &cluster.nodes[from], "1,050");
    }
    pushed.wait_text("push");
    put(&cluster, 1_051);
    let written = Instant::now();
    pushed.wait_text("1,051");
    assert!(written.elapsed() < Duration::from_secs(2), "the owner does not tell of changes");

    // While its keys are moved the board is neither here nor there.
    let to = (from + 1) % 3;
    let slot = cluster.slot(BOARD);
    cluster.begin_move(slot, from, to);
    put(&cluster, 1_052);
    for pty in [&polling, &pushed] {
        wait_live(pty, &cluster.nodes[from], "1,052");
    }
    cluster.move_keys(slot, from, to);
    for pty in [&polling, &pushed] {
        pty.wait_for("the spell", |screen| {
            let line = first_line(screen);
            !line.contains("live") && line.contains("the board is moving to another node")
        });
        pty.wait_text("1,052");
    }
    let run = program(&cluster, &["page", BOARD]).run();
    run.assert_code(1).assert_err_has("ASK").assert_err_has("try again once the slot has moved");
    cluster.end_move(slot, from, to);
    let moved = Instant::now();
    put_at(&cluster.nodes[to], 1_053);
    for pty in [&polling, &pushed] {
        wait_live(pty, &cluster.nodes[to], "1,053");
    }
    assert!(moved.elapsed() < Duration::from_millis(2_500), "{:?}", moved.elapsed());

    // The replica takes over by hand, and the old primary becomes its replica.
    let replica = to + 3;
    cluster.cmd(replica, &["CLUSTER", "FAILOVER"]);
    wait_until("the replica to be the primary", || cluster.holder(BOARD) == replica);
    let failed_over = Instant::now();
    put(&cluster, 1_054);
    for pty in [&polling, &pushed] {
        wait_live(pty, &cluster.nodes[replica], "1,054");
    }
    assert!(failed_over.elapsed() < Duration::from_millis(2_500), "{:?}", failed_over.elapsed());

    // And it fails: the other one is the primary again.
    wait_until("the old primary to follow", || {
        let info: String = redis::from_redis_value(cluster.cmd(to, &["INFO", "replication"])).unwrap();
        let version = cluster.nodes[to].try_cmd(&["INFO", "replication"]).is_ok();
        version && info.contains("master_link_status:up")
    });
    cluster.nodes[replica].kill();
    let witness = (to + 1) % 3;
    wait_until("the failover", || {
        let slots = format!("{:?}", cluster.cmd(witness, &["CLUSTER", "SLOTS"]));
        let nodes: String = redis::from_redis_value(cluster.cmd(witness, &["CLUSTER", "NODES"])).unwrap();
        let line = nodes.lines().find(|line| line.contains(&cluster.nodes[to].tcp_address())).unwrap().to_owned();
        line.contains("master") && slots.contains(&cluster.nodes[to].tcp_port().to_string())
    });
    let failed_over = Instant::now();
    put_at(&cluster.nodes[to], 1_055);
    for pty in [&polling, &pushed] {
        wait_live(pty, &cluster.nodes[to], "1,055");
    }
    assert!(failed_over.elapsed() < Duration::from_millis(2_500), "{:?}", failed_over.elapsed());
}

fn put_at(node: &RedisServer, score: u32) {
    let mut pipeline = redis::pipe();
    pipeline.atomic().cmd("ZADD").arg(BOARD).arg(score).arg("u:1").cmd("INCR").arg(format!("{BOARD}:version"));
    let mut client = node.client();
    wait_until("the node to take the write", || pipeline.exec(&mut client).is_ok());
}

#[test]
fn a_replica_of_the_shard_is_read_and_says_how_far_it_is_behind() {
    let cluster = Cluster::start_patient();
    fill(&cluster, BOARD, "lb:{spring}:names");
    let primary = cluster.holder(BOARD);
    let pty = program(&cluster, &[BOARD, "--read-from", "replica"]).pty(160, 24);
    wait_live(&pty, &cluster.nodes[primary + 3], "1,050");
    pty.wait_text("replica, last heard from primary");
    put(&cluster, 1_051);
    wait_live(&pty, &cluster.nodes[primary + 3], "1,051");
    drop(pty);
    // Who has only the rights of a reader is told which other one is missing.
    for (rights, missing) in [(&["+@read"][..], "CLUSTER SLOTS"), (&["+@read", "+cluster|slots"], "READONLY")] {
        for node in &cluster.nodes {
            node.cmd(&[&["ACL", "SETUSER", "viewer", "reset", "on", ">secret", "~*"], rights].concat());
        }
        let viewer = |args: &[&str]| {
            program(&cluster, &[&["page", BOARD], args].concat())
                .args(&["--user", "viewer"])
                .env("RANKTOP_PASSWORD", "secret")
                .run()
        };
        let run = viewer(&["--read-from", "replica"]);
        run.assert_code(1).assert_err_has(&format!("the user may not run {missing}")).assert_err_has("hint: README");
        if missing == "READONLY" {
            viewer(&[]).assert_clean().assert_out_has("1051");
        }
    }
    // With what README lists it works, as README writes it.
    let rights = readme_of_services("ACL ");
    for node in &cluster.nodes {
        node.cmd(&["ACL", "SETUSER", "viewer", "reset", "on", ">secret", "~lb:{spring}:*", "+@read"]);
        node.cmd(&rights[1].split(' ').collect::<Vec<_>>());
    }
    let line = readme_of_services("ranktop ").into_iter().find(|line| line.contains("--cluster")).unwrap();
    let told = line.split(' ').skip(1).map(|word| match word.split_once("node-") {
        Some((_, which)) => cluster.nodes[usize::from(which.starts_with('2'))].tcp_url(),
        None => word.trim_matches('\'').to_owned(),
    });
    let told: Vec<String> = told.collect();
    let told: Vec<&str> = told.iter().map(String::as_str).chain(["--user", "viewer"]).collect();
    for (from, words) in [("primary", "● live"), ("replica", "replica, last heard from primary")] {
        let viewer = ranktop(&told).args(&["--read-from", from]).env("RANKTOP_PASSWORD", "secret").pty(160, 24);
        viewer.wait_text(words);
        viewer.wait_text("1,051");
    }
    let alone = RedisServer::start_tcp();
    let run = ranktop(&["page", BOARD, "--cluster", "--url", &alone.tcp_url()]).run();
    run.assert_code(1).assert_err_has("is no node of a cluster");
    let run = ranktop(&["page", BOARD, "--cluster", "--url", &format!("{}/3", alone.tcp_url())]).run();
    run.assert_code(2).assert_err_has("no database but 0");
}
