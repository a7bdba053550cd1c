//! Hostile bytes one by one, then any bytes against a reader that turns the escape back.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use super::cutting::prefix;
use super::escape::CLUSTER;
use super::*;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

fn drawn(text: &str) -> String {
    escape(text.as_bytes(), Charset::Utf8)
}

/// Written from the names of the characters, not from the code's ranges.
fn is_forbidden(c: char) -> bool {
    let format = [
        0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x180e, 0x200b, 0x200c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b,
        0x202c, 0x202d, 0x202e, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069, 0x206a, 0x206f,
        0x3164, 0xfeff, 0xffa0, 0xfff9, 0xfffa, 0xfffb, 0x1d173, 0xe0001, 0xe0020, 0xe0061, 0xe007f, 0xfffe, 0xffff,
        0x10_ffff,
    ];
    c.is_control() || format.contains(&u32::from(c))
}

/// Reads an escape back; `None` where something was dropped. It looks at no more than the backslashes.
fn read_back(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        match chars.next().expect("something follows a backslash") {
            '\\' => bytes.push(b'\\'),
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            'e' => bytes.push(0x1b),
            'x' => {
                let hex: String = chars.by_ref().take(2).collect();
                bytes.push(u8::from_str_radix(&hex, 16).expect("two hex digits"));
            }
            'u' => {
                let hex: String = chars.by_ref().skip(1).take_while(|c| *c != '}').collect();
                let code = u32::from_str_radix(&hex, 16).expect("hex digits");
                let c = char::from_u32(code).expect("a character");
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            '…' => return None,
            other => panic!("no such escape: {other:?}"),
        }
    }
    Some(bytes)
}

/// Draws `text`, then a bar where the buffer says that it ended; tells that column.
fn lay_out(text: &str, width: u16) -> (usize, Buffer) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, 1));
    let (next, _) = buffer.set_stringn(0, 0, text, usize::MAX, Style::default());
    buffer.set_stringn(next, 0, "|", 1, Style::default());
    (usize::from(next), buffer)
}

#[test]
fn hostile_bytes_are_told_and_not_obeyed() {
    for (bytes, expected) in [
        (&b""[..], ""),
        (b"u:1000", "u:1000"),
        (b"a b", "a b"),
        (b"C:\\temp", "C:\\\\temp"),
        (b"\0", "\\x00"),
        (b"a\tb\r\nc\n", "a\\tb\\r\\nc\\n"),
        (b"\x1b[31mred\x1b[0m", "\\e[31mred\\e[0m"),
        (b"\x1b]0;title\x07", "\\e]0;title\\x07"),
        (b"\x7f", "\\x7f"),
        (b"\x9b31m", "\\x9b31m"),
        ("\u{9b}31m".as_bytes(), "\\u{9b}31m"),
        ("\u{85}".as_bytes(), "\\u{85}"),
        (b"\xff\xfe", "\\xff\\xfe"),
        (b"\xed\xa0\x80", "\\xed\\xa0\\x80"),
        (b"\xc3", "\\xc3"),
        ("a\u{202e}b\u{2066}c\u{200f}".as_bytes(), "a\\u{202e}b\\u{2066}c\\u{200f}"),
        ("\u{2028}\u{2029}".as_bytes(), "\\u{2028}\\u{2029}"),
        ("\u{feff}a\u{ad}b\u{200b}c\u{2060}".as_bytes(), "\\u{feff}a\\u{ad}b\\u{200b}c\\u{2060}"),
        ("\u{e0041}\u{fff9}\u{ffff}".as_bytes(), "\\u{e0041}\\u{fff9}\\u{ffff}"),
        ("\u{3164}\u{115f}\u{1160}\u{ffa0}".as_bytes(), "\\u{3164}\\u{115f}\\u{1160}\\u{ffa0}"),
        ("\u{e000}\u{fffd}".as_bytes(), "\u{e000}\u{fffd}"),
        // Nothing to stand on.
        ("\u{301}a".as_bytes(), "\\u{301}a"),
        ("\n\u{301}".as_bytes(), "\\n\\u{301}"),
        (b"\xff\xcc\x81", "\\xff\\u{301}"),
        ("a\u{200d}\u{301}".as_bytes(), "a\\u{200d}\\u{301}"),
        ("\\\u{308}".as_bytes(), "\\\\\\u{308}"),
        ("\u{1161}\u{11a8}".as_bytes(), "\\u{1161}\\u{11a8}"),
    ] {
        assert_eq!(escape(bytes, Charset::Utf8), expected, "of {bytes:?}");
    }
}

