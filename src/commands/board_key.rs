//! From the arguments to a key: as it stands there, or of a game's board in a period. The one place where commands ask what
//! day it is.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use crate::board::board_template::BoardKeyError;
use crate::board::keys::Key;
use crate::board::period::{Period, PeriodKind};
use crate::cli::{PeriodChoice, Which};
use crate::exit::{Exit, Failure};
use crate::run::wall_clock;
use crate::store::sharded::board::is_sharded;

/// The key that the arguments name; `None` where they name none.
pub fn key(given: Option<OsString>, which: &Which) -> Result<Option<Key>, Failure> {
    let key = match (given, &which.game) {
        (Some(key), _) => key.into_vec().into(),
        (None, Some(game)) => key_of(game.as_bytes(), which, wall_clock())?,
        (None, None) => return Ok(None),
    };
    match (which.shards, is_sharded(&key)) {
        (Some(shards), false) => Err(Failure::new(
            Exit::Usage,
            format!("'--shards {shards}' without <shard> in the key '{}'", key.as_ref().escape_ascii()),
        )
        .with_hint("write <shard> where the keys of the shards have their number: 'lb:{spring:<shard>}:2026-W41'")),
        (None, true) => Err(Failure::new(
            Exit::Usage,
            format!("how many shards '{}' has was not said", key.as_ref().escape_ascii()),
        )
        .with_hint("add '--shards N'")),
        _ => Ok(Some(key)),
    }
}

/// The key of a game's board, where the clock shows `now`.
fn key_of(game: &[u8], which: &Which, now: i64) -> Result<Key, Failure> {
    let period = match which.period {
        Some(PeriodChoice::Of(period)) => Some(period),
        Some(PeriodChoice::Current(kind)) => current(kind, which, now)?,
        Some(PeriodChoice::Last(kind)) => current(kind, which, now)?.and_then(|period| period.previous()),
        None if which.calendar.board_key.has_period() => current(PeriodKind::Week, which, now)?,
        None => None,
    };
    which.calendar.board_key.key(game, period.as_ref()).map_err(|error| {
        let hint = match error {
            BoardKeyError::Game => "'--game' is what stands in the place of <game> in --board-key",
            BoardKeyError::Period { .. } => "write <period> in --board-key, or '--period none'",
        };
        Failure::new(Exit::Usage, error.to_string()).with_hint(hint)
    })
}

fn current(kind: PeriodKind, which: &Which, now: i64) -> Result<Option<Period>, Failure> {
    let period = Period::at(kind, now, &which.calendar.tz);
    if period.is_none() && kind != PeriodKind::None {
        return Err(Failure::new(Exit::Failed, "this machine's clock shows a year that no period can be of")
            .with_hint("set the clock, or say which period is meant: '--period 2026-W41'"));
    }
    Ok(period)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command, Stop};

    /// The key of `--game spring` with these options, at a moment of 2026-10-25 in Berlin: 23:30, after 25 hours less half
    /// an hour of the day on which clocks went back.
    fn of(options: &str) -> Result<String, Failure> {
        let line = format!("ranktop page --game spring {options}");
        let cli = match Cli::read(line.split_whitespace(), &crate::commands::setup::CHECKS) {
            Ok(cli) => cli,
            Err(Stop::Wrong(failure)) => return Err(failure),
            Err(other) => panic!("{line}: {other:?}"),
        };
        let Some(Command::Page(page)) = cli.command else { panic!("{line}") };
        let which = &page.reading.which;
        let key = key_of(which.game.as_ref().unwrap().as_bytes(), which, 1_792_967_400_000)?;
        Ok(String::from_utf8(key.as_ref().to_vec()).unwrap())
    }

    #[test]
    fn boards_of_games() {
        for (options, key) in [
            ("", "lb:{spring}:2026-W43"),
            ("--period week --tz Europe/Berlin", "lb:{spring}:2026-W43"),
            ("--tz Asia/Tokyo", "lb:{spring}:2026-W44"),
            ("--period day --tz europe/berlin", "lb:{spring}:2026-10-25"),
            ("--period day --tz Asia/Tokyo", "lb:{spring}:2026-10-26"),
            ("--period month", "lb:{spring}:2026-10"),
            ("--period none", "lb:{spring}"),
            ("--period last", "lb:{spring}:2026-W42"),
            ("--period last-week --tz Asia/Tokyo", "lb:{spring}:2026-W43"),
            ("--period last-day --tz Asia/Tokyo", "lb:{spring}:2026-10-25"),
            ("--period last-month", "lb:{spring}:2026-09"),
            ("--period 2026-W01", "lb:{spring}:2026-W01"),
            ("--period 2026-10-09", "lb:{spring}:2026-10-09"),
            ("--period 2026-02", "lb:{spring}:2026-02"),
            ("--board-key <period>/{<game>}", "2026-W43/{spring}"),
            ("--board-key b:<game>", "b:spring"),
            ("--board-key b:<game> --period none", "b:spring"),
        ] {
            assert_eq!(of(options).unwrap(), key, "{options}");
        }
    }

    #[test]
    fn what_has_no_board() {
        for (options, what, hint) in [
            ("--board-key b:<game> --period 2026-W41", "so there is no board of 2026-W41", "write <period>"),
            ("--board-key b:<game> --period week", "so there is no board of 2026-W43", "'--period none'"),
            ("--period 2026-w41", "'2026-w41' is not a period", "2026-W41"),
            ("--period yesterday", "not a period", "week, day, month, last"),
            ("--tz Europe/Nowhere", "unknown time zone 'Europe/Nowhere'", "Europe/Madrid"),
            ("--board-key b:<period>", "no placeholder '<game>'", ""),
            ("--board-key b:<gaem>", "unknown placeholder '<gaem>'", "allowed here: <game>, <period>"),
        ] {
            let failure = of(options).unwrap_err();
            assert_eq!(failure.exit, Exit::Usage, "{options}");
            assert!(failure.message.contains(what), "{options}: {failure:?}");
            assert!(failure.hint.as_deref().unwrap().contains(hint), "{options}: {failure:?}");
        }
        assert!(of("").is_ok());
        let cli = Cli::read(["ranktop", "page", "--game", ""], &crate::commands::setup::CHECKS);
        let Ok(Cli { command: Some(Command::Page(page)), .. }) = cli else { panic!("{cli:?}") };
        let failure = key(None, &page.reading.which).unwrap_err();
        assert!(failure.message.contains("a game's name must not be empty"), "{failure:?}");
    }
}
