//! Looking for a text in ids and names: from row to row in board order, around the end of the board once, until somebody
//! is found or a key is pressed. The board is asked step by step; the page stays meanwhile.

pub mod update;

use crate::app::in_flight::InFlight;
use crate::board::entry::{Entry, Member};
use crate::board::needle::Needle;

/// The text that was looked for last, and the search for it that is under way.
#[derive(Clone, Debug, Default)]
pub struct Find {
    /// What `n` and `N` go on with.
    pub needle: Option<Needle>,
    search: Option<Search>,
    in_flight: InFlight<()>,
}

#[derive(Clone, Debug)]
struct Search {
    forward: bool,
    from: Option<Entry>,
    /// Position of the last row looked at.
    reached: u64,
    /// It has come to the end of the board once.
    is_around: bool,
    /// Who is looked for by id to be followed on, in place of what was typed.
    follows: Option<(Member, Needle)>,
}

impl Find {
    /// Which way the search that is under way goes, and the position that it has come to.
    pub fn progress(&self) -> Option<(bool, u64)> {
        self.search.as_ref().map(|search| (search.forward, search.reached))
    }

    /// Gives the search up. True where one was under way.
    pub fn stop(&mut self) -> bool {
        self.in_flight.forget();
        self.search.take().is_some()
    }
}
