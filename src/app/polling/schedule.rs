//! When to look whether the board has changed, and how.

use std::time::Duration;

use crate::app::event::Moment;
use crate::app::polling::pace::Pace;

/// How changes are noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchMode {
    /// The server tells, where it can; else the version is polled.
    Push,
    /// The version is polled.
    Poll,
    /// The page itself is read and compared.
    Content,
}

/// A board with a version is compared by its content as often as this, in case somebody writes without the version.
pub const CONTENT_CHECK: Duration = Duration::from_secs(10);
/// With a server that tells, the version is polled as often as this, in case a word got lost.
pub const SAFETY_POLL: Duration = Duration::from_secs(5);
/// A closed board changes no more; it is looked at as often as this, in case it does.
pub const CLOSED_CHECK: Duration = Duration::from_secs(30);
/// However often a server tells of changes, pages are not read more often than this.
pub const BETWEEN_READS: Duration = Duration::from_millis(100);
/// How long a board lives and what it says of itself is read as often as this, at least, while pages are.
pub const BESIDE: Duration = Duration::from_secs(1);
/// A board that was found changed so often in a row is read without asking first.
pub const BUSY: u32 = 2;
/// The intervals that `+` and `-` step through, in ms.
const INTERVALS: [u64; 9] = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/// The timetable of looking.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own; no two exclude each other")]
pub struct Watch {
    /// How changes are to be noticed.
    pub mode: WatchMode,
    /// How often.
    pub interval: Duration,
    /// Whether the version has been found to stay while the board changes: from then on the content decides.
    pub is_version_broken: bool,
    /// When to look next.
    pub next_look: Moment,
    /// When to compare the content next.
    pub next_content: Moment,
    /// A change was told and has not been read yet.
    pub is_told: bool,
    /// A change was told before the read that is under way was sent: it is told still, should that bring no page.
    pub is_told_before_read: bool,
    /// When a page was asked for last.
    pub last_read: Option<Moment>,
    /// How many looks in a row found a change: a busy board is read at once, without asking for its version first.
    pub changes_in_a_row: u32,
    /// A version is being read.
    pub is_polling: bool,
    /// How fast the server answers.
    pub pace: Pace,
    /// How much later than others this viewer asks, so that those that were started together do not ask in step.
    pub spread: Duration,
    /// How many pages were asked for with hardly more than the shortest time between them.
    pub pages_in_a_row: u32,
    /// When a page was asked for last together with all that belongs to the board.
    pub whole_at: Option<Moment>,
    /// The page that was asked for last may have left that out.
    pub is_lean: bool,
}

impl Watch {
    /// Looks at once.
    pub fn new(mode: WatchMode, interval: Duration) -> Self {
        Self {
            mode,
            interval,
            is_version_broken: false,
            next_look: Moment::ZERO,
            next_content: CONTENT_CHECK,
            is_told: false,
            is_told_before_read: false,
            last_read: None,
            changes_in_a_row: 0,
            is_polling: false,
            pace: Pace::default(),
            spread: Duration::ZERO,
            pages_in_a_row: 0,
            whole_at: None,
            is_lean: false,
        }
    }

    /// Asks so much later than others.
    pub fn with_spread(self, spread: Duration) -> Self {
        Self { spread, ..self }
    }

    /// How often the board is looked at: at the interval, where the server is fast enough for that.
    pub fn every(&self) -> Duration {
        self.pace.every(self.interval)
    }

    /// The least time between two pages that are read because a change was told.
    pub fn between_reads(&self) -> Duration {
        self.pace.every(BETWEEN_READS) + self.spread
    }

    /// Takes note that a page is asked for: true where it may be lean, for the board is busy, and the next page will come in
    /// time to be whole. What is not `quiet` is whole.
    pub fn asks(&mut self, now: Moment, is_quiet: bool, pushes: bool) -> bool {
        let every = if pushes { self.between_reads() } else { self.every() };
        match self.last_read.map(|last| now.saturating_sub(last)) {
            Some(passed) if passed > 2 * every => self.pages_in_a_row = 0,
            // What follows at once from the page before says nothing of the board.
            Some(passed) if passed >= every / 2 => self.pages_in_a_row = self.pages_in_a_row.saturating_add(1),
            _ => {}
        }
        self.last_read = Some(now);
        let is_in_time = self.whole_at.is_some_and(|at| now + every <= at + BESIDE);
        self.is_lean = is_quiet && self.pages_in_a_row > BUSY && is_in_time;
        if !self.is_lean {
            self.whole_at = Some(now);
        }
        self.is_lean
    }

    /// When the page has to be read with all that belongs to the board, where the last one may have left that out.
    pub fn whole_due(&self) -> Option<Moment> {
        self.whole_at.filter(|_| self.is_lean).map(|at| at + BESIDE)
    }

    /// The interval one step shorter or longer.
    pub fn step_interval(&mut self, shorter: bool) {
        let now = self.interval.as_millis();
        let mut steps = INTERVALS.iter().copied();
        let next = if shorter {
            steps.rev().find(|step| u128::from(*step) < now)
        } else {
            steps.find(|step| u128::from(*step) > now)
        };
        if let Some(ms) = next {
            self.interval = Duration::from_millis(ms);
            // A long wait that was begun does not hold up a short interval.
            self.next_look = Moment::ZERO;
        }
    }

    /// Looks within the interval, however long the wait is that was begun.
    pub fn hurry(&mut self, now: Moment) {
        self.next_look = self.next_look.min(now + self.every());
    }

    /// The next look after one at `now`: on the beat of the interval, without making up for beats that were missed.
    pub fn looked(&mut self, now: Moment, every: Duration) {
        let due = self.next_look + every;
        self.next_look = if due > now { due } else { now + every };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_step_both_ways_and_end() {
        let mut watch = Watch::new(WatchMode::Poll, Duration::from_millis(700));
        watch.step_interval(true);
        assert_eq!(watch.interval, Duration::from_millis(500));
        watch.step_interval(false);
        assert_eq!(watch.interval, Duration::from_secs(1));
        for _ in 0..20 {
            watch.step_interval(true);
        }
        assert_eq!(watch.interval, Duration::from_millis(100));
    }

    #[test]
    fn what_belongs_to_a_board_is_read_within_a_second() {
        for (interval, pages) in [(100, 10), (300, 3), (500, 2), (501, 1), (2_000, 1)] {
            let interval = Duration::from_millis(interval);
            let mut watch = Watch::new(WatchMode::Poll, interval);
            let lean: Vec<bool> = (0..20).map(|beat| watch.asks(interval * beat, true, false)).collect();
            assert!(!lean[..3].contains(&true), "the board is not known to be busy");
            let whole: Vec<usize> = (2..20).filter(|beat| !lean[*beat]).collect();
            assert!(whole.windows(2).all(|pair| pair[1] - pair[0] == pages), "{interval:?}: {whole:?}");
            assert_eq!(watch.whole_due().is_some(), lean[19]);
            assert!(!watch.asks(interval * 20, false, false), "what the reader asks for is whole");
        }
    }

    #[test]
    fn missed_beats_are_not_made_up_for() {
        let mut watch = Watch::new(WatchMode::Poll, Duration::from_millis(100));
        watch.looked(Duration::from_millis(10), watch.interval);
        assert_eq!(watch.next_look, Duration::from_millis(100));
        watch.looked(Duration::from_secs(60), watch.interval);
        assert_eq!(watch.next_look, Duration::from_millis(60_100));
    }
}
