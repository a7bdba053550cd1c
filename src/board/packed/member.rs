//! Members that hold more than an id, such as `8273641200:ada`: reading the notation, and taking a member apart by it. The id
//! is what names, searches and following go by; the member on the board stays the whole.
//!
//! ```text
//! SPEC = { ITEM }
//! ITEM = '"' TEXT '"' | "id" | NAME ":" WIDTH [ "=" MAX "-" ] [ UNIT ]
//! ```
//!
//! A WIDTH of `u32` or `u64` is a whole number in 64 bits, or in 96 or 128: as bytes, the highest first, or, for 64 bits,
//! written as one decimal number. Else it is decimal digits.

use std::fmt;
use std::str::FromStr;

use super::decode::Value;
use super::examples::MEMBER_EXAMPLES;
use super::number;
use super::parse::{SpecError, stored, unit, width};
use super::scan::Scanner;
use super::{Stored, Unit, Width};
use crate::board::entry::Member;

/// How the members of a board are packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberSpec {
    items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Text(String),
    Id,
    Part { name: String, size: Size, max: Option<i64>, unit: Unit },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Digits(u8),
    Bytes(u8),
}

/// A member in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberParts {
    /// The id alone.
    pub id: Vec<u8>,
    /// What else there is, by its name, in the order in which it stands.
    pub values: Vec<(String, Value)>,
}

impl MemberSpec {
    /// The names of the parts besides the id, in the order in which they stand.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| match item {
            Item::Part { name, .. } if name != "id" => Some(name.as_str()),
            _ => None,
        })
    }

    /// Who `member` is: its id, or all of it where it is not packed like this.
    pub fn id_of(&self, member: &Member) -> Member {
        self.decode(member.as_bytes()).map_or_else(|| member.clone(), |parts| parts.id.into())
    }

    /// The parts of a member; none where it is not of this form.
    pub fn decode(&self, member: &[u8]) -> Option<MemberParts> {
        let written = self.bytes_of_number(member);
        let mut rest = written.as_deref().unwrap_or(member);
        let mut parts = MemberParts { id: Vec::new(), values: Vec::new() };
        for (at, item) in self.items.iter().enumerate() {
            match item {
                Item::Text(text) => rest = rest.strip_prefix(text.as_bytes())?,
                Item::Id => {
                    let end = match self.items.get(at + 1) {
                        Some(Item::Text(text)) => find(rest, text.as_bytes())?,
                        _ => rest.len().checked_sub(self.length_after(at))?,
                    };
                    parts.id = rest[..end].to_vec();
                    rest = &rest[end..];
                }
                Item::Part { name, size, max, unit } => {
                    let (bytes, after) = rest.split_at_checked(size.length())?;
                    rest = after;
                    let stored = size.read(bytes)?;
                    let amount = max.map_or(stored, |max| i128::from(max) - stored);
                    if name == "id" {
                        parts.id = amount.to_string().into_bytes();
                    } else {
                        parts.values.push((name.clone(), Value { amount, unit: *unit }));
                    }
                }
            }
        }
        rest.is_empty().then_some(parts)
    }

    /// The member whose id is `id`, where the id is all that it holds besides texts.
    pub fn encode(&self, id: &[u8]) -> Option<Vec<u8>> {
        let mut member = Vec::new();
        for item in &self.items {
            match item {
                Item::Text(text) => member.extend_from_slice(text.as_bytes()),
                Item::Id => member.extend_from_slice(id),
                Item::Part { .. } => return None,
            }
        }
        // An id with the text that ends it would be taken for a shorter one.
        (self.decode(&member)?.id == id).then_some(member)
    }

    /// The bytes of a member that is one decimal number, where all parts together are 64 bits.
    fn bytes_of_number(&self, member: &[u8]) -> Option<Vec<u8>> {
        let is_bits = self.items.iter().all(|item| matches!(item, Item::Part { size: Size::Bytes(_), .. }));
        if !is_bits || self.length_after(0) + self.items.first().map_or(0, Item::length) != 8 || member.len() == 8 {
            return None;
        }
        let text = std::str::from_utf8(member).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
        Some(text.parse::<u64>().ok()?.to_be_bytes().to_vec())
    }

    fn length_after(&self, at: usize) -> usize {
        self.items[at + 1..].iter().map(Item::length).sum()
    }
}

