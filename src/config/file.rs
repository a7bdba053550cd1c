//! The text of a file of settings, taken apart: which settings, what is said of each, on which line. It knows what kind
//! of value a setting takes, and not which values make sense.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::boards::BOARDS;
use super::{Fault, Kind, SETTINGS, Setting, nearest};

/// One setting in a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which.
    pub setting: &'static Setting,
    /// On which line, from 1.
    pub line: usize,
    /// What is said, as it would stand on the command line; more than one value only of a list.
    pub values: Vec<String>,
}

/// Keys that somebody may expect to work, and what to do instead.
const REFUSED: [(&str, &str); 3] = [
    ("password", "write it to a file of its own that nobody else may read, and name that with 'password-file'"),
    ("at", "it is no lasting setting: give it as --at"),
    ("find", "it is no lasting setting: give it as --find"),
];

/// Takes `text` apart. Paths are made full by `resolve`.
pub fn parse(text: &str, resolve: impl Fn(&str) -> String) -> Result<Vec<Entry>, Fault> {
    let table = DeTable::parse(text).map_err(|error| Fault {
        line: line_of(text, error.span().map_or(0, |span| span.start)),
        what: format!("it is no TOML: {}", error.message()),
        hint: "a setting is written as in: interval = \"500ms\"".to_owned(),
    })?;
    let mut entries = Vec::new();
    // From the top down, so that the first fault is the one that is told.
    let mut said: Vec<_> = table.get_ref().iter().filter(|(key, _)| key.get_ref() != BOARDS).collect();
    said.sort_by_key(|(key, _)| key.span().start);
    for (key, value) in said {
        let line = line_of(text, key.span().start);
        let setting = known(key.get_ref(), line)?;
        let values = values(setting, value).map_err(|needed| Fault {
            line,
            what: format!("'{}' {needed}, and this is {}", setting.key, kind_of(value.get_ref())),
            hint: format!("write it as in: {} = {}", setting.key, example(setting.kind)),
        })?;
        let full = |value: String| if setting.kind.is_path(&value) { resolve(&value) } else { value };
        entries.push(Entry { setting, line, values: values.into_iter().map(full).collect() });
    }
    Ok(entries)
}

fn known(key: &str, line: usize) -> Result<&'static Setting, Fault> {
    if let Some(setting) = SETTINGS.iter().find(|setting| setting.key == key) {
        return Ok(setting);
    }
    if let Some((_, hint)) = REFUSED.iter().find(|(refused, _)| *refused == key) {
        return Err(Fault { line, what: format!("'{key}' may not stand in a file of settings"), hint: (*hint).into() });
    }
    let keys = || SETTINGS.iter().map(|setting| setting.key);
    let hint = match nearest(key, keys()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("there are {}", keys().collect::<Vec<_>>().join(", ")),
    };
    Err(Fault { line, what: format!("there is no setting '{key}'"), hint })
}

/// The values as texts; else what is needed.
fn values(setting: &Setting, value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, &'static str> {
    let one = |text: String| Ok(vec![text]);
    match (setting.kind, value.get_ref()) {
        (Kind::Flag, DeValue::Boolean(is_set)) => one(is_set.to_string()),
        (Kind::Flag, _) => Err("must be true or false"),
        (_, DeValue::String(text)) => one(text.clone().into_owned()),
        (Kind::TextOrNumber, DeValue::Integer(number)) => match i128::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => one(number.to_string()),
            Err(_) => Err("must be a smaller number"),
        },
        (Kind::TextOrNumber, _) => Err("must be a text or a whole number"),
        (Kind::Address, DeValue::Array(list)) if !list.is_empty() => {
            let texts = list.iter().map(|value| match value.get_ref() {
                DeValue::String(text) => Ok(text.clone().into_owned()),
                _ => Err("must be a text or a list of texts"),
            });
            texts.collect()
        }
        (Kind::Address, _) => Err("must be a text or a list of texts"),
        _ => Err("must be a text"),
    }
}

