//! Periods against a scan of the clock, and by the laws that hold in every zone.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use proptest::prelude::*;
use ranktop::board::period::{Period, PeriodKind, Zone};

const CUTS: [PeriodKind; 3] = [PeriodKind::Week, PeriodKind::Day, PeriodKind::Month];
const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

fn zone(name: &str) -> Zone {
    name.parse().unwrap()
}

fn period(text: &str) -> Period {
    text.parse().unwrap()
}

/// The first minute at which the clock shows the date or a later one, found by looking at every minute.
fn first_minute(clock: &TimeZone, date: Date) -> i64 {
    let noon = date.at(12, 0, 0, 0).to_zoned_datetime(TimeZone::UTC).unwrap().timestamp().as_millisecond();
    let shows = |minute: &i64| clock.to_datetime(Timestamp::from_millisecond(*minute).unwrap()).date() >= date;
    (0..72 * 60).map(|minutes| noon - 48 * HOUR + minutes * MINUTE).find(shows).unwrap()
}

/// Zones whose clocks have changed at, over or near midnight, or by a whole day; every change since 1970, by when all
/// their offsets are whole minutes.
#[test]
fn days_begin_where_a_scan_of_the_clock_finds_them() {
    let mut changes = 0;
    for name in [
        "America/Havana",
        "America/St_Johns",
        "Asia/Beirut",
        "America/Santiago",
        "Pacific/Apia",
        "Pacific/Kwajalein",
        "America/Sao_Paulo",
        "Asia/Amman",
        "Africa/Cairo",
        "Europe/Madrid",
        "Antarctica/Casey",
        "Australia/Lord_Howe",
    ] {
        let clock = TimeZoneDatabase::bundled().get(name).unwrap();
        let until = Timestamp::from_second(1_830_000_000).unwrap();
        for change in clock.following(Timestamp::UNIX_EPOCH).take_while(|change| change.timestamp() < until) {
            changes += 1;
            let around = clock.to_datetime(change.timestamp()).date();
            for date in [around.yesterday().unwrap(), around, around.tomorrow().unwrap()] {
                let starts = period(&date.to_string()).starts(&zone(name));
                assert_eq!(starts, first_minute(&clock, date), "{date} in {name}");
            }
        }
    }
    assert!(changes > 500, "{changes}");
}

fn holds(kind: PeriodKind, instant: i64, zone: &Zone) -> Result<(), TestCaseError> {
    let period = Period::at(kind, instant, zone).unwrap();
    let label = format!("{period} at {instant} in {zone}");
    prop_assert!(period.starts(zone) <= instant && instant < period.ends(zone), "{label}: not in its period");
    let (previous, next) = (period.previous().unwrap(), period.next().unwrap());
    prop_assert_eq!(previous.next(), Some(period), "{}", label);
    prop_assert_eq!(next.previous(), Some(period), "{}", label);
    prop_assert_eq!(previous.ends(zone), period.starts(zone), "{}: gap or overlap before", label);
    prop_assert_eq!(period.ends(zone), next.starts(zone), "{}: gap or overlap after", label);
    prop_assert!(next.starts(zone) <= next.ends(zone), "{label}: the next ends before it starts");
    // All of a period is of that period, and nothing else is.
    prop_assert_eq!(Period::at(kind, period.starts(zone), zone), Some(period), "{}: first instant", label);
    prop_assert_eq!(Period::at(kind, period.ends(zone) - 1, zone), Some(period), "{}: last instant", label);
    prop_assert_ne!(Period::at(kind, period.starts(zone) - 1, zone), Some(period), "{}: before", label);
    prop_assert_ne!(Period::at(kind, period.ends(zone), zone), Some(period), "{}: after", label);
    prop_assert_eq!(period.to_string().parse::<Period>().ok(), Some(period));
    Ok(())
}

#[test]
fn periods_tile_time_around_every_change_of_every_clock() {
    let mut changes = 0;
    let until = Timestamp::from_second(1_830_000_000).unwrap();
    for name in TimeZoneDatabase::bundled().available() {
        let Ok(zone) = name.as_str().parse::<Zone>() else {
            assert_eq!(name.as_str(), "Etc/Unknown");
            continue;
        };
        let clock = TimeZoneDatabase::bundled().get(name.as_str()).unwrap();
        let from = Timestamp::from_second(-4_000_000_000).unwrap();
        for change in clock.following(from).take_while(|change| change.timestamp() < until) {
            changes += 1;
            let change = change.timestamp().as_millisecond();
            for instant in [change - HOUR, change - 1, change, change + HOUR / 2] {
                holds(PeriodKind::Day, instant, &zone).unwrap();
            }
            for kind in [PeriodKind::Week, PeriodKind::Month] {
                holds(kind, change, &zone).unwrap();
            }
        }
    }
    assert!(changes > 10_000, "{changes}");
}

fn any_zone() -> impl Strategy<Value = Zone> {
    let zones: Vec<Zone> =
        TimeZoneDatabase::bundled().available().filter_map(|name| name.as_str().parse().ok()).collect();
    assert!(zones.len() > 400, "{}", zones.len());
    prop::sample::select(zones)
}

proptest! {
    /// From the year 1 to the year 9998.
    #[test]
    fn periods_tile_time(
        kind in prop::sample::select(CUTS.to_vec()),
        instant in -62_000_000_000_000_i64..=253_000_000_000_000,
        zone in any_zone(),
    ) {
        holds(kind, instant, &zone)?;
    }

    #[test]
    fn only_what_is_written_back_the_same_is_read(text in "[0-9]{4}-W?[0-9]{1,2}(-[0-9]{1,2})?") {
        if let Ok(period) = text.parse::<Period>() {
            prop_assert_eq!(period.to_string(), text);
        }
    }
}
