//! What a reader's rights, and keys of the wrong type, leave of a read, by each means of reading; and what a read costs
//! where scripts are refused.

use std::time::Duration;

use ranktop::board::entry::{Entry, Member};
use ranktop::board::keys::Board;
use ranktop::board::meta::{Meta, State};
use ranktop::board::order::Order;
use ranktop::board::score::Score;
use ranktop::query::error::StoreError;
use ranktop::query::page::{Page, PageReply, PageRequest, PageStart};
use ranktop::store::BoardSource;
use ranktop::store::redis::connect::Target;
use ranktop::store::redis::topology::AnySource;

use crate::common::RedisServer;

/// The rights that leave each means of reading, best first.
const MEANS: [&[&str]; 4] =
    [&["+@all"], &["+@all", "-eval_ro"], &["+@read", "+@transaction", "+@connection"], &["+@read"]];
const TRANSACTIONS: &[&str] = MEANS[2];
const ALL_KEYS: &[&str] = &["~*"];

fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

fn board() -> Board {
    let key = "lb:{rights}:now";
    let companion = |kind: &str| format!("{key}:{kind}").as_str().into();
    Board { key: key.into(), order: Order::Desc, version_key: companion("version"), meta_key: companion("meta") }
}

/// A server with a board of members that share their score with two others, in version 7 and open.
fn filled(members: u32) -> RedisServer {
    let server = RedisServer::start();
    let mut pipeline = redis::pipe();
    for number in 0..members {
        pipeline.cmd("ZADD").arg("lb:{rights}:now").arg(number / 3).arg(format!("m{number:06}"));
    }
    pipeline.cmd("SET").arg("lb:{rights}:now:version").arg(7);
    pipeline.cmd("HSET").arg("lb:{rights}:now:meta").arg("state").arg("open");
    pipeline.exec(&mut server.client()).unwrap();
    server
}

/// A home whose user may use `keys` with `rights`, and nothing else, over the newer protocol.
async fn reader(server: &RedisServer, keys: &[&str], rights: &[&str]) -> AnySource {
    server.cmd(&[&["ACL", "SETUSER", "reader", "reset", "on", ">secret"], keys, rights].concat());
    let target = Target::new(&server.url(), Duration::from_secs(10), Duration::from_secs(10)).unwrap();
    target.with_user("reader").with_password("secret").connect(Some(|| ())).await.unwrap().home.into()
}

async fn page(home: &mut AnySource, ask: &PageRequest) -> Page {
    match home.read(&board(), ask).await.unwrap() {
        PageReply::Page(page) => *page,
        other => panic!("no page for {ask:?}: {other:?}"),
    }
}

fn entry(number: u32) -> Entry {
    Entry::new(format!("m{number:06}").as_str(), Score::new((number / 3).into()).unwrap())
}

/// How often the server has run each command, nested in scripts or not.
fn calls(server: &RedisServer) -> Vec<(String, u64)> {
    let stats: String = redis::cmd("INFO").arg("commandstats").query(&mut server.client()).unwrap();
    let calls = stats.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("cmdstat_")?.split_once(":calls=")?;
        Some((name.to_owned(), rest.split_once(',')?.0.parse().unwrap()))
    });
    calls.collect()
}

fn calls_of(server: &RedisServer, command: &str) -> u64 {
    calls(server).into_iter().find(|(name, _)| name == command).map_or(0, |(_, calls)| calls)
}

/// One question of each kind: by position, from a place where somebody stands, from one where nobody does.
fn asks() -> [PageRequest; 3] {
    let nobody = Entry::new("m000013x", Score::new(4.0).unwrap());
    [PageStart::Position(2), PageStart::After(entry(20)), PageStart::Before(nobody)]
        .map(|whence| PageRequest::new(whence, 5))
}

#[test]
fn a_board_is_read_where_its_companions_may_not_be() {
    run(async {
        let server = filled(30);
        for rights in MEANS {
            for keys in
                [["~lb:{rights}:now", "~other"], ["~lb:{rights}:now", "~*:version"], ["~lb:{rights}:now", "~*:meta"]]
            {
                let mut all = reader(&server, ALL_KEYS, MEANS[0]).await;
                let mut expected = Vec::new();
                for ask in asks() {
                    expected.push(page(&mut all, &ask).await);
                }
                let mut some = reader(&server, &keys, rights).await;
                let (has_version, has_meta) = (keys[1] == "~*:version", keys[1] == "~*:meta");
                for (ask, mut expected) in asks().iter().zip(expected) {
                    expected.window.verified = has_version || rights != ["+@read"];
                    expected.window.version = expected.window.version.filter(|_| has_version);
                    if !has_meta {
                        expected.window.meta = Meta::default();
                    }
                    assert_eq!(page(&mut some, ask).await, expected, "{rights:?} {keys:?}");
                }
                assert_eq!(some.version(&board()).await.unwrap(), has_version.then(|| "7".into()));
            }
        }
    });
}