fn example(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "\"…\", in quotes",
        Kind::Address => "\"redis://127.0.0.1:6379\"",
        Kind::TextOrNumber => "\"fit\", or a number without quotes",
        Kind::Path => "\"/path/of/file\"",
        Kind::NameOrPath => "\"default\", or the path of a file",
        Kind::Flag => "true",
    }
}

pub(super) fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a number",
        DeValue::Float(_) => "a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Vec<(usize, &'static str, Vec<String>)> {
        let entries = parse(text, |path| format!("full:{path}")).unwrap();
        entries.into_iter().map(|entry| (entry.line, entry.setting.key, entry.values)).collect()
    }

    #[test]
    fn every_kind_of_value() {
        let one = |text: &str| vec![text.to_owned()];
        for (text, found) in [
            ("", vec![]),
            ("# order = 3\n\n", vec![]),
            ("order = 'asc'", vec![(1, "order", one("asc"))]),
            ("# a\nascii = true\n\n\"user\" = \"ö\"", vec![(2, "ascii", one("true")), (4, "user", one("ö"))]),
            ("page-size = 4_0", vec![(1, "page-size", one("40"))]),
            ("page-size = 0x1f", vec![(1, "page-size", one("31"))]),
            ("page-size = 'fit'", vec![(1, "page-size", one("fit"))]),
            ("url = ['a', 'b']", vec![(1, "url", vec!["a".to_owned(), "b".to_owned()])]),
            ("password-file = 'p'", vec![(1, "password-file", one("full:p"))]),
            ("theme = 'light'", vec![(1, "theme", one("light"))]),
            ("theme = 'my.toml'", vec![(1, "theme", one("full:my.toml"))]),
            ("theme = 'a/b'", vec![(1, "theme", one("full:a/b"))]),
        ] {
            assert_eq!(parsed(text), found, "{text}");
        }
    }

    #[test]
    fn every_fault_has_its_line_and_a_hint() {
        for (text, line, what, hint) in [
            ("\nordr = 'asc'", 2, "there is no setting 'ordr'", "did you mean 'order'?"),
            ("colour-of-sky = 1", 1, "there is no setting 'colour-of-sky'", "there are url, cluster, "),
            ("zzzz = 1\norder = 1", 1, "there is no setting 'zzzz'", "there are url"),
            ("order = 1", 1, "'order' must be a text, and this is a number", "order = \"…\""),
            ("ascii = 'yes'", 1, "'ascii' must be true or false, and this is a text", "ascii = true"),
            ("page-size = 1.5", 1, "'page-size' must be a text or a whole number, and this is a fraction", "fit"),
            ("page-size = 99999999999999999999999999999999999999999", 1, "must be a smaller number", "fit"),
            ("url = []", 1, "'url' must be a text or a list of texts, and this is a list", "redis://"),
            ("url = [1]", 1, "'url' must be a text or a list of texts", "redis://"),
            ("user = ['a']", 1, "'user' must be a text, and this is a list", "quotes"),
            ("[order]\nx = 1", 1, "'order' must be a text, and this is a table", "quotes"),
            ("[connection]", 1, "there is no setting 'connection'", "there are"),
            ("password = 'x'", 1, "'password' may not stand in a file of settings", "password-file"),
            ("at = 3", 1, "'at' may not stand in a file of settings", "--at"),
            ("order = asc", 1, "it is no TOML", "as in"),
            ("order = 'asc'\norder = 'desc'", 2, "it is no TOML", "as in"),
            ("\n\n= 3", 3, "it is no TOML", "as in"),
            ("order = 'asc", 1, "it is no TOML", "as in"),
        ] {
            let fault = parse(text, str::to_owned).unwrap_err();
            assert_eq!(fault.line, line, "{text}: {fault:?}");
            assert!(fault.what.contains(what) && fault.hint.contains(hint), "{text}: {fault:?}");
            assert!(!fault.what.contains('\n') && !fault.hint.contains('\n'), "{text}: {fault:?}");
        }
    }
}
