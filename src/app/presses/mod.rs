//! Key presses that come faster than answers. Each waits for its turn and is judged by the page that is there by then,
//! so that a burst ends where the same keys end when they are pressed one by one. Turns that follow each other are read
//! as one: the last page of them.

pub mod update;

use std::collections::VecDeque;
use std::time::Duration;

use crate::app::event::Moment;
use crate::app::prompt::GoTarget;
use crate::app::queue::Intent;

/// Presses that nothing has answered for so long are dropped, so that nothing runs off later.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// What is waited for is shown from then on. An answer that comes sooner needs no mark, and gets none.
pub const MARK_AFTER: Duration = Duration::from_millis(200);

/// What a key press asks for that has to wait for the page that it is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A row on; `true` is towards the end of the board, here and below.
    Row(bool),
    /// A page on.
    Page(bool),
    /// To the nearest tie group.
    Tie(bool),
    /// To the nearest other score.
    Score(bool),
    /// To the first page.
    First,
    /// To the last page.
    Last,
    /// To what was typed after `:`.
    GoTo(GoTarget),
    /// To what was typed after `/`.
    Find(String),
    /// To the next match.
    FindNext(bool),
    /// After the selected member, or no longer.
    Follow,
    /// Back to before a jump.
    Back,
    /// Read again.
    Refresh,
    /// From one paging to the other.
    Paging,
}

#[derive(Clone, Debug)]
enum Waiting {
    Step(Step),
    /// What was asked for and not answered.
    Again(Intent),
}

/// The presses whose turn has not come.
#[derive(Clone, Debug, Default)]
pub struct Presses {
    waiting: VecDeque<Waiting>,
    /// Since when nothing has answered, where something is waited for.
    since: Option<Moment>,
    /// It is shown that something is waited for.
    is_marked: bool,
}

impl Presses {
    /// True where the reader is to see that an answer is on its way.
    pub fn is_marked(&self) -> bool {
        self.is_marked
    }

    /// How many presses have not been sent: those that wait for their turn, and what is asked for next.
    pub fn count(&self, unsent: Option<&Intent>) -> usize {
        let waiting = self.waiting.iter().map(|waiting| match waiting {
            Waiting::Again(intent) => intent.presses(),
            Waiting::Step(_) => 1,
        });
        unsent.map_or(0, Intent::presses) + waiting.sum::<usize>()
    }

    /// Takes note of an answer.
    pub fn answered(&mut self) {
        self.since = None;
    }

    /// What failed for a while is asked for again, before anything else.
    pub fn again(&mut self, intent: Intent) {
        self.waiting.push_front(Waiting::Again(intent));
    }

    /// These turns come next.
    pub fn turn_next(&mut self, turns: &[bool]) {
        turns.iter().rev().for_each(|turn| self.waiting.push_front(Waiting::Step(Step::Page(*turn))));
    }

    /// The turns at the head of the queue, which are taken from it.
    pub fn take_turns(&mut self) -> Vec<bool> {
        let mut turns = Vec::new();
        while let Some(Waiting::Step(Step::Page(forward))) = self.waiting.front() {
            turns.push(*forward);
            self.waiting.pop_front();
        }
        turns
    }

    /// Forgets all presses. True where there were any.
    pub fn clear(&mut self) -> bool {
        let had = !self.waiting.is_empty();
        self.waiting.clear();
        had
    }
}
