//! Graphemes on whose width terminals do not agree: where one is wider to the terminal than it is taken for, a part of it
//! stands in cells that are believed blank, and would stay there when it goes. So a line from which one goes is drawn
//! anew, whole.

use ratatui::buffer::{Buffer, Cell, CellWidth};
use ratatui::layout::Position;

/// The doubtful graphemes of the frame that is on the screen.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    shown: Vec<(Position, String)>,
}

/// A line and its cells, those that the wide ones before them cover left out.
pub(super) type Line = (u16, Vec<(u16, Cell)>);

impl Doubts {
    /// Takes in the next frame, and returns the lines that are to be drawn anew. O(cells).
    pub(super) fn next(&mut self, buffer: &Buffer) -> Vec<Line> {
        let area = buffer.area;
        let is_there = |(at, symbol): &(Position, String)| buffer.cell(*at).is_some_and(|cell| cell.symbol() == symbol);
        let gone = self.shown.iter().filter(|shown| !is_there(shown));
        let mut lines: Vec<u16> = gone.map(|(at, _)| at.y).filter(|line| *line < area.bottom()).collect();
        lines.dedup();
        self.shown.clear();
        for (y, line) in (area.y..).zip(buffer.content.chunks(usize::from(area.width.max(1)))) {
            let doubtful = (area.x..).zip(line).filter(|(_, cell)| is_doubtful(cell));
            self.shown.extend(doubtful.map(|(x, cell)| (Position { x, y }, cell.symbol().to_owned())));
        }
        lines.into_iter().map(|line| (line, cells(buffer, line))).collect()
    }
}

/// True where a grapheme is of several code points: terminals add their widths up, or do not.
pub(super) fn is_doubtful(cell: &Cell) -> bool {
    cell.symbol().chars().nth(1).is_some()
}

fn cells(buffer: &Buffer, line: u16) -> Vec<(u16, Cell)> {
    let mut cells = Vec::new();
    let mut x = buffer.area.x;
    while let Some(cell) = buffer.cell(Position { x, y: line }) {
        cells.push((x, cell.clone()));
        x = x.saturating_add(cell.cell_width().max(1));
    }
    cells
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    fn frame(lines: &[&str]) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, u16::try_from(lines.len()).unwrap()));
        for (y, line) in (0..).zip(lines) {
            buffer.set_string(0, y, line, Style::new());
        }
        buffer
    }

    #[test]
    fn a_line_from_which_one_goes_is_drawn_anew() {
        let mut doubts = Doubts::default();
        let lines = |doubts: &mut Doubts, frame: &Buffer| {
            let lines = doubts.next(frame).into_iter();
            let told = lines.map(|(line, cells)| {
                (line, cells.iter().map(|(_, cell)| cell.symbol()).collect::<String>().trim_end().to_owned())
            });
            told.collect::<Vec<_>>()
        };
        assert_eq!(lines(&mut doubts, &frame(&["Ada", "आर्यभट x"])), []);
        assert_eq!(lines(&mut doubts, &frame(&["Eva", "आर्यभट y"])), [], "it stays where it is");
        assert_eq!(lines(&mut doubts, &frame(&["Eva", "伊藤 z"])), [(1, "伊藤 z".to_owned())]);
        assert_eq!(lines(&mut doubts, &frame(&["Eva", "Ada"])), []);
        assert_eq!(lines(&mut doubts, &frame(&["👩‍👩‍👧‍👦"])), []);
        assert_eq!(lines(&mut doubts, &frame(&[""])), [(0, String::new())]);
    }
}
