//! Rights that are taken away and given back while a connection stands: what has worked over it once is tried again.
//! What never worked is not, so a reader who was never given more pays nothing.

use std::time::Duration;

use tokio::time::Instant;

use crate::query::capabilities::Capabilities;
use crate::query::error::StoreError;
use crate::store::redis::RedisSource;
use crate::store::redis::read::transaction::Part;
use crate::store::redis::script_cache::ScriptCache;

/// So long after rights were taken away it is tried whether they are back. Each try may cost a round trip.
const TRY_AGAIN: Duration = Duration::from_secs(2);

/// The best that has worked over a connection.
#[derive(Debug, Default)]
pub(super) struct Rights {
    best: Option<Capabilities>,
    /// The parts of reads that have worked.
    proven: Vec<Part>,
    /// When it was found that less works.
    lost: Option<Instant>,
}

impl Rights {
    /// Takes note of what has worked.
    pub(super) fn prove(&mut self, parts: impl IntoIterator<Item = Part>) {
        for part in parts {
            if !self.proven.contains(&part) {
                self.proven.push(part);
            }
        }
    }

    /// True where that has worked over this connection.
    pub(super) fn is_proven(&self, part: Part) -> bool {
        self.proven.contains(&part)
    }

    /// True where some read has worked over this connection.
    pub(super) fn has_worked(&self) -> bool {
        self.best.is_some()
    }
}

impl RedisSource {
    /// Takes note of what came of a read by what is believed of the user's rights.
    pub(super) fn learn<T>(&mut self, answer: &Result<T, StoreError>) {
        match answer {
            Ok(_) => self.worked(),
            // Nothing is left to lose: the next read tries everything.
            Err(StoreError::NoPermission { .. }) => self.believe(),
            Err(_) => {}
        }
    }

    fn worked(&mut self) {
        let now = self.access;
        let best = self.rights.best.map_or(now, |best| best.or(now));
        self.rights.best = Some(best);
        self.rights.lost = if best == now { None } else { self.rights.lost.or_else(|| Some(Instant::now())) };
    }

    /// Believes once more, where it is time, in all that has worked before.
    pub(super) fn regain(&mut self) {
        if self.rights.lost.is_some_and(|lost| lost.elapsed() >= TRY_AGAIN) {
            self.believe();
        }
    }

    fn believe(&mut self) {
        self.access = self.rights.best.unwrap_or(self.access);
        self.scripts = ScriptCache::default();
        self.rights.lost = None;
    }
}
