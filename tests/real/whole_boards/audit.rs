//! Audits: sound paging passes on every board, also while it is written; broken paging and a lying store do not.

use ranktop::board::distribution::{Binning, Distribution};
use ranktop::board::packed::scoring::ScoringOptions;
use ranktop::query::listing::Found;
use ranktop::query::listing::KeySummary;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ranktop::board::entry::Member;
use ranktop::board::keys::Board;
use ranktop::board::names::{Name, NamesLocation};
use ranktop::board::order::Order;
use ranktop::board::version::Version;
use ranktop::board::window::Window;
use ranktop::commands::audit::{AuditRequest, Cursors, Pager, Positions, Way, audit_by};
use ranktop::query::error::StoreError;
use ranktop::query::page::{PageReply, PageRequest, PageStart};
use ranktop::store::BoardSource;
use ranktop::store::redis::RedisSource;
use ranktop::store::redis::connect::Target;

use super::{changes, fill, run};
use crate::common::{RedisServer, ranktop};

#[test]
fn sound_boards_pass_and_nothing_is_written() {
    let server = RedisServer::start();
    for (key, rows, score) in [
        ("equal", 1_200, "7"),
        ("group", 400, "(i > 100 and i < 300) and 5 or i"),
        ("odd", 40, "({'inf', '-inf', 0, '-0', 0.1, '1e300'})[i % 6 + 1]"),
        ("one", 1, "0"),
    ] {
        fill(&server, key, rows, score);
        server.cmd(&[&b"ZADD"[..], key.as_bytes(), b"7", b"\xff\x00", b"7", b""]);
        let before = changes(&server);
        for extra in [&[][..], &["--sample", "5", "--seed", "3"], &["--order", "asc", "--batch", "30"]] {
            let audited = run(&server, &[&["audit", key], extra].concat());
            audited.assert_clean().assert_out_has("ranks of single rows");
            assert!(!audited.out().contains("FAILED"), "{audited}");
        }
        assert_eq!(changes(&server), before, "reading writes nothing");
    }
    let seeded = |seed| run(&server, &["audit", "group", "--sample", "3", "--seed", seed]).stdout;
    assert_eq!(seeded("5"), seeded("5"));
    server.cmd(&["DEL", "group:version"]);
    run(&server, &["audit", "group"]).assert_clean().assert_out_has("  none ");
    run(&server, &["audit", "nobody"]).assert_code(3);
}

#[test]
fn a_reader_without_rights_to_write_may_audit_and_export() {
    let server = RedisServer::start();
    fill(&server, "b", 120, "i % 5");
    server.cmd(&["HSET", "b:meta", "state", "closed"]);
    server.cmd(&["ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@read", "+@transaction", "+eval_ro"]);
    for command in ["audit", "export"] {
        let run = ranktop(&[command, "b", "--user", "reader"])
            .env("RANKTOP_URL", server.url())
            .env("RANKTOP_PASSWORD", "secret")
            .run();
        run.assert_code(0);
    }
}

#[test]
fn a_board_that_is_written_all_the_time_passes() {
    let server = RedisServer::start();
    fill(&server, "b", 600, "i % 50");
    let is_over = Arc::new(AtomicBool::new(false));
    let writing = thread::spawn({
        let (is_over, mut client) = (is_over.clone(), server.client());
        move || {
            // Scores only grow and nobody comes back, so that whoever stands where he stood did not move.
            for turn in 0_u32.. {
                if is_over.load(Ordering::SeqCst) {
                    break;
                }
                let member = |number: u32| format!("m:{:06}", number % 600 + 1);
                let mut pipeline = redis::pipe();
                pipeline.atomic();
                pipeline.cmd("ZADD").arg("b").arg(turn % 77).arg(format!("new:{turn}"));
                pipeline.cmd("ZADD").arg("b").arg("XX").arg("INCR").arg(1).arg(member(turn * 7));
                pipeline.cmd("ZREM").arg("b").arg(format!("new:{}", turn.wrapping_sub(40)));
                pipeline.cmd("INCR").arg("b:version").exec(&mut client).unwrap();
            }
        }
    });
    let (whole, sample) = (run(&server, &["audit", "b"]), run(&server, &["audit", "b", "--sample", "20"]));
    is_over.store(true, Ordering::SeqCst);
    writing.join().unwrap();
    for audited in [whole, sample] {
        audited.assert_clean().assert_out_has("changes");
    }
}

