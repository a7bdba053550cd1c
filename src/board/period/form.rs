//! How keys spell a period. ranktop's own spelling is the ISO one; the others are those of libraries and services that
//! write boards. A period keeps its spelling, so that the next one's key is spelled alike.

use std::fmt;

use jiff::civil::{Date, DateTime, ISOWeekDate, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use super::cut::Cut;

/// Days in digits alone are only taken for dates within these years: eight digits may be any number.
const LIKELY: std::ops::RangeInclusive<i16> = 2015..=2036;
/// redis-rank counts its weeks from here, from 0: the Sunday before 1970.
const FIRST_SUNDAY: Date = jiff::civil::date(1969, 12, 28);

/// A spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// `2026-W41`, `2026-10-09`, `2026-10`.
    Iso,
    /// `20261009`.
    Digits,
    /// `261009`.
    ShortDigits,
    /// Unix seconds of midnight in UTC.
    Seconds,
    /// Unix milliseconds of midnight in UTC.
    Milliseconds,
    /// Of podium: `year2026`, `year2026week41`, `from20261010to20261011`; in UTC.
    Podium,
    /// Of podium: `from1469487752to1469487753`.
    PodiumSeconds,
    /// Of redis-rank: `y2026`, `y2026-m09` for October, `y2026-m09-d15-h22`, `w2962`.
    RedisRank,
}

/// What a text spells.
pub(super) type Spelled = (Cut, DateTime, Form);

impl Form {
    /// True where the spelling says that the calendar is UTC's.
    pub(super) fn is_utc(self) -> bool {
        matches!(self, Self::Seconds | Self::Milliseconds | Self::Podium | Self::PodiumSeconds)
    }
}

/// The period at the end of a key, and where its text begins. It follows a `:` or a `/`, dates in digits a `-` too; only what
/// podium writes follows anything. A period alone is no key of a board.
pub(super) fn at_end(key: &[u8]) -> Option<(usize, Spelled)> {
    let after = |marks: &[u8]| key.iter().rposition(|byte| marks.contains(byte)).filter(|at| *at > 0).map(|at| at + 1);
    let segment = after(b":/").and_then(|from| Some((from, spelled(&key[from..])?)));
    let dashed = || after(b"-").and_then(|from| Some((from, digits(&key[from..])?)));
    segment.or_else(dashed).or_else(|| podium_at_end(key))
}

/// What a whole segment of a key spells.
fn spelled(text: &[u8]) -> Option<Spelled> {
    iso(text).or_else(|| digits(text)).or_else(|| redis_rank(text))
}

/// ranktop's own spelling. Strict: `2026-w41` is another key.
pub(super) fn iso(text: &[u8]) -> Option<Spelled> {
    let (cut, first) = match *text {
        [y0, y1, y2, y3, b'-', b'W', w0, w1] => {
            let year = number(&[y0, y1, y2, y3])?;
            (Cut::Week, monday(year, number(&[w0, w1])?)?)
        }
        [y0, y1, y2, y3, b'-', m0, m1] => (Cut::Month, date(&[y0, y1, y2, y3], &[m0, m1], b"01")?),
        [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] => (Cut::Day, date(&[y0, y1, y2, y3], &[m0, m1], &[d0, d1])?),
        _ => return None,
    };
    Some((cut, midnight(first), Form::Iso))
}

/// Dates and moments in digits alone.
fn digits(text: &[u8]) -> Option<Spelled> {
    let likely = |date: Date| LIKELY.contains(&date.year()).then_some(midnight(date));
    match text.len() {
        6 => {
            let year = number(&text[..2])? + 2000;
            let date =
                Date::new(year, number(&text[2..4])?.try_into().ok()?, number(&text[4..])?.try_into().ok()?).ok()?;
            Some((Cut::Day, likely(date)?, Form::ShortDigits))
        }
        8 => Some((Cut::Day, likely(date(&text[..4], &text[4..6], &text[6..])?)?, Form::Digits)),
        10 => Some((Cut::Day, likely(day_of(seconds(text)?)?)?, Form::Seconds)),
        13 if text.ends_with(b"000") => Some((Cut::Day, likely(day_of(seconds(&text[..10])?)?)?, Form::Milliseconds)),
        _ => None,
    }
}

