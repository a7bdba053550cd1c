//! What is said about arguments that make no sense: one line that says what, one that says what to do. It also refuses
//! what the parser lets pass but nothing would heed, so that no option is quietly without effect.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command};

use crate::cli::{Connection, General, Reading, Watching};
use crate::config::nearest;
use crate::exit::{Exit, Failure};

/// Shared options that make sense where the board is a simulated contest.
const USEFUL_IN_DEMO: [&str; 6] = ["connect_timeout", "timeout", "order", "rank_style", "tz", "color"];

/// Shared options that say which board is meant or how its rows are read, where a list is of all boards and has no rows.
pub(super) const USELESS_IN_LIST: [&str; 9] =
    ["order", "rank_style", "names_key", "name_of", "game", "period", "tz", "board_key", "shards"];

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
pub(super) fn no_command(command: &Command, error: &clap::Error, arguments: &[OsString]) -> Option<Failure> {
    if !matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand) {
        return None;
    }
    let mut words = arguments.iter().skip(1).map(|word| word.to_string_lossy());
    let word = words.find(|word| !word.starts_with('-') && word != "help")?;
    let names: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
    let meant = nearest(&word, names.iter().copied()).filter(|meant| *meant != word)?;
    let message = format!("no command '{}'", word.escape_debug());
    Some(Failure::new(Exit::Usage, message).with_hint(format!("did you mean '{meant}'?")))
}

/// Refuses options that stand where nothing would heed them.
pub(super) fn misplaced(matches: &ArgMatches) -> Result<(), Failure> {
    let refusal = |message: String, hint: String| Err(Failure::new(Exit::Usage, message).with_hint(hint));
    let Some((command, of_command)) = matches.subcommand() else {
        let place = [("at", "--at"), ("find", "--find")].into_iter().find(|(id, _)| is_given(matches, id));
        return match place.filter(|_| !is_given(matches, "board") && !is_given(matches, "game")) {
            Some((_, option)) => refusal(
                format!("'{option}' is a place on a board, and no board was named"),
                format!("write 'ranktop BOARD {option} …', or leave it out and choose a board from the list"),
            ),
            None => Ok(()),
        };
    };
    if is_given(matches, "board") {
        return refusal(
            format!("a board before the command '{command}'"),
            format!("write 'ranktop {command} …'; a board named '{command}' is watched with 'ranktop -- {command}'"),
        );
    }
    let reading = options(&Reading::augment_args(Command::new("reading")));
    for (id, option) in options(&Watching::augment_args(Command::new("watching"))) {
        if is_given(matches, &id) {
            return refusal(
                format!("'{option}' before the command '{command}' belongs to watching"),
                format!("'ranktop {command} --help' lists what goes after '{command}'"),
            );
        }
    }
    if command == "completions" {
        let mut shared = options(&Connection::augment_args(Command::new("connecting")));
        shared.extend(reading.iter().cloned());
        shared.extend(options(&General::augment_args(Command::new("general"))));
        if let Some((_, option)) = shared.into_iter().find(|(id, _)| is_given(of_command, id)) {
            return refusal(format!("'{option}' is of no use to 'completions'"), "leave it out".into());
        }
    }
    let useless = useless_in_demo().into_iter().find(|(id, _)| command == "demo" && is_given(of_command, id));
    if let Some((_, option)) = useless {
        return refusal(
            format!("'{option}' is of no use to a demo, which brings its own board"),
            "leave it out, or watch a board with 'ranktop BOARD'".into(),
        );
    }
    let is_in_vain =
        |id: &String| command == "boards" && USELESS_IN_LIST.contains(&id.as_str()) && is_given(of_command, id);
    if let Some((_, option)) = reading.into_iter().find(|(id, _)| is_in_vain(id)) {
        return refusal(
            format!("'{option}' is of no use to a list of boards, which is of all of them and shows no rows"),
            "leave it out".into(),
        );
    }
    if command == "page" && is_given(of_command, "raw") {
        let format = of_command.get_one::<super::FormatName>("format");
        if format != Some(&super::FormatName::Csv) {
            return refusal("'--raw' is of use to CSV only".into(), "add '--format csv', or leave it out".into());
        }
    }
    if command == "export"
        && is_given(of_command, "raw")
        && of_command.get_one::<super::RowsFormatName>("format") != Some(&super::RowsFormatName::Csv)
    {
        return refusal("'--raw' is of use to CSV only".into(), "leave it out, or '--format ndjson'".into());
    }
    if command == "audit" && is_given(of_command, "rank_style") {
        return refusal(
            "'--rank-style' is of no use to an audit, which checks what every style is made of".into(),
            "leave it out".into(),
        );
    }
    for (of, id, option) in [
        ("score", "rank_style", "--rank-style"),
        ("score", "names_key", "--names-key"),
        ("score", "name_of", "--name-of"),
        ("close", "rank_style", "--rank-style"),
        ("close", "names_key", "--names-key"),
        ("close", "name_of", "--name-of"),
        ("close", "order", "--order"),
        ("simulate", "rank_style", "--rank-style"),
        ("simulate", "order", "--order"),
        ("score", "read_from", "--read-from"),
        ("close", "read_from", "--read-from"),
        ("freeze", "read_from", "--read-from"),
        ("simulate", "read_from", "--read-from"),
    ] {
        if command == of && is_given(of_command, id) {
            return refusal(format!("'{option}' is of no use to '{of}'"), "leave it out".into());
        }
    }
    Ok(())
}

/// Refuses to say more where nobody listens. A file of settings may name the log, so this is seen only with it.
pub(super) fn unheard(general: &General) -> Result<(), Failure> {
    if general.verbose == 0 || general.log_file.is_some() {
        return Ok(());
    }
    let hint = "name a file with '--log-file FILE': the screen shows nothing of a log";
    Err(Failure::new(Exit::Usage, "'-v' without a file to log to").with_hint(hint))
}

/// Identifiers and names of the options of how a board is reached and named: a demo brings its own.
pub(super) fn useless_in_demo() -> Vec<(String, String)> {
    let mut useless = options(&Connection::augment_args(Command::new("connecting")));
    useless.extend(options(&Reading::augment_args(Command::new("reading"))));
    useless.retain(|(id, _)| !USEFUL_IN_DEMO.contains(&id.as_str()));
    useless
}

/// Identifiers and names of the options in `command`.
fn options(command: &Command) -> Vec<(String, String)> {
    let named = |arg: &clap::Arg| Some((arg.get_id().to_string(), format!("--{}", arg.get_long()?)));
    command.get_arguments().filter_map(named).collect()
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