/// A home that writes, or lies, between reads.
struct Between<F> {
    home: RedisSource,
    reads: u32,
    touch: F,
}

impl<F: FnMut(u32, &PageRequest, &mut Window)> BoardSource for Between<F> {
    async fn read(&mut self, board: &Board, ask: &PageRequest) -> Result<PageReply, StoreError> {
        let mut answer = self.home.read(board, ask).await?;
        self.reads += 1;
        if let PageReply::Page(page) = &mut answer {
            (self.touch)(self.reads, ask, &mut page.window);
        }
        Ok(answer)
    }

    async fn version(&mut self, board: &Board) -> Result<Option<Version>, StoreError> {
        self.home.version(board).await
    }

    async fn names(
        &mut self,
        home: &NamesLocation,
        members: &[Member],
    ) -> Result<Option<Vec<Option<Name>>>, StoreError> {
        self.home.names(home, members).await
    }

    async fn list(&mut self, _: &[Board]) -> Result<Vec<KeySummary>, StoreError> {
        unreachable!("no test asks for it")
    }

    async fn search(&mut self, _: bool) -> Result<Found, StoreError> {
        unreachable!("no test asks for it")
    }

    async fn distribution(&mut self, _: &Board, _: Binning) -> Result<Distribution, StoreError> {
        unreachable!("no test asks for it")
    }
}

/// Pages by offset, as if that were as good as a cursor.
struct Offsets;

impl Pager for Offsets {
    fn name(&self) -> &'static str {
        "offset"
    }

    fn keeps_everybody(&self) -> bool {
        true
    }

    fn turn(&self, page: &Window, way: Way, size: u64) -> Option<(PageStart, u64)> {
        Positions.turn(page, way, size)
    }
}

/// Audits the board `b` of 300 rows by `pager`, while `touch` has its way after each read. Whether it passed, and the table.
async fn audit(
    server: &RedisServer,
    pager: &dyn Pager,
    touch: impl FnMut(u32, &PageRequest, &mut Window),
    sample: Option<u64>,
) -> (bool, String) {
    fill(server, "b", 300, "math.floor(i / 3)");
    let target = Target::new(&server.url(), Duration::from_secs(10), Duration::from_secs(10)).unwrap();
    let home = target.connect(None::<fn()>).await.unwrap().home;
    let board =
        Board { key: "b".into(), order: Order::Desc, version_key: "b:version".into(), meta_key: "b:meta".into() };
    let request = AuditRequest {
        address: "h:1".into(),
        order: None,
        scoring: ScoringOptions::default(),
        sample,
        batch: 100,
        seed: 3,
    };
    let mut out = Vec::new();
    let mut home = Between { home, reads: 0, touch };
    let verdict = audit_by(&mut home, board, &request, &[pager], &mut out).await;
    let table = String::from_utf8(out).unwrap();
    assert_eq!(verdict.is_err(), table.contains("FAILED"), "{table}");
    if let Err(failure) = &verdict {
        assert_eq!(failure.exit.code(), 4);
    }
    (verdict.is_ok(), table)
}

/// A newcomer at the top every few reads.
fn newcomers(server: &RedisServer) -> impl FnMut(u32, &PageRequest, &mut Window) {
    let mut client = server.client();
    move |reads, _, _| {
        if reads % 5 == 0 && reads < 2_000 {
            let mut pipeline = redis::pipe();
            pipeline.atomic().cmd("ZADD").arg("b").arg(1_000 + reads).arg(format!("new:{reads}"));
            pipeline.cmd("INCR").arg("b:version").exec(&mut client).unwrap();
        }
    }
}

