//! How the scores of a board over many sorted sets are spread: counts of parts add up, and the rows at which the shares of
//! the board end are looked up as positions are.

use super::Parts;
use super::asking::Reader;
use super::counts::{Extras, each};
use super::stretch::malformed;
use crate::board::distribution::{Binning, Distribution, Mark, bins, shares};
use crate::board::entry::Entry;
use crate::board::order::Order;
use crate::board::score::Score;
use crate::board::sharded::part::{Answer, Gap, Question, Reply};
use crate::board::sharded::vector::version_of;
use crate::board::version::Version;
use crate::query::error::StoreError;
use crate::query::listing::{KeySummary, Listed};
use crate::query::page::{PageRequest, PageStart};

impl<P: Parts> Reader<'_, P> {
    /// The distribution over the bins that are wanted: a trip for the ends, a few for each share, and two for the counts.
    pub async fn distribution(&mut self, binning: Binning) -> Result<Distribution, StoreError> {
        let (total, ends) = self.ends().await?;
        let bounds = binning.bounds(ends);
        let mut rows: Vec<(u8, u64, Entry)> = Vec::new();
        for (percent, position) in shares(total) {
            let request = PageRequest::new(PageStart::Position(position), 1);
            let extras = Extras::of(&request);
            self.begin_anew();
            if let Ok(framed) = self.located(&request, &extras).await?
                && let Some(row) = framed.rows.into_iter().next()
            {
                rows.push((percent, position, row.entry));
            }
        }
        let mut questions: Vec<Question> = bounds.iter().map(|bound| Question::Count(self.below(*bound))).collect();
        for (_, _, row) in &rows {
            questions.push(Question::Count(Gap::Before(row.clone())));
            questions.push(Question::Count(Gap::After(row.clone())));
        }
        self.begin_anew();
        let answers = self.ask_of_record(|_| questions.clone()).await?;
        let check = self.ask(|_| Vec::new()).await?;
        let total: u64 = answers.iter().map(|answer| answer.total).sum();
        let counts = self.counts_of_bins(&answers, bounds.len(), total)?;
        let mut is_exact = rows.len() == shares(total).count();
        let mut marks = Vec::with_capacity(rows.len());
        for (at, ((percent, position, row), (_, wanted))) in rows.into_iter().zip(shares(total)).enumerate() {
            let at = bounds.len() + 2 * at;
            let (before, through) = (sum(&answers, at)?, sum(&answers, at + 1)?);
            is_exact &= position == wanted && before + 1 == position && through == position;
            marks.push(Mark { percent, position: wanted, score: row.score });
        }
        Ok(Distribution {
            order: self.order(),
            version: versions(&answers),
            verified: is_exact && self.is_one_moment(&check),
            total,
            bins: bins(&bounds, &counts, self.order()),
            marks,
        })
    }

    /// What a list tells of the board.
    pub async fn summary(&mut self) -> Result<KeySummary, StoreError> {
        let answers = self.ask(|_| Vec::new()).await?;
        let total: u64 = answers.iter().map(|answer| answer.total).sum();
        if total == 0 {
            return Ok(KeySummary::Nothing);
        }
        let meta = super::compose::meta(&answers);
        Ok(KeySummary::Board(Listed {
            key: self.board.key.clone(),
            total: self.lost().is_empty().then_some(total),
            version: versions(&answers),
            state: meta.state,
            ttl: Some(super::compose::ttl(&answers)),
        }))
    }

    /// How many rows there are, and the lowest and the highest score that are finite.
    async fn ends(&mut self) -> Result<(u64, Option<(Score, Score)>), StoreError> {
        let (best, worst) = match self.order() {
            Order::Desc => (f64::INFINITY, f64::NEG_INFINITY),
            Order::Asc => (f64::NEG_INFINITY, f64::INFINITY),
        };
        let questions: Vec<Question> = [(best, 0), (worst, 1)]
            .into_iter()
            .filter_map(|(end, above)| {
                let score = Score::new(end)?;
                let gap = if above == 0 { Gap::GroupEnd(score) } else { Gap::GroupStart(score) };
                Some(Question::Rows { gap, above, below: 1 - above })
            })
            .collect();
        let answers = self.ask(|_| questions.clone()).await?;
        let mut scores = Vec::new();
        for reply in answers.iter().flat_map(|answer| &answer.replies) {
            let Reply::Rows { rows, .. } = reply else { return Err(malformed()) };
            scores.extend(rows.iter().map(|row| row.score).filter(|score| score.get().is_finite()));
        }
        let ends = scores.iter().min().copied().zip(scores.iter().max().copied());
        Ok((answers.iter().map(|answer| answer.total).sum(), ends))
    }

    /// The gap that tells how many scores are strictly lower than this one, whichever end is the top.
    fn below(&self, bound: Score) -> Gap {
        match self.order() {
            Order::Desc => Gap::GroupEnd(bound),
            Order::Asc => Gap::GroupStart(bound),
        }
    }

    fn counts_of_bins(&self, answers: &[Answer], bounds: usize, total: u64) -> Result<Vec<u64>, StoreError> {
        let mut lower = 0;
        let mut counts = Vec::with_capacity(bounds + 1);
        for at in 0..bounds {
            let count = sum(answers, at)?;
            let below = if self.order() == Order::Desc { total.saturating_sub(count) } else { count };
            counts.push(below.saturating_sub(lower));
            lower = below;
        }
        counts.push(total.saturating_sub(lower));
        Ok(counts)
    }
}

fn sum(answers: &[Answer], at: usize) -> Result<u64, StoreError> {
    Ok(each(answers, at)?.into_iter().sum())
}

fn versions(answers: &[Answer]) -> Option<Version> {
    version_of(&answers.iter().map(|answer| answer.version.clone()).collect::<Vec<_>>())
}
