//! The arguments that have to do with no board: the file of settings and the log.

use std::path::PathBuf;

use clap::Args;

// No doc comment: clap would take it for the description of every command that has these options.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings and log")]
#[expect(clippy::doc_markdown, reason = "help shows these texts as they are")]
pub struct General {
    /// Read settings from this file [default: RANKTOP_CONFIG, else ranktop/config.toml in XDG_CONFIG_HOME, else
    /// in ~/.config]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Append log messages to this file; the screen shows none of them
    #[arg(long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,
    /// Log more: -v the link and the means of reading, -vv each read, -vvv each frame
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
}
