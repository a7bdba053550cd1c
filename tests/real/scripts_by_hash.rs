//! Scripts go to a server as text once over each connection, and by their hash from then on; where a server has lost them, or
//! refuses the hash, the read is the same.

use std::time::Duration;

use ranktop::board::entry::Entry;
use ranktop::board::keys::Board;
use ranktop::board::order::Order;
use ranktop::board::score::Score;
use ranktop::query::page::{Page, PageReply, PageRequest, PageStart};
use ranktop::store::BoardSource;
use ranktop::store::redis::connect::Target;
use ranktop::store::redis::topology::AnySource;

use crate::common::RedisServer;

const KEY: &str = "lb:{hash}:now";

fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

/// A server with thirty members, three to a score.
fn filled() -> RedisServer {
    let server = RedisServer::start();
    let mut pipeline = redis::pipe();
    for number in 0..30 {
        pipeline.cmd("ZADD").arg(KEY).arg(number / 3).arg(format!("m{number:02}"));
    }
    pipeline.cmd("SET").arg(format!("{KEY}:version")).arg(7);
    pipeline.exec(&mut server.client()).unwrap();
    server
}

async fn reader(server: &RedisServer, rights: &[&str]) -> AnySource {
    server.cmd(&[&["ACL", "SETUSER", "reader", "reset", "on", ">secret", "~*"], rights].concat());
    let target = Target::new(&server.url(), Duration::from_secs(10), Duration::from_secs(10)).unwrap();
    target.with_user("reader").with_password("secret").connect(Some(|| ())).await.unwrap().home.into()
}

/// A page that is read by a script within a transaction, and one that is read by a script alone. Neither is where the
/// other says that it would be.
fn asks() -> [PageRequest; 2] {
    let place = Entry::new("m20", Score::new(6.0).unwrap());
    let [position, after] = [PageStart::Position(2), PageStart::After(place)].map(|whence| PageRequest::new(whence, 5));
    [position, PageRequest { dense: true, ..after }]
}

async fn page(home: &mut AnySource, ask: &PageRequest) -> Page {
    let companion = |kind: &str| format!("{KEY}:{kind}").as_str().into();
    let board =
        Board { key: KEY.into(), order: Order::Desc, version_key: companion("version"), meta_key: companion("meta") };
    match home.read(&board, ask).await.unwrap() {
        PageReply::Page(page) => *page,
        other => panic!("no page for {ask:?}: {other:?}"),
    }
}

/// How often each of these commands has run, and has been refused, since the statistics were reset.
fn stats<const N: usize>(server: &RedisServer, commands: [&str; N]) -> [(u64, u64); N] {
    let stats: String = redis::cmd("INFO").arg("commandstats").query(&mut server.client()).unwrap();
    commands.map(|command| {
        let line = stats.lines().find_map(|line| line.strip_prefix(&format!("cmdstat_{command}:")));
        let number = |field: &str| {
            line.map_or(0, |line| {
                let mut fields = line.split(',').filter_map(|pair| pair.split_once('='));
                fields.find(|(name, _)| *name == field).unwrap().1.parse().unwrap()
            })
        };
        (number("calls"), number("rejected_calls"))
    })
}

#[test]
fn the_text_goes_once_over_a_connection_and_again_where_the_server_has_lost_it() {
    run(async {
        let server = filled();
        let mut home = reader(&server, &["+@all"]).await;
        let mut right = Vec::new();
        for ask in asks() {
            right.push(page(&mut home, &ask).await);
        }
        server.cmd(&["CONFIG", "RESETSTAT"]);
        for (ask, right) in asks().iter().zip(&right) {
            assert!(right.window.verified && right.window.version == Some("7".into()));
            assert_eq!(page(&mut home, ask).await, *right);
        }
        assert_eq!(stats(&server, ["eval_ro", "evalsha_ro"]), [(0, 0), (2, 0)]);
        // What a failover or a restart does to scripts, over a connection that stands.
        for at in [0, 1] {
            let (ask, other) = (&asks()[at], &asks()[1 - at]);
            // What one script has found of a loss, the other need not find again.
            for ask in [ask, other] {
                page(&mut home, ask).await;
            }
            server.cmd(&["SCRIPT", "FLUSH", "SYNC"]);
            server.cmd(&["CONFIG", "RESETSTAT"]);
            assert_eq!(page(&mut home, ask).await, right[at]);
            assert_eq!(stats(&server, ["eval_ro", "evalsha_ro"]), [(1, 0), (1, 0)], "asked again once");
            assert_eq!(page(&mut home, other).await, right[1 - at]);
            assert_eq!(stats(&server, ["eval_ro", "evalsha_ro"]), [(2, 0), (1, 0)], "lost too, and known to be");
            assert_eq!(page(&mut home, ask).await, right[at]);
            assert_eq!(stats(&server, ["eval_ro", "evalsha_ro"]), [(2, 0), (2, 0)], "by the hash again");
        }
        // Another connection asks nothing of what this one knows.
        server.cmd(&["SCRIPT", "FLUSH", "SYNC"]);
        server.cmd(&["CONFIG", "RESETSTAT"]);
        let mut other = reader(&server, &["+@all"]).await;
        assert_eq!(page(&mut other, &asks()[0]).await, right[0]);
        assert_eq!(stats(&server, ["eval_ro", "evalsha_ro"]), [(1, 0), (0, 0)]);
    });
}

#[test]
fn whoever_may_not_use_hashes_sends_the_text() {
    run(async {
        let server = filled();
        for (rights, text, hash) in [
            (&["+@all", "-evalsha_ro"][..], "eval_ro", "evalsha_ro"),
            (&["+@all", "-eval_ro", "-evalsha"], "eval", "evalsha"),
        ] {
            let mut home = reader(&server, rights).await;
            server.cmd(&["CONFIG", "RESETSTAT"]);
            let mut first = Vec::new();
            for ask in asks() {
                first.push(page(&mut home, &ask).await);
            }
            for _ in 0..3 {
                for (ask, first) in asks().iter().zip(&first) {
                    let again = page(&mut home, ask).await;
                    assert!(again.window.verified);
                    assert_eq!(again, *first);
                }
            }
            let [texts, hashes] = stats(&server, [text, hash]);
            assert_eq!((texts.0, hashes), (8, (0, 1)), "{rights:?}: refused once, and remembered");
        }
    });
}

#[test]
fn before_scripts_were_read_only_they_go_by_their_hash_too() {
    run(async {
        let server = filled();
        let mut home = reader(&server, &["+@all", "-eval_ro", "-evalsha_ro"]).await;
        let mut right = Vec::new();
        for ask in asks() {
            right.push(page(&mut home, &ask).await);
        }
        server.cmd(&["CONFIG", "RESETSTAT"]);
        for _ in 0..2 {
            for (ask, right) in asks().iter().zip(&right) {
                assert_eq!(page(&mut home, ask).await, *right);
            }
            server.cmd(&["SCRIPT", "FLUSH", "SYNC"]);
        }
        assert_eq!(stats(&server, ["eval", "evalsha", "eval_ro", "evalsha_ro"]).map(|each| each.0), [2, 3, 0, 0]);
    });
}
