//! The command line: which commands and options there are, their help, and what is said where they are used wrongly.
//! It reads the arguments and the lasting settings that stand behind them, and does nothing about them.

mod board_arg;
mod boards;
mod bulk;
mod config_args;
mod contest;
mod layers;
mod read;
#[cfg(test)]
mod tests;
mod validate;
mod values;
mod writing;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::board::names::NamesLocation;
use crate::board::order::Order;
use crate::board::packed::member::MemberSpec;
use crate::board::packed::scoring::ScoringOptions;
use crate::board::packed::{RankParts, Spec};
use crate::board::rank::RankStyle;
use crate::board::template::DEFAULT_NAMES;

pub use board_arg::{PeriodChoice, Which};
pub use boards::BoardsArgs;
pub use bulk::{AuditArgs, ExportArgs, FreezeArgs};
pub use config_args::{CompletionsArgs, ConfigArgs};
pub use contest::{ContestArgs, SimulateArgs};
pub use layers::{Checks, Layers, Origin};
pub use read::Stop;
pub use values::{
    Color, FormatName, ListFormatName, PAGE_SIZES, PageSize, Paging, ReadFrom, RowsFormatName, WatchMode,
};
pub use writing::{CloseArgs, ScoreArgs};

/// top for Redis leaderboards
///
/// Shows a sorted set live in the terminal, with ranks that are right, pages that lose nobody, and a banner that says
/// what moved while you were reading. Watching never writes.
#[derive(Debug, Parser)]
#[command(name = "ranktop", bin_name = "ranktop", version, max_term_width = 100)]
#[command(override_usage = "ranktop [OPTIONS] [BOARD]\n       ranktop [OPTIONS] <COMMAND>")]
#[command(after_help = "A board that is named like a command is watched with 'ranktop -- BOARD'.")]
pub struct Cli {
    /// What to do instead of watching.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The board to watch: the key of a sorted set [default: choose one from the list of boards]
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: Connection,
    /// How a board is read.
    #[command(flatten)]
    pub reading: Reading,
    /// How a board is watched.
    #[command(flatten)]
    pub watching: Watching,
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
    Page(PageArgs),
    /// Print where members stand: position, rank, score, tie group
    ///
    /// One after another in the order asked, all read at one version where the board stands still for it. A member that
    /// is not on the board is said to be so, and the exit code is 3 once the others are printed. A member that begins
    /// with a dash goes after '--': 'ranktop rank BOARD -- -7'.
    Rank(RankArgs),
    /// Print tie groups: rank, score, size, first and last position
    ///
    /// Groups are of two members or more. Where members of a group have different ranks, as ordinal ones do, the rank is
    /// its first member's.
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
    Export(ExportArgs),
    /// Change a member's score and the board's version at one moment
    ///
    /// A member, or a board, that is not there yet is made. A closed board takes no score; a closing one takes it within
    /// its time of grace, and counts it as late. Prints the score before and after, the rank and the version. A member
    /// that begins with a dash goes after '--': 'ranktop score BOARD --by 1 -- -7'.
    Score(ScoreArgs),
    /// End a board's period: no more scores, the last version, and how long its keys live
    ///
    /// With a time of grace the board is closing, and takes late scores for so long; then it takes none, and is closed by
    /// another 'ranktop close'. The keys are the board, its version and its meta hash; names outlive a period.
    Close(CloseArgs),
    /// Copy a board with its version to a key of its own, and print that key
    ///
    /// The copy and its companions are made at one moment and kept for a while. The server does nothing else while it
    /// copies: one or two seconds for each million members. Freezing the same version again gives the same key.
    Freeze(FreezeArgs),
    /// Walk a board page by page in every way there is, and check that paging keeps its promises
    ///
    /// Forward and backward, by cursor and by position, in pages of 1, 7, 50 and 1000 rows, each walk at most 10000 pages
    /// long; the board may be written meanwhile. Checked: each page goes strictly on from where the last one ended; nobody
    /// whose score stayed is repeated or missed; pages of one version are a full scan of that version; ranks and tie
    /// groups are what the rows around them say. By position, what moved is counted as repeated and skipped, and is no
    /// failure. The exit code is 4 where a check fails. Without --sample, scans of the whole board are held in memory:
    /// about 200 MB for each million members.
    Audit(AuditArgs),
    /// Write a simulated contest to a board
    ///
    /// Players, scores and names of its own, or with --into-existing those who are there; with newcomers, leavers, ties,
    /// bursts and a lead that changes hands. Writes that are due together are one transaction and one version. A closed
    /// board takes no score, and one that is closed meanwhile ends the contest: exit code 4. A server that is lost ends
    /// it, too: exit code 1. Where the server takes fewer writes than --rate, those it takes are made. Prints at the end
    /// how many writes were made at which rate, and the last version. Names that are there already are kept; a member
    /// whose score is infinite is left alone.
    Simulate(SimulateArgs),
    /// Watch a simulated contest; needs nothing installed
    ///
    /// The contest is played on a private redis-server where PATH has one, else on a board in memory.
    Demo(DemoArgs),
    /// Print the settings that hold, each with where it comes from
    ///
    /// Options outweigh the environment, which outweighs the file of settings, which outweighs what a board says of
    /// itself, which outweighs defaults. Passwords are not shown.
    Config(ConfigArgs),
    /// Print a shell's completions for ranktop
    ///
    /// For bash, in ~/.bashrc: eval "$(ranktop completions bash)".
    Completions(CompletionsArgs),
}

