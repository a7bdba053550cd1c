//! The marks that are drawn beside text, in UTF-8 and in ASCII. Each says by its form what its colour says.

use crate::text::Charset;

/// The marks. Each takes one column, but for the arrows to the left and right, which take two in ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyphs {
    /// The first row of a tie group.
    pub tie_top: &'static str,
    /// A row inside a tie group.
    pub tie_middle: &'static str,
    /// The last row of a tie group.
    pub tie_bottom: &'static str,
    /// The page's first or last row where the tie group goes on past it; a broken line, since the page breaks it.
    pub tie_past_edge: &'static str,
    /// Risen.
    pub up: &'static str,
    /// Fallen.
    pub down: &'static str,
    /// Before the state of the data.
    pub dot: &'static str,
    /// Between the ends of a range, and for what is not known.
    pub dash: &'static str,
    /// At the end of what was cut.
    pub ellipsis: &'static str,
    /// Between facts on one line.
    pub middle_dot: &'static str,
    /// The key, and from the old to the new.
    pub arrow_right: &'static str,
    /// The key.
    pub arrow_left: &'static str,
    /// The key.
    pub arrow_up: &'static str,
    /// The key.
    pub arrow_down: &'static str,
    /// Bars from the lowest to the highest.
    pub spark: [&'static str; 8],
    /// Parts of a column of a bar that lies, the smallest first; the last one fills it.
    pub bar: &'static [&'static str],
}

const UTF8: Glyphs = Glyphs {
    tie_top: "┌",
    tie_middle: "│",
    tie_bottom: "└",
    tie_past_edge: "┆",
    up: "▲",
    down: "▼",
    dot: "●",
    dash: "–",
    ellipsis: "…",
    middle_dot: "·",
    arrow_right: "→",
    arrow_left: "←",
    arrow_up: "↑",
    arrow_down: "↓",
    spark: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    bar: &["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
};

const ASCII: Glyphs = Glyphs {
    tie_top: ".",
    tie_middle: "|",
    tie_bottom: "'",
    tie_past_edge: ":",
    up: "^",
    down: "v",
    dot: "*",
    dash: "-",
    ellipsis: "~",
    middle_dot: "-",
    arrow_right: "->",
    arrow_left: "<-",
    arrow_up: "^",
    arrow_down: "v",
    spark: ["_", ".", "-", "=", "+", "*", "%", "#"],
    bar: &["#"],
};

impl Glyphs {
    /// The marks that `charset` can draw.
    pub const fn of(charset: Charset) -> &'static Self {
        match charset {
            Charset::Utf8 => &UTF8,
            Charset::Ascii => &ASCII,
        }
    }
}