#[test]
fn names_of_people_pass_unchanged() {
    for name in [
        "Zoë Ångström",
        "Zoe\u{308} A\u{30a}ngstro\u{308}m",
        "Алан Тьюринг",
        "华罗庚",
        "伊藤清",
        "葛\u{e0100}城",
        "محمد الخوارزمي",
        "שָׁלוֹם",
        "หน้ากำ",
        "स्त्री क्ष",
        "தமிழ்",
        "각 \u{1100}\u{1161}\u{11a8}",
        "ﾀﾛｳ",
        "Paul Erdős",
        "…",
        "}\u{301}",
    ] {
        assert_eq!(drawn(name), name);
    }
}

#[test]
fn emoji_keep_the_joints_that_are_theirs() {
    for emoji in ["🇩🇪🇫🇷", "👨‍👩‍👧‍👦", "👩🏻‍❤️‍💋‍👨🏿", "🏳️‍🌈", "🏴‍☠️", "👁️‍🗨️", "🏃‍♂️‍➡️", "👍🏽", "🏻", "1️⃣", "#️⃣", "❤️", "⭐️", "☎\u{fe0e}"]
    {
        assert_eq!(drawn(emoji), emoji);
        assert_eq!(columns(emoji), lay_out(emoji, 80).0);
    }
    for (text, expected) in [
        ("\u{200d}", "\\u{200d}"),
        ("a\u{200d}b", "a\\u{200d}b"),
        ("👨\u{200d}", "👨\\u{200d}"),
        ("\u{200d}👨", "\\u{200d}👨"),
        ("👨\u{200d}\u{200d}👩", "👨\\u{200d}\\u{200d}👩"),
        ("👨‍👩‍👧‍👦‍👦", "👨\\u{200d}👩\\u{200d}👧\\u{200d}👦\\u{200d}👦"),
        ("\u{fe0f}", "\\u{fe0f}"),
        ("a\u{fe0f}", "a\\u{fe0f}"),
        ("1\u{fe0f}", "1\\u{fe0f}"),
        ("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}\\u{fe0f}"),
        ("⌚\u{fe0e}", "⌚\\u{fe0e}"),
        ("a\u{e0100}", "a\\u{e0100}"),
        ("華\u{fe03}", "華\\u{fe03}"),
        ("華\u{e0100}\u{e0101}", "華\u{e0100}\\u{e0101}"),
    ] {
        assert_eq!(drawn(text), expected);
    }
}

#[test]
fn marks_are_bounded() {
    let four = "e\u{301}\u{302}\u{303}\u{304}";
    assert_eq!(drawn(four), four);
    assert_eq!(drawn(&format!("{four}\u{305}x")), format!("{four}\\…x"));
    let zalgo = format!("Z{}!", "\u{337}".repeat(10_000));
    assert_eq!(drawn(&zalgo), format!("Z{}\\…!", "\u{337}".repeat(4)));
    let tones = format!("a{}", "\u{1f3fb}".repeat(10_000));
    assert_eq!(drawn(&tones), format!("a{}\\…", "\u{1f3fb}".repeat(4)));
    let jamo = "\u{1100}".repeat(10_000);
    assert_eq!(drawn(&jamo), format!("{}\\…", "\u{1100}".repeat(16)));
    let lone = "\u{301}".repeat(10_000);
    assert_eq!(drawn(&lone), "\\u{301}".repeat(10_000));
}

#[test]
fn ascii_escapes_all_else() {
    assert_eq!(escape("Zoë 👍🏽\\\n".as_bytes(), Charset::Ascii), "Zo\\u{eb} \\u{1f44d}\\u{1f3fd}\\\\\\n");
    assert_eq!(escape_to("aaaaé".as_bytes(), 6, Charset::Ascii), "aaaa~");
}