/// How to reach Redis.
#[derive(Debug, Args)]
#[command(next_help_heading = "Connecting")]
#[expect(clippy::struct_excessive_bools, reason = "options that are on or off")]
#[expect(clippy::doc_markdown, reason = "help shows these texts as they are, to people who know no Markdown")]
pub struct Connection {
    /// Where Redis is: redis://, rediss:// or unix://; several sentinels, or nodes of a cluster, are as many options; a
    /// password in it can be read by everybody on this machine, one in a file or in RANKTOP_PASSWORD cannot [default:
    /// RANKTOP_URL, else REDIS_URL, each of which may hold several; else redis://127.0.0.1:6379]
    #[arg(short, long, value_name = "URL", global = true)]
    pub url: Vec<String>,
    /// The URLs are nodes of a Redis Cluster; the others are found from any of them
    #[arg(long, global = true)]
    pub cluster: bool,
    /// The URLs, with the logins in them, are those of sentinels that watch a primary of this name
    #[arg(long, value_name = "NAME", global = true, conflicts_with = "cluster")]
    pub sentinel: Option<String>,
    /// Which of the servers with the same data is read
    #[arg(long, value_name = "ROLE", global = true, value_enum, default_value_t = ReadFrom::Primary)]
    pub read_from: ReadFrom,
    /// The user to log in as [default: the one in the URL]
    #[arg(long, value_name = "NAME", global = true)]
    pub user: Option<String>,
    /// Read the password from the first line of a file [default: the one in the URL, else RANKTOP_PASSWORD]
    #[arg(long, value_name = "FILE", global = true)]
    pub password_file: Option<PathBuf>,
    /// Ask for the password on the terminal
    #[arg(long, global = true, conflicts_with = "password_file")]
    pub ask_password: bool,
    /// Trust the authorities whose certificates (PEM) are in a file [default: the system's, or SSL_CERT_FILE]
    #[arg(long, value_name = "FILE", global = true)]
    pub tls_ca: Option<PathBuf>,
    /// Show the server the certificate (PEM) in a file
    #[arg(long, value_name = "FILE", global = true, requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The private key (PEM) of that certificate
    #[arg(long, value_name = "FILE", global = true, requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Take whatever certificate the server shows: anybody in between can read and change everything
    #[arg(long, global = true, conflicts_with = "tls_ca")]
    pub tls_insecure: bool,
    /// Whether an argument says something of TLS: what only the file of settings says is for the servers that it is of use
    /// to.
    #[arg(skip)]
    pub is_tls_given: bool,
    /// How long each step to a connection may take: finding the host, connecting, TLS, login
    #[arg(long, value_name = "TIME", global = true, default_value = "2s", value_parser = values::duration)]
    pub connect_timeout: Duration,
    /// How long to wait for an answer
    #[arg(long, value_name = "TIME", global = true, default_value = "1s", value_parser = values::duration)]
    pub timeout: Duration,
}

