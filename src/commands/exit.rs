//! How the program ends: the exit codes that scripts rely on, and failures as the one line, with a hint where one is
//! known, that people read. It knows no command and no screen.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::board::cursor::CursorError;
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::commands::text;
use crate::commands::text::Charset;
use crate::query::error::StoreError;

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

    /// `board` could not be read at `address`, which must not hold a password.
    pub fn unreadable(board: &Board, address: &str, trouble: &StoreError) -> Self {
        let message = format!("cannot read board '{}' at {address}: {trouble}", board_text(board));
        Self { hint: trouble.hint().map(str::to_owned), ..Self::new(Exit::Failed, message) }
    }

    /// There is no `board` at `address`.
    pub fn missing(board: &Board, address: &str) -> Self {
        Self::new(Exit::Missing, format!("no board '{}' at {address}", board_text(board)))
            .with_hint("check the key, and the number of the database in the URL")
    }

    /// What came back from `board` is no answer to what was asked.
    pub fn misfit(board: &Board, address: &str) -> Self {
        Self::unreadable(board, address, &StoreError::Other("the answer does not fit the question".into()))
    }

    /// A text is no cursor that can be used here.
    pub fn of_cursor(error: &CursorError) -> Self {
        let failure = Self::new(Exit::Usage, error.to_string());
        match error {
            CursorError::Direction { cursor, .. } => {
                failure.with_hint(format!("read the board in the cursor's order with --order {cursor}"))
            }
            _ => failure.with_hint("a cursor is what 'ranktop page' calls next or prev"),
        }
    }
}

/// The key of `board` as messages show it.
pub fn board_text(board: &Board) -> String {
    text::escape(board.key.as_ref(), Charset::Utf8)
}

/// `member` is not on `board`.
pub fn not_on_board(member: &Member, board: &Board) -> Failure {
    let member = text::escape(member.as_bytes(), Charset::Utf8);
    Failure::new(Exit::Missing, format!("'{member}' is not on board '{}'", board_text(board)))
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
pub(super) fn one_line(message: &str) -> String {
    let parts: Vec<_> = message.split('\\').map(|part| text::escape(part.as_bytes(), Charset::Utf8)).collect();
    parts.join("\\")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::order::Order;

    fn board(key: &[u8]) -> Board {
        Board {
            key: key.to_vec().into(),
            order: Order::Desc,
            version_key: "x:version".into(),
            meta_key: "x:meta".into(),
        }
    }

    fn reported(failure: &Failure) -> String {
        let mut out = Vec::new();
        report(&mut out, failure).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn codes() {
        let all =
            [Exit::Done, Exit::Failed, Exit::Usage, Exit::Missing, Exit::Changed, Exit::Interrupted, Exit::Terminated];
        assert_eq!(all.map(Exit::code), [0, 1, 2, 3, 4, 130, 143]);
    }

    #[test]
    fn a_board_that_is_a_hash() {
        let trouble = StoreError::WrongType { found: "hash".into() };
        let failure = Failure::unreadable(&board(b"x"), "127.0.0.1:6379", &trouble);
        assert_eq!(
            reported(&failure),
            "error: cannot read board 'x' at 127.0.0.1:6379: WRONGTYPE: it is a hash, not a sorted set\n\
             hint: a board is a sorted set; companion keys such as ':names' are hashes\n"
        );
        assert_eq!(failure.exit, Exit::Failed);
    }

    #[test]
    fn whatever_is_in_it_a_message_is_one_line() {
        let trouble = StoreError::Other("ERR a\nb\x1b[2J\u{9b}\u{202e}".into());
        let text = reported(&Failure::unreadable(&board(b"a\xff\n\\ \xd1\x91"), "h:1", &trouble));
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(!text.trim_end().contains(|c: char| c.is_control() || c == '\u{202e}'), "{text:?}");
        assert!(text.contains(r"board 'a\xff\n\\ ё' at h:1: ERR a\nb"), "{text}");
    }

    #[test]
    fn only_a_closed_pipe_is_forgiven() {
        assert!(forgive_closed_pipe(Err(io::ErrorKind::BrokenPipe.into())).is_ok());
        assert!(forgive_closed_pipe(Err(io::ErrorKind::StorageFull.into())).is_err());
        assert!(forgive_closed_pipe(Ok(())).is_ok());
    }
}
