//! What can be read: the selected row is one even colour in every theme, and what is said is never cut in its middle.

use ranktop::app::keymap::{Key, Press};
use ranktop::app::update::update;
use ranktop::app::{event::Event, state::State};
use ranktop::text::Charset;
use ranktop::view::Appearance;
use ranktop::view::theme::{Depth, Theme};
use ratatui::buffer::{Buffer, Cell, CellWidth};
use ratatui::style::Modifier;

use super::dump::{drawn, line};
use super::states::{NOW, colours, live, look};
use super::{NORMAL, WIDE};

const DEPTHS: [Depth; 4] = [Depth::True, Depth::Indexed256, Depth::Ansi16, Depth::None];

/// The cells of a line, but for the second halves of wide characters, which no terminal is sent.
fn cells(buffer: &Buffer, y: u16) -> Vec<&Cell> {
    let mut cells = Vec::new();
    let mut x = 0;
    while x < buffer.area.width {
        let cell = &buffer[(x, y)];
        cells.push(cell);
        x += cell.cell_width().max(1);
    }
    cells
}

fn press(state: &mut State, key: Key) {
    update(state, Event::Key(Press::plain(key)), NOW);
}

#[test]
fn the_selected_row_is_one_even_colour() {
    for name in Theme::names() {
        for depth in DEPTHS {
            let look = Appearance { theme: Theme::named(name, depth).unwrap(), ..look(depth, Charset::Utf8) };
            let mut state = live(WIDE);
            for row in 0..5 {
                let (buffer, _) = drawn(&state, &look, WIDE, NOW);
                let selected = u16::try_from(state.session.shown.as_ref().unwrap().selected).unwrap();
                let y = state.geometry.table_top() + selected;
                let first = buffer[(0, y)].clone();
                let what = format!("{name} {depth:?} row {row}: {}", line(&buffer, y));
                let is_swapped = first.modifier.contains(Modifier::REVERSED);
                assert!(is_swapped || first.bg == look.theme.selected.bg.unwrap(), "{what}");
                for cell in cells(&buffer, y) {
                    assert_eq!((cell.bg, cell.modifier.contains(Modifier::REVERSED)), (first.bg, is_swapped), "{what}");
                    assert!(!cell.modifier.contains(Modifier::DIM), "{what}");
                    // What is swapped shows its colour and weight as its background.
                    assert!(!is_swapped || (cell.fg, cell.modifier) == (first.fg, first.modifier), "{what}");
                }
                press(&mut state, Key::Up);
            }
        }
    }
}

#[test]
fn what_is_said_has_a_short_form_on_80_columns() {
    for notice in [
        "a writer skips INCR on the version: comparing rows instead",
        "this board has no period; its key has no ending like ':2026-W41'",
        "paging by position: rows may repeat or be skipped, and are counted",
        "paging by cursor: pages continue from the last row read",
        "no such member on this board; ids must match exactly",
        "cannot look for other periods: the server is loading its data after a restart (LOADING; EXISTS on 'lb:{spring}')",
        "cannot read names, showing ids instead: the user may not run HMGET on 'lb:{spring}:names'",
        "search for 'ada' failed: cannot connect: connection refused (os error 111)",
        "cursor copied; use it with: ranktop page BOARD --after …",
    ] {
        let mut state = live(NORMAL);
        state.notice = Some(notice.to_owned());
        let footer = line(&drawn(&state, &colours(), NORMAL, NOW).0, 23);
        let said = notice.char_indices().map(|(at, _)| &notice[..at]).chain([notice]);
        let longest = said.filter(|said| footer.contains(said)).max_by_key(|said| said.len()).unwrap();
        let rest = &notice[longest.len()..];
        let is_clause = ["", ":", ";", ",", " (", " …"]
            .iter()
            .any(|end| if end.is_empty() { rest.is_empty() } else { rest.trim_start().starts_with(end.trim_start()) });
        assert!(is_clause && longest.len() > 12, "{footer}\n{longest}|{rest}");
    }
}
