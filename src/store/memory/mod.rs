//! A board in memory, for demos and tests: the same answers as Redis gives for the same writes, without a server.
//!
//! It is not a server: no types of keys, no expiry, no connections. Each write and each read is one moment.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::board::distribution::{Binning, Distribution};
use crate::board::entry::{Entry, Member};
use crate::board::grouping::Grouping;
use crate::board::keys::Board;
use crate::board::keys::{Key, is_companion};
use crate::board::meta::{Meta, Ttl};
use crate::board::names::{Name, NamesLocation};
use crate::board::score::Score;
use crate::board::version::Version;
use crate::board::window::Window;
use crate::query::error::StoreError;
use crate::query::listing::{Found, KeySummary, Listed};
use crate::query::page::{DENSE_BOUND, Page, PageReply, PageRequest, SEARCH_STEP};
use crate::store::{BoardSource, Change, Writer};
use locate::locate;
use rows::{Rows, SortedSet};

mod distribution;
mod locate;
mod rows;

/// A handle on boards in memory. Clones share the boards, so that one can write while another reads.
#[derive(Clone, Default)]
pub struct MemorySource {
    // Locked for the time of one write or one read, never across an await.
    boards: Arc<Mutex<Boards>>,
}

impl MemorySource {
    /// Runs `changes` as one moment: no reader sees some of them without the others.
    pub fn write<T>(&self, changes: impl FnOnce(&mut Boards) -> T) -> T {
        changes(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Boards> {
        // A writer that panicked ends its test or its demo; what it left is still boards.
        self.boards.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BoardSource for MemorySource {
    async fn read(&mut self, board: &Board, ask: &PageRequest) -> Result<PageReply, StoreError> {
        Ok(self.lock().answer(board, ask))
    }

    async fn version(&mut self, board: &Board) -> Result<Option<Version>, StoreError> {
        Ok(self.lock().version(board))
    }

    async fn names(
        &mut self,
        home: &NamesLocation,
        members: &[Member],
    ) -> Result<Option<Vec<Option<Name>>>, StoreError> {
        let boards = self.lock();
        if let NamesLocation::Hash(key) = home.stored()
            && !boards.hashes.contains_key(key)
        {
            return Ok(None);
        }
        Ok(Some(members.iter().map(|member| boards.name(home, member)).collect()))
    }

    async fn list(&mut self, boards: &[Board]) -> Result<Vec<KeySummary>, StoreError> {
        let stored = self.lock();
        Ok(boards.iter().map(|board| stored.sight(board)).collect())
    }

    /// One step is the whole search.
    async fn search(&mut self, _: bool) -> Result<Found, StoreError> {
        let boards = self.lock();
        let keys: Vec<Key> = boards.sets.keys().filter(|key| !is_companion(key)).cloned().collect();
        let looked_at = (boards.sets.len() + boards.strings.len() + boards.hashes.len()) as u64;
        Ok(Found { keys, looked_at, of: Some(looked_at), is_over: true, incomplete: None })
    }

    async fn distribution(&mut self, board: &Board, binning: Binning) -> Result<Distribution, StoreError> {
        let boards = self.lock();
        let missing = SortedSet::default();
        let rows = Rows {
            set: boards.sets.get(&board.key).unwrap_or(&missing),
            order: board.order,
            grouping: Grouping::Whole,
        };
        Ok(Distribution { version: boards.version(board), ..distribution::of(rows, binning) })
    }
}

impl Writer for MemorySource {
    async fn write(&mut self, board: &Board, names: &NamesLocation, changes: &[Change]) -> Result<(), StoreError> {
        let mut boards = self.lock();
        // Many newcomers at once are sorted in once.
        let scores = changes.iter().filter_map(|change| match change {
            Change::Score(member, score) => Some(Entry { member: member.clone(), score: *score }),
            _ => None,
        });
        boards.fill(board, scores);
        for change in changes {
            match change {
                Change::Score(..) => {}
                Change::Leave(member) => boards.remove(board, member),
                Change::Name(member, name) => boards.set_name(names, member, Some(name)),
                Change::Meta(field, value) => boards.set_meta(board, field, Some(value)),
            }
        }
        boards.increment_version(board);
        Ok(())
    }
}

/// What the keys hold: the boards, and their companions by the same keys as in Redis.
#[derive(Default)]
pub struct Boards {
    // None is empty, as in Redis, where the last member takes its key along.
    sets: HashMap<Key, SortedSet>,
    strings: HashMap<Key, Arc<[u8]>>,
    hashes: HashMap<Key, HashMap<Vec<u8>, Arc<[u8]>>>,
}

impl Boards {
    /// Sets the score of `member`, who joins the board where it was not on it. O(n), for the rows make room.
    pub fn score(&mut self, board: &Board, member: Member, score: Score) {
        self.sets.entry(board.key.clone()).or_default().insert(Entry { member, score });
    }

    /// Sets the scores of many members at once, the last one where a member comes twice. O(n log n) for all of them.
    pub fn fill(&mut self, board: &Board, entries: impl IntoIterator<Item = Entry>) {
        let mut entries = entries.into_iter().peekable();
        if entries.peek().is_some() {
            self.sets.entry(board.key.clone()).or_default().extend(entries);
        }
    }

    /// Takes `member` off the board, if it is on it. O(n).
    pub fn remove(&mut self, board: &Board, member: &Member) {
        if let Some(set) = self.sets.get_mut(&board.key) {
            set.remove(member);
            if set.is_empty() {
                self.delete(board);
            }
        }
    }

    /// Deletes the board; its version, meta and names stay.
    pub fn delete(&mut self, board: &Board) {
        self.sets.remove(&board.key);
    }

    /// Counts the version up by one, from 0 where there is none. One that is no number, or the greatest one, stays as
    /// it is, as it does in Redis.
    pub fn increment_version(&mut self, board: &Board) {
        let next = match self.version(board) {
            Some(version) => version.number().and_then(|number| number.checked_add(1)),
            None => Some(1),
        };
        if let Some(next) = next {
            self.set_version(board, Some(next.to_string().as_bytes()));
        }
    }

    /// Sets the version to any bytes, or takes it away.
    pub fn set_version(&mut self, board: &Board, version: Option<&[u8]>) {
        self.set_string(board.version_key.clone(), version);
    }

    /// Sets a field of the meta hash, or takes it away.
    pub fn set_meta(&mut self, board: &Board, field: &str, value: Option<&[u8]>) {
        self.set_field(board.meta_key.clone(), field.as_bytes(), value);
    }

    /// Sets the name of `member`, or takes it away.
    pub fn set_name(&mut self, home: &NamesLocation, member: &Member, name: Option<&[u8]>) {
        match home {
            NamesLocation::Hash(key) => self.set_field(key.clone(), member.as_bytes(), name),
            NamesLocation::HashEach(key, field) => self.set_field(key.of(member.as_bytes()), field, name),
            NamesLocation::StringEach(key) => self.set_string(key.of(member.as_bytes()), name),
            NamesLocation::FieldsEach(..) | NamesLocation::Json(..) => {}
        }
    }

    fn set_string(&mut self, key: Key, value: Option<&[u8]>) {
        match value {
            Some(value) => self.strings.insert(key, value.into()),
            None => self.strings.remove(&key),
        };
    }

    fn set_field(&mut self, key: Key, field: &[u8], value: Option<&[u8]>) {
        let hash = self.hashes.entry(key).or_default();
        match value {
            Some(value) => hash.insert(field.into(), value.into()),
            None => hash.remove(field),
        };
        // An empty hash takes its key along, as in Redis.
        self.hashes.retain(|_, hash| !hash.is_empty());
    }

    fn name(&self, home: &NamesLocation, member: &Member) -> Option<Name> {
        if let NamesLocation::FieldsEach(template, path) = home {
            let hash = self.hashes.get(&template.of(member.as_bytes()))?;
            let value = |field: String| hash.get(field.as_bytes()).map(|value| value.to_vec());
            let values: Vec<_> = path.hash_fields().into_iter().map(value).collect();
            return path.of_fields(&values).map(Name::from);
        }
        let value = match home.stored() {
            NamesLocation::Hash(key) => self.hashes.get(key)?.get(member.as_bytes()),
            NamesLocation::HashEach(key, field) => self.hashes.get(&key.of(member.as_bytes()))?.get(field),
            NamesLocation::StringEach(key) => self.strings.get(&key.of(member.as_bytes())),
            NamesLocation::FieldsEach(..) | NamesLocation::Json(..) => None,
        };
        home.name_in(value?.clone())
    }

    fn version(&self, board: &Board) -> Option<Version> {
        self.strings.get(&board.version_key).map(|value| Version::from(value.to_vec()))
    }

    fn sight(&self, board: &Board) -> KeySummary {
        let is_other = self.strings.contains_key(&board.key) || self.hashes.contains_key(&board.key);
        match self.sets.get(&board.key) {
            Some(set) => KeySummary::Board(Listed {
                key: board.key.clone(),
                total: Some(Rows { set, order: board.order, grouping: Grouping::Whole }.total()),
                version: self.version(board),
                state: self.meta(board).state,
                ttl: Some(Ttl::Forever),
            }),
            None if is_other => KeySummary::NoSortedSet,
            None => KeySummary::Nothing,
        }
    }

    fn meta(&self, board: &Board) -> Meta {
        let hash = self.hashes.get(&board.meta_key);
        let value = |field: &str| Some(hash?.get(field.as_bytes())?.to_vec());
        Meta::from_values(&Meta::FIELDS.map(value))
    }

    fn answer(&self, board: &Board, ask: &PageRequest) -> PageReply {
        let missing = SortedSet::default();
        let set = self.sets.get(&board.key);
        let rows = Rows { set: set.unwrap_or(&missing), order: board.order, grouping: ask.scoring.grouping() };
        let spot = match locate(rows, ask, SEARCH_STEP) {
            Ok(spot) => spot,
            Err(instead) => return instead,
        };
        let entries: Vec<Entry> = rows.from(spot.start, spot.size).cloned().collect();
        let (first, last) = (entries.first(), entries.last());
        let better_than_first = first.map_or(0, |first| rows.better(first.score));
        let window = Window {
            order: board.order,
            scoring: ask.scoring.clone(),
            start: spot.start,
            total: rows.total(),
            version: self.version(board),
            verified: true,
            parts: None,
            better_than_first,
            through_last: last.map_or(0, |last| rows.at_least(last.score)),
            distinct_better: if ask.dense { rows.distinct_through(better_than_first, DENSE_BOUND) } else { None },
            ttl: if set.is_some() { Ttl::Forever } else { Ttl::NoKey },
            meta: self.meta(board),
            entries,
        };
        let boundary = ask
            .anchor
            .as_ref()
            .map(|anchor| if anchor.inclusive { rows.through(&anchor.place) } else { rows.before(&anchor.place) });
        let tracked = ask.track.as_ref().and_then(|member| rows.position(member));
        PageReply::Page(Box::new(Page { window, target: spot.target, boundary, tracked }))
    }
}
