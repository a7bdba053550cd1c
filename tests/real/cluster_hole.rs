//! A Redis Cluster one of whose nodes is away: what the others have is read as ever, and what is missing is told by the node
//! that does not answer.

use serde_json::json;

use crate::common::{Cluster, Program, ranktop, text, wait_until};

/// A board on each primary, with three members.
fn boards(cluster: &Cluster) -> [String; 3] {
    let boards = [0, 1, 2].map(|node| {
        let mut boards = (0..10_000).map(|number| format!("lb:{{game{number}}}:2026-W41"));
        boards.find(|board| cluster.holder(board) == node).unwrap()
    });
    for board in &boards {
        cluster.at(&["ZADD", board, "30", "u:1", "20", "u:2", "20", "u:3"]);
        cluster.at(&["SET", &format!("{board}:version"), "7"]);
    }
    boards
}

fn program(cluster: &Cluster, args: &[&str]) -> Program {
    let found: Vec<String> = cluster.args();
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    ranktop(args).args(&found)
}

#[test]
fn a_node_that_is_away_hides_its_own_boards_and_is_named() {
    let mut cluster = Cluster::start();
    let boards = boards(&cluster);
    // One of the seeds that the program is given, and nobody takes over.
    let (node, slot) = (cluster.nodes[1].tcp_address(), cluster.slot(&boards[1]));
    let living = program(&cluster, &[&boards[0], "--interval", "100ms"]).pty(120, 24);
    living.wait_text("● live");
    cluster.nodes[4].kill();
    cluster.nodes[1].kill();

    let run = program(&cluster, &["boards", "--format", "json"]).run();
    run.assert_code(1)
        .assert_err_has(&format!("error: the list is incomplete: node {node} does not answer: connection refused"))
        .assert_err_has("CLUSTER NODES");
    let mut wanted = vec![boards[0].clone(), boards[2].clone()];
    wanted.sort_unstable();
    let json = run.json();
    let listed: Vec<_> = json.as_array().unwrap().iter().map(|board| board["board"].clone()).collect();
    assert_eq!(listed, wanted, "what the others have is printed: {run}");
    program(&cluster, &["boards"]).run().assert_code(1).assert_out_has("\n2 boards");

    let lost = format!("node {node}, which holds slot {slot}, does not answer: connection refused");
    for args in [
        &["page", &boards[1]][..],
        &["rank", &boards[1], "u:1"],
        &["ties", &boards[1]],
        &["audit", &boards[1]],
        &["export", &boards[1], "--live"],
        &["score", &boards[1], "u:1", "--by", "1"],
    ] {
        let run = program(&cluster, args).run();
        run.assert_code(1).assert_err_has(&lost);
        assert!(!run.err().contains("--url"), "{args:?}: {run}");
    }
    for board in [&boards[0], &boards[2]] {
        let run = program(&cluster, &["page", board, "--format", "json"]).run();
        run.assert_clean();
        assert_eq!((&run.json()["total"], &run.json()["verified"]), (&json!(3), &json!(true)));
    }

    // The viewer of a board elsewhere is not touched by it.
    cluster.nodes[0].cmd(&["ZADD", &boards[0], "31", "u:9"]);
    cluster.nodes[0].cmd(&["INCR", &format!("{}:version", boards[0])]);
    living.wait_text("u:9");
    assert!(!String::from_utf8_lossy(&living.bytes()).contains("reconnecting"));
    let of_lost = program(&cluster, &[&boards[1]]).pty(160, 24);
    of_lost.wait_text(&format!("which holds slot {slot}, does not answer"));
    let pty = program(&cluster, &[]).pty(160, 24);
    pty.wait_for("the others and the node that is away", |screen| {
        let screen = text(screen);
        [&boards[0], &boards[2]].iter().all(|board| screen.contains(board.as_str()))
            && screen.contains(&format!("the list is incomplete: node {node} does not answer"))
    });

    // It comes back, and the list is completed by itself.
    cluster.nodes[1].restart();
    wait_until("the node to be back", || cluster.nodes[1].try_cmd(&["PING"]).is_ok());
    pty.wait_for("a whole list", |screen| !text(screen).contains("incomplete"));
}

#[test]
fn a_list_is_whole_again_after_a_failover() {
    let mut cluster = Cluster::start();
    let boards = boards(&cluster);
    let pty = program(&cluster, &[]).pty(160, 24);
    pty.wait_for("all boards", |screen| boards.iter().all(|board| text(screen).contains(board.as_str())));
    cluster.nodes[2].kill();
    wait_until("the replica to take over", || cluster.holder(&boards[2]) == 5);
    let run = program(&cluster, &["boards", "--format", "json"]).run();
    run.assert_clean();
    assert_eq!(run.json().as_array().unwrap().len(), 3);
    let run = program(&cluster, &["page", &boards[2], "--format", "json"]).run();
    run.assert_clean();
    assert_eq!(run.json()["total"], 3);
    // The list that was open all the while has lost none.
    pty.wait_for("all boards", |screen| boards.iter().all(|board| text(screen).contains(board.as_str())));
}
