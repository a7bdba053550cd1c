//! The arguments that say how to reach Redis.

use std::path::PathBuf;
use std::time::Duration;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::values;
use super::values::ReadFrom;

/// How to reach Redis.
#[derive(Debug, Args)]
#[command(next_help_heading = "Connecting")]
#[expect(clippy::doc_markdown, reason = "help shows these texts as they are, to people who know no Markdown")]
pub struct Connection {
    /// Whether the arguments say something about TLS. It stands first, for the fields below take their options out of what
    /// was parsed.
    #[command(flatten)]
    pub tls_given: TlsGiven,
    /// Where Redis is: redis://, rediss:// or unix://; several sentinels, or nodes of a cluster, are as many options; a
    /// password in it can be read by everybody on this machine, one in a file or in RANKTOP_PASSWORD cannot [default:
    /// RANKTOP_URL, else REDIS_URL, each of which may hold several; else redis://127.0.0.1:6379]
    #[arg(short, long, value_name = "URL")]
    pub url: Vec<String>,
    /// The URLs are nodes of a Redis Cluster; the others are found from any of them
    #[arg(long)]
    pub cluster: bool,
    /// The URLs, with the logins in them, are those of sentinels that watch a primary of this name
    #[arg(long, value_name = "NAME", conflicts_with = "cluster")]
    pub sentinel: Option<String>,
    /// The user to log in as [default: the one in the URL]
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// Read the password from the first line of a file [default: the one in the URL, else RANKTOP_PASSWORD]
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Ask for the password on the terminal
    #[arg(long, conflicts_with = "password_file")]
    pub ask_password: bool,
    /// Trust the authorities whose certificates (PEM) are in a file [default: the system's, or SSL_CERT_FILE]
    #[arg(long, value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,
    /// Present this certificate (PEM) to the server
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The private key (PEM) of that certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Accept any certificate from the server, unchecked: anybody in between can read and change everything
    #[arg(long, conflicts_with = "tls_ca")]
    pub tls_insecure: bool,
    /// How long each step of connecting may take: finding the host, connecting, TLS, login
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = values::duration)]
    pub connect_timeout: Duration,
    /// How long to wait for an answer
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = values::duration)]
    pub timeout: Duration,
}

/// How to reach the servers that boards are read from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Connecting")]
pub struct ReadConnection {
    /// How to reach Redis.
    #[command(flatten)]
    pub connection: Connection,
    /// Read from the primary or from a replica
    #[arg(long, value_name = "ROLE", value_enum, default_value_t = ReadFrom::Primary)]
    pub read_from: ReadFrom,
}

/// Whether an argument says something about TLS. What only the file of settings says about it applies to the servers that
/// speak TLS, so that one file serves several servers.
#[derive(Clone, Copy, Debug)]
pub struct TlsGiven(pub bool);

impl Args for TlsGiven {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl FromArgMatches for TlsGiven {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        Ok(Self(["tls_ca", "tls_cert", "tls_key", "tls_insecure"].into_iter().any(is_given)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
