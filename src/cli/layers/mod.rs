//! Which settings hold: arguments, then the environment, then the file of settings, then defaults. What the file says
//! takes the place of the options' defaults before the arguments are parsed, so that the options' own parsers check it.

#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::cli::validate;
use crate::config::{BoardLine, Entry, Fault, File, FileError, Kind, SETTINGS, Setting, in_two};
use crate::exit::{Exit, Failure};
use crate::text;
use crate::text::Charset;

/// A setting that holds, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Which.
    pub setting: &'static Setting,
    /// Of which boards, where it is not of all.
    pub boards: Option<String>,
    /// What it is, as text that may be shown: escaped, and without passwords. `None` where nothing sets it.
    pub values: Option<Vec<String>>,
    /// Where that comes from.
    pub origin: Origin,
}

/// Where a setting comes from, first what outweighs the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An argument.
    Flag,
    /// This variable of the environment.
    Environment(&'static str),
    /// The file of settings.
    File {
        /// Where it is.
        path: PathBuf,
        /// On which line.
        line: usize,
    },
    /// Nothing sets it.
    Default,
}

impl Layers {
    /// The setting as a file names it.
    pub fn name(&self) -> String {
        match &self.boards {
            Some(boards) => {
                format!("boards.\"{}\".{}", text::escape(boards.as_bytes(), Charset::Utf8), self.setting.key)
            }
            None => self.setting.key.to_owned(),
        }
    }

    /// What holds, as one text for people.
    pub fn text(&self) -> String {
        self.values.as_ref().map_or_else(|| self.setting.unset.to_owned(), |values| values.join(", "))
    }
}

/// What those who use a value know of it, beyond what the parser sees.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// Why a text is no address of a server, where it is none.
    pub url: fn(&str) -> Result<(), String>,
    /// The themes there are.
    pub themes: &'static [&'static str],
}

/// Settings that an address may say too.
const LOGIN: [&str; 2] = ["user", "password-file"];

/// What one line of the file says instead of an option's default.
#[derive(Debug)]
pub(super) struct Default<'a> {
    entry: &'a Entry,
    id: String,
}

/// The variable that outweighs the file for `setting`, and what it says. `variable` is the environment.
fn said(setting: &Setting, variable: impl Fn(&str) -> Option<OsString>) -> Option<(&'static str, OsString)> {
    setting.variables.iter().find_map(|of| {
        let text = variable(of.name).filter(|text| !text.is_empty())?;
        Some((of.name, of.says.map_or(text, OsString::from)))
    })
}

/// What the layers are read with.
pub(super) struct Reading<'a, V> {
    /// The whole command line, which has every setting as an option.
    pub(super) root: &'a Command,
    /// The command that the arguments are for, which has the settings that it uses.
    pub(super) active: &'a Command,
    /// The environment.
    pub(super) variable: &'a V,
    pub(super) checks: &'a Checks,
}

