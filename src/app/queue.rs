//! One read is in flight and at most one waits; the newest question wins.
//!
//! What waits is an intent, not a question: it becomes a question when its turn comes, so that a second page turn goes
//! on from the page that the first one brought. However many keys are pressed while a server is silent, at most one
//! read follows when it comes back.

use crate::app::in_flight::InFlight;
use crate::app::page::history::Stay;
use crate::board::cursor::Cursor;
use crate::board::entry::Member;
use crate::board::score::Score;

/// What the reader wants to see.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// The same stretch again; accepted as the baseline of the next turn where the reader asked for it.
    Refresh {
        /// Whether the reader asked for it.
        accept: bool,
    },
    /// The last page, for the board no longer reaches as far down as the page; else as a refresh.
    Shrunk {
        /// Whether the reader asked for it.
        accept: bool,
    },
    /// The next page or the one before.
    Turn {
        /// Where to, page by page: `true` is towards the end of the board. At least one.
        turns: Vec<bool>,
        /// Whether the row next to the boundary is selected, as when the selection walks over it; else the row on the
        /// screen keeps the selection.
        walk: bool,
    },
    /// The rows after the place of a cursor that was handed in, or before it.
    Cursor {
        /// The rows after it.
        is_after: bool,
        /// The cursor.
        cursor: Box<Cursor>,
    },
    /// A page that was left by a jump.
    Back(Box<Stay>),
    /// The first page.
    First,
    /// The last page.
    Last,
    /// The row at this position.
    Row(u64),
    /// The first row at this score or below it.
    Score(Score),
    /// This member.
    Find(Member),
    /// This member, wherever it goes.
    Follow {
        /// Who.
        member: Member,
        /// Whether the reader asked for it just now.
        is_asked: bool,
    },
    /// The nearest tie group beyond this score.
    Tie {
        /// Towards the end of the board.
        forward: bool,
        /// From where.
        from: Score,
    },
    /// The nearest distinct score beyond this one.
    Distinct {
        /// Towards the end of the board.
        forward: bool,
        /// From where.
        from: Score,
    },
}

impl Intent {
    /// How many key presses it stands for.
    pub fn presses(&self) -> usize {
        match self {
            Self::Turn { turns, .. } => turns.len(),
            _ => usize::from(!self.is_quiet()),
        }
    }

    /// True where nobody asked for it.
    pub fn is_quiet(&self) -> bool {
        matches!(
            self,
            Self::Refresh { accept: false } | Self::Shrunk { accept: false } | Self::Follow { is_asked: false, .. }
        )
    }

    /// True where the answer to `other`, which is under way, is of no use once this is wanted: this says by itself what
    /// is to be read, or it is a turn, which goes on from the page that the reader saw and not from one that flashes by.
    fn overtakes(&self, other: &Self) -> bool {
        match self {
            Self::Refresh { .. } | Self::Shrunk { .. } | Self::Follow { is_asked: false, .. } => false,
            Self::Turn { .. } => other.is_quiet(),
            _ => true,
        }
    }
}

/// The read that is under way, and the one that waits.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    in_flight: InFlight<Intent>,
    waiting: Option<Intent>,
}

impl Reading {
    /// The reader wants `intent` next.
    pub fn want(&mut self, intent: Intent) {
        self.in_flight.cancel_if(|under_way| intent.overtakes(under_way));
        self.waiting = Some(intent);
    }

    /// Nobody asked for `intent`: it never takes the place of anything.
    pub fn want_quietly(&mut self, intent: Intent) {
        self.waiting.get_or_insert(intent);
    }

    /// Goes on with what was asked, unless the reader wants something else by now.
    pub fn go_on(&mut self, intent: Intent) {
        if self.waiting.as_ref().is_none_or(Intent::is_quiet) {
            self.waiting = Some(intent);
        }
    }

    /// The intent whose turn it is, if nothing is in flight.
    pub fn due(&mut self) -> Option<Intent> {
        if self.in_flight.is_busy() { None } else { self.waiting.take() }
    }

    /// Takes note that the question of `intent` is sent; returns its generation.
    pub fn sent(&mut self, intent: Intent) -> u64 {
        self.in_flight.sent(intent)
    }

    /// The read of `generation` ended: which intent it was for, or `None` where its answer is to be dropped.
    pub fn ended(&mut self, generation: u64) -> Option<Intent> {
        self.in_flight.ended(generation)
    }

    /// True while a read is under way or waits.
    pub fn is_busy(&self) -> bool {
        self.in_flight.is_busy() || self.waiting.is_some()
    }

    /// True while something that the reader asked for is under way or waits.
    pub fn is_awaited(&self) -> bool {
        self.in_flight.wanted().into_iter().chain(&self.waiting).any(|intent| !intent.is_quiet())
    }

    /// What the reader asked for and was not sent.
    pub fn unsent(&self) -> Option<&Intent> {
        self.waiting.as_ref().filter(|intent| !intent.is_quiet())
    }

    /// Forgets what was not sent; returns it.
    pub fn drop_unsent(&mut self) -> Option<Intent> {
        self.waiting.take_if(|intent| !intent.is_quiet())
    }

    /// Forgets what the reader wanted: its answer will be dropped.
    pub fn cancel(&mut self) {
        self.waiting = None;
        self.in_flight.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: Intent = Intent::Refresh { accept: false };

    fn turn() -> Intent {
        Intent::Turn { turns: vec![true], walk: false }
    }

    #[test]
    fn one_in_flight_and_one_waits() {
        let mut reading = Reading::default();
        reading.want(turn());
        let intent = reading.due().unwrap();
        let first = reading.sent(intent);
        for _ in 0..9 {
            reading.want(turn());
            assert_eq!(reading.due(), None);
        }
        assert_eq!(reading.ended(first), Some(turn()));
        assert_eq!(reading.due(), Some(turn()));
        assert_eq!(reading.due(), None, "nine more keys are one more turn");
    }

    #[test]
    fn a_late_answer_is_dropped() {
        let mut reading = Reading::default();
        let old = reading.sent(turn());
        reading.want(Intent::First);
        assert_eq!(reading.ended(old), None, "superseded by a jump");
        let new = reading.sent(Intent::First);
        assert_eq!(reading.ended(old), None, "an answer that has no question");
        assert_eq!(reading.ended(new), Some(Intent::First));
    }

    #[test]
    fn a_quiet_refresh_never_displaces_a_key() {
        let mut reading = Reading::default();
        let first = reading.sent(turn());
        reading.want(turn());
        reading.want_quietly(QUIET);
        assert_eq!(reading.ended(first), Some(turn()));
        assert_eq!(reading.due(), Some(turn()));
    }

    #[test]
    fn a_turn_overtakes_a_quiet_refresh_and_nothing_else() {
        for (under_way, is_dropped) in [(QUIET, true), (Intent::Refresh { accept: true }, false), (Intent::Last, false)]
        {
            let mut reading = Reading::default();
            let generation = reading.sent(under_way);
            reading.want(turn());
            assert_eq!(reading.ended(generation).is_none(), is_dropped);
        }
    }

    #[test]
    fn what_goes_on_by_itself_gives_way_to_the_reader_alone() {
        let onward = Intent::Row(7);
        let mut reading = Reading::default();
        reading.want_quietly(QUIET);
        reading.go_on(onward.clone());
        assert_eq!(reading.due(), Some(onward.clone()));
        reading.want(turn());
        reading.go_on(onward);
        assert_eq!(reading.due(), Some(turn()));
    }
}
