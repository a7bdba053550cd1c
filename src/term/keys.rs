//! What a sequence from the terminal means: keys in the forms of xterm, VT220, rxvt, the Linux and the SCO console, `PuTTY`
//! and kitty, and reports of the mouse. Where the bytes come from is not its concern.

use super::decode::Sequence;
use super::mouse;
use crate::app::event::Event;
use crate::app::keymap::{Key, Press};

/// Modifiers as xterm numbers them, one less than is sent: Shift 1, Alt 2, Ctrl 4; kitty adds Super 8, Hyper 16, Meta 32.
const ALT: u32 = 2;
const CTRL: u32 = 4;
const OTHERS: u32 = 8 | 16 | 32;

/// The event that a sequence is; nothing where it means nothing here.
pub fn event(sequence: Sequence) -> Option<Event> {
    match sequence {
        Sequence::Char('\x7f') => key(Key::Backspace, 0),
        Sequence::Char(c) => key(Key::Char(c), 0),
        Sequence::Control(byte) => control(byte).map(Event::Key),
        Sequence::Alt(c) => with_alt(c).map(Event::Key),
        Sequence::Key { parameters, last } => reported(&parameters, last),
        Sequence::Mouse([button, _, line]) => {
            mouse::read(u32::from(button).checked_sub(32)?, u16::from(line).checked_sub(32)?).map(Event::Mouse)
        }
        Sequence::Paste(text) => Some(Event::Paste(text)),
    }
}

/// A C0 control. Terminals send Backspace as 0x08 as well as 0x7f.
fn control(byte: u8) -> Option<Press> {
    match byte {
        0x1b => Some(Press::plain(Key::Esc)),
        b'\r' => Some(Press::plain(Key::Enter)),
        0x08 => Some(Press::plain(Key::Backspace)),
        b'\t' => None,
        0x01..=0x1a => Some(Press::ctrl(char::from(byte + b'a' - 1))),
        _ => None,
    }
}

/// What Alt is held with: the keys that shells move and delete by words with. With it, others are other keys, which
/// nothing is bound to.
fn with_alt(c: char) -> Option<Press> {
    match c {
        'b' => Some(Press { key: Key::Left, ctrl: true }),
        'f' => Some(Press { key: Key::Right, ctrl: true }),
        'd' => Some(Press { key: Key::Delete, ctrl: true }),
        '\x7f' | '\x08' => Some(Press { key: Key::Backspace, ctrl: true }),
        _ => None,
    }
}

/// A control sequence: a key with its modifiers, the mouse, or a report that nobody here asked for.
fn reported(parameters: &[u8], last: u8) -> Option<Event> {
    let (marker, numbers) = match parameters {
        [marker @ b'<'..=b'?', rest @ ..] => (Some(*marker), rest),
        all => (None, all),
    };
    // Digits with an intermediate behind them are a report.
    let numbers = std::str::from_utf8(numbers).ok()?;
    let mut fields = Vec::new();
    for field in numbers.split(';') {
        let mut parts = field.split(':').map(|part| if part.is_empty() { Ok(0) } else { part.parse::<u32>() });
        fields.push((parts.next()?.ok()?, parts.next().transpose().ok()?));
    }
    let number = |at: usize| fields.get(at).map_or(0, |(number, _)| *number);
    let line = || u16::try_from(number(2)).ok();
    match (marker, last) {
        (Some(b'<'), b'M') => return mouse::read(number(0), line()?).map(Event::Mouse),
        (None, b'M') if fields.len() == 3 => return mouse::read(number(0).checked_sub(32)?, line()?).map(Event::Mouse),
        (Some(_), _) => return None,
        (None, _) => {}
    }
    // kitty tells of a key that is let go with a 3 behind its modifiers.
    if fields.get(1).is_some_and(|(_, kind)| *kind == Some(3)) {
        return None;
    }
    // Of a key that is named by its letter, some terminals send the modifiers alone.
    let told = if fields.len() == 1 && last.is_ascii_uppercase() { number(0) } else { number(1) };
    let mut modifiers = told.saturating_sub(1);
    let code = match (last, number(0)) {
        (b'A' | b'a', _) => Key::Up,
        (b'B' | b'b', _) => Key::Down,
        (b'C' | b'c', _) => Key::Right,
        (b'D' | b'd', _) => Key::Left,
        (b'H', _) => Key::Home,
        (b'F', _) => Key::End,
        (b'M', _) => Key::Enter,
        // rxvt: Shift, Ctrl, and both.
        (b'~' | b'$' | b'^' | b'@', number) => {
            if matches!(last, b'^' | b'@') {
                modifiers |= CTRL;
            }
            match number {
                1 | 7 => Key::Home,
                4 | 8 => Key::End,
                3 => Key::Delete,
                5 => Key::PageUp,
                6 => Key::PageDown,
                // xterm, asked by some other program to tell every key with its modifiers.
                27 => return spelled(fields.get(2)?.0, modifiers),
                _ => return None,
            }
        }
        (b'u', number) => return spelled(number, modifiers),
        _ => return None,
    };
    // Alt with an arrow moves by words, as Ctrl does.
    if modifiers & (ALT | CTRL | OTHERS) == ALT && matches!(code, Key::Left | Key::Right | Key::Delete) {
        modifiers = CTRL;
    }
    key(code, modifiers)
}

