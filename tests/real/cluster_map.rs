//! Maps of a cluster in which a node has no address yet: what the others have is read, and the node is told of.

use std::sync::{Arc, OnceLock};

use crate::common::{FrontEnd, Handling, RedisServer, ranktop};

/// In slot 5061, and in slot 12182.
const BOARDS: [&str; 2] = ["lb:{bar}", "lb:{foo}"];
const UNKNOWN: &str = "the cluster does not know that node's address yet";

/// A front end that tells of a cluster: it has the lower half of the slots, and a node with this host and port 0 the upper.
fn cluster(server: &RedisServer, host: &'static str) -> FrontEnd {
    let port = Arc::new(OnceLock::<String>::new());
    let again = Arc::clone(&port);
    let front = FrontEnd::before(server, move |words, _| match (words[0].as_str(), again.get()) {
        ("CLUSTER", Some(port)) => Handling::Reply(format!(
            "*2\r\n*3\r\n:0\r\n:8191\r\n*3\r\n$9\r\n127.0.0.1\r\n:{port}\r\n$1\r\na\r\n\
             *3\r\n:8192\r\n:16383\r\n*3\r\n{host}:0\r\n$1\r\nb\r\n"
        )),
        _ => Handling::Pass,
    });
    port.set(front.url().rsplit_once(':').unwrap().1.to_owned()).unwrap();
    front
}

#[test]
fn a_node_without_an_address_hides_its_own_boards_alone() {
    let server = RedisServer::start_tcp();
    for board in BOARDS {
        server.cmd(&["ZADD", board, "1", "ada"]);
    }
    for host in ["$0\r\n\r\n", "$-1\r\n", "$1\r\n?\r\n"] {
        let front = cluster(&server, host);
        let does = |args: &[&str]| ranktop(&[args, &["--cluster", "--url", &front.url()]].concat());
        does(&["page", BOARDS[0]]).run().assert_clean().assert_out_has("ada");
        for args in [&["page", BOARDS[1]][..], &["rank", BOARDS[1], "ada"]] {
            does(args).run().assert_code(1).assert_err_has(UNKNOWN);
        }
        let run = does(&["boards"]).run();
        run.assert_code(1).assert_out_has(BOARDS[0]);
        run.assert_err_has(&format!("the list is incomplete: a node does not answer: {UNKNOWN}"));
        let pty = does(&[BOARDS[1]]).pty(200, 24);
        pty.wait_text(UNKNOWN);
        let pty = does(&[BOARDS[0]]).pty(120, 24);
        pty.wait_text("ada");
    }
}
