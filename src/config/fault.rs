//! What is wrong with a line of a file of settings, in two lines for people.

/// What is wrong with one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which line, from 1.
    pub line: usize,
    /// The setting, and what is wrong with it.
    pub what: String,
    /// What to do about it.
    pub hint: String,
}

/// What a parser says: what is wrong, and what to do where it says that too. A mark below a text becomes a column, for in a
/// file it would stand below nothing.
pub fn in_two(text: &str) -> (String, Option<String>) {
    let mut lines = text.lines();
    let what = lines.next().unwrap_or_default().to_owned();
    let rest: Vec<&str> = lines.collect();
    let hint = match rest.as_slice() {
        [] => None,
        [_, mark, hint] if mark.trim() == "^" => {
            let column = mark.chars().count().saturating_sub(INDENT);
            Some(format!("at its column {column}; {hint}"))
        }
        hints => Some(hints.join("; ")),
    };
    (what, hint)
}

/// So far is a text set in that a mark stands below.
const INDENT: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::packed::Spec;

    #[test]
    fn a_mark_becomes_a_column() {
        let error = "points,time".parse::<Spec>().unwrap_err();
        let (what, hint) = in_two(&error.to_string());
        assert!(what.contains("a width"), "{what}");
        assert!(hint.unwrap().starts_with(&format!("at its column {}; the nearest example: ", error.column)));
        assert_eq!(in_two("bad"), ("bad".to_owned(), None));
        assert_eq!(in_two("bad\ndo"), ("bad".to_owned(), Some("do".to_owned())));
    }
}
