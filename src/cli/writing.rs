//! The arguments of the commands that write to a board: a score, the end of a period.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;

use super::values;
use crate::board::entry::Member;
use crate::board::score::Score;
use crate::store::redis::write::score::Step;

/// `ranktop score`.
#[derive(Debug, Args)]
pub struct ScoreArgs {
    /// The board: the key of a sorted set
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// Whose score changes
    #[arg(value_name = "MEMBER")]
    pub member: Option<OsString>,
    /// Add N to the score, or to 0 where the member is new
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::score,
        required_unless_present = "set", conflicts_with = "set")]
    pub by: Option<Score>,
    /// Make N the score
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::score)]
    pub set: Option<Score>,
    /// Print the commands for redis-cli that would do it, and send nothing
    #[arg(long)]
    pub dry_run: bool,
}

impl ScoreArgs {
    /// Whose score is to change.
    #[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "no arguments are let pass that name nobody")]
    pub fn member(&self) -> Member {
        self.member.clone().map(|member| Member::from(member.into_encoded_bytes())).expect("a member is required")
    }

    /// How the score is to change.
    #[expect(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "the parser lets no arguments pass that have neither"
    )]
    pub fn step(&self) -> Step {
        self.set.map(Step::Set).or(self.by.map(Step::By)).expect("one of --by and --set is required")
    }
}

/// `ranktop close`.
#[derive(Debug, Args)]
pub struct CloseArgs {
    /// The board: the key of a sorted set
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// Take late scores for so long before [default: none]
    #[arg(long, value_name = "TIME", value_parser = values::grace)]
    pub grace: Option<Duration>,
    /// Keep the board's keys for so long from the close on [default: as long as they would live anyway]
    #[arg(long, value_name = "TIME", value_parser = values::retention)]
    pub retain: Option<Duration>,
    /// Print the commands for redis-cli that would do it, and send nothing
    #[arg(long)]
    pub dry_run: bool,
}
