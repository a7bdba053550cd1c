//! What was written so far, and showing it on standard error: on a terminal one line that is drawn anew each second, elsewhere
//! a line each so often. It writes to no board.

use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::escaped;
use crate::board::version::Version;

/// How often a terminal is told.
const ON_TERMINAL: Duration = Duration::from_secs(1);
/// How often a pipe or a file is told.
const ELSEWHERE: Duration = Duration::from_secs(10);

/// What was written so far.
#[derive(Default)]
pub(super) struct Tally {
    players: Cell<u64>,
    writes: Cell<u64>,
    is_late: Cell<bool>,
    version: RefCell<Option<Version>>,
    began: Cell<Option<Instant>>,
}

impl Tally {
    /// So many players more are on the board before the first write.
    pub(super) fn enter(&self, players: u64) {
        self.players.set(self.players.get() + players);
    }

    /// The time of the writes begins now.
    pub(super) fn begin(&self) {
        self.began.set(Some(Instant::now()));
    }

    /// So many writes more.
    pub(super) fn write(&self, writes: u64) {
        self.writes.set(self.writes.get() + writes);
    }

    /// A transaction reached this version.
    pub(super) fn reach(&self, version: Version, is_late: bool) {
        *self.version.borrow_mut() = Some(version);
        self.is_late.set(is_late);
    }

    pub(super) fn version(&self) -> Option<Version> {
        self.version.borrow().clone()
    }

    /// All of it in one line; `None` before anything was written.
    pub(super) fn last_line(&self) -> Option<String> {
        let version = self.version()?;
        let (players, writes, seconds) = (self.players.get(), self.writes.get(), self.seconds());
        let rate = per_second(writes, seconds);
        let late = if self.is_late.get() { ", late" } else { "" };
        let version = escaped(&version);
        Some(format!(
            "{players} players at first, {writes} writes in {seconds:.1} s, {rate:.1} a second, version {version}{late}"
        ))
    }

    fn seconds(&self) -> f64 {
        self.began.get().map_or(0.0, |began| began.elapsed().as_secs_f64())
    }
}

#[expect(clippy::cast_precision_loss, reason = "writes would have to be made for ages to get near 2^53")]
fn per_second(writes: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { writes as f64 / seconds } else { 0.0 }
}

/// Standard error, as it is to be told.
pub(super) struct KeySummary {
    /// Hidden where standard error is no terminal.
    bar: ProgressBar,
    is_terminal: bool,
}

impl KeySummary {
    pub(super) fn new() -> Self {
        let is_terminal = io::stderr().is_terminal();
        let target = if is_terminal { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
        Self { bar: ProgressBar::with_draw_target(None, target), is_terminal }
    }

    /// The opening begins, of so many players.
    pub(super) fn open(&self, players: u64) {
        self.bar.set_length(players);
        self.dress("{wide_bar} {human_pos} of {human_len} players  {per_sec}  {eta} left");
    }

    /// So many of them are done.
    pub(super) fn entered(&self, players: u64) {
        self.bar.inc(players);
    }

    /// Takes off the terminal what was drawn there.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Shows `tally` for ever; returns why it cannot.
    pub(super) async fn show(&self, tally: &Tally) -> io::Result<()> {
        self.dress("{wide_msg}");
        let every = if self.is_terminal { ON_TERMINAL } else { ELSEWHERE };
        let mut ticks = interval_at(Instant::now(), every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut writes, mut at) = (0, Instant::now());
        loop {
            ticks.tick().await;
            let rate = per_second(tally.writes.get() - writes, at.elapsed().as_secs_f64());
            (writes, at) = (tally.writes.get(), Instant::now());
            let version = tally.version().as_ref().map(escaped).unwrap_or_default();
            let line = format!("{writes} writes, {rate:.1} a second, version {version}");
            if self.is_terminal {
                self.bar.set_message(line);
            } else {
                let mut err = io::stderr().lock();
                writeln!(err, "{line}")?;
                err.flush()?;
            }
        }
    }

    fn dress(&self, template: &str) {
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
    }
}
