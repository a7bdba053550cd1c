//! What commands that write have in common in what they say: moments, what was done, and what is known where it failed.
//! It knows none of the commands.

use std::io::{self, Write};

use jiff::Timestamp;

use crate::board::keys::Board;
use crate::board::period::Zone;
use crate::commands::failures::board_text;
use crate::exit::{Exit, Failure, forgive_closed_pipe};
use crate::query::error::StoreError;

/// A moment in Unix milliseconds as people in `zone` read it; what is no moment of the calendar, as its number.
pub(super) fn moment(ms: i64, zone: &Zone) -> String {
    let Ok(moment) = Timestamp::from_millisecond(ms) else { return ms.to_string() };
    if *zone == Zone::utc() {
        return moment.to_string();
    }
    moment.to_zoned_datetime(zone.time_zone()).strftime("%Y-%m-%dT%H:%M:%S%.f%:z").to_string()
}

/// Prints `line`, which says what was done.
pub(super) fn tell(line: &str) -> Result<u8, Failure> {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    forgive_closed_pipe(written)
        .map_err(|error| Failure::new(Exit::Failed, format!("it is done, but cannot be told: {error}: {line}")))?;
    Ok(Exit::Done.code())
}

/// An error before anything was sent. `what` is what could not be done, such as 'write to'.
pub(super) fn unsent(what: &str, board: &Board, address: &str, trouble: &StoreError) -> Failure {
    let hint = match trouble {
        StoreError::NoPermission { .. } => Some("docs/writing.md lists the permissions that a writer needs"),
        other => other.hint(),
    };
    let message = format!("cannot {what} board '{}' at {address}: {trouble}", board_text(board));
    Failure { hint: hint.map(str::to_owned), ..Failure::new(Exit::Failed, message) }
}

/// An error after the command was sent: where no answer came, it may have been done.
pub(super) fn unanswered(what: &str, board: &Board, address: &str, trouble: &StoreError) -> Failure {
    let failure = unsent(what, board, address, trouble);
    match trouble {
        StoreError::Timeout(_) | StoreError::Unreachable(_) => {
            failure.with_hint("it may have been done or not: look at the board before you try again")
        }
        _ => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_told_in_the_zone() {
        let berlin: Zone = "Europe/Berlin".parse().unwrap();
        // The hour that comes twice is told apart by the distance from UTC.
        for (ms, utc, in_berlin) in [
            (1_792_888_200_000, "2026-10-25T00:30:00Z", "2026-10-25T02:30:00+02:00"),
            (1_792_891_800_000, "2026-10-25T01:30:00Z", "2026-10-25T02:30:00+01:00"),
            (1_792_891_800_250, "2026-10-25T01:30:00.25Z", "2026-10-25T02:30:00.25+01:00"),
            (i64::MAX, "9223372036854775807", "9223372036854775807"),
        ] {
            assert_eq!([moment(ms, &Zone::utc()), moment(ms, &berlin)], [utc, in_berlin]);
        }
    }
}
