//! Keys as settings name them: in full, or with `*` for any text.

use super::keys::Key;

/// A key, or several of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPattern(String);

impl From<&str> for KeyPattern {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl KeyPattern {
    /// Whether it names `key`. O(length) for each star.
    pub fn matches(&self, key: &Key) -> bool {
        let Some((first, rest)) = self.0.split_once('*') else { return self.0.as_bytes() == key.as_ref() };
        let Some(mut left) = key.as_ref().strip_prefix(first.as_bytes()) else { return false };
        let mut parts: Vec<&str> = rest.split('*').collect();
        let last = parts.pop().unwrap_or_default();
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            // The earliest place leaves the most for what follows.
            let Some(at) = left.windows(part.len()).position(|found| found == part.as_bytes()) else { return false };
            left = &left[at + part.len()..];
        }
        left.ends_with(last.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, key, matches) in [
            ("lb:x", "lb:x", true),
            ("lb:x", "lb:xy", false),
            ("lb:*", "lb:x", true),
            ("lb:*", "lb:", true),
            ("lb:*", "lb", false),
            ("*", "", true),
            ("*:scores", "a:scores", true),
            ("*:scores", "a:scores:b", false),
            ("a*b*c", "abc", true),
            ("a*b*c", "axxbxxc", true),
            ("a*b*c", "acb", false),
            ("a*ba", "aba", true),
            ("ab*ba", "aba", false),
            ("a**b", "axb", true),
            ("lb:{spring}:*", "lb:{spring}:2026-W41", true),
        ] {
            assert_eq!(KeyPattern::from(pattern).matches(&key.into()), matches, "{pattern} {key}");
        }
    }
}
