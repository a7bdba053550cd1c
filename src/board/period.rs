//! Periods: the time buckets that boards are cut into, such as `2026-W41`, and the instants at which they start and end.
//! All calendar and time-zone arithmetic happens here, so that no other file needs to know the calendar library. It
//! must not know the present time: the instant always comes in from the caller.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};

use cut::Cut;
use form::Form;

mod cut;
mod form;

/// How the boards of a game are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PeriodKind {
    /// ISO weeks, Monday first: `2026-W41`.
    Week,
    /// Days: `2026-10-09`.
    Day,
    /// Months: `2026-10`.
    Month,
    /// One board for ever; its key has no period.
    None,
}

/// A text that is no period.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is not a period\na period is an ISO week such as 2026-W41, a day such as 2026-10-09 or a month such as 2026-10", .0.escape_debug())]
pub struct NotAPeriod(String);

/// A name that is no time zone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown time zone '{}'\nzones have names such as UTC or Europe/Madrid", .0.escape_debug())]
pub struct UnknownZone(String);

/// A time zone of the IANA database, in which periods are cut.
///
/// The database is the one compiled in, never the system's: two machines must cut the same periods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone(TimeZone);

impl Zone {
    /// The zone that periods are cut in where none is stated.
    pub fn utc() -> Self {
        Self(TimeZone::UTC)
    }

    /// The zone in the calendar library's own form, for whoever tells moments.
    pub fn time_zone(&self) -> TimeZone {
        self.0.clone()
    }

    /// The first instant at which the zone's calendar shows this moment or a later one, in Unix milliseconds;
    /// `i64::MAX` where that is past the last instant that can be computed with, at the end of the year 9999.
    fn first_instant(&self, first: DateTime) -> i64 {
        let midnight = self.0.to_ambiguous_timestamp(first);
        let first = match midnight.offset() {
            // The clock jumps over midnight. The day begins at the jump itself, which need not show a full hour: clocks
            // that go from 23:30 to 00:30 begin the day at 00:30.
            AmbiguousOffset::Gap { .. } => {
                midnight.earlier().map(|before| self.0.following(before).next().map_or(before, |jump| jump.timestamp()))
            }
            AmbiguousOffset::Unambiguous { .. } | AmbiguousOffset::Fold { .. } => midnight.earlier(),
        };
        first.map_or(i64::MAX, Timestamp::as_millisecond)
    }
}

impl FromStr for Zone {
    type Err = UnknownZone;

    /// Takes an IANA name, in any letter case.
    fn from_str(name: &str) -> Result<Self, UnknownZone> {
        match TimeZoneDatabase::bundled().get(name) {
            Ok(zone) if !zone.is_unknown() => Ok(Self(zone)),
            _ => Err(UnknownZone(name.to_owned())),
        }
    }
}

impl fmt::Display for Zone {
    /// Writes the IANA name, as the database spells it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.iana_name().unwrap_or("UTC"))
    }
}

/// One time bucket, such as an ISO week, a day or a month, of the years 0000 to 9999, as a key spells it.
///
/// A period begins at the first instant at which its zone's calendar shows its first day, or a later day where that one
/// was skipped, and ends where the next one begins. So the periods of one kind follow each other without gap or
/// overlap even where clocks go back over midnight: the hour in which the old date shows again belongs to the new
/// period. A day that the zone skipped lasts no time at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    cut: Cut,
    /// A week's Monday, a month's first day: one value for one period.
    first: DateTime,
    form: Form,
}

impl Period {
    /// The period that an instant, in Unix milliseconds, lies in.
    ///
    /// There is none where boards are not cut, nor outside the years 0000 to 9999, which a key cannot say.
    pub fn at(kind: PeriodKind, unix_ms: i64, zone: &Zone) -> Option<Self> {
        let cut = match kind {
            PeriodKind::Week => Cut::Week,
            PeriodKind::Day => Cut::Day,
            PeriodKind::Month => Cut::Month,
            PeriodKind::None => return None,
        };
        Self { cut, first: DateTime::default(), form: Form::Iso }.at_instant(unix_ms, zone)
    }

