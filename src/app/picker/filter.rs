//! The filter of the list of boards: what was typed, and how well a text answers to it. Only this file knows the crate that
//! matches.

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::app::keymap::Press;
use crate::app::line_editor::LineEditor;

/// A filter longer than this takes no more: keys are not found by typing that much.
const LONGEST: usize = 512;

/// What is typed to find a board: words, each of which has to be in a key with its letters in order. A word without a
/// capital is of either case.
#[derive(Clone, Debug)]
pub struct Filter {
    line: LineEditor,
    pattern: Pattern,
}

impl Default for Filter {
    fn default() -> Self {
        Self { line: LineEditor::new(LONGEST), pattern: Pattern::default() }
    }
}

impl Filter {
    /// What stands in it.
    pub fn text(&self) -> &str {
        self.line.text()
    }

    /// The line in which it is typed.
    pub fn line(&self) -> &LineEditor {
        &self.line
    }

    /// True where it lets everything through.
    pub fn is_empty(&self) -> bool {
        self.pattern.atoms.is_empty()
    }

    /// Adds typed or pasted text; controls, a pasted line end among them, are left out.
    pub fn insert(&mut self, text: &str) {
        self.line.insert(text);
        self.read();
    }

    /// Takes in a key that edits; any other does nothing.
    pub fn press(&mut self, press: Press) {
        if self.line.press(press) {
            self.read();
        }
    }

    /// Takes everything away.
    pub fn clear(&mut self) {
        self.line.clear();
        self.read();
    }

    fn read(&mut self) {
        // No character has a meaning of its own but the blank: keys may hold any.
        self.pattern = Pattern::new(self.line.text(), CaseMatching::Smart, Normalization::Smart, AtomKind::Fuzzy);
    }
}

/// Matches texts one after another. It is costly to make: a hundred kilobytes of room.
pub struct Matching<'a> {
    pattern: &'a Pattern,
    matcher: Matcher,
    letters: Vec<char>,
}

impl<'a> Matching<'a> {
    /// By this filter.
    pub fn by(filter: &'a Filter) -> Self {
        Self { pattern: &filter.pattern, matcher: Matcher::new(Config::DEFAULT), letters: Vec::new() }
    }

    /// How well `text` answers, more is better; `None` where it does not. O(length of the text) for each word.
    pub fn score(&mut self, text: &str) -> Option<u32> {
        self.pattern.score(Utf32Str::new(text, &mut self.letters), &mut self.matcher)
    }

    /// Which graphemes of `text` the filter has found, each once and from the left.
    pub fn found(&mut self, text: &str) -> Vec<u32> {
        let mut found = Vec::new();
        self.pattern.indices(Utf32Str::new(text, &mut self.letters), &mut self.matcher, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::keymap::Key;

    fn filter(text: &str) -> Filter {
        let mut filter = Filter::default();
        filter.insert(text);
        filter
    }

    fn matches(text: &str, key: &str) -> bool {
        Matching::by(&filter(text)).score(key).is_some()
    }

    #[test]
    fn letters_are_found_in_order_and_in_either_case_unless_a_capital_is_typed() {
        for (text, key, is_match) in [
            ("spr41", "lb:{spring}:2026-W41", true),
            ("41spr", "lb:{spring}:2026-W41", false),
            ("41 spr", "lb:{spring}:2026-W41", true),
            ("w41", "lb:{spring}:2026-W41", true),
            ("W41", "lb:{spring}:2026-w41", false),
            ("SPR", "lb:{spring}:2026-W41", false),
            ("zoe", "Zoë", true),
            ("!spr", "lb:{spring}", false),
            ("^x", "a^x", true),
            ("'x$", "a'x$", true),
            ("\\xff", "a\\xffb", true),
            ("", "anything", true),
            ("  ", "anything", true),
        ] {
            assert_eq!(matches(text, key), is_match, "{text} {key}");
        }
    }

    #[test]
    fn what_was_found_is_told_by_graphemes() {
        assert_eq!(Matching::by(&filter("b2 a")).found("ab:b2"), [0, 3, 4]);
        assert_eq!(Matching::by(&filter("罗e")).found("华罗庚:e\u{301}"), [1, 4]);
        assert!(Matching::by(&filter("x")).found("abc").is_empty());
    }

    #[test]
    fn pasted_text_is_one_clean_line() {
        let mut filter = filter("lb:\n{x}\u{1b}[2J\r\n");
        assert_eq!(filter.text(), "lb:{x}[2J");
        filter.insert(&"é".repeat(1_000));
        assert!(filter.text().chars().count() <= LONGEST);
        filter.clear();
        assert!(filter.is_empty());
        filter.press(Press::plain(Key::Backspace));
        assert_eq!(filter.text(), "");
    }
}