#[test]
fn a_long_member_is_cut_early_and_between_units() {
    for (text, width, expected) in [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("abcd", 1, "…"),
        ("abcd", 0, ""),
        ("", 0, ""),
        ("华罗庚", 6, "华罗庚"),
        ("华罗庚", 5, "华罗…"),
        ("华罗庚", 4, "华…"),
        ("ab\n", 4, "ab\\n"),
        ("ab\nc", 4, "ab…"),
        ("a\u{202e}", 8, "a…"),
        ("👨‍👩‍👧‍👦x", 2, "…"),
    ] {
        assert_eq!(escape_to(text.as_bytes(), width, Charset::Utf8), expected, "{text:?} on {width}");
    }
    assert_eq!(escape_to(&vec![b'x'; 1 << 20], 5, Charset::Utf8), "xxxx…");
    assert_eq!(escape_to(&vec![0xff; 1 << 20], 9, Charset::Utf8), "\\xff\\xff…");
    // Only the marks within reach are looked at, and what lies beyond is not passed over in silence.
    let marks = format!("a{}b", "\u{301}".repeat(1 << 19));
    assert_eq!(escape_to(marks.as_bytes(), 9, Charset::Utf8), format!("a{}…", "\u{301}".repeat(4)));
}

#[test]
fn a_cut_stands_between_escapes() {
    for (text, width, cut) in [
        ("a\\u{e9}bc", 6, "a…"),
        ("a\\u{e9}bc", 8, "a\\u{e9}…"),
        ("a\\xffbcd", 4, "a…"),
        ("a\\nbc", 3, "a…"),
        ("ab\\…cd", 5, "ab…"),
        ("ab\\\\cd", 5, "ab\\\\…"),
    ] {
        assert_eq!(fit(text, width, Charset::Utf8), cut, "{text} on {width}");
    }
}

#[test]
fn names_are_transliterated_where_only_ascii_is_drawn() {
    let name = |name: &str| escape_name(name.as_bytes(), 40, Charset::Ascii);
    for (of, is) in [
        ("Chlo\u{e9}", "Chloe"),
        ("Chloe\u{301}", "Chloe"),
        ("Алан Тьюринг", "Alan T'iuring"),
        ("华罗庚", "Hua Luo Geng"),
        ("a\u{202e}b\n", "a\\u{202e}b\\n"),
        ("back\\slash", "back\\\\slash"),
        ("", ""),
    ] {
        assert_eq!(name(of), is, "{of}");
    }
    assert_eq!(escape_name("Chlo\u{e9}".as_bytes(), 40, Charset::Utf8), "Chlo\u{e9}");
    assert_eq!(escape_name(&[0xff, b'a'], 40, Charset::Ascii), "\\xffa");
    assert_eq!(escape_name("\u{e9}".repeat(1 << 20).as_bytes(), 5, Charset::Ascii), "eeee~");
}

#[test]
fn a_prefix_ends_between_characters() {
    let text = "华".repeat(10);
    for length in 0..=40 {
        let seen = prefix(text.as_bytes(), length);
        assert!(std::str::from_utf8(seen).is_ok(), "{length}");
        assert!(seen.len() <= length && (seen.len() + 3 > length || seen.len() == text.len()), "{length}");
    }
    assert_eq!(prefix(&[0x80; 10], 5).len(), 5);
}

#[test]
fn padding_is_exact() {
    assert_eq!(pad("华罗", 6, Charset::Utf8), "华罗  ");
    assert_eq!(pad("华罗庚", 4, Charset::Utf8), "华… ");
    assert_eq!(fit_left_padded("980", 5, Charset::Utf8), "  980");
    assert_eq!(fit_left_padded("123456", 5, Charset::Ascii), "1234~");
    assert_eq!(fit("caf\u{e9}", 4, Charset::Utf8), "café");
    assert!(matches!(fit("café", 4, Charset::Utf8), Cow::Borrowed(_)));
    assert_eq!(columns("a\tb\u{85}é"), 3);
}

#[test]
fn digits_are_grouped_in_plain_decimals_only() {
    for (number, expected) in [
        ("0", "0"),
        ("999", "999"),
        ("1000", "1,000"),
        ("-70", "-70"),
        ("-123456", "-123,456"),
        ("+1234567", "+1,234,567"),
        ("12345.6789", "12,345.6789"),
        ("9007199254740993", "9,007,199,254,740,993"),
        ("1e21", "1e21"),
        ("1.2345e-7", "1.2345e-7"),
        ("inf", "inf"),
        ("-inf", "-inf"),
        ("--1234", "--1234"),
        ("1234.", "1234."),
        (".1234", ".1234"),
        ("", ""),
        ("-", "-"),
    ] {
        assert_eq!(group_digits(number, ','), expected);
    }
    assert_eq!(group_digits("1234567", '\''), "1'234'567");
    assert_eq!(count(12_345), "12,345");
    assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
}

