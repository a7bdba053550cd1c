//! What is said about arguments that make no sense: one line that says what, one that says what to do. It also refuses
//! what the parser lets pass but nothing would heed, so that no option is quietly without effect.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};

use crate::cli::{Cli, Command, FormatName, General, RowsFormatName, WatchArgs};
use crate::config::nearest;
use crate::exit::{Exit, Failure};

/// The parser's words as one line and a hint. They may quote arguments, but never a password in a URL.
pub(super) fn failure(error: &clap::Error) -> Failure {
    let text = without_passwords(&error.render().to_string());
    // An argument that is quoted may hold anything, so what follows the first paragraph is known by its first word.
    let end = ["\n\n  tip:", "\n\nUsage:", "\n\nFor more"].iter().filter_map(|next| text.find(next)).min();
    let (what, rest) = text.split_at(end.unwrap_or(text.len()));
    // A value's own error brings its hint as a second line, which stands last.
    let second = std::error::Error::source(error).map(ToString::to_string);
    let second = second.as_deref().and_then(|reason| reason.split_once('\n')).map(|(_, hint)| hint.trim());
    let what = second.and_then(|hint| what.trim_end().strip_suffix(hint)).unwrap_or(what);
    let what: Vec<_> = what.trim_start_matches("error:").split_whitespace().collect();
    let mut lines = rest.lines().map(str::trim);
    let tip = lines.find_map(|line| line.strip_prefix("tip: "));
    let hint = match tip {
        Some(tip) => tip.to_owned(),
        None if error.kind() == ErrorKind::MissingRequiredArgument => {
            let usage = text.lines().find_map(|line| line.strip_prefix("Usage: ")).unwrap_or("ranktop --help");
            format!("{usage}; a board that is named like a command is watched with 'ranktop -- BOARD'")
        }
        None => second.unwrap_or("'--help' lists what there is").into(),
    };
    Failure::new(Exit::Usage, what.join(" ")).with_hint(hint)
}

/// A word that is almost a command stands where a board does, and what follows it makes no sense there.
pub(super) fn no_command(command: &clap::Command, error: &clap::Error, arguments: &[OsString]) -> Option<Failure> {
    if !matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand) {
        return None;
    }
    let mut words = arguments.iter().skip(1).map(|word| word.to_string_lossy());
    let word = words.find(|word| !word.starts_with('-') && word != "help")?;
    // A word like no command is a board's name.
    let meant = nearest_command(command, &word)?;
    Some(unknown_command(&word).with_hint(did_you_mean(meant)))
}

/// There is no command `word`, which can be nothing else.
pub(super) fn no_such_command(command: &clap::Command, word: &str) -> Failure {
    let meant = nearest_command(command, word).map(did_you_mean);
    unknown_command(word).with_hint(meant.unwrap_or_else(|| "'ranktop --help' lists the commands".to_owned()))
}

fn nearest_command<'a>(command: &'a clap::Command, word: &str) -> Option<&'a str> {
    nearest(word, command.get_subcommands().map(clap::Command::get_name)).filter(|meant| *meant != word)
}

fn unknown_command(word: &str) -> Failure {
    Failure::new(Exit::Usage, format!("no command '{}'", word.escape_debug()))
}

fn did_you_mean(meant: &str) -> String {
    format!("did you mean '{meant}'?")
}

/// Refuses what stands before a command: options go after the command that they are for.
pub(super) fn before_command(root: &clap::Command, matches: &ArgMatches) -> Result<(), Failure> {
    let Some(name) = matches.subcommand_name() else { return Ok(()) };
    let given = root.get_arguments().find(|arg| is_given(matches, arg.get_id().as_str()));
    let Some(arg) = given else { return Ok(()) };
    let Some(option) = arg.get_long() else {
        return Err(Failure::new(Exit::Usage, format!("a board before the command '{name}'")).with_hint(format!(
            "write 'ranktop {name} …'; a board named '{name}' is watched with 'ranktop -- {name}'"
        )));
    };
    let is_its_own = root.find_subcommand(name).is_some_and(|command| has_option(command, option));
    let hint = if is_its_own {
        format!("options stand after the command: 'ranktop {name} … --{option}'")
    } else {
        format!("'ranktop {name} --help' lists its options")
    };
    Err(Failure::new(Exit::Usage, format!("'--{option}' before the command '{name}'")).with_hint(hint))
}

