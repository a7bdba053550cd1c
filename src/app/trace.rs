//! The trace: the trips to the server of late, for whoever wants to see what is sent. Bounded; trips that only ask again
//! what the one before asked are counted, so that looking does not push out what the reader asked for.

use std::collections::VecDeque;

use crate::app::event::Moment;
use crate::query::round_trip::RoundTrip;

/// Trips that are kept.
pub const MOST: usize = 100;

/// A trip, and the ones after it that asked the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// When the last of them ended.
    pub at: Moment,
    /// The last of them.
    pub trip: RoundTrip,
    /// How many there were.
    pub times: u64,
}

/// The trips of late, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    trips: VecDeque<Traced>,
}

impl Trace {
    /// The trips, newest first.
    pub fn newest(&self) -> impl Iterator<Item = &Traced> {
        self.trips.iter().rev()
    }

    /// Takes in trips that ended at `now`.
    pub fn add(&mut self, trips: Vec<RoundTrip>, now: Moment) {
        for trip in trips {
            match self.trips.back_mut() {
                Some(last) if is_same(&last.trip, &trip) => {
                    *last = Traced { at: now, trip, times: last.times + 1 };
                }
                _ => {
                    if self.trips.len() >= MOST {
                        self.trips.pop_front();
                    }
                    self.trips.push_back(Traced { at: now, trip, times: 1 });
                }
            }
        }
    }
}

fn is_same(one: &RoundTrip, other: &RoundTrip) -> bool {
    let mut pairs = one.exchanges.iter().zip(&other.exchanges);
    one.commands == other.commands && pairs.all(|(one, other)| one.command == other.command)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::query::round_trip::CommandReply;

    fn trip(command: u64) -> RoundTrip {
        let exchange = CommandReply { command: format!("GET v{command}"), reply: "7".to_owned() };
        RoundTrip { exchanges: vec![exchange], commands: 1, took: Duration::from_millis(command), sent: 20, got: 4 }
    }

    #[test]
    fn repeats_are_counted_and_the_oldest_go() {
        let mut trace = Trace::default();
        let other_reply = |mut trip: RoundTrip| {
            trip.exchanges[0].reply = "8".to_owned();
            trip
        };
        trace.add(vec![trip(1), trip(1), trip(2)], Moment::ZERO);
        trace.add(vec![other_reply(trip(2))], Duration::from_secs(1));
        let seen: Vec<_> = trace.newest().map(|it| (it.at.as_secs(), it.times, it.trip.clone())).collect();
        assert_eq!(seen, [(1, 2, other_reply(trip(2))), (0, 2, trip(1))]);
        trace.add((10..10 + MOST as u64).map(trip).collect(), Moment::ZERO);
        assert_eq!(trace.newest().count(), MOST);
        assert!(trace.newest().all(|traced| traced.times == 1));
    }
}
