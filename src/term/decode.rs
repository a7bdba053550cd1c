//! From bytes of the terminal to the sequences they are made of (ECMA-48, section 5): characters, controls, control
//! sequences, pastes. Control strings (OSC, DCS, APC, SOS, PM) are a terminal's answers to some other program's question;
//! they come to nothing here, wherever a network cuts them. What a key means is not this file's concern.
//!
//! Whoever feeds it keeps the time: [`Decoder::patience`] says how long what has come may wait for the rest, and
//! [`Decoder::give_up`] ends the wait.

use std::time::Duration;

/// How long an escape may wait for the rest of its sequence. Whoever presses Esc waits for this. Networks and
/// multiplexers cut sequences less than 100 ms apart.
pub const AFTER_ESCAPE: Duration = Duration::from_millis(150);

/// How long a sequence that has begun may be silent before it counts as given up.
pub const SILENCE: Duration = Duration::from_secs(1);

/// The same for pasted text, which would run as commands if it were given up too soon.
pub const PASTE_SILENCE: Duration = Duration::from_secs(5);

/// The longest parameters that mean anything; whatever is longer is passed over to its end.
const LONGEST_PARAMETERS: usize = 64;

/// Bytes of pasted text that are kept.
const LONGEST_PASTE: usize = 64 * 1024;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
const CANCEL: u8 = 0x18;
const SUBSTITUTE: u8 = 0x1a;
const CTRL_C: u8 = 0x03;
const PASTE_BEGINS: &[u8] = b"200";
const PASTE_ENDS: &[u8] = b"\x1b[201~";

/// One whole sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// A printable character, or DEL.
    Char(char),
    /// A C0 control, the escape among them: Esc alone.
    Control(u8),
    /// A character or control right behind an escape, in one piece with it: typed with Alt.
    Alt(char),
    /// A control sequence (CSI) or a key of the keypad (SS3).
    Key {
        /// Parameters and intermediates.
        parameters: Vec<u8>,
        /// The byte that ends it, and tells which it is.
        last: u8,
    },
    /// A report of the mouse in the oldest form: button, column and line, each with 32 added.
    Mouse([u8; 3]),
    /// Pasted text.
    Paste(String),
}

/// What has begun and is not whole yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Ground,
    /// An escape came, maybe the Esc key.
    Escape,
    /// The parameters so far, `None` where they have become too long.
    Parameters(Option<Vec<u8>>),
    /// SS3: the name of a key of the keypad follows, which some terminals put a modifier before.
    Keypad(Vec<u8>),
    /// The name of a function key of the Linux console follows, one byte.
    FunctionKey,
    Mouse(Vec<u8>),
    /// Inside of a control string.
    Text,
    /// Inside of a control string, after an escape.
    TextEscape,
    Paste(Vec<u8>),
    /// The first bytes of a character of several, and whether it is typed with Alt.
    Character(Vec<u8>, bool),
}

/// Takes bytes, in whatever pieces they come.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    state: State,
    whole: Vec<Sequence>,
}