/// The last row of every page leaves, so that the place a cursor stands at is empty, as long as there are many.
fn leavers(server: &RedisServer) -> impl FnMut(u32, &PageRequest, &mut Window) {
    let mut client = server.client();
    move |reads, ask, window| {
        let last = window.entries.last().filter(|_| ask.size < 50 && window.total > 60 && reads % 3 == 0);
        if let Some(last) = last {
            let mut pipeline = redis::pipe();
            pipeline.atomic().cmd("ZREM").arg("b").arg(last.member.as_bytes());
            pipeline.cmd("INCR").arg("b:version").exec(&mut client).unwrap();
        }
    }
}

#[tokio::test]
async fn offset_paging_fails_where_cursors_pass() {
    let server = RedisServer::start();
    let (passed, table) = audit(&server, &Offsets, newcomers(&server), None).await;
    assert!(!passed && table.contains("which is not past"), "{table}");
    server.cmd(&["FLUSHALL"]);
    let (passed, table) = audit(&server, &Offsets, leavers(&server), None).await;
    assert!(!passed && table.contains("rows were missed, such as"), "{table}");
    server.cmd(&["FLUSHALL"]);
    let (passed, table) = audit(&server, &Offsets, newcomers(&server), Some(30)).await;
    assert!(!passed, "{table}");

    for sample in [None, Some(30)] {
        server.cmd(&["FLUSHALL"]);
        let (passed, table) = audit(&server, &Cursors, newcomers(&server), sample).await;
        assert!(passed && table.contains("changes"), "{table}");
        server.cmd(&["FLUSHALL"]);
        let (passed, table) = audit(&server, &Cursors, leavers(&server), sample).await;
        assert!(passed && table.contains("changes"), "{table}");
    }
    // Who says that he goes by position is told what that costs.
    server.cmd(&["FLUSHALL"]);
    let (passed, table) = audit(&server, &Positions, newcomers(&server), None).await;
    assert!(passed && table.contains("the board moved: "), "{table}");
}

/// What a store says of a window that is not so.
type Lie = fn(&PageRequest, &mut Window);

#[tokio::test]
async fn a_store_that_lies_is_found_out() {
    let server = RedisServer::start();
    let lies: [(&str, Lie); 4] = [
        ("in a tie of", |ask, window| {
            window.through_last += u64::from(ask.size == 7 && window.total > window.through_last);
        }),
        ("in the scan of this version", |ask, window| {
            if ask.size == 7 && window.len() == 7 {
                window.entries.remove(3);
            }
        }),
        ("not in order", |ask, window| {
            if ask.size == 50 {
                window.entries.reverse();
            }
        }),
        ("better members", |ask, window| window.better_than_first += u64::from(ask.size <= 1 && window.start > 250)),
    ];
    for (words, lie) in lies {
        let (passed, table) = audit(&server, &Cursors, |_, ask, window| lie(ask, window), None).await;
        assert!(!passed && table.contains(words), "{words}\n{table}");
    }
    // The same lie to whoever looks at single rows, wherever they look.
    let consistent = |_: u32, ask: &PageRequest, window: &mut Window| {
        if ask.size == 1 && window.better_than_first > 1 {
            window.better_than_first -= 1;
        }
    };
    let (passed, table) = audit(&server, &Cursors, consistent, Some(10)).await;
    assert!(!passed && table.lines().last().unwrap().contains("FAILED"), "{table}");
    // Rows that a cursor skips on a board that stands still.
    let skipping = |_: u32, ask: &PageRequest, window: &mut Window| {
        if matches!(ask.whence, PageStart::After(_)) && window.len() > 1 {
            let skipped = window.entries.remove(0);
            window.start += 1;
            if window.entries[0].score != skipped.score {
                window.better_than_first = window.start - 1;
            }
        }
    };
    let (passed, table) = audit(&server, &Cursors, skipping, None).await;
    assert!(!passed && table.contains("rows were missed"), "{table}");
}