impl<V: Fn(&str) -> Option<OsString>> Reading<'_, V> {
    /// The lines of `file` that hold beside the arguments `given`, once all of them are checked.
    pub(super) fn defaults<'a>(&self, given: &ArgMatches, file: &'a File) -> Result<Vec<Default<'a>>, Failure> {
        let refused = |fault: Fault| refusal(&FileError::Faulty { path: file.path.clone(), fault });
        for (index, entry) in file.entries.iter().enumerate() {
            let Some(arg) = option(self.root, entry.setting) else { continue };
            check(arg, entry, self.checks).map_err(refused)?;
            for other in &file.entries[..index] {
                if option(self.root, other.setting).is_some_and(|other| exclude(self.root, arg, other)) {
                    let (key, other, line) = (entry.setting.key, other.setting.key, other.line);
                    return Err(refused(Fault {
                        line: entry.line,
                        what: format!("'{key}' cannot stand beside '{other}' of line {line}"),
                        hint: "leave one of them out".to_owned(),
                    }));
                }
            }
        }
        let has_login = self.is_login_named(given);
        let is_given = |arg: &&Arg| given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
        let holds = |entry: &'a Entry| {
            let arg = option(self.active, entry.setting)?;
            let mut given = self.active.get_arguments().filter(is_given);
            let is_outweighed = given.any(|other| exclude(self.active, arg, other))
                || said(entry.setting, self.variable).is_some()
                || has_login && LOGIN.contains(&entry.setting.key);
            (!is_outweighed).then(|| Default { entry, id: arg.get_id().to_string() })
        };
        Ok(file.entries.iter().filter_map(holds).collect())
    }

    /// Whether arguments or the environment give an address that says who logs in. That login is not the file's.
    fn is_login_named(&self, given: &ArgMatches) -> bool {
        let addresses = SETTINGS.iter().filter(|setting| setting.kind == Kind::Address).flat_map(|setting| {
            let id = option(self.active, setting).map(|arg| arg.get_id().as_str());
            let flags = id.filter(|id| given.value_source(id) == Some(ValueSource::CommandLine));
            match flags.and_then(|id| given.get_raw(id)) {
                Some(values) => values.map(OsStr::to_owned).collect(),
                None => said(setting, self.variable).map(|(_, text)| text).into_iter().collect::<Vec<_>>(),
            }
        });
        addresses.into_iter().any(|address| {
            let address = address.to_string_lossy();
            without_login(&address, self.checks) != address
        })
    }

    /// The settings that the command uses, as they hold with the arguments `given` and what the file says beside them.
    pub(super) fn settled(&self, given: &ArgMatches, file: Option<&File>, defaults: &[Default<'_>]) -> Vec<Layers> {
        let settle = |setting: &'static Setting| {
            let id = option(self.active, setting)?.get_id().as_str();
            let origin = if given.value_source(id) == Some(ValueSource::CommandLine) {
                Origin::Flag
            } else if let Some((name, text)) = said(setting, self.variable) {
                let values = Some(vec![shown(setting, &text, self.checks)]);
                return Some(Layers { setting, boards: None, values, origin: Origin::Environment(name) });
            } else if let Some((default, file)) = defaults.iter().find(|default| default.id == id).zip(file) {
                Origin::File { path: file.path.clone(), line: default.entry.line }
            } else {
                Origin::Default
            };
            let values =
                given.get_raw(id).map(|values| values.map(|value| shown(setting, value, self.checks)).collect());
            Some(Layers { setting, boards: None, values, origin })
        };
        SETTINGS.iter().filter_map(settle).collect()
    }
}

/// Says why a file of settings cannot be used.
pub(super) fn refusal(error: &FileError) -> Failure {
    let failure = Failure::new(Exit::Usage, error.to_string());
    match error {
        FileError::Faulty { fault, .. } => failure.with_hint(fault.hint.clone()),
        FileError::Unreadable { .. } => {
            failure.with_hint("the file is named by --config or RANKTOP_CONFIG, or is in its usual place")
        }
    }
}

/// `command`, which is not built yet, with what the file says for its defaults, also in the commands within.
pub(super) fn with_defaults(command: Command, defaults: &[Default<'_>]) -> Command {
    let fill = |command: Command| {
        defaults.iter().fold(command, |command, default| {
            let has = command.get_arguments().any(|arg| arg.get_id() == default.id.as_str());
            let fill = |arg: Arg| arg.default_values(default.entry.values.clone());
            if has { command.mut_arg(default.id.clone(), fill) } else { command }
        })
    };
    fill(command.mut_subcommands(fill))
}

/// The settings of some boards, less the scores and the members that arguments say of all of them.
pub(super) fn of_boards(file: &File, [is_score_given, is_member_given]: [bool; 2]) -> Vec<Layers> {
    let is_outweighed = |key: &str| key == "score" && is_score_given || key == "member" && is_member_given;
    let of = |line: &BoardLine| {
        let setting = SETTINGS.iter().find(|setting| setting.key == line.key && !is_outweighed(&line.key))?;
        Some(Layers {
            setting,
            boards: Some(line.boards.clone()),
            values: Some(vec![text::escape(line.value.as_bytes(), Charset::Utf8)]),
            origin: Origin::File { path: file.path.clone(), line: line.line },
        })
    };
    file.boards.lines.iter().filter_map(of).collect()
}

/// The arguments that were given, one after another: their names and values, after the command's `name`.
pub(super) fn given(command: &Command, matches: &ArgMatches, name: Option<&str>, checks: &Checks) -> String {
    let mut words: Vec<_> = name.map(str::to_owned).into_iter().collect();
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let values = matches.get_raw(id).into_iter().flatten().map(|value| {
            let value = text::escape(value.as_encoded_bytes(), Charset::Utf8);
            if arg.get_long() == Some("url") {
                without_login(&value, checks)
            } else {
                validate::without_passwords(&value)
            }
        });
        words.push(format!("{id}={}", values.collect::<Vec<_>>().join(",")));
    }
    words.join(" ")
}

