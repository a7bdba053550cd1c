//! Which name a stored value holds: a field of JSON, several of them, or the first that is called like a name.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

/// What fields that hold names are called, the likeliest first.
pub const KNOWN: [&str; 11] = [
    "name",
    "username",
    "userName",
    "nickname",
    "displayName",
    "display_name",
    "display",
    "teamName",
    "title",
    "company",
    "firstName",
];
/// What follows a first name.
const LAST_NAME: &str = "lastName";
/// Text that was found by itself and is longer than this is no name.
const LONGEST: usize = 64;

/// How a name is got out of a stored value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamePath {
    /// The first field of a JSON object, or of a hash, that is called like a name: `#`.
    Known,
    /// The same, and text that is no JSON is itself the name. Only for what was found beside a board.
    KnownOrText,
    /// These fields, joined by a space: `#user.name`, `#firstName+lastName`.
    Fields(Vec<Vec<String>>),
}

/// A path that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'#{}' names no field\nwrite '#name', '#user.name', '#firstName+lastName', or '#' alone for the first known name field", .0.escape_debug())]
pub struct NamePathError(String);

impl FromStr for NamePath {
    type Err = NamePathError;

    /// Reads what stands after `#`.
    fn from_str(text: &str) -> Result<Self, NamePathError> {
        if text.is_empty() {
            return Ok(Self::Known);
        }
        let field = |field: &str| field.split('.').map(str::to_owned).collect::<Vec<_>>();
        let fields: Vec<_> = text.split('+').map(field).collect();
        if fields.iter().flatten().any(String::is_empty) {
            return Err(NamePathError(text.to_owned()));
        }
        Ok(Self::Fields(fields))
    }
}

impl fmt::Display for NamePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known | Self::KnownOrText => f.write_str("#"),
            Self::Fields(fields) => {
                let fields: Vec<_> = fields.iter().map(|steps| steps.join(".")).collect();
                write!(f, "#{}", fields.join("+"))
            }
        }
    }
}

impl NamePath {
    /// The name in a stored value; none where it is not JSON, or has no such field.
    pub fn of(&self, value: &[u8]) -> Option<String> {
        let json = serde_json::from_slice::<Value>(value).ok();
        match self {
            Self::Fields(fields) => {
                let json = json?;
                joined(fields.iter().map(|steps| text_at(&json, steps)))
            }
            Self::Known => known(|field| json.as_ref()?.as_object()?.get(field).and_then(text)),
            Self::KnownOrText => match json {
                Some(Value::Object(object)) => known(|field| object.get(field).and_then(text)),
                Some(Value::String(name)) => Some(name),
                Some(_) => None,
                None => plain_name(value),
            },
        }
    }

    /// The fields of a hash that are to be read for it.
    pub fn hash_fields(&self) -> Vec<String> {
        match self {
            Self::Fields(fields) => fields.iter().map(|steps| steps.join(".")).collect(),
            Self::Known | Self::KnownOrText => {
                KNOWN.iter().chain([&LAST_NAME]).map(|field| (*field).to_owned()).collect()
            }
        }
    }

    /// The name in the values of [`NamePath::hash_fields`].
    pub fn of_fields(&self, values: &[Option<Vec<u8>>]) -> Option<Vec<u8>> {
        let bytes = |at: usize| values.get(at)?.clone().filter(|value| !value.is_empty());
        match self {
            Self::Fields(fields) => {
                let parts: Vec<_> = (0..fields.len()).filter_map(bytes).collect();
                (!parts.is_empty()).then(|| parts.join(&b' '))
            }
            Self::Known | Self::KnownOrText => {
                let at = (0..KNOWN.len()).find(|&at| bytes(at).is_some())?;
                let rest = if at + 1 == KNOWN.len() { bytes(at + 1) } else { None };
                Some([bytes(at), rest].into_iter().flatten().collect::<Vec<_>>().join(&b' '))
            }
        }
    }
}

/// The first known field that there is; a first name together with the last one.
fn known(field: impl Fn(&str) -> Option<String>) -> Option<String> {
    let (name, found) = KNOWN.iter().find_map(|name| Some((*name, field(name)?)))?;
    let last = if name == "firstName" { field(LAST_NAME) } else { None };
    joined([Some(found), last].into_iter())
}

fn joined(parts: impl Iterator<Item = Option<String>>) -> Option<String> {
    let parts: Vec<_> = parts.flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn text_at(json: &Value, steps: &[String]) -> Option<String> {
    let step = |value: Option<&'_ Value>, step: &String| -> Option<Value> {
        match value? {
            Value::Object(object) => object.get(step).cloned(),
            Value::Array(items) => items.get(step.parse::<usize>().ok()?).cloned(),
            _ => None,
        }
    };
    let mut found = Some(json.clone());
    for name in steps {
        found = step(found.as_ref(), name);
    }
    text(&found?)
}

/// Texts and numbers are names; the rest is not.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Text that can pass for a name though nobody said that it is one.
fn plain_name(value: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(value).ok()?;
    let is_name = !text.trim().is_empty()
        && text.chars().count() <= LONGEST
        && !text.contains(char::is_control)
        && text.trim().parse::<f64>().is_err();
    is_name.then(|| text.to_owned())
}

