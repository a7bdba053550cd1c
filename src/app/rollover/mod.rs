//! The end of a period while its board is watched: the new board is offered, and nobody is moved. What time it is comes in
//! with the clock; the calendar is the board's.

pub mod update;

use crate::board::board_template::BoardTemplate;
use crate::board::keys::{Key, live_of};
use crate::board::period::{Period, Zone};
use crate::board::series::Series;

/// The watched board among the boards of its series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesPosition {
    /// The boards that differ in their period only.
    pub series: Series,
    /// Whose board this is.
    pub period: Period,
    /// Whether this is a frozen copy of that board.
    pub is_copy: bool,
}

impl SeriesPosition {
    /// The place of the board `key`; none where it has no period.
    pub fn of(key: &Key, template: &BoardTemplate) -> Option<Self> {
        let (series, period) = Series::of(key, template)?;
        let is_copy = series.key(&period).as_ref() != Some(key) || live_of(key).is_some();
        Some(Self { series, period, is_copy })
    }
}

/// A period, and when it begins and ends, Unix ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Which one.
    pub period: Period,
    /// Its first instant.
    pub starts: i64,
    /// The first instant that is no longer in it.
    pub ends: i64,
}

impl Span {
    /// The span of `period` in `zone`.
    pub fn of(period: Period, zone: &Zone) -> Self {
        Self { period, starts: period.starts(zone), ends: period.ends(zone) }
    }

    fn has(&self, unix_ms: i64) -> bool {
        (self.starts..self.ends).contains(&unix_ms)
    }
}

/// What the calendar makes of the watched board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rollover {
    /// The watched board's place; none where it has no period.
    pub place: Option<SeriesPosition>,
    /// Its period with its ends.
    pub own: Option<Span>,
    /// The period of the same kind that the clock is in; none before the clock was told.
    pub current: Option<Span>,
    /// Whether the watched board has been the current one while it was watched.
    has_been_current: bool,
    /// The period that has begun since, until the reader answers.
    offered: Option<Period>,
    /// The offer that the reader has answered.
    answered: Option<Period>,
}

impl Rollover {
    /// For the board `key`, before the clock was told.
    pub fn of(key: Option<&Key>, template: &BoardTemplate, zone: &Zone) -> Self {
        let place = key.and_then(|key| SeriesPosition::of(key, template));
        let own = place.as_ref().map(|place| Span::of(place.period, zone));
        Self { place, own, ..Self::default() }
    }

    /// The period that has begun and is offered to the reader.
    pub fn offered(&self) -> Option<Period> {
        self.offered
    }

    /// Takes back the offer, for the reader has answered it; false where there was none.
    pub fn answer(&mut self) -> bool {
        let offered = self.offered.take();
        self.answered = offered.or(self.answered);
        offered.is_some()
    }

    fn turn(&mut self, unix_ms: i64, zone: &Zone) {
        let Some(place) = &self.place else { return };
        if !self.current.is_some_and(|span| span.has(unix_ms)) {
            let current = place.period.at_instant(unix_ms, zone);
            self.current = current.map(|period| Span::of(period, zone));
        }
        let Some(current) = self.current.map(|span| span.period) else { return };
        if current == place.period && !place.is_copy {
            // Also after the clock was set back: what had begun has not begun yet.
            (self.has_been_current, self.offered, self.answered) = (true, None, None);
        } else {
            let has_begun = self.has_been_current && place.period.is_before(&current);
            self.offered = Some(current).filter(|current| has_begun && self.answered != Some(*current));
        }
    }
}