    /// The period of this one's kind and spelling that an instant, in Unix milliseconds, lies in.
    pub fn at_instant(&self, unix_ms: i64, zone: &Zone) -> Option<Self> {
        let instant = Timestamp::from_millisecond(unix_ms).ok()?;
        let mut period = self.around(self.zone(zone).0.to_datetime(instant))?;
        // The date on the clock may be one that has already been: see the type.
        while period.ends(zone) <= unix_ms {
            period = period.next()?;
        }
        Some(period)
    }

    /// Reads a period as ranktop spells it. Strict: other spellings of a date are other keys.
    pub fn from_bytes(text: &[u8]) -> Option<Self> {
        form::iso(text).map(Self::from)
    }

    /// The period that a key ends with, in any spelling, and what of the key stands before it, its mark included.
    pub fn at_end(key: &[u8]) -> Option<(&[u8], Self)> {
        let (from, spelled) = form::at_end(key)?;
        Some((&key[..from], spelled.into()))
    }

    /// What is surprising about its spelling, where something is.
    pub fn remark(&self) -> Option<&'static str> {
        match (self.form, self.cut) {
            (Form::RedisRank, Cut::SundayWeek) => Some("redis-rank: weeks from Sunday, in the writer's zone"),
            (Form::RedisRank, Cut::Year) => Some("redis-rank: in the writer's zone"),
            (Form::RedisRank, _) => Some("redis-rank: months count from 00, in the writer's zone"),
            (Form::Podium | Form::PodiumSeconds, _) => Some("podium: in UTC"),
            _ => None,
        }
    }

    /// True where it is of the other's kind and comes before it.
    pub fn is_before(&self, other: &Self) -> bool {
        (self.cut, self.form) == (other.cut, other.form) && self.first < other.first
    }

    /// The period before, unless this is the first of the year 0000.
    pub fn previous(&self) -> Option<Self> {
        self.starting(self.cut.previous(self.first)?)
    }

    /// The period after, unless this is the last of the year 9999.
    pub fn next(&self) -> Option<Self> {
        self.starting(self.cut.next(self.first)?)
    }

    /// Its first instant, in Unix milliseconds; `i64::MAX` on the last day of the year 9999 where that cannot be told.
    pub fn starts(&self, zone: &Zone) -> i64 {
        self.zone(zone).first_instant(self.first)
    }

    /// The first instant that is no longer in it, in Unix milliseconds; `i64::MAX` at the end of the year 9999.
    pub fn ends(&self, zone: &Zone) -> i64 {
        self.next().map_or(i64::MAX, |next| next.starts(zone))
    }

    fn zone(&self, zone: &Zone) -> Zone {
        if self.form.is_utc() { Zone::utc() } else { zone.clone() }
    }

    fn around(&self, moment: DateTime) -> Option<Self> {
        self.starting(self.cut.first(moment, self.first)?)
    }

    fn starting(&self, first: DateTime) -> Option<Self> {
        let year = if self.cut == Cut::Week { first.date().iso_week_date().year() } else { first.year() };
        (year >= 0).then_some(Self { first, ..*self })
    }
}

impl From<form::Spelled> for Period {
    fn from((cut, first, form): form::Spelled) -> Self {
        Self { cut, first, form }
    }
}

impl FromStr for Period {
    type Err = NotAPeriod;

    fn from_str(text: &str) -> Result<Self, NotAPeriod> {
        Self::from_bytes(text.as_bytes()).ok_or_else(|| NotAPeriod(text.to_owned()))
    }
}

impl fmt::Display for Period {
    /// Writes the period segment of a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        form::write(f, self.cut, self.first, self.form)
    }
}
