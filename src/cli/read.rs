//! Reading the command line: once as it stands, for what it names and what makes no sense, and once more with what the
//! file of settings says for defaults. Which options there are is said elsewhere.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{CommandFactory, FromArgMatches};

use crate::cli::{Checks, Cli, board_arg, layers, validate};
use crate::config::{File, Places};
use crate::exit::Failure;

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
        let plain = command(&[]);
        let wrong = |error: clap::Error| {
            if !error.use_stderr() {
                return Stop::Help(error);
            }
            let meant = validate::no_command(&plain, &error, arguments);
            Stop::Wrong(meant.unwrap_or_else(|| validate::failure(&error)))
        };
        let given = plain.clone().try_get_matches_from(arguments).map_err(wrong)?;
        validate::misplaced(&given).map_err(Stop::Wrong)?;
        // A shell that starts must not be held up by a file that is none of its concern.
        let is_concerned = given.subcommand_name() != Some("completions");
        let asked = given.get_one::<PathBuf>("config").map(PathBuf::as_path);
        let file = if is_concerned { file(asked).map_err(Stop::Wrong)? } else { None };
        let defaults = match &file {
            Some(file) => layers::defaults(&plain, &given, file, &variable, checks).map_err(Stop::Wrong)?,
            None => Vec::new(),
        };
        let matches = command(&defaults).try_get_matches_from(arguments).map_err(wrong)?;
        let settings = layers::settled(&plain, &matches, file.as_ref(), &defaults, variable, checks);
        let given = layers::given(&plain, &matches, checks);
        let mut cli = Self { settings, given, ..Self::from_arg_matches(&matches).map_err(wrong)? };
        let is_given = |one: &layers::Layers| one.setting.key.starts_with("tls-") && one.origin == layers::Origin::Flag;
        cli.connection.is_tls_given = cli.settings.iter().any(is_given);
        validate::unheard(&cli.general).map_err(Stop::Wrong)?;
        board_arg::sort(&mut cli).map_err(Stop::Wrong)?;
        Ok(cli)
    }
}

/// The parser, whose help of a demo and of a list leaves out what [`validate::misplaced`] refuses there. `defaults` take the
/// place of its own.
pub(super) fn command(defaults: &[layers::Default<'_>]) -> clap::Command {
    let mut command = layers::with_defaults(Cli::command(), defaults);
    // Only this hands the shared options down to the commands.
    command.build();
    for (name, usage) in board_arg::USAGES {
        command = command.mut_subcommand(name, |one| one.override_usage(usage));
    }
    let useless = validate::useless_in_demo();
    let hide = |arg: clap::Arg, is_useless: bool| if is_useless { arg.hide(true) } else { arg };
    command
        .mut_subcommand("demo", |demo| {
            demo.mut_args(|arg| {
                let is_useless = useless.iter().any(|(id, _)| arg.get_id() == id);
                hide(arg, is_useless)
            })
        })
        .mut_subcommand("completions", |completions| {
            completions.mut_args(|arg| {
                let is_useless = !["shell", "help", "version"].contains(&arg.get_id().as_str());
                hide(arg, is_useless)
            })
        })
        .mut_subcommand("boards", |boards| {
            boards.mut_args(|arg| {
                let is_useless = validate::USELESS_IN_LIST.iter().any(|id| arg.get_id() == id);
                hide(arg, is_useless)
            })
        })
}
