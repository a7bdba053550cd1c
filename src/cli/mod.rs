//! The command line: which commands and options there are, their help, and what is said where they are used wrongly.
//! It reads the arguments and the lasting settings that stand behind them, and does nothing about them.

mod board_arg;
mod boards;
mod bulk;
mod config_args;
mod connection;
mod contest;
mod diff;
mod general;
mod layers;
mod page;
mod positional;
mod read;
mod reading;
#[cfg(test)]
mod tests;
mod validate;
mod values;
mod watching;
mod writing;

use clap::{Parser, Subcommand};

pub use board_arg::{Companions, PeriodChoice, Which};
pub use boards::BoardsArgs;
pub use bulk::{AuditArgs, ExportArgs, FreezeArgs};
pub use config_args::{CompletionsArgs, ConfigArgs, ManArgs};
pub use connection::{Connection, ReadConnection};
pub use contest::{ContestArgs, SimulateArgs};
pub use diff::DiffArgs;
pub use general::General;
pub use layers::{Checks, Layers, Origin};
pub use page::{PageArgs, RankArgs, StartArgs, TiesArgs};
pub use read::Stop;
pub use reading::{ColorArg, NamesArgs, Naming, OrderArg, Packing, Ranking, Reading};
pub use values::{
    Color, FormatName, ListFormatName, PAGE_SIZES, PageSize, Paging, ReadFrom, RowsFormatName, WatchMode,
};
pub use watching::{DemoArgs, Opening, WatchArgs, Watching};
pub use writing::{CloseArgs, ScoreArgs};

/// top for Redis leaderboards
///
/// Shows a sorted set live in the terminal, with ranks that are right, pages that lose nobody, and a banner that says
/// what moved while you were reading. Watching never writes.
#[derive(Debug, Parser)]
#[command(name = "ranktop", bin_name = "ranktop", version, max_term_width = 100)]
#[command(override_usage = "ranktop [OPTIONS] [BOARD]\n       ranktop <COMMAND> [OPTIONS]")]
#[command(after_help = "A board that is named like a command is watched with 'ranktop -- BOARD'.")]
pub struct Cli {
    /// What to do instead of watching.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What is watched without a command.
    #[command(flatten)]
    pub watch: WatchArgs,
    /// What has to do with no board.
    #[command(flatten)]
    pub general: General,
    /// Every lasting setting as it holds.
    #[arg(skip)]
    pub settings: Vec<Layers>,
    /// The arguments, as text that may be shown: escaped, and without passwords.
    #[arg(skip)]
    pub given: String,
}

