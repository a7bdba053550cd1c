//! From cells that differ to as few bytes as say the same.
//!
//! A style is told where it changes, by its difference or anew, whichever is shorter, and stays over the end of a frame.
//! Cells of one style are drawn together, column under column, since a step down costs a byte or two where a change of
//! style costs six or more. After a grapheme on whose width terminals do not agree the place is named in full, so that
//! a disagreement never moves what follows.

#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::fmt::Write;

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::{Cell, CellWidth};
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

use crate::term::ambiguous_width::{Line, is_doubtful};

/// The look of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pen {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

impl Pen {
    const PLAIN: Self = Self { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty() };

    fn of(cell: &Cell) -> Self {
        Self { fg: cell.fg, bg: cell.bg, modifier: cell.modifier }
    }

    /// True where a blank drawn with this pen looks as `blank` does.
    fn fits(&self, blank: &Cell) -> bool {
        self.bg == blank.bg && !self.modifier.intersects(SEEN_ON_BLANK)
    }
}

/// The parameters that turn each modifier on.
const MODIFIERS: [(Modifier, &str); 8] = [
    (Modifier::BOLD, "1"),
    (Modifier::DIM, "2"),
    (Modifier::ITALIC, "3"),
    (Modifier::UNDERLINED, "4"),
    (Modifier::SLOW_BLINK, "5"),
    (Modifier::RAPID_BLINK, "6"),
    (Modifier::REVERSED, "7"),
    (Modifier::CROSSED_OUT, "9"),
];

/// Gathers the bytes of a frame.
#[derive(Debug)]
pub struct CompactBackend {
    bytes: String,
    pen: Pen,
    /// Where the terminal's cursor is, where that is known.
    at: Option<Position>,
    is_cursor_shown: bool,
    size: Size,
}

impl CompactBackend {
    /// For a terminal of this size. The first frame begins by clearing it and hiding its cursor, whatever was there.
    pub fn new(columns: u16, lines: u16) -> Self {
        Self {
            bytes: "\x1b[?25l\x1b[0m\x1b[2J".to_owned(),
            pen: Pen::PLAIN,
            at: None,
            is_cursor_shown: false,
            size: Size::new(columns, lines),
        }
    }

    /// The bytes since they were taken last; the memory stays.
    pub fn bytes(&mut self) -> &mut String {
        &mut self.bytes
    }

    /// Draws lines anew, whole, whatever stands there.
    pub(super) fn draw_anew(&mut self, lines: &[Line]) {
        let cursor = self.at.filter(|_| self.is_cursor_shown);
        for (y, cells) in lines {
            self.go_to(Position { x: 0, y: *y });
            self.take_up(Pen::PLAIN);
            self.bytes.push_str("\x1b[2K");
            let seen = cells.iter().filter(|(_, cell)| !(is_blank(cell) && Pen::PLAIN.fits(cell)));
            let Ok(()) = self.draw(seen.map(|(x, cell)| (*x, *y, cell)));
        }
        if let Some(cursor) = cursor {
            self.go_to(cursor);
        }
    }

    fn go_to(&mut self, to: Position) {
        if self.at == Some(to) {
            return;
        }
        let mut named = format!("\x1b[{}", to.y + 1);
        if to.x > 0 {
            // Writing to a string cannot fail.
            let _ = write!(named, ";{}", to.x + 1);
        }
        named.push('H');
        let stepped = self.at.and_then(|at| steps(at, to));
        self.bytes.push_str(stepped.as_ref().filter(|stepped| stepped.len() < named.len()).unwrap_or(&named));
        self.at = Some(to);
    }