/// The day that begins at these Unix seconds in UTC; none where none does.
fn day_of(seconds: i64) -> Option<Date> {
    let moment = at(seconds)?;
    (moment.time() == Time::midnight()).then(|| moment.date())
}

fn at(seconds: i64) -> Option<DateTime> {
    Some(TimeZone::UTC.to_datetime(Timestamp::from_second(seconds).ok()?))
}

/// Months count from 00 there, and weeks from the last Sunday before 1970.
fn redis_rank(text: &[u8]) -> Option<Spelled> {
    if let Some(weeks) = text.strip_prefix(b"w").filter(|weeks| weeks.len() == 4) {
        let first = FIRST_SUNDAY.checked_add((i64::from(number(weeks)?) * 7).days()).ok()?;
        return Some((Cut::SundayWeek, midnight(first), Form::RedisRank));
    }
    let mut parts = text.split(|&byte| byte == b'-');
    let year = number(parts.next()?.strip_prefix(b"y").filter(|year| year.len() == 4)?)?;
    let mut values = [0_i8, 1, 0, 0];
    let mut count = 0;
    for part in parts {
        let mark = *b"mdhm".get(count)?;
        let value = part.strip_prefix(&[mark]).filter(|digits| digits.len() == 2)?;
        values[count] = number(value)?.try_into().ok()?;
        count += 1;
    }
    let [month, day, hour, minute] = values;
    let first = Date::new(year, month + 1, day).ok()?.to_datetime(Time::new(hour, minute, 0, 0).ok()?);
    let cut = *[Cut::Year, Cut::Month, Cut::Day, Cut::Hour, Cut::Minute].get(count)?;
    Some((cut, first, Form::RedisRank))
}

/// What podium writes, right after the name of a board or after a mark.
fn podium_at_end(key: &[u8]) -> Option<(usize, Spelled)> {
    let find = |word: &[u8]| key.windows(word.len()).rposition(|part| part == word).filter(|at| *at > 0);
    if let Some(from) = find(b"year") {
        let text = &key[from + 4..];
        let year = number(text.get(..4)?)?;
        let rest = &text[4..];
        let of = |word: &[u8]| rest.strip_prefix(word).filter(|digits| digits.len() == 2).and_then(number);
        let (cut, first) = if rest.is_empty() {
            (Cut::Year, Date::new(year, 1, 1).ok()?)
        } else if let Some(quarter) = of(b"quarter").filter(|quarter| (1..=4).contains(quarter)) {
            (Cut::Quarter, Date::new(year, (quarter * 3 - 2).try_into().ok()?, 1).ok()?)
        } else if let Some(month) = of(b"month") {
            (Cut::Month, Date::new(year, month.try_into().ok()?, 1).ok()?)
        } else {
            (Cut::Week, monday(year, of(b"week")?)?)
        };
        return Some((from, (cut, midnight(first), Form::Podium)));
    }
    let from = find(b"from")?;
    let text = &key[from + 4..];
    let to = text.windows(2).position(|part| part == b"to")?;
    let (starts, ends) = (&text[..to], &text[to + 2..]);
    let (first, end, form) = if starts.len() == 8 && ends.len() == 8 {
        let day = |text: &[u8]| date(&text[..4], &text[4..6], &text[6..]).map(midnight);
        (day(starts)?, day(ends)?, Form::Podium)
    } else {
        (at(seconds(starts)?)?, at(seconds(ends)?)?, Form::PodiumSeconds)
    };
    let length = end.duration_since(first).as_secs();
    (length > 0).then_some((from, (Cut::Seconds(length), first, form)))
}

