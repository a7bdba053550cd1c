//! The search for names that nobody named: once for each board, after its first page is on the screen and its usual names have
//! been asked for in vain. What it tried and found is told in the inspector.

pub mod update;

use std::collections::HashMap;

use crate::board::entry::Member;
use crate::board::foreign::probe::{NameSearch, Outcome};
use crate::board::keys::Key;
use crate::board::names::NamesLocation;

/// The searches of the boards that were opened.
#[derive(Clone, Debug, Default)]
pub struct Probing {
    is_allowed: bool,
    searches: HashMap<Key, NameSearch>,
    /// What is under way.
    asked: Option<Asked>,
    /// What is stored for the selected member, while the inspector shows it.
    value: Option<(Key, Member, Vec<String>)>,
}

/// For what a question is.
#[derive(Clone, Debug)]
enum Asked {
    /// A step of the search for the names of a board.
    Step(Key),
    /// All that is stored for a member of a board.
    Value(Key, Member),
}

impl Probing {
    /// `is_allowed`: the reader has named no location, and has not forbidden to look for one.
    pub fn new(is_allowed: bool) -> Self {
        Self { is_allowed, ..Self::default() }
    }

    /// Where the names of the board `key` were found.
    pub fn found(&self, key: &Key) -> Option<NamesLocation> {
        match self.searches.get(key)?.outcome() {
            Outcome::Found(found) => NamesLocation::found(found),
            _ => None,
        }
    }

    /// What is stored for the member `member` of the board `key`, in lines; empty where nothing is known of it.
    pub fn value(&self, key: &Key, member: &Member) -> &[String] {
        match &self.value {
            Some((of, whose, lines)) if (of, whose) == (key, member) => lines,
            _ => &[],
        }
    }

    /// What was tried for the board `key` and what came of it, a line each.
    pub fn told(&self, key: &Key) -> Vec<String> {
        let Some(search) = self.searches.get(key) else { return Vec::new() };
        let end = match search.outcome() {
            Outcome::Searching => return search.tried().to_vec(),
            Outcome::Found(found) => found.told(),
            Outcome::Nothing => "no names found".to_owned(),
            Outcome::Refused => "no permission: looked no further".to_owned(),
        };
        search.tried().iter().cloned().chain([end]).collect()
    }
}
