//! Mouse reports: asking the terminal for them, and what they mean. Only presses, releases and the wheel are asked for, in
//! the SGR form: with the reports of every motion a hand on the mouse would send some hundred events a second over a slow
//! line.
//!
//! The modes and the numbers of buttons are xterm's ("Mouse Tracking" in its control sequences). With Shift held,
//! terminals keep the mouse to themselves, so that text can be selected as ever.

use crate::app::event::Mouse;

/// Asks for reports of presses (1000) in the form that has no greatest column (1006).
pub(super) const ENABLE: &str = "\x1b[?1000;1006h";

/// Takes that back.
pub(super) const DISABLE: &str = "\x1b[?1006;1000l";

/// What was done with `button`, on `line` as the terminal counts, from 1; nothing where that means nothing here, as
/// other buttons, motions and held keys do.
pub(super) fn read(button: u32, line: u16) -> Option<Mouse> {
    match button {
        0 => Some(Mouse::Click { line: line.checked_sub(1)? }),
        64 => Some(Mouse::Wheel { down: false }),
        65 => Some(Mouse::Wheel { down: true }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wheel_and_the_main_button_mean_something_and_nothing_else_does() {
        assert_eq!(read(65, 8), Some(Mouse::Wheel { down: true }));
        assert_eq!(read(64, 8), Some(Mouse::Wheel { down: false }));
        assert_eq!(read(0, 8), Some(Mouse::Click { line: 7 }));
        assert_eq!(read(0, 0), None, "no terminal counts so");
        // The middle and the right button, a release, a motion, the wheel sideways; Shift, Alt and Ctrl.
        for button in [1, 2, 3, 32, 35, 66, 67, 4, 8, 16, 65 + 16] {
            assert_eq!(read(button, 8), None, "{button}");
        }
    }
}
