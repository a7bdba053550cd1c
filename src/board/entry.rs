//! Who is on a board: members, which are raw bytes, and entries, which are members with a score.

use std::fmt;
use std::sync::Arc;

use super::score::Score;

/// The id of somebody on a board: any bytes, also none. Compared as bytes; never decoded to be compared.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Member(Arc<[u8]>);

impl Member {
    /// The raw bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&[u8]> for Member {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }
}

impl From<Vec<u8>> for Member {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl From<&str> for Member {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().into())
    }
}

impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.0.escape_ascii())
    }
}

/// A member and its score, as they stood at one moment. It is also a *place* in board order, which stays a place when
/// the member has left it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Who.
    pub member: Member,
    /// With which score.
    pub score: Score,
}

impl Entry {
    /// An entry of `member` with `score`.
    pub fn new(member: impl Into<Member>, score: Score) -> Self {
        Self { member: member.into(), score }
    }
}
