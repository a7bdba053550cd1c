//! The suite of every home on a real server, by each means of reading that a server or a user's rights may leave.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::time::Duration;

use ranktop::board::ask::Board;
use ranktop::board::entry::Entry;
use ranktop::board::names::NamesHome;
use ranktop::store::redis::RedisHome;
use ranktop::store::redis::connect::Target;

use common::RedisServer;
use home_suite::{Setup, Write};

mod common;
#[macro_use]
mod home_suite;

/// A server, a home on it, and a writer beside.
struct Served {
    home: RedisHome,
    writer: redis::Connection,
    // Dropped last: the others are its clients.
    _server: RedisServer,
}

impl Served {
    /// Reads as a user with these rights; `None` is the default user.
    async fn with_rights(rights: Option<&[&str]>) -> Self {
        let server = RedisServer::start();
        let mut target = Target::new(&server.url(), Duration::from_secs(10), Duration::from_secs(10)).unwrap();
        if let Some(rights) = rights {
            server.cmd(&[&["ACL", "SETUSER", "reader", "on", ">secret"], rights].concat());
            target = target.with_user("reader").with_password("secret");
        }
        let home = target.connect(None::<fn()>).await.unwrap().home;
        Self { home, writer: server.client(), _server: server }
    }

    fn write(&mut self, board: &Board, writes: &[Write]) {
        let mut pipeline = redis::pipe();
        pipeline.atomic();
        for write in writes {
            match write {
                Write::Score(member, value) => {
                    // As a client library would send minus zero.
                    let score =
                        if *value == 0.0 && value.is_sign_negative() { "-0".to_owned() } else { format!("{value:e}") };
                    pipeline.cmd("ZADD").arg(board.key.as_ref()).arg(score).arg(member.as_bytes());
                }
                Write::Remove(member) => {
                    pipeline.cmd("ZREM").arg(board.key.as_ref()).arg(member.as_bytes());
                }
                Write::Delete => {
                    pipeline.cmd("DEL").arg(board.key.as_ref());
                }
                Write::IncrementVersion => {
                    pipeline.cmd("INCR").arg(board.version_key.as_ref());
                }
                Write::SetVersion(Some(version)) => {
                    pipeline.cmd("SET").arg(board.version_key.as_ref()).arg(version);
                }
                Write::SetVersion(None) => {
                    pipeline.cmd("DEL").arg(board.version_key.as_ref());
                }
                Write::SetMeta(field, Some(value)) => {
                    pipeline.cmd("HSET").arg(board.meta_key.as_ref()).arg(*field).arg(value);
                }
                Write::SetMeta(field, None) => {
                    pipeline.cmd("HDEL").arg(board.meta_key.as_ref()).arg(*field);
                }
                Write::SetName(home, member, name) => set_name(&mut pipeline, home, member.as_bytes(), name.as_deref()),
            }
        }
        pipeline.exec(&mut self.writer).unwrap();
    }

    fn fill(&mut self, board: &Board, entries: &[Entry]) {
        for batch in entries.chunks(1_000) {
            let writes: Vec<Write> =
                batch.iter().map(|entry| Write::Score(entry.member.clone(), entry.score.get())).collect();
            self.write(board, &writes);
        }
    }
}

fn set_name(pipeline: &mut redis::Pipeline, home: &NamesHome, member: &[u8], name: Option<&[u8]>) {
    match (home, name) {
        (NamesHome::Hash(key), Some(name)) => pipeline.cmd("HSET").arg(key.as_ref()).arg(member).arg(name),
        (NamesHome::Hash(key), None) => pipeline.cmd("HDEL").arg(key.as_ref()).arg(member),
        (NamesHome::HashEach(key, field), Some(name)) => {
            pipeline.cmd("HSET").arg(key.of(member).as_ref()).arg(field).arg(name)
        }
        (NamesHome::HashEach(key, field), None) => pipeline.cmd("HDEL").arg(key.of(member).as_ref()).arg(field),
        (NamesHome::StringEach(key), Some(name)) => pipeline.cmd("SET").arg(key.of(member).as_ref()).arg(name),
        (NamesHome::StringEach(key), None) => pipeline.cmd("DEL").arg(key.of(member).as_ref()),
    };
}

/// A set-up of the suite for each means: which rights the reader has, and on which versions pages are verified.
macro_rules! by_rights {
    ($($means:ident: $rights:expr, $is_verified:expr;)*) => {$(
        mod $means {
            use super::*;

            struct Means(Served);

            impl Setup for Means {
                type Home = RedisHome;

                const CASES: u32 = 25;

                fn is_verified(version: Option<&[u8]>) -> bool {
                    let is_verified: fn(Option<&[u8]>) -> bool = $is_verified;
                    is_verified(version)
                }

                async fn start() -> Self {
                    Self(Served::with_rights($rights).await)
                }

                fn home(&mut self) -> &mut RedisHome {
                    &mut self.0.home
                }

                async fn write(&mut self, board: &Board, writes: &[Write]) {
                    self.0.write(board, writes);
                }

                async fn fill(&mut self, board: &Board, entries: &[Entry]) {
                    self.0.fill(board, entries);
                }
            }

            home_suite!(Means);
        }
    )*};
}

by_rights! {
    read_only_scripts: None, |_| true;
    scripts: Some(&["~*", "+@all", "-eval_ro"]), |_| true;
    transactions: Some(&["~*", "+@read", "+@transaction", "+@connection"]), |_| true;
    pipelines: Some(&["~*", "+@read"]), |version| version.is_some();
}
