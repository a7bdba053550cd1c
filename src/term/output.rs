//! Frames on their way to the terminal: one write each, by a thread of their own. While the terminal takes its time,
//! no further frame is drawn: frames are dropped, keys are not.

use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use tokio::sync::Notify;

use super::backend::CompactBackend;
use super::guard;
use crate::term::ambiguous_width::Doubts;

/// From this size on a frame is put into a synchronised update, so that no terminal shows half a page. A smaller one
/// arrives as a whole anyway. Terminals that do not know the mode pass over it, as they do over any private mode.
const WORTH_SYNCHRONISING: usize = 512;
const BEGIN_UPDATE: &str = "\x1b[?2026h";
const END_UPDATE: &str = "\x1b[?2026l";

/// The screen: draws what differs from the frame before.
pub struct Screen {
    terminal: Terminal<CompactBackend>,
    doubts: Doubts,
    /// What goes out with the next frame and is no part of the screen.
    beside: String,
    send: SyncSender<Vec<u8>>,
    written: Receiver<io::Result<Vec<u8>>>,
    /// Notified when a frame has been written.
    pub freed: Arc<Notify>,
    is_writing: bool,
    /// What the finished frame leaves to the next one: its memory.
    spare: Vec<u8>,
}

impl Screen {
    /// A screen of this size, on standard output.
    pub fn new(columns: u16, lines: u16) -> io::Result<Self> {
        let (send, frames) = sync_channel::<Vec<u8>>(1);
        let (done, written) = sync_channel(1);
        let freed = Arc::new(Notify::new());
        let free = freed.clone();
        let mut out = guard::open()?;
        thread::Builder::new().name("output".to_owned()).spawn(move || {
            for mut frame in frames {
                let result = guard::show(&mut out, &frame);
                frame.clear();
                if done.send(result.map(|()| frame)).is_err() {
                    return;
                }
                free.notify_one();
            }
        })?;
        let (terminal, beside) = (terminal(columns, lines), String::new());
        Ok(Self {
            terminal,
            doubts: Doubts::default(),
            beside,
            send,
            written,
            freed,
            is_writing: false,
            spare: Vec::new(),
        })
    }

    /// Takes on another size, or begins anew on a screen that somebody else has written to.
    pub fn restart(&mut self, columns: u16, lines: u16) {
        self.terminal = terminal(columns, lines);
        self.doubts = Doubts::default();
    }

    /// True where the frame before is on its way still. An error where it could not be written.
    pub fn is_busy(&mut self) -> io::Result<bool> {
        if self.is_writing
            && let Ok(result) = self.written.try_recv()
        {
            self.is_writing = false;
            self.spare = result?;
        }
        Ok(self.is_writing)
    }

    /// Waits for the frame that is on its way, so that it does not come after the last words to the terminal. One that
    /// the terminal does not take is not waited for for long.
    pub fn finish(&mut self) {
        if self.is_writing
            && let Ok(result) = self.written.recv_timeout(guard::LAST_WORDS)
        {
            self.is_writing = false;
            // Where it could not be written, the next one cannot be either, and tells.
            self.spare = result.unwrap_or_default();
        }
    }

    /// Draws a frame and sends what differs; nothing where nothing does. Only while the screen is not busy.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        let mut anew = Vec::new();
        let Ok(_) = self.terminal.draw(|frame| {
            draw(frame);
            anew = self.doubts.next(frame.buffer_mut());
        });
        self.terminal.backend_mut().draw_anew(&anew);
        self.send()
    }

    /// Sends `text` to the clipboard of the terminal (OSC 52). It goes out with the next frame.
    pub fn copy(&mut self, text: &str) {
        let encoded = STANDARD.encode(text);
        // Writing to a string cannot fail.
        let _ = write!(self.beside, "\x1b]52;c;{encoded}\x07");
    }

    fn send(&mut self) -> io::Result<()> {
        let drawn = self.terminal.backend_mut().bytes();
        if drawn.is_empty() && self.beside.is_empty() {
            return Ok(());
        }
        let mut frame = std::mem::take(&mut self.spare);
        let is_large = drawn.len() >= WORTH_SYNCHRONISING;
        let parts = [self.beside.as_str(), if is_large { BEGIN_UPDATE } else { "" }, drawn];
        for part in parts {
            frame.extend_from_slice(part.as_bytes());
        }
        if is_large {
            frame.extend_from_slice(END_UPDATE.as_bytes());
        }
        drawn.clear();
        self.beside.clear();
        self.is_writing = true;
        self.send.send(frame).map_err(|_| io::Error::other("the thread that writes to the terminal has ended"))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.finish();
    }
}

fn terminal(columns: u16, lines: u16) -> Terminal<CompactBackend> {
    // Fixed: the size is what the terminal last told, and is not asked for with every frame.
    let viewport = Viewport::Fixed(Rect::new(0, 0, columns, lines));
    let Ok(terminal) = Terminal::with_options(CompactBackend::new(columns, lines), TerminalOptions { viewport });
    terminal
}
