//! Working out what follows from the facts of one moment, and noting each fact that was looked at: those are what has to
//! be read again, together, for the answer to be of one moment. It sends nothing.

use std::ops::Range;

use crate::board::entry::{Entry, Member};
use crate::board::grouping::Grouping;
use crate::board::order::Order;
use crate::board::score::Score;
use crate::query::page::PageReply;
use crate::store::redis::read::scriptless::read_set::{ReadSet, Side};
use crate::store::redis::read::scriptless::snapshot::Snapshot;

/// How many rows one round trip looks at to find a place at which nobody stands: 6 trips for a tie group of 10^7.
const PROBES: u64 = 16;

/// Why there is no page.
pub(in crate::store::redis) enum Unsettled {
    /// Something was not read; it has been noted.
    Missing,
    /// This is the answer instead.
    Instead(PageReply),
}

/// What follows, where it does.
pub(in crate::store::redis) type Known<T> = Result<T, Unsettled>;

/// Facts, and which of them were looked at. Indexes count from 0.
pub(in crate::store::redis) struct Resolver<'a> {
    pub(in crate::store::redis) order: Order,
    pub(in crate::store::redis) grouping: Grouping,
    pub(in crate::store::redis) moment: &'a Snapshot,
    margin: u64,
    /// Counts and members can be asked for; else they are searched for among the rows.
    has_lookups: bool,
    wants: ReadSet,
}

impl<'a> Resolver<'a> {
    /// Works with `moment`, and wants `margin` rows more on either side of all rows.
    pub(in crate::store::redis) fn new(
        (order, grouping): (Order, Grouping),
        moment: &'a Snapshot,
        margin: u64,
    ) -> Self {
        Self { order, grouping, moment, margin, has_lookups: true, wants: ReadSet::default() }
    }

    /// Does without counts and members, where they are refused. A count then takes up to 6 trips for a board of 10^7.
    pub(in crate::store::redis) fn with_lookups(self, has_lookups: bool) -> Self {
        Self { has_lookups, ..self }
    }

    /// Index of a member who is followed, where that can be asked.
    pub(in crate::store::redis) fn tracked(&mut self, member: &Member) -> Known<Option<u64>> {
        if !self.has_lookups {
            return Ok(None);
        }
        self.wants.track(member);
        let stands = self.moment.members.get(member).map(|stands| stands.map(|(index, _)| index));
        stands.or_else(|| self.moment.tracked.get(member).copied()).ok_or(Unsettled::Missing)
    }

    /// All that was looked at or found missing.
    pub(in crate::store::redis) fn into_wants(self) -> ReadSet {
        self.wants
    }

    /// How many rows there are.
    pub(in crate::store::redis) fn total(&self) -> u64 {
        self.moment.total
    }

    /// The rows at these indexes, all of which the board has.
    pub(in crate::store::redis) fn rows(&mut self, indexes: Range<u64>) -> Known<Vec<&'a Entry>> {
        if indexes.is_empty() {
            return Ok(Vec::new());
        }
        self.hope_for(indexes.clone());
        let size = indexes.end - indexes.start;
        let rows: Vec<_> = self.moment.rows.range(indexes).map(|(_, row)| row).collect();
        if rows.len() as u64 == size { Ok(rows) } else { Err(Unsettled::Missing) }
    }

    /// Has the last rows of the board read from its end, wherever that is.
    pub(in crate::store::redis) fn hope_for_last(&mut self, rows: u64) {
        self.wants.last_rows(rows.saturating_add(self.margin));
    }

    /// Has rows read that are likely to be needed.
    pub(in crate::store::redis) fn hope_for(&mut self, indexes: Range<u64>) {
        let start = indexes.start.saturating_sub(self.margin);
        if !self.wants.has_last(self.total().saturating_sub(start)) {
            self.wants.rows(start..indexes.end.saturating_add(self.margin));
        }
    }

    /// Index and score of a member who is on the board.
    pub(in crate::store::redis) fn standing(&mut self, member: &Member) -> Known<Option<(u64, Score)>> {
        self.wants.member(member);
        self.moment.members.get(member).copied().ok_or(Unsettled::Missing)
    }

    /// How many rows are on this side of a score. Where two neighbours are known between which that side ends, their place
    /// says it; nothing needs to be counted.
    pub(in crate::store::redis) fn count(&mut self, score: Score, side: Side) -> Known<u64> {
        if let Some(count) = self.moment.counts.get(&(score, side)) {
            self.wants.count(score, side);
            return Ok(*count);
        }
        let (order, grouping) = (self.order, self.grouping);
        let (low, high) = self.bracket(|row| match side {
            Side::Better => grouping.is_better(order, row.score, score),
            Side::Through => !grouping.is_better(order, score, row.score),
        });
        if low == high {
            self.hope_for(low..low);
            return Ok(low);
        }
        if !self.has_lookups {
            return Ok(self.search(low, high)?.0);
        }
        self.wants.count(score, side);
        Err(Unsettled::Missing)
    }

    /// How many rows stand strictly before a place, and how many at or before it.
    pub(in crate::store::redis) fn place(&mut self, place: &Entry) -> Known<(u64, u64)> {
        if let Some((&index, _)) = self.moment.rows.iter().find(|(_, row)| *row == place) {
            self.hope_for(index..index + 1);
            return Ok((index, index + 1));
        }
        let order = self.order;
        let (low, high) = self.bracket(|row| order.compare(row, place).is_lt());
        if low >= high {
            self.hope_for(low..low);
            return Ok((low, low));
        }
        if !self.has_lookups {
            return self.search(low, high);
        }
        let standing = self.standing(&place.member);
        let (better, through) = (self.count(place.score, Side::Better), self.count(place.score, Side::Through));
        if let Some((index, score)) = standing?
            && score == place.score
        {
            return Ok((index, index + 1));
        }
        self.search(low.max(better?), high.min(through?))
    }

    /// Goes on looking for a place at which nobody stands, or for the end of a tie group, between two indexes.
    fn search(&mut self, low: u64, high: u64) -> Known<(u64, u64)> {
        // Neighbours that a later moment narrows the search by, even where the board has moved a little.
        self.hope_for(low..low);
        if low >= high {
            return Ok((low, low));
        }
        self.hope_for(high..high);
        let span = high - low;
        if span <= PROBES {
            self.hope_for(low..high);
        } else {
            for probe in 1..=PROBES {
                let index = low + span / (PROBES + 1) * probe;
                self.wants.rows(index..index + 1);
            }
        }
        Err(Unsettled::Missing)
    }

    /// Between which two counts the rows end for which `is_before` holds, as far as known rows tell. It must hold for no
    /// row below one for which it does not. Facts that contradict each other give a greater count first.
    fn bracket(&self, is_before: impl Fn(&Entry) -> bool) -> (u64, u64) {
        let rows = &self.moment.rows;
        let low = rows.iter().rfind(|(_, row)| is_before(row)).map_or(0, |(index, _)| index + 1);
        let high = rows.iter().find(|(_, row)| !is_before(row)).map_or(self.total(), |(index, _)| *index);
        (low, high)
    }
}