/// The commands besides watching.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print one window of a board
    #[command(override_usage = "ranktop page [OPTIONS] <BOARD|--game GAME>")]
    Page(PageArgs),
    /// Print where members stand: position, rank, score, tie group
    ///
    /// One after another in the order asked, all read at one version where the board stands still for it. A member that
    /// is not on the board is said to be so, and the exit code is 3 once the others are printed. A member that begins
    /// with a dash goes after '--': 'ranktop rank BOARD -- -7'.
    #[command(override_usage = "ranktop rank [OPTIONS] <BOARD|--game GAME> <MEMBER>...")]
    Rank(RankArgs),
    /// Print tie groups: rank, score, size, first and last position
    ///
    /// Groups are of two members or more. Where members of a group have different ranks, as ordinal ones do, the rank is
    /// its first member's.
    #[command(override_usage = "ranktop ties [OPTIONS] <BOARD|--game GAME>")]
    Ties(TiesArgs),
    /// List the boards that are there: players, version, state, time to live, period
    ///
    /// Every sorted set is a board, but for keys that end like a companion's: ':version', ':meta', ':names'. The server is
    /// asked bit by bit and goes on with its other work; a board that comes or goes meanwhile may or may not be listed.
    Boards(BoardsArgs),
    /// Write every row of a frozen board
    ///
    /// A board is frozen where it is closed, or is a copy that 'ranktop freeze' made. Rows are read by cursor, 1000 at a
    /// time, and written as 'page' writes them. Standard error gets one line at the end: how many rows, of which version,
    /// and the SHA-256 of what was written.
    #[command(override_usage = "ranktop export [OPTIONS] <BOARD|--game GAME>")]
    Export(ExportArgs),
    /// Compare two boards, or two moments of one: who entered, left, changed in score, moved in rank
    ///
    /// Each board is read once, by pages. A bounded part of what differs is in memory, the rest in temporary files. The
    /// report says of each board whether all of it was read at one moment; only frozen boards are sure to be. The exit
    /// code is 0 where nothing differs, and 4 where something does or a board changed on the way.
    #[command(override_usage = "ranktop diff [OPTIONS] <BOARD|--game GAME> <OTHER|--to PERIOD>")]
    Diff(DiffArgs),
    /// Change a member's score and the board's version at one moment
    ///
    /// A member, or a board, that is not there yet is made. A closed board takes no score; a closing one takes it within
    /// its time of grace, and counts it as late. Prints the score before and after, the rank and the version. A member
    /// that begins with a dash goes after '--': 'ranktop score BOARD --by 1 -- -7'.
    #[command(override_usage = "ranktop score [OPTIONS] <--by <N>|--set <N>> <BOARD|--game GAME> <MEMBER>")]
    Score(ScoreArgs),
    /// End a board's period: no more scores, the last version, and how long its keys live
    ///
    /// With a time of grace the board is closing, and takes late scores for so long; then it takes none, and is closed by
    /// another 'ranktop close'. The keys are the board, its version and its meta hash; names outlive a period.
    #[command(override_usage = "ranktop close [OPTIONS] <BOARD|--game GAME>")]
    Close(CloseArgs),
    /// Copy a board with its version to a key of its own, and print that key
    ///
    /// The copy and its companions are made at one moment and kept for a while. The server does nothing else while it
    /// copies: one or two seconds for each million members. Freezing the same version again gives the same key.
    #[command(override_usage = "ranktop freeze [OPTIONS] <BOARD|--game GAME>")]
    Freeze(FreezeArgs),
    /// Walk a board page by page in every way there is, and check that paging keeps its promises
    ///
    /// Forward and backward, by cursor and by position, in pages of 1, 7, 50 and 1000 rows, each walk at most 10000 pages
    /// long; the board may be written meanwhile. Checked: each page goes strictly on from where the last one ended; nobody
    /// whose score stayed is repeated or missed; pages of one version are a full scan of that version; ranks and tie
    /// groups are what the rows around them say. By position, what moved is counted as repeated and skipped, and is no
    /// failure. The exit code is 4 where a check fails. Without --sample, scans of the whole board are held in memory:
    /// about 200 MB for each million members.
    #[command(override_usage = "ranktop audit [OPTIONS] <BOARD|--game GAME>")]
    Audit(AuditArgs),
    /// Write a simulated contest to a board
    ///
    /// Players, scores and names of its own, or with --into-existing those who are there; with newcomers, leavers, ties,
    /// bursts and a lead that changes hands. Writes that are due together are one transaction and one version. A closed
    /// board takes no score, and one that is closed meanwhile ends the contest: exit code 4. A server that is lost ends
    /// it, too: exit code 1. Where the server takes fewer writes than --rate, those it takes are made. Prints at the end
    /// how many writes were made at which rate, and the last version. Names that are there already are kept; a member
    /// whose score is infinite is left alone.
    #[command(override_usage = "ranktop simulate [OPTIONS] <BOARD|--game GAME>")]
    Simulate(SimulateArgs),
    /// Watch a simulated contest; needs nothing installed
    ///
    /// The contest is played on a private redis-server where PATH has one, else on a board in memory.
    Demo(DemoArgs),
    /// Print the settings that hold, each with where it comes from
    ///
    /// Options come first, then the environment, then the settings file, then what a board says of itself, then
    /// defaults. Passwords are not shown.
    Config(ConfigArgs),
    /// Print a shell's completions for ranktop
    ///
    /// For bash, in ~/.bashrc: eval "$(ranktop completions bash)".
    Completions(CompletionsArgs),
    /// Print the man page of ranktop, or of a command
    ///
    /// To read it: ranktop man | man -l -
    Man(ManArgs),
}
