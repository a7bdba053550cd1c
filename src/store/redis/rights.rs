//! Rights that are taken away and given back while a connection stands: what has worked over it once is tried again.
//! What never worked is not, so a reader who was never given more pays nothing.

use std::time::Duration;

use tokio::time::Instant;

use super::{Means, RedisHome};
use crate::board::trouble::Trouble;

/// So long after rights were taken away it is tried whether they are back. Each try may cost a round trip.
const TRY_AGAIN: Duration = Duration::from_secs(2);

/// The best that has worked over a connection.
#[derive(Debug)]
pub(super) struct Rights {
    has_worked: bool,
    means: Means,
    has_version: bool,
    has_meta: bool,
    /// When it was found that less works.
    lost: Option<Instant>,
}

impl Default for Rights {
    fn default() -> Self {
        Self { has_worked: false, means: Means::Pipelines, has_version: false, has_meta: false, lost: None }
    }
}

impl RedisHome {
    /// Takes note of what came of a read by what is believed of the user's rights.
    pub(super) fn learn<T>(&mut self, answer: &Result<T, Trouble>) {
        match answer {
            Ok(_) => self.worked(),
            // Nothing is left to lose: the next read tries everything.
            Err(Trouble::Refused { .. }) => self.believe(),
            Err(_) => {}
        }
    }

    fn worked(&mut self) {
        let best = &mut self.rights;
        best.has_worked = true;
        best.means = best.means.min(self.means);
        best.has_version |= self.has_version;
        best.has_meta |= self.has_meta;
        let is_as_good =
            best.means == self.means && best.has_version == self.has_version && best.has_meta == self.has_meta;
        best.lost = if is_as_good { None } else { best.lost.or_else(|| Some(Instant::now())) };
    }

    /// Believes once more, where it is time, in all that has worked before.
    pub(super) fn regain(&mut self) {
        if self.rights.lost.is_some_and(|lost| lost.elapsed() >= TRY_AGAIN) {
            self.believe();
        }
    }

    fn believe(&mut self) {
        if self.rights.has_worked {
            self.means = self.rights.means;
            self.has_version = self.rights.has_version;
            self.has_meta = self.rights.has_meta;
        }
        self.rights.lost = None;
    }
}
