//! Lines made of pieces that give way, one after the other, where the screen is too narrow for all of them.

use ratatui::style::Style;

use crate::text::columns;
use crate::view::canvas::Canvas;

/// Columns that are kept free at both ends of a line, where there are this many columns at least.
const MARGIN_FROM: u16 = 24;
/// Columns between what stands on the left and on the right.
const BETWEEN: usize = 2;

/// A part of a line.
#[derive(Clone)]
pub(super) struct Piece {
    text: String,
    style: Style,
    /// What is drawn between this piece and the one before.
    lead: String,
    /// The lower, the sooner it gives way; `None`: never.
    yields: Option<u8>,
}

impl Piece {
    /// A piece that stays.
    pub(super) fn new(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style, lead: "  ".to_owned(), yields: None }
    }

    /// Gives way as the `turn`-th.
    pub(super) fn yielding(self, turn: u8) -> Self {
        Self { yields: Some(turn), ..self }
    }

    /// Stands off the piece before by `lead`.
    pub(super) fn after(self, lead: impl Into<String>) -> Self {
        Self { lead: lead.into(), ..self }
    }
}

/// Columns that `pieces` take.
pub(super) fn width(pieces: &[Piece]) -> usize {
    let leads: usize = pieces.iter().skip(1).map(|piece| columns(&piece.lead)).sum();
    leads + pieces.iter().map(|piece| columns(&piece.text)).sum::<usize>()
}

/// The columns of a line between its margins.
pub(super) fn within(columns: u16) -> std::ops::Range<u16> {
    if columns < MARGIN_FROM { 0..columns } else { 1..columns - 1 }
}

/// How many columns [`draw`] has.
pub(super) fn room(columns: u16) -> usize {
    within(columns).len()
}

/// Leaves out pieces in their turn until both sides fit `room`. True where they do.
pub(super) fn give_way(left: &mut Vec<Piece>, right: &mut Vec<Piece>, room: usize) -> bool {
    loop {
        let between = if left.is_empty() || right.is_empty() { 0 } else { BETWEEN };
        if width(left) + between + width(right) <= room {
            return true;
        }
        let Some(turn) = left.iter().chain(right.iter()).filter_map(|piece| piece.yields).min() else { return false };
        left.retain(|piece| piece.yields != Some(turn));
        right.retain(|piece| piece.yields != Some(turn));
    }
}

/// Draws pieces at both ends of a line; the left ones are cut where they do not fit beside the right ones.
pub(super) fn draw(canvas: &mut Canvas, line: u16, left: &[Piece], right: &[Piece]) {
    let lead_style = canvas.look.theme.faint;
    let within = within(canvas.width());
    let taken = u16::try_from(width(right)).unwrap_or(u16::MAX);
    let start = within.end.saturating_sub(taken).max(within.start);
    let gap = u16::from(!right.is_empty());
    for (pieces, from, end) in
        [(left, within.start, start.saturating_sub(gap).max(within.start)), (right, start, within.end)]
    {
        let mut x = from;
        for (index, piece) in pieces.iter().enumerate() {
            if index > 0 {
                // Blanks are left as they are: styled blanks would cost the terminal bytes.
                x = if piece.lead.trim().is_empty() {
                    x.saturating_add(u16::try_from(piece.lead.len()).unwrap_or(u16::MAX))
                } else {
                    canvas.put(x, end, line, &piece.lead, lead_style)
                };
            }
            x = canvas.put(x, end, line, &piece.text, piece.style);
        }
    }
}
