//! A screen as text that shows styles too: under each line a letter for the style of each cell that has one, and below
//! the screen what each letter stands for.

use std::fmt::Write as _;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, CellWidth};
use ratatui::style::{Color, Modifier};

use ranktop::app::event::Moment;
use ranktop::app::state::State;
use ranktop::view::{Appearance, draw};

/// Draws `state` on a screen of its own; also returns where the cursor is, where it is shown.
pub(crate) fn drawn(
    state: &State,
    look: &Appearance,
    (columns, lines): (u16, u16),
    now: Moment,
) -> (Buffer, Option<(u16, u16)>) {
    let mut terminal = Terminal::new(TestBackend::new(columns, lines)).unwrap();
    let mut cursor = None;
    terminal.draw(|frame| draw(frame, state, look, now)).unwrap();
    if terminal.backend().cursor_visible() {
        let at = terminal.backend().cursor_position();
        cursor = Some((at.x, at.y));
    }
    (terminal.backend().buffer().clone(), cursor)
}

/// The text of one line, without blanks at its end.
pub(crate) fn line(buffer: &Buffer, y: u16) -> String {
    let mut text = String::new();
    let mut x = 0;
    while x < buffer.area.width {
        let cell = &buffer[(x, y)];
        text.push_str(cell.symbol());
        x += cell.cell_width().max(1);
    }
    text.trim_end().to_owned()
}

/// The whole screen.
pub(crate) fn text(buffer: &Buffer) -> String {
    (0..buffer.area.height).map(|y| line(buffer, y) + "\n").collect()
}

/// The whole screen with its styles.
pub(crate) fn styled(buffer: &Buffer) -> String {
    let mut legend: Vec<String> = Vec::new();
    let mut dump = String::new();
    for y in 0..buffer.area.height {
        let styles: String = (0..buffer.area.width)
            .map(|x| {
                let cell = &buffer[(x, y)];
                let style = described(cell.fg, cell.bg, cell.modifier);
                if style.is_empty() {
                    return ' ';
                }
                let known = legend.iter().position(|known| *known == style);
                let index = known.unwrap_or_else(|| {
                    legend.push(style);
                    legend.len() - 1
                });
                char::from(b'a' + u8::try_from(index).unwrap())
            })
            .collect();
        writeln!(dump, "|{}", line(buffer, y)).unwrap();
        if !styles.trim().is_empty() {
            writeln!(dump, ":{}", styles.trim_end()).unwrap();
        }
    }
    for (letter, style) in ('a'..).zip(legend) {
        writeln!(dump, "{letter} = {style}").unwrap();
    }
    dump
}

fn described(fg: Color, bg: Color, modifier: Modifier) -> String {
    let mut words = Vec::new();
    if fg != Color::Reset {
        words.push(fg.to_string());
    }
    if bg != Color::Reset {
        words.push(format!("on {bg}"));
    }
    words.extend(modifier.iter_names().map(|(name, _)| name.to_lowercase()));
    words.join(" ")
}
