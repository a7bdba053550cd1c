//! The ranks that one member had, part by part of the time that counts.

use std::collections::VecDeque;
use std::time::Duration;

use super::super::score::Score;

/// What was read of a member within one part of time.
#[derive(Clone, Debug)]
struct Sample {
    part: u64,
    /// Its first rank then, and whether it had just come onto the page.
    first: Option<(u64, bool)>,
    /// Its last rank then; `None` where it had left the page by the end.
    last: Option<u64>,
}

/// What is known of a member.
#[derive(Clone, Debug)]
pub(super) struct Track {
    samples: VecDeque<Sample>,
    rank: Option<u64>,
    /// Its score at the last read.
    pub(super) score: Score,
    /// When that was.
    pub(super) read_at: Duration,
    /// When its score changed last, of those changes that were seen.
    pub(super) changed_at: Option<Duration>,
}

impl Track {
    pub(super) fn new(score: Score) -> Self {
        Self { samples: VecDeque::new(), rank: None, score, read_at: Duration::ZERO, changed_at: None }
    }

    /// Takes note that it has `rank` in `part`. Only its first rank is kept where later ones do not count.
    pub(super) fn stands(&mut self, part: u64, rank: Option<u64>, has_come: bool, keeps_later: bool) {
        self.rank = rank;
        if self.samples.back().map(|sample| sample.last) == Some(rank) {
            return;
        }
        match self.samples.back_mut() {
            Some(_) if !keeps_later => {}
            Some(sample) if sample.part == part => {
                sample.first = sample.first.or(rank.map(|rank| (rank, has_come)));
                sample.last = rank;
            }
            None if rank.is_none() => {}
            _ => self.samples.push_back(Sample { part, first: rank.map(|rank| (rank, has_come)), last: rank }),
        }
    }

    /// Its rank at the last read.
    pub(super) fn rank(&self) -> Option<u64> {
        self.rank
    }

    /// The rank at the end of the part `reach`, or else the first one after it, and whether it had just come onto the page
    /// then.
    pub(super) fn base(&self, reach: Option<u64>) -> Option<(u64, bool)> {
        let old = self.old(reach);
        let then = old.checked_sub(1).and_then(|at| self.samples.get(at)).and_then(|sample| sample.last);
        then.map(|rank| (rank, false)).or_else(|| self.samples.iter().skip(old).find_map(|sample| sample.first))
    }

    /// The first part after `reach` of which something is known.
    pub(super) fn next_part(&self, reach: Option<u64>) -> Option<u64> {
        self.samples.get(self.old(reach)).map(|sample| sample.part)
    }

    /// Forgets what no later moment is compared with.
    pub(super) fn forget(&mut self, reach: u64) {
        let old = self.old(Some(reach));
        self.samples.drain(..old.saturating_sub(1));
        // Where it had left by then, nothing is known of it.
        if old > 0 && self.samples.front().is_some_and(|sample| sample.last.is_none()) {
            self.samples.pop_front();
        }
    }

    /// True where nothing is known any more.
    pub(super) fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }

    /// How many samples are of the part `reach` or before.
    fn old(&self, reach: Option<u64>) -> usize {
        reach.map_or(0, |reach| self.samples.partition_point(|sample| sample.part <= reach))
    }
}