/// An option of another command: it is known, but has no effect here.
pub(super) fn no_effect(root: &clap::Command, error: &clap::Error) -> Option<Failure> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else { return None };
    let long = given.split_once('=').map_or(given.as_str(), |(option, _)| option).strip_prefix("--");
    let has = |command: &clap::Command| match long {
        Some(long) => has_option(command, long),
        None => given.strip_prefix('-').is_some_and(|short| {
            command.get_arguments().filter_map(Arg::get_short).any(|letter| short.starts_with(letter))
        }),
    };
    let having: Vec<_> = root.get_subcommands().filter(|command| has(command)).map(clap::Command::get_name).collect();
    let is_of_viewer = has(root);
    if having.is_empty() && !is_of_viewer {
        return None;
    }
    // The usage is that of the command that refused.
    let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
    let mut words = usage.split_whitespace().skip_while(|word| *word != "ranktop").skip(1);
    let here = words.next().filter(|word| root.find_subcommand(word).is_some());
    let help = here.map_or_else(|| "'ranktop --help'".to_owned(), |name| format!("'ranktop {name} --help'"));
    let here = here.map_or_else(|| "'ranktop BOARD'".to_owned(), |name| format!("'ranktop {name}'"));
    let option = long.map_or_else(|| given.clone(), |long| format!("--{long}"));
    let hint = match having.as_slice() {
        [] => format!("it is an option of 'ranktop BOARD'; {help} lists those of {here}"),
        [only] if !is_of_viewer => format!("it is an option of 'ranktop {only}'; {help} lists those of {here}"),
        _ => format!("leave it out; {help} lists the options of {here}"),
    };
    Some(Failure::new(Exit::Usage, format!("'{option}' has no effect with {here}")).with_hint(hint))
}

/// Refuses what the parser lets pass but nothing would heed: a place on no board, a form of CSV where there is no CSV.
pub(super) fn unheeded(cli: &Cli) -> Result<(), Failure> {
    let refusal = |message: String, hint: &str| Err(Failure::new(Exit::Usage, message).with_hint(hint));
    let raw = match &cli.command {
        Some(Command::Page(page)) => {
            (page.raw && page.format != FormatName::Csv).then_some("add '--format csv', or leave it out")
        }
        Some(Command::Diff(diff)) => {
            (diff.raw && diff.format != FormatName::Csv).then_some("add '--format csv', or leave it out")
        }
        Some(Command::Export(export)) => {
            (export.raw && export.format != RowsFormatName::Csv).then_some("leave out '--raw', or '--format ndjson'")
        }
        _ => None,
    };
    if let Some(hint) = raw {
        return refusal("'--raw' applies to CSV only".to_owned(), hint);
    }
    let WatchArgs { board, opening, reading, .. } = &cli.watch;
    let places = [(opening.at.is_some(), "--at"), (opening.find.is_some(), "--find")];
    let place = places.into_iter().find(|(is_given, _)| *is_given);
    match place.filter(|_| cli.command.is_none() && board.is_none() && reading.which.game.is_none()) {
        Some((_, option)) => refusal(
            format!("'{option}' is a place on a board, and no board was named"),
            &format!("write 'ranktop BOARD {option} …', or leave it out and choose a board from the list"),
        ),
        None => Ok(()),
    }
}

/// Refuses to say more where nobody listens. A file of settings may name the log, so this is seen only with it.
pub(super) fn unheard(general: &General) -> Result<(), Failure> {
    if general.verbose == 0 || general.log_file.is_some() {
        return Ok(());
    }
    let hint = "name a file with '--log-file FILE': the screen shows nothing of a log";
    Err(Failure::new(Exit::Usage, "'-v' without a file to log to").with_hint(hint))
}

fn has_option(command: &clap::Command, long: &str) -> bool {
    command.get_arguments().any(|arg| arg.get_long() == Some(long))
}

fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// `redis://user:secret@host` without `user:secret`, and `unix:///path?pass=secret` without what follows the question
/// mark, wherever they stand in `text`.
pub(super) fn without_passwords(text: &str) -> String {
    let words: Vec<_> = text
        .split(' ')
        .map(|word| match (word.find("://"), word.rfind('@'), word.find('?')) {
            (Some(scheme), Some(at), _) if scheme < at => format!("{}://***{}", &word[..scheme], &word[at..]),
            // A URL that has lost its beginning.
            (None, Some(at), _) if word[..at].contains(':') => format!("'***{}", &word[at..]),
            (Some(scheme), None, Some(query)) if scheme < query => format!("{}?***", &word[..query]),
            _ => word.to_owned(),
        })
        .collect();
    words.join(" ")
}
