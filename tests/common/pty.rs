//! A program in a pseudo-terminal: what it shows, what is typed to it, how it ends. Every wait is on a condition that the
//! reader thread signals.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Instant;

use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};
use vt100::Screen;

use super::program::exit_code;
use super::{DEADLINE, Program, signal, signal_group, styled, text};

/// Keys as a terminal sends them.
#[derive(Clone, Copy, Debug)]
pub enum Key {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Delete,
    Enter,
    Tab,
    BackTab,
    Backspace,
    /// Wait for its effect before the next key: with a key right behind it, it reads as Alt.
    Esc,
    Char(char),
    Ctrl(char),
}

impl Key {
    fn bytes(self) -> Vec<u8> {
        match self {
            Self::Up => "\x1b[A".into(),
            Self::Down => "\x1b[B".into(),
            Self::Right => "\x1b[C".into(),
            Self::Left => "\x1b[D".into(),
            Self::PageUp => "\x1b[5~".into(),
            Self::PageDown => "\x1b[6~".into(),
            Self::Home => "\x1b[H".into(),
            Self::End => "\x1b[F".into(),
            Self::Delete => "\x1b[3~".into(),
            Self::Enter => "\r".into(),
            Self::Tab => "\t".into(),
            Self::BackTab => "\x1b[Z".into(),
            Self::Backspace => "\x7f".into(),
            Self::Esc => "\x1b".into(),
            Self::Char(char) => char.to_string().into(),
            Self::Ctrl(char) => vec![char.to_ascii_uppercase() as u8 & 0x1f],
        }
    }
}

/// A running program and the terminal it runs in. Dropping it kills the program and whatever it started in its group.
pub struct Pty {
    shared: Arc<Shared>,
    pid: u32,
    // Both are gone once the terminal has hung up.
    master: Option<Box<dyn MasterPty + Send>>,
    writer: Arc<Mutex<Option<Box<dyn Write + Send>>>>,
    settings: String,
    // Holds the home folder for as long as the program may look into it.
    program: Program,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    terminal: vt100::Parser<Answers>,
    written: Vec<u8>,
    reads: u64,
    /// The terminal takes nothing, as after Ctrl-S.
    is_paused: bool,
    /// No process has the terminal open any more.
    has_closed: bool,
    exit: Option<i32>,
    hang_up: bool,
}

/// Replies to what the program asks of its terminal.
#[derive(Default)]
struct Answers(Vec<u8>);

impl vt100::Callbacks for Answers {
    fn unhandled_csi(
        &mut self,
        screen: &mut Screen,
        first: Option<u8>,
        _second: Option<u8>,
        params: &[&[u16]],
        last: char,
    ) {
        match (first, params, last) {
            (None, [[6]], 'n') => {
                let (row, column) = screen.cursor_position();
                let report = format!("\x1b[{};{}R", row + 1, column + 1);
                self.0.extend(report.bytes());
            }
            // A VT100 with the advanced video option.
            (None, [] | [[0]], 'c') => self.0.extend(b"\x1b[?1;2c"),
            _ => {}
        }
    }
}

