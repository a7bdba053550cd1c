//! The arguments of the commands that play a simulated contest, on a board of their own or on one of yours.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;

use super::reading::NamesArgs;
use super::{Connection, Which, values};
use crate::simulation::Settings;

/// Which contest it is.
#[derive(Debug, Args)]
pub struct ContestArgs {
    /// Seed for the contest: the same seed gives the same one
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub seed: u64,
    /// How many players there are at first, and about how many there will always be [default: 5000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub players: Option<u32>,
    /// Writes a second, on average over minutes: it is calm for most of the time, with short bursts between
    #[arg(long, value_name = "N", default_value_t = 20.0,
        value_parser = |text: &str| values::within(text, &Settings::RATE))]
    pub rate: f64,
    /// The share of changes that end in a tie, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.3,
        value_parser = |text: &str| values::within(text, &Settings::TIES))]
    pub ties: f64,
}

impl ContestArgs {
    /// What the contest follows from; `there` is how many players there are unless something else is asked for.
    pub fn settings(&self, there: u32) -> Settings {
        Settings { seed: self.seed, players: self.players.unwrap_or(there), rate: self.rate, ties: self.ties }
    }
}

/// `ranktop simulate`.
#[derive(Debug, Args)]
pub struct SimulateArgs {
    /// The board: a key at which there is nothing yet
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// The contest.
    #[command(flatten)]
    pub contest: ContestArgs,
    /// How long the contest runs once the opening board is written [default: until Ctrl-C]
    #[arg(long = "for", value_name = "TIME", value_parser = values::playing)]
    pub playing: Option<Duration>,
    /// Play on a board that has members: their scores change and they may leave. Without --players there are about as many
    /// in the long run
    #[arg(long)]
    pub into_existing: bool,
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: Connection,
    /// Where names are.
    #[command(flatten)]
    pub names: NamesArgs,
    /// Which game's board.
    #[command(flatten)]
    pub which: Which,
}
