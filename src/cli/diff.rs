//! The arguments of `ranktop diff`.

use std::ffi::OsString;

use clap::Args;

use super::reading::{ColorArg, Reading};
use super::values::FormatName;
use super::{PeriodChoice, ReadConnection};

/// `ranktop diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The board to compare from, such as a frozen copy or last week's
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// The board to compare it with
    #[arg(value_name = "OTHER")]
    pub other: Option<OsString>,
    /// With --game, compare with the game's board of this period, in the place of OTHER: --period last --to week
    #[arg(long, value_name = "PERIOD")]
    pub to: Option<PeriodChoice>,
    /// Compare only the rows with this rank or a better one: who comes from below it has entered
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub top: Option<u64>,
    /// Print at most this many rows; all are counted [default: 100 in a table, else all]
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = FormatName::Table)]
    pub format: FormatName,
    /// In CSV, leave texts that a spreadsheet would run as a formula as they are
    #[arg(long)]
    pub raw: bool,
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: ReadConnection,
    /// How the boards are read.
    #[command(flatten)]
    pub reading: Reading,
    /// Colours.
    #[command(flatten)]
    pub color: ColorArg,
}
