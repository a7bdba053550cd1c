//! The suite of every home on the embedded home, and what only a home in memory has: handles that share the boards.

use ranktop::board::entry::Entry;
use ranktop::board::keys::Board;
use ranktop::board::order::Order;
use ranktop::query::page::{PageReply, PageRequest, PageStart};
use ranktop::store::BoardSource;
use ranktop::store::memory::MemorySource;

use crate::store_suite::{Setup, Write, board, run, score};

struct Embedded(MemorySource);

impl Setup for Embedded {
    type Source = MemorySource;

    const CASES: u32 = 200;

    async fn start() -> Self {
        Self(MemorySource::default())
    }

    fn home(&mut self) -> &mut MemorySource {
        &mut self.0
    }

    async fn write(&mut self, board: &Board, writes: &[Write]) {
        self.0.write(|boards| {
            for write in writes {
                match write {
                    Write::Score(member, value) => boards.score(board, member.clone(), score(*value)),
                    Write::Remove(member) => boards.remove(board, member),
                    Write::Delete => boards.delete(board),
                    Write::IncrementVersion => boards.increment_version(board),
                    Write::SetVersion(version) => boards.set_version(board, version.as_deref()),
                    Write::SetMeta(field, value) => boards.set_meta(board, field, value.as_deref()),
                    Write::SetName(home, member, name) => boards.set_name(home, member, name.as_deref()),
                }
            }
        });
    }

    async fn fill(&mut self, board: &Board, entries: &[Entry]) {
        self.0.write(|boards| boards.fill(board, entries.iter().cloned()));
    }
}

store_suite!(Embedded);

#[test]
fn a_writer_and_a_reader_share_the_boards() {
    let board = board(Order::Desc);
    let writer = MemorySource::default();
    let mut reader = writer.clone();
    writer.write(|boards| {
        boards.score(&board, "a".into(), score(1.0));
        boards.increment_version(&board);
    });
    let PageReply::Page(page) = run(reader.read(&board, &PageRequest::new(PageStart::Position(1), 5))).unwrap() else {
        panic!("a position has a page");
    };
    assert_eq!((page.window.entries, page.window.version), (vec![Entry::new("a", score(1.0))], Some("1".into())));
}

#[test]
fn a_version_that_is_no_counter_is_not_counted_up() {
    let board = board(Order::Desc);
    let mut home = MemorySource::default();
    for version in ["two", "9223372036854775807"] {
        home.write(|boards| {
            boards.set_version(&board, Some(version.as_bytes()));
            boards.increment_version(&board);
        });
        assert_eq!(run(home.version(&board)).unwrap(), Some(version.into()));
    }
}

#[test]
fn filling_a_board_with_nobody_makes_no_board() {
    let board = board(Order::Desc);
    let mut home = MemorySource::default();
    home.write(|boards| boards.fill(&board, []));
    let PageReply::Page(page) = run(home.read(&board, &PageRequest::new(PageStart::Last, 5))).unwrap() else {
        panic!("the last page is a page");
    };
    assert!(page.window.is_missing());
    assert_eq!(page.window.ttl, ranktop::board::meta::Ttl::NoKey);
}
