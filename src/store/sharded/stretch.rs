//! Rows around a gap, merged from all parts. A part is asked for no more rows than it will probably be needed for; one
//! that may hold more is asked a second time, and never a third.

use super::Parts;
use super::asking::Reader;
use crate::board::entry::Entry;
use crate::board::order::Order;
use crate::board::sharded::merge::{Merged, Row, Run, Way, merge, repeated};
use crate::board::sharded::part::{Answer, Gap, Question, Reply};
use crate::board::sharded::quota::quotas;
use crate::query::error::StoreError;

/// So often rows are read that changed between the two trips.
const TRIES: u32 = 3;

/// Which rows are wanted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Aim {
    /// Around which gap.
    pub(super) gap: Gap,
    /// How many rows above it.
    pub(super) above: u64,
    /// How many rows below it.
    pub(super) below: u64,
}

/// Rows around a gap.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// What each part said; its first reply is that to the rows.
    pub(super) answers: Vec<Answer>,
    /// How many rows of each part are before the gap.
    pub(super) before: Vec<u64>,
    /// What each part has above the gap, as far as it was read.
    pub(super) up: Vec<Run>,
    /// What each part has below the gap.
    pub(super) down: Vec<Run>,
    /// The rows above the gap, the nearest first.
    pub(super) above: Vec<Row>,
    /// The rows below the gap.
    pub(super) below: Vec<Row>,
    /// A part changed between the two trips: rows may be missing.
    pub(super) is_torn: bool,
}

impl Stretch {
    /// How many rows of the board are before the gap.
    pub(super) fn position(&self) -> u64 {
        self.before.iter().sum()
    }

    /// How many rows the board has.
    pub(super) fn total(&self) -> u64 {
        self.answers.iter().map(|answer| answer.total).sum()
    }

    /// The rows from `start` on, counted from 0; `None` where not all `len` of them were read.
    pub(super) fn rows(&self, start: u64, len: u64) -> Option<Vec<Row>> {
        let (position, end) = (self.position(), start + len);
        let above = usize::try_from(position.saturating_sub(start)).ok()?;
        let below = usize::try_from(end.saturating_sub(position)).ok()?;
        if above > self.above.len() || below > self.below.len() {
            return None;
        }
        // Rows between the gap and a page that does not touch it.
        let skip_above = usize::try_from(position.saturating_sub(end)).ok()?;
        let skip_below = usize::try_from(start.saturating_sub(position)).ok()?;
        let upper = self.above[skip_above.min(above)..above].iter().rev();
        let lower = &self.below[skip_below.min(below)..below];
        Some(upper.chain(lower).cloned().collect())
    }
}

