//! The arguments that say how a board is watched, and where the viewer begins.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;

use super::contest::ContestArgs;
use super::reading::{ColorArg, Ranking, Reading};
use super::values::{PageSize, Paging, WatchMode};
use super::{ReadConnection, values};
use crate::board::movement::MoveSince;
use crate::board::period::Zone;

/// `ranktop`, without a command.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// The board to watch: the key of a sorted set [default: choose one from the list of boards]
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: ReadConnection,
    /// How the board is read.
    #[command(flatten)]
    pub reading: Reading,
    /// How it is watched.
    #[command(flatten)]
    pub watching: Watching,
    /// Where the viewer begins.
    #[command(flatten)]
    pub opening: Opening,
    /// Colours.
    #[command(flatten)]
    pub color: ColorArg,
}

/// How a board is watched.
#[derive(Debug, Args)]
#[command(next_help_heading = "Watching")]
pub struct Watching {
    /// Check the board for changes this often
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = values::duration)]
    pub interval: Duration,
    /// How changes are detected
    #[arg(long, value_name = "MODE", value_enum, default_value_t = WatchMode::Auto)]
    pub watch: WatchMode,
    /// Rows of a page: fit (as the screen has room for) or 1 to 1000
    #[arg(long, value_name = "N", default_value = "fit", value_parser = values::page_size)]
    pub page_size: PageSize,
    /// How pages are turned
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Paging::Cursor)]
    pub paging: Paging,
    /// Against when MOVE tells the ranks: a time such as 1m ago, turn (when the page was turned to), start (when the board was
    /// opened); when a member was seen first, if that is later
    #[arg(long, value_name = "TIME|turn|start", default_value = "1m", value_parser = values::move_since)]
    pub move_since: MoveSince,
    /// Colours: default, light, mono, or the file of a theme
    #[arg(long, value_name = "NAME|FILE")]
    pub theme: Option<String>,
    /// Draw with ASCII alone
    #[arg(long)]
    pub ascii: bool,
    /// Leave the mouse to the terminal: no scrolling by its wheel, no selecting by a click
    #[arg(long)]
    pub no_mouse: bool,
    /// Do not mark the scores that have just changed
    #[arg(long)]
    pub no_motion: bool,
}

/// Where the viewer begins.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Watching")]
pub struct Opening {
    /// Begin with the row at this position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "find")]
    pub at: Option<u64>,
    /// Begin where this member stands, and select it
    #[arg(long, value_name = "MEMBER", allow_hyphen_values = true)]
    pub find: Option<OsString>,
    /// Begin with the rows after this cursor; y copies the command that does
    #[arg(long, value_name = "CURSOR", conflicts_with_all = ["at", "find", "before"])]
    pub after: Option<String>,
    /// Begin with the rows before this cursor
    #[arg(long, value_name = "CURSOR", conflicts_with_all = ["at", "find"])]
    pub before: Option<String>,
}

/// `ranktop demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Play on a board in memory even where PATH has a redis-server
    #[arg(long)]
    pub embedded: bool,
    /// The contest.
    #[command(flatten)]
    pub contest: ContestArgs,
    /// In which order the contest is shown, and how it is ranked.
    #[command(flatten)]
    pub ranking: Ranking,
    /// How the contest is watched.
    #[command(flatten)]
    pub watching: Watching,
    /// Where the viewer begins.
    #[command(flatten)]
    pub opening: Opening,
    /// The time zone in which the contest's week is cut and moments are told, such as Europe/Madrid
    #[arg(long, value_name = "ZONE", default_value = "UTC", help_heading = "Watching")]
    pub tz: Zone,
    /// Colours.
    #[command(flatten)]
    pub color: ColorArg,
}