impl Decoder {
    /// Takes bytes that came in one piece; returns the sequences that are whole with them.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Sequence> {
        for (at, byte) in bytes.iter().enumerate() {
            // An escape that came in an earlier piece is a key of its own, unless what follows is known to belong to it.
            self.take(*byte, at > 0);
        }
        std::mem::take(&mut self.whole)
    }

    /// How long what has come may wait for the rest; `None` where it waits for nothing.
    pub fn patience(&self) -> Option<Duration> {
        match self.state {
            State::Ground | State::Character(..) => None,
            State::Escape => Some(AFTER_ESCAPE),
            State::Paste(_) => Some(PASTE_SILENCE),
            _ => Some(SILENCE),
        }
    }

    /// The rest did not come in time. An escape alone is the Esc key, and a paste is what came of it; anything else that
    /// is not whole is nothing.
    pub fn give_up(&mut self) -> Vec<Sequence> {
        match std::mem::take(&mut self.state) {
            State::Escape => self.whole.push(Sequence::Control(ESC)),
            State::Paste(text) => self.whole.push(pasted(&text)),
            _ => {}
        }
        std::mem::take(&mut self.whole)
    }

    fn take(&mut self, byte: u8, is_same_piece: bool) {
        match std::mem::take(&mut self.state) {
            State::Ground => self.begin(byte, false),
            State::Escape => self.after_escape(byte, is_same_piece),
            State::Parameters(parameters) => self.parameter(parameters, byte),
            State::Keypad(mut parameters) => match byte {
                b'0'..=b'9' | b';' if parameters.len() < LONGEST_PARAMETERS => {
                    parameters.push(byte);
                    self.state = State::Keypad(parameters);
                }
                b'A'..=b'Z' | b'a'..=b'z' => self.whole.push(Sequence::Key { parameters, last: byte }),
                _ => self.begin(byte, false),
            },
            State::Mouse(mut report) => {
                report.push(byte);
                match <[u8; 3]>::try_from(report) {
                    Ok(report) => self.whole.push(Sequence::Mouse(report)),
                    Err(report) => self.state = State::Mouse(report),
                }
            }
            State::Text => match byte {
                BEL | CANCEL | SUBSTITUTE => {}
                // No answer holds it, and leaving must always work.
                CTRL_C => self.begin(byte, false),
                ESC => self.state = State::TextEscape,
                _ => self.state = State::Text,
            },
            // The end of the string (ST), or the beginning of another sequence, which ends it as well.
            State::TextEscape if begins(byte).is_some() => self.after_escape(byte, true),
            State::TextEscape if byte == ESC => self.state = State::TextEscape,
            State::TextEscape if byte == CTRL_C => self.begin(byte, false),
            State::FunctionKey | State::TextEscape => {}
            State::Paste(mut text) => {
                text.push(byte);
                if text.ends_with(PASTE_ENDS) {
                    text.truncate(text.len() - PASTE_ENDS.len());
                    self.whole.push(pasted(&text));
                } else {
                    if text.len() > LONGEST_PASTE {
                        // What is left out is the last but the part that may be the beginning of the end.
                        text.remove(LONGEST_PASTE - PASTE_ENDS.len());
                    }
                    self.state = State::Paste(text);
                }
            }
            State::Character(mut bytes, is_alt) => {
                if !(0x80..0xc0).contains(&byte) {
                    // What came before is no character, and swallows nothing.
                    return self.begin(byte, false);
                }
                bytes.push(byte);
                match std::str::from_utf8(&bytes) {
                    Ok(text) => self.whole.extend(text.chars().map(|c| typed(c, is_alt))),
                    Err(error) if error.error_len().is_none() => self.state = State::Character(bytes, is_alt),
                    Err(_) => {}
                }
            }
        }
    }

    /// A byte that continues nothing. With `is_alt` it came behind an escape, in one piece with it.
    fn begin(&mut self, byte: u8, is_alt: bool) {
        match byte {
            ESC => self.state = State::Escape,
            0..0x20 => self.whole.push(if is_alt { Sequence::Alt(byte.into()) } else { Sequence::Control(byte) }),
            0x20..0x80 => self.whole.push(typed(byte.into(), is_alt)),
            0xc2..=0xf4 => self.state = State::Character(vec![byte], is_alt),
            // No character begins so.
            _ => {}
        }
    }

    fn after_escape(&mut self, byte: u8, is_same_piece: bool) {
        match begins(byte) {
            Some(state) => self.state = state,
            None if byte == ESC || (!is_same_piece && byte != b'\\') => {
                self.whole.push(Sequence::Control(ESC));
                self.begin(byte, false);
            }
            None if byte == CTRL_C => self.begin(byte, false),
            None => self.begin(byte, true),
        }
    }

    fn parameter(&mut self, parameters: Option<Vec<u8>>, byte: u8) {
        match byte {
            // rxvt ends the keys that Shift is held with so. Elsewhere it is an intermediate, and a report goes on.
            b'$' if parameters.as_ref().is_some_and(|digits| is_number(digits)) => self.key(parameters, byte),
            0x20..0x40 => {
                let parameters = parameters.map(|mut so_far| {
                    so_far.push(byte);
                    so_far
                });
                self.state = State::Parameters(parameters.filter(|so_far| so_far.len() <= LONGEST_PARAMETERS));
            }
            0x40..0x7f => self.key(parameters, byte),
            // DEL is nothing inside of a sequence.
            0x7f => self.state = State::Parameters(parameters),
            CANCEL | SUBSTITUTE => {}
            // Whatever else comes is no part of it.
            _ => self.begin(byte, false),
        }
    }

    fn key(&mut self, parameters: Option<Vec<u8>>, last: u8) {
        let Some(parameters) = parameters else { return };
        match (parameters.as_slice(), last) {
            (b"", b'M') => self.state = State::Mouse(Vec::new()),
            (b"", b'[') => self.state = State::FunctionKey,
            (PASTE_BEGINS, b'~') => self.state = State::Paste(Vec::new()),
            _ => self.whole.push(Sequence::Key { parameters, last }),
        }
    }
}

