//! Servers and proxies that hang up at a command instead of refusing it. Which one it was is not told: it is found out by
//! connecting anew and doing without one after another.

use tracing::info;

use crate::query::capabilities::Capabilities;
use crate::query::error::StoreError;
use crate::store::redis::RedisSource;
use crate::store::redis::connect::{Connected, Target};
use crate::store::redis::topology::OnInvalidate;

/// How to connect anew, in the way of the connection that stands.
pub(super) struct Again {
    target: Target,
    told: Option<OnInvalidate>,
    pushes: bool,
}

impl Again {
    pub(super) fn new(target: Target, told: Option<OnInvalidate>, pushes: bool) -> Self {
        Self { target, told, pushes }
    }
}

/// The hang-ups that one read has met.
#[derive(Default)]
pub(super) struct HangUps {
    /// What is still to be done without, the last one first; `None` before the first hang-up.
    left: Option<Vec<Capabilities>>,
}

impl HangUps {
    /// What to try next, where `now` is what was tried.
    fn next(&mut self, now: Capabilities) -> Option<Capabilities> {
        let left = self.left.get_or_insert_with(|| {
            let mut lesser = vec![
                Capabilities { scripts: None, transactions: false, ..now },
                Capabilities { scripts: None, ..now },
                Capabilities { transactions: false, ..now },
            ];
            lesser.retain(|lesser| *lesser != now);
            lesser.dedup();
            lesser
        });
        left.pop()
    }
}

impl RedisSource {
    /// A read met `trouble`. Where the server hung up at what can be done without, connects anew and does without it;
    /// else, or where nothing is left to do without, that is what is wrong.
    ///
    /// Over a connection that has brought a page before, it is no command that a server hangs up at.
    pub(super) async fn hung_up(&mut self, trouble: StoreError, hang_ups: &mut HangUps) -> Result<(), StoreError> {
        if !self.driver.is_hang_up() || self.rights.has_worked() {
            return Err(trouble);
        }
        let (Some(again), Some(lesser)) = (&self.again, hang_ups.next(self.access)) else { return Err(trouble) };
        match again.target.connect_and_tell(again.told.clone()).await {
            // Whoever was told that changes are pushed must not wait for them in vain.
            Ok(Connected { home, pushes }) if pushes || !again.pushes => {
                info!(transactions = lesser.transactions, scripts = ?lesser.scripts, "the server hung up: trying with less");
                (self.connection, self.driver, self.access) = (home.connection, home.driver, lesser);
                Ok(())
            }
            _ => Err(trouble),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_after_another_is_done_without() {
        let now = Capabilities::FULL;
        let tries = |now: Capabilities| {
            let mut hang_ups = HangUps::default();
            let tries = std::iter::from_fn(|| hang_ups.next(now));
            tries.map(|lesser| (lesser.scripts.is_some(), lesser.transactions)).collect::<Vec<_>>()
        };
        assert_eq!(tries(now), [(true, false), (false, true), (false, false)]);
        assert_eq!(tries(Capabilities { scripts: None, ..now }), [(false, false)]);
        assert_eq!(tries(Capabilities { transactions: false, ..now }), [(false, false)]);
        assert_eq!(tries(Capabilities { scripts: None, transactions: false, ..now }), []);
    }
}
