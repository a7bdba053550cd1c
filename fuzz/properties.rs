//! What holds of any bytes: the escape lets no control through, cursors come back, keys are read as they are rendered,
//! and a terminal's answers to others are no keys.
//! The fuzzers look for bytes that break it; `tests/corpus.rs` holds it for those that are kept in `fuzz/corpus`.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ranktop::app::event::Event;
use ranktop::app::keymap::{Key as Pressed, Press};
use ranktop::board::board_template::BoardTemplate;
use ranktop::board::cursor::Cursor;
use ranktop::board::keys::{Key, base_of, frozen_key, frozen_of, hash_tag, is_companion, split_period};
use ranktop::board::period::Period;
use ranktop::board::template::{CompanionTemplate, MemberTemplate};
use ranktop::term::decode::Decoder;
use ranktop::term::keys;
use ranktop::text;
use ranktop::text::{Charset, columns, escape_to, fit, pad};
use unicode_segmentation::UnicodeSegmentation;

/// No control, nothing that reorders or hides, few marks on one letter, nothing but ASCII where that is all there is;
/// what is cut fits; and the bytes can be read back.
pub(crate) fn escape(bytes: &[u8]) {
    for charset in [Charset::Utf8, Charset::Ascii] {
        let whole = text::escape(bytes, charset);
        assert_drawable(&whole, charset);
        if !whole.contains("\\…") {
            assert_eq!(read_back(&whole).as_deref(), Some(bytes), "{whole}");
        }
        // The first byte says how much room there is.
        let width = bytes.first().map_or(0, |byte| usize::from(*byte) / 3);
        let cut = escape_to(bytes, width, charset);
        assert_drawable(&cut, charset);
        assert!(columns(&cut) <= width, "{width}: {cut}");
        assert!(columns(&fit(&whole, width, charset)) <= width, "{width}: {whole}");
        assert_eq!(columns(&pad(&whole, width, charset)), width, "{whole}");
    }
}

fn assert_drawable(text: &str, charset: Charset) {
    let is_forbidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0001}')
    };
    assert!(!text.contains(is_forbidden), "{text:?}");
    assert!(charset == Charset::Utf8 || text.is_ascii(), "{text:?}");
    for grapheme in text.graphemes(true) {
        assert!(grapheme.chars().count() <= 16, "{} code points in one cell: {grapheme:?}", grapheme.chars().count());
    }
}

/// The bytes that an escaped text stands for.
fn read_back(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        match rest.next()? {
            '\\' => bytes.push(b'\\'),
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            'e' => bytes.push(0x1b),
            'x' => bytes.push(u8::from_str_radix(&rest.by_ref().take(2).collect::<String>(), 16).ok()?),
            'u' => {
                rest.next().filter(|c| *c == '{')?;
                let digits: String = rest.by_ref().take_while(|c| *c != '}').collect();
                let c = char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?;
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => return None,
        }
    }
    Some(bytes)
}

