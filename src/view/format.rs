//! Words that several parts of the screen share: versions, spans of time, names, counts with their noun.

use std::borrow::Cow;
use std::time::Duration;

use crate::app::state::State;
use crate::board::entry::Member;
use crate::board::sharded::vector::{SIGN, sum};
use crate::board::version::Version;
use crate::text::{Charset, columns, count, escape_name, escape_to, fit, group_digits};
use crate::view::theme::Glyphs;

/// Columns of a version at most: a counter's digits with room to spare, a hash is cut.
const VERSION: usize = 20;

/// ranktop's own words on at most `width` columns. They may quote what a server said or a user typed, so they are
/// escaped as well.
pub(super) fn own(words: &str, width: usize, charset: Charset) -> String {
    escape_to(marks(words, charset).as_bytes(), width, charset)
}

/// ranktop's own words with the marks that `charset` can draw. What they quote has been escaped already.
pub(super) fn marks(words: &str, charset: Charset) -> Cow<'_, str> {
    if charset == Charset::Utf8 {
        return Cow::Borrowed(words);
    }
    let glyphs = Glyphs::of(charset);
    let mut plain = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '…' => plain.push_str("..."),
            '–' => plain.push_str(glyphs.dash),
            '·' => plain.push_str(glyphs.middle_dot),
            '→' => plain.push_str(glyphs.arrow_right),
            '←' => plain.push_str(glyphs.arrow_left),
            '↑' => plain.push_str(glyphs.arrow_up),
            '↓' => plain.push_str(glyphs.arrow_down),
            '▲' => plain.push_str(glyphs.up),
            '▼' => plain.push_str(glyphs.down),
            '±' => plain.push('~'),
            c => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// A version: `v1,284`, or `no version`. What is no number is escaped and bounded.
pub(super) fn version(version: Option<&Version>, charset: Charset) -> String {
    version.map_or_else(
        || "no version".to_owned(),
        |version| {
            if let Some(sum) = sum(version) {
                let sign = if charset == Charset::Utf8 { SIGN } else { "sum " };
                return format!("v {sign}{}", group_digits(&sum.to_string(), ','));
            }
            let text = escape_to(version.as_bytes(), VERSION, charset);
            format!("v{}", group_digits(&text, ','))
        },
    )
}

/// How somebody is called: by the name, or by the id where no name is known. An empty one is drawn as `""`.
pub(super) fn called(state: &State, member: &Member, width: usize, charset: Charset) -> String {
    name_or_id(state.names.get(member).map(|name| &**name), member.as_bytes(), width, charset)
}

/// A name, else the id.
pub(super) fn name_or_id(name: Option<&[u8]>, id: &[u8], width: usize, charset: Charset) -> String {
    match name {
        Some(name) if !name.is_empty() => escape_name(name, width, charset),
        name => bytes(name.unwrap_or(id), width, charset),
    }
}

/// Bytes of an id or a key; none at all are drawn as `""`, so that their place does not look empty.
pub(super) fn bytes(bytes: &[u8], width: usize, charset: Charset) -> String {
    if bytes.is_empty() { "\"\"".to_owned() } else { escape_to(bytes, width, charset) }
}

/// A span of time in its two largest units: `4 s`, `3m 20s`, `2d 4h`.
pub(super) fn span(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match () {
        () if days > 0 => format!("{}d {}h", count(days), hours % 24),
        () if hours > 0 => format!("{hours}h {}m", minutes % 60),
        () if minutes > 0 => format!("{minutes}m {}s", seconds % 60),
        () => format!("{seconds} s"),
    }
}

/// How long an answer took: `0.3 ms`, `140 ms`, `1.2 s`.
pub(super) fn latency(took: Duration) -> String {
    let micros = took.as_micros();
    if micros < 9_950 {
        format!("{}.{} ms", (micros + 50) / 1_000, (micros + 50) / 100 % 10)
    } else if micros < 999_500 {
        format!("{} ms", (micros + 500) / 1_000)
    } else {
        let tenths = (took.as_millis() + 50) / 100;
        format!("{}.{} s", tenths / 10, tenths % 10)
    }
}