/// A larger value is not taken apart for being looked at.
const LARGEST: usize = 64 * 1024;

/// A stored value as people read it, in lines: of an object each field, of anything else what it is. Not yet escaped.
pub fn lines(value: &[u8]) -> Vec<String> {
    if value.len() > LARGEST {
        return vec![format!("{} bytes, too many to be shown", value.len())];
    }
    match serde_json::from_slice::<Value>(value) {
        Ok(Value::Object(object)) => object
            .iter()
            .map(|(field, value)| match value {
                Value::String(text) => format!("{field}: {text}"),
                other => format!("{field}: {other}"),
            })
            .collect(),
        Ok(json) => vec![json.to_string()],
        Err(_) => {
            vec![std::str::from_utf8(value).map_or_else(|_| format!("binary, {} bytes", value.len()), str::to_owned)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(path: &str, value: &str) -> Option<String> {
        path.parse::<NamePath>().unwrap().of(value.as_bytes())
    }

    #[test]
    fn names_in_json() {
        let user =
            r#"{"id": 7, "user": {"name": "Ada", "tags": ["x", "y"]}, "firstName": "Grace", "lastName": "Hopper"}"#;
        for (path, wanted) in [
            ("user.name", Some("Ada")),
            ("user.tags.1", Some("y")),
            ("firstName+lastName", Some("Grace Hopper")),
            ("firstName+nothing", Some("Grace")),
            ("id", Some("7")),
            ("", Some("Grace Hopper")),
            ("user", None),
            ("nothing", None),
            ("user.tags.9", None),
            ("user.tags.x", None),
        ] {
            assert_eq!(name(path, user).as_deref(), wanted, "{path}");
        }
        assert_eq!(name("", r#"{"username": "u", "name": "n"}"#).as_deref(), Some("n"));
        assert_eq!(name("", r#"{"name": "", "username": "u"}"#).as_deref(), Some("u"));
        for other in ["Ada", "[1]", "\"Ada\"", "7", "{", ""] {
            assert_eq!(name("", other), None, "{other}");
            assert_eq!(name("name", other), None, "{other}");
        }
    }

    #[test]
    fn text_is_a_name_only_where_it_looks_like_one() {
        for (value, wanted) in [
            (&b"Ada Lovelace"[..], Some("Ada Lovelace")),
            (b"\"Ada\"", Some("Ada")),
            (b"1500", None),
            (b"-1.5e3", None),
            (b" ", None),
            (b"a\x1b[31m", None),
            (b"\xff", None),
            (b"{\"accepted\": true}", None),
            (&[b'x'; 65], None),
        ] {
            assert_eq!(NamePath::KnownOrText.of(value).as_deref(), wanted, "{}", value.escape_ascii());
        }
    }

    #[test]
    fn names_in_the_fields_of_a_hash() {
        let values = |found: &[(&str, &str)]| -> Vec<Option<Vec<u8>>> {
            let fields = NamePath::Known.hash_fields();
            fields
                .iter()
                .map(|field| found.iter().find(|(name, _)| name == field).map(|(_, value)| value.as_bytes().to_vec()))
                .collect()
        };
        let known = |found: &[(&str, &str)]| NamePath::Known.of_fields(&values(found));
        assert_eq!(known(&[("company", "Apple"), ("country", "US")]), Some(b"Apple".to_vec()));
        assert_eq!(known(&[("firstName", "Grace"), ("lastName", "Hopper")]), Some(b"Grace Hopper".to_vec()));
        assert_eq!(known(&[("lastName", "Hopper")]), None);
        let path: NamePath = "a+b".parse().unwrap();
        assert_eq!(path.hash_fields(), ["a", "b"]);
        assert_eq!(path.of_fields(&[Some(b"x".to_vec()), None]), Some(b"x".to_vec()));
        assert_eq!(path.of_fields(&[None, None]), None);
    }

    #[test]
    fn a_value_in_lines() {
        for (value, wanted) in [
            (
                &br#"{"name": "Ada", "level": 7, "clan": {"tags": ["a"]}}"#[..],
                vec!["name: Ada", "level: 7", r#"clan: {"tags":["a"]}"#],
            ),
            (b"Ada", vec!["Ada"]),
            (b"[1, 2]", vec!["[1,2]"]),
            (b"\xff\0", vec!["binary, 2 bytes"]),
            (b"{}", vec![]),
        ] {
            let mut lines = lines(value);
            // Objects need not keep the order of their fields.
            lines.sort();
            let mut wanted = wanted;
            wanted.sort_unstable();
            assert_eq!(lines, wanted);
        }
        assert_eq!(lines(&vec![b'x'; LARGEST + 1]), ["65537 bytes, too many to be shown"]);
    }

    #[test]
    fn a_path_is_written_as_it_is_read() {
        for text in ["", "name", "user.name", "firstName+lastName"] {
            assert_eq!(text.parse::<NamePath>().unwrap().to_string(), format!("#{text}"));
        }
        for text in ["+", "a+", "a..b", ".a"] {
            assert!(text.parse::<NamePath>().is_err(), "{text}");
        }
    }
}
