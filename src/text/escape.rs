//! From bytes to text that may be drawn: what may not is escaped, so that it can be read back.

use std::borrow::Cow;
use std::ops::ControlFlow;

use unicode_segmentation::UnicodeSegmentation;

use super::cutting::{DROPPED, Line, prefix};
use super::{Charset, class};

/// Marks that one letter may carry. Four is Hebrew with a dagesh, a vowel, an accent and a meteg; more is an attack on
/// the rows above and below.
const MARKS: usize = 4;

/// Code points that one grapheme may have. The longest emoji that Unicode lists has ten.
pub(super) const CLUSTER: usize = 16;

/// Bytes that are looked at for each column drawn: more than the densest text that is drawn whole (an emoji of 35
/// bytes on two columns), so that only dropped marks can use it up.
const BYTES_PER_COLUMN: usize = 32;

/// Bytes that are looked at even for a text of no columns.
const BYTES_AT_LEAST: usize = 256;

/// `bytes` as text that may be drawn, however long; see the table above.
pub fn escape(bytes: &[u8], charset: Charset) -> String {
    let mut line = Line::new(usize::MAX, charset);
    // The line has no end, so it cannot be full.
    let _ = write_bytes(&mut line, bytes, charset);
    line.text
}

/// `bytes` as text that may be drawn on at most `width` columns, ending in an ellipsis where it was cut. An escape is
/// never cut in the middle.
///
/// The cost depends on `width` alone: a member of a megabyte costs no more than a short one. A text whose dropped marks
/// exceed some hundred bytes may therefore be cut before its columns are full.
pub fn escape_to(bytes: &[u8], width: usize, charset: Charset) -> String {
    let seen = seen(bytes, width);
    cut_escape(seen, seen.len() == bytes.len(), width, charset)
}

/// The escape of `seen`, marked as cut where that is not the whole of it.
fn cut_escape(seen: &[u8], is_whole: bool, width: usize, charset: Charset) -> String {
    let mut line = Line::new(width, charset);
    let flow = write_bytes(&mut line, seen, charset);
    if flow.is_continue() && !is_whole {
        line.cut();
    }
    line.text
}

/// A name as text that may be drawn on at most `width` columns. Where only ASCII can be, letters of other scripts are
/// transliterated; ids must not be, for two that differ would look the same.
pub fn escape_name(name: &[u8], width: usize, charset: Charset) -> String {
    match charset {
        Charset::Utf8 => escape_to(name, width, charset),
        Charset::Ascii => {
            let seen = seen(name, width);
            cut_escape(&transliterated(seen), seen.len() == name.len(), width, charset)
        }
    }
}

/// The letters that have a spelling in ASCII, in it; all else as it is.
fn transliterated(name: &[u8]) -> Cow<'_, [u8]> {
    if name.is_ascii() {
        return Cow::Borrowed(name);
    }
    let mut plain = Vec::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        for cluster in chunk.valid().graphemes(true) {
            let spelled: Option<String> = cluster.chars().map(spelling).collect();
            plain.extend_from_slice(spelled.as_deref().unwrap_or(cluster).as_bytes());
        }
        plain.extend_from_slice(chunk.invalid());
    }
    // Nothing would be left of a name of such letters alone.
    if plain.trim_ascii().is_empty() {
        return Cow::Borrowed(name);
    }
    // Syllables are spelled with a blank behind them.
    if !name.ends_with(b" ") {
        plain.truncate(plain.len() - usize::from(plain.ends_with(b" ")));
    }
    Cow::Owned(plain)
}

/// A mark falls away with its letter's spelling; what must not be drawn has none.
fn spelling(c: char) -> Option<&'static str> {
    if class::is_mark(c) {
        return Some("");
    }
    deunicode::deunicode_char(c).filter(|_| class::can_start(c))
}

/// The bytes that can matter on so many columns.
fn seen(bytes: &[u8], width: usize) -> &[u8] {
    prefix(bytes, width.saturating_mul(BYTES_PER_COLUMN).saturating_add(BYTES_AT_LEAST))
}

fn write_bytes(line: &mut Line, bytes: &[u8], charset: Charset) -> ControlFlow<()> {
    for chunk in bytes.utf8_chunks() {
        // Most members are like this: nothing to escape, and each byte a grapheme.
        if chunk.valid().bytes().all(is_plain) {
            for at in 0..chunk.valid().len() {
                line.push(&chunk.valid()[at..=at])?;
            }
            write_invalid(line, chunk.invalid())?;
            continue;
        }
        for cluster in chunk.valid().graphemes(true) {
            match charset {
                Charset::Utf8 => write_cluster(line, cluster)?,
                Charset::Ascii => write_ascii(line, cluster)?,
            }
        }
        write_invalid(line, chunk.invalid())?;
    }
    ControlFlow::Continue(())
}

/// A byte that is a grapheme of one column and stands for itself.
fn is_plain(byte: u8) -> bool {
    (byte == b' ' || byte.is_ascii_graphic()) && byte != b'\\'
}

/// Bytes that are no UTF-8.
fn write_invalid(line: &mut Line, bytes: &[u8]) -> ControlFlow<()> {
    for byte in bytes {
        line.push(&format!("\\x{byte:02x}"))?;
    }
    ControlFlow::Continue(())
}

fn write_ascii(line: &mut Line, cluster: &str) -> ControlFlow<()> {
    for c in cluster.chars() {
        if (c == ' ' || c.is_ascii_graphic()) && c != '\\' {
            line.push(c.encode_utf8(&mut [0; 4]))?;
        } else {
            line.push(&escape_char(c))?;
        }
    }
    ControlFlow::Continue(())
}

/// One grapheme. Where a code point in it is escaped, what follows would join the escape instead of its base, so it has
/// to be able to stand alone.
fn write_cluster(line: &mut Line, cluster: &str) -> ControlFlow<()> {
    if class::is_emoji_sequence(cluster) {
        return line.push(cluster);
    }
    let mut kept = String::new();
    let mut length = 0;
    let mut marks = 0;
    for c in cluster.chars() {
        let before = kept.chars().next_back();
        if !before.map_or_else(|| class::can_start(c), |before| class::can_follow(before, c)) {
            push_kept(line, &mut kept)?;
            line.push(&escape_char(c))?;
            length = 0;
            marks = 0;
            continue;
        }
        marks = if before.is_some() && class::is_mark(c) { marks + 1 } else { 0 };
        if marks > MARKS || length == CLUSTER {
            push_kept(line, &mut kept)?;
            return line.push(DROPPED);
        }
        kept.push(c);
        length += 1;
    }
    push_kept(line, &mut kept)
}

fn push_kept(line: &mut Line, kept: &mut String) -> ControlFlow<()> {
    let flow = line.push(kept);
    kept.clear();
    flow
}

fn escape_char(c: char) -> String {
    match c {
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '\u{1b}' => "\\e".to_owned(),
        c if c.is_ascii() => format!("\\x{:02x}", u32::from(c)),
        c => format!("\\u{{{:x}}}", u32::from(c)),
    }
}
