//! What is wrong with how the board is written. The header tells it in red until it ends, or until the reader reads again.

use std::time::Duration;

use crate::app::event::Moment;
use crate::board::sharded::vector::parts_of;
use crate::board::version::Version;

/// A board that is closed and written is written no more once it has stood still for so long.
const QUIET: Duration = Duration::from_secs(10);

/// What is wrong with the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionFault {
    /// It went back, from this number to that one: writes were lost, or the key was reset. Until it has passed the former.
    Fell {
        /// The highest that was seen.
        was: i64,
        /// The one that was seen last.
        is: i64,
    },
    /// There was one, and there is none.
    Vanished {
        /// The highest that was seen, where it was a number.
        was: Option<i64>,
    },
    /// It is not a number, so that nobody can count it up.
    NoNumber,
}

/// What is wrong with how the board is written.
#[derive(Clone, Debug, Default)]
pub struct Alarms {
    /// With the version.
    pub version: Option<VersionFault>,
    /// Rows have changed and the version has not.
    pub is_skipped: bool,
    /// When the board was written last, though it was closed; since when it has stood still.
    written_at: Option<Moment>,
    /// A version was seen.
    has_version: bool,
    /// The highest number that was seen.
    highest: Option<i64>,
}

impl Alarms {
    /// Takes note of a version that was read. True where what is told is another.
    pub fn note(&mut self, version: Option<&Version>, now: Moment) -> bool {
        let told = (self.version, self.is_written());
        self.written_at = self.written_at.filter(|at| now < *at + QUIET);
        // Where a part of the board does not answer, its share of the version is missing.
        if !version.and_then(parts_of).is_some_and(|parts| parts.contains(&None)) {
            self.version = self.fault(version);
            self.has_version |= version.is_some();
            self.highest = self.highest.max(version.and_then(Version::number));
        }
        told != (self.version, self.is_written())
    }

    fn fault(&self, version: Option<&Version>) -> Option<VersionFault> {
        match version.map(Version::number) {
            None => self.has_version.then_some(VersionFault::Vanished { was: self.highest }),
            Some(None) => Some(VersionFault::NoNumber),
            Some(Some(is)) => {
                let was = self.highest.filter(|was| is < *was)?;
                Some(VersionFault::Fell { was, is })
            }
        }
    }

    /// The board was written, though it was closed. True where that is news.
    pub fn write(&mut self, now: Moment) -> bool {
        self.written_at.replace(now).is_none()
    }

    /// True while the board is written, though it is closed.
    pub fn is_written(&self) -> bool {
        self.written_at.is_some()
    }

    /// The reader has read again, and takes the board as it is now. True where something is told no longer.
    pub fn answer(&mut self, version: Option<&Version>) -> bool {
        let before = self.clone();
        *self = Self { written_at: before.written_at, ..Self::default() };
        self.note(version, before.written_at.unwrap_or_default());
        (before.version, before.is_skipped) != (self.version, self.is_skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_that_goes_wrong_is_told_until_it_is_right() {
        use VersionFault::{Fell, NoNumber, Vanished};
        let mut alarms = Alarms::default();
        let mut told = |version: Option<&str>| {
            alarms.note(version.map(Version::from).as_ref(), Moment::ZERO);
            alarms.version
        };
        assert_eq!([None, Some("1170"), Some("1176")].map(&mut told), [None; 3]);
        assert_eq!(told(Some("3")), Some(Fell { was: 1176, is: 3 }));
        assert_eq!(told(Some("4")), Some(Fell { was: 1176, is: 4 }));
        assert_eq!(told(None), Some(Vanished { was: Some(1176) }));
        assert_eq!(told(Some("x")), Some(NoNumber));
        assert_eq!(told(Some("7")), Some(Fell { was: 1176, is: 7 }));
        assert_eq!([Some("1176"), Some("1177")].map(&mut told), [None; 2]);
        // A part that does not answer has not gone back.
        assert_eq!([Some("Σ1000,200"), Some("Σ1000,-"), Some("Σ1000,201")].map(&mut told), [None; 3]);
    }

    #[test]
    fn what_the_reader_has_answered_is_told_no_longer() {
        let mut alarms = Alarms { is_skipped: true, ..Alarms::default() };
        let (nine, three) = (Version::from("9"), Version::from("3"));
        alarms.note(Some(&nine), Moment::ZERO);
        assert!(alarms.note(Some(&three), Moment::ZERO));
        assert!(alarms.answer(Some(&three)));
        assert_eq!((alarms.version, alarms.is_skipped), (None, false));
        assert!(!alarms.note(Some(&three), Moment::ZERO));
        alarms.note(None, Moment::ZERO);
        assert!(alarms.answer(None));
        assert_eq!(alarms.version, None, "a board without a version is none to worry about");
        // What is still so is told still.
        let word = Version::from("word");
        alarms.note(Some(&word), Moment::ZERO);
        assert!(!alarms.answer(Some(&word)));
        assert_eq!(alarms.version, Some(VersionFault::NoNumber));
    }

    #[test]
    fn writes_to_a_closed_board_are_told_until_they_end() {
        let mut alarms = Alarms::default();
        assert!(alarms.write(Moment::from_secs(1)) && !alarms.write(Moment::from_secs(5)));
        assert!(!alarms.note(None, Moment::from_secs(14)) && alarms.is_written());
        assert!(alarms.note(None, Moment::from_secs(15)) && !alarms.is_written());
    }
}