impl Item {
    fn length(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Id => 0,
            Self::Part { size, .. } => size.length(),
        }
    }
}

impl Size {
    fn length(self) -> usize {
        let (Self::Digits(length) | Self::Bytes(length)) = self;
        length.into()
    }

    fn read(self, bytes: &[u8]) -> Option<i128> {
        match self {
            Self::Bytes(_) => Some(bytes.iter().fold(0, |sum, &byte| sum << 8 | i128::from(byte))),
            Self::Digits(_) if bytes.iter().all(u8::is_ascii_digit) => std::str::from_utf8(bytes).ok()?.parse().ok(),
            Self::Digits(_) => None,
        }
    }
}

fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    bytes.windows(text.len()).position(|part| part == text)
}

impl FromStr for MemberSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut scanner = Scanner::new(text, &MEMBER_EXAMPLES);
        let mut spec = Self { items: Vec::new() };
        loop {
            scanner.skip_spaces();
            if scanner.rest().is_empty() {
                break;
            }
            let from = scanner.at();
            let item = item(&mut scanner)?;
            let follows_id = spec.items.last() == Some(&Item::Id);
            let is_id =
                |item: &Item| matches!(item, Item::Id) || matches!(item, Item::Part { name, .. } if name == "id");
            let is_taken = match &item {
                Item::Part { name, .. } => spec.names().any(|other| other == name),
                _ => false,
            };
            if is_taken || is_id(&item) && spec.items.iter().any(is_id) {
                return Err(scanner.wrong_at(from, "this name is taken: parts are told apart by their names"));
            }
            if follows_id && matches!(item, Item::Part { .. }) {
                return Err(
                    scanner.wrong_at(from, "a text in quotes belongs here, so that it is clear where the id ends")
                );
            }
            spec.items.push(item);
        }
        let has_id = |item: &Item| matches!(item, Item::Id) || matches!(item, Item::Part { name, .. } if name == "id");
        if !spec.items.iter().any(has_id) {
            return Err(scanner.wrong("a part 'id' belongs here: it says who the member is"));
        }
        Ok(spec)
    }
}

fn item(scanner: &mut Scanner<'_>) -> Result<Item, SpecError> {
    if scanner.take("\"") {
        let text = scanner.take_while(|sign| sign != '"').to_owned();
        if !scanner.take("\"") {
            return Err(scanner.wrong("a '\"' is missing"));
        }
        if text.is_empty() {
            return Err(scanner.wrong("a text in quotes cannot be empty"));
        }
        return Ok(Item::Text(text));
    }
    let name = scanner.name()?;
    if !scanner.take(":") {
        let unfinished = "':' and a width belong here, such as ':10' or ':u32'; only 'id' goes without";
        return if name == "id" { Ok(Item::Id) } else { Err(scanner.wrong(unfinished)) };
    }
    let from = scanner.at();
    let size = if scanner.take("u32") {
        Size::Bytes(4)
    } else if scanner.take("u64") {
        Size::Bytes(8)
    } else {
        match width(scanner)? {
            Width::Digits(digits) => Size::Digits(digits),
            Width::Bits(_) => return Err(scanner.wrong_at(from, "bits of a member come as u32 or u64")),
        }
    };
    let from = scanner.at();
    let max = match stored(scanner)? {
        Stored::Bare => None,
        Stored::From(max) => Some(max),
        Stored::Subtracted => return Err(scanner.wrong_at(from, "there is nothing to subtract from: write '=MAX-'")),
    };
    // A unit follows at once: after a space comes the next item.
    let is_unit = scanner.rest().starts_with(|sign: char| sign == '/' || sign.is_alphanumeric());
    Ok(Item::Part { name, size, max, unit: if is_unit { unit(scanner)? } else { Unit::Plain } })
}

