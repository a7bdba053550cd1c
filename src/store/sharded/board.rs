//! A board over many sorted sets by its keys: `<shard>` in the key stands for the number of a part. How many parts there
//! are, and how many rows each had when it was read last, are kept here from one read to the next.

use std::collections::HashMap;

use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::keys::Key;
use crate::board::names::NamesLocation;
use crate::board::sharded::placement::part_of;

/// What stands for a part's number in a key.
pub const HOLE: &str = "<shard>";

/// So many members are remembered with their part, for their names.
const REMEMBERED: usize = 4_096;

/// What is known of a board's parts.
#[derive(Clone, Debug)]
pub struct Shards {
    count: u32,
    /// Of the board that was read last.
    pub(crate) totals: Vec<u64>,
    /// Which board that was.
    board: Option<Key>,
    /// Where members were met.
    met: HashMap<Member, u32>,
}

impl Shards {
    /// Boards with `<shard>` in their keys have so many parts.
    pub fn new(count: u32) -> Self {
        Self { count: count.max(1), totals: Vec::new(), board: None, met: HashMap::new() }
    }

    /// How many parts there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Takes `board` for the one that is read from now on.
    pub(crate) fn turn_to(&mut self, board: &Board) {
        if self.board.as_ref() != Some(&board.key) {
            self.board = Some(board.key.clone());
            self.totals = Vec::new();
            self.met = HashMap::new();
        }
    }

    /// Remembers where members were met.
    pub(crate) fn note(&mut self, rows: impl Iterator<Item = (Member, usize)>) {
        if self.met.len() > REMEMBERED {
            self.met.clear();
        }
        self.met.extend(rows.filter_map(|(member, part)| Some((member, u32::try_from(part).ok()?))));
    }

    /// The part of a member: where it was met, else where writers place it.
    pub(crate) fn part_of(&self, member: &Member) -> u32 {
        self.met.get(member).copied().unwrap_or_else(|| part_of(member.as_bytes(), self.count))
    }
}

/// True where the key is that of many sorted sets.
pub fn is_sharded(key: &Key) -> bool {
    key.as_ref().windows(HOLE.len()).any(|part| part == HOLE.as_bytes())
}

/// The key of a part, by the key that stands for all of them.
pub fn part_key(key: &Key, part: u32) -> Key {
    let bytes = key.as_ref();
    let number = part.to_string();
    let mut filled = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(HOLE.as_bytes()) {
            filled.extend(number.as_bytes());
            at += HOLE.len();
        } else {
            filled.push(rest[0]);
            at += 1;
        }
    }
    filled.into()
}

/// The part of a board as a board of its own.
pub fn part_board(board: &Board, part: u32) -> Board {
    Board {
        key: part_key(&board.key, part),
        order: board.order,
        version_key: part_key(&board.version_key, part),
        meta_key: part_key(&board.meta_key, part),
    }
}

/// Where the names of a part's members are; the same where they are not kept part by part.
pub fn part_names(names: &NamesLocation, part: u32) -> NamesLocation {
    match names {
        NamesLocation::Hash(key) => NamesLocation::Hash(part_key(key, part)),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::order::Order;

    #[test]
    fn keys_of_parts() {
        let key = |text: &str| Key::from(text);
        let board = Board {
            key: key("lb:{spring:<shard>}:2026-W41"),
            order: Order::Desc,
            version_key: key("lb:{spring:<shard>}:2026-W41:version"),
            meta_key: key("<shard>:<shard>"),
        };
        let part = part_board(&board, 17);
        assert_eq!(part.key, key("lb:{spring:17}:2026-W41"));
        assert_eq!((part.version_key, part.meta_key), (key("lb:{spring:17}:2026-W41:version"), key("17:17")));
        assert!(is_sharded(&board.key) && !is_sharded(&part.key) && !is_sharded(&key("<shard")));
    }

    #[test]
    fn members_are_where_they_were_met_or_where_writers_place_them() {
        let mut shards = Shards::new(16);
        let member = Member::from("123456789");
        assert_eq!(shards.part_of(&member), 6);
        shards.note([(member.clone(), 3)].into_iter());
        assert_eq!(shards.part_of(&member), 3);
    }
}