/// A text is refused, or is a cursor that comes back as it is; both as it stands and as the inside of one.
pub(crate) fn cursor(bytes: &[u8]) {
    let inside = URL_SAFE_NO_PAD.encode(bytes);
    for text in [std::str::from_utf8(bytes).ok(), Some(inside.as_str())].into_iter().flatten() {
        match Cursor::decode(text) {
            Ok(cursor) => assert_eq!(Cursor::decode(&cursor.encode()), Ok(cursor), "{text}"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// The first line is a template, the second a game or a member, the third a key. What a template renders it reads, and
/// what it reads it renders.
pub(crate) fn template(bytes: &[u8]) {
    let mut lines = bytes.splitn(3, |byte| *byte == b'\n');
    let mut next = || lines.next().unwrap_or_default();
    let (template, name, key) = (next(), next(), Key::from(next()));
    whole_key(&key);
    let Ok(template) = std::str::from_utf8(template) else { return };
    if let Ok(boards) = template.parse::<BoardTemplate>() {
        assert_eq!(boards.to_string(), template);
        for period in [None, "2026-W41".parse::<Period>().ok(), "2026-10-09".parse().ok(), "2026-10".parse().ok()] {
            if let Ok(rendered) = boards.key(name, period.as_ref()) {
                assert!(boards.read(&rendered).is_some(), "{rendered:?} of {template}");
                read_renders(&boards, &rendered);
            }
        }
        read_renders(&boards, &key);
    }
    if let Ok(companions) = template.parse::<CompanionTemplate>() {
        assert_eq!(companions.to_string(), template);
        whole_key(&companions.of(&key));
    }
    if let Ok(members) = template.parse::<MemberTemplate>() {
        assert_eq!(members.to_string(), template);
        assert!(members.of(name).as_ref().len() + "<member>".len() == template.len() + name.len());
    }
}

fn read_renders(boards: &BoardTemplate, key: &Key) {
    if let Some((game, period)) = boards.read(key) {
        assert_eq!(boards.key(&game, period.as_ref()).as_ref(), Ok(key), "{boards}");
    }
}

/// What is read off a key's shape is a part of it, and a frozen copy is told from its board.
fn whole_key(key: &Key) {
    let bytes = key.as_ref();
    let (base, period) = split_period(bytes);
    if let Some(period) = period {
        assert_eq!([base, b":", period.to_string().as_bytes()].concat(), bytes);
    }
    // What is left out is a period at the end, or a word in the middle that names a copy.
    let mut rest = bytes.iter();
    assert!(base_of(key).as_ref().iter().all(|byte| rest.any(|other| other == byte)));
    assert!(hash_tag(key).is_none_or(|tag| !tag.is_empty() && tag.len() + 2 <= bytes.len()));
    let _ = is_companion(key);
    if let Some((board, version)) = frozen_of(key) {
        assert_eq!(frozen_key(&board, &version), *key);
    }
}

/// The first byte says how long the pieces are, and the next one what ends a control string. No bytes are more events
/// than there are bytes, nor swallow a key once they have been silent; and inside of a control string or a report they
/// are nothing at all.
pub(crate) fn input(bytes: &[u8]) {
    let [size, end, bytes @ ..] = bytes else { return };
    let size = usize::from(size % 7) + 1;
    let mut decoder = Decoder::default();
    let mut events = fed(&mut decoder, bytes, size);
    events.extend(decoder.give_up().into_iter().filter_map(keys::event));
    assert!(events.len() <= bytes.len(), "{events:?}");
    let key = Event::Key(Press::plain(Pressed::Char('j')));
    assert_eq!(fed(&mut decoder, b"j", 1), std::slice::from_ref(&key), "after {bytes:?}");

    // What ends a string, and Ctrl-C, which works anywhere.
    let inside: Vec<u8> =
        bytes.iter().copied().filter(|byte| !matches!(byte, 0x03 | 0x07 | 0x18 | 0x1a | 0x1b)).collect();
    let ends: [&[u8]; 4] = [b"\x07", b"\x1b\\", b"\x18", b"\x1a"];
    for begin in [b"\x1b]", b"\x1bP", b"\x1b_", b"\x1b^", b"\x1bX"] {
        let answer = [&begin[..], &inside, ends[usize::from(end % 4)]].concat();
        assert_eq!(fed(&mut decoder, &answer, size), [], "{answer:?}");
        assert_eq!(fed(&mut decoder, b"j", 1), std::slice::from_ref(&key), "after {answer:?}");
    }
    let parameters: Vec<u8> = bytes.iter().map(|byte| 0x20 + byte % 0x20).collect();
    for begin in [b"\x1b[?", b"\x1b[>", b"\x1b[="] {
        let report = [&begin[..], &parameters, b"c"].concat();
        assert_eq!(fed(&mut decoder, &report, size), [], "{report:?}");
        assert_eq!(fed(&mut decoder, b"j", 1), std::slice::from_ref(&key), "after {report:?}");
    }
}

/// The events of bytes that come in pieces, none of them late.
fn fed(decoder: &mut Decoder, bytes: &[u8], size: usize) -> Vec<Event> {
    bytes.chunks(size).flat_map(|piece| decoder.feed(piece)).filter_map(keys::event).collect()
}