/// Writes the text of a period as its spelling has it.
pub(super) fn write(f: &mut fmt::Formatter<'_>, cut: Cut, first: DateTime, form: Form) -> fmt::Result {
    let (year, month, day) = (first.year(), first.month(), first.day());
    let week = first.date().iso_week_date();
    let unix = |moment: DateTime| TimeZone::UTC.to_timestamp(moment).map_or(0, Timestamp::as_second);
    match (form, cut) {
        // The ISO year, which differs from the calendar's around New Year.
        (Form::Iso, Cut::Week) => write!(f, "{:04}-W{:02}", week.year(), week.week()),
        (Form::Iso, Cut::Month) => write!(f, "{year:04}-{month:02}"),
        (Form::Iso, _) => write!(f, "{year:04}-{month:02}-{day:02}"),
        (Form::Digits, _) => write!(f, "{year:04}{month:02}{day:02}"),
        (Form::ShortDigits, _) => write!(f, "{:02}{month:02}{day:02}", year.rem_euclid(100)),
        (Form::Seconds, _) => write!(f, "{}", unix(first)),
        (Form::Milliseconds, _) => write!(f, "{}000", unix(first)),
        (Form::Podium | Form::PodiumSeconds, Cut::Seconds(length)) => {
            let end = first.checked_add(length.seconds()).unwrap_or(first);
            if form == Form::PodiumSeconds {
                return write!(f, "from{}to{}", unix(first), unix(end));
            }
            let day = |f: &mut fmt::Formatter<'_>, day: DateTime| {
                write!(f, "{:04}{:02}{:02}", day.year(), day.month(), day.day())
            };
            f.write_str("from")?;
            day(f, first)?;
            f.write_str("to")?;
            day(f, end)
        }
        (Form::Podium | Form::PodiumSeconds, Cut::Week) => write!(f, "year{:04}week{:02}", week.year(), week.week()),
        (Form::Podium | Form::PodiumSeconds, Cut::Quarter) => write!(f, "year{year:04}quarter{:02}", (month + 2) / 3),
        (Form::Podium | Form::PodiumSeconds, Cut::Month) => write!(f, "year{year:04}month{month:02}"),
        (Form::Podium | Form::PodiumSeconds, _) => write!(f, "year{year:04}"),
        (Form::RedisRank, Cut::SundayWeek) => {
            write!(f, "w{:04}", first.date().duration_since(FIRST_SUNDAY).as_secs() / (7 * 86_400))
        }
        (Form::RedisRank, _) => {
            write!(f, "y{year:04}")?;
            let parts = [('m', month - 1), ('d', day), ('h', first.hour()), ('m', first.minute())];
            let count = [Cut::Year, Cut::Month, Cut::Day, Cut::Hour, Cut::Minute].iter().position(|one| *one == cut);
            parts.iter().take(count.unwrap_or(0)).try_for_each(|(mark, value)| write!(f, "-{mark}{value:02}"))
        }
    }
}

fn monday(year: i16, week: i16) -> Option<Date> {
    Some(ISOWeekDate::new(year, i8::try_from(week).ok()?, Weekday::Monday).ok()?.date())
}

