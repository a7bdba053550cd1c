//! The arguments of the list of boards.

use std::ffi::OsString;

use clap::Args;

use super::board_arg::Companions;
use super::reading::ColorArg;
use super::{ListFormatName, ReadConnection};

/// `ranktop boards`.
#[derive(Debug, Args)]
pub struct BoardsArgs {
    /// A glob that the whole key must match, as in redis-cli: '*' is any text, '?' one byte, square brackets one byte
    /// out of a set; a backslash takes the next character as it is [default: all boards]
    #[arg(value_name = "PATTERN")]
    pub pattern: Option<OsString>,
    /// List sets too that only accompany a board: its ties (':ties') and when its scores end (':ttl')
    #[arg(long)]
    pub all: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ListFormatName::Table)]
    pub format: ListFormatName,
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: ReadConnection,
    /// The companions of boards.
    #[command(flatten)]
    pub companions: Companions,
    /// Colours.
    #[command(flatten)]
    pub color: ColorArg,
}
