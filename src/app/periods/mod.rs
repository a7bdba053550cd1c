//! Looking for the boards of neighbouring periods, stretch by stretch along the calendar and never by a search of all keys:
//! for a step to the next one that is there, and for the list of them. One question is under way; whatever it was for, its
//! answer is dropped where that is no longer wanted.

pub mod list;
pub mod update;

use crate::app::in_flight::InFlight;
use crate::board::period::Period;

/// Periods that one question looks at: one round trip.
pub const STRETCH: usize = 60;
/// No more periods than these are looked at from one board on, or for one list.
pub const LIMIT: usize = 1_200;

/// A step to the nearest period that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Towards later periods.
    pub forward: bool,
    /// Where the search has come to; none where it is over.
    next: Option<Period>,
    /// How many periods have been looked at in vain.
    pub looked: usize,
}

/// The periods that are being looked at, and what for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stretch {
    is_for_step: bool,
    periods: Vec<Period>,
}

/// What is being looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Periods {
    in_flight: InFlight<Stretch>,
    step: Option<Step>,
}

impl Periods {
    /// The step that is being made.
    pub fn step(&self) -> Option<&Step> {
        self.step.as_ref()
    }

    /// Gives up the step that is being made, unless it is one `to` there.
    pub fn stop(&mut self, to: Option<bool>) -> bool {
        let is_stopped = self.step.take_if(|step| Some(step.forward) != to).is_some();
        if is_stopped {
            self.in_flight.cancel_if(|stretch| stretch.is_for_step);
        }
        is_stopped
    }
}
