//! Which board the arguments name: by its key, or by a game and a period. It sorts out the words of the command line; what
//! key a game's board has, and what time it is, others know.

use std::ffi::OsString;
use std::str::FromStr;

use clap::Args;

use crate::board::board_template::BoardTemplate;
use crate::board::period::{Period, PeriodKind, Zone};
use crate::board::template::DEFAULT_BOARD;
use crate::cli::{Cli, Command};
use crate::exit::{Exit, Failure};

/// A game's board in the place of a key.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Games and periods")]
#[allow(rustdoc::invalid_html_tags, reason = "help shows <game> as it is written in templates")]
pub struct Which {
    /// The board of this game, in the place of BOARD
    #[arg(long, value_name = "GAME", global = true)]
    pub game: Option<OsString>,
    /// The game's board of this period: a week 2026-W41, a day 2026-10-09 or a month 2026-10; or of the current week, day
    /// or month; or none [default: week, where boards have periods]
    #[arg(long, value_name = "PERIOD", global = true)]
    pub period: Option<PeriodChoice>,
    /// The board lies in this many sorted sets: <shard> in its key stands for their numbers, from 0
    #[arg(long, value_name = "N", global = true, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub shards: Option<u32>,
    /// The time zone in which periods are cut and moments are told, such as Europe/Madrid
    #[arg(long, value_name = "ZONE", global = true, default_value = "UTC")]
    pub tz: Zone,
    /// Where the boards of games are, with <game> and <period>
    #[arg(long, value_name = "TEMPLATE", global = true, default_value = DEFAULT_BOARD)]
    pub board_key: BoardTemplate,
}

/// Which period of a game is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeriodChoice {
    /// This one.
    Of(Period),
    /// The one of this kind that the clock is in.
    Current(PeriodKind),
}

impl FromStr for PeriodChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "week" => Self::Current(PeriodKind::Week),
            "day" => Self::Current(PeriodKind::Day),
            "month" => Self::Current(PeriodKind::Month),
            "none" => Self::Current(PeriodKind::None),
            _ => Self::Of(text.parse().map_err(|_| {
                format!(
                    "'{}' is not a period\nwrite a period such as 2026-W41, 2026-10-09 or 2026-10, or one of the words \
                     week, day, month and none",
                    text.escape_debug()
                )
            })?),
        })
    }
}

/// Gives each word its place: beside a game there is no BOARD, so that what stands first is a member where one is wanted.
pub(super) fn sort(cli: &mut Cli) -> Result<(), Failure> {
    let which = &cli.reading.which;
    if which.period.is_some() && which.game.is_none() {
        return Err(Failure::new(Exit::Usage, "'--period' without '--game'")
            .with_hint("add '--game GAME', or name a board by its key"));
    }
    let has_game = which.game.is_some();
    match &mut cli.command {
        None => board_or_game(cli.board.as_ref(), has_game),
        Some(Command::Page(page)) => needed("page", page.board.as_ref(), has_game),
        Some(Command::Ties(ties)) => needed("ties", ties.board.as_ref(), has_game),
        Some(Command::Export(export)) => needed("export", export.board.as_ref(), has_game),
        Some(Command::Close(close)) => needed("close", close.board.as_ref(), has_game),
        Some(Command::Freeze(freeze)) => needed("freeze", freeze.board.as_ref(), has_game),
        Some(Command::Audit(audit)) => needed("audit", audit.board.as_ref(), has_game),
        Some(Command::Rank(rank)) => {
            if has_game {
                rank.members.splice(..0, rank.board.take());
            }
            has_members("rank", "<MEMBER>...", rank.board.as_ref(), has_game, rank.members.is_empty())
        }
        Some(Command::Score(score)) => {
            if has_game && let Some(first) = score.board.take() {
                match &score.member {
                    None => score.member = Some(first),
                    Some(second) => return Err(one_too_many(second)),
                }
            }
            has_members("score", "<MEMBER>", score.board.as_ref(), has_game, score.member.is_none())
        }
        Some(Command::Simulate(simulate)) => needed("simulate", simulate.board.as_ref(), has_game),
        Some(Command::Boards(_) | Command::Demo(_) | Command::Config(_) | Command::Completions(_)) => Ok(()),
    }
}

fn needed(command: &str, board: Option<&OsString>, has_game: bool) -> Result<(), Failure> {
    if board.is_none() && !has_game {
        return Err(missing(command, "", "<BOARD>"));
    }
    board_or_game(board, has_game)
}

fn board_or_game(board: Option<&OsString>, has_game: bool) -> Result<(), Failure> {
    match board {
        Some(board) if has_game => Err(Failure::new(
            Exit::Usage,
            format!("the argument '--game <GAME>' cannot be used with BOARD '{}'", board.to_string_lossy()),
        )
        .with_hint("name a board by its key or by its game, not by both")),
        _ => Ok(()),
    }
}

fn has_members(
    command: &str,
    members: &str,
    board: Option<&OsString>,
    has_game: bool,
    is_empty: bool,
) -> Result<(), Failure> {
    match (board, has_game) {
        (None, false) => Err(missing(command, &format!(" {members}"), &format!("<BOARD> {members}"))),
        _ if is_empty => Err(missing(command, &format!(" {members}"), members)),
        _ => Ok(()),
    }
}

fn one_too_many(word: &OsString) -> Failure {
    Failure::new(Exit::Usage, format!("unexpected argument '{}' found", word.to_string_lossy()))
        .with_hint("'--game' stands in the place of BOARD, so that one MEMBER is all that is left to name")
}

fn missing(command: &str, members: &str, what: &str) -> Failure {
    Failure::new(Exit::Usage, format!("the following required arguments were not provided: {what}")).with_hint(format!(
        "ranktop {command} [OPTIONS] <BOARD>{members}, or --game GAME in the place of BOARD; a board that is named like a \
         command is watched with 'ranktop -- BOARD'"
    ))
}

/// How a command that works on one board is used, for its help.
pub(super) const USAGES: [(&str, &str); 9] = [
    ("page", "ranktop page [OPTIONS] <BOARD|--game GAME>"),
    ("rank", "ranktop rank [OPTIONS] <BOARD|--game GAME> <MEMBER>..."),
    ("ties", "ranktop ties [OPTIONS] <BOARD|--game GAME>"),
    ("export", "ranktop export [OPTIONS] <BOARD|--game GAME>"),
    ("score", "ranktop score [OPTIONS] <--by <N>|--set <N>> <BOARD|--game GAME> <MEMBER>"),
    ("close", "ranktop close [OPTIONS] <BOARD|--game GAME>"),
    ("freeze", "ranktop freeze [OPTIONS] <BOARD|--game GAME>"),
    ("audit", "ranktop audit [OPTIONS] <BOARD|--game GAME>"),
    ("simulate", "ranktop simulate [OPTIONS] <BOARD|--game GAME>"),
];