/// Text rich in what joins, hides, reorders and overflows, cut up by bytes that are not UTF-8.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "a",
        "\\",
        " ",
        "\n",
        "\u{1b}",
        "\u{9b}",
        "\u{202e}",
        "\u{2066}",
        "\u{200d}",
        "\u{200c}",
        "\u{fe0f}",
        "\u{fe0e}",
        "\u{e0100}",
        "\u{301}",
        "\u{20e3}",
        "\u{1f3fb}",
        "👨",
        "❤",
        "⌚",
        "1",
        "🇩",
        "\u{1100}",
        "\u{1161}",
        "\u{11a8}",
        "각",
        "क",
        "\u{94d}",
        "\u{93e}",
        "\u{d4e}",
        "\u{600}",
        "ำ",
        "ก",
        "华",
        "م",
        "ל",
        "א",
        "ا",
        "ﾊ",
        "ﾞ",
        "\u{e0061}",
        "\u{e007f}",
        "\u{3164}",
        "\u{17d2}",
        "ក",
        "\u{17b4}",
        "\u{1f3f4}",
        "…",
        "\u{ad}",
        "\u{feff}",
        "\u{fffe}",
        "\u{1d159}",
        "\u{34f}",
    ];
    let piece = prop_oneof![
        6 => prop::sample::select(pieces.to_vec()).prop_map(|piece| piece.as_bytes().to_vec()),
        2 => any::<char>().prop_map(|c| c.to_string().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn check_drawn(text: &str) {
    assert!(!text.contains(is_forbidden), "{text:?}");
    for grapheme in text.graphemes(true) {
        assert!(columns(grapheme) > 0, "{grapheme:?} would not be drawn, in {text:?}");
        let joined = grapheme.contains('\u{200d}');
        assert!(!joined || columns(grapheme) == 2 && !grapheme.is_ascii(), "{grapheme:?}");
        assert!(grapheme.chars().count() <= CLUSTER + 2, "{grapheme:?}");
    }
}

proptest! {
    #[test]
    fn nothing_forbidden_is_drawn_and_all_can_be_read_back(bytes in hostile()) {
        let text = escape(&bytes, Charset::Utf8);
        check_drawn(&text);
        if let Some(back) = read_back(&text) {
            prop_assert_eq!(back, bytes.clone());
        }
        let ascii = escape(&bytes, Charset::Ascii);
        prop_assert!(ascii.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
        prop_assert_eq!(read_back(&ascii), Some(bytes));
    }

    #[test]
    fn what_is_cut_fits_and_is_the_same_up_to_the_cut(bytes in hostile(), width in 0_usize..40) {
        let whole = escape(&bytes, Charset::Utf8);
        let text = escape_to(&bytes, width, Charset::Utf8);
        check_drawn(&text);
        prop_assert!(columns(&text) <= width);
        if columns(&whole) <= width {
            prop_assert_eq!(text, whole);
        } else if width > 0 {
            let start = text.strip_suffix('…').expect("a cut text ends in an ellipsis");
            prop_assert!(whole.starts_with(start));
        }
    }

    #[test]
    fn the_next_column_starts_where_it_should(bytes in hostile(), width in 0_u16..40) {
        let columns_wanted = usize::from(width);
        let text = escape(&bytes, Charset::Utf8);
        for padded in [pad(&text, columns_wanted, Charset::Utf8), fit_left_padded(&text, columns_wanted, Charset::Utf8)] {
            prop_assert_eq!(columns(&padded), columns_wanted);
            let (next, buffer) = lay_out(&padded, width + 9);
            prop_assert_eq!(next, columns_wanted);
            prop_assert_eq!(buffer[(width, 0)].symbol(), "|");
        }
    }

    #[test]
    fn any_text_fits(text in any::<String>(), width in 0_usize..20) {
        let fitted = fit(&text, width, Charset::Utf8);
        prop_assert!(columns(&fitted) <= width);
        prop_assert!(columns(&text) > width || fitted == text);
    }
}
