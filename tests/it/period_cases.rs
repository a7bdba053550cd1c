//! Periods against the known right answers, and the days that clocks make hard.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZoneDatabase;
use ranktop::board::period::{NotAPeriod, Period, PeriodKind, Zone};
use serde::Deserialize;

const CUTS: [PeriodKind; 3] = [PeriodKind::Week, PeriodKind::Day, PeriodKind::Month];
/// The case was computed when Cuba was to leave summer time on that day. Release 2026f of the zone database, the one
/// compiled in, says that it stays on it until November 2027, so midnight comes once and the day has 24 hours.
/// `midnight_comes_twice` covers what the case was for.
const CUBA_STAYS_ON_SUMMER_TIME: (&str, &str) = ("America/Havana", "2026-11-01");

const HOUR: i64 = 3_600_000;

#[derive(Deserialize)]
struct Cases<T> {
    cases: Vec<T>,
}

#[derive(Deserialize)]
struct KeyCase {
    text: String,
    valid: bool,
    previous: Option<String>,
    next: Option<String>,
}

#[derive(Deserialize)]
struct InstantCase {
    kind: Kind,
    zone: String,
    instant: Instant,
    key: String,
    starts: i64,
    ends: i64,
    hours: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Week,
    Day,
    Month,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Instant(Timestamp);

impl TryFrom<String> for Instant {
    type Error = jiff::Error;

    fn try_from(text: String) -> Result<Self, jiff::Error> {
        text.parse().map(Self)
    }
}

fn zone(name: &str) -> Zone {
    name.parse().unwrap()
}

fn period(text: &str) -> Period {
    text.parse().unwrap()
}

fn ms(instant: &str) -> i64 {
    instant.parse::<Timestamp>().unwrap().as_millisecond()
}

#[test]
fn period_keys() {
    let cases: Cases<KeyCase> = serde_json::from_str(include_str!("../cases/period-keys.json")).unwrap();
    assert!(!cases.cases.is_empty());
    for case in cases.cases {
        let parsed = case.text.parse::<Period>();
        assert_eq!(parsed.is_ok(), case.valid, "{}", case.text);
        if let Ok(parsed) = parsed {
            assert_eq!(parsed.to_string(), case.text);
            assert_eq!(parsed.previous().map(|period| period.to_string()), case.previous, "{}", case.text);
            assert_eq!(parsed.next().map(|period| period.to_string()), case.next, "{}", case.text);
        }
    }
}

#[test]
fn periods_of_instants() {
    let cases: Cases<InstantCase> = serde_json::from_str(include_str!("../cases/periods.json")).unwrap();
    assert!(!cases.cases.is_empty());
    for case in cases.cases {
        let kind = match case.kind {
            Kind::Week => PeriodKind::Week,
            Kind::Day => PeriodKind::Day,
            Kind::Month => PeriodKind::Month,
        };
        let zone = zone(&case.zone);
        let period = Period::at(kind, case.instant.0.as_millisecond(), &zone).unwrap();
        let label = format!("{} in {}", case.key, case.zone);
        assert_eq!(period.to_string(), case.key, "{label}");
        assert_eq!(period.at_instant(case.instant.0.as_millisecond(), &zone), Some(period), "{label}");
        let (ends, hours) = if (case.zone.as_str(), case.key.as_str()) == CUBA_STAYS_ON_SUMMER_TIME {
            (case.ends - 3600, case.hours - 1.0)
        } else {
            (case.ends, case.hours)
        };
        assert_eq!(period.starts(&zone), case.starts * 1000, "{label}");
        assert_eq!(period.ends(&zone), ends * 1000, "{label}");
        #[expect(clippy::cast_precision_loss, reason = "a few thousand seconds")]
        let lasts = (period.ends(&zone) - period.starts(&zone)) as f64 / 3_600_000.0;
        assert!((lasts - hours).abs() < 1e-9, "{label}: {lasts} hours");
    }
}

#[test]
fn other_spellings_are_refused() {
    let refused = [
        "",
        "2026",
        "2026-W",
        "2026W41",
        "+026-W41",
        "-026-10",
        "2026-1",
        "2026-+1",
        "2026-00",
        "2026-10-00",
        "2026-10-32",
        "2026-04-31",
        "2026-1-09",
        "26-10-09",
        "2026-10-09 ",
        " 2026-10",
        "2026-10-9",
        "2026-W41-1",
        "12026-10",
        "2026/10",
        "２０２６-10",
        "2026-W4\u{663}",
    ];
    for text in refused {
        assert_eq!(text.parse::<Period>().ok(), None, "{text:?}");
    }
    let error: NotAPeriod = "2026-w41\x1b".parse::<Period>().unwrap_err();
    assert!(error.to_string().starts_with("'2026-w41\\u{1b}' is not a period\n"), "{error}");
}

#[test]
fn every_long_year_and_no_other_has_a_week_53() {
    for year in 0..=9999_i16 {
        let first_of_january = Date::new(year, 1, 1).unwrap();
        // An ISO year is long when it begins on a Thursday, or on a Wednesday if it is a leap year.
        let long = match first_of_january.weekday() {
            jiff::civil::Weekday::Thursday => true,
            jiff::civil::Weekday::Wednesday => first_of_january.in_leap_year(),
            _ => false,
        };
        assert_eq!(format!("{year:04}-W53").parse::<Period>().is_ok(), long, "{year}");
    }
}

#[test]
fn the_calendar_of_keys_has_two_ends() {
    for (first, last) in [("0000-W01", "9999-W52"), ("0000-01-01", "9999-12-31"), ("0000-01", "9999-12")] {
        assert_eq!(period(first).previous(), None);
        assert_eq!(period(last).next(), None);
        assert_eq!(period(last).ends(&Zone::utc()), i64::MAX);
    }
    for kind in CUTS {
        assert_eq!(Period::at(kind, i64::MAX, &Zone::utc()), None);
        assert_eq!(Period::at(kind, i64::MIN, &Zone::utc()), None);
        assert_eq!(Period::at(kind, ms("-000001-06-01T00:00Z"), &Zone::utc()), None);
        let last = Timestamp::MAX.as_second() * 1000;
        assert!(Period::at(kind, last, &Zone::utc()).unwrap().to_string().starts_with("9999-"));
    }
    assert_eq!(Period::at(PeriodKind::None, 0, &Zone::utc()), None);
}

#[test]
fn zones_are_named() {
    assert_eq!(zone("europe/madrid").to_string(), "Europe/Madrid");
    assert_eq!(Zone::utc().to_string(), "UTC");
    assert_eq!(zone("UTC"), Zone::utc());
    for name in ["", "Mars/Olympus", "Etc/Unknown", "../../etc/passwd", "CEST"] {
        let error = name.parse::<Zone>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("unknown time zone '{name}'\n")), "{error}");
    }
}