/// How a board is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
#[allow(rustdoc::invalid_html_tags, reason = "help shows <member> as it is written in templates")]
pub struct Reading {
    /// Which end is the top: desc (high score first) or asc (low first) [default: what the board says, else desc]
    #[arg(long, value_name = "ORDER", global = true)]
    pub order: Option<Order>,
    /// How equal scores share ranks, on 30 20 20 10: competition 1 2 2 4, modified 1 3 3 4, dense 1 2 2 3, ordinal
    /// 1 2 3 4, fractional 1 2.5 2.5 4 [default: what the board says, else competition]
    #[arg(long, value_name = "STYLE", global = true)]
    pub rank_style: Option<RankStyle>,
    /// How a score is packed, such as points,time:10=9999999999-s: a lead, then parts in lower digits (,) or in the fraction
    /// (.); docs/packed-scores.md has the notation by examples [default: what the board says, else as it is]
    #[arg(long, value_name = "SPEC", global = true)]
    pub score: Option<Spec>,
    /// How many leading parts of a packed score count for ranks and ties: 1 or more, or all
    #[arg(long, value_name = "N", global = true, default_value_t)]
    pub rank_parts: RankParts,
    /// How a member is packed, such as 'time:10=5000000000-s ":" id': the id goes by itself for names and searches
    #[arg(long = "member", value_name = "SPEC", global = true)]
    pub member_spec: Option<MemberSpec>,
    /// Where the board's version is
    #[arg(long, value_name = "TEMPLATE", global = true, default_value = "<board>:version")]
    pub version_key: String,
    /// Where the board's meta hash is
    #[arg(long, value_name = "TEMPLATE", global = true, default_value = "<board>:meta")]
    pub meta_key: String,
    /// Where the hash of names is; <base> is the board's key without its period, <key/scores/users> the key with one word
    /// replaced; a path after # finds the name in JSON, as in '<board>:users#name'
    #[arg(long, value_name = "TEMPLATE", global = true, default_value = "<base>:names")]
    pub names_key: String,
    /// Where names are, if each member has its own key: hash:user:<member>:name or string:user:<member>; with a path,
    /// string:user:<member>#user.name or hash:user:<member>#firstName+lastName
    #[arg(long, value_name = "WHERE", global = true, conflicts_with = "names_key")]
    pub name_of: Option<NamesLocation>,
    /// Look for names only where they were named; else a few likely keys are looked at where there are none
    #[arg(long, global = true)]
    pub no_probe: bool,
    /// Which game's board.
    #[command(flatten)]
    pub which: Which,
    /// When to use colours
    #[arg(long, value_name = "WHEN", global = true, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

impl Reading {
    /// Whether names are looked for where they usually are not.
    pub fn is_probing(&self) -> bool {
        !self.no_probe && self.name_of.is_none() && self.names_key == DEFAULT_NAMES
    }

    /// How scores and members are packed.
    pub fn scoring(&self) -> ScoringOptions {
        ScoringOptions {
            spec: self.score.clone(),
            parts: self.rank_parts,
            member: self.member_spec.clone().map(Into::into),
        }
    }
}

/// How a board is watched.
#[derive(Debug, Args)]
#[command(next_help_heading = "Watching")]
pub struct Watching {
    /// How often the board is looked at
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = values::duration)]
    pub interval: Duration,
    /// How changes are noticed
    #[arg(long, value_name = "MODE", value_enum, default_value_t = WatchMode::Auto)]
    pub watch: WatchMode,
    /// Rows of a page: fit (as the screen has room for) or 1 to 1000
    #[arg(long, value_name = "N", default_value = "fit", value_parser = values::page_size)]
    pub page_size: PageSize,
    /// How pages are turned
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Paging::Cursor)]
    pub paging: Paging,
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
    /// Colours: default, light, mono, or the file of a theme
    #[arg(long, value_name = "NAME|FILE")]
    pub theme: Option<String>,
    /// Draw with ASCII alone
    #[arg(long)]
    pub ascii: bool,
    /// Leave the mouse to the terminal: no scrolling by its wheel, no selecting by a click
    #[arg(long)]
    pub no_mouse: bool,
}

/// What has to do with no board.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings and log")]
#[expect(clippy::doc_markdown, reason = "help shows these texts as they are")]
pub struct General {
    /// Read lasting settings from this file [default: RANKTOP_CONFIG, else ranktop/config.toml in XDG_CONFIG_HOME, else
    /// in ~/.config]
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
    /// Append to this file what goes wrong; the screen shows nothing of it
    #[arg(long, value_name = "FILE", global = true)]
    pub log_file: Option<PathBuf>,
    /// Log more: -v the link and the means of reading, -vv each read, -vvv each frame
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
}

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
    /// Print nothing and exit with 4 where the board is at another version
    #[arg(long, value_name = "VERSION", allow_hyphen_values = true)]
    pub expect_version: Option<OsString>,
    /// In which form the page is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = FormatName::Table)]
    pub format: FormatName,
    /// In CSV, leave texts that a spreadsheet would run as a formula as they are
    #[arg(long)]
    pub raw: bool,
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
    /// Put this member in the middle
    #[arg(long, value_name = "MEMBER", allow_hyphen_values = true)]
    pub around: Option<OsString>,
}

/// `ranktop rank`.
#[derive(Debug, Args)]
pub struct RankArgs {
    /// The board: the key of a sorted set
    #[arg(value_name = "BOARD")]
    pub board: Option<OsString>,
    /// Who is looked for
    #[arg(value_name = "MEMBER")]
    pub members: Vec<OsString>,
    /// Print up to N neighbours on either side of each member too, at most 499; in JSON these rows, the member's own
    /// among them, are its 'around', each as in 'page'
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_NEIGHBOURS))]
    pub around: Option<u64>,
    /// In which form they are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ListFormatName::Table)]
    pub format: ListFormatName,
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
    /// In which form they are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ListFormatName::Table)]
    pub format: ListFormatName,
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
    /// How the contest is watched.
    #[command(flatten)]
    pub watching: Watching,
}
