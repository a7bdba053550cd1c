//! Names: what people read, kept apart from ids. They never take part in order.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::foreign::name_path::{NamePath, NamePathError};
use super::foreign::probe::{Found, Pattern, ProbeCommand};
use super::keys::Key;
use super::template::MemberTemplate;

/// A name as it was stored: raw bytes, to be escaped before they are drawn.
pub type Name = Arc<[u8]>;

/// Where the names of a board's members are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamesLocation {
    /// One hash, member -> name.
    Hash(Key),
    /// A hash for each member, and the field in it: `hash:user:<member>:name`.
    HashEach(MemberTemplate, Vec<u8>),
    /// A string for each member: `string:user:<member>`.
    StringEach(MemberTemplate),
    /// Fields of a hash for each member, joined or the first known one: `hash:user:<member>#firstName+lastName`.
    FieldsEach(MemberTemplate, NamePath),
    /// In JSON that is stored in one hash or in a string for each member: `string:user:<member>#user.name`.
    Json(Arc<NamesLocation>, NamePath),
}

impl NamesLocation {
    /// Where a search has found names; none where no template says it.
    pub fn found(found: &Found) -> Option<Self> {
        let template = |pattern: &Pattern| MemberTemplate::after(std::str::from_utf8(&pattern.0).ok()?);
        Some(match found {
            Found::Beside(key) => Self::Json(Arc::new(Self::Hash(key.clone())), NamePath::KnownOrText),
            Found::Hashes(pattern) => Self::FieldsEach(template(pattern)?, NamePath::Known),
            Found::Strings(pattern) => Self::Json(Arc::new(Self::StringEach(template(pattern)?)), NamePath::Known),
        })
    }

    /// What is read for a name, before anything is looked for in it.
    pub fn stored(&self) -> &Self {
        match self {
            Self::Json(stored, _) => stored,
            other => other,
        }
    }

    /// What reads all that is stored for the member whose id is `id`, where that may be more than a name. `is_named`: somebody
    /// said that names are here, so that it is not the member's own doing which string is shown.
    pub fn value_of(&self, id: &[u8], is_named: bool) -> Option<ProbeCommand> {
        let Self::Json(stored, _) = self else { return None };
        match &**stored {
            Self::Hash(key) => Some(ProbeCommand::Fields(key.clone(), vec![id.to_vec()])),
            Self::StringEach(template) if is_named => Some(ProbeCommand::Start(template.of(id))),
            _ => None,
        }
    }

    /// The name in a value that was read here.
    pub fn name_in(&self, value: Name) -> Option<Name> {
        match self {
            Self::Json(_, path) => path.of(&value).map(|name| name.into_bytes().into()),
            _ => Some(value),
        }
    }
}

impl FromStr for NamesLocation {
    type Err = String;

    /// Reads the forms of `--name-of`: `hash:user:<member>:name` and `string:user:<member>`, each with a path after `#`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (place, path) = split_path(text)?;
        match (path, place.split_once(':')) {
            (Some(path), Some(("string", _))) => return Ok(Self::Json(Arc::new(place.parse()?), path)),
            (Some(path), Some(("hash", template))) => {
                let template = MemberTemplate::from_str(template).map_err(|error| error.to_string())?;
                return Ok(Self::FieldsEach(template, path));
            }
            _ => {}
        }
        match text.split_once(':') {
            Some(("string", template)) => {
                MemberTemplate::from_str(template).map(Self::StringEach).map_err(|error| error.to_string())
            }
            Some(("hash", rest)) => {
                let (template, field) = rest
                    .rsplit_once(':')
                    .filter(|(template, field)| template.contains("<member>") && !field.is_empty())
                    .ok_or_else(|| format!("'{text}' does not name a field: write hash:user:<member>:name"))?;
                let template = MemberTemplate::from_str(template).map_err(|error| error.to_string())?;
                Ok(Self::HashEach(template, field.into()))
            }
            _ => Err(format!("'{text}' is no home of names: write hash:user:<member>:name or string:user:<member>")),
        }
    }
}

impl fmt::Display for NamesLocation {
    /// As `--name-of` reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hash(key) => f.write_str(&String::from_utf8_lossy(key.as_ref())),
            Self::HashEach(template, field) => write!(f, "hash:{template}:{}", String::from_utf8_lossy(field)),
            Self::StringEach(template) => write!(f, "string:{template}"),
            Self::FieldsEach(template, path) => write!(f, "hash:{template}{path}"),
            Self::Json(stored, path) => write!(f, "{stored}{path}"),
        }
    }
}

/// A location, and the path after its last `#`.
pub fn split_path(text: &str) -> Result<(&str, Option<NamePath>), String> {
    match text.rsplit_once('#') {
        Some((place, path)) => Ok((place, Some(path.parse().map_err(|error: NamePathError| error.to_string())?))),
        None => Ok((text, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_values_are_read_beside_a_board_and_through_a_member_only_where_that_was_named() {
        let key = |location: &str, is_named| {
            let location = match location.strip_prefix("hash ") {
                Some(key) => NamesLocation::found(&Found::Beside(key.into())).unwrap(),
                None => location.parse().unwrap(),
            };
            location.value_of(b"7", is_named)
        };
        let fields = ProbeCommand::Fields("x:data".into(), vec![b"7".to_vec()]);
        assert_eq!([true, false].map(|is_named| key("hash x:data", is_named)), [Some(fields.clone()), Some(fields)]);
        assert_eq!(key("string:u:<member>#name", true), Some(ProbeCommand::Start("u:7".into())));
        assert_eq!(key("string:u:<member>#name", false), None);
        assert_eq!(key("string:u:<member>", true), None);
        assert_eq!(key("hash:u:<member>#name", true), None);
    }

    #[test]
    fn forms_of_name_of() {
        let NamesLocation::HashEach(key, field) = "hash:user:<member>:name".parse().unwrap() else { panic!() };
        assert_eq!((key.of(b"7"), field), (Key::from("user:7"), b"name".to_vec()));
        let NamesLocation::StringEach(key) = "string:u:<member>:n".parse().unwrap() else { panic!() };
        assert_eq!(key.of(b"7"), Key::from("u:7:n"));
        for text in [
            "hash:user:<member>:name",
            "string:u:<member>:n",
            "string:u:<member>#a.b",
            "hash:u:<member>#a+b",
            "hash:u:<member>#",
        ] {
            assert_eq!(text.parse::<NamesLocation>().unwrap().to_string(), text);
        }
        for wrong in ["user:<member>", "hash:user:<member>", "hash:user:name", "string:user", "list:<member>", ""] {
            assert!(wrong.parse::<NamesLocation>().is_err(), "{wrong}");
        }
    }
}
