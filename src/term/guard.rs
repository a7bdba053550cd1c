//! The terminal is taken once and given back exactly once: on leaving, on errors, on panics in any thread or task, and
//! before the program is stopped or ended by a signal.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, queue, style};
use tokio::sync::Notify;

use super::mouse;

/// Whether the terminal is ours. The panic hook runs outside of any guard, so this is known to the whole program.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether the mouse is ours too, while the terminal is, likewise.
static HAS_MOUSE: AtomicBool = AtomicBool::new(false);

/// Whoever writes has the turn, so that no frame comes after the last words, nor in the midst of them.
static TURN: Mutex<()> = Mutex::new(());

/// Notified when anything has panicked since the terminal was taken.
static PANICKED: Notify = Notify::const_new();

/// Asks the terminal to mark pasted text, so that it is never taken for keys (xterm's "Bracketed Paste Mode").
const ENABLE_PASTE: &str = "\x1b[?2004h";
/// Takes that back.
const DISABLE_PASTE: &str = "\x1b[?2004l";

/// A terminal that takes no more bytes, as after Ctrl-S or a lost connection, must not hold up the end: the last words
/// to it are given up after this.
pub(super) const LAST_WORDS: Duration = Duration::from_millis(150);

/// True where both ends of the program are a terminal, so that keys can be read and a screen drawn.
pub fn is_there() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Returns once anything has panicked, in whatever thread or task: the terminal has been given back then, and what the
/// panic said stands on it, so there is nothing left to draw on.
pub async fn panicked() {
    PANICKED.notified().await;
}

/// A way to the terminal past the buffer of standard output, whose lock a blocked frame would hold.
pub(super) fn open() -> io::Result<File> {
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

/// Writes a frame, unless the terminal has been given back meanwhile.
pub(super) fn show(terminal: &mut File, frame: &[u8]) -> io::Result<()> {
    let _turn = turn();
    if IS_TAKEN.load(Ordering::SeqCst) { terminal.write_all(frame) } else { Ok(()) }
}

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Holds the terminal: raw, on its alternate screen, without a cursor. Dropping it gives the terminal back.
#[derive(Debug)]
pub struct TerminalGuard {
    has_mouse: bool,
}

impl TerminalGuard {
    /// Takes the terminal, with reports of the mouse where they are wanted, and makes panics give it back before they say
    /// anything.
    pub fn take(has_mouse: bool) -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let report = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                give_back();
                report(panic);
                PANICKED.notify_one();
            }));
        });
        let guard = Self { has_mouse };
        enter(has_mouse)?;
        Ok(guard)
    }

    /// Gives the terminal back for a while, as for a stop by Ctrl-Z.
    pub fn lend(&self) {
        give_back();
    }

    /// Takes it again afterwards.
    pub fn resume(&self) -> io::Result<()> {
        enter(self.has_mouse)
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter(has_mouse: bool) -> io::Result<()> {
    HAS_MOUSE.store(has_mouse, Ordering::SeqCst);
    IS_TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    let mut words = Vec::new();
    queue!(words, EnterAlternateScreen, cursor::Hide, style::Print(ENABLE_PASTE))?;
    if has_mouse {
        queue!(words, style::Print(mouse::ENABLE))?;
    }
    open()?.write_all(&words)
}

/// Undoes everything once, however many call it; a terminal that is gone is no error any more.
fn give_back() {
    if !IS_TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let (done, is_done) = mpsc::channel();
    let said = thread::Builder::new().spawn(move || {
        let mut words = Vec::new();
        if HAS_MOUSE.load(Ordering::SeqCst) {
            let _ = queue!(words, style::Print(mouse::DISABLE));
        }
        let _ = queue!(words, style::Print(DISABLE_PASTE), style::ResetColor, cursor::Show, LeaveAlternateScreen);
        let _turn = turn();
        let _ = open().and_then(|mut terminal| terminal.write_all(&words));
        let _ = done.send(());
    });
    if said.is_ok() {
        let _ = is_done.recv_timeout(LAST_WORDS);
    }
    let _ = disable_raw_mode();
}
