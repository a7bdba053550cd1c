//! From the errors of the client library and of servers to trouble that somebody can decide by. Which of them may be
//! tried again, [`StoreError::is_passing`] says, in one place.

use std::time::Duration;

use redis::{ErrorKind, RedisError, ServerError, ServerErrorKind};

use crate::board::keys::Key;
use crate::query::error::{StoreError, on};
use crate::query::error_code::ServerErrorCode;

/// An error with the connection, or a server error outside of a reply to a command on a key.
pub(super) fn trouble(error: &RedisError, timeout: Duration) -> StoreError {
    if error.is_timeout() {
        return StoreError::Timeout(timeout);
    }
    match error.kind() {
        ErrorKind::AuthenticationFailed => StoreError::Auth("wrong user or password".to_owned()),
        _ if error.code().is_some_and(is_login) => StoreError::Auth(said(error)),
        ErrorKind::Server(_) | ErrorKind::Extension => {
            let word = ServerErrorCode::read(error.code().unwrap_or_default(), error.detail().unwrap_or_default());
            match word {
                Some(word) if word.is_passing() => StoreError::NotReady(said(error)),
                _ => StoreError::Other(said(error)),
            }
        }
        ErrorKind::Parse => StoreError::Protocol("the reply is not valid Redis protocol".to_owned()),
        // The library says of a connection that has ended what the next write to it would meet.
        _ if error.is_connection_dropped() => StoreError::Unreachable("the connection was closed".to_owned()),
        _ if error.is_io_error() || error.is_connection_refusal() => StoreError::Unreachable(said(error)),
        _ => StoreError::Other(said(error)),
    }
}

/// An error that a server told in reply to `command` on `key`; an empty key where the command has none.
pub(super) fn server_trouble(error: &ServerError, command: &str, key: &Key) -> StoreError {
    told(error.code(), error.details().unwrap_or_default(), command, key)
}

/// The same, where the reply is known as text: as what a script was told.
pub(super) fn told(code: &str, details: &str, command: &str, key: &Key) -> StoreError {
    if code == "NOPERM" {
        return StoreError::NoPermission { command: command.to_owned(), key: key.clone() };
    }
    let text = [code, details].join(" ").trim_end().to_owned();
    if is_login(code) {
        return StoreError::Auth(text);
    }
    match ServerErrorCode::read(code, details) {
        // Other words follow, so that its full stop would stand in the midst.
        Some(word) => {
            let said = text.trim_end_matches('.').to_owned();
            StoreError::Server { word, said, command: command.to_owned(), key: key.clone() }
        }
        None => StoreError::Other(format!("{command}{}: {text}", on(key))),
    }
}

fn is_login(code: &str) -> bool {
    matches!(code, "NOAUTH" | "WRONGPASS")
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

/// True where a command is refused as such, in whatever words. What a server says of its own state, of a login or of what
/// is at a key is no refusal of the command.
pub(super) fn is_refusal(error: &ServerError) -> bool {
    let code = ServerErrorCode::read(error.code(), error.details().unwrap_or_default());
    match code {
        None => !is_login(error.code()) && !is_wrong_type(error) && error.kind() != Some(ServerErrorKind::NoScript),
        Some(code) => matches!(code, ServerErrorCode::UnknownCommand | ServerErrorCode::ExecAbort),
    }
}

/// True where the server has no memory left: it queues nothing then, not even what only reads, but runs it by itself.
pub(super) fn is_full(error: &ServerError) -> bool {
    error.code() == ServerErrorCode::OutOfMemory.code()
}

/// True where the key is of another type than the command wants.
pub(super) fn is_wrong_type(error: &ServerError) -> bool {
    error.code() == "WRONGTYPE"
}

/// A transaction whose `EXEC` the user may not run is told to be aborted.
fn is_exec_refused(error: &ServerError) -> bool {
    error.kind() == Some(ServerErrorKind::ExecAbort)
        && error.details().is_some_and(|details| details.starts_with("Transaction discarded because of: NOPERM"))
}

/// True where the release does not know the command.
pub(super) fn is_unknown(error: &ServerError) -> bool {
    ServerErrorCode::read(error.code(), error.details().unwrap_or_default()) == Some(ServerErrorCode::UnknownCommand)
}
