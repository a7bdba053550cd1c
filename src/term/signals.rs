//! Signals that end or stop the program.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// To end, with this exit code as a shell tells it: 128 and the number of the signal.
    End(u8),
    /// To stop until it is told to go on.
    Stop,
}

/// The signals that are listened for.
pub struct Signals {
    hang_up: Signal,
    interrupt: Signal,
    terminate: Signal,
    stop: Signal,
}

impl Signals {
    /// Listens from now on; none of these ends the program by itself any more.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            stop: signal(SignalKind::from_raw(signal_hook::consts::SIGTSTP))?,
        })
    }

    /// The next one.
    pub async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.hang_up.recv() => Asked::End(129),
            _ = self.interrupt.recv() => Asked::End(130),
            _ = self.terminate.recv() => Asked::End(143),
            _ = self.stop.recv() => Asked::Stop,
        }
    }

    /// The exit code that the next one asks for which asks to end. One that asks to stop is passed over.
    pub async fn end(&mut self) -> u8 {
        loop {
            if let Asked::End(code) = self.next().await {
                return code;
            }
        }
    }
}

/// Stops the whole process until SIGCONT, as the terminal's own Ctrl-Z would. The terminal has to be given back first.
pub fn stop_process() -> io::Result<()> {
    signal_hook::low_level::raise(signal_hook::consts::SIGSTOP)
}