impl Pty {
    pub(super) fn start(program: Program, columns: u16, rows: u16) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let mut builder = CommandBuilder::from_argv(program.words().to_vec());
        builder.env_clear();
        for (name, value) in program.environment() {
            builder.env(name, value);
        }
        builder.cwd(std::env::current_dir().unwrap());
        let settings = settings(&*pair.master);
        let child = pair.slave.spawn_command(builder).unwrap_or_else(|error| panic!("cannot run {program}: {error}"));
        // The terminal closes only when nobody has its program side open, and that includes this process.
        drop(pair.slave);
        // Only the standard library's child tells which signal ended it.
        let child: Box<dyn portable_pty::Child> = child;
        let child = child.downcast::<Child>().unwrap_or_else(|_| panic!("portable-pty started no std::process::Child"));
        let (columns, rows) = drawable(columns, rows);
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                terminal: vt100::Parser::new_with_callbacks(rows, columns, 0, Answers::default()),
                written: Vec::new(),
                reads: 0,
                is_paused: false,
                has_closed: false,
                exit: None,
                hang_up: false,
            }),
            changed: Condvar::new(),
        });
        let writer = Arc::new(Mutex::new(Some(pair.master.take_writer().unwrap())));
        let pid = child.id();
        let reader = pair.master.try_clone_reader().unwrap();
        thread::spawn({
            let (shared, writer) = (Arc::clone(&shared), Arc::clone(&writer));
            move || read_all(reader, &shared, &writer)
        });
        thread::spawn({
            let shared = Arc::clone(&shared);
            move || reap(*child, &shared)
        });
        Self { shared, pid, master: Some(pair.master), writer, settings, program }
    }

    /// Types text, or sends bytes as they are.
    pub fn send(&self, bytes: impl AsRef<[u8]>) {
        let mut writer = self.writer.lock().unwrap();
        let writer = writer.as_mut().expect("the terminal has hung up");
        writer.write_all(bytes.as_ref()).unwrap();
        writer.flush().unwrap();
    }

    /// Presses one key.
    pub fn key(&self, key: Key) {
        self.send(key.bytes());
    }

    /// Changes the terminal's size; the kernel tells the program. No size is refused, not even 0x0.
    pub fn resize(&self, columns: u16, rows: u16) {
        let mut state = self.shared.lock();
        let (drawn_columns, drawn_rows) = drawable(columns, rows);
        // Under one lock with the kernel's size, so that nothing drawn for the new size meets the old one.
        let screen = state.terminal.screen_mut();
        screen.set_size(drawn_rows, drawn_columns);
        let master = self.master.as_ref().expect("the terminal has hung up");
        master.resize(size(columns, rows)).unwrap();
    }

    /// The terminal goes away, as when a connection drops. The last input is then a newline and Ctrl-D.
    pub fn hang_up(&mut self) {
        let master = self.master.take().expect("the terminal has hung up before");
        let path = master.tty_name().unwrap();
        self.shared.lock().hang_up = true;
        // The reader sleeps in a read that nothing but output can end.
        let mut side = OpenOptions::new().write(true).open(path).unwrap();
        side.write_all(b"\0").unwrap();
        drop(side);
        self.wait("the reader to let go of the terminal", |state| state.has_closed);
        self.writer.lock().unwrap().take();
    }

    /// Sends the program the signal named `name`, such as `TERM`.
    pub fn signal(&self, name: &str) {
        assert!(signal(self.pid, name), "{} is gone", self.program);
    }

    /// The program's process, which leads its session and its group.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// The rows as text, without trailing blanks.
    pub fn screen(&self) -> String {
        self.with_screen(text)
    }

    /// The rows as text with their styles; see [`styled`].
    pub fn styled_dump(&self) -> String {
        self.with_screen(styled)
    }

    /// Anything else about the screen: its cursor, whether it is the alternate one, mouse and paste modes.
    pub fn with_screen<T>(&self, read: impl FnOnce(&Screen) -> T) -> T {
        read(self.shared.lock().terminal.screen())
    }

    /// How many bytes the terminal has received.
    pub fn bytes_written_by_program(&self) -> u64 {
        self.shared.lock().written.len() as u64
    }

    /// Everything the terminal has received, byte by byte.
    pub fn bytes(&self) -> Vec<u8> {
        self.shared.lock().written.clone()
    }

    /// Waits until the terminal has received these bytes.
    #[track_caller]
    pub fn wait_bytes(&self, what: &str, wanted: &[u8]) {
        self.wait(what, |state| state.written.windows(wanted.len()).any(|bytes| bytes == wanted));
    }

    /// The terminal takes no more output, so that whoever writes more than its buffers hold is blocked.
    pub fn pause(&self) {
        self.shared.lock().is_paused = true;
    }

    /// Takes output again.
    pub fn resume(&self) {
        self.shared.lock().is_paused = false;
        self.shared.changed.notify_all();
    }

    /// How many pieces they came in. A frame is at least one, unless the next one has followed before it was read.
    pub fn pieces_written_by_program(&self) -> u64 {
        self.shared.lock().reads
    }

    /// Whether the line discipline (echo, line mode, signal keys) is as it was before the program started.
    pub fn is_as_found(&self) -> bool {
        let master = self.master.as_ref().expect("the terminal has hung up");
        settings(&**master) == self.settings
    }

    /// Waits until the screen is as wanted. Panics with `what` and the screen at [`DEADLINE`], or at once when the
    /// program has ended without it.
    #[track_caller]
    pub fn wait_for(&self, what: &str, is_so: impl Fn(&Screen) -> bool) {
        self.wait(what, |state| is_so(state.terminal.screen()));
    }

    /// Waits until the screen shows this text within one row.
    #[track_caller]
    pub fn wait_text(&self, wanted: &str) {
        self.wait_for(&format!("{wanted:?}"), |screen| text(screen).contains(wanted));
    }

    /// Waits until what is typed is no longer shown by the terminal itself: nobody is told when that changes, so it is
    /// looked at over and over.
    #[track_caller]
    pub fn wait_unechoed(&self) {
        // ECHO of termios(3).
        const ECHO: u32 = 0o10;
        let begun = Instant::now();
        let master = self.master.as_ref().expect("the terminal has hung up");
        while master.get_termios().expect("a terminal has settings").local_flags.bits() & ECHO != 0 {
            assert!(begun.elapsed() < DEADLINE, "waited in vain for the echo to be off");
            thread::yield_now();
        }
    }

    /// Waits until the program has ended and the terminal has all it wrote. The exit code is 128 + n after signal n.
    #[track_caller]
    pub fn wait_exit(&self) -> i32 {
        self.wait("the program's end", |state| state.exit.is_some() && state.has_closed);
        self.shared.lock().exit.unwrap()
    }

    #[track_caller]
    fn wait(&self, what: &str, is_so: impl Fn(&State) -> bool) {
        let deadline = Instant::now() + DEADLINE;
        let mut state = self.shared.lock();
        while !is_so(&state) {
            let left = deadline.saturating_duration_since(Instant::now());
            let is_over = state.exit.is_some() && state.has_closed;
            if left.is_zero() || is_over {
                let report = report(&state);
                // Not while it is locked: a panic would poison it.
                drop(state);
                panic!("waited in vain for {what} of {}\n{report}", self.program);
            }
            (state, _) = self.shared.changed.wait_timeout(state, left).expect("the terminal's reader panicked");
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let Ok(state) = self.shared.state.lock() else {
            return;
        };
        // Else the program's end would not be seen.
        let mut state = state;
        state.is_paused = false;
        signal_group(self.pid, "KILL");
        if state.exit.is_none() {
            signal(self.pid, "KILL");
        }
        // Reaped before the terminal and the home folder go.
        self.shared.changed.wait_timeout_while(state, DEADLINE, |state| state.exit.is_none()).ok();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("the terminal's reader panicked")
    }
}