fn option<'a>(command: &'a Command, setting: &Setting) -> Option<&'a Arg> {
    command.get_arguments().find(|arg| arg.get_long() == Some(setting.key))
}

fn exclude(command: &Command, one: &Arg, other: &Arg) -> bool {
    let excludes = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|conflicting| conflicting.get_id() == other.get_id())
    };
    excludes(one, other) || excludes(other, one)
}

/// Has the option's own parser look at what the file says.
fn check(arg: &Arg, entry: &Entry, checks: &Checks) -> Result<(), Fault> {
    let key = entry.setting.key;
    let fault = |what: String, hint: Option<String>| Fault {
        line: entry.line,
        what,
        hint: hint.unwrap_or_else(|| format!("'ranktop --help' says what --{key} takes")),
    };
    let takes_many = matches!(arg.get_action(), ArgAction::Append);
    if entry.values.len() > 1 && !takes_many {
        return Err(fault(format!("'{key}' is one text, and this is a list of {}", entry.values.len()), None));
    }
    if entry.setting.kind == Kind::Flag {
        return Ok(());
    }
    // Alone, so that nothing but the value can be wrong.
    let alone = Arg::new(arg.get_id().clone()).long(key).action(arg.get_action().clone());
    let alone = alone.value_parser(arg.get_value_parser().clone());
    let alone = Command::new("ranktop").no_binary_name(true).disable_help_flag(true).arg(alone);
    for value in &entry.values {
        let parsed = alone.clone().try_get_matches_from([format!("--{key}={value}")]);
        let (cause, hint) = match parsed {
            Err(error) => cause(&error),
            Ok(_) => match checked_in_use(key, value, checks) {
                Err(wrong) => wrong,
                Ok(()) => continue,
            },
        };
        let what = if entry.setting.kind == Kind::Address {
            format!("'{key}': {cause}")
        } else {
            format!("'{key}' cannot be '{value}': {cause}")
        };
        return Err(fault(what, hint));
    }
    Ok(())
}

/// What the parser said of a value, and what to do about it where it said that too.
fn cause(error: &clap::Error) -> (String, Option<String>) {
    if let Some(source) = std::error::Error::source(error) {
        return in_two(&source.to_string());
    }
    if let Some(ContextValue::Strings(known)) = error.get(ContextKind::ValidValue)
        && !known.is_empty()
    {
        return (format!("there are {}", known.join(", ")), None);
    }
    let failure = validate::failure(error);
    (failure.message, failure.hint)
}

/// What is looked at only where the value is used, beyond what the parser sees.
fn checked_in_use(key: &str, value: &str, checks: &Checks) -> Result<(), (String, Option<String>)> {
    match key {
        "url" => (checks.url)(value).map_err(|what| (what, None)),
        "theme" if !Kind::NameOrPath.is_path(value) && !checks.themes.contains(&value) => {
            let known = checks.themes.join(", ");
            Err(("there is no theme of this name".to_owned(), Some(format!("there are {known}, or name a file"))))
        }
        _ => Ok(()),
    }
}

fn shown(setting: &Setting, value: &OsStr, checks: &Checks) -> String {
    let value = text::escape(value.as_encoded_bytes(), Charset::Utf8);
    if setting.kind == Kind::Address { without_login(&value, checks) } else { value }
}

/// An address without whatever may be a password: what stands before `@`, and parameters. Where the address is none, a
/// password may stand anywhere in it.
pub(super) fn without_login(address: &str, checks: &Checks) -> String {
    if (checks.url)(address).is_err() {
        return "***".to_owned();
    }
    let Some((scheme, rest)) = address.split_once("://") else { return "***".to_owned() };
    let place = rest.rsplit_once('@').map_or_else(|| rest.to_owned(), |(_, place)| format!("***@{place}"));
    match place.split_once(['?', '#']) {
        Some((place, _)) => format!("{scheme}://{place}?***"),
        None => format!("{scheme}://{place}"),
    }
}
