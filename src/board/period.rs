//! Periods: the time buckets that boards are cut into, such as `2026-W41`, and the instants at which they start and end.
//! All calendar and time-zone arithmetic happens here, so that no other file needs to know the calendar library. It
//! must not know the present time: the instant always comes in from the caller.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, ISOWeekDate, Weekday};
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, ToSpan};

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

/// The kinds that a period can be of, so that a period "of no kind" cannot be written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Cut {
    Week,
    Day,
    Month,
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

    /// The first instant at which the zone's calendar shows this date or a later one, in Unix milliseconds;
    /// `i64::MAX` where that is past the last instant that can be computed with, at the end of the year 9999.
    fn first_instant(&self, date: Date) -> i64 {
        let midnight = self.0.to_ambiguous_timestamp(date.to_datetime(jiff::civil::Time::midnight()));
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

/// One time bucket: an ISO week, a day or a month, of the years 0000 to 9999.
///
/// A period begins at the first instant at which its zone's calendar shows its first day, or a later day where that one
/// was skipped, and ends where the next one begins. So the periods of one kind follow each other without gap or
/// overlap even where clocks go back over midnight: the hour in which the old date shows again belongs to the new
/// period. A day that the zone skipped lasts no time at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    cut: Cut,
    /// A week's Monday, a month's first day: one value for one period.
    first: Date,
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
        let instant = Timestamp::from_millisecond(unix_ms).ok()?;
        let mut period = Self::around(cut, zone.0.to_datetime(instant).date())?;
        // The date on the clock may be one that has already been: see the type.
        while period.ends(zone) <= unix_ms {
            period = period.next()?;
        }
        Some(period)
    }

    /// Reads a key's period segment. Strict: other spellings of a date are other keys, so they are not periods.
    pub fn from_bytes(text: &[u8]) -> Option<Self> {
        let (cut, first) = match *text {
            [y0, y1, y2, y3, b'-', b'W', w0, w1] => {
                let year = number(&[y0, y1, y2, y3])?;
                let week = i8::try_from(number(&[w0, w1])?).ok()?;
                (Cut::Week, ISOWeekDate::new(year, week, Weekday::Monday).ok()?.date())
            }
            [y0, y1, y2, y3, b'-', m0, m1] => (Cut::Month, date(&[y0, y1, y2, y3], &[m0, m1], b"01")?),
            [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] => (Cut::Day, date(&[y0, y1, y2, y3], &[m0, m1], &[d0, d1])?),
            _ => return None,
        };
        Some(Self { cut, first })
    }

    /// What kind of period this is; never [`PeriodKind::None`].
    pub fn kind(&self) -> PeriodKind {
        match self.cut {
            Cut::Week => PeriodKind::Week,
            Cut::Day => PeriodKind::Day,
            Cut::Month => PeriodKind::Month,
        }
    }

    /// True where it is of the other's kind and comes before it.
    pub fn is_before(&self, other: &Self) -> bool {
        self.cut == other.cut && self.first < other.first
    }

    /// The period before, unless this is the first of the year 0000.
    pub fn previous(&self) -> Option<Self> {
        Self::around(self.cut, self.first.yesterday().ok()?)
    }

    /// The period after, unless this is the last of the year 9999.
    pub fn next(&self) -> Option<Self> {
        let after = match self.cut {
            Cut::Week => self.first.checked_add(7.days()),
            Cut::Day => self.first.tomorrow(),
            Cut::Month => self.first.last_of_month().tomorrow(),
        };
        Self::around(self.cut, after.ok()?)
    }

    /// Its first instant, in Unix milliseconds; `i64::MAX` on the last day of the year 9999 where that cannot be told.
    pub fn starts(&self, zone: &Zone) -> i64 {
        zone.first_instant(self.first)
    }

    /// The first instant that is no longer in it, in Unix milliseconds; `i64::MAX` at the end of the year 9999.
    pub fn ends(&self, zone: &Zone) -> i64 {
        self.next().map_or(i64::MAX, |next| next.starts(zone))
    }

    fn around(cut: Cut, date: Date) -> Option<Self> {
        let (year, first) = match cut {
            Cut::Week => {
                let week = date.iso_week_date();
                (week.year(), week.first_of_week().ok()?.date())
            }
            Cut::Day => (date.year(), date),
            Cut::Month => (date.year(), date.first_of_month()),
        };
        (year >= 0).then_some(Self { cut, first })
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
        let day = self.first;
        match self.cut {
            Cut::Week => {
                // The ISO year, which differs from the calendar's around New Year.
                let week = day.iso_week_date();
                write!(f, "{:04}-W{:02}", week.year(), week.week())
            }
            Cut::Day => write!(f, "{:04}-{:02}-{:02}", day.year(), day.month(), day.day()),
            Cut::Month => write!(f, "{:04}-{:02}", day.year(), day.month()),
        }
    }
}

fn date(year: &[u8], month: &[u8], day: &[u8]) -> Option<Date> {
    let month = i8::try_from(number(month)?).ok()?;
    let day = i8::try_from(number(day)?).ok()?;
    Date::new(number(year)?, month, day).ok()
}

/// Digits only: the standard parsers let a sign through.
fn number(digits: &[u8]) -> Option<i16> {
    digits.iter().try_fold(0_i16, |sum, digit| {
        let digit = digit.is_ascii_digit().then(|| i16::from(digit - b'0'))?;
        sum.checked_mul(10)?.checked_add(digit)
    })
}
