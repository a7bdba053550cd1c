//! Keys whose bytes come apart, as over a network that cuts between them. The terminal library takes an escape that comes
//! alone for the Esc key, and what follows for letters; here they are put together again. It knows no meaning of a key.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// So long after an escape the rest of its key may come. Whoever presses Esc waits for this, so it is short.
pub(super) const GAP: Duration = Duration::from_millis(40);

/// The longest rest of a key that anybody sends: that of a modified function key has seven characters.
const LONGEST: usize = 8;

/// Puts keys together from what `next` brings.
#[derive(Debug, Default)]
pub(super) struct Joined {
    /// What came behind an escape and was no part of its key.
    waiting: VecDeque<Event>,
}

impl Joined {
    /// The next event. `next` waits for one as long as it is told to, for ever where it is told nothing; it brings
    /// nothing where none came in time.
    pub(super) fn read(
        &mut self,
        mut next: impl FnMut(Option<Duration>) -> io::Result<Option<Event>>,
    ) -> io::Result<Event> {
        let mut next = |waiting: &mut VecDeque<Event>, limit| match waiting.pop_front() {
            Some(event) => Ok(Some(event)),
            None => next(limit),
        };
        let first = loop {
            if let Some(event) = next(&mut self.waiting, None)? {
                break event;
            }
        };
        if !is_press(&first, KeyCode::Esc) {
            return Ok(first);
        }
        let (mut rest, mut taken) = (String::new(), Vec::new());
        while rest.len() < LONGEST {
            let Some(event) = next(&mut self.waiting, Some(GAP))? else { break };
            let c = letter(&event);
            taken.push(event);
            let Some(c) = c else { break };
            rest.push(c);
            if !is_begun(&rest) {
                break;
            }
            if rest.len() > 1 && (c == '~' || c.is_ascii_alphabetic()) {
                // A key that is not known is none, but it is not its letters either.
                let code = key(&rest).unwrap_or(KeyCode::Null);
                return Ok(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
            }
        }
        for event in taken.into_iter().rev() {
            self.waiting.push_front(event);
        }
        Ok(first)
    }
}

fn is_press(event: &Event, code: KeyCode) -> bool {
    matches!(event, Event::Key(key) if key.code == code && key.modifiers.is_empty() && key.kind != KeyEventKind::Release)
}

fn letter(event: &Event) -> Option<char> {
    match event {
        Event::Key(KeyEvent { code: KeyCode::Char(c), modifiers, .. })
            if (*modifiers - KeyModifiers::SHIFT).is_empty() && c.is_ascii() =>
        {
            Some(*c)
        }
        _ => None,
    }
}

/// True where what follows an escape is the beginning of a key: ECMA-48 `CSI` with its parameters, or `SS3`.
fn is_begun(rest: &str) -> bool {
    let is_parameter = |c: char| c.is_ascii_digit() || matches!(c, ';' | ':');
    match rest.strip_prefix('[') {
        Some(rest) => {
            let inner = rest.strip_suffix(|c: char| c == '~' || c.is_ascii_alphabetic()).unwrap_or(rest);
            inner.chars().all(is_parameter)
        }
        None => rest.starts_with('O') && rest.chars().skip(1).all(|c| c.is_ascii_alphabetic()),
    }
}

/// The keys that a table is moved about with, in the forms of xterm and of the Linux console, without modifiers.
fn key(rest: &str) -> Option<KeyCode> {
    Some(match rest {
        "[A" | "OA" => KeyCode::Up,
        "[B" | "OB" => KeyCode::Down,
        "[C" | "OC" => KeyCode::Right,
        "[D" | "OD" => KeyCode::Left,
        "[H" | "OH" | "[1~" | "[7~" => KeyCode::Home,
        "[F" | "OF" | "[4~" | "[8~" => KeyCode::End,
        "[5~" => KeyCode::PageUp,
        "[6~" => KeyCode::PageDown,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(c: char) -> Event {
        let code = if c == '\u{1b}' { KeyCode::Esc } else { KeyCode::Char(c) };
        Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    /// What comes of characters that are read one by one; `.` is a gap.
    fn read(characters: &str) -> Vec<Event> {
        let mut source = characters.chars();
        let mut joined = Joined::default();
        let mut events = Vec::new();
        loop {
            let read = joined.read(|limit| match source.next() {
                Some('.') | None if limit.is_some() => Ok(None),
                Some('.') => Ok(Some(Event::FocusGained)),
                Some(c) => Ok(Some(pressed(c))),
                None => Err(io::ErrorKind::UnexpectedEof.into()),
            });
            match read {
                Ok(Event::FocusGained) => {}
                Ok(event) => events.push(event),
                Err(_) => return events,
            }
        }
    }

    fn code(code: KeyCode) -> Event {
        Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn keys_are_put_together() {
        for (characters, expected) in [
            ("\u{1b}[A", KeyCode::Up),
            ("\u{1b}OB", KeyCode::Down),
            ("\u{1b}[6~", KeyCode::PageDown),
            ("\u{1b}[7~", KeyCode::Home),
            ("\u{1b}[F", KeyCode::End),
            ("\u{1b}[15~", KeyCode::Null),
            ("\u{1b}[1;5A", KeyCode::Null),
        ] {
            assert_eq!(read(characters), [code(expected)], "{characters:?}");
            let twice = format!("j{characters}{characters}k");
            assert_eq!(read(&twice), [pressed('j'), code(expected), code(expected), pressed('k')], "{characters:?}");
        }
    }

    #[test]
    fn what_is_no_key_stays_as_it_came() {
        for characters in [
            "\u{1b}",
            "\u{1b}j",
            "\u{1b}\u{1b}",
            "\u{1b}[",
            "\u{1b}[x[",
            "\u{1b}O[",
            "[A",
            "\u{1b}[5;",
            "\u{1b}[12345678~",
        ] {
            let expected: Vec<Event> = characters.chars().map(pressed).collect();
            if characters == "\u{1b}[x[" {
                assert_eq!(read(characters), [code(KeyCode::Null), pressed('[')], "a key that nobody knows");
            } else {
                assert_eq!(read(characters), expected, "{characters:?}");
            }
        }
        assert_eq!(read("\u{1b}\u{1b}[A"), [code(KeyCode::Esc), code(KeyCode::Up)], "behind another");
        assert_eq!(read("\u{1b}.[A"), [code(KeyCode::Esc), pressed('['), pressed('A')], "after a gap");
    }
}
