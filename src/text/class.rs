//! What a character is to a terminal: whether it may be drawn at all, and what it needs before it.
//!
//! Ranges are those of Unicode 16. Where the segmentation of graphemes already knows a property, it is asked through a
//! probe, so that no second table has to be kept.

use ratatui::buffer::CellWidth;
use unicode_segmentation::UnicodeSegmentation;

const JOINER: char = '\u{200d}';
const KEYCAP: char = '\u{20e3}';
const TEXT_STYLE: char = '\u{fe0e}';
const EMOJI_STYLE: char = '\u{fe0f}';

/// Emoji that one joined emoji may be made of; the longest that Unicode lists are families and kisses of four.
const JOINED: usize = 4;

/// Whether `c` may be the first of a grapheme: drawable, not a mark, and with a column of its own.
pub(super) fn can_start(c: char) -> bool {
    if c.is_ascii() {
        return (c == ' ' || c.is_ascii_graphic()) && c != '\\';
    }
    !is_refused(c)
        && selector(c).is_none()
        && (is_skin_tone(c) || !is_mark(c))
        && c.encode_utf8(&mut [0; 4]).cell_width() > 0
}

/// Whether `c` may stand after `before` in the same grapheme.
pub(super) fn can_follow(before: char, c: char) -> bool {
    match selector(c) {
        Some(selector) => selector.fits(before, c),
        None => c != '\\' && !is_refused(c),
    }
}

/// Whether `c` joins the letter before it: combining marks, vowel signs, skin tones.
pub(super) fn is_mark(c: char) -> bool {
    !c.is_ascii() && is_one_grapheme(&['a', c])
}

/// Whether `cluster` is a keycap or several emoji joined into one that takes two columns. Only here are a joiner, and a
/// selector after a digit, what they were made for.
pub(super) fn is_emoji_sequence(cluster: &str) -> bool {
    if cluster.ends_with(KEYCAP) {
        let mut chars = cluster.chars();
        return chars.next().is_some_and(|c| matches!(c, '0'..='9' | '#' | '*')) && chars.eq([EMOJI_STYLE, KEYCAP]);
    }
    // Longer ones are refused before anything is measured, so that a long one costs no more than a short one.
    let mut parts = cluster.split(JOINER);
    let joined = parts.by_ref().take(JOINED).take_while(|part| is_joinable(part)).count();
    joined > 1 && joined == cluster.split(JOINER).take(JOINED + 1).count() && cluster.cell_width() == 2
}

fn is_joinable(part: &str) -> bool {
    let mut chars = part.chars();
    chars.next().is_some_and(is_pictograph)
        && chars.next().is_none_or(|c| c == EMOJI_STYLE || is_skin_tone(c))
        && chars.next().is_none()
}

fn is_skin_tone(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

/// Whether `c` is `Extended_Pictographic`: only those does a joiner bind to the next of them (rule GB11).
fn is_pictograph(c: char) -> bool {
    !c.is_ascii() && is_one_grapheme(&[c, JOINER, '\u{1f600}'])
}

fn is_one_grapheme(chars: &[char]) -> bool {
    chars.iter().collect::<String>().graphemes(true).nth(1).is_none()
}

/// What a variation selector selects among.
enum Selector {
    Presentation,
    Ideograph,
    Other,
}

fn selector(c: char) -> Option<Selector> {
    match c {
        TEXT_STYLE | EMOJI_STYLE => Some(Selector::Presentation),
        '\u{fe00}'..='\u{fe02}' | '\u{e0100}'..='\u{e01ef}' => Some(Selector::Ideograph),
        '\u{fe03}'..='\u{fe0d}' => Some(Selector::Other),
        _ => None,
    }
}

impl Selector {
    fn fits(&self, before: char, selector: char) -> bool {
        match self {
            // Terminals go on drawing a wide emoji wide whatever is selected, so a selector that claims to make it
            // narrow would move all that follows.
            Self::Presentation => {
                is_pictograph(before) && (selector == EMOJI_STYLE || width(&[before, selector]) == width(&[before]))
            }
            Self::Ideograph => matches!(
                before,
                '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
            ),
            Self::Other => false,
        }
    }
}

fn width(chars: &[char]) -> u16 {
    chars.iter().collect::<String>().cell_width()
}

/// Whether `c` must never reach the screen, whatever stands around it: controls, separators of lines, all of general
/// category Cf (bidi controls, joiners, tags, soft hyphen, byte order mark), all else that Unicode lets a renderer
/// ignore, and code points that are no characters. Variation selectors are decided by their base instead.
fn is_refused(c: char) -> bool {
    c.is_control()
        || u32::from(c) & 0xfffe == 0xfffe
        || matches!(c,
            '\u{ad}'
            | '\u{34f}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{890}'..='\u{891}'
            | '\u{8e2}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fdd0}'..='\u{fdef}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{110bd}'
            | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e00ff}'
            | '\u{e01f0}'..='\u{e0fff}')
}
