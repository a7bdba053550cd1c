//! Names: what people read, kept apart from ids. They never take part in order.

use std::sync::Arc;

use super::entry::Member;
use super::keys::Key;

/// A name as it was stored: raw bytes, to be escaped before they are drawn.
pub type Name = Arc<[u8]>;

/// Where the names of a board's members are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamesHome {
    /// One hash, member -> name.
    Hash(Key),
    /// A hash for each member, and the field in it: `hash:user:<member>:name`.
    HashEach(MemberKey, Vec<u8>),
    /// A string for each member: `string:user:<member>`.
    StringEach(MemberKey),
}

/// A key for each member: what stands before and after the member in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberKey {
    before: Vec<u8>,
    after: Vec<u8>,
}

impl MemberKey {
    /// The key of `member`.
    pub fn of(&self, member: &Member) -> Key {
        Key::from([&self.before, member.as_bytes(), &self.after].concat())
    }

    fn parse(template: &str) -> Result<Self, String> {
        let (before, after) = template
            .split_once("<member>")
            .ok_or_else(|| format!("'{template}' does not say where the member goes: write <member>"))?;
        Ok(Self { before: before.into(), after: after.into() })
    }
}

impl std::str::FromStr for NamesHome {
    type Err = String;

    /// Reads the forms of `--name-of`: `hash:user:<member>:name` and `string:user:<member>`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some(("string", template)) => MemberKey::parse(template).map(Self::StringEach),
            Some(("hash", rest)) => {
                let (template, field) = rest
                    .rsplit_once(':')
                    .filter(|(template, field)| template.contains("<member>") && !field.is_empty())
                    .ok_or_else(|| format!("'{text}' does not name a field: write hash:user:<member>:name"))?;
                Ok(Self::HashEach(MemberKey::parse(template)?, field.into()))
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
        let NamesHome::HashEach(key, field) = "hash:user:<member>:name".parse().unwrap() else { panic!() };
        assert_eq!((key.of(&"7".into()), field), (Key::from("user:7"), b"name".to_vec()));
        let NamesHome::StringEach(key) = "string:u:<member>:n".parse().unwrap() else { panic!() };
        assert_eq!(key.of(&"7".into()), Key::from("u:7:n"));
        for wrong in ["user:<member>", "hash:user:<member>", "hash:user:name", "string:user", "list:<member>", ""] {
            assert!(wrong.parse::<NamesHome>().is_err(), "{wrong}");
        }
    }
}
