//! Mouse reports: asking the terminal for them, and reading them. Only presses, releases and the wheel are asked for, in
//! the SGR form: with the reports of every motion, which the client library asks for as well, a hand on the mouse would
//! send some hundred events a second over a slow line.
//!
//! The modes are xterm's ("Mouse Tracking" in its control sequences). With Shift held, terminals keep the mouse to
//! themselves, so that text can be selected as ever.

use std::fmt;

use crossterm::Command;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use crate::app::event::Mouse;

/// Asks for reports of presses (1000) in the form that has no greatest column (1006).
pub(super) struct EnableMouse;

impl Command for EnableMouse {
    fn write_ansi(&self, f: &mut impl fmt::Write) -> fmt::Result {
        f.write_str("\x1b[?1000;1006h")
    }
}

/// Takes that back.
pub(super) struct DisableMouse;

impl Command for DisableMouse {
    fn write_ansi(&self, f: &mut impl fmt::Write) -> fmt::Result {
        f.write_str("\x1b[?1006;1000l")
    }
}

/// What was done; nothing where that means nothing here, as releases, other buttons and held keys do.
pub(super) fn translate(event: MouseEvent) -> Option<Mouse> {
    if !event.modifiers.is_empty() {
        return None;
    }
    match event.kind {
        MouseEventKind::ScrollDown => Some(Mouse::Wheel { down: true }),
        MouseEventKind::ScrollUp => Some(Mouse::Wheel { down: false }),
        MouseEventKind::Down(MouseButton::Left) => Some(Mouse::Click { line: event.row }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyModifiers;

    fn mouse(kind: MouseEventKind, modifiers: KeyModifiers) -> Option<Mouse> {
        translate(MouseEvent { kind, column: 3, row: 7, modifiers })
    }

    #[test]
    fn the_wheel_and_the_main_button_mean_something_and_nothing_else_does() {
        let plain = |kind| mouse(kind, KeyModifiers::NONE);
        assert_eq!(plain(MouseEventKind::ScrollDown), Some(Mouse::Wheel { down: true }));
        assert_eq!(plain(MouseEventKind::ScrollUp), Some(Mouse::Wheel { down: false }));
        assert_eq!(plain(MouseEventKind::Down(MouseButton::Left)), Some(Mouse::Click { line: 7 }));
        for kind in [
            MouseEventKind::Down(MouseButton::Right),
            MouseEventKind::Down(MouseButton::Middle),
            MouseEventKind::Up(MouseButton::Left),
            MouseEventKind::Drag(MouseButton::Left),
            MouseEventKind::Moved,
            MouseEventKind::ScrollLeft,
            MouseEventKind::ScrollRight,
        ] {
            assert_eq!(plain(kind), None, "{kind:?}");
        }
        assert_eq!(mouse(MouseEventKind::ScrollDown, KeyModifiers::CONTROL), None, "a terminal's own size of letters");
        assert_eq!(mouse(MouseEventKind::Down(MouseButton::Left), KeyModifiers::SHIFT), None, "a selection of text");
    }
}
