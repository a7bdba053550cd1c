//! The arguments of the commands that work on a whole board: freezing it, exporting it, auditing it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::reading::{OrderArg, Packing, Reading};
use super::{Connection, ReadConnection, Which};
use crate::cli::values;
use crate::cli::values::{PAGE_SIZES, RowsFormatName};

/// `ranktop freeze`.
#[derive(Debug, Args)]
pub struct FreezeArgs {
    /// The board: the key of a sorted set
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// How long the copy is kept; a copy that is there already is kept longer, never shorter
    #[arg(long, value_name = "TIME", default_value = "7d", value_parser = values::retention)]
    pub retain: Duration,
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: Connection,
    /// Which game's board.
    #[command(flatten)]
    pub which: Which,
}

/// `ranktop export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The board: the key of a sorted set
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = RowsFormatName::Csv)]
    pub format: RowsFormatName,
    /// Write to this file, which is there only once all rows are in it [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Accept a board that is not frozen; exit with 4 if it changed on the way
    #[arg(long)]
    pub live: bool,
    /// Go on after this cursor, without a header
    #[arg(long, value_name = "CURSOR")]
    pub after: Option<String>,
    /// In CSV, leave texts that a spreadsheet would run as a formula as they are
    #[arg(long)]
    pub raw: bool,
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: ReadConnection,
    /// How the board is read.
    #[command(flatten)]
    pub reading: Reading,
}

/// `ranktop audit`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// The board: the key of a sorted set
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// Walk a few pages from this many random places instead of the whole board
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub sample: Option<u64>,
    /// Rows of the largest read, at most 1000
    #[arg(long, value_name = "N", default_value_t = *PAGE_SIZES.end(),
        value_parser = clap::value_parser!(u64).range(*PAGE_SIZES.start()..=*PAGE_SIZES.end()))]
    pub batch: u64,
    /// Seed for the random places: the same seed gives the same ones [default: others each time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: ReadConnection,
    /// The order.
    #[command(flatten)]
    pub order: OrderArg,
    /// How scores are packed.
    #[command(flatten)]
    pub packing: Packing,
    /// Which game's board.
    #[command(flatten)]
    pub which: Which,
}
