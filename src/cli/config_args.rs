//! The arguments of the commands that are about the program itself: what is set, what a shell completes, and the man page.

use clap::Args;
use clap_complete::Shell;

use super::board_arg::{Calendar, Companions};
use super::reading::{ColorArg, Naming, Packing, Ranking};
use super::watching::Watching;
use super::{ListFormatName, ReadConnection};

/// `ranktop config`.
#[derive(Debug, Args)]
pub struct ConfigArgs {
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
    /// Names.
    #[command(flatten)]
    pub naming: Naming,
    /// The companions of boards.
    #[command(flatten)]
    pub companions: Companions,
    /// Periods.
    #[command(flatten)]
    pub calendar: Calendar,
    /// How a board is watched.
    #[command(flatten)]
    pub watching: Watching,
    /// Colours.
    #[command(flatten)]
    pub color: ColorArg,
}

/// `ranktop completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// For which shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

/// `ranktop man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The command that the page is of [default: ranktop itself]
    #[arg(value_name = "COMMAND")]
    pub of: Option<String>,
}
