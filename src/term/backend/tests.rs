//! What a terminal shows of the bytes, against the buffer that they say.

use super::*;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

const SIZE: Rect = Rect::new(0, 0, 20, 6);

fn colour() -> impl Strategy<Value = Color> {
    prop_oneof![
        Just(Color::Reset),
        Just(Color::Red),
        Just(Color::LightCyan),
        any::<u8>().prop_map(Color::Indexed),
        any::<(u8, u8, u8)>().prop_map(|(r, g, b)| Color::Rgb(r, g, b)),
    ]
}

fn style() -> impl Strategy<Value = Style> {
    let modifiers = [Modifier::BOLD, Modifier::DIM, Modifier::ITALIC, Modifier::UNDERLINED, Modifier::REVERSED];
    (colour(), colour(), prop::sample::subsequence(modifiers.to_vec(), 0..3)).prop_map(|(fg, bg, modifiers)| {
        let modifier = modifiers.into_iter().fold(Modifier::empty(), |all, one| all | one);
        Style::new().fg(fg).bg(bg).add_modifier(modifier)
    })
}

const NARROW: &[&str] = &["a", "abc", "é", "1,050", " "];
const WIDE: &[&str] = &["华", "x华y", "王贞仪", "a"];

type Texts = Vec<(u16, u16, &'static str, Style)>;

fn frame(texts: &'static [&'static str]) -> impl Strategy<Value = Texts> {
    prop::collection::vec((0..SIZE.width, 0..SIZE.height, prop::sample::select(texts), style()), 0..12)
}

fn colour_of(colour: vt100::Color) -> Color {
    match colour {
        vt100::Color::Default => Color::Reset,
        vt100::Color::Idx(1) => Color::Red,
        vt100::Color::Idx(14) => Color::LightCyan,
        vt100::Color::Idx(index) => Color::Indexed(index),
        vt100::Color::Rgb(r, g, b) => Color::Rgb(r, g, b),
    }
}

fn named(colour: Color) -> Color {
    match colour {
        Color::Indexed(1) => Color::Red,
        Color::Indexed(14) => Color::LightCyan,
        other => other,
    }
}

/// Draws one frame after another, and compares the terminal with each.
fn assert_shown(frames: &[Texts]) {
    let mut backend = CompactBackend::new(SIZE.width, SIZE.height);
    let mut terminal = vt100::Parser::new(SIZE.height, SIZE.width, 0);
    let mut before = Buffer::empty(SIZE);
    for texts in frames {
        let mut now = Buffer::empty(SIZE);
        for (x, y, text, style) in texts {
            now.set_string(*x, *y, *text, *style);
        }
        backend.draw(before.diff(&now).into_iter()).unwrap();
        terminal.process(backend.bytes().as_bytes());
        backend.bytes().clear();
        for y in 0..SIZE.height {
            let mut x = 0;
            while x < SIZE.width {
                let cell = &now[(x, y)];
                assert_cell(cell, terminal.screen().cell(y, x).unwrap());
                x += cell.cell_width().max(1);
            }
        }
        before = now;
    }
}

fn assert_cell(cell: &Cell, shown: &vt100::Cell) {
    let symbol = if shown.contents().is_empty() { " " } else { shown.contents() };
    let has = |modifier| cell.modifier.contains(modifier);
    assert_eq!(symbol, cell.symbol());
    assert_eq!(colour_of(shown.bgcolor()), named(cell.bg));
    assert_eq!(shown.inverse(), has(Modifier::REVERSED));
    assert_eq!(shown.underline(), has(Modifier::UNDERLINED));
    if is_blank(cell) {
        return;
    }
    assert_eq!(colour_of(shown.fgcolor()), named(cell.fg));
    // The emulator has one intensity at a time.
    assert!(shown.bold() == has(Modifier::BOLD) || has(Modifier::DIM));
    assert!(shown.dim() == has(Modifier::DIM) || has(Modifier::BOLD));
}

proptest! {
    #[test]
    fn a_terminal_shows_what_the_buffer_holds(frames in prop::collection::vec(frame(NARROW), 1..6)) {
        assert_shown(&frames);
    }

    /// One frame only: what becomes of the other half of a wide character that is overwritten, terminals do not
    /// agree on.
    #[test]
    fn wide_characters_keep_the_columns(frame in frame(WIDE)) {
        assert_shown(&[frame]);
    }
}

#[test]
fn says_no_more_than_it_must() {
    let mut backend = CompactBackend::new(20, 6);
    backend.bytes().clear();
    let before = Buffer::empty(SIZE);
    let mut now = before.clone();
    for (y, score) in [(2, "ab"), (3, "cd")] {
        now.set_string(3, y, score, Style::new().bold());
        now.set_string(9, y, "e", Style::new());
    }
    backend.draw(before.diff(&now).into_iter()).unwrap();
    backend.hide_cursor().unwrap();
    assert_eq!(backend.bytes(), "\x1b[3;10He\n\x08e\x1b[3;4H\x1b[1mab\n\x08\x08cd");
    backend.bytes().clear();
    backend.draw(now.diff(&now).into_iter()).unwrap();
    backend.hide_cursor().unwrap();
    assert_eq!(backend.bytes(), "");
}

#[test]
fn a_line_drawn_anew_is_emptied_first_and_the_cursor_stays_where_it_is_shown() {
    let mut backend = CompactBackend::new(8, 2);
    backend.show_cursor().unwrap();
    backend.set_cursor_position((2, 0)).unwrap();
    backend.bytes().clear();
    let cell = |symbol: &str| {
        let mut cell = Cell::default();
        cell.set_symbol(symbol);
        cell
    };
    backend.draw_anew(&[(1, vec![(0, cell("a")), (1, cell(" ")), (2, cell("b"))])]);
    assert_eq!(backend.bytes(), "\n\r\x1b[2Ka\x1b[Cb\x1b[1;3H");
}
