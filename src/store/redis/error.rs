//! From the errors of the client library and of servers to trouble that somebody can decide by. Which of them may be
//! tried again, [`Trouble::is_passing`] says, in one place.

use std::time::Duration;

use redis::{ErrorKind, RedisError, ServerError, ServerErrorKind};

use crate::board::keys::Key;
use crate::board::trouble::Trouble;

/// Trouble with the connection, or a server error outside of a reply.
pub(super) fn trouble(error: &RedisError, timeout: Duration) -> Trouble {
    if error.is_timeout() {
        return Trouble::Silent(timeout);
    }
    match error.kind() {
        ErrorKind::AuthenticationFailed => Trouble::Login(said(error)),
        ErrorKind::Server(kind) => of_kind(Some(kind), said(error)),
        _ if error.code().is_some_and(is_login) => Trouble::Login(said(error)),
        _ if error.is_io_error() || error.is_connection_dropped() || error.is_connection_refusal() => {
            Trouble::Unreachable(said(error))
        }
        _ => Trouble::Server(said(error)),
    }
}

/// Trouble that a server told in reply to `command` on `key`.
pub(super) fn server_trouble(error: &ServerError, command: &str, key: &Key) -> Trouble {
    if error.kind() == Some(ServerErrorKind::NoPerm) {
        return Trouble::Refused { command: command.to_owned(), key: key.clone() };
    }
    let text = match error.details() {
        Some(details) => format!("{} {details}", error.code()),
        None => error.code().to_owned(),
    };
    if is_login(error.code()) { Trouble::Login(text) } else { of_kind(error.kind(), text) }
}

fn is_login(code: &str) -> bool {
    matches!(code, "NOAUTH" | "WRONGPASS")
}

fn of_kind(kind: Option<ServerErrorKind>, text: String) -> Trouble {
    match kind {
        Some(
            ServerErrorKind::BusyLoading
            | ServerErrorKind::MasterDown
            | ServerErrorKind::ClusterDown
            | ServerErrorKind::TryAgain,
        ) => Trouble::NotReady(text),
        Some(ServerErrorKind::Moved | ServerErrorKind::Ask) => Trouble::Moved(text),
        Some(ServerErrorKind::CrossSlot) => Trouble::Split,
        Some(ServerErrorKind::ReadOnly) => Trouble::ReadOnly(text),
        _ => Trouble::Server(text),
    }
}

/// What the error says, in one line. The library never puts passwords into errors.
fn said(error: &RedisError) -> String {
    match error.code().zip(error.detail()) {
        Some((code, detail)) => format!("{code} {detail}"),
        None => error.to_string(),
    }
}

/// True where a command is not to be had here: the release does not know it, or the user may not run it.
pub(super) fn is_not_to_be_had(error: &ServerError) -> bool {
    error.kind() == Some(ServerErrorKind::NoPerm) || is_unknown(error) || is_exec_refused(error)
}

/// A transaction whose `EXEC` the user may not run is told to be aborted.
fn is_exec_refused(error: &ServerError) -> bool {
    error.kind() == Some(ServerErrorKind::ExecAbort)
        && error.details().is_some_and(|details| details.starts_with("Transaction discarded because of: NOPERM"))
}

/// True where the release knows the command, but not with these arguments.
pub(super) fn is_syntax(error: &ServerError) -> bool {
    error.code() == "ERR" && error.details().is_some_and(|details| details.starts_with("syntax error"))
}

/// True where the release does not know the command.
pub(super) fn is_unknown(error: &ServerError) -> bool {
    error.code() == "ERR" && error.details().is_some_and(|details| details.starts_with("unknown command"))
}
