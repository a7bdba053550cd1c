//! Freezing, exporting, comparing and auditing whole boards: the built program against a real server, on boards that stand still and
//! on boards that are written meanwhile.

mod audit;
mod diff;
mod export;
mod freeze;

use crate::common::{RedisServer, Run, ranktop};

fn run(server: &RedisServer, args: &[&str]) -> Run {
    ranktop(args).env("RANKTOP_URL", server.url()).run()
}

/// Fills the board `key` with `rows` members `m:000001` and so on, whose scores the Lua expression `score` says of `i`, and
/// sets its version to 41.
fn fill(server: &RedisServer, key: &str, rows: u32, score: &str) {
    let script = format!(
        "for i = 1, {rows} do redis.call('zadd', KEYS[1], {score}, string.format('m:%06d', i)) end
         redis.call('set', KEYS[1] .. ':version', 41)"
    );
    server.cmd(&["EVAL", &script, "1", key]);
}

/// How many changes the server has counted.
fn changes(server: &RedisServer) -> String {
    let info: String = redis::cmd("INFO").arg("persistence").query(&mut server.client()).unwrap();
    info.lines().find(|line| line.starts_with("rdb_changes_since_last_save")).unwrap().to_owned()
}

fn keys(server: &RedisServer, pattern: &str) -> Vec<String> {
    let mut keys: Vec<String> = redis::cmd("KEYS").arg(pattern).query(&mut server.client()).unwrap();
    keys.sort();
    keys
}

fn ttl(server: &RedisServer, key: &str) -> i64 {
    redis::cmd("PTTL").arg(key).query(&mut server.client()).unwrap()
}