    fn take_up(&mut self, pen: Pen) {
        if pen == self.pen {
            return;
        }
        let mut anew = String::from("0");
        add_modifiers(&mut anew, pen.modifier);
        add_colour(&mut anew, pen.fg, Ground::Fore, false);
        add_colour(&mut anew, pen.bg, Ground::Back, false);
        let mut told = anew;
        // A modifier that ends can only be ended together with its like, so its end is told by beginning anew.
        if pen.modifier.contains(self.pen.modifier) {
            let mut changed = String::new();
            add_modifiers(&mut changed, pen.modifier - self.pen.modifier);
            if pen.fg != self.pen.fg {
                add_colour(&mut changed, pen.fg, Ground::Fore, true);
            }
            if pen.bg != self.pen.bg {
                add_colour(&mut changed, pen.bg, Ground::Back, true);
            }
            if changed.len() <= told.len() {
                told = changed;
            }
        }
        let _ = write!(self.bytes, "\x1b[{}m", if told == "0" { "" } else { &told });
        self.pen = pen;
    }

    fn put(&mut self, cell: &Cell) {
        let symbol = cell.symbol();
        self.bytes.push_str(symbol);
        let width = cell.cell_width();
        self.at = self.at.and_then(|at| {
            let x = at.x.saturating_add(width);
            // At the last column terminals wait for the next character; several code points may be one column more.
            let is_sure = x < self.size.width && !is_doubtful(cell);
            is_sure.then_some(Position { x, ..at })
        });
    }
}

/// The way from one place to another on the same line or the next, where there is one.
fn steps(at: Position, to: Position) -> Option<String> {
    let down = to.y.checked_sub(at.y).filter(|lines| *lines <= 1)?;
    let mut way = "\n".repeat(usize::from(down));
    let _ = match (to.x, to.x.abs_diff(at.x)) {
        (_, 0) => Ok(()),
        (0, _) => write!(way, "\r"),
        (x, 1) if x > at.x => write!(way, "\x1b[C"),
        (x, by) if x > at.x => write!(way, "\x1b[{by}C"),
        (_, by @ 1..=3) => write!(way, "{}", "\x08".repeat(usize::from(by))),
        (_, by) => write!(way, "\x1b[{by}D"),
    };
    Some(way)
}

/// A cell and its place.
type Placed<'a> = (u16, u16, &'a Cell);

/// Puts cells into the order in which they are drawn: lines with graphemes that are not one plain column first and as
/// they stand, for what is drawn over the half of such a grapheme takes the other half along; of the other lines, all
/// cells of one style together, first those of the style that the terminal has.
fn arranged<'a>(cells: impl Iterator<Item = Placed<'a>>, pen: Pen) -> Vec<(Pen, Placed<'a>)> {
    let cells: Vec<Placed> = cells.collect();
    let mut pens = vec![pen];
    let mut keyed = Vec::with_capacity(cells.len());
    for line in cells.chunk_by(|a, b| a.1 == b.1) {
        let is_plain = line.iter().all(|(_, _, cell)| is_one_column(cell));
        let mut before = None;
        for placed in line {
            let (x, _, cell) = *placed;
            // A blank looks the same in many styles: in that of the cell it follows, if possible.
            let near = before.filter(|(at, _)| at + 1 == x).map(|(_, pen)| pen);
            let blank = is_blank(cell).then(|| near.into_iter().chain(pens.iter().copied()).find(|pen| pen.fits(cell)));
            let pen = blank.flatten().unwrap_or_else(|| Pen::of(cell));
            before = Some((x, pen));
            let group = pens.iter().position(|known| *known == pen).unwrap_or_else(|| {
                pens.push(pen);
                pens.len() - 1
            });
            keyed.push((if is_plain { Some(group) } else { None }, (pen, *placed)));
        }
    }
    // Stable: within a style from the top, and no style at all before the first one.
    keyed.sort_by_key(|(group, _)| *group);
    keyed.into_iter().map(|(_, cell)| cell).collect()
}

fn is_one_column(cell: &Cell) -> bool {
    cell.cell_width() == 1 && !is_doubtful(cell)
}

