//! Keys, the mouse and pastes from the terminal, read by threads of their own, so that nothing else can hold them up.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use super::decode::{Decoder, Sequence};
use super::keys;
use crate::app::event::Event;

/// The end at which events of the terminal come out. It ends with an error when the terminal is gone.
pub type Input = mpsc::UnboundedReceiver<io::Result<Event>>;

/// Bytes that are read at once.
const PIECE: usize = 4_096;

/// What both threads share: the decoder, and where its events go.
struct Decoding {
    decoder: Decoder,
    /// How many pieces it has taken in.
    pieces: u64,
    tell: mpsc::UnboundedSender<io::Result<Event>>,
}

impl Decoding {
    /// Sends the events of `sequences`; false where nobody wants them any more.
    fn send(&self, sequences: Vec<Sequence>) -> bool {
        sequences.into_iter().filter_map(keys::event).all(|event| self.tell.send(Ok(event)).is_ok())
    }
}

/// Starts reading. The threads live as long as the program: one waits in the terminal and cannot be called off. It
/// decodes what it reads, so that a key wakes one thread before the loop; the other one only waits for what is not whole.
pub fn start() -> io::Result<Input> {
    // Past the buffer of standard input, which would hold back what it has read.
    let terminal = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let (tell, input) = mpsc::unbounded_channel();
    let decoding = Decoding { decoder: Decoder::default(), pieces: 0, tell };
    let shared = Arc::new((Mutex::new(decoding), Condvar::new()));
    let waiting = shared.clone();
    thread::Builder::new().name("terminal".to_owned()).spawn(move || read(terminal, &shared))?;
    thread::Builder::new().name("input".to_owned()).spawn(move || give_up(&waiting))?;
    Ok(input)
}

type Shared = (Mutex<Decoding>, Condvar);

fn lock(shared: &Shared) -> MutexGuard<'_, Decoding> {
    // A panic of the other thread ends the program anyway.
    shared.0.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads and decodes until the terminal is gone, or nobody wants its events.
fn read(mut terminal: File, shared: &Shared) {
    let mut piece = [0; PIECE];
    loop {
        let length = match terminal.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            read => read,
        };
        let mut decoding = lock(shared);
        let bytes = match length {
            Ok(length) => piece.get(..length).unwrap_or_default(),
            // A terminal that failed once is gone; asking it again would spin.
            Err(error) => {
                let _ = decoding.tell.send(Err(error));
                return;
            }
        };
        decoding.pieces += 1;
        let sequences = decoding.decoder.feed(bytes);
        if !decoding.send(sequences) {
            return;
        }
        if decoding.decoder.patience().is_some() {
            shared.1.notify_one();
        }
    }
}

/// Takes what is not whole for what it is once the rest has not come for so long; until nobody wants to know.
fn give_up(shared: &Shared) {
    let mut decoding = lock(shared);
    loop {
        let Some(patience) = decoding.decoder.patience() else {
            decoding = shared.1.wait(decoding).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let before = decoding.pieces;
        let (after, waited) = shared.1.wait_timeout(decoding, patience).unwrap_or_else(PoisonError::into_inner);
        decoding = after;
        if waited.timed_out() && decoding.pieces == before {
            let sequences = decoding.decoder.give_up();
            if !decoding.send(sequences) {
                return;
            }
        }
    }
}

/// Tells each time that the terminal has another size.
pub fn resizes() -> io::Result<Signal> {
    signal(SignalKind::window_change())
}

/// The size of the terminal: columns and lines; 80 x 24 where it does not say.
pub fn size() -> (u16, u16) {
    crossterm::terminal::size().unwrap_or((80, 24))
}
