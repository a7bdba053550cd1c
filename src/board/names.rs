//! Names: what people read, kept apart from ids. They never take part in order.

use std::str::FromStr;
use std::sync::Arc;

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
}

impl FromStr for NamesLocation {
    type Err = String;

    /// Reads the forms of `--name-of`: `hash:user:<member>:name` and `string:user:<member>`.
    fn from_str(text: &str) -> Result<Self, String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_name_of() {
        let NamesLocation::HashEach(key, field) = "hash:user:<member>:name".parse().unwrap() else { panic!() };
        assert_eq!((key.of(b"7"), field), (Key::from("user:7"), b"name".to_vec()));
        let NamesLocation::StringEach(key) = "string:u:<member>:n".parse().unwrap() else { panic!() };
        assert_eq!(key.of(b"7"), Key::from("u:7:n"));
        for wrong in ["user:<member>", "hash:user:<member>", "hash:user:name", "string:user", "list:<member>", ""] {
            assert!(wrong.parse::<NamesLocation>().is_err(), "{wrong}");
        }
    }
}
