//! Keys: raw bytes, and what can be read off a key's own shape, whatever the templates: its period segment, its base,
//! the board and version of a frozen copy, its hash tag. It must not know which keys exist, nor the templates that
//! users set.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::order::Order;
use super::period::Period;

const FROZEN: &[u8] = b":frozen:";
/// Segments by which others tell a copy that they keep from the board itself, as in `leaderboard:archive:2026-W25`.
const KEPT: [&[u8]; 3] = [b"frozen", b"archive", b"archived"];
const COMPANIONS: [&[u8]; 3] = [b":version", b":meta", b":names"];

/// The name of something in the database: any bytes. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(Arc<[u8]>);

impl AsRef<[u8]> for Key {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<&[u8]> for Key {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }
}

impl From<Vec<u8>> for Key {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl From<&str> for Key {
    fn from(text: &str) -> Self {
        text.as_bytes().into()
    }
}

impl fmt::Debug for Key {
    /// Escapes all but printable ASCII: a key may hold what a terminal obeys.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

/// The keys of one board, and the order in which it is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The sorted set.
    pub key: Key,
    /// Which end is the top.
    pub order: Order,
    /// Where its version is.
    pub version_key: Key,
    /// Where its meta hash is.
    pub meta_key: Key,
}

/// Splits a trailing period off a key, with the mark before it: `lb:{spring}:2026-W41` is `lb:{spring}` and the week. A key
/// that has none, or nothing before it, comes back whole.
pub fn split_period(key: &[u8]) -> (&[u8], Option<Period>) {
    let Some((before, period)) = Period::at_end(key) else { return (key, None) };
    let base = before.strip_suffix(b":").or_else(|| before.strip_suffix(b"/")).or_else(|| before.strip_suffix(b"-"));
    match base.unwrap_or(before) {
        b"" => (key, None),
        base => (base, Some(period)),
    }
}

/// A board's key without its trailing period segment: what the boards of one game share, and the names belong to.
/// The base of a frozen copy, or of a copy of a copy, is its board's, and so is that of a copy that others keep.
pub fn base_of(board: &Key) -> Key {
    let mut original = board.as_ref();
    while let Some((copied, _)) = split_frozen(original) {
        original = copied;
    }
    let live = live_of(&original.into());
    split_period(live.as_ref().map_or(original, Key::as_ref)).0.into()
}

/// The board that a key with a word such as `frozen` or `archive` in its middle is a copy of: the key without that word.
pub fn live_of(key: &Key) -> Option<Key> {
    let bytes = key.as_ref();
    let tag = tag_within(bytes).unwrap_or(0..0);
    let mut from = 0;
    for segment in bytes.split(|&byte| byte == b':') {
        let next = from + segment.len() + 1;
        // A word with nothing before it is the board's own.
        if from > 1 && next < bytes.len() && !tag.contains(&from) && KEPT.contains(&segment) {
            let is_own = segment == b"frozen" && split_frozen(bytes).is_some_and(|(board, _)| board.len() + 1 == from);
            return (!is_own).then(|| [&bytes[..from], &bytes[next..]].concat().into());
        }
        from = next;
    }
    None
}

/// The key of the copy of a board that `freeze` makes, at the given version: `<board>:frozen:<version>`.
pub fn frozen_key(board: &Key, version: &[u8]) -> Key {
    [board.as_ref(), FROZEN, version].concat().into()
}

/// The board and the version that a key is a frozen copy of; the inverse of [`frozen_key`] unless the version
/// brings a `:frozen:` of its own, or closes a brace that the board left open.
pub fn frozen_of(key: &Key) -> Option<(Key, Vec<u8>)> {
    split_frozen(key.as_ref()).map(|(board, version)| (board.into(), version.to_vec()))
}

/// Cuts at the last mark: a board's key may well contain one, being a copy itself. A mark in the hash tag is part of a
/// game's name. Where the board has no period, what follows must look like a version: others write a name or a period there.
fn split_frozen(key: &[u8]) -> Option<(&[u8], &[u8])> {
    let mark = key.windows(FROZEN.len()).rposition(|part| part == FROZEN)?;
    let in_tag = tag_within(key).is_some_and(|tag| tag.contains(&mark));
    let (board, version) = (&key[..mark], &key[mark + FROZEN.len()..]);
    let can_be_version = || {
        let is_period = || Period::at_end(key).is_some_and(|(before, _)| before.len() == mark + FROZEN.len());
        version.iter().all(u8::is_ascii_digit)
            || Period::at_end(board).is_some()
            || version.iter().any(u8::is_ascii_digit) && !is_period()
    };
    (mark > 0 && !in_tag && can_be_version()).then_some((board, version))
}

/// Whether a key has the shape of a version, meta or names key of the default templates, so that a list of boards
/// leaves it out.
pub fn is_companion(key: &Key) -> bool {
    COMPANIONS.iter().any(|suffix| key.as_ref().strip_suffix(*suffix).is_some_and(|of| !of.is_empty()))
}

/// The part of a key that Redis Cluster derives its slot from, where that is not the whole key: what stands between
/// the first `{` and the first `}` after it, unless nothing does.
pub fn hash_tag(key: &Key) -> Option<&[u8]> {
    let bytes = key.as_ref();
    tag_within(bytes).map(|tag| &bytes[tag])
}

fn tag_within(key: &[u8]) -> Option<Range<usize>> {
    let start = key.iter().position(|&byte| byte == b'{')? + 1;
    let length = key[start..].iter().position(|&byte| byte == b'}')?;
    (length > 0).then(|| start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_that_others_keep() {
        for (key, live, base) in [
            ("leaderboard:frozen:users", Some("leaderboard:users"), "leaderboard:users"),
            ("leaderboard:archive:2026-W25", Some("leaderboard:2026-W25"), "leaderboard"),
            ("leaderboard:archive:weekly:2026-W25", Some("leaderboard:weekly:2026-W25"), "leaderboard:weekly"),
            ("x:frozen:2026-W41", Some("x:2026-W41"), "x"),
            ("x:archived:y:frozen:12", Some("x:y:frozen:12"), "x:y"),
            ("x:frozen:12", None, "x"),
            ("x:frozen:20261009", None, "x"),
            ("x:2026-W41:frozen:2026-10", None, "x"),
            ("x:2026-W41:frozen:abc", None, "x"),
            ("frozen:users", None, "frozen:users"),
            ("leaderboard:frozen", None, "leaderboard:frozen"),
            ("leaderboard:frozenusers:x", None, "leaderboard:frozenusers:x"),
            ("lb:{a:frozen:b}:2026-W41", None, "lb:{a:frozen:b}"),
            ("", None, ""),
            (":::", None, ":::"),
        ] {
            assert_eq!(live_of(&key.into()), live.map(Key::from), "{key}");
            assert_eq!(base_of(&key.into()), Key::from(base), "{key}");
        }
        assert_eq!(frozen_of(&"leaderboard:frozen:users".into()), None);
        assert_eq!(frozen_of(&"x:frozen:2026-W41".into()), None);
        assert_eq!(frozen_of(&"x:frozen:12".into()), Some(("x".into(), b"12".to_vec())));
    }
}
