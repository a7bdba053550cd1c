//! Why a board could not be read, in words that somebody can decide by and an operator can act on.

use std::time::Duration;

use super::keys::Key;

/// A read that brought no answer. The texts are for one line of a screen or of standard error; whatever came from a
/// server in them is escaped where it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// There is no connection.
    #[error("cannot reach it: {0}")]
    Unreachable(String),
    /// The connection stands, but nothing came within the time limit.
    #[error("no answer within {}", humantime::format_duration(*.0))]
    Silent(Duration),
    /// The password or the user is wrong or missing.
    #[error("it wants another login: {0}")]
    Login(String),
    /// The user may not run this command on this key.
    #[error("the user may not run {command} on '{}'", .key.as_ref().escape_ascii())]
    Refused {
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
    /// The server is not ready: it is loading its data, a replica without its primary, or a cluster without a quorum.
    #[error("it is not ready: {0}")]
    NotReady(String),
    /// Another node of a Redis Cluster holds the key, or is about to, in the server's words.
    #[error("another node holds it: {0}")]
    Moved(String),
    /// The keys of one command are in different slots of a Redis Cluster.
    #[error("its keys are in different slots of the cluster, where no one command reaches them all")]
    Split,
    /// What leads on from here is not to be had: no server of the wanted role, or nobody who knows where it is.
    #[error("{0}")]
    Astray(String),
    /// Another server has become the primary: this one, by its address.
    #[error("failover: the primary is now {0}")]
    Replaced(String),
    /// The server is a replica, which takes no writes.
    #[error("it is a replica, which takes no writes: {0}")]
    ReadOnly(String),
    /// The user may not run what tells how the servers stand to each other.
    #[error("the user may not run {command}, which tells {purpose}")]
    Uninformed {
        /// The command, upper case.
        command: &'static str,
        /// What it tells.
        purpose: &'static str,
    },
    /// Anything else that the server said.
    #[error("{0}")]
    Server(String),
}

impl Trouble {
    /// True where trying again later can help without anybody doing anything about it.
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Unreachable(_)
                | Self::Silent(_)
                | Self::NotReady(_)
                | Self::Moved(_)
                | Self::Astray(_)
                | Self::Replaced(_)
        )
    }

    /// What the operator can do, where that is known.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unreachable(_) => {
                Some("check the address given by --url, RANKTOP_URL or REDIS_URL, and that the server runs")
            }
            Self::Silent(_) => Some("the server is stopped or busy; --timeout sets how long to wait"),
            Self::Login(_) => Some(
                "set the user with --user, and the password with RANKTOP_PASSWORD, --password-file or --ask-password",
            ),
            Self::Refused { .. } => Some("README lists the rights that a reader needs"),
            Self::WrongType { .. } => Some("a board is a sorted set; companion keys such as ':names' are hashes"),
            Self::Moved(_) => Some("--cluster finds the node; while its slot is being moved, try again"),
            Self::Split => Some(
                "a hash tag keeps a board and its companions in one slot, as in 'lb:{spring}:2026-W41'; see --version-key \
                 and --meta-key",
            ),
            Self::ReadOnly(_) => Some("name the primary with --url, or have it found with --sentinel or --cluster"),
            Self::Uninformed { .. } => Some("README lists the rights for Sentinel, Cluster and replicas"),
            Self::NotReady(_) | Self::Astray(_) | Self::Replaced(_) | Self::Server(_) => None,
        }
    }
}
