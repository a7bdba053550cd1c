//! What comes back from a place where boards live: answers to requests, and news of the connection.

use std::time::Duration;

use super::capabilities::Capabilities;
use super::error::StoreError;
use super::find::FindReply;
use super::listing::{Found, KeySummary};
use super::page::PageReply;
use super::request::{ListPurpose, Request};
use super::round_trip::RoundTrip;
use super::server::Server;
use crate::board::distribution::Distribution;
use crate::board::entry::Member;
use crate::board::foreign::probe::ProbeReply;
use crate::board::keys::Key;
use crate::board::names::{Name, NamesLocation};
use crate::board::version::Version;

/// A reply, or a piece of news that nobody asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// To [`Request::Page`]. `took`: from request to reply.
    Page { generation: u64, result: Result<PageReply, StoreError>, took: Duration },
    /// To [`Request::Version`].
    Version { key: Key, result: Result<Option<Version>, StoreError>, took: Duration },
    /// To [`Request::Names`]: the names in the order of `members`; `None` where their location is not there.
    Names { location: NamesLocation, members: Vec<Member>, result: Result<Option<Vec<Option<Name>>>, StoreError> },
    /// To [`Request::List`]: what there is at each key, in the order of the request.
    List { purpose: ListPurpose, generation: u64, result: Result<Vec<KeySummary>, StoreError> },
    /// To [`Request::Distribution`].
    Distribution { generation: u64, result: Result<Distribution, StoreError> },
    /// To [`Request::Find`].
    Find { generation: u64, result: Result<FindReply, StoreError> },
    /// To [`Request::Probe`]: a reply to each command.
    Probe(Result<Vec<ProbeReply>, StoreError>),
    /// To [`Request::Search`].
    Search { generation: u64, result: Result<Found, StoreError> },
    /// Round trips that have ended. `is_page`: they were made for the page whose reply comes next.
    RoundTrips { is_page: bool, trips: Vec<RoundTrip> },
    /// What has been found to work, told when it changes.
    Capabilities(Capabilities),
    /// Where the board is read, at first and whenever that changes.
    Server(Server),
    /// What became of the connection.
    Link(LinkChange),
}

/// What became of the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkChange {
    /// A connection is being made.
    Connecting,
    /// There is one. `pushes`: the server tells of changes by itself.
    Up { pushes: bool },
    /// There is none; the next try is made after `retry_in`.
    Down { reason: StoreError, retry_in: Duration },
}

impl Reply {
    /// The reply to a request that could not be made, for `reason`.
    pub fn failed(request: Request, reason: StoreError) -> Self {
        let took = Duration::ZERO;
        match request {
            Request::Page { generation, .. } => Self::Page { generation, result: Err(reason), took },
            Request::Version(board) => Self::Version { key: board.key, result: Err(reason), took },
            Request::Names(location, members) => Self::Names { location, members, result: Err(reason) },
            Request::List { purpose, generation, .. } => Self::List { purpose, generation, result: Err(reason) },
            Request::Distribution { generation, .. } => Self::Distribution { generation, result: Err(reason) },
            Request::Find { generation, .. } => Self::Find { generation, result: Err(reason) },
            Request::Probe(_) => Self::Probe(Err(reason)),
            Request::Search { generation, .. } => Self::Search { generation, result: Err(reason) },
        }
    }

    /// Why the request failed, where it did.
    pub fn error(&self) -> Option<&StoreError> {
        match self {
            Self::Page { result, .. } => result.as_ref().err(),
            Self::Version { result, .. } => result.as_ref().err(),
            Self::Names { result, .. } => result.as_ref().err(),
            Self::List { result, .. } => result.as_ref().err(),
            Self::Distribution { result, .. } => result.as_ref().err(),
            Self::Find { result, .. } => result.as_ref().err(),
            Self::Probe(result) => result.as_ref().err(),
            Self::Search { result, .. } => result.as_ref().err(),
            Self::RoundTrips { .. } | Self::Capabilities(_) | Self::Server(_) | Self::Link(_) => None,
        }
    }
}
