//! Where a board stands in a list of boards: games in the order of their keys, of each its newest period first, and frozen
//! copies under the board they were made of. It reads keys only and knows nothing of what is behind them.

use std::cmp::Reverse;

use crate::board::board_template::BoardTemplate;
use crate::board::keys::{Key, base_of, frozen_of, live_of, split_period};
use crate::board::period::{Period, Zone};

/// A place in the list; places compare as their boards stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortKey {
    /// What the boards of one game share.
    family: Key,
    /// A board without a period stands before those that have one.
    period: Option<(Reverse<i64>, Reverse<i64>)>,
    /// A board stands before its copies, and of these the newest first.
    copy: Option<(Reverse<Option<i64>>, Key)>,
    key: Key,
}

impl SortKey {
    /// Where the board `key` stands, where boards of games have keys by `template`; also its period, a copy's being its
    /// board's.
    pub fn read(key: &Key, template: &BoardTemplate) -> (Self, Option<Period>) {
        let mut original = key.clone();
        let mut copy = None;
        while let Some((board, version)) = frozen_of(&original) {
            // Of a copy of a copy, the first copy says where it belongs.
            let number = std::str::from_utf8(&version).ok().and_then(|text| text.parse().ok());
            copy = Some((Reverse(number), original));
            original = board;
        }
        if let Some(board) = live_of(&original) {
            copy = Some((Reverse(None), original));
            original = board;
        }
        let (family, period) = match template.read(&original) {
            Some((game, period)) => (template.key(&game, None).unwrap_or_else(|_| base_of(&original)), period),
            // Whatever the template says, the boards of a series differ in their period alone.
            None => (base_of(&original), split_period(original.as_ref()).1),
        };
        let place = Self { family, period: period.map(newest_first), copy, key: key.clone() };
        (place, period)
    }

    /// Whether both are boards of one game, or copies of such.
    pub fn is_beside(&self, other: &Self) -> bool {
        self.family == other.family
    }
}

/// Of periods that begin on one day the longest stands first.
fn newest_first(period: Period) -> (Reverse<i64>, Reverse<i64>) {
    let utc = Zone::utc();
    (Reverse(period.starts(&utc)), Reverse(period.ends(&utc).saturating_sub(period.starts(&utc))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::templates::Templates;

    fn sorted(mut keys: Vec<&str>) -> Vec<&str> {
        let template = Templates::default().board;
        keys.sort_unstable();
        keys.sort_by_key(|key| SortKey::read(&Key::from(*key), &template).0);
        keys
    }

    #[test]
    fn games_stand_in_key_order_with_their_newest_period_first_and_copies_under_their_board() {
        let wanted = [
            "hs",
            "hs:2026-W41",
            "hs:archive:2026-W41",
            "hs:frozen:2026-W41",
            "hs:2026-W40",
            "lb:{autumn}:2026-W53",
            "lb:{autumn}:2026-12",
            "lb:{spring}",
            "lb:{spring}:2026-W41",
            "lb:{spring}:2026-W41:frozen:1284",
            "lb:{spring}:2026-W41:frozen:1284:frozen:1284",
            "lb:{spring}:2026-W41:frozen:99",
            "lb:{spring}:2026-W41:frozen:abc",
            "lb:{spring}:2026-10",
            "lb:{spring}:2026-10-01",
            "lb:{spring}:2026-W40",
            "lb:{spring}:2025-W52:frozen:7",
            "plain",
            "plain:users",
            "plain:frozen:users",
        ];
        let mut keys = wanted.to_vec();
        keys.reverse();
        assert_eq!(sorted(keys), wanted);
    }

    #[test]
    fn a_game_is_read_by_the_template_wherever_its_period_stands() {
        let template = "<period>/<game>".parse().unwrap();
        let place = |key: &str| SortKey::read(&key.into(), &template).0;
        assert!(place("2026-W41/a") < place("2026-W40/a"));
        assert!(place("2026-W40/a") < place("2026-W41/b"));
        assert!(place("2026-W41/a").is_beside(&place("2026-W40/a:frozen:3")));
        assert!(!place("2026-W41/a").is_beside(&place("2026-W41/b")));
    }
}