impl<P: Parts> Reader<'_, P> {
    /// The rows of `aim`, with the replies to `extra` questions in the same answers. One trip; seldom two.
    pub(super) async fn stretch(&mut self, aim: &Aim, extra: &[Question]) -> Result<Stretch, StoreError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let (above, below) = if tries == 1 {
                (quotas(aim.above, self.totals), quotas(aim.below, self.totals))
            } else {
                // What changed once will change again: with all of the rows one trip is enough.
                (vec![aim.above; self.totals.len()], vec![aim.below; self.totals.len()])
            };
            let answers = self
                .ask_of_record(|part| {
                    let rows = Question::Rows { gap: aim.gap.clone(), above: above[part], below: below[part] };
                    std::iter::once(rows).chain(extra.iter().cloned()).collect()
                })
                .await?;
            let mut stretch = gathered(answers)?;
            let [up, down] = self.merged(&stretch, aim);
            if !up.missing.is_empty() || !down.missing.is_empty() {
                self.settle(&mut stretch, aim, &up.missing, &down.missing).await?;
            }
            if stretch.is_torn && tries < TRIES {
                continue;
            }
            let [up, down] = self.merged(&stretch, aim);
            (stretch.above, stretch.below) = (up.rows, down.rows);
            match repeated(stretch.above.iter().chain(&stretch.below)) {
                Some((member, a, b)) if !stretch.is_torn && self.is_one_moment(&stretch.answers) => {
                    return Err(in_two_parts(member.as_bytes(), a, b));
                }
                _ => return Ok(stretch),
            }
        }
    }

    fn merged(&self, stretch: &Stretch, aim: &Aim) -> [Merged; 2] {
        let order = self.order();
        [merge(&stretch.up, order, Way::Up, aim.above), merge(&stretch.down, order, Way::Down, aim.below)]
    }

    /// Asks the parts that may hold more of the rows once more: so many further ones as can be among them.
    async fn settle(
        &mut self,
        stretch: &mut Stretch,
        aim: &Aim,
        up: &[(usize, u64)],
        down: &[(usize, u64)],
    ) -> Result<(), StoreError> {
        let wanted = |missing: &[(usize, u64)], part: usize| {
            missing.iter().find(|(of, _)| *of == part).map_or(0, |(_, more)| *more)
        };
        let further = |run: &Run, gap: fn(Entry) -> Gap, above: u64, below: u64| {
            let from = run.rows.last().map_or_else(|| aim.gap.clone(), |row| gap(row.clone()));
            Question::Rows { gap: from, above, below }
        };
        let answers = self
            .ask(|part| {
                let (above, below) = (wanted(up, part), wanted(down, part));
                match (above, below) {
                    (0, 0) => Vec::new(),
                    _ => vec![
                        further(&stretch.up[part], Gap::Before, above, 0),
                        further(&stretch.down[part], Gap::After, 0, below),
                    ],
                }
            })
            .await?;
        for (part, answer) in answers.into_iter().enumerate() {
            if answer.replies.is_empty() {
                continue;
            }
            stretch.is_torn |= !stretch.answers[part].is_same_moment(&answer);
            let total = answer.total;
            let mut replies = answer.replies.into_iter();
            if let (Some(Reply::Rows { gap: up, rows: mut nearer, .. }), Some(Reply::Rows { gap, rows, .. })) =
                (replies.next(), replies.next())
            {
                nearer.reverse();
                stretch.up[part].is_exhausted = stretch.up[part].is_exhausted || nearer.len() as u64 >= up;
                stretch.up[part].rows.extend(nearer);
                stretch.down[part].is_exhausted |= gap + rows.len() as u64 >= total;
                stretch.down[part].rows.extend(rows);
            }
        }
        Ok(())
    }
}

/// The runs of all parts, from what each said first.
fn gathered(answers: Vec<Answer>) -> Result<Stretch, StoreError> {
    let mut stretch = Stretch {
        answers: Vec::new(),
        before: Vec::new(),
        up: Vec::new(),
        down: Vec::new(),
        above: Vec::new(),
        below: Vec::new(),
        is_torn: false,
    };
    for mut answer in answers {
        let Some(Reply::Rows { gap, rows, above }) = answer.replies.first_mut() else {
            return Err(malformed());
        };
        let (gap, mut upper) = (*gap, std::mem::take(rows));
        let lower = upper.split_off((*above).min(upper.len()));
        upper.reverse();
        stretch.up.push(Run { is_exhausted: upper.len() as u64 >= gap, rows: upper });
        stretch.down.push(Run { is_exhausted: gap + lower.len() as u64 >= answer.total, rows: lower });
        stretch.before.push(gap);
        stretch.answers.push(answer);
    }
    Ok(stretch)
}

/// What a part that does not answer what was asked is.
pub(super) fn malformed() -> StoreError {
    StoreError::Protocol("the reply of a shard does not fit what was asked".to_owned())
}

/// A member in two parts: ranks and counts are wrong by all such members.
pub(super) fn in_two_parts(member: &[u8], a: usize, b: usize) -> StoreError {
    let (a, b) = (a.min(b), a.max(b));
    StoreError::Other(format!(
        "'{}' is in shard {a} and in shard {b}: writers place members by different rules, and every rank is wrong",
        member.escape_ascii()
    ))
}

/// How many rows of a part are before a row, from what was read around a gap; `None` where it was not read that far.
pub(super) fn before(gap: u64, up: &Run, down: &Run, order: Order, row: &Entry) -> Option<u64> {
    let at_or_after = up.rows.partition_point(|other| order.compare(other, row).is_ge());
    if at_or_after > 0 {
        let is_known = at_or_after < up.rows.len() || up.is_exhausted;
        return is_known.then(|| gap.saturating_sub(at_or_after as u64));
    }
    let nearer = down.rows.partition_point(|other| order.compare(other, row).is_lt());
    (nearer < down.rows.len() || down.is_exhausted).then(|| gap + nearer as u64)
}
