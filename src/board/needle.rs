//! What is looked for in ids and names, and what one step of looking brings. It must not know where either is kept.

/// A text that is looked for within ids and names. Small letters stand for capitals too; a text with a capital in it is
/// taken as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needle {
    text: String,
    is_as_written: bool,
}

impl Needle {
    /// What was typed.
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), is_as_written: text.chars().any(char::is_uppercase) }
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
    }
}
