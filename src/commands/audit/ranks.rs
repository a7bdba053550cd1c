//! Ranks of single rows, held against the rows around them: by definition, and without any count of the server's. The row
//! above the first of a tie group is strictly better, the one below its last strictly worse, and both ends have the score.

use super::tally::{Check, row_text};
use super::{Failure, Reader};
use crate::board::entry::Entry;
use crate::board::grouping::Grouping;
use crate::board::order::Order;
use crate::board::rank::Standing;
use crate::board::window::Window;
use crate::query::page::PageStart;
use crate::store::BoardSource;

/// So often a row is looked at before it counts as one that moves too fast.
const TRIES: u32 = 5;

/// Checks the row at `position`. Five reads of two rows at most, six where the board has no version.
pub(super) async fn check_row<H: BoardSource>(
    reader: &mut Reader<'_, H>,
    position: u64,
    check: &mut Check,
) -> Result<(), Failure> {
    for _ in 0..TRIES {
        let Some(row) = reader.row(position, check).await? else { return Ok(()) };
        let Some((entry, standing)) = row.only() else { return Ok(()) };
        let Some(found) = reader.around(&entry.clone().member, check).await? else { continue };
        let first = reader.pair(standing.better, check).await?;
        let last = reader.pair(standing.better + standing.tied, check).await?;
        let windows = [&row.0, &found, &first, &last];
        let is_one_moment = match &row.0.version {
            Some(_) => windows.iter().all(|window| window.verified && window.version == row.0.version),
            // Without a version, a row that still stands as it stood tells that nothing moved meanwhile.
            None => reader.row(position, check).await?.is_some_and(|again| again.0 == row.0),
        };
        if is_one_moment {
            check.rows += 1;
            if let Some(evidence) = contradiction(
                (reader.board.order, reader.scoring.grouping()),
                entry,
                &standing,
                &found,
                [&first, &last],
            ) {
                check.fail(|| evidence);
            }
            return Ok(());
        }
    }
    check.moved += 1;
    Ok(())
}

/// A window of one row.
struct Row(Window);

impl Row {
    fn only(&self) -> Option<(&Entry, Standing)> {
        Some((self.0.entries.first()?, self.0.standing(0)?))
    }
}

impl<H: BoardSource> Reader<'_, H> {
    async fn row(&mut self, position: u64, check: &mut Check) -> Result<Option<Row>, Failure> {
        let window = self.window(PageStart::Position(position), 1).await?;
        check.see(&window);
        Ok((!window.is_empty()).then_some(Row(window)))
    }

    /// The row at `position` and the one below it; at position 0, the first row alone.
    async fn pair(&mut self, position: u64, check: &mut Check) -> Result<Window, Failure> {
        let size = if position == 0 { 1 } else { 2 };
        let window = self.window(PageStart::Position(position.max(1)), size).await?;
        check.see(&window);
        Ok(window)
    }
}

/// What the rows around say against where the row of `entry` is said to stand.
fn contradiction(
    (order, grouping): (Order, Grouping),
    entry: &Entry,
    standing: &Standing,
    found: &Window,
    [first, last]: [&Window; 2],
) -> Option<String> {
    let said = |what: &str| Some(format!("{} is said to {what}", row_text(entry)));
    let place = |standing: &Standing| (standing.position, standing.better, standing.tied);
    if found.standing(0).as_ref().map(place) != Some(place(standing)) || found.entries.first() != Some(entry) {
        let by_member = found.standing(0).as_ref().map(place);
        return said(&format!("have position, better and tied {:?}, by its id {by_member:?}", place(standing)));
    }
    let (above, begin) = match first.entries.as_slice() {
        [begin] if standing.better == 0 => (None, begin),
        [above, begin] => (Some(above), begin),
        _ => return said(&format!("have {} better members, and so many are not there", standing.better)),
    };
    if above.is_some_and(|above| !grouping.is_better(order, above.score, entry.score))
        || !grouping.is_same(begin.score, entry.score)
    {
        return said(&format!(
            "have {} better members, which the rows around that place do not bear out",
            standing.better
        ));
    }
    let (end, below) = match last.entries.as_slice() {
        [end] => (end, None),
        [end, below, ..] => (end, Some(below)),
        [] => return said(&format!("be in a tie of {}, which ends below the board", standing.tied)),
    };
    if below.is_some_and(|below| !grouping.is_better(order, entry.score, below.score))
        || !grouping.is_same(end.score, entry.score)
    {
        return said(&format!("be in a tie of {}, which the rows around its end do not bear out", standing.tied));
    }
    None
}