/// What begins with `byte` behind an escape.
fn begins(byte: u8) -> Option<State> {
    match byte {
        b'[' => Some(State::Parameters(Some(Vec::new()))),
        b'O' => Some(State::Keypad(Vec::new())),
        // OSC, DCS, APC, PM, SOS.
        b']' | b'P' | b'_' | b'^' | b'X' => Some(State::Text),
        _ => None,
    }
}

fn is_number(digits: &[u8]) -> bool {
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

fn typed(c: char, is_alt: bool) -> Sequence {
    if is_alt { Sequence::Alt(c) } else { Sequence::Char(c) }
}

fn pasted(text: &[u8]) -> Sequence {
    Sequence::Paste(String::from_utf8_lossy(text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of pieces between which so much time passes.
    fn decoded(pieces: &[&[u8]], apart: Duration) -> Vec<Sequence> {
        let mut decoder = Decoder::default();
        let mut found = Vec::new();
        for piece in pieces {
            found.extend(decoder.feed(piece));
            if decoder.patience().is_some_and(|patience| patience < apart) {
                found.extend(decoder.give_up());
            }
        }
        found
    }

    const CUT: Duration = Duration::from_millis(100);
    const LONG: Duration = Duration::from_secs(60);

    /// The same bytes in one piece, cut at every place, and byte by byte.
    fn cuts(bytes: &[u8]) -> impl Iterator<Item = Vec<&[u8]>> {
        let cut = (1..bytes.len()).map(|at| vec![&bytes[..at], &bytes[at..]]);
        cut.chain([vec![bytes], bytes.chunks(1).collect()])
    }

    #[test]
    fn answers_to_other_programs_come_to_nothing() {
        for answer in [
            "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\",
            "\x1b]11;rgb:1e1e/1e1e/1e1e\x07",
            "\x1b]52;c;cXVpdA==\x07",
            "\x1bP>|tmux 3.3a\x1b\\",
            "\x1bP1+r544e=787465726d\x1b\\",
            "\x1b_Gi=31;OK\x1b\\",
            "\x1b^q\x1b\\",
            "\x1bXjjq\nq\r\x1b\\",
            "\x1b]l\u{441}\u{9c}q\x1b\\",
        ] {
            let followed = format!("{answer}j");
            for pieces in cuts(followed.as_bytes()) {
                assert_eq!(decoded(&pieces, CUT), [Sequence::Char('j')], "{pieces:?}");
            }
        }
    }

    #[test]
    fn control_sequences_stay_whole_wherever_they_are_cut() {
        for (bytes, parameters, last) in [
            ("\x1b[A", "", b'A'),
            ("\x1bOH", "", b'H'),
            ("\x1b[1;5D", "1;5", b'D'),
            ("\x1b[7$", "7", b'$'),
            ("\x1b[?62;22c", "?62;22", b'c'),
            ("\x1b[12;40R", "12;40", b'R'),
            ("\x1b[?2004;1$y", "?2004;1$", b'y'),
            ("\x1b[<64;10;3M", "<64;10;3", b'M'),
        ] {
            for pieces in cuts(bytes.as_bytes()) {
                let expected = Sequence::Key { parameters: parameters.into(), last };
                assert_eq!(decoded(&pieces, CUT), [expected], "{pieces:?}");
            }
        }
        let endless = format!("\x1b[{}cj", "1;".repeat(500));
        assert_eq!(decoded(&[endless.as_bytes()], CUT), [Sequence::Char('j')]);
        assert_eq!(decoded(&[b"\x1b[[Aj"], CUT), [Sequence::Char('j')], "F1 of the Linux console");
        assert_eq!(decoded(&[b"\x1b[Mq", b"q\xffj"], CUT), [Sequence::Mouse(*b"qq\xff"), Sequence::Char('j')]);
    }

    #[test]
    fn esc_is_a_key_once_nothing_follows_it() {
        let esc = Sequence::Control(ESC);
        assert_eq!(decoded(&[b"\x1b"], LONG), std::slice::from_ref(&esc));
        assert_eq!(decoded(&[b"\x1b"], CUT), []);
        assert_eq!(decoded(&[b"\x1b", b"j"], CUT), [esc.clone(), Sequence::Char('j')], "two keys in haste");
        assert_eq!(decoded(&[b"\x1b", b"]"], LONG), [esc.clone(), Sequence::Char(']')], "two keys at leisure");
        assert_eq!(decoded(&[b"\x1bj"], CUT), [Sequence::Alt('j')]);
        assert_eq!(decoded(&["\x1b\u{e9}".as_bytes()], CUT), [Sequence::Alt('\u{e9}')]);
        assert_eq!(decoded(&[b"\x1b\x1b", b"[A"], CUT).len(), 2, "Esc, and an arrow");
        assert_eq!(decoded(&[b"\x1b\x03"], CUT), [Sequence::Control(CTRL_C)]);
    }

    #[test]
    fn what_never_ends_is_given_up() {
        for begun in ["\x1b]11;", "\x1bP", "\x1b[12", "\x1bO", "\x1b[M", "\x1b[[", "\x1b_a\x1b"] {
            assert_eq!(decoded(&[begun.as_bytes(), b"q"], LONG), [Sequence::Char('q')], "{begun:?}");
        }
        for begun in ["\x1b]11;", "\x1bP", "\x1b[12", "\x1bO", "\x1b]a\x1b", "\x1b"] {
            let came = decoded(&[begun.as_bytes(), b"\x03"], CUT);
            assert_eq!(came.last(), Some(&Sequence::Control(CTRL_C)), "{begun:?}: leaving always works");
        }
        let arrow = Sequence::Key { parameters: Vec::new(), last: b'A' };
        assert_eq!(decoded(&[b"\x1b]", b"\x1b[A"], CUT), [arrow], "a string that another sequence ends");
        assert_eq!(decoded(&[b"\x1b]q\x18j"], CUT), [Sequence::Char('j')], "cancelled");
    }

    #[test]
    fn bytes_that_are_no_character_swallow_no_key() {
        for bytes in [&b"\xc3j"[..], b"\xe2\x82j", b"\xffj", b"\x80j", b"\xf0\x9f\x98j", b"\xc3\xc3j", b"\xe2\x28\xa1j"]
        {
            let came = decoded(&[bytes], CUT);
            assert_eq!(came.last(), Some(&Sequence::Char('j')), "{bytes:?}");
        }
        for pieces in cuts("\u{1f600}\u{e9}".as_bytes()) {
            assert_eq!(decoded(&pieces, LONG), [Sequence::Char('\u{1f600}'), Sequence::Char('\u{e9}')]);
        }
    }

    #[test]
    fn what_is_pasted_is_text() {
        let text = "q\r\x1b[A\x1b]0;\u{e9}";
        let bytes = format!("\x1b[200~{text}\x1b[201~j");
        for pieces in cuts(bytes.as_bytes()) {
            let expected = [Sequence::Paste(text.to_owned()), Sequence::Char('j')];
            assert_eq!(decoded(&pieces, CUT), expected, "{pieces:?}");
        }
        let slow: [&[u8]; 2] = [b"\x1b[200~q\r", b"q\x1b[201~"];
        assert_eq!(decoded(&slow, Duration::from_secs(2)), [Sequence::Paste("q\rq".to_owned())], "over a slow link");
        let long = format!("\x1b[200~{}\x1b[201~j", "x".repeat(2 * LONGEST_PASTE));
        let came = decoded(&[long.as_bytes()], CUT);
        assert!(matches!(&came[..], [Sequence::Paste(text), Sequence::Char('j')] if text.len() <= LONGEST_PASTE));
        assert_eq!(decoded(&[b"\x1b[200~ab"], LONG), [Sequence::Paste("ab".to_owned())], "an end that never came");
    }
}
