//! One reply of a read that is right but for it is an error, at each place, by every means of reading.

use std::time::Duration;

use ranktop::board::entry::Entry;
use ranktop::board::keys::Board;
use ranktop::board::names::NamesLocation;
use ranktop::board::order::Order;
use ranktop::board::score::Score;
use ranktop::query::page::{Anchor, PageRequest, PageStart};
use ranktop::store::redis::RedisSource;
use ranktop::store::redis::connect::Target;

use crate::common::{FaultProxy, Place, RedisServer};

const SECOND: Duration = Duration::from_secs(10);
const KEY: &str = "lb:{spoil}:now";
/// The rights that leave each means of reading, best first.
const MEANS: [&[&str]; 4] =
    [&["+@all"], &["+@all", "-eval_ro"], &["+@read", "+@transaction", "+@connection"], &["+@read"]];

pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

pub(crate) fn board(key: &str) -> Board {
    let companion = |kind: &str| format!("{key}:{kind}").as_str().into();
    Board { key: key.into(), order: Order::Desc, version_key: companion("version"), meta_key: companion("meta") }
}

fn entry(number: u32) -> Entry {
    Entry::new(format!("m{number:02}").as_str(), Score::new((number / 3).into()).unwrap())
}

fn filled() -> RedisServer {
    let server = RedisServer::start_tcp();
    let mut pipeline = redis::pipe();
    for number in 0..30 {
        pipeline.cmd("ZADD").arg(KEY).arg(number / 3).arg(format!("m{number:02}"));
        pipeline.cmd("HSET").arg("lb:{spoil}:names").arg(format!("m{number:02}")).arg("Ada");
        pipeline.cmd("SET").arg(format!("user:m{number:02}")).arg("Ada");
    }
    pipeline.cmd("SET").arg(format!("{KEY}:version")).arg(7);
    pipeline.cmd("HSET").arg(format!("{KEY}:meta")).arg("state").arg("open");
    pipeline.exec(&mut server.client()).unwrap();
    server
}

async fn home(server: &RedisServer, proxy: &FaultProxy, rights: &[&str]) -> RedisSource {
    server.cmd(&[&["ACL", "SETUSER", "reader", "reset", "on", ">secret", "~*"], rights].concat());
    let target = Target::new(&proxy.url("reader:secret@"), SECOND, SECOND).unwrap();
    target.connect(Some(|| ())).await.unwrap().home
}

fn asks() -> Vec<PageRequest> {
    let whences = [
        PageStart::Position(2),
        PageStart::After(entry(20)),
        PageStart::Before(entry(7)),
        PageStart::Last,
        PageStart::Member("m11".into()),
        PageStart::NextTie(entry(20).score),
    ];
    let mut asks: Vec<PageRequest> = whences.into_iter().map(|whence| PageRequest::new(whence, 5)).collect();
    asks[1].anchor = Some(Anchor { place: entry(20), inclusive: true });
    asks[0].track = Some("m03".into());
    asks
}

/// Each place at which a reply or result of what `passed` may be spoiled.
fn places((replies, results): (usize, usize)) -> Vec<Place> {
    assert!(replies > 0, "nothing passed");
    (0..replies).map(Place::Reply).chain((0..results).map(Place::Result)).collect()
}

/// Errors as no server gives them to these commands: none of them says that something is not there.
const ERRORS: [&str; 3] =
    ["-MISCONF spoiled\r\n", "-LOADING spoiled\r\n", "-ERR value is not an integer or out of range\r\n"];

#[test]
fn no_failing_reply_becomes_a_row_or_a_version() {
    run(async {
        let server = filled();
        let proxy = FaultProxy::before(&server);
        let mut spoiled = 0;
        for rights in MEANS {
            for ask in asks() {
                let mut home = home(&server, &proxy, rights).await;
                // What is refused is found out, and what is guessed is known.
                for _ in 0..3 {
                    home.read(&board(KEY), &ask).await.unwrap();
                }
                proxy.mark();
                let right = home.read(&board(KEY), &ask).await.unwrap();
                for place in places(proxy.passed()) {
                    for error in ERRORS {
                        proxy.spoil(place, error);
                        let read = home.read(&board(KEY), &ask).await;
                        assert!(proxy.has_spoiled(), "{rights:?} {ask:?} {place:?}");
                        // Or it was read again in another way, which brings what is right or nothing.
                        if let Ok(read) = read {
                            assert_eq!(read, right, "{rights:?} {ask:?} {place:?} {error}");
                        }
                        assert_eq!(home.read(&board(KEY), &ask).await.unwrap(), right, "{rights:?} {ask:?} {place:?}");
                        spoiled += 1;
                    }
                }
            }
            let mut home = home(&server, &proxy, rights).await;
            for error in ERRORS {
                proxy.spoil(Place::Reply(0), error);
                assert!(home.version(&board(KEY)).await.is_err(), "{error}");
            }
            assert_eq!(home.version(&board(KEY)).await.unwrap(), Some("7".into()));
        }
        assert!(spoiled > 200, "{spoiled} replies were spoiled");
    });
}

#[test]
fn no_failing_reply_becomes_a_name() {
    run(async {
        let server = filled();
        let proxy = FaultProxy::before(&server);
        let members = ["m01".into(), "m02".into(), "m29".into()];
        for names in ["string", "hash"] {
            let names = match names {
                "string" => NamesLocation::StringEach("user:<member>".parse().unwrap()),
                _ => NamesLocation::Hash("lb:{spoil}:names".into()),
            };
            let mut home = home(&server, &proxy, MEANS[0]).await;
            proxy.mark();
            let right = home.names(&names, &members).await.unwrap();
            assert!(right.iter().flatten().all(Option::is_some));
            for place in places(proxy.passed()) {
                for error in ERRORS {
                    proxy.spoil(place, error);
                    let read = home.names(&names, &members).await;
                    assert!(proxy.has_spoiled());
                    assert!(read.as_ref().map_or(true, |read| *read == right), "{names:?} {place:?}: {read:?}");
                }
            }
        }
    });
}

#[test]
fn rights_that_are_given_back_are_found_again() {
    run(async {
        let server = filled();
        let proxy = FaultProxy::before(&server);
        let ask = &asks()[0];
        let mut home = home(&server, &proxy, MEANS[0]).await;
        let right = home.read(&board(KEY), ask).await.unwrap();
        server.cmd(&["ACL", "SETUSER", "reader", "resetkeys", &format!("~{KEY}"), "-@scripting", "-multi"]);
        let poorer = home.read(&board(KEY), ask).await.unwrap();
        assert_ne!(poorer, right, "it has no version");
        server.cmd(&["ACL", "SETUSER", "reader", "~*", "+@all"]);
        let mark = proxy.mark();
        let mut reads = 0;
        while home.read(&board(KEY), ask).await.unwrap() != right {
            reads += 1;
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert!(reads < 500, "the rights are not tried again");
        }
        let sent = proxy.since(mark);
        assert_eq!(sent.last().map(String::as_str), Some("EXEC"), "by the best means");
        assert!(sent.iter().any(|command| command == "EVAL_RO"));
    });
}
