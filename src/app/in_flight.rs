//! The request of a feature that is under way, and whether its reply is still wanted. Every feature has its own, so that it
//! takes only its own replies; a reply that comes late is dropped by its generation.

/// At most one request under way. `T` is what the feature has to know when the reply comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InFlight<T> {
    /// Of the last request that was sent.
    generation: u64,
    under_way: Option<UnderWay<T>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct UnderWay<T> {
    what: T,
    is_wanted: bool,
}

impl<T> Default for InFlight<T> {
    fn default() -> Self {
        Self { generation: 0, under_way: None }
    }
}

impl<T> InFlight<T> {
    /// Takes note that a request is sent; returns the generation that its reply bears. Whatever was under way is forgotten.
    pub fn sent(&mut self, what: T) -> u64 {
        self.generation += 1;
        self.under_way = Some(UnderWay { what, is_wanted: true });
        self.generation
    }

    /// Takes note that the reply of `generation` has come: what it was for, or `None` where it is not wanted.
    pub fn ended(&mut self, generation: u64) -> Option<T> {
        let ended = self.under_way.take_if(|_| self.generation == generation)?;
        ended.is_wanted.then_some(ended.what)
    }

    /// The reply is not wanted any more. The server still works on it, so it is waited for.
    pub fn cancel(&mut self) {
        self.cancel_if(|_| true);
    }

    /// As [`Self::cancel`], where what is under way is such a request.
    pub fn cancel_if(&mut self, is_such: impl FnOnce(&T) -> bool) {
        if let Some(under_way) = &mut self.under_way {
            under_way.is_wanted &= !is_such(&under_way.what);
        }
    }

    /// The reply is neither wanted nor waited for.
    pub fn forget(&mut self) {
        self.under_way = None;
    }

    /// True until the reply has come, also where nobody wants it.
    pub fn is_busy(&self) -> bool {
        self.under_way.is_some()
    }

    /// What the reply that is wanted is for.
    pub fn wanted(&self) -> Option<&T> {
        self.under_way.as_ref().filter(|under_way| under_way.is_wanted).map(|under_way| &under_way.what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_taken_once_and_only_by_its_generation() {
        let mut in_flight = InFlight::default();
        let first = in_flight.sent('a');
        let second = in_flight.sent('b');
        assert_eq!(in_flight.ended(first), None, "another was sent since");
        assert!(in_flight.is_busy());
        assert_eq!(in_flight.ended(second), Some('b'));
        assert_eq!(in_flight.ended(second), None);
    }

    #[test]
    fn what_is_cancelled_is_waited_for_and_dropped() {
        let mut in_flight = InFlight::default();
        let generation = in_flight.sent('a');
        in_flight.cancel_if(|what| *what == 'b');
        assert_eq!(in_flight.wanted(), Some(&'a'));
        in_flight.cancel();
        assert_eq!((in_flight.wanted(), in_flight.is_busy()), (None, true));
        assert_eq!((in_flight.ended(generation), in_flight.is_busy()), (None, false));
    }

    #[test]
    fn what_is_forgotten_makes_room_at_once() {
        let mut in_flight = InFlight::default();
        let generation = in_flight.sent('a');
        in_flight.forget();
        assert!(!in_flight.is_busy());
        assert_eq!(in_flight.ended(generation), None);
    }
}
