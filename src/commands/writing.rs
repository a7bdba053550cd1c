//! What commands that write have in common in what they say: moments, what was done, and what is known where it failed.
//! It knows none of the commands.

use std::io::{self, Write};

use jiff::Timestamp;

use super::exit::{Exit, Failure, board_text, forgive_closed_pipe};
use crate::board::ask::Board;
use crate::board::trouble::Trouble;

/// A moment in Unix milliseconds as people read it; what is no moment of the calendar, as its number.
pub(super) fn moment(ms: i64) -> String {
    Timestamp::from_millisecond(ms).map_or_else(|_| ms.to_string(), |moment| moment.to_string())
}

/// Prints `line`, which says what was done.
pub(super) fn tell(line: &str) -> Result<u8, Failure> {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    forgive_closed_pipe(written)
        .map_err(|error| Failure::new(Exit::Failed, format!("it is done, but cannot be told: {error}: {line}")))?;
    Ok(Exit::Done.code())
}

/// Trouble before anything was sent. `what` is what could not be done, such as 'write to'.
pub(super) fn unsent(what: &str, board: &Board, address: &str, trouble: &Trouble) -> Failure {
    let hint = match trouble {
        Trouble::Refused { .. } => Some("README lists the rights that a writer needs"),
        other => other.hint(),
    };
    let message = format!("cannot {what} board '{}' at {address}: {trouble}", board_text(board));
    Failure { hint: hint.map(str::to_owned), ..Failure::new(Exit::Failed, message) }
}

/// Trouble after the command was sent: where no answer came, it may have been done.
pub(super) fn unanswered(what: &str, board: &Board, address: &str, trouble: &Trouble) -> Failure {
    let failure = unsent(what, board, address, trouble);
    match trouble {
        Trouble::Silent(_) | Trouble::Unreachable(_) => {
            failure.with_hint("it may have been done or not: look at the board before you try again")
        }
        _ => failure,
    }
}
