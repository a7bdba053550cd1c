//! How the scores of a board on a server are spread, in two round trips whatever the board's size: the ends, from which
//! the bounds of the bins follow, and then everything at one moment. Bins at the ends are open, so that what the board
//! has become in between is counted all the same.

use redis::{Pipeline, Value};

use crate::board::distribution::{Binning, Distribution, Mark, Range, bins, ranges, shares};
use crate::board::entry::Entry;
use crate::board::keys::Board;
use crate::board::score::Score;
use crate::board::version::Version;
use crate::query::error::StoreError;
use crate::store::redis::read::transaction::{Part, indexes};
use crate::store::redis::{ReadFailure, RedisSource, range_command, reply};

/// For each try, how many rows on either side of those that are wanted are read too: where they stand follows from the
/// total, which may be another one by then. The last try is taken as it comes, and marked where it does not fit.
const MARGINS: [u64; 5] = [1, 16, 128, 128, 128];

/// What one batch brought.
struct Moment {
    total: u64,
    /// What the version key held, at the beginning and, outside of a transaction, at the end.
    versions: Vec<Option<Version>>,
    is_transaction: bool,
    /// Of the bins, from the lowest up.
    counts: Vec<u64>,
    /// Rows, each with its position.
    rows: Vec<(u64, Entry)>,
}

impl Moment {
    /// True where a change came between the commands of a pipeline.
    fn is_torn(&self) -> bool {
        let is_changed = matches!(self.versions.as_slice(), [first, last] if first != last);
        is_changed || self.counts.iter().sum::<u64>() != self.total
    }

    /// True where it is known that no change did: without a transaction the version has to say so.
    fn is_one(&self) -> bool {
        !self.is_torn() && (self.is_transaction || matches!(self.versions.as_slice(), [Some(_), _]))
    }

    /// The shares of the total that the batch has; each with the row that is nearest to its position, and whether that
    /// is the very one for all of them.
    fn marks(&self) -> (Vec<Mark>, bool) {
        let mut is_exact = true;
        let mut mark = |(percent, position): (u8, u64)| {
            let (found, row) = self.rows.iter().min_by_key(|(at, _)| at.abs_diff(position))?;
            is_exact &= *found == position;
            Some(Mark { percent, position, score: row.score })
        };
        let marks: Vec<Mark> = shares(self.total).filter_map(&mut mark).collect();
        is_exact &= marks.len() == shares(self.total).count();
        (marks, is_exact)
    }
}

impl RedisSource {
    /// The distribution over the bins that are wanted. Two round trips on a board that stands still; O(log n) for each bin
    /// and each share.
    pub(in crate::store::redis) async fn read_distribution(
        &mut self,
        board: &Board,
        binning: Binning,
    ) -> Result<Distribution, StoreError> {
        loop {
            match self.try_distribution(board, binning).await {
                Ok(distribution) => return Ok(distribution),
                Err(setback) => self.fall_back(board, setback)?,
            }
        }
    }

    async fn try_distribution(&mut self, board: &Board, binning: Binning) -> Result<Distribution, ReadFailure> {
        let (mut total, ends) = self.ends(board).await?;
        let bounds = binning.bounds(ends);
        let mut margins = MARGINS.into_iter();
        loop {
            let margin = margins.next().unwrap_or_default();
            let moment = self.count(board, &bounds, total, margin).await?;
            let (marks, is_exact) = moment.marks();
            if is_exact && !moment.is_torn() || margins.len() == 0 {
                return Ok(Distribution {
                    order: board.order,
                    verified: is_exact && moment.is_one(),
                    total: moment.total,
                    bins: bins(&bounds, &moment.counts, board.order),
                    marks,
                    version: moment.versions.into_iter().next_back().flatten(),
                });
            }
            total = moment.total;
        }
    }

    /// How many members there are, and the lowest and the highest score that are finite.
    async fn ends(&mut self, board: &Board) -> Result<(u64, Option<(Score, Score)>), ReadFailure> {
        let parts = [Part::Total, Part::LowestRow, Part::HighestRow];
        let mut pipeline = Pipeline::with_capacity(parts.len());
        pipeline.cmd("ZCARD").arg(board.key.as_ref());
        for (command, from, to) in [("ZRANGEBYSCORE", "(-inf", "(+inf"), ("ZREVRANGEBYSCORE", "(+inf", "(-inf")] {
            let command = pipeline.cmd(command).arg(board.key.as_ref()).arg(from).arg(to);
            command.arg("WITHSCORES").arg("LIMIT").arg(0).arg(1);
        }
        let replies = self.send(&pipeline).await?;
        let (mut total, mut ends) = (0, Vec::new());
        for (part, value) in self.piped(board, &parts, replies).await? {
            match part {
                Part::Total => total = reply::count(value, "ZCARD")?,
                _ => ends.extend(reply::rows(value)?.into_iter().map(|row| row.score)),
            }
        }
        // Between two commands the board may have changed.
        Ok((total, ends.iter().min().copied().zip(ends.iter().max().copied())))
    }

