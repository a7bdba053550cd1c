//! Whether several reads of one board were of one moment, and what to say where they were not. It compares what reads
//! brought and reads nothing itself.

use crate::board::version::Version;
use crate::board::window::Window;
use crate::commands::text;
use crate::commands::text::Charset;

/// What tells one moment of a board from another. Without a version only a change in size can be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Moment {
    version: Option<Version>,
    total: u64,
}

/// The moments of some reads.
#[derive(Clone, Debug, Default)]
pub(super) struct Moments {
    first: Option<Moment>,
    /// The latest one that differs from the first.
    other: Option<Moment>,
    is_torn: bool,
    is_unverified: bool,
}

impl Moments {
    /// Takes note of a read.
    pub(super) fn note(&mut self, window: &Window) {
        let moment = Moment { version: window.version.clone(), total: window.total };
        self.is_unverified |= !window.verified;
        match &self.first {
            None => self.first = Some(moment),
            Some(first) if *first != moment => self.other = Some(moment),
            Some(_) => {}
        }
    }

    /// Takes note of two reads that contradict each other.
    pub(super) fn tear(&mut self) {
        self.is_torn = true;
    }

    /// True where the reads were not all of one moment.
    pub(super) fn differ(&self) -> bool {
        self.is_torn || self.other.is_some()
    }

    /// Whether the reads were all of one moment; `None` where that cannot be told, for want of a version or of checks.
    pub(super) fn is_one(&self) -> Option<bool> {
        let has_version = self.first.as_ref().is_some_and(|first| first.version.is_some());
        if self.differ() { Some(false) } else { (has_version && !self.is_unverified).then_some(true) }
    }

    /// The version of the first read, and of the last one that differs from it, else the same.
    pub(super) fn versions(&self) -> [Option<&Version>; 2] {
        let last = self.other.as_ref().or(self.first.as_ref());
        [self.first.as_ref(), last].map(|moment| moment.and_then(|moment| moment.version.as_ref()))
    }

    /// How many members there were at the last read that differs from the first, else at the first.
    pub(super) fn total(&self) -> u64 {
        self.other.as_ref().or(self.first.as_ref()).map_or(0, |moment| moment.total)
    }

    /// What to say of reads that may be of different moments.
    pub(super) fn warning(&self) -> Option<String> {
        const CHANGED: &str = "the board changed while it was read";
        Some(match (&self.first, &self.other) {
            (Some(first), Some(other)) if first.version != other.version => {
                let text = |moment: &Moment| match &moment.version {
                    Some(version) => text::escape(version.as_bytes(), Charset::Utf8),
                    None => "none".into(),
                };
                format!("{CHANGED}: versions {}…{}", text(first), text(other))
            }
            (Some(first), Some(other)) => format!("{CHANGED}: {}…{} players", first.total, other.total),
            _ if self.is_torn => CHANGED.into(),
            _ if self.is_unverified => "not verified: what was read may be of different moments".into(),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::order::Order;

    fn noted(reads: &[(Option<&str>, u64)]) -> Moments {
        let mut moments = Moments::default();
        for (version, total) in reads {
            let version = version.map(Version::from);
            moments.note(&Window { version, total: *total, ..Window::nothing(Order::Desc) });
        }
        moments
    }

    #[test]
    fn one_moment_needs_no_words() {
        for reads in [&[][..], &[(Some("1"), 5)], &[(Some("1"), 5), (Some("1"), 5)], &[(None, 5), (None, 5)]] {
            let moments = noted(reads);
            assert_eq!((moments.differ(), moments.warning()), (false, None), "{reads:?}");
        }
    }

    #[test]
    fn several_moments_are_told_by_the_first_and_the_last_that_differs() {
        for (reads, said) in [
            (&[(Some("41"), 5), (Some("42"), 5), (Some("44"), 6), (Some("41"), 5)][..], ": versions 41…44"),
            (&[(None, 5), (Some("1"), 5)], ": versions none…1"),
            (&[(Some("a\n"), 5), (Some("b"), 5)], ": versions a\\n…b"),
            (&[(None, 5), (None, 6)], ": 5…6 players"),
            (&[(Some("1"), 5), (Some("1"), 0)], ": 5…0 players"),
        ] {
            let moments = noted(reads);
            let expected = format!("the board changed while it was read{said}");
            assert_eq!((moments.differ(), moments.warning()), (true, Some(expected)), "{reads:?}");
        }
    }

    #[test]
    fn reads_that_contradict_each_other_or_are_not_verified() {
        let mut moments = noted(&[(Some("1"), 5)]);
        moments.note(&Window { verified: false, total: 5, version: Some("1".into()), ..Window::nothing(Order::Desc) });
        assert!(!moments.differ() && moments.warning().unwrap().starts_with("not verified"));
        moments.tear();
        assert!(moments.differ() && moments.warning().unwrap().ends_with("while it was read"));
    }
}