#[test]
fn scripts_run_where_only_the_read_only_form_is_refused() {
    run(async {
        let server = filled(30);
        let mut home = reader(&server, ALL_KEYS, &["+@all", "-eval_ro"]).await;
        for (done, ask) in (1..).zip(asks()) {
            assert!(page(&mut home, &ask).await.window.verified);
            assert_eq!(calls_of(&server, "eval") + calls_of(&server, "evalsha"), done);
        }
        assert_eq!(calls_of(&server, "eval_ro"), 0);
    });
}

#[test]
fn a_transaction_that_may_be_begun_but_not_run_is_none() {
    run(async {
        let server = filled(30);
        let mut home = reader(&server, ALL_KEYS, &["+@read", "+multi"]).await;
        for ask in asks() {
            // By the version, which is the same at both ends of the pipeline.
            assert!(page(&mut home, &ask).await.window.verified);
        }
        assert_eq!(calls_of(&server, "exec"), 0);
    });
}

#[test]
fn a_key_that_is_no_board_is_named_by_its_type() {
    run(async {
        let server = RedisServer::start();
        for rights in MEANS {
            let mut home = reader(&server, ALL_KEYS, rights).await;
            for (write, found) in [("RPUSH", "list"), ("SADD", "set"), ("SETNX", "string")] {
                server.cmd(&["DEL", "lb:{rights}:now"]);
                server.cmd(&[write, "lb:{rights}:now", "x"]);
                for ask in asks() {
                    let trouble = home.read(&board(), &ask).await.unwrap_err();
                    assert_eq!(trouble, StoreError::WrongType { found: found.into() }, "{rights:?}");
                }
            }
        }
    });
}

#[test]
fn a_board_that_may_not_be_read_is_named() {
    run(async {
        let server = filled(3);
        for rights in MEANS {
            let mut home = reader(&server, &["~other"], rights).await;
            for ask in asks() {
                let trouble = home.read(&board(), &ask).await.unwrap_err();
                assert!(
                    matches!(&trouble, StoreError::NoPermission { key, .. } if *key == board().key),
                    "{rights:?}: {trouble}"
                );
            }
        }
    });
}

#[test]
fn companions_of_another_type_are_as_good_as_missing() {
    run(async {
        let server = filled(30);
        for rights in MEANS {
            let mut home = reader(&server, ALL_KEYS, rights).await;
            let both = page(&mut home, &asks()[1]).await.window;
            assert_eq!((both.version, both.meta.state), (Some("7".into()), Some(State::Open)));
        }
        server.cmd(&["DEL", "lb:{rights}:now:version", "lb:{rights}:now:meta"]);
        server.cmd(&["RPUSH", "lb:{rights}:now:version", "7"]);
        server.cmd(&["SET", "lb:{rights}:now:meta", "open"]);
        for rights in MEANS {
            let mut home = reader(&server, ALL_KEYS, rights).await;
            for ask in asks() {
                let window = page(&mut home, &ask).await.window;
                assert_eq!((window.len(), window.version, window.meta), (5, None, Meta::default()), "{rights:?}");
                assert_eq!(window.verified, rights != ["+@read"]);
            }
            assert_eq!(home.version(&board()).await.unwrap(), None);
        }
    });
}

#[test]
fn only_reading_commands_are_sent() {
    run(async {
        let server = filled(30);
        server.cmd(&["CONFIG", "RESETSTAT"]);
        for rights in MEANS {
            let mut home = reader(&server, ALL_KEYS, rights).await;
            for ask in asks() {
                let anchor = Some(ranktop::query::page::Anchor { place: entry(4), inclusive: true });
                page(&mut home, &PageRequest { anchor, track: Some("m000001".into()), dense: true, ..ask }).await;
            }
        }
        let names: Vec<String> = calls(&server).into_iter().map(|(name, _)| name).collect();
        for expected in ["eval_ro", "eval", "exec", "zcount", "zrevrange", "get"] {
            assert!(names.iter().any(|name| name == expected), "{expected} is not in {names:?}");
        }
        let infos: Vec<Vec<redis::Value>> =
            redis::cmd("COMMAND").arg("INFO").arg(&names).query(&mut server.client()).unwrap();
        for (name, info) in names.iter().zip(infos) {
            let flags: Vec<String> = redis::from_redis_value(info[2].clone()).unwrap();
            assert!(!flags.iter().any(|flag| flag == "write"), "{name}: {flags:?}");
        }
    });
}

