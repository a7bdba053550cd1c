//! The suite of every source, with many parts behind each of its boards.

use std::collections::BTreeSet;
use std::time::Duration;

use ranktop::board::distribution::{Binning, Distribution};
use ranktop::board::entry::{Entry, Member};
use ranktop::board::keys::Board;
use ranktop::board::keys::Key;
use ranktop::board::names::{Name, NamesLocation};
use ranktop::board::sharded::placement::part_of;
use ranktop::board::version::Version;
use ranktop::query::error::StoreError;
use ranktop::query::listing::{Found, KeySummary};
use ranktop::query::page::{PageReply, PageRequest};
use ranktop::store::BoardSource;
use ranktop::store::redis::connect::Target;
use ranktop::store::redis::topology::AnySource;
use ranktop::store::sharded::board::part_board;

use crate::common::RedisServer;
use crate::store_suite::{self, Setup, Write};

/// The board that stands behind one of the suite: the same keys with a part's number at their end.
pub(crate) fn behind(board: &Board) -> Board {
    let key = |key: &Key| Key::from([key.as_ref(), b":<shard>"].concat());
    Board {
        key: key(&board.key),
        order: board.order,
        version_key: key(&board.version_key),
        meta_key: key(&board.meta_key),
    }
}

/// A source that shows boards over many sorted sets as the suite wants boards: all parts have one version.
pub(crate) struct AsOne {
    source: AnySource,
    found: BTreeSet<Key>,
}

impl AsOne {
    fn version(version: &Version) -> Version {
        let bytes = version.as_bytes().strip_prefix("Σ".as_bytes()).unwrap();
        let mut parts = bytes.split(|byte| *byte == b',');
        let first = parts.next().unwrap();
        assert!(parts.all(|part| part == first), "{version:?}");
        let mut plain = Vec::new();
        let mut rest = first;
        while let Some((byte, after)) = rest.split_first() {
            if *byte == b'%' && after.len() >= 2 {
                plain.push(u8::from_str_radix(std::str::from_utf8(&after[..2]).unwrap(), 16).unwrap());
                rest = &after[2..];
            } else if *byte != b'%' {
                plain.push(*byte);
                rest = after;
            } else {
                rest = after;
            }
        }
        plain.into()
    }
}

impl BoardSource for AsOne {
    async fn read(&mut self, board: &Board, request: &PageRequest) -> Result<PageReply, StoreError> {
        let mut reply = self.source.read(&behind(board), request).await?;
        if let PageReply::Page(page) = &mut reply {
            let parts = page.window.parts.take().unwrap();
            assert_eq!(page.window.verified, parts.error() == Some(0));
            page.window.version = page.window.version.as_ref().map(Self::version);
            // A board that is not there was the same at every moment, but the suite knows of no such thing.
            page.window.verified &= page.window.version.is_some();
        }
        Ok(reply)
    }

    async fn version(&mut self, board: &Board) -> Result<Option<Version>, StoreError> {
        Ok(self.source.version(&behind(board)).await?.as_ref().map(Self::version))
    }

    async fn names(
        &mut self,
        location: &NamesLocation,
        members: &[Member],
    ) -> Result<Option<Vec<Option<Name>>>, StoreError> {
        self.source.names(location, members).await
    }

    async fn list(&mut self, boards: &[Board]) -> Result<Vec<KeySummary>, StoreError> {
        let behind: Vec<Board> = boards.iter().map(behind).collect();
        let mut seen = self.source.list(&behind).await?;
        for (one, board) in seen.iter_mut().zip(boards) {
            if let KeySummary::Board(listed) = one {
                listed.key = board.key.clone();
                listed.version = listed.version.as_ref().map(Self::version);
            }
        }
        Ok(seen)
    }

    async fn search(&mut self, is_new: bool) -> Result<Found, StoreError> {
        let mut found = self.source.search(is_new).await?;
        if is_new {
            self.found.clear();
        }
        let whole = |key: Key| {
            let colon = key.as_ref().iter().rposition(|byte| *byte == b':').unwrap();
            Key::from(&key.as_ref()[..colon])
        };
        found.keys = found.keys.into_iter().map(whole).filter(|key| self.found.insert(key.clone())).collect();
        Ok(found)
    }

    async fn distribution(&mut self, board: &Board, binning: Binning) -> Result<Distribution, StoreError> {
        let mut distribution = self.source.distribution(&behind(board), binning).await?;
        distribution.version = distribution.version.as_ref().map(Self::version);
        distribution.verified &= distribution.version.is_some();
        Ok(distribution)
    }
}

/// A server with boards of `N` parts.
struct Sharded<const N: u32> {
    home: AsOne,
    writer: redis::Connection,
    // Dropped last: the others are its clients.
    _server: RedisServer,
}

impl<const N: u32> Setup for Sharded<N> {
    type Source = AsOne;

    const CASES: u32 = 6;

    fn is_verified(version: Option<&[u8]>) -> bool {
        version.is_some()
    }

    async fn start() -> Self {
        let server = RedisServer::start();
        let target = Target::new(&server.url(), Duration::from_secs(10), Duration::from_secs(10)).unwrap();
        let source: AnySource = target.connect(None::<fn()>).await.unwrap().home.into();
        let home = AsOne { source: source.with_shards(Some(N)), found: BTreeSet::new() };
        Self { home, writer: server.client(), _server: server }
    }

    fn home(&mut self) -> &mut AsOne {
        &mut self.home
    }

    async fn write(&mut self, board: &Board, writes: &[Write]) {
        let board = behind(board);
        let mut pipeline = redis::pipe();
        pipeline.atomic();
        for write in writes {
            match write {
                Write::Score(member, _) | Write::Remove(member) => {
                    let part = part_of(member.as_bytes(), N);
                    store_suite::add(&mut pipeline, &part_board(&board, part), write);
                }
                Write::SetName(..) => store_suite::add(&mut pipeline, &board, write),
                _ => (0..N).for_each(|part| store_suite::add(&mut pipeline, &part_board(&board, part), write)),
            }
        }
        pipeline.exec(&mut self.writer).unwrap();
    }

    async fn fill(&mut self, board: &Board, entries: &[Entry]) {
        for batch in entries.chunks(1_000) {
            let writes: Vec<Write> =
                batch.iter().map(|entry| Write::Score(entry.member.clone(), entry.score.get())).collect();
            self.write(board, &writes).await;
        }
    }
}

macro_rules! by_count {
    ($($name:ident: $count:literal;)*) => {$(
        mod $name {
            use super::*;
            store_suite!(Sharded<$count>);
        }
    )*};
}

by_count! {
    one_part: 1;
    four_parts: 4;
    sixteen_parts: 16;
    sixty_four_parts: 64;
}
