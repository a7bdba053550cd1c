//! Why a board could not be read, in words that somebody can decide by and an operator can act on.

use std::time::Duration;

use crate::board::keys::Key;
use crate::query::error_code::ServerErrorCode;

/// A read that brought no answer. The texts are for one line of a screen or of standard error; whatever came from a
/// server in them is escaped where it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There is no connection.
    #[error("cannot connect: {0}")]
    Unreachable(String),
    /// The server said why, whole and in its own words, and ended the connection.
    #[error("it closed the connection: {0}")]
    TurnedAway(String),
    /// The server is there, but TLS does not lead to a connection that can be trusted.
    #[error("TLS: {what}")]
    Tls {
        /// What is wrong.
        what: String,
        /// What the operator can do.
        hint: &'static str,
    },
    /// The connection stands, but nothing came within the time limit.
    #[error("no answer within {}", humantime::format_duration(*.0))]
    Timeout(Duration),
    /// The password or the user is wrong or missing.
    #[error("login refused: {0}")]
    Auth(String),
    /// The user may not run this command on this key.
    #[error("the user may not run {command} on '{}'", .key.as_ref().escape_ascii())]
    NoPermission {
        /// The command, upper case.
        command: String,
        /// On which key.
        key: Key,
    },
    /// The key holds something else.
    #[error("WRONGTYPE: it is a {found}, not a sorted set")]
    WrongType {
        /// What the key holds, in the server's word.
        found: String,
    },
    /// The server would not run this command, and said why.
    #[error("{} ({said}; {command}{})", .word.sentence(), on(.key))]
    Server {
        /// Why.
        word: ServerErrorCode,
        /// The server's own words, all of them.
        said: String,
        /// The command, upper case.
        command: String,
        /// On which key; an empty one where the command has none.
        key: Key,
    },
    /// What came is no reply to what was asked: whatever comes after it over this connection cannot be trusted.
    #[error("{0}")]
    Protocol(String),
    /// The server is not ready for anything, or the board stands too little still to be read.
    #[error("the server is not ready: {0}")]
    NotReady(String),
    /// Another node of a Redis Cluster has to be asked.
    #[error("another node has the board: {0}")]
    Moved(String),
    /// The node of a Redis Cluster that holds the slot of a board is away; others may be there.
    #[error("node {node}, which holds slot {slot}, does not answer: {why}")]
    NodeLost {
        /// Where it listens.
        node: String,
        slot: u16,
        why: String,
    },
    /// Nodes of a Redis Cluster are away, so that a list of boards lacks theirs.
    #[error("the list is incomplete: {0}")]
    Incomplete(String),
    /// What leads on from here is not to be had: no server of the wanted role, or nobody who knows where it is.
    #[error("{0}")]
    NoServer(String),
    /// Another server has become the primary: this one, by its address.
    #[error("failover: the primary is now {0}")]
    FailedOver(String),
    /// The user may not run what tells how the servers stand to each other.
    #[error("the user may not run {command}, needed to learn {purpose}")]
    Uninformed {
        /// The command, upper case.
        command: &'static str,
        /// What it tells.
        purpose: &'static str,
    },
    /// Anything else that the server said.
    #[error("{0}")]
    Other(String),
}

impl StoreError {
    /// True where trying again later can help without anybody doing anything about it.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable(_)
            | Self::TurnedAway(_)
            | Self::Timeout(_)
            | Self::Protocol(_)
            | Self::NotReady(_)
            | Self::Moved(_)
            | Self::NodeLost { .. }
            | Self::Incomplete(_)
            | Self::NoServer(_)
            | Self::FailedOver(_) => true,
            Self::Server { word, .. } => word.is_passing(),
            Self::Tls { .. }
            | Self::Auth(_)
            | Self::Uninformed { .. }
            | Self::NoPermission { .. }
            | Self::WrongType { .. }
            | Self::Other(_) => false,
        }
    }

    /// True where another node of a Redis Cluster has the board, or is about to.
    pub fn is_moved(&self) -> bool {
        matches!(self, Self::Moved(_) | Self::Server { word: ServerErrorCode::Moved | ServerErrorCode::Asking, .. })
    }

    /// True where nothing more is to be had over the connection that brought it: another one is wanted.
    pub fn ends_connection(&self) -> bool {
        matches!(
            self,
            Self::Unreachable(_)
                | Self::NodeLost { .. }
                | Self::TurnedAway(_)
                | Self::Tls { .. }
                | Self::Auth(_)
                | Self::Uninformed { .. }
                | Self::Protocol(_)
        )
    }

    /// What the operator can do, where that is known.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unreachable(_) => {
                Some("check that the server is running and that the address (--url, RANKTOP_URL, REDIS_URL) is right")
            }
            Self::Tls { hint, .. } => Some(hint),
            Self::Timeout(_) => Some("the server may be busy or stopped; --timeout sets how long to wait"),
            Self::Auth(_) => Some(
                "set the user with --user and the password with RANKTOP_PASSWORD, --password-file or --ask-password",
            ),
            Self::NoPermission { .. } => Some("README lists the permissions that a reader needs"),
            Self::WrongType { .. } => Some("a board is a sorted set; companion keys such as ':names' are hashes"),
            Self::Server { word, .. } => Some(word.hint()),
            Self::Protocol(_) => {
                Some("check that the address is that of a Redis server, and that no proxy changes its replies")
            }
            Self::Moved(_) => Some(ServerErrorCode::Moved.hint()),
            Self::Uninformed { .. } => Some("README lists the permissions for Sentinel, Cluster and replicas"),
            Self::NodeLost { .. } | Self::Incomplete(_) => {
                Some("boards on other nodes can be read; CLUSTER NODES tells which nodes are away")
            }
            Self::NoServer(_) | Self::FailedOver(_) => None,
            Self::NotReady(said) | Self::TurnedAway(said) | Self::Other(said) => {
                let (code, details) = said.split_once(' ').unwrap_or((said, ""));
                ServerErrorCode::read(code, details).map(ServerErrorCode::hint)
            }
        }
    }
}

/// ` on 'key'`, escaped; nothing for an empty key.
pub fn on(key: &Key) -> String {
    if key.as_ref().is_empty() { String::new() } else { format!(" on '{}'", key.as_ref().escape_ascii()) }
}
