//! How long a period is, and the calendar's arithmetic on it.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};

/// What a period is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cut {
    Year,
    Quarter,
    Month,
    /// From Monday on.
    Week,
    /// From Sunday on.
    SundayWeek,
    Day,
    Hour,
    Minute,
    /// So many seconds, one after another, from wherever the first began.
    Seconds(i64),
}

impl Cut {
    /// The first moment of the one that `moment` lies in; of stretches of seconds, `like` is one.
    pub(super) fn first(self, moment: DateTime, like: DateTime) -> Option<DateTime> {
        let date = moment.date();
        let midnight = |date: Date| date.to_datetime(jiff::civil::Time::midnight());
        Some(match self {
            Self::Year => midnight(date.first_of_year()),
            Self::Quarter => {
                let month = (date.month() - 1) / 3 * 3 + 1;
                midnight(Date::new(date.year(), month, 1).ok()?)
            }
            Self::Month => midnight(date.first_of_month()),
            Self::Week => midnight(date.iso_week_date().first_of_week().ok()?.date()),
            Self::SundayWeek => {
                midnight(date.checked_sub(i64::from(date.weekday().to_sunday_zero_offset()).days()).ok()?)
            }
            Self::Day => midnight(date),
            Self::Hour => date.at(moment.hour(), 0, 0, 0),
            Self::Minute => date.at(moment.hour(), moment.minute(), 0, 0),
            Self::Seconds(length) => {
                let since = moment.duration_since(like).as_secs();
                like.checked_add((since.div_euclid(length) * length).seconds()).ok()?
            }
        })
    }

    /// The first moment of the next one after the one that begins at `first`.
    pub(super) fn next(self, first: DateTime) -> Option<DateTime> {
        let span = match self {
            Self::Year => 1.year(),
            Self::Quarter => 3.months(),
            Self::Month => 1.month(),
            Self::Week | Self::SundayWeek => 7.days(),
            Self::Day => 1.day(),
            Self::Hour => 1.hour(),
            Self::Minute => 1.minute(),
            Self::Seconds(length) => length.seconds(),
        };
        first.checked_add(span).ok()
    }

    /// The first moment of the one before the one that begins at `first`.
    pub(super) fn previous(self, first: DateTime) -> Option<DateTime> {
        self.first(first.checked_sub(1.second()).ok()?, first)
    }
}
