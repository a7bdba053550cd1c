//! How the scores of the watched board are read, and which notation is suggested for them. A suggestion changes nothing until
//! the reader takes it; taken or forgotten, it holds for that board as long as the program runs.

pub mod update;

use std::collections::{HashMap, HashSet};

use crate::board::keys::Key;
use crate::board::packed::Spec;
use crate::board::packed::scoring::{Scoring, ScoringOptions};

/// How scores are read.
#[derive(Clone, Debug, Default)]
pub struct Packing {
    /// What was asked for when the viewer was opened.
    pub options: ScoringOptions,
    /// How the scores of the watched board are read.
    pub scoring: Scoring,
    /// What its scores look like, the first one being what Enter takes.
    pub suggestion: Vec<Spec>,
    taken: HashMap<Key, Spec>,
    forgotten: HashSet<Key>,
    /// Boards of which it has been said that they sound low first.
    hinted: HashSet<Key>,
}

impl Packing {
    /// For the board `key`, before it is read.
    pub fn new(options: ScoringOptions, key: Option<&Key>) -> Self {
        let scoring = key.map(|key| options.of(key, None)).unwrap_or_default();
        Self { options, scoring, ..Self::default() }
    }

    /// For another board, before it is read.
    pub fn open(&mut self, key: &Key) {
        self.suggestion.clear();
        self.scoring = self.due(key, None);
    }

    /// How the board's scores are to be read, where it says this of itself.
    fn due(&self, key: &Key, said: Option<&Spec>) -> Scoring {
        self.options.of(key, self.taken.get(key).or(said))
    }
}
