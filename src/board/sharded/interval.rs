//! How far a number can be off that was summed over parts while they were written.
//!
//! Each part is read twice, the second time after every first answer is in. Let T be a moment in between. A part whose
//! version is the same both times held at T what was read. One whose version rose by D was changed D times: each changes a
//! count by at most one, where versions count members.

use super::super::version::Version;

/// The least and the most that a count can have been at one moment between two reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// The least.
    pub least: u64,
    /// The most.
    pub most: u64,
}

impl Interval {
    /// A count that is exact.
    pub fn exactly(count: u64) -> Self {
        Self { least: count, most: count }
    }

    /// Of a part's count that was `first` and then `second` while its version rose by `rise`.
    pub fn between(first: u64, second: u64, rise: u64) -> Self {
        let sum = first + second;
        // A rise that is less than the difference is no count of changes; what was seen is within all the same.
        let rise = rise.max(first.abs_diff(second));
        Self { least: sum.saturating_sub(rise).div_ceil(2), most: u64::midpoint(sum, rise) }
    }

    /// Of a part's count that was read at one end only, while its version rose by `rise`.
    pub fn near(count: u64, rise: u64) -> Self {
        Self { least: count.saturating_sub(rise), most: count + rise }
    }

    /// The sum of independent counts.
    pub fn plus(self, other: Self) -> Self {
        Self { least: self.least + other.least, most: self.most + other.most }
    }

    /// True where there is one value only.
    pub fn is_exact(self) -> bool {
        self.least == self.most
    }

    /// The value in the middle, and how far either end is from it at most.
    pub fn centre(self) -> (u64, u64) {
        let half = (self.most - self.least).div_ceil(2);
        (self.least + (self.most - self.least) / 2, half)
    }

    /// How far `count` can be off.
    pub fn error_of(self, count: u64) -> u64 {
        count.abs_diff(self.least).max(count.abs_diff(self.most))
    }
}

/// By how much a counter rose; `None` where it is no counter, or went back or away, as a reset does.
pub fn rise(first: Option<&Version>, second: Option<&Version>) -> Option<u64> {
    let number = |version: Option<&Version>| version.map_or(Some(0), |version| u64::try_from(version.number()?).ok());
    if first.is_some() && second.is_none() {
        return None;
    }
    number(second)?.checked_sub(number(first)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_change_that_left_the_count_as_it_was_leaves_it_exact() {
        assert_eq!(Interval::between(7, 7, 1), Interval::exactly(7));
        assert_eq!(Interval::between(7, 7, 0), Interval::exactly(7));
        assert_eq!(Interval::between(7, 8, 1), Interval { least: 7, most: 8 });
        assert_eq!(Interval::between(0, 0, 3), Interval { least: 0, most: 1 });
        assert_eq!(Interval { least: 1_231, most: 1_237 }.centre(), (1_234, 3));
        assert_eq!(Interval { least: 4, most: 7 }.centre(), (5, 2), "rounded up");
        assert_eq!(Interval { least: 4, most: 7 }.error_of(4), 3);
    }

    #[test]
    fn versions_rise_or_tell_nothing() {
        let rise = |a: Option<&str>, b: Option<&str>| {
            super::rise(a.map(Version::from).as_ref(), b.map(Version::from).as_ref())
        };
        assert_eq!(rise(Some("41"), Some("44")), Some(3));
        assert_eq!((rise(None, Some("2")), rise(None, None)), (Some(2), Some(0)));
        assert_eq!(
            (rise(Some("44"), Some("41")), rise(Some("1"), None), rise(Some("a"), Some("b"))),
            (None, None, None)
        );
    }

    proptest! {
        #[test]
        fn every_value_that_the_count_can_have_had_is_within(start in 0_u64..40, steps in prop::collection::vec(-1_i64..=1, 0..12), at in 0_usize..12) {
            // Some changes move the count, some do not, none moves it by more than one or below zero.
            let mut counts = vec![start];
            for step in &steps {
                counts.push(counts[counts.len() - 1].saturating_add_signed(*step));
            }
            let interval = Interval::between(start, counts[counts.len() - 1], steps.len() as u64);
            let seen = counts[at.min(counts.len() - 1)];
            prop_assert!(interval.least <= seen && seen <= interval.most, "{seen} in {interval:?}");
            let (middle, half) = interval.centre();
            prop_assert!(interval.least + half >= middle && middle + half >= interval.most);
        }
    }
}