/// The clock goes from one minute past midnight back into the old day, so midnight comes twice, 60 minutes apart, with an
/// hour of the old date between.
#[test]
fn an_old_date_that_shows_again_is_in_the_new_period() {
    let zone = zone("America/St_Johns");
    let new = period("2010-11-07");
    assert_eq!(new.starts(&zone), ms("2010-11-07T02:30:00Z"));
    assert_eq!(period("2010-11-06").ends(&zone), new.starts(&zone));
    let again = ms("2010-11-07T03:00:00Z");
    let clock = TimeZoneDatabase::bundled().get("America/St_Johns").unwrap();
    assert_eq!(clock.to_datetime("2010-11-07T03:00:00Z".parse().unwrap()).to_string(), "2010-11-06T23:30:00");
    assert_eq!(Period::at(PeriodKind::Day, again, &zone), Some(new));
}

#[test]
fn midnight_comes_twice() {
    let zone = zone("America/Havana");
    let day = period("2025-11-02");
    assert_eq!(day.starts(&zone), ms("2025-11-02T04:00:00Z"));
    assert_eq!(day.ends(&zone) - day.starts(&zone), 25 * HOUR);
    for midnight in ["2025-11-02T04:00:00Z", "2025-11-02T05:00:00Z"] {
        assert_eq!(Period::at(PeriodKind::Day, ms(midnight), &zone), Some(day));
    }
}

#[test]
fn a_skipped_day_lasts_no_time() {
    let zone = zone("Pacific/Apia");
    let skipped = period("2011-12-30");
    assert_eq!(skipped.starts(&zone), ms("2011-12-30T10:00:00Z"));
    assert_eq!(skipped.ends(&zone), skipped.starts(&zone));
    assert_eq!(Period::at(PeriodKind::Day, skipped.starts(&zone), &zone), Some(period("2011-12-31")));
    assert_eq!(Period::at(PeriodKind::Day, skipped.starts(&zone) - 1, &zone), Some(period("2011-12-29")));
}

#[test]
fn a_day_begins_at_the_jump_over_its_midnight() {
    // From 23:30 to 00:30: the new day has no first half hour.
    let zone = zone("America/Toronto");
    assert_eq!(period("1919-03-31").starts(&zone), ms("1919-03-31T04:30:00Z"));
}
