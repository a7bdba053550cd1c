//! The arguments of the commands that write to a board: a score, the end of a period.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;

use super::reading::OrderArg;
use super::{Connection, Which, values};
use crate::board::score::Score;

/// `ranktop score`.
#[derive(Debug, Args)]
pub struct ScoreArgs {
    /// The board: the key of a sorted set
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// Whose score changes
    #[arg(value_name = "MEMBER")]
    pub member: Option<OsString>,
    /// How the score changes.
    #[command(flatten)]
    pub change: ChangeArgs,
    /// Print the commands for redis-cli that would do it, and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: Connection,
    /// The order.
    #[command(flatten)]
    pub order: OrderArg,
    /// Which game's board.
    #[command(flatten)]
    pub which: Which,
}

/// How a score changes: one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct ChangeArgs {
    /// Add N to the score, or to 0 where the member is new
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::score)]
    pub by: Option<Score>,
    /// Make N the score
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::score)]
    pub set: Option<Score>,
}

/// `ranktop close`.
#[derive(Debug, Args)]
pub struct CloseArgs {
    /// The board: the key of a sorted set
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// Accept late scores for this long before [default: none]
    #[arg(long, value_name = "TIME", value_parser = values::grace)]
    pub grace: Option<Duration>,
    /// Keep the board's keys for this long after the close [default: as long as they would live anyway]
    #[arg(long, value_name = "TIME", value_parser = values::retention)]
    pub retain: Option<Duration>,
    /// Print the commands for redis-cli that would do it, and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: Connection,
    /// Which game's board.
    #[command(flatten)]
    pub which: Which,
}