fn is_blank(cell: &Cell) -> bool {
    cell.symbol() == " " && !cell.modifier.intersects(SEEN_ON_BLANK)
}

/// What can be seen of a style on a blank, besides the background.
const SEEN_ON_BLANK: Modifier =
    Modifier::REVERSED.union(Modifier::UNDERLINED).union(Modifier::CROSSED_OUT).union(Modifier::SLOW_BLINK);

#[derive(Clone, Copy)]
enum Ground {
    Fore,
    Back,
}

fn add_modifiers(told: &mut String, modifier: Modifier) {
    for (one, parameter) in MODIFIERS {
        if modifier.contains(one) {
            separate(told);
            told.push_str(parameter);
        }
    }
}

fn add_colour(told: &mut String, colour: Color, ground: Ground, tells_default: bool) {
    let (base, bright, extended, default) = match ground {
        Ground::Fore => (30, 90, 38, 39),
        Ground::Back => (40, 100, 48, 49),
    };
    let named = |number: u8| if number < 8 { base + number } else { bright + number - 8 };
    if colour == Color::Reset {
        if tells_default {
            separate(told);
            let _ = write!(told, "{default}");
        }
        return;
    }
    separate(told);
    let _ = match colour {
        Color::Rgb(r, g, b) => write!(told, "{extended};2;{r};{g};{b}"),
        Color::Indexed(index) => write!(told, "{extended};5;{index}"),
        Color::Black => write!(told, "{}", named(0)),
        Color::Red => write!(told, "{}", named(1)),
        Color::Green => write!(told, "{}", named(2)),
        Color::Yellow => write!(told, "{}", named(3)),
        Color::Blue => write!(told, "{}", named(4)),
        Color::Magenta => write!(told, "{}", named(5)),
        Color::Cyan => write!(told, "{}", named(6)),
        Color::Gray => write!(told, "{}", named(7)),
        Color::DarkGray => write!(told, "{}", named(8)),
        Color::LightRed => write!(told, "{}", named(9)),
        Color::LightGreen => write!(told, "{}", named(10)),
        Color::LightYellow => write!(told, "{}", named(11)),
        Color::LightBlue => write!(told, "{}", named(12)),
        Color::LightMagenta => write!(told, "{}", named(13)),
        Color::LightCyan => write!(told, "{}", named(14)),
        Color::White | Color::Reset => write!(told, "{}", named(15)),
    };
}

fn separate(told: &mut String) {
    if !told.is_empty() {
        told.push(';');
    }
}

impl Backend for CompactBackend {
    type Error = Infallible;

    fn draw<'a, I>(&mut self, content: I) -> Result<(), Infallible>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        for (pen, (x, y, cell)) in arranged(content, self.pen) {
            self.go_to(Position { x, y });
            self.take_up(pen);
            self.put(cell);
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> Result<(), Infallible> {
        if std::mem::take(&mut self.is_cursor_shown) {
            self.bytes.push_str("\x1b[?25l");
        }
        Ok(())
    }

    fn show_cursor(&mut self) -> Result<(), Infallible> {
        if !std::mem::replace(&mut self.is_cursor_shown, true) {
            self.bytes.push_str("\x1b[?25h");
        }
        Ok(())
    }

    fn get_cursor_position(&mut self) -> Result<Position, Infallible> {
        Ok(self.at.unwrap_or_default())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> Result<(), Infallible> {
        self.go_to(position.into());
        Ok(())
    }

    fn clear(&mut self) -> Result<(), Infallible> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, _: ClearType) -> Result<(), Infallible> {
        self.take_up(Pen::PLAIN);
        self.bytes.push_str("\x1b[2J");
        Ok(())
    }

    fn size(&self) -> Result<Size, Infallible> {
        Ok(self.size)
    }

    fn window_size(&mut self) -> Result<WindowSize, Infallible> {
        Ok(WindowSize { columns_rows: self.size, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