/// How many round trips `ask` takes in transactions.
async fn trips(server: &RedisServer, home: &mut AnySource, ask: &PageRequest) -> u64 {
    let before = calls_of(server, "exec");
    home.read(&board(), ask).await.unwrap();
    calls_of(server, "exec") - before
}

#[test]
fn round_trips_without_scripts() {
    run(async {
        let server = filled(60_000);
        let mut home = reader(&server, ALL_KEYS, TRANSACTIONS).await;
        // What is refused is found out.
        page(&mut home, &PageRequest::new(PageStart::Position(60_000), 1)).await;
        // Scores fall every three rows: pages of three that begin with a group cut none.
        let first = PageRequest::new(PageStart::Position(1), 3);
        assert_eq!(trips(&server, &mut home, &first).await, 1);
        let turn = |number| PageRequest::new(PageStart::After(entry(number)), 3);
        assert_eq!(trips(&server, &mut home, &turn(59_997)).await, 1, "from the edge of the page before");
        assert_eq!(trips(&server, &mut home, &turn(30_000)).await, 2, "from anywhere");
        assert_eq!(trips(&server, &mut home, &PageRequest::new(PageStart::Last, 3)).await, 1);
        let cut = PageRequest::new(PageStart::Position(5_001), 3);
        assert_eq!(trips(&server, &mut home, &cut).await, 2, "a page that cuts groups");
        assert_eq!(trips(&server, &mut home, &cut).await, 1, "the same page again");
        assert_eq!(trips(&server, &mut home, &PageRequest::new(PageStart::Member("m000500".into()), 3)).await, 2);
        assert_eq!(
            trips(&server, &mut home, &PageRequest::new(PageStart::NextTie(Score::new(90.0).unwrap()), 3)).await,
            2
        );

        // One group, in which somebody has stood: three trips for 50,000 rows.
        let mut pipeline = redis::pipe();
        for number in 0..50_000 {
            pipeline.cmd("ZADD").arg("lb:{rights}:now").arg(1e6).arg(format!("t{number:06}"));
        }
        pipeline.exec(&mut server.client()).unwrap();
        let removed = PageRequest::new(PageStart::After(Entry::new("t031234x", Score::new(1e6).unwrap())), 20);
        let page_trips = trips(&server, &mut home, &removed).await;
        assert!((4..=6).contains(&page_trips), "{page_trips}");
        assert_eq!(trips(&server, &mut home, &removed).await, 1);
        let found = page(&mut home, &removed).await.window;
        assert_eq!(found.entries[0].member, Member::from("t031234"));
    });
}

#[test]
fn scores_are_counted_by_whatever_means_and_rights_there_are() {
    run(async {
        let server = filled(30);
        for rights in MEANS {
            let all = reader(&server, ALL_KEYS, rights).await.distribution(&board(), 24.into()).await.unwrap();
            assert!(all.verified && all.is_whole(), "{rights:?}");
            assert_eq!((all.total, all.bins.len(), all.version.clone()), (30, 10, Some("7".into())), "{rights:?}");
            let without =
                reader(&server, &["~lb:{rights}:now"], rights).await.distribution(&board(), 24.into()).await.unwrap();
            assert_eq!((without.bins, without.version), (all.bins, None), "{rights:?}");
            assert_eq!(without.verified, rights != ["+@read"], "{rights:?}: nothing else tells of a change");
            server.cmd(&["HSET", "hash", "a", "1"]);
            let hash = Board { key: "hash".into(), ..board() };
            let found = reader(&server, ALL_KEYS, rights).await.distribution(&hash, 24.into()).await;
            assert_eq!(found, Err(StoreError::WrongType { found: "hash".to_owned() }), "{rights:?}");
        }
        let counted = reader(&server, ALL_KEYS, &["+@all", "-zcount"]).await.distribution(&board(), 24.into()).await;
        assert_eq!(counted, Err(StoreError::NoPermission { command: "ZCOUNT".to_owned(), key: board().key }));
        server.cmd(&["CONFIG", "RESETSTAT"]);
        let mut home = reader(&server, ALL_KEYS, MEANS[0]).await;
        home.distribution(&board(), 24.into()).await.unwrap();
        let counts = ["zcard", "zcount", "zrevrange", "exec"].map(|command| calls_of(&server, command));
        assert_eq!(counts, [2, 10, 4, 1], "two trips, however many members there are");
    });
}