fn midnight(date: Date) -> DateTime {
    date.to_datetime(Time::midnight())
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

/// Unix seconds in ten digits: those of the years 2001 to 2286.
fn seconds(digits: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(digits).ok().filter(|text| text.len() == 10)?;
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use crate::board::period::Period;

    #[test]
    fn keys_of_others_and_the_ones_after_them() {
        for (key, before, after) in [
            ("lb:2026-W53", "lb:2026-W52", "lb:2027-W01"),
            ("daily/x/2026-12-31", "daily/x/2026-12-30", "daily/x/2027-01-01"),
            ("cario-sisters-year2016week53", "", ""),
            ("cario-sisters-year2016week01", "cario-sisters-year2015week53", "cario-sisters-year2016week02"),
            ("xyear2016", "xyear2015", "xyear2017"),
            ("xyear2016quarter01", "xyear2015quarter04", "xyear2016quarter02"),
            ("x:year2016month12", "x:year2016month11", "x:year2017month01"),
            ("xfrom20201010to20201011", "xfrom20201009to20201010", "xfrom20201011to20201012"),
            ("xfrom1469487752to1469487753", "xfrom1469487751to1469487752", "xfrom1469487753to1469487754"),
            ("lb:y2020", "lb:y2019", "lb:y2021"),
            ("lb:y2020-m11", "lb:y2020-m10", "lb:y2021-m00"),
            ("lb:y2020-m00-d31", "lb:y2020-m00-d30", "lb:y2020-m01-d01"),
            ("lb:y2020-m05-d15-h23", "lb:y2020-m05-d15-h22", "lb:y2020-m05-d16-h00"),
            ("lb:y2020-m05-d15-h22-m59", "lb:y2020-m05-d15-h22-m58", "lb:y2020-m05-d15-h23-m00"),
            ("lb:w2650", "lb:w2649", "lb:w2651"),
            ("score:240911", "score:240910", "score:240912"),
            ("score-20260301", "score-20260228", "score-20260302"),
            ("x:time:15:1791504000000", "x:time:15:1791417600000", "x:time:15:1791590400000"),
            ("x:1791504000", "x:1791417600", "x:1791590400"),
        ] {
            let Some((base, period)) = Period::at_end(key.as_bytes()) else {
                assert_eq!(after, "", "{key}");
                continue;
            };
            let base = std::str::from_utf8(base).unwrap();
            assert_eq!(format!("{base}{period}"), key);
            assert_eq!(format!("{base}{}", period.previous().unwrap()), before, "{key}");
            assert_eq!(format!("{base}{}", period.next().unwrap()), after, "{key}");
        }
    }

    #[test]
    fn what_is_no_period() {
        for key in [
            "x:12345678",
            "x:20261301",
            "x:19991231",
            "x:991231",
            "x:1791504001",
            "x:1791504000001",
            "x:y2020-m12",
            "x:y2020-d01",
            "x:y20",
            "x:w26500",
            "x:w26",
            "year2016",
            "xyear2016week54",
            "xyear2016quarter05",
            "xfrom20201011to20201010",
            "xfromto",
            "x:2026-w41",
            "lb:season:7",
            "2026-W41",
            "x2026-W41",
            ":2026-W41",
            "",
            "x:",
            "20260301",
        ] {
            assert_eq!(Period::at_end(key.as_bytes()), None, "{key}");
        }
    }

    #[test]
    fn months_of_redis_rank_count_from_zero_and_its_weeks_begin_on_sunday() {
        let starts = |key: &str| {
            let (_, period) = Period::at_end(key.as_bytes()).unwrap();
            jiff::Timestamp::from_millisecond(period.starts(&crate::board::period::Zone::utc())).unwrap().to_string()
        };
        assert_eq!(starts("lb:y2020-m05"), "2020-06-01T00:00:00Z");
        assert_eq!(starts("lb:w2650"), "2020-10-11T00:00:00Z");
        assert!(Period::at_end(b"lb:y2020-m05").unwrap().1.remark().is_some());
    }

    /// Keys that the library itself made of these moments, in UTC.
    #[test]
    fn a_moment_lies_in_the_period_that_redis_rank_gives_it() {
        let recorded: serde_json::Value =
            serde_json::from_str(include_str!("../../../tests/cases/leaderboard-js.json")).unwrap();
        let utc = crate::board::period::Zone::utc();
        let cases = recorded["periods"].as_array().unwrap();
        assert_eq!(cases.len(), 18);
        for case in cases {
            let key = case["key"].as_str().unwrap();
            let moment: jiff::Timestamp = case["moment"].as_str().unwrap().parse().unwrap();
            let (before, period) = Period::at_end(key.as_bytes()).unwrap();
            assert_eq!(before, b"js_period:");
            let unix_ms = moment.as_millisecond();
            assert!((period.starts(&utc)..period.ends(&utc)).contains(&unix_ms), "{key} {moment}");
            assert_eq!(period.previous().unwrap().at_instant(unix_ms, &utc), Some(period), "{key}");
        }
    }

    #[test]
    fn periods_that_are_always_utc_are_so_in_every_zone() {
        let madrid = "Europe/Madrid".parse().unwrap();
        let (_, podium) = Period::at_end(b"x-year2026month10").unwrap();
        let (_, iso) = Period::at_end(b"x:2026-10").unwrap();
        assert_eq!(podium.starts(&madrid), 1_790_812_800_000);
        assert_eq!(iso.starts(&madrid), 1_790_805_600_000);
    }
}
