//! The arguments of the commands that print part of a board: a page, where members stand, tie groups.

use std::ffi::OsString;

use clap::Args;

use super::reading::{ColorArg, Packing, Ranking, Reading};
use super::values::{FormatName, ListFormatName, PAGE_SIZES};
use super::{ReadConnection, Which};

/// `ranktop page`.
#[derive(Debug, Args)]
pub struct PageArgs {
    /// The board: the key of a sorted set
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// Where the page begins.
    #[command(flatten)]
    pub start: StartArgs,
    /// Rows of the page, at most 1000
    #[arg(long, value_name = "N", default_value_t = 20,
        value_parser = clap::value_parser!(u64).range(*PAGE_SIZES.start()..=*PAGE_SIZES.end()))]
    pub size: u64,
    /// Print nothing and exit with 4 if the board is at another version
    #[arg(long, value_name = "VERSION", allow_hyphen_values = true)]
    pub expect_version: Option<OsString>,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = FormatName::Table)]
    pub format: FormatName,
    /// In CSV, leave texts that a spreadsheet would run as a formula as they are
    #[arg(long)]
    pub raw: bool,
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: ReadConnection,
    /// How the board is read.
    #[command(flatten)]
    pub reading: Reading,
    /// Colours.
    #[command(flatten)]
    pub color: ColorArg,
}

/// Where a page begins: one of these.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct StartArgs {
    /// Begin with the row at this position [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub at: Option<u64>,
    /// Go on after this cursor
    #[arg(long, value_name = "CURSOR")]
    pub after: Option<String>,
    /// Go back before this cursor
    #[arg(long, value_name = "CURSOR")]
    pub before: Option<String>,
    /// Show the page around this member
    #[arg(long, value_name = "MEMBER", allow_hyphen_values = true)]
    pub around: Option<OsString>,
}

/// `ranktop rank`.
#[derive(Debug, Args)]
pub struct RankArgs {
    /// The board: the key of a sorted set
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// The members to look up
    #[arg(value_name = "MEMBER")]
    pub members: Vec<OsString>,
    /// Print up to N neighbours on either side of each member too, at most 499; in JSON these rows, the member's own
    /// among them, are its 'around', each as in 'page'
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_NEIGHBOURS))]
    pub around: Option<u64>,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ListFormatName::Table)]
    pub format: ListFormatName,
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: ReadConnection,
    /// How the board is read.
    #[command(flatten)]
    pub reading: Reading,
    /// Colours.
    #[command(flatten)]
    pub color: ColorArg,
}

/// Neighbours on either side, so that a member and its neighbours are one page.
const MOST_NEIGHBOURS: u64 = (*PAGE_SIZES.end() - 1) / 2;

/// `ranktop ties`.
#[derive(Debug, Args)]
pub struct TiesArgs {
    /// The board: the key of a sorted set
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// Begin with the group that contains this position, or else with the next one below it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub at: u64,
    /// How many groups, at most 1000; where there are more, 'next' is where to go on with --at
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: u16,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ListFormatName::Table)]
    pub format: ListFormatName,
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: ReadConnection,
    /// Order and ranks.
    #[command(flatten)]
    pub ranking: Ranking,
    /// How scores are packed.
    #[command(flatten)]
    pub packing: Packing,
    /// Which game's board.
    #[command(flatten)]
    pub which: Which,
    /// Colours.
    #[command(flatten)]
    pub color: ColorArg,
}
