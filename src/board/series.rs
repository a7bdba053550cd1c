//! Series: the boards that are one but for their period, such as all weeks of a game. From one board's key to the key of any
//! other period. It must not know which of them exist.

use super::board_template::BoardTemplate;
use super::keys::{Key, frozen_of};
use super::period::Period;

/// The boards that differ in their period only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// A game's boards.
    Game(BoardTemplate, Vec<u8>),
    /// Boards whose keys are this and the period.
    Before(Vec<u8>),
}

impl Series {
    /// The series of the board `key`, and the board's own period: by the template, else by the key's last segment. A frozen
    /// copy is of its board's series. None where the board has no period.
    pub fn of(key: &Key, template: &BoardTemplate) -> Option<(Self, Period)> {
        let mut key = key.clone();
        while let Some((copied, _)) = frozen_of(&key) {
            key = copied;
        }
        if let Some((game, Some(period))) = template.read(&key) {
            return Some((Self { kind: Kind::Game(template.clone(), game) }, period));
        }
        let (before, period) = Period::at_end(key.as_ref())?;
        Some((Self { kind: Kind::Before(before.to_vec()) }, period))
    }

    /// The key of the board of `period`; none where the template gives it none, which no board of a series meets.
    pub fn key(&self, period: &Period) -> Option<Key> {
        match &self.kind {
            Kind::Game(template, game) => template.key(game, Some(period)).ok(),
            Kind::Before(before) => Some([before.as_slice(), period.to_string().as_bytes()].concat().into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(key: &str, template: &str) -> Option<(String, String)> {
        let (series, period) = Series::of(&key.into(), &template.parse().unwrap())?;
        let next = series.key(&period.next().unwrap()).unwrap();
        // The board's own key comes back, but for a frozen copy, whose board it is.
        let own = series.key(&period).unwrap();
        assert!(key.as_bytes().starts_with(own.as_ref()), "{own:?}");
        Some((period.to_string(), String::from_utf8(next.as_ref().to_vec()).unwrap()))
    }

    #[test]
    fn neighbours_by_the_template_else_by_the_last_segment() {
        let default = "lb:{<game>}:<period>";
        for (key, template, wanted) in [
            ("lb:{spring}:2026-W41", default, Some(("2026-W41", "lb:{spring}:2026-W42"))),
            ("lb:{spring}:2026-W53", default, Some(("2026-W53", "lb:{spring}:2027-W01"))),
            ("lb:{x:y}:2026-12", default, Some(("2026-12", "lb:{x:y}:2027-01"))),
            ("x:y:2024-02-28", default, Some(("2024-02-28", "x:y:2024-02-29"))),
            ("2026-W41/{spring}/x", "<period>/{<game>}/x", Some(("2026-W41", "2026-W42/{spring}/x"))),
            ("lb:{spring}:2026-W41:frozen:1284", default, Some(("2026-W41", "lb:{spring}:2026-W42"))),
            ("x:2026-W41:frozen:1:frozen:2", default, Some(("2026-W41", "x:2026-W42"))),
            ("leaderboard:archive:2026-W25", default, Some(("2026-W25", "leaderboard:archive:2026-W26"))),
            ("x:frozen:2026-W41", default, Some(("2026-W41", "x:frozen:2026-W42"))),
            ("leaderboard:frozen:users", default, None),
            ("lb:{spring}", default, None),
            ("scores", default, None),
            ("2026-W41", default, None),
            ("x:2026-w41", default, None),
        ] {
            let wanted = wanted.map(|(period, next)| (period.to_owned(), next.to_owned()));
            assert_eq!(of(key, template), wanted, "{key}");
        }
    }

    #[test]
    fn keys_are_bytes() {
        let key = Key::from(&b"\xff\0:2026-10"[..]);
        let (series, period) = Series::of(&key, &"lb:{<game>}:<period>".parse().unwrap()).unwrap();
        assert_eq!(series.key(&period.previous().unwrap()), Some(b"\xff\0:2026-09"[..].into()));
    }
}
