//! TLS against a real server that has it: whom ranktop trusts, whom it shows what, and what it says where a certificate,
//! a port or a file is not what it should be.

mod certificates;
mod files;
mod peers;
mod viewer;

use std::path::Path;

use crate::common::{Authority, RedisServer, Run, Validity, ranktop};

const BOARD: &str = "b";
const ANYBODY: [&str; 2] = ["--tls-auth-clients", "no"];
const MEMBERS: [&str; 2] = ["--tls-auth-clients", "yes"];

/// An authority and a server with its certificate for `names`, with a board.
fn served(names: &[&str], validity: Validity, args: &[&str]) -> (Authority, RedisServer) {
    let authority = Authority::new("ranktop's tests");
    let server = RedisServer::start_tls(&authority, &authority.sign("server", names, validity), args);
    server.cmd(&["ZADD", BOARD, "7", "ada"]);
    (authority, server)
}

/// A path as an argument.
fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn page(url: &str, args: &[&str]) -> Run {
    ranktop(&["page", BOARD, "--url", url]).args(args).run()
}

#[track_caller]
fn assert_page(run: &Run) {
    run.assert_clean().assert_out_has("ada");
}

/// Exit code `code`, an error with `part` in it, and a hint with `hint` in it.
#[track_caller]
fn assert_refused(run: &Run, code: i32, part: &str, hint: &str) {
    run.assert_code(code).assert_err_has(part).assert_out("");
    let lines: Vec<_> = run.err().lines().collect();
    assert_eq!(lines.len(), 2, "{run}");
    assert!(lines[1].starts_with("hint: ") && lines[1].contains(hint), "{hint}\n{run}");
}