/// A key that is told by the number of its character.
fn spelled(number: u32, modifiers: u32) -> Option<Event> {
    let code = match number {
        13 | 57414 => Key::Enter,
        27 => Key::Esc,
        8 | 127 => Key::Backspace,
        _ => Key::Char(char::from_u32(number).filter(|c| !c.is_control() && !('\u{e000}'..='\u{f8ff}').contains(c))?),
    };
    match code {
        Key::Char(c) if modifiers & (ALT | CTRL | OTHERS) == ALT => with_alt(c).map(Event::Key),
        code => key(code, modifiers),
    }
}

fn key(key: Key, modifiers: u32) -> Option<Event> {
    let ctrl = modifiers & CTRL > 0;
    let key = match key {
        Key::Char(c) if ctrl => Key::Char(c.to_ascii_lowercase()),
        key => key,
    };
    (modifiers & (ALT | OTHERS) == 0).then_some(Event::Key(Press { key, ctrl }))
}

#[cfg(test)]
mod tests {
    use super::super::decode::Decoder;
    use super::*;
    use crate::app::event::Mouse;

    fn read(bytes: &str) -> Vec<Event> {
        let mut decoder = Decoder::default();
        let mut sequences = decoder.feed(bytes.as_bytes());
        sequences.extend(decoder.give_up());
        sequences.into_iter().filter_map(event).collect()
    }

    fn plain(key: Key) -> Event {
        Event::Key(Press::plain(key))
    }

    fn ctrl(key: Key) -> Event {
        Event::Key(Press { key, ctrl: true })
    }

    #[test]
    fn keys_in_the_forms_of_many_terminals() {
        for (key, forms) in [
            (Key::Up, &["\x1b[A", "\x1bOA", "\x1b[1;2A", "\x1b[a"][..]),
            (Key::Down, &["\x1b[B", "\x1bOB"]),
            (Key::Right, &["\x1b[C", "\x1bOC"]),
            (Key::Left, &["\x1b[D", "\x1bOD", "\x1b[1;1:2D"]),
            (Key::Home, &["\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~", "\x1b[1;2H", "\x1b[7$"]),
            (Key::End, &["\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~", "\x1b[1;2F", "\x1b[8$"]),
            (Key::PageUp, &["\x1b[5~", "\x1b[5;2~"]),
            (Key::PageDown, &["\x1b[6~"]),
            (Key::Delete, &["\x1b[3~"]),
            (Key::Backspace, &["\x7f", "\x08", "\x1b[127u"]),
            (Key::Enter, &["\r", "\x1bOM", "\x1b[13u"]),
            (Key::Esc, &["\x1b", "\x1b[27u", "\x1b[27;1u"]),
            (Key::Char('G'), &["G", "\x1b[71;2u", "\x1b[27;2;71~"]),
            (Key::Char('\u{e9}'), &["\u{e9}"]),
        ] {
            for form in forms {
                assert_eq!(read(form), [plain(key)], "{form:?}");
            }
        }
    }

    #[test]
    fn keys_with_ctrl_and_keys_that_edit_by_words() {
        for (key, forms) in [
            (Key::Char('c'), &["\x03", "\x1b[99;5u", "\x1b[27;5;99~", "\x1b[67;6u"][..]),
            (Key::Char('z'), &["\x1a"]),
            (Key::Left, &["\x1b[1;5D", "\x1bO5D", "\x1b[1;3D", "\x1bb"]),
            (Key::Right, &["\x1b[1;5C", "\x1bf", "\x1b[102;3u"]),
            (Key::Delete, &["\x1b[3;5~", "\x1b[3^", "\x1bd"]),
            (Key::Backspace, &["\x1b\x7f", "\x1b\x08", "\x1b[127;5u"]),
            (Key::Home, &["\x1b[7^", "\x1b[1;5H"]),
        ] {
            for form in forms {
                assert_eq!(read(form), [ctrl(key)], "{form:?}");
            }
        }
    }

    #[test]
    fn what_means_nothing_does_nothing() {
        for form in [
            "\x1bq",
            "\t",
            "\0",
            "\x1b[113;3u",
            "\x1b[113;1:3u",
            "\x1b[1;9A",
            "\x1b[I",
            "\x1b[O",
            "\x1b[?62;22c",
            "\x1b[>0;276;0c",
            "\x1b[12;40R",
            "\x1b[8;24;80t",
            "\x1b[?2004;1$y",
            "\x1b[?1u",
            "\x1b[15~",
            "\x1b[201~",
            "\x1bOP",
            "\x1b[[A",
            "\x1b[57399u",
            "\x1b[4294967296A",
            "\x1b[Z",
        ] {
            assert_eq!(read(form), [], "{form:?}");
        }
    }

    #[test]
    fn the_mouse_in_its_three_forms() {
        let (up, click) = (Event::Mouse(Mouse::Wheel { down: false }), Event::Mouse(Mouse::Click { line: 6 }));
        for (form, expected) in [
            ("\x1b[<64;10;7M", Some(&up)),
            ("\x1b[<0;10;7M", Some(&click)),
            ("\x1b[<0;10;7m", None),
            ("\x1b[<4;10;7M", None),
            ("\x1b[32;10;7M", Some(&click)),
            ("\x1b[M *'", Some(&click)),
            ("\x1b[M#*'", None),
            ("\x1b[<0;10;99999M", None),
        ] {
            assert_eq!(read(form).first(), expected, "{form:?}");
        }
    }
}
