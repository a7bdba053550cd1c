//! How many columns a text takes.

use ratatui::buffer::CellWidth;
use unicode_segmentation::UnicodeSegmentation;

/// Terminal columns that `text` takes: the sum over its graphemes, each as wide as the buffer that is drawn into takes
/// it to be, characters of ambiguous width counting as narrow. Graphemes with a control count nothing, since the buffer
/// leaves them out.
pub fn columns(text: &str) -> usize {
    if text.is_ascii() {
        return text.bytes().filter(|byte| !byte.is_ascii_control()).count();
    }
    text.graphemes(true)
        .filter(|grapheme| !grapheme.contains(char::is_control))
        .map(|grapheme| usize::from(grapheme.cell_width()))
        .sum()
}
