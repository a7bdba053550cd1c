//! Drift: how far the place where one page ended has moved by the time of the next page.

use super::version::Version;

/// The place where a page was left, as it stood at the version at which the page was turned to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boundary {
    /// The version of that moment.
    pub version: Option<Version>,
    /// How many rows stood at or before the place (going forward) or strictly before it (going backward); `None` where
    /// that was not recorded.
    pub position: Option<u64>,
}

/// What moved between two pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The version at which the page that was left had been turned to.
    pub from_version: Option<Version>,
    /// The version of the page that came.
    pub to_version: Option<Version>,
    /// Where the boundary stood; `None` where that was not recorded.
    pub boundary_from: Option<u64>,
    /// Where the boundary stands now.
    pub boundary_to: u64,
}

impl Drift {
    /// Compares the boundary of the page that was left with the same place now. `None` where there is nothing to say:
    /// both versions are known and equal, or neither is and the boundary has not been seen to move.
    pub fn between(left: &Boundary, version: Option<&Version>, position: u64) -> Option<Self> {
        let silent = match (&left.version, version) {
            (Some(from), Some(to)) => from == to,
            (None, None) => left.position.is_none_or(|from| from == position),
            // A version that appears or vanishes is a change.
            _ => false,
        };
        (!silent).then(|| Self {
            from_version: left.version.clone(),
            to_version: version.cloned(),
            boundary_from: left.position,
            boundary_to: position,
        })
    }

    /// How far the boundary moved: positive where rows have come in above it, so that many are met twice; negative
    /// where rows have left from above it. `None` where its former position is not known.
    pub fn shift(&self) -> Option<i64> {
        Some(self.boundary_to.cast_signed() - self.boundary_from?.cast_signed())
    }

    /// True where the reader's place in the list is affected.
    pub fn has_moved(&self) -> bool {
        self.shift().is_some_and(|shift| shift != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(version: Option<&str>, position: Option<u64>) -> Boundary {
        Boundary { version: version.map(Version::from), position }
    }

    #[test]
    fn two_newcomers_above_the_boundary() {
        let drift = Drift::between(&left(Some("41"), Some(20)), Some(&"44".into()), 22).unwrap();
        assert_eq!((drift.shift(), drift.has_moved()), (Some(2), true));
    }

    #[test]
    fn equal_versions_say_nothing_whatever_the_positions() {
        assert_eq!(Drift::between(&left(Some("41"), Some(20)), Some(&"41".into()), 21), None);
    }

    #[test]
    fn a_change_that_did_not_move_the_boundary_is_still_told() {
        let drift = Drift::between(&left(Some("41"), Some(20)), Some(&"42".into()), 20).unwrap();
        assert!(!drift.has_moved());
    }

    #[test]
    fn a_version_that_vanishes_or_appears_is_a_change() {
        assert!(Drift::between(&left(Some("41"), Some(20)), None, 20).is_some());
        assert!(Drift::between(&left(None, Some(20)), Some(&"1".into()), 20).is_some());
    }

    #[test]
    fn without_versions_only_a_moved_boundary_is_told() {
        assert_eq!(Drift::between(&left(None, Some(20)), None, 20), None);
        assert_eq!(Drift::between(&left(None, None), None, 20), None);
        assert_eq!(Drift::between(&left(None, Some(20)), None, 19).unwrap().shift(), Some(-1));
    }
}