/// How many bytes: `891 B`, `9,204 B`, `13.1 kB`, `1.3 MB`, by thousands.
pub(super) fn size(bytes: u64) -> String {
    let in_units = |unit: u64| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        0..10_000 => format!("{} B", count(bytes)),
        10_000..1_000_000 => format!("{} kB", in_units(1_000)),
        _ => format!("{} MB", in_units(1_000_000)),
    }
}

/// Seconds that are left, so that one that has begun is still told.
pub(super) fn whole_seconds(left: Duration) -> u64 {
    left.as_secs() + u64::from(left.subsec_nanos() > 0)
}

/// `words`, which are safe already, in lines of at most `width` columns, broken between words; a word that is longer
/// than a line is cut.
pub(super) fn wrapped(words: &str, width: usize, charset: Charset) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut() {
            Some(last) if columns(last) + 1 + columns(word) <= width => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| fit(line, width, charset).into_owned()).collect()
}

/// `words` and their shorter forms, without the last clause, the last two, …; what is quoted is not cut.
pub(super) fn shorter(words: &str) -> Vec<&str> {
    const APART: [&str; 6] = [" (", "; ", ": ", " · ", " … ", ", "];
    let mut forms = vec![words];
    let mut end = words.len();
    while let Some(at) = APART.iter().filter_map(|apart| words[..end].rfind(apart)).max() {
        end = at;
        if words[..end].matches('\'').count().is_multiple_of(2) {
            forms.push(&words[..end]);
        }
    }
    forms
}

/// `1 row`, `2 rows`.
pub(super) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_latencies() {
        let of = |seconds| span(Duration::from_secs(seconds));
        assert_eq!([of(0), of(59), of(200), of(7_500), of(187_300)], ["0 s", "59 s", "3m 20s", "2h 5m", "2d 4h"]);
        let took = |micros| latency(Duration::from_micros(micros));
        assert_eq!(took(260), "0.3 ms");
        assert_eq!([took(9_949), took(9_950), took(999_499), took(999_500)], ["9.9 ms", "10 ms", "999 ms", "1.0 s"]);
    }

    #[test]
    fn versions_are_grouped_or_bounded() {
        let of = |text: &str| version(Some(&text.into()), Charset::Utf8);
        assert_eq!([of("1284"), of("007"), of("abc"), of("")], ["v1,284", "v007", "vabc", "v"]);
        assert_eq!(of(&"x".repeat(99)), format!("v{}…", "x".repeat(VERSION - 1)));
        assert_eq!(of("\u{1b}[2J"), "v\\e[2J");
        assert_eq!(version(None, Charset::Utf8), "no version");
    }

    #[test]
    fn words_wrap_between_words() {
        assert_eq!(wrapped("one two three", 7, Charset::Utf8), ["one two", "three"]);
        assert_eq!(wrapped("a longest b", 5, Charset::Utf8), ["a", "long…", "b"]);
        assert_eq!(wrapped("ab", 0, Charset::Utf8), [""]);
    }

    #[test]
    fn words_get_shorter_by_clauses() {
        assert_eq!(shorter("plain"), ["plain"]);
        assert_eq!(
            shorter("cannot connect: refused (os error 111), again"),
            [
                "cannot connect: refused (os error 111), again",
                "cannot connect: refused (os error 111)",
                "cannot connect: refused",
                "cannot connect"
            ]
        );
        assert_eq!(shorter("no 'a: b' here; go on"), ["no 'a: b' here; go on", "no 'a: b' here"]);
    }

    #[test]
    fn own_words_have_an_ascii_form() {
        let words = own("page – BOARD … ↑↓ →é\u{1b}", 80, Charset::Ascii);
        assert_eq!(words, "page - BOARD ... ^v ->\\u{e9}\\e");
    }
}
