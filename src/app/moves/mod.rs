//! How the members of the page have moved, and whose score has just changed: worked out when a page is read, and when a
//! figure has become too old or a mark ends.

pub mod update;

use std::collections::{HashMap, HashSet};

use crate::app::event::Moment;
use crate::board::entry::Member;
use crate::board::movement::{MoveSince, Movement, Movements};
use crate::board::rank::Standing;
use crate::board::window::Window;

/// A followed member has moved by more than a page between two reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leap {
    /// By how many ranks.
    pub by: u64,
    /// Towards the top.
    pub is_up: bool,
    /// Where it stands now.
    pub now: Standing,
}

/// What is told of movement on the page.
#[derive(Clone, Debug)]
pub struct Moves {
    ranks: Movements,
    /// Who has moved.
    pub moved: HashMap<Member, Movement>,
    /// Whose score has just changed.
    pub marked: HashSet<Member>,
    /// How far the followed member has leapt, until the next key.
    pub leap: Option<Leap>,
    /// When a figure becomes too old.
    ages_at: Option<Moment>,
    /// When a mark ends.
    unmarks_at: Option<Moment>,
}

impl Moves {
    /// Counted since `since`; `is_marking`: scores that have just changed are marked.
    pub fn new(since: MoveSince, is_marking: bool) -> Self {
        Self {
            ranks: Movements::new(since, is_marking),
            moved: HashMap::new(),
            marked: HashSet::new(),
            leap: None,
            ages_at: None,
            unmarks_at: None,
        }
    }

    /// The same for another board.
    pub fn of_another(&self) -> Self {
        let mut other = self.clone();
        other.clear();
        other
    }

    /// Forgets everything: what is read next is another board.
    pub fn clear(&mut self) {
        self.ranks.clear();
        (self.moved, self.marked) = (HashMap::new(), HashSet::new());
        (self.leap, self.ages_at, self.unmarks_at) = (None, None, None);
    }

    /// The page that is read next is turned to, or taken for a new start.
    pub fn turn(&mut self) {
        self.ranks.turn();
    }

    /// Takes in a page that was read.
    pub fn note(&mut self, window: &Window, now: Moment) {
        self.ranks.note(window, now);
        self.age(window, now);
        self.unmark(window, now);
    }

    /// Works out the movements anew. True where one is another.
    fn age(&mut self, window: &Window, now: Moment) -> bool {
        let members = || window.entries.iter().map(|entry| &entry.member);
        let moved = members().filter_map(|member| Some((member.clone(), self.ranks.of(member, now)?))).collect();
        self.ages_at = self.ranks.ages(members(), now);
        std::mem::replace(&mut self.moved, moved) != self.moved
    }

    /// Works out the marks anew. True where one is gone.
    fn unmark(&mut self, window: &Window, now: Moment) -> bool {
        let members = || window.entries.iter().map(|entry| &entry.member);
        let marked = members().filter(|member| self.ranks.is_marked(member, now)).cloned().collect();
        self.unmarks_at = self.ranks.unmarks(members(), now);
        std::mem::replace(&mut self.marked, marked) != self.marked
    }
}
