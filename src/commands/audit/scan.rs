//! A scan: rows of a board read one position after another, against which walks are held. Where all of it is of one
//! version, it says of each page of that version what its rows, ranks and tie groups have to be; whatever its versions,
//! the rows that two scans share did not move in between.

use super::tally::{Check, row_text};
use super::{Failure, Reader};
use crate::board::entry::Entry;
use crate::board::grouping::Grouping;
use crate::board::order::Order;
use crate::board::score::Score;
use crate::board::version::Version;
use crate::board::window::Window;
use crate::query::page::PageStart;
use crate::store::BoardSource;

/// Rows that were read in one go.
pub(super) struct Scan {
    order: Order,
    grouping: Grouping,
    /// Position of the first row.
    start: u64,
    /// In board order, each once.
    rows: Vec<Entry>,
    /// How many members the board had.
    total: u64,
    /// The version that all of it is of, where that is known.
    pub(super) version: Option<Version>,
    /// Whether any of it is of a known version.
    is_versioned: bool,
}

impl Scan {
    /// Reads the rows from position `start` on, up to the end of the board or to `most` rows.
    pub(super) async fn read<H: BoardSource>(
        reader: &mut Reader<'_, H>,
        start: u64,
        most: Option<u64>,
        check: &mut Check,
    ) -> Result<Self, Failure> {
        let mut scan = Self {
            order: reader.board.order,
            grouping: reader.scoring.grouping(),
            start,
            rows: Vec::new(),
            total: 0,
            version: None,
            is_versioned: false,
        };
        let mut versions = Vec::new();
        let mut at = start;
        let mut is_one_moment = true;
        loop {
            let left = most.map_or(u64::MAX, |most| most.saturating_sub(scan.rows.len() as u64));
            let size = left.min(reader.batch);
            if size == 0 {
                break;
            }
            let window = reader.window(PageStart::Position(at), size).await?;
            check.see(&window);
            check.rows += window.len() as u64;
            incoherent(&window, check);
            is_one_moment &= window.verified;
            if versions.last() != Some(&window.version) {
                versions.push(window.version.clone());
            }
            scan.total = window.total;
            at += window.len() as u64;
            scan.rows.extend(window.entries.iter().cloned());
            if window.is_empty() || window.is_last() {
                break;
            }
        }
        scan.is_versioned = versions.iter().any(Option::is_some);
        if let [Some(version)] = versions.as_slice()
            && is_one_moment
        {
            scan.version = Some(version.clone());
        }
        let read = scan.rows.len();
        scan.rows.sort_by(|a, b| scan.order.compare(a, b));
        scan.rows.dedup();
        if scan.version.is_some() && scan.rows.len() < read {
            check.fail(|| format!("{} rows come twice in a scan of one version", read - scan.rows.len()));
        }
        Ok(scan)
    }

    /// How many members the board had.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// What `window` has otherwise than this scan of the same version; nothing where they are of different ones.
    pub(super) fn disagreement(&self, window: &Window) -> Option<String> {
        if self.version.is_none() || self.version != window.version || !window.verified {
            return None;
        }
        if window.total != self.total {
            return Some(format!(
                "{} rows on the board, where the scan of this version has {}",
                window.total, self.total
            ));
        }
        let from = usize::try_from(window.start.checked_sub(self.start)?).ok()?;
        // A page may reach past a scan of a part of the board.
        let scanned = self.rows.get(from..)?;
        for (index, (row, expected)) in window.entries.iter().zip(scanned).enumerate() {
            if row != expected {
                let position = window.position(index);
                let (row, expected) = (row_text(row), row_text(expected));
                return Some(format!("position {position} is {row}, in the scan of this version {expected}"));
            }
        }
        let counted = scanned.len().min(window.len());
        window.standings().zip(&window.entries).take(counted).find_map(|(standing, entry)| {
            let (better, through) = self.counts(entry.score);
            if let Some(better) = better.filter(|better| *better != standing.better) {
                return Some(format!("{} has {better} better members, not {}", row_text(entry), standing.better));
            }
            let tied = better.zip(through).map(|(better, through)| through - better);
            tied.filter(|tied| *tied != standing.tied)
                .map(|tied| format!("{} is in a tie of {tied}, not of {}", row_text(entry), standing.tied))
        })
    }

    /// How many members are better than `score`, and how many at least as good, where the scan reaches so far.
    fn counts(&self, score: Score) -> (Option<u64>, Option<u64>) {
        let above = self.start - 1;
        let better = self.rows.partition_point(|row| self.grouping.is_better(self.order, row.score, score)) as u64;
        let through = self.rows.partition_point(|row| !self.grouping.is_better(self.order, score, row.score)) as u64;
        let is_whole_above = better > 0 || above == 0;
        let is_whole_below = through < self.rows.len() as u64 || above + through == self.total;
        (is_whole_above.then_some(above + better), is_whole_below.then_some(above + through))
    }

    /// True where nothing moved until the `later` scan: both are of one version; or there are no versions and the same rows.
    pub(super) fn is_still(&self, later: &Self) -> bool {
        let is_one = match (&self.version, &later.version) {
            (None, None) => !self.is_versioned && !later.is_versioned,
            (version, other) => version == other,
        };
        is_one && self.total == later.total && self.rows == later.rows
    }

    /// The rows that both scans have: those that did not move in between, unless they came back to where they were.
    pub(super) fn unmoved<'a>(&'a self, later: &'a Self) -> impl Iterator<Item = &'a Entry> {
        let mut others = later.rows.iter().peekable();
        self.rows.iter().filter(move |row| {
            while others.next_if(|other| self.order.compare(other, row).is_lt()).is_some() {}
            others.peek() == Some(row)
        })
    }
}

/// Speaks against a page whose parts cannot be of one moment, though it is said to be.
pub(super) fn incoherent(window: &Window, check: &mut Check) {
    if window.verified && !window.is_coherent() {
        let (start, end) = (window.start, window.end());
        check.fail(|| {
            format!("the page of rows {start} to {end} is not in order, or its counts do not fit its positions")
        });
    }
}