impl fmt::Display for MemberSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, item) in self.items.iter().enumerate() {
            if at > 0 {
                f.write_str(" ")?;
            }
            match item {
                Item::Text(text) => write!(f, "\"{text}\"")?,
                Item::Id => f.write_str("id")?,
                Item::Part { name, size, max, unit } => {
                    match size {
                        Size::Digits(digits) => write!(f, "{name}:{digits}")?,
                        Size::Bytes(bytes) => write!(f, "{name}:u{}", u32::from(*bytes) * 8)?,
                    }
                    if let Some(max) = max {
                        write!(f, "={}-", number::text(*max))?;
                    }
                    write!(f, "{unit}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(spec: &str, member: &[u8]) -> Option<(String, Vec<String>)> {
        let parts = spec.parse::<MemberSpec>().unwrap().decode(member)?;
        let values = parts.values.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Some((parts.id.escape_ascii().to_string(), values))
    }

    #[test]
    fn members_that_follow_from_their_id() {
        let member = |spec: &str, id: &str| {
            let member = spec.parse::<MemberSpec>().unwrap().encode(id.as_bytes())?;
            Some(String::from_utf8(member).unwrap())
        };
        assert_eq!(member("\"score:x:\" id", "ada").as_deref(), Some("score:x:ada"));
        assert_eq!(member("id \":p\"", "ada").as_deref(), Some("ada:p"));
        assert_eq!(member("id \":p\"", "a:p"), None);
        assert_eq!(member("time:10=5000000000-s \":\" id", "ada"), None);
        assert_eq!(member("time:u32 id:u32", "7"), None);
    }

    #[test]
    fn members_in_their_parts() {
        let both = |id: &str, value: &str| Some((id.to_owned(), vec![value.to_owned()]));
        let time = "time:10=5000000000-s \":\" id";
        assert_eq!(decoded(time, b"3209000000:u:17"), both("u:17", "time=2026-10-03T04:00:00Z"));
        assert_eq!(decoded(time, b"3209000000:"), both("", "time=2026-10-03T04:00:00Z"));
        for other in [&b"u:17"[..], b"", b"320900000:ada", b"32090000000:ada", b"+209000000:ada"] {
            assert_eq!(decoded(time, other), None, "{}", other.escape_ascii());
        }
        let bits = "time:u32s id:u32";
        let number = (1_800_000_000_u64 << 32) + 42;
        assert_eq!(decoded(bits, &number.to_be_bytes()), both("42", "time=2027-01-15T08:00:00Z"));
        assert_eq!(decoded(bits, number.to_string().as_bytes()), both("42", "time=2027-01-15T08:00:00Z"));
        assert_eq!(decoded(bits, b"ada"), None);
        assert_eq!(decoded("\"score:\" board:2 \":\" id", b"score:07:ada"), both("ada", "board=7"));
        assert_eq!(decoded("id \"@\" day:8", b"ada@20260101"), both("ada", "day=20260101"));
    }

    #[test]
    fn faults_have_a_column() {
        for (text, column, what) in [
            ("", 1, "a part 'id'"),
            ("time:10", 8, "a part 'id'"),
            ("id id", 4, "taken"),
            ("id time:10", 4, "quotes"),
            ("id \"", 5, "missing"),
            ("id \"\"", 6, "empty"),
            ("time:10- id", 8, "nothing to subtract"),
            ("time:26b id", 6, "u32"),
            ("time id", 5, "width"),
            ("time:10x id", 8, "unit"),
        ] {
            let error = text.parse::<MemberSpec>().unwrap_err();
            assert!(error.column == column && error.what.contains(what), "{text}: {error:?}");
        }
    }

    #[test]
    fn the_examples_are_written_as_they_are_read() {
        for example in MEMBER_EXAMPLES {
            let spec: MemberSpec = example.spec.parse().unwrap();
            assert_eq!(spec.to_string(), example.spec);
        }
    }
}
