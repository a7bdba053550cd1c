//! How the program ends: the exit codes that scripts rely on, and failures as the one line, with a hint where one is
//! known, that people read. It knows no command and no screen.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::text::{self, Charset};

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what was asked.
    Done,
    /// Redis, the terminal or the file written to failed.
    Failed,
    /// Wrong usage or settings.
    Usage,
    /// There is no such board or member.
    Missing,
    /// The board changed, or is in a state that forbids what was asked.
    Changed,
    /// Ended by SIGINT.
    Interrupted,
    /// Ended by SIGTERM.
    Terminated,
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Missing => 3,
            Self::Changed => 4,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}

/// Why a command did not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// How the program ends for it.
    pub exit: Exit,
    /// What happened: lower case, no final stop, values in single quotes, the cause after a colon.
    pub message: String,
    /// What can be done about it, where that is known.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), hint: None }
    }

    /// The same with a hint.
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// Says why on `stderr`: `error: …` on one line, then `hint: …` where there is one.
pub fn report(stderr: &mut impl Write, failure: &Failure) -> io::Result<()> {
    writeln!(stderr, "error: {}", one_line(&failure.message))?;
    if let Some(hint) = &failure.hint {
        writeln!(stderr, "hint: {}", one_line(hint))?;
    }
    stderr.flush()
}

/// Says on `stderr` what was left out, where the command goes on without it: `warning: …` on one line.
pub fn warn(stderr: &mut impl Write, message: &str) -> io::Result<()> {
    writeln!(stderr, "warning: {}", one_line(message))?;
    stderr.flush()
}

/// Forgives a reader that has read enough, such as `head`: whoever closes a pipe wants no more, and no complaint.
/// Any other failure to write, such as a full disk, stays one.
pub fn forgive_closed_pipe(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Messages hold words of servers and arguments of users. Escapes that are in them already are left as they are.
pub fn one_line(message: &str) -> String {
    let parts: Vec<_> = message.split('\\').map(|part| text::escape(part.as_bytes(), Charset::Utf8)).collect();
    parts.join("\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes() {
        let all =
            [Exit::Done, Exit::Failed, Exit::Usage, Exit::Missing, Exit::Changed, Exit::Interrupted, Exit::Terminated];
        assert_eq!(all.map(Exit::code), [0, 1, 2, 3, 4, 130, 143]);
    }

    #[test]
    fn only_a_closed_pipe_is_forgiven() {
        assert!(forgive_closed_pipe(Err(io::ErrorKind::BrokenPipe.into())).is_ok());
        assert!(forgive_closed_pipe(Err(io::ErrorKind::StorageFull.into())).is_err());
        assert!(forgive_closed_pipe(Ok(())).is_ok());
    }
}
