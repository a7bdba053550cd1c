//! Keys, the mouse and pastes from the terminal, read by threads of their own, so that nothing else can hold them up.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::sync::mpsc as pieces;
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

/// Starts reading. The threads live as long as the program: one waits in the terminal and cannot be called off.
pub fn start() -> io::Result<Input> {
    // Past the buffer of standard input, which would hold back what it has read.
    let mut terminal = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let (read, pieces) = pieces::channel();
    thread::Builder::new().name("terminal".to_owned()).spawn(move || {
        let mut piece = [0; PIECE];
        loop {
            let read_now = match terminal.read(&mut piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(length) => Ok(piece.get(..length).unwrap_or_default().to_vec()),
                Err(error) => Err(error),
            };
            // A terminal that failed once is gone; asking it again would spin.
            let is_over = read_now.is_err();
            if read.send(read_now).is_err() || is_over {
                return;
            }
        }
    })?;
    let (tell, input) = mpsc::unbounded_channel();
    thread::Builder::new().name("input".to_owned()).spawn(move || decode(&pieces, &tell))?;
    Ok(input)
}

/// Makes events of the pieces until there are no more, or nobody wants them.
fn decode(pieces: &pieces::Receiver<io::Result<Vec<u8>>>, tell: &mpsc::UnboundedSender<io::Result<Event>>) {
    let mut decoder = Decoder::default();
    loop {
        let piece = match decoder.patience() {
            Some(patience) => pieces.recv_timeout(patience),
            None => pieces.recv().map_err(Into::into),
        };
        let sequences: Vec<Sequence> = match piece {
            Ok(Ok(bytes)) => decoder.feed(&bytes),
            Err(pieces::RecvTimeoutError::Timeout) => decoder.give_up(),
            Ok(Err(error)) => {
                let _ = tell.send(Err(error));
                return;
            }
            Err(pieces::RecvTimeoutError::Disconnected) => return,
        };
        for event in sequences.into_iter().filter_map(keys::event) {
            if tell.send(Ok(event)).is_err() {
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
