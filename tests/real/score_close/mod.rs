//! Writing scores and ending periods: the built program, and the writer behind it, against a real server. What is refused
//! leaves nothing behind.

mod close;
mod score;

use crate::common::{RedisServer, Run, ranktop};
use redis::Value;

const BOARD: &str = "lb:{x}:2026-W41";
const VERSION: &str = "lb:{x}:2026-W41:version";
const META: &str = "lb:{x}:2026-W41:meta";

fn run(server: &RedisServer, args: &[&str]) -> Run {
    ranktop(args).env("RANKTOP_URL", server.url()).run()
}

/// The same as a user who has only `rights`.
fn run_as(server: &RedisServer, rights: &[&str], args: &[&str]) -> Run {
    let user = ["ACL", "SETUSER", "writer", "reset", "on", ">secret"];
    server.cmd(&[&user, rights].concat());
    ranktop(args).args(&["--user", "writer"]).env("RANKTOP_URL", server.url()).env("RANKTOP_PASSWORD", "secret").run()
}

/// Everything that the server holds, and for how long.
fn everything(server: &RedisServer) -> Vec<(String, Value, bool)> {
    let mut keys: Vec<String> = redis::cmd("KEYS").arg("*").query(&mut server.client()).unwrap();
    keys.sort();
    let held = |key: &String| (key.clone(), server.cmd(&["DUMP", key]), server.cmd(&["PTTL", key]) == Value::Int(-1));
    keys.iter().map(held).collect()
}

fn text(server: &RedisServer, words: &[&str]) -> Option<String> {
    redis::from_redis_value(server.cmd(words)).unwrap()
}

/// The server's clock, in Unix milliseconds.
fn now(server: &RedisServer) -> i64 {
    let (seconds, micros): (i64, i64) = redis::cmd("TIME").query(&mut server.client()).unwrap();
    seconds * 1000 + micros / 1000
}
