//! The version of a board: an opaque value that every writer changes in the transaction that changes the scores.

use std::fmt;
use std::sync::Arc;

/// What the version key held: any bytes, compared for equality only. A missing key is no version, which is not 0.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Version(Arc<[u8]>);

impl Version {
    /// The raw bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The number, where the version is one, as a counter's is. Only for rates: two versions are never compared by it.
    /// That of many sorted sets is the sum of their counters.
    pub fn number(&self) -> Option<i64> {
        if let Some(sum) = super::sharded::vector::sum(self) {
            return Some(sum);
        }
        std::str::from_utf8(&self.0).ok()?.parse().ok()
    }
}

impl From<Vec<u8>> for Version {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl From<&str> for Version {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().into())
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0.escape_ascii())
    }
}
