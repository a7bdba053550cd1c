//! What is said about arguments that make no sense: one line that says what, one that says what to do. It also refuses
//! what the parser lets pass but nothing would heed, so that no option is quietly without effect.

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command};

use super::{Connection, Reading, Watching};
use crate::commands::exit::{Exit, Failure};

/// Shared options that make sense where the board is a simulated contest.
const USEFUL_IN_DEMO: [&str; 5] = ["connect_timeout", "timeout", "order", "rank_style", "color"];

/// Shared options that say how a board's rows are read, which a list of boards has none of.
pub(super) const USELESS_IN_LIST: [&str; 4] = ["order", "rank_style", "names_key", "name_of"];

/// The parser's words as one line and a hint. They may quote arguments, but never a password in a URL.
pub(super) fn failure(error: &clap::Error) -> Failure {
    let text = without_passwords(&error.render().to_string());
    // An argument that is quoted may hold anything, so what follows the first paragraph is known by its first word.
    let end = ["\n\n  tip:", "\n\nUsage:", "\n\nFor more"].iter().filter_map(|next| text.find(next)).min();
    let (what, rest) = text.split_at(end.unwrap_or(text.len()));
    let what: Vec<_> = what.trim_start_matches("error:").split_whitespace().collect();
    let mut lines = rest.lines().map(str::trim);
    let tip = lines.find_map(|line| line.strip_prefix("tip: "));
    let hint = match tip {
        Some(tip) => tip.to_owned(),
        None if error.kind() == ErrorKind::MissingRequiredArgument => {
            let usage = text.lines().find_map(|line| line.strip_prefix("Usage: ")).unwrap_or("ranktop --help");
            format!("{usage}; a board that is named like a command is watched with 'ranktop -- BOARD'")
        }
        None => "'--help' lists what there is".into(),
    };
    Failure::new(Exit::Usage, what.join(" ")).with_hint(hint)
}

/// Refuses options that stand where nothing would heed them.
pub(super) fn misplaced(matches: &ArgMatches) -> Result<(), Failure> {
    let Some((command, of_command)) = matches.subcommand() else { return Ok(()) };
    let refusal = |message: String, hint: String| Err(Failure::new(Exit::Usage, message).with_hint(hint));
    if is_given(matches, "board") {
        return refusal(
            format!("a board before the command '{command}'"),
            format!("write 'ranktop {command} …'; a board named '{command}' is watched with 'ranktop -- {command}'"),
        );
    }
    for (id, option) in options(&Watching::augment_args(Command::new("watching"))) {
        if is_given(matches, &id) {
            return refusal(
                format!("'{option}' before the command '{command}' belongs to watching"),
                format!("'ranktop {command} --help' lists what goes after '{command}'"),
            );
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
    let reading = options(&Reading::augment_args(Command::new("reading")));
    if let Some((_, option)) = reading.into_iter().find(|(id, _)| is_in_vain(id)) {
        return refusal(
            format!("'{option}' is of no use to a list of boards, which shows none of their rows"),
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
        ("score", "read_from", "--read-from"),
        ("close", "read_from", "--read-from"),
        ("freeze", "read_from", "--read-from"),
    ] {
        if command == of && is_given(of_command, id) {
            return refusal(format!("'{option}' is of no use to '{of}'"), "leave it out".into());
        }
    }
    Ok(())
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

/// `redis://user:secret@host` without `user:secret`, wherever it stands in `text`.
fn without_passwords(text: &str) -> String {
    let words: Vec<_> = text
        .split(' ')
        .map(|word| match (word.find("://"), word.rfind('@')) {
            (Some(scheme), Some(at)) if scheme < at => format!("{}://***{}", &word[..scheme], &word[at..]),
            _ => word.to_owned(),
        })
        .collect();
    words.join(" ")
}
