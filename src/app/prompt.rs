//! The prompt: a line that is being typed, and what a finished line asks for.

use crate::app::line_editor::LineEditor;
use crate::board::score::Score;

/// What the line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// `:` goes to a position or a score.
    GoTo,
    /// `/` finds a member by its id or name.
    Find,
}

/// A line that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// What it is for.
    pub kind: PromptKind,
    /// What stands in it.
    pub line: LineEditor,
}

/// A line longer than this takes no more: ids that are longer are not typed by hand.
const LONGEST: usize = 4_096;

impl Prompt {
    /// An empty line.
    pub fn new(kind: PromptKind) -> Self {
        Self { kind, line: LineEditor::new(LONGEST) }
    }

    /// The same with this text in it.
    pub fn with_text(mut self, text: &str) -> Self {
        self.line.insert(text);
        self
    }
}

/// Where `:` can go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GoTarget {
    /// `:120`, a position.
    Position(u64),
    /// `:+50` or `:-50`, so many positions from the selected row.
    Relative(i64),
    /// `:50%`, so much of the board.
    Percent(f64),
    /// `:=980`, the first row at this score or below it in board order.
    Score(Score),
}

impl std::str::FromStr for GoTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let wrong = || format!("cannot go to '{text}': type 120, +50, -50, 50% or =980");
        if let Some(score) = text.strip_prefix('=') {
            return Score::typed(score).map(Self::Score).ok_or_else(|| format!("'{score}' is not a score"));
        }
        if let Some(percent) = text.strip_suffix('%') {
            let percent: f64 = percent.parse().map_err(|_| wrong())?;
            return if (0.0..=100.0).contains(&percent) { Ok(Self::Percent(percent)) } else { Err(wrong()) };
        }
        // Groups of digits are what the screen shows, so they may be typed back.
        let digits = text.replace([',', '_'], "");
        if digits.starts_with(['+', '-']) {
            return digits.parse().map(Self::Relative).map_err(|_| wrong());
        }
        match digits.parse() {
            Ok(position) if position > 0 => Ok(Self::Position(position)),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        assert_eq!("120".parse(), Ok(GoTarget::Position(120)));
        assert_eq!(" 12,345 ".parse(), Ok(GoTarget::Position(12_345)));
        assert_eq!("+50".parse(), Ok(GoTarget::Relative(50)));
        assert_eq!("-50".parse(), Ok(GoTarget::Relative(-50)));
        assert_eq!("50%".parse(), Ok(GoTarget::Percent(50.0)));
        assert_eq!("=980".parse(), Ok(GoTarget::Score(Score::new(980.0).unwrap())));
        assert_eq!("=-inf".parse(), Ok(GoTarget::Score(Score::new(f64::NEG_INFINITY).unwrap())));
        for wrong in
            ["", "0", "abc", "101%", "nan%", "=nan", "=1e999", "=-1e999", "=", "+", "--5", "99999999999999999999"]
        {
            assert!(wrong.parse::<GoTarget>().is_err(), "{wrong}");
        }
    }
}
