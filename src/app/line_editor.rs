//! A line that is being typed, and the keys that edit it: those of shells. What the line is for is not its concern.

use tui_input::{Input, InputRequest};

use crate::app::keymap::{Key, Press};

/// A line with a place in it at which is typed.
#[derive(Clone, Debug)]
pub struct LineEditor {
    input: Input,
    /// In characters. A line that is so long takes no more.
    longest: usize,
}

impl PartialEq for LineEditor {
    fn eq(&self, other: &Self) -> bool {
        (self.text(), self.input.cursor()) == (other.text(), other.input.cursor())
    }
}

impl Eq for LineEditor {}

impl LineEditor {
    /// An empty line for at most so many characters.
    pub fn new(longest: usize) -> Self {
        Self { input: Input::default(), longest }
    }

    /// What stands in it.
    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// What stands before the cursor, and what after it.
    pub fn parts(&self) -> (&str, &str) {
        let text = self.text();
        let at = text.char_indices().nth(self.input.cursor()).map_or(text.len(), |(at, _)| at);
        text.split_at(at)
    }

    /// Adds typed or pasted text at the cursor; controls, a pasted line end among them, are left out.
    pub fn insert(&mut self, text: &str) {
        let room = self.longest.saturating_sub(self.text().chars().count());
        let added: String = text.chars().filter(|c| !c.is_control()).take(room).collect();
        let cursor = self.input.cursor() + added.chars().count();
        let (before, after) = self.parts();
        let whole = [before, &added, after].concat();
        self.input = std::mem::take(&mut self.input).with_value(whole).with_cursor(cursor);
    }

    /// Takes everything away.
    pub fn clear(&mut self) {
        self.input.handle(InputRequest::DeleteLine);
    }

    /// Takes in a key; false where it is none that edits.
    pub fn press(&mut self, press: Press) -> bool {
        let request = match press {
            Press { key: Key::Char(c), ctrl: false } => {
                self.insert(c.encode_utf8(&mut [0; 4]));
                return true;
            }
            Press { key: Key::Left, ctrl: false } | Press { key: Key::Char('b'), ctrl: true } => {
                InputRequest::GoToPrevChar
            }
            Press { key: Key::Right, ctrl: false } | Press { key: Key::Char('f'), ctrl: true } => {
                InputRequest::GoToNextChar
            }
            Press { key: Key::Left, ctrl: true } => InputRequest::GoToPrevWord,
            Press { key: Key::Right, ctrl: true } => InputRequest::GoToNextWord,
            Press { key: Key::Home, .. } | Press { key: Key::Char('a'), ctrl: true } => InputRequest::GoToStart,
            Press { key: Key::End, .. } | Press { key: Key::Char('e'), ctrl: true } => InputRequest::GoToEnd,
            Press { key: Key::Backspace, ctrl: false } => InputRequest::DeletePrevChar,
            Press { key: Key::Delete, ctrl: false } | Press { key: Key::Char('d'), ctrl: true } => {
                InputRequest::DeleteNextChar
            }
            Press { key: Key::Backspace | Key::Char('w'), ctrl: true } => InputRequest::DeletePrevWord,
            Press { key: Key::Delete, ctrl: true } => InputRequest::DeleteNextWord,
            Press { key: Key::Char('u'), ctrl: true } => InputRequest::DeleteFromStart,
            Press { key: Key::Char('k'), ctrl: true } => InputRequest::DeleteTillEnd,
            _ => return false,
        };
        self.input.handle(request);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ctrl(key: Key) -> Press {
        Press { key, ctrl: true }
    }

    /// The line after these keys, with a bar where the cursor is.
    fn edited(text: &str, presses: &[Press]) -> String {
        let mut line = LineEditor::new(40);
        line.insert(text);
        for press in presses {
            assert!(line.press(*press), "{press}");
        }
        let (before, after) = line.parts();
        format!("{before}|{after}")
    }

    #[test]
    fn keys_move_and_edit() {
        let (left, right) = (Press::plain(Key::Left), Press::plain(Key::Right));
        let (home, end) = (Press::plain(Key::Home), Press::plain(Key::End));
        let (backspace, delete) = (Press::plain(Key::Backspace), Press::plain(Key::Delete));
        let x = Press::plain(Key::Char('x'));
        for (text, presses, expected) in [
            ("abc", &[][..], "abc|"),
            ("abc", &[left, left, x], "ax|bc"),
            ("abc", &[home, x, right], "xa|bc"),
            ("abc", &[home, left, delete, delete], "|c"),
            ("abc", &[home, end, right, backspace], "ab|"),
            ("abc", &[left, backspace], "a|c"),
            ("", &[backspace, delete, left, right, home, end], "|"),
            ("ab cd ef", &[ctrl(Key::Left), ctrl(Key::Left)], "ab |cd ef"),
            ("ab cd ef", &[home, ctrl(Key::Right)], "ab |cd ef"),
            ("ab cd ef", &[ctrl(Key::Left), ctrl(Key::Backspace)], "ab |ef"),
            ("ab cd ef", &[Press::ctrl('w')], "ab cd |"),
            ("ab cd ef", &[home, ctrl(Key::Delete)], "|cd ef"),
            ("ab cd", &[ctrl(Key::Left), Press::ctrl('k')], "ab |"),
            ("ab cd", &[ctrl(Key::Left), Press::ctrl('u')], "|cd"),
            ("abc", &[Press::ctrl('a'), Press::ctrl('f'), Press::ctrl('d')], "a|c"),
            ("abc", &[Press::ctrl('a'), Press::ctrl('e'), Press::ctrl('b')], "ab|c"),
            ("e\u{301}\u{1f469}\u{200d}\u{1f52c}", &[left, left], "|e\u{301}\u{1f469}\u{200d}\u{1f52c}"),
            ("e\u{301}\u{1f469}\u{200d}\u{1f52c}", &[backspace, backspace], "|"),
        ] {
            assert_eq!(edited(text, presses), expected, "{text:?} {presses:?}");
        }
        let mut line = LineEditor::new(9);
        for press in [Press::plain(Key::Up), Press::plain(Key::Esc), Press::plain(Key::Enter), Press::ctrl('c')] {
            assert!(!line.press(press), "{press}");
        }
    }

    #[test]
    fn pasted_text_is_clean_and_lands_at_the_cursor() {
        let mut line = LineEditor::new(12);
        line.insert("u:\n10\u{1b}[2J");
        assert_eq!(line.text(), "u:10[2J");
        line.press(Press::plain(Key::Home));
        line.insert(&"x".repeat(10_000));
        assert_eq!(line.parts(), ("xxxxx", "u:10[2J"));
        line.clear();
        assert_eq!(line.text(), "");
    }
}
