//! The values that options take, where they are more than a number or a text.

use std::ops::RangeInclusive;
use std::time::Duration;

use clap::ValueEnum;

use crate::board::movement::MoveSince;
use crate::board::score::Score;

/// How a change of the board is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WatchMode {
    /// The best that the server and its rights allow
    Auto,
    /// The server says when the version changes
    Push,
    /// The version is asked for at each interval
    Poll,
    /// The rows are read at each interval, for boards that no writer gives a version
    Content,
}

/// Which of the servers that have the same data is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReadFrom {
    /// The one that takes the writes; a server that is named by its URL is taken as it is
    Primary,
    /// One that repeats them, and may be behind: its lag is shown
    Replica,
}

/// How pages are turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Paging {
    /// From the last row read: nobody whose score stays is repeated or skipped
    Cursor,
    /// From a row number: what is repeated or skipped is counted
    Position,
}

/// Whether colours are used.
#[expect(clippy::doc_markdown, reason = "help shows these texts as they are")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal that has them, unless NO_COLOR is set
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

/// In which form a page is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// Columns for people
    Table,
    /// One object on one line
    Json,
    /// By RFC 4180
    Csv,
}

/// In which form a list is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormatName {
    /// Columns for people
    Table,
    /// One value on one line
    Json,
}

/// In which form the rows of a whole board are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowsFormatName {
    /// By RFC 4180, with a header
    Csv,
    /// One JSON object on each line, without a header
    Ndjson,
}

/// How many rows a page on the screen has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageSize {
    /// As many as the screen has room for.
    Fit,
    /// So many.
    Rows(u64),
}

/// How many rows a page may have.
pub const PAGE_SIZES: RangeInclusive<u64> = 1..=1_000;

/// Pauses and time limits that make sense: none is so short that it keeps a server or a processor busy for nothing.
const DURATIONS: RangeInclusive<Duration> = Duration::from_millis(10)..=Duration::from_secs(24 * 60 * 60);

/// How long something may be kept: more than ten years are a slip of the finger.
const RETENTIONS: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_secs(10 * 366 * 24 * 60 * 60);

/// A duration such as `10m`, `7d` or `2y`, for which something is kept.
pub(super) fn retention(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text).map_err(|_| "write a duration such as 12h or 7d".to_owned())?;
    if RETENTIONS.contains(&duration) { Ok(duration) } else { Err("it must be between 1s and 10y".into()) }
}

/// A duration such as `500ms` or `2s`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text).map_err(|_| "write a duration such as 500ms or 2s".to_owned())?;
    if DURATIONS.contains(&duration) { Ok(duration) } else { Err("it must be between 10ms and 1d".into()) }
}

/// The shortest span and the longest one that movement may be counted over.
const MOVE_SPANS: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_secs(24 * 60 * 60);

/// `turn`, `start`, or a duration such as `1m`.
pub(super) fn move_since(text: &str) -> Result<MoveSince, String> {
    match text {
        "turn" => return Ok(MoveSince::Turn),
        "start" => return Ok(MoveSince::Start),
        _ => {}
    }
    let span =
        humantime::parse_duration(text).map_err(|_| "write a duration such as 1m, or turn or start".to_owned())?;
    if MOVE_SPANS.contains(&span) { Ok(MoveSince::Span(span)) } else { Err("it must be between 1s and 1d".into()) }
}

/// How long late scores may be taken: a period is over at some time.
const GRACES: RangeInclusive<Duration> = Duration::ZERO..=Duration::from_secs(31 * 24 * 60 * 60);

/// A duration such as `10m`, for which late scores are taken.
pub(super) fn grace(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text).map_err(|_| "write a duration such as 10m or 1h".to_owned())?;
    if GRACES.contains(&duration) { Ok(duration) } else { Err("it must be between 0s and 31d".into()) }
}

/// How long a contest may be played.
const PLAYINGS: RangeInclusive<Duration> = Duration::from_millis(10)..=Duration::from_secs(366 * 24 * 60 * 60);

/// A duration such as `90s`, for which a contest is played.
pub(super) fn playing(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text).map_err(|_| "write a duration such as 90s or 10m".to_owned())?;
    if PLAYINGS.contains(&duration) { Ok(duration) } else { Err("it must be between 10ms and 366d".into()) }
}

/// A score, or what is added to one.
pub(super) fn score(text: &str) -> Result<Score, String> {
    let score = text.parse().ok().and_then(Score::new).filter(|score| score.get().is_finite());
    score.ok_or_else(|| "it must be a finite number such as 980, -1.5 or 1e6".into())
}

/// `fit`, or a number of rows.
pub(super) fn page_size(text: &str) -> Result<PageSize, String> {
    if text == "fit" {
        return Ok(PageSize::Fit);
    }
    let rows = text.parse().ok().filter(|rows| PAGE_SIZES.contains(rows));
    rows.map(PageSize::Rows).ok_or_else(|| "there are fit and 1 to 1000".into())
}

/// A number within `range`.
pub(super) fn within(text: &str, range: &RangeInclusive<f64>) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("it must be a number from {} to {}", range.start(), range.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1m 30s"), Ok(Duration::from_secs(90)));
        for wrong in ["", "5", "0s", "1ms", "2d", "-1s", "500000000000y", "99999999999999999999s", "nan"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn spans_of_movement() {
        assert_eq!(move_since("turn"), Ok(MoveSince::Turn));
        assert_eq!(move_since("start"), Ok(MoveSince::Start));
        assert_eq!(move_since("90s"), Ok(MoveSince::Span(Duration::from_secs(90))));
        for wrong in ["", "1", "999ms", "2d", "Turn", "-1m", "page"] {
            assert!(move_since(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn retentions() {
        assert_eq!(retention("7d"), Ok(Duration::from_secs(7 * 24 * 60 * 60)));
        assert_eq!(retention("1s"), Ok(Duration::from_secs(1)));
        assert!(retention("10y").is_ok());
        for wrong in ["", "7", "0s", "999ms", "11y", "-1d", "99999999999999999999y"] {
            assert!(retention(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn graces() {
        assert_eq!(grace("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(grace("0s"), Ok(Duration::ZERO));
        for wrong in ["", "10", "32d", "-1m"] {
            assert!(grace(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn playings() {
        assert_eq!(playing("90s"), Ok(Duration::from_secs(90)));
        for wrong in ["", "10", "9ms", "367d", "-1m"] {
            assert!(playing(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn scores() {
        for (text, shown) in [("980", "980"), ("-1.5", "-1.5"), ("+0.1", "0.1"), ("-0", "0"), ("1e300", "1e300")] {
            assert_eq!(score(text).unwrap().to_string(), shown);
        }
        for wrong in ["", "nan", "-NaN", "inf", "-infinity", "1e309", "-1e999", "0x10", "1_000", "1,5", " 1", "x"] {
            assert!(score(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn page_sizes() {
        assert_eq!(page_size("fit"), Ok(PageSize::Fit));
        assert_eq!(page_size("1000"), Ok(PageSize::Rows(1000)));
        for wrong in ["0", "1001", "", "-1", "full"] {
            assert!(page_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(within("0.5", &(0.0..=1.0)), Ok(0.5));
        for wrong in ["1.1", "-0.1", "nan", "inf", "x"] {
            assert!(within(wrong, &(0.0..=1.0)).is_err(), "{wrong}");
        }
    }
}
