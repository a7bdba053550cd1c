//! Finds for each member of one board the same member of another, in bounded memory whatever the boards' sizes.
//!
//! Both boards are walked down together in their common order. A member with the same score on both has the same place in
//! that order, so the walks meet at it and nothing of it is kept. What they do not meet at is of another score there or
//! not there at all: that is sorted by member, on disk where it is much, and what belongs together is side by side then.

use std::cmp::Ordering;
use std::io;

use super::sorter::{Sorted, Sorter};
use super::walk::Walk;
use crate::board::diff::{Counts, Pair, Placed};
use crate::board::entry::Entry;
use crate::board::order::Order;
use crate::board::rank::RankStyle;
use crate::exit::{Exit, Failure};
use crate::store::BoardSource;

/// What was found.
pub(super) struct Found {
    pub(super) counts: Counts,
    /// Those who differ, in the order in which they are told.
    pub(super) pairs: Sorted,
}

/// Compares two boards that are read in `order`, by ranks in `style`.
pub(super) async fn compare<H: BoardSource>(
    from: &mut Walk<'_, H>,
    to: &mut Walk<'_, H>,
    order: Order,
    style: RankStyle,
) -> Result<Found, Failure> {
    let mut tally = Tally { style, counts: Counts::default(), told: Sorter::new(Pair::compare_places) };
    let mut unmet = Sorter::new(|a, b| a.member.cmp(&b.member));
    let (mut left, mut right) = (from.next().await?, to.next().await?);
    loop {
        let meeting = match (&left, &right) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((left, _)), Some((right, _))) => order.compare(left, right),
        };
        let first = if meeting.is_le() { left.take() } else { None };
        let second = if meeting.is_ge() { right.take() } else { None };
        if first.is_some() {
            left = from.next().await?;
        }
        if second.is_some() {
            right = to.next().await?;
        }
        let is_met = meeting.is_eq();
        if let Some(pair) = pair(first, second) {
            let kept = if is_met { tally.tell(pair).await } else { unmet.push(pair).await };
            kept.map_err(|error| unkept(&error))?;
        }
    }
    tally.join(unmet).await.map_err(|error| unkept(&error))
}

fn pair(from: Option<(Entry, Placed)>, to: Option<(Entry, Placed)>) -> Option<Pair> {
    let member = from.as_ref().or(to.as_ref())?.0.member.clone();
    Some(Pair { member, from: from.map(|(_, placed)| placed), to: to.map(|(_, placed)| placed) })
}

/// Counts differences and keeps those that are told.
struct Tally {
    style: RankStyle,
    counts: Counts,
    told: Sorter,
}

impl Tally {
    async fn tell(&mut self, pair: Pair) -> io::Result<()> {
        let difference = pair.difference(self.style);
        self.counts.add(difference);
        if difference.is_some() { self.told.push(pair).await } else { Ok(()) }
    }

    /// Brings together what is of one member.
    async fn join(mut self, unmet: Sorter) -> io::Result<Found> {
        let mut unmet = unmet.sorted()?;
        let mut next = unmet.next()?;
        while let Some(mut pair) = next {
            next = unmet.next()?;
            while let Some(other) = next.take_if(|other| other.member == pair.member) {
                pair.join(&other);
                next = unmet.next()?;
            }
            self.tell(pair).await?;
        }
        Ok(Found { counts: self.counts, pairs: self.told.sorted()? })
    }
}

/// What is kept of the comparison could not be.
pub(super) fn unkept(error: &io::Error) -> Failure {
    Failure::new(Exit::Failed, format!("cannot keep what differs in a temporary file: {error}"))
        .with_hint("the variable TMPDIR names the folder for temporary files")
}
