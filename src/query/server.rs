//! Where a board is read: which server, and how far what it says can be trusted by its role. How that is found out is not
//! its concern.

/// A server that a board is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The server, as people are told of it; never with a password.
    pub server: String,
    /// What it is to the other servers.
    pub role: Role,
    /// What is to be known about the board there, in one sentence, where something is.
    pub notice: Option<&'static str>,
}

/// What a server is to the other servers that have the same data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// The one that takes the writes, or one that was named by its address and is taken as it is.
    #[default]
    Primary,
    /// It was found as the primary, and nobody can be asked whether it still is.
    Unverified,
    /// It repeats what a primary was written.
    Replica(Lag),
}

/// How far a replica is behind its primary, as far as that can be known from the replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lag {
    /// The user may not ask.
    Unknown,
    /// The primary was heard so many seconds ago.
    Heard(u64),
    /// The link to the primary is down, since so many seconds where that is told.
    Cut(Option<u64>),
}
