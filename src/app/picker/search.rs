//! The questions of the list of boards: one step of a search is under way, and one look at boards, so that pages are read
//! between them. An answer that nobody waits for any more is dropped, and only then the next question is asked.

use std::time::Duration;

use crate::app::event::Moment;
use crate::app::in_flight::InFlight;
use crate::board::keys::Key;
use crate::query::error::StoreError;
use crate::query::listing::Found;

/// A search that failed begins again after this, and boards that could not be looked at are looked at again.
const AGAIN: Duration = Duration::from_secs(2);

/// A search that found all boards but those of nodes that are away begins again after this.
const COMPLETE_AGAIN: Duration = Duration::from_secs(10);

/// How far a search is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Nobody wants one.
    #[default]
    Closed,
    /// It begins as soon as it can.
    Due,
    /// It goes on step by step.
    UnderWay,
    /// All boards are found.
    Over,
    /// It could not go on.
    Failed {
        /// Why.
        reason: StoreError,
        /// When it begins again; `None` where that cannot help.
        again_at: Option<Moment>,
    },
}

/// The search, and what is asked for it.
#[derive(Clone, Debug, Default)]
pub struct Search {
    phase: Phase,
    /// How many searches there have been.
    number: u64,
    step: InFlight<()>,
    look: InFlight<Vec<Key>>,
    /// Before this no boards are looked at.
    look_at: Moment,
    looked_at: u64,
    of: Option<u64>,
}

impl Search {
    /// How far it is.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The number of this search among all; boards that it has met bear it.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// About how many keys were looked at, and of how many where that is known.
    pub fn progress(&self) -> (u64, Option<u64>) {
        (self.looked_at, self.of)
    }

    /// Begins anew. What is under way comes to nothing.
    pub fn begin(&mut self) {
        self.cancel();
        self.phase = Phase::Due;
    }

    /// Ends it where it is.
    pub fn cancel(&mut self) {
        self.phase = Phase::Closed;
        self.step.cancel();
        self.look.cancel();
    }

    /// The next step, if its time has come: its generation, and whether it is the first one.
    pub(super) fn next_step(&mut self, now: Moment) -> Option<(u64, bool)> {
        let is_new = match &self.phase {
            Phase::Due => true,
            Phase::UnderWay => false,
            Phase::Failed { again_at: Some(at), .. } if now >= *at => true,
            _ => return None,
        };
        if self.step.is_busy() {
            return None;
        }
        if is_new {
            self.number += 1;
            (self.looked_at, self.of) = (0, None);
            self.phase = Phase::UnderWay;
        }
        Some((self.step.sent(()), is_new))
    }

    /// Takes in how a step ended; the boards it has found, where this search has asked for it.
    pub(super) fn found(
        &mut self,
        generation: u64,
        result: Result<Found, StoreError>,
        now: Moment,
    ) -> Option<Vec<Key>> {
        self.step.ended(generation)?;
        match result {
            Ok(found) => {
                (self.looked_at, self.of) = (found.looked_at, found.of);
                if found.is_over {
                    self.phase = match found.incomplete {
                        Some(reason) => Phase::Failed { reason, again_at: Some(now + COMPLETE_AGAIN) },
                        None => Phase::Over,
                    };
                }
                Some(found.keys)
            }
            Err(reason) => {
                let again_at = (!matches!(reason, StoreError::NoPermission { .. })).then(|| now + AGAIN);
                self.phase = Phase::Failed { reason, again_at };
                Some(Vec::new())
            }
        }
    }

    /// Whether boards can be looked at now.
    pub(super) fn can_look(&self, now: Moment) -> bool {
        !self.look.is_busy() && now >= self.look_at
    }

    /// Takes note that these boards are looked at; the generation of the question.
    pub(super) fn look(&mut self, keys: Vec<Key>) -> u64 {
        self.look.sent(keys)
    }

    /// Takes in that a look has ended; the boards that were looked at, where somebody still wants to know.
    pub(super) fn looked(&mut self, generation: u64, has_failed: bool, now: Moment) -> Option<Vec<Key>> {
        if has_failed && self.look.is_busy() {
            self.look_at = now + AGAIN;
        }
        self.look.ended(generation)
    }

    /// When there is something to do without any answer; `look` is when boards are to be looked at.
    pub(super) fn wake(&self, look: Option<Moment>) -> Option<Moment> {
        let again = match &self.phase {
            Phase::Failed { again_at, .. } if !self.step.is_busy() => *again_at,
            _ => None,
        };
        let look = look.filter(|_| !self.look.is_busy()).map(|at| at.max(self.look_at));
        again.into_iter().chain(look).min()
    }
}
