//! Which board the arguments name: by its key, or by a game and a period. It sorts out the words of the command line; what
//! key a game's board has, and what time it is, others know.

use std::ffi::OsString;
use std::str::FromStr;

use clap::Args;

use crate::board::board_template::BoardTemplate;
use crate::board::period::{Period, PeriodKind, Zone};
use crate::board::template::{CompanionTemplate, DEFAULT_BOARD, DEFAULT_META, DEFAULT_VERSION};
use crate::exit::{Exit, Failure};

/// Which board is meant: a game's board in the place of a key, and what goes with it.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Games and periods")]
pub struct Which {
    /// The board of this game, in the place of BOARD
    #[arg(long, value_name = "GAME")]
    pub game: Option<OsString>,
    /// The game's board of this period: a week 2026-W41, a day 2026-10-09 or a month 2026-10; or of the current week, day
    /// or month; or last, the week before (last-day and last-month likewise); or none [default: week, where boards have
    /// periods]
    #[arg(long, value_name = "PERIOD")]
    pub period: Option<PeriodChoice>,
    /// The board lies in this many sorted sets: <shard> in its key stands for their numbers, from 0
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub shards: Option<u32>,
    /// How keys of games are made.
    #[command(flatten)]
    pub calendar: Calendar,
    /// The board's companions.
    #[command(flatten)]
    pub companions: Companions,
}

/// Where the boards of games are, and when their periods begin.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Games and periods")]
#[allow(rustdoc::invalid_html_tags, reason = "help shows <game> as it is written in templates")]
pub struct Calendar {
    /// The time zone in which periods are cut and moments are told, such as Europe/Madrid
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    pub tz: Zone,
    /// Where the boards of games are, with <game> and <period>
    #[arg(long, value_name = "TEMPLATE", default_value = DEFAULT_BOARD)]
    pub board_key: BoardTemplate,
}

/// What is kept beside a board.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reading")]
pub struct Companions {
    /// Where the board's version is
    #[arg(long, value_name = "TEMPLATE", default_value = DEFAULT_VERSION)]
    pub version_key: CompanionTemplate,
    /// Where the board's meta hash is
    #[arg(long, value_name = "TEMPLATE", default_value = DEFAULT_META)]
    pub meta_key: CompanionTemplate,
}

/// Which period of a game is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeriodChoice {
    /// This one.
    Of(Period),
    /// The one of this kind that the clock is in.
    Current(PeriodKind),
    /// The one before that.
    Last(PeriodKind),
}

impl FromStr for PeriodChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "week" => Self::Current(PeriodKind::Week),
            "day" => Self::Current(PeriodKind::Day),
            "month" => Self::Current(PeriodKind::Month),
            "last" | "last-week" => Self::Last(PeriodKind::Week),
            "last-day" => Self::Last(PeriodKind::Day),
            "last-month" => Self::Last(PeriodKind::Month),
            "none" => Self::Current(PeriodKind::None),
            _ => Self::Of(text.parse().map_err(|_| {
                format!(
                    "'{}' is not a period\nwrite a period such as 2026-W41, 2026-10-09 or 2026-10, or one of the words \
                     week, day, month, last, last-day, last-month and none",
                    text.escape_debug()
                )
            })?),
        })
    }
}

impl Which {
    pub(super) fn needed(&self, command: &str, board: Option<&OsString>) -> Result<(), Failure> {
        self.instead_of(board)?;
        if board.is_none() && self.game.is_none() {
            return Err(missing(command, "", "<BOARD>"));
        }
        Ok(())
    }

    /// The same of two boards that are compared, the second of which may be the game's board of another period.
    pub(super) fn needed_twice(
        &self,
        board: Option<&OsString>,
        has_other: bool,
        has_period: bool,
    ) -> Result<(), Failure> {
        let refusal = |message: &str, hint: &str| Err(Failure::new(Exit::Usage, message).with_hint(hint));
        let has_game = self.game.is_some();
        if has_period && !has_game {
            return refusal("'--to' without '--game'", "name the second board by its key");
        }
        match (board.is_some() || has_game, has_other, has_period) {
            (_, true, true) => {
                refusal("'--to' beside OTHER", "name the second board by its key or by its period, not by both")
            }
            (true, true, false) | (true, false, true) => self.instead_of(board),
            (true, false, false) if has_game => refusal(
                "the second board was not named",
                "name its key, or the period of the game's board: 'ranktop diff --game GAME --period last --to week'",
            ),
            _ => Err(missing("diff", " <OTHER>", if board.is_some() { "<OTHER>" } else { "<BOARD> <OTHER>" })),
        }
    }

    pub(super) fn instead_of(&self, board: Option<&OsString>) -> Result<(), Failure> {
        if self.period.is_some() && self.game.is_none() {
            return Err(Failure::new(Exit::Usage, "'--period' without '--game'")
                .with_hint("add '--game GAME', or name a board by its key"));
        }
        match board {
            Some(board) if self.game.is_some() => Err(Failure::new(
                Exit::Usage,
                format!("the argument '--game <GAME>' cannot be used with BOARD '{}'", board.to_string_lossy()),
            )
            .with_hint("name a board by its key or by its game, not by both")),
            _ => Ok(()),
        }
    }

    pub(super) fn has_members(
        &self,
        command: &str,
        members: &str,
        board: Option<&OsString>,
        is_empty: bool,
    ) -> Result<(), Failure> {
        self.instead_of(board)?;
        match board {
            None if self.game.is_none() => Err(missing(command, &format!(" {members}"), &format!("<BOARD> {members}"))),
            _ if is_empty => Err(missing(command, &format!(" {members}"), members)),
            _ => Ok(()),
        }
    }
}

fn missing(command: &str, members: &str, what: &str) -> Failure {
    Failure::new(Exit::Usage, format!("the following required arguments were not provided: {what}")).with_hint(format!(
        "ranktop {command} [OPTIONS] <BOARD>{members}, or --game GAME in the place of BOARD; a board that is named like a \
         command is watched with 'ranktop -- BOARD'"
    ))
}