    /// Counts the bins of `bounds` and reads the rows around where the shares of `total` end.
    async fn count(&mut self, board: &Board, bounds: &[Score], total: u64, margin: u64) -> Result<Moment, ReadFailure> {
        let is_transaction = self.access.transactions;
        let (mut pipeline, mut parts) = (Pipeline::new(), Vec::new());
        let version = |pipeline: &mut Pipeline, parts: &mut Vec<Part>| {
            parts.push(Part::Version);
            pipeline.cmd("GET").arg(board.version_key.as_ref());
        };
        if is_transaction {
            parts.push(Part::Multi);
            pipeline.cmd("MULTI");
        }
        if self.access.has_version {
            version(&mut pipeline, &mut parts);
        }
        parts.push(Part::Total);
        pipeline.cmd("ZCARD").arg(board.key.as_ref());
        for range in ranges(bounds) {
            let (from, to) = arguments(range);
            parts.push(Part::Count);
            pipeline.cmd("ZCOUNT").arg(board.key.as_ref()).arg(from).arg(to);
        }
        let starts: Vec<u64> = shares(total).map(|(_, position)| position.saturating_sub(margin).max(1)).collect();
        for (start, (_, position)) in starts.iter().zip(shares(total)) {
            let (first, last) = indexes(*start, position.saturating_add(margin).saturating_sub(*start) + 1);
            parts.push(Part::Rows);
            let rows = pipeline.cmd(range_command(board)).arg(board.key.as_ref());
            rows.arg(first).arg(last).arg("WITHSCORES");
        }
        if self.access.has_version && !is_transaction {
            version(&mut pipeline, &mut parts);
        }
        if is_transaction {
            parts.push(Part::Exec);
            pipeline.cmd("EXEC");
        }
        let replies = self.send(&pipeline).await?;
        let results = if is_transaction {
            self.executed(board, &parts, replies).await?
        } else {
            self.piped(board, &parts, replies).await?
        };
        Ok(moment(results, &starts, is_transaction)?)
    }
}

/// The bounds of a range, as `ZCOUNT` takes them.
fn arguments(range: Range) -> (String, String) {
    let from = range.from.map_or_else(|| "-inf".to_owned(), |from| from.to_string());
    let to = range.below.map_or_else(|| "+inf".to_owned(), Score::exclusive);
    (from, to)
}

/// `starts` are the positions at which the stretches of rows begin.
fn moment(results: Vec<(Part, Value)>, starts: &[u64], is_transaction: bool) -> Result<Moment, StoreError> {
    let mut moment = Moment { total: 0, versions: Vec::new(), is_transaction, counts: Vec::new(), rows: Vec::new() };
    let mut starts = starts.iter().copied();
    for (part, value) in results {
        match part {
            Part::Version => moment.versions.push(reply::version_or_none(value)?),
            Part::Total => moment.total = reply::count(value, "ZCARD")?,
            Part::Count => moment.counts.push(reply::count(value, "ZCOUNT")?),
            Part::Rows => {
                let from = starts.next().ok_or_else(|| reply::malformed("ZRANGE"))?;
                moment.rows.extend((from..).zip(reply::rows(value)?));
            }
            _ => {}
        }
    }
    Ok(moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(total: u64, versions: &[Option<&str>], is_transaction: bool, rows: &[u64]) -> Moment {
        let row = |at: &u64| (*at, Entry::new("m", Score::new(1.0).unwrap()));
        Moment {
            total,
            versions: versions.iter().map(|version| version.map(Version::from)).collect(),
            is_transaction,
            counts: vec![3, 4],
            rows: rows.iter().map(row).collect(),
        }
    }

    #[test]
    fn a_batch_is_of_one_moment_where_a_transaction_or_the_version_says_so() {
        let (same, other, none) = ([Some("1"), Some("1")], [Some("1"), Some("2")], [None, None]);
        let of = |total, versions: &[_], is_transaction| {
            let moment = moment(total, versions, is_transaction, &[]);
            (moment.is_torn(), moment.is_one())
        };
        assert_eq!(of(7, &same, false), (false, true));
        assert_eq!(of(7, &other, false), (true, false));
        assert_eq!(of(7, &[Some("1"), None], false), (true, false));
        assert_eq!(of(7, &none, false), (false, false), "nothing says that nothing came between");
        assert_eq!(of(7, &[], false), (false, false));
        assert_eq!(of(8, &same, false), (true, false), "the counts do not add up");
        assert_eq!((of(7, &none[..1], true), of(7, &[], true)), ((false, true), (false, true)));
    }

    #[test]
    fn shares_of_another_total_are_told_to_be_near_only() {
        let positions = |moment: &Moment| moment.marks().0.iter().map(|mark| mark.position).collect::<Vec<_>>();
        let exact = moment(200, &[], true, &[2, 20, 50, 100]);
        assert_eq!((positions(&exact), exact.marks().1), (vec![2, 20, 50, 100], true));
        let grown = moment(204, &[], true, &[2, 20, 50, 100]);
        assert_eq!((positions(&grown), grown.marks().1), (vec![3, 21, 51, 102], false));
        assert!(!moment(7, &[], true, &[]).marks().1, "nobody where somebody must be");
        assert_eq!(moment(0, &[], true, &[]).marks(), (Vec::new(), true));
    }
}
