//! Reading the command line: once as it stands, for what it names and what makes no sense, and once more with what the
//! file of settings says for defaults. Which options there are is said elsewhere.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches};

use crate::cli::{self, Checks, Cli, CompletionsArgs, General, ManArgs, layers, positional, validate};
use crate::config::{File, Places};
use crate::exit::{Exit, Failure};

/// Why there is nothing to run.
#[derive(Debug)]
pub enum Stop {
    /// Help or the version was asked for; [`clap::Error::print`] prints it to standard output.
    Help(clap::Error),
    /// The arguments make no sense.
    Wrong(Failure),
}

impl Cli {
    /// Reads the arguments, the program's name first, and nothing else.
    pub fn read<I>(arguments: I, checks: &Checks) -> Result<Self, Stop>
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        let arguments: Vec<_> = arguments.into_iter().map(Into::into).collect();
        Self::settle(&arguments, |_| Ok(None), |_| None, checks)
    }

    /// Reads the arguments, the program's name first, and what the environment and a file of settings say beside them.
    pub fn read_all<I>(arguments: I, checks: &Checks) -> Result<Self, Stop>
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        let arguments: Vec<_> = arguments.into_iter().map(Into::into).collect();
        let file = |asked: Option<&Path>| {
            let file = Places::from_env().read(asked);
            file.map_err(|error| layers::refusal(&error))
        };
        Self::settle(&arguments, file, |name| std::env::var_os(name), checks)
    }

    pub(super) fn settle(
        arguments: &[OsString],
        file: impl FnOnce(Option<&Path>) -> Result<Option<File>, Failure>,
        variable: impl Fn(&str) -> Option<OsString>,
        checks: &Checks,
    ) -> Result<Self, Stop> {
        let wrong = |error: clap::Error| {
            if !error.use_stderr() {
                return Stop::Help(error);
            }
            let root = command(&[]);
            let meant = validate::no_command(&root, &error, arguments).or_else(|| validate::no_effect(&root, &error));
            Stop::Wrong(meant.unwrap_or_else(|| validate::failure(&error)))
        };
        // Building all commands takes longer than a first page: only what the arguments name is built, and but once.
        let mut root = unbuilt(&[]);
        let mut given = root.try_get_matches_from_mut(arguments).map_err(wrong)?;
        validate::before_command(&root, &given).map_err(Stop::Wrong)?;
        let active = active(&root, &given);
        // A shell that starts must not be held up by a file that does not concern completions.
        let is_concerned = has_general(active);
        let asked =
            if is_concerned { of_active(&given).get_one::<PathBuf>("config").map(PathBuf::as_path) } else { None };
        let file = if is_concerned { file(asked).map_err(Stop::Wrong)? } else { None };
        let layers = layers::Reading { root: &root, active, variable: &variable, checks };
        let defaults = match &file {
            Some(file) => layers.defaults(of_active(&given), file).map_err(Stop::Wrong)?,
            None => Vec::new(),
        };
        if !defaults.is_empty() {
            given = unbuilt(&defaults).try_get_matches_from(arguments).map_err(wrong)?;
        }
        let matches = given;
        let mut cli = Self::from_arg_matches(&matches).map_err(wrong)?;
        let of_active = of_active(&matches);
        if is_concerned {
            cli.general = General::from_arg_matches(of_active).map_err(wrong)?;
        }
        cli.settings = layers.settled(of_active, file.as_ref(), &defaults);
        if let Some(file) = &file {
            cli.adopt_boards(file);
        }
        cli.given = layers::given(active, of_active, matches.subcommand_name(), checks);
        validate::unheeded(&cli).map_err(Stop::Wrong)?;
        validate::unheard(&cli.general).map_err(Stop::Wrong)?;
        positional::sort(&mut cli).map_err(Stop::Wrong)?;
        Ok(cli)
    }
}

impl Cli {
    /// Takes up what a file says of some boards, where arguments say nothing of all of them.
    fn adopt_boards(&mut self, file: &File) {
        let is_given =
            |key: &str| self.settings.iter().any(|one| one.setting.key == key && one.origin == layers::Origin::Flag);
        let is_outweighed = ["score", "member"].map(is_given);
        let Some(packing) = self.packing_mut() else { return };
        packing.boards.clone_from(&file.boards.scoring);
        for board in &mut packing.boards {
            board.spec.take_if(|_| is_outweighed[0]);
            board.member.take_if(|_| is_outweighed[1]);
        }
        self.settings.extend(layers::of_boards(file, is_outweighed));
    }

    /// How the command at hand reads scores, where it reads any.
    fn packing_mut(&mut self) -> Option<&mut cli::Packing> {
        Some(match &mut self.command {
            None => &mut self.watch.reading.packing,
            Some(cli::Command::Page(page)) => &mut page.reading.packing,
            Some(cli::Command::Rank(rank)) => &mut rank.reading.packing,
            Some(cli::Command::Ties(ties)) => &mut ties.packing,
            Some(cli::Command::Export(export)) => &mut export.reading.packing,
            Some(cli::Command::Audit(audit)) => &mut audit.packing,
            Some(cli::Command::Config(config)) => &mut config.packing,
            Some(_) => return None,
        })
    }
}

/// The command that the arguments are for.
fn active<'a>(root: &'a Command, matches: &ArgMatches) -> &'a Command {
    matches.subcommand_name().and_then(|name| root.find_subcommand(name)).unwrap_or(root)
}

/// What the arguments say to the command that they are for.
fn of_active(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, within)| within)
}

/// Whether a command reads settings.
fn has_general(command: &Command) -> bool {
    command.get_arguments().any(|arg| arg.get_id() == "config")
}

/// The parser with everything that it says of itself. `defaults` take the place of its own.
pub(super) fn command(defaults: &[layers::Default<'_>]) -> Command {
    let mut command = unbuilt(defaults);
    command.build();
    command
}

/// The parser, which builds what arguments name when it reads them.
fn unbuilt(defaults: &[layers::Default<'_>]) -> Command {
    let with_general = |command: Command| {
        // What prints a text about the program itself reads no settings.
        if NO_SETTINGS.contains(&command.get_name()) { command } else { General::augment_args(command) }
    };
    layers::with_defaults(Cli::command().mut_subcommands(with_general), defaults)
}

/// The commands that read no settings.
const NO_SETTINGS: [&str; 2] = ["completions", "man"];

impl CompletionsArgs {
    /// The shell's script, which completes every command and option there is.
    pub fn script(&self) -> Vec<u8> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command(&[]), "ranktop", &mut script);
        script
    }
}

impl ManArgs {
    /// The man page in the form that man reads.
    pub fn page(&self) -> Result<Vec<u8>, Failure> {
        let root = command(&[]);
        let of = match &self.of {
            None => &root,
            Some(name) => root.find_subcommand(name).ok_or_else(|| validate::no_such_command(&root, name))?,
        };
        let mut page = Vec::new();
        clap_mangen::Man::new(of.clone())
            .source(concat!("ranktop ", env!("CARGO_PKG_VERSION")))
            .render(&mut page)
            .map_err(|error| Failure::new(Exit::Failed, format!("cannot make the man page: {error}")))?;
        Ok(page)
    }
}
