//! How many rows to ask a part for, so that a second trip is rare: where members are spread by a hash, the rows of a page
//! that lie in one part follow the binomial distribution.

/// How likely a second trip may be.
const MISS: f64 = 0.02;

/// The fewest rows to ask a part for that has this share of the board, out of `parts` parts, so that the first `wanted`
/// rows of the board seldom hold all of them. At most `wanted`, which is always enough. O(`wanted`).
pub fn quota(wanted: u64, parts: usize, share: f64) -> u64 {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 1.0 };
    if wanted <= 1 || parts <= 1 || share >= 1.0 {
        return wanted;
    }
    if share == 0.0 {
        // It may have grown meanwhile; one row tells.
        return 1;
    }
    let allowed = MISS / to_f64(parts as u64);
    // The logarithm of the probability that exactly `rows` of the wanted are in the part: the probability itself may be
    // too small for a double.
    let mut log = to_f64(wanted) * (-share).ln_1p();
    let odds = (share / (1.0 - share)).ln();
    let mut at_least = 1.0;
    for rows in 0..wanted {
        if at_least <= allowed {
            return rows.max(1);
        }
        at_least -= log.exp();
        log += odds + (to_f64(wanted - rows) / to_f64(rows + 1)).ln();
    }
    wanted
}

/// The same for each part, by how many rows each was known to have; equal shares where that is not known.
pub fn quotas(wanted: u64, totals: &[u64]) -> Vec<u64> {
    let whole: u64 = totals.iter().sum();
    let share = |total: u64| {
        if whole == 0 { 1.0 / to_f64(totals.len() as u64) } else { to_f64(total) / to_f64(whole) }
    };
    totals.iter().map(|&total| if wanted == 0 { 0 } else { quota(wanted, totals.len(), share(total)) }).collect()
}

#[expect(clippy::cast_precision_loss, reason = "an estimate: counts are far below 2^53")]
pub(super) fn to_f64(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_page_of_fifty() {
        // As measured on prototypes.
        for (parts, rows) in [(1, 50), (4, 22), (16, 10), (64, 6), (256, 4)] {
            assert_eq!(quota(50, parts, 1.0 / to_f64(parts as u64)), rows, "{parts} parts");
        }
    }

    #[test]
    fn shares_follow_the_totals() {
        assert_eq!(quotas(50, &[0, 0, 0, 0]), [22, 22, 22, 22]);
        assert_eq!(quotas(50, &[900, 0]), [50, 1]);
        assert_eq!(quotas(0, &[900, 0]), [0, 0]);
        let unequal = quotas(1_000, &[1_000, 10, 10]);
        assert!(unequal[0] > 950 && unequal[1] < 40, "{unequal:?}");
    }

    proptest! {
        #[test]
        fn is_between_one_and_all(wanted in 1_u64..2_000, parts in 1_usize..300, share in 0.0..1.0_f64) {
            let rows = quota(wanted, parts, share);
            prop_assert!((1..=wanted).contains(&rows));
        }

        #[test]
        fn the_miss_is_as_rare_as_said(wanted in 1_u64..60, parts in 2_usize..20, share in 0.01..0.9_f64) {
            let rows = quota(wanted, parts, share);
            // The obvious twin: the probability of each number of rows, by products.
            let exactly = |hits: u64| {
                let ways: f64 = (0..hits).map(|i| to_f64(wanted - i) / to_f64(i + 1)).product();
                ways * share.powf(to_f64(hits)) * (1.0 - share).powf(to_f64(wanted - hits))
            };
            let at_least = |rows: u64| (rows..=wanted).map(exactly).sum::<f64>() * to_f64(parts as u64);
            prop_assert!(rows == wanted || at_least(rows) <= MISS + 1e-9);
            prop_assert!(rows <= 1 || at_least(rows - 1) > MISS - 1e-9);
        }
    }
}
