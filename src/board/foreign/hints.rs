//! What the text of keys and members suggests. All of it is told or dimmed, and none of it changes how a board is read.

use super::words::has_word;
use crate::board::entry::{Entry, Member};
use crate::board::keys::Key;
use crate::board::score::Score;

/// What sets that accompany a board are called: the board's key, and this.
const SIDES: [&[u8]; 2] = [b":ties", b":ttl"];
const LOW_FIRST: [&str; 5] = ["fastest", "time", "lap", "golf", "speedrun"];

/// The board that a sorted set accompanies, by its key; whether that board is there, the caller knows.
pub fn belongs_to(key: &Key) -> Option<Key> {
    SIDES.iter().find_map(|side| key.as_ref().strip_suffix(*side)).filter(|board| !board.is_empty()).map(Key::from)
}

/// True where a set holds each score of a board as a member with itself as its score, as a set of ties does.
pub fn is_set_of_ties(rows: &[Entry]) -> bool {
    let is_own = |row: &Entry| {
        let text = std::str::from_utf8(row.member.as_bytes()).ok();
        text.and_then(Score::parse) == Some(row.score)
    };
    !rows.is_empty() && rows.iter().all(is_own)
}

/// True where a key sounds as if the lowest score were the best one.
pub fn sounds_low_first(key: &Key) -> bool {
    has_word(key.as_ref(), &LOW_FIRST)
}

/// How many bytes, up to a colon, all these members have in common; 0 where there is nothing to be told apart by it.
pub fn common_prefix<'a>(members: impl IntoIterator<Item = &'a Member>) -> usize {
    let mut members = members.into_iter().map(Member::as_bytes);
    let Some(first) = members.next() else { return 0 };
    let mut length = first.len();
    let mut count = 1;
    for member in members {
        count += 1;
        length = first[..length].iter().zip(member).take_while(|(a, b)| a == b).count();
    }
    let colon = first[..length].iter().rposition(|&byte| byte == b':');
    if count < 2 { 0 } else { colon.map_or(0, |colon| colon + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn side_sets_by_their_keys() {
        for (key, wanted) in [
            ("highscores:ties", Some("highscores")),
            ("a:year2016week01:ttl", Some("a:year2016week01")),
            (":ties", None),
            ("ties", None),
            ("highscores:tiesx", None),
            ("highscores", None),
        ] {
            assert_eq!(belongs_to(&key.into()), wanted.map(Key::from), "{key}");
        }
    }

    #[test]
    fn sets_of_ties_by_their_rows() {
        let rows = |of: &[(&str, f64)]| {
            of.iter().map(|(member, score)| Entry::new(*member, Score::new(*score).unwrap())).collect::<Vec<_>>()
        };
        assert!(is_set_of_ties(&rows(&[("100.0", 100.0), ("7", 7.0)])));
        assert!(!is_set_of_ties(&rows(&[("100.0", 100.0), ("ada", 7.0)])));
        assert!(!is_set_of_ties(&rows(&[("100.0", 99.0)])));
        assert!(!is_set_of_ties(&[]));
    }

    #[test]
    fn keys_that_sound_low_first() {
        for (key, wanted) in [
            ("challenge:7:leaderboard:fastest", true),
            ("lap-times:x", true),
            ("best_lap", true),
            ("timeline", false),
            ("SpeedRun:any", true),
            ("scores", false),
        ] {
            assert_eq!(sounds_low_first(&key.into()), wanted, "{key}");
        }
    }

    #[test]
    fn prefixes_end_at_a_colon() {
        let prefix =
            |members: &[&str]| common_prefix(&members.iter().map(|member| Member::from(*member)).collect::<Vec<_>>());
        assert_eq!(prefix(&["score:x:ada", "score:x:alan"]), 8);
        assert_eq!(prefix(&["score:ada", "score"]), 0);
        assert_eq!(prefix(&["a:", "a:b"]), 2);
        assert_eq!(prefix(&["score:ada"]), 0);
        assert_eq!(prefix(&["ada", "alan"]), 0);
        assert_eq!(prefix(&[]), 0);
    }
}