fn read_all(mut reader: Box<dyn Read + Send>, shared: &Shared, writer: &Mutex<Option<Box<dyn Write + Send>>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = reader.read(&mut buffer) {
        let state = shared.lock();
        let waited = shared.changed.wait_while(state, |state| state.is_paused && !state.hang_up);
        let mut state = waited.expect("a waiting test panicked");
        if state.hang_up {
            break;
        }
        state.written.extend_from_slice(&buffer[..count]);
        state.reads += 1;
        state.terminal.process(&buffer[..count]);
        let answers = std::mem::take(&mut state.terminal.callbacks_mut().0);
        drop(state);
        shared.changed.notify_all();
        if let Some(writer) = writer.lock().unwrap().as_mut() {
            // The program may have ended before its answer.
            writer.write_all(&answers).ok();
        }
    }
    drop(reader);
    shared.lock().has_closed = true;
    shared.changed.notify_all();
}

fn reap(mut child: Child, shared: &Shared) {
    let status = child.wait().unwrap();
    shared.lock().exit = Some(exit_code(status));
    shared.changed.notify_all();
}

fn report(state: &State) -> String {
    let screen = state.terminal.screen();
    let (rows, columns) = screen.size();
    let end = match (state.exit, state.has_closed) {
        (None, _) => "the program runs".to_owned(),
        (Some(code), true) => format!("the program ended with exit code {code}"),
        (Some(code), false) => {
            format!("the program ended with exit code {code}, but another holds its terminal")
        }
    };
    let screen = text(screen);
    format!("--- {columns}x{rows}, {end} ---\n{screen}\n---")
}

fn settings(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().expect("a terminal"))
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// The emulated screen is never smaller than this: `vt100` cannot wrap a line on one row nor hold a wide character in one
/// column, and would panic. The program is told its true size all the same.
fn drawable(columns: u16, rows: u16) -> (u16, u16) {
    (columns.max(2), rows.max(2))
}
