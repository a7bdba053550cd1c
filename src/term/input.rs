//! Keys, the mouse, pastes and sizes from the terminal, read by a thread of their own, so that nothing else can hold them up.

use std::io;
use std::thread;
use std::time::Duration;

use crossterm::event::{self, KeyCode, KeyEventKind, KeyModifiers};
use tokio::sync::mpsc;

use super::mouse;
use crate::app::event::Event;
use crate::app::keymap::{Key, Press};
use crate::term::escape_join::Joined;

/// The end at which events of the terminal come out. It ends with an error when the terminal is gone.
pub type Input = mpsc::UnboundedReceiver<io::Result<Event>>;

/// Starts reading. The thread lives as long as the program: it waits in the terminal and cannot be called off.
pub fn start() -> io::Result<Input> {
    let (tell, input) = mpsc::unbounded_channel();
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        let mut joined = Joined::default();
        loop {
            let read = joined.read(next);
            let is_over = read.is_err();
            if let Some(event) = read.map(translate).transpose()
                && tell.send(event).is_err()
            {
                return;
            }
            // A terminal that failed once is gone; asking it again would spin.
            if is_over {
                return;
            }
        }
    })?;
    Ok(input)
}

/// The next event of the terminal within `limit`, if there is one.
fn next(limit: Option<Duration>) -> io::Result<Option<event::Event>> {
    match limit {
        Some(limit) if !event::poll(limit)? => Ok(None),
        _ => event::read().map(Some),
    }
}

/// The size of the terminal: columns and lines; 80 x 24 where it does not say.
pub fn size() -> (u16, u16) {
    crossterm::terminal::size().unwrap_or((80, 24))
}

fn translate(event: event::Event) -> Option<Event> {
    match event {
        event::Event::Key(key) if key.kind != KeyEventKind::Release => press(key.code, key.modifiers).map(Event::Key),
        event::Event::Mouse(event) => mouse::translate(event).map(Event::Mouse),
        event::Event::Paste(text) => Some(Event::Paste(text)),
        event::Event::Resize(columns, lines) => Some(Event::Resized { columns, lines }),
        _ => None,
    }
}

fn press(code: KeyCode, modifiers: KeyModifiers) -> Option<Press> {
    // With Alt a key is another key, which nothing is bound to.
    if modifiers.intersects(KeyModifiers::ALT | KeyModifiers::SUPER | KeyModifiers::META | KeyModifiers::HYPER) {
        return None;
    }
    let ctrl = modifiers.contains(KeyModifiers::CONTROL);
    let key = match code {
        KeyCode::Char(c) if ctrl => Key::Char(c.to_ascii_lowercase()),
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::Backspace => Key::Backspace,
        _ => return None,
    };
    Some(Press { key, ctrl })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyEvent, KeyEventState};

    fn key(code: KeyCode, modifiers: KeyModifiers, kind: KeyEventKind) -> Option<Event> {
        translate(event::Event::Key(KeyEvent { code, modifiers, kind, state: KeyEventState::NONE }))
    }

    #[test]
    fn presses_and_repeats_count_and_releases_do_not() {
        let down = Some(Event::Key(Press::plain(Key::Down)));
        assert_eq!(key(KeyCode::Down, KeyModifiers::NONE, KeyEventKind::Press), down);
        assert_eq!(key(KeyCode::Down, KeyModifiers::NONE, KeyEventKind::Repeat), down);
        assert_eq!(key(KeyCode::Down, KeyModifiers::NONE, KeyEventKind::Release), None);
    }

    #[test]
    fn shifted_letters_are_letters_and_alt_is_nothing() {
        let press = |code, modifiers| key(code, modifiers, KeyEventKind::Press);
        assert_eq!(press(KeyCode::Char('G'), KeyModifiers::SHIFT), Some(Event::Key(Press::plain(Key::Char('G')))));
        assert_eq!(press(KeyCode::Char('C'), KeyModifiers::CONTROL), Some(Event::Key(Press::ctrl('c'))));
        assert_eq!(press(KeyCode::Char('q'), KeyModifiers::ALT), None);
        assert_eq!(press(KeyCode::F(1), KeyModifiers::NONE), None);
    }
}
