//! What can be asked of a place where boards live. Each request is answered by one [`super::reply::Reply`].

use super::find::FindRequest;
use super::page::PageRequest;
use crate::board::distribution::Binning;
use crate::board::entry::Member;
use crate::board::foreign::probe::ProbeCommand;
use crate::board::keys::Board;
use crate::board::names::NamesLocation;

/// A request. `generation` comes back with the reply, and tells it from older ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// A page of a board.
    Page { generation: u64, board: Board, page: PageRequest },
    /// The version of a board.
    Version(Board),
    /// Names of members.
    Names(NamesLocation, Vec<Member>),
    /// What there is at the keys of these boards.
    List { purpose: ListPurpose, generation: u64, boards: Vec<Board> },
    /// How the scores of a board are spread, over at most so many bins.
    Distribution { generation: u64, board: Board, binning: Binning },
    /// One step of looking for a text in ids and names.
    Find { generation: u64, find: Box<FindRequest> },
    /// One step of the search for names.
    Probe(Vec<ProbeCommand>),
    /// One step of the search for boards.
    Search { generation: u64, is_new: bool },
}

/// Which feature asks for a list of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListPurpose {
    /// The periods beside the one that is watched.
    Periods,
    /// The list of the boards of this server.
    Picker,
}
