//! The terminal is taken once and given back exactly once: on leaving, on errors, on panics in any thread or task, and
//! before the program is stopped or ended by a signal.

use std::io::{self, IsTerminal, Write};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, execute, style};

/// Whether the terminal is ours. The panic hook runs outside of any guard, so this is known to the whole program.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// True where both ends of the program are a terminal, so that keys can be read and a screen drawn.
pub fn is_there() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Holds the terminal: raw, on its alternate screen, without a cursor. Dropping it gives the terminal back.
#[derive(Debug)]
pub struct TerminalGuard(());

impl TerminalGuard {
    /// Takes the terminal, and makes panics give it back before they say anything.
    pub fn take() -> io::Result<Self> {
        static HOOK: std::sync::Once = std::sync::Once::new();
        HOOK.call_once(|| {
            let report = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                give_back();
                report(panic);
            }));
        });
        let guard = Self(());
        enter()?;
        Ok(guard)
    }

    /// Gives the terminal back for a while, as for a stop by Ctrl-Z.
    pub fn lend(&self) {
        give_back();
    }

    /// Takes it again afterwards.
    pub fn resume(&self) -> io::Result<()> {
        enter()
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter() -> io::Result<()> {
    IS_TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, cursor::Hide, EnableBracketedPaste)
}

/// Undoes everything once, however many call it; a terminal that is gone is no error any more.
fn give_back() {
    if !IS_TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    let _ = execute!(out, DisableBracketedPaste, style::ResetColor, cursor::Show, LeaveAlternateScreen);
    let _ = out.flush();
    let _ = disable_raw_mode();
}
