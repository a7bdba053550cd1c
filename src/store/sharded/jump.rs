//! To a position, from 0: samples of each part and a guess first, which is right for members that are spread by a hash;
//! after two rounds the sure way, which is right for any placement, by rows that enclose the page.

use super::Parts;
use super::asking::Reader;
use super::locate::Located;
use super::stretch::{Aim, Stretch, malformed};
use crate::board::sharded::between::{Stretch as Segment, bounded, enclosing};
use crate::board::sharded::estimate::{first_indexes, further_indexes, nearest};
use crate::board::sharded::part::{Gap, Placed, Question, Reply};
use crate::query::error::StoreError;

/// Rounds of guessing.
const ROUNDS: u32 = 2;
/// Rows from either end of the board that are read from there.
const NEAR: u64 = 200;
/// Rows that are read to get from a known row to the page, at most.
const FAR: u64 = 1_024;
/// Samples of each part in one step of the sure way.
const SAMPLES: u64 = 31;
/// Steps of the sure way. A board of 10^9 rows at rest takes six.
const STEPS: u32 = 24;

impl<P: Parts> Reader<'_, P> {
    /// Finds a gap near the `len` rows from `start` on.
    pub(super) async fn jump(&mut self, start: u64, len: u64, extra: &[Question]) -> Result<Located, StoreError> {
        let end = start.saturating_add(len);
        if start <= NEAR {
            return Ok(Located::At(Aim { gap: Gap::Top, above: 0, below: end }));
        }
        if self.totals.iter().all(|total| *total == 0) {
            // What is asked for nothing else tells the totals.
            self.ask(|_| Vec::new()).await?;
        }
        if !self.lost().is_empty() {
            return Err(lost_position());
        }
        let total: u64 = self.totals.iter().sum();
        if end.saturating_add(NEAR) >= total {
            let above = total.saturating_sub(start).max(len) + NEAR;
            return Ok(Located::At(Aim { gap: Gap::Bottom, above, below: 0 }));
        }
        let mut known: Option<Vec<u64>> = None;
        for _ in 0..ROUNDS {
            let Some((aim, stretch)) = self.guess(start, len, known.as_deref(), extra).await? else { break };
            if stretch.rows(start, len).is_some() {
                return Ok(Located::Read(aim, Box::new(stretch)));
            }
            let position = stretch.position();
            if position.abs_diff(start) <= FAR {
                return Ok(Located::At(reaching(aim.gap, position, start, len)));
            }
            known = Some(stretch.before);
        }
        self.enclose(start, len).await
    }

    /// One round of samples and the rows around the sample that seems nearest; `None` where it is too far away.
    async fn guess(
        &mut self,
        start: u64,
        len: u64,
        known: Option<&[u64]>,
        extra: &[Question],
    ) -> Result<Option<(Aim, Stretch)>, StoreError> {
        let indexes = match known {
            None => first_indexes(self.totals, start),
            Some(before) => further_indexes(self.totals, before, start),
        };
        let answers = self.ask(|part| vec![Question::Sample(indexes[part].clone())]).await?;
        let totals: Vec<u64> = answers.iter().map(|answer| answer.total).collect();
        let samples: Vec<Vec<Placed>> = answers
            .into_iter()
            .map(|mut answer| match answer.replies.pop() {
                Some(Reply::Sample(rows)) => Ok(rows),
                _ => Err(malformed()),
            })
            .collect::<Result<_, _>>()?;
        let Some(hint) = nearest(&samples, &totals, self.order(), start) else { return Ok(None) };
        let above = hint.before.saturating_sub(start) + hint.margin;
        let below = start.saturating_sub(hint.before) + len + hint.margin;
        if above + below > FAR + len {
            return Ok(None);
        }
        let aim = Aim { gap: Gap::Before(hint.entry), above, below };
        // Guesses do not count: the rows stand by themselves.
        self.begin_anew();
        let stretch = self.stretch(&aim, extra).await?;
        Ok(Some((aim, stretch)))
    }

    /// The sure way: two gaps that enclose the page, moved towards each other.
    async fn enclose(&mut self, start: u64, len: u64) -> Result<Located, StoreError> {
        let end = start.saturating_add(len);
        let (mut from, mut to) = (Gap::Top, Gap::Bottom);
        let (mut samples, mut last) = (SAMPLES, u64::MAX);
        for _ in 0..STEPS {
            let question = Question::Between { from: from.clone(), to: to.clone(), most: samples };
            let answers = self.ask(|_| vec![question.clone()]).await?;
            let mut segments = Vec::with_capacity(answers.len());
            for mut answer in answers {
                match answer.replies.pop() {
                    Some(Reply::Between { from, to, rows }) => segments.push(Segment { from, to: to.max(from), rows }),
                    _ => return Err(malformed()),
                }
            }
            let (before, through): (u64, u64) =
                segments.iter().fold((0, 0), |(from, to), segment| (from + segment.from, to + segment.to));
            // The board moved, and the page is not between the gaps any more.
            if before > start {
                from = Gap::Top;
                last = u64::MAX;
                continue;
            }
            if through < end && to != Gap::Bottom {
                to = Gap::Bottom;
                last = u64::MAX;
                continue;
            }
            if start - before <= FAR {
                return Ok(Located::At(reaching(from, before, start, len)));
            }
            if through.saturating_sub(start) <= FAR {
                return Ok(Located::At(reaching(to, through, start, len)));
            }
            let left = through - before;
            if left >= last {
                samples = samples.saturating_mul(2);
            }
            last = left;
            let bounded = bounded(&segments, self.order());
            let (upper, lower) = enclosing(&bounded, start, end);
            from = upper.map_or(from, |row| Gap::Before(row.clone()));
            to = lower.map_or(to, |row| Gap::Before(row.clone()));
        }
        Err(StoreError::NotReady("the board moves too fast to find a position on it".to_owned()))
    }
}

/// What has to be read around a gap with `position` rows before it, so that the page is among it, and a few more where the
/// board moves meanwhile.
pub(super) fn reaching(gap: Gap, position: u64, start: u64, len: u64) -> Aim {
    const SPARE: u64 = 4;
    let (above, below) = (position.saturating_sub(start), (start + len).saturating_sub(position));
    let spare = |rows: u64| if rows == 0 { 0 } else { rows + SPARE };
    Aim { gap, above: spare(above), below: spare(below) }
}

/// Why there is no position while a part is missing.
pub(super) fn lost_position() -> StoreError {
    StoreError::NotReady("a shard does not answer, so that positions are not known".to_owned())
}
