//! What is looked for in ids and names, and what one step of looking brings. It must not know where either is kept.

/// A text that is looked for within ids and names. Small letters stand for capitals too; a text with a capital in it is
/// taken as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needle {
    text: String,
    is_as_written: bool,
    /// The whole of an id is looked for.
    is_id: bool,
}

impl Needle {
    /// What was typed.
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), is_as_written: text.chars().any(char::is_uppercase), is_id: false }
    }

    /// An id: no part of one, and no name.
    pub fn id(id: &str) -> Self {
        Self { is_as_written: true, is_id: true, ..Self::new(id) }
    }

    /// True for whoever has this id, or is called so.
    pub fn finds(&self, member: &[u8], id: &[u8], name: Option<&[u8]>) -> bool {
        if self.is_id {
            return id == self.text.as_bytes();
        }
        self.is_in(member) || self.is_in(id) || name.is_some_and(|name| self.is_in(name))
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True where the text stands anywhere in `bytes`. O(n m), without a copy where letters are taken as written.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        if self.is_as_written { text.contains(&self.text) } else { text.to_lowercase().contains(&self.text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_letters_stand_for_both_and_capitals_for_themselves() {
        for (needle, text, is_in) in [
            ("ada", "Ada Lovelace", true),
            ("ADA", "Ada Lovelace", false),
            ("Ada", "Ada Lovelace", true),
            ("алан", "Алан Тьюринг", true),
            ("", "", true),
            ("x", "", false),
            ("love", "Ada Lovelace", true),
        ] {
            assert_eq!(Needle::new(needle).is_in(text.as_bytes()), is_in, "{needle} in {text}");
        }
        assert!(Needle::new("b").is_in(b"\xffb\x00"));
        assert!(Needle::id("7").finds(b"x:7", b"7", None) && !Needle::id("7").finds(b"7", b"17", Some(b"7")));
        assert!(Needle::new("7").finds(b"\0", b"17", None) && Needle::new("ada").finds(b"", b"", Some(b"Ada")));
    }
}
