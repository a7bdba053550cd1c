//! From where a page was asked to begin to the gap that it is read around: at once where that is a cursor, a score or an
//! end of the board, by one more trip where it is a member or a tie group, by a few where it is a position.

use super::Parts;
use super::asking::Reader;
use super::stretch::{Aim, Stretch, in_two_parts, malformed};
use crate::board::entry::{Entry, Member};
use crate::board::grouping::Grouping;
use crate::board::score::Score;
use crate::board::sharded::part::{Answer, Gap, Question, Reply};
use crate::query::error::StoreError;
use crate::query::page::{PageReply, PageRequest, PageStart, SEARCH_STEP};

/// Where to read.
pub(super) enum Located {
    /// Around this gap.
    At(Aim),
    /// Around this gap, and these are the rows, with what belongs to the page.
    Read(Aim, Box<Stretch>),
    /// Nowhere: that is the answer.
    Nowhere(PageReply),
}

/// True where the gap follows from the request alone, so that it is the same one however the board changes.
pub(super) fn is_fixed(request: &PageRequest) -> bool {
    matches!(
        request.whence,
        PageStart::Last
            | PageStart::After(_)
            | PageStart::Before(_)
            | PageStart::From(_)
            | PageStart::Place(_)
            | PageStart::Score(_)
            | PageStart::NextScore(_)
    )
}

impl<P: Parts> Reader<'_, P> {
    /// Finds the gap of `request`. `extra` questions go with rows that are read on the way and may be those of the page.
    pub(super) async fn locate(&mut self, request: &PageRequest, extra: &[Question]) -> Result<Located, StoreError> {
        let size = request.size;
        let around = |gap: Gap| Located::At(Aim { gap, above: request.lead, below: size.saturating_sub(request.lead) });
        Ok(match &request.whence {
            PageStart::After(place) => Located::At(Aim { gap: Gap::After(place.clone()), above: 0, below: size }),
            PageStart::Before(place) => Located::At(Aim { gap: Gap::Before(place.clone()), above: size, below: 0 }),
            PageStart::From(place) => Located::At(Aim { gap: Gap::Before(place.clone()), above: 0, below: size }),
            PageStart::Place(place) => around(Gap::Before(place.clone())),
            PageStart::Last => Located::At(Aim { gap: Gap::Bottom, above: size, below: 0 }),
            PageStart::Score(score) => around(self.group_start(*score)),
            PageStart::NextScore(score) => around(self.group_end(*score)),
            PageStart::PreviousScore(score) => match self.nearest_above(*score).await? {
                Some(score) => around(self.group_start(score)),
                None => Located::Nowhere(PageReply::NoFurther),
            },
            PageStart::NextTie(score) => match self.next_tie(*score).await? {
                Ok(score) => around(self.group_start(score)),
                Err(reply) => Located::Nowhere(reply),
            },
            PageStart::PreviousTie(score) => match self.previous_tie(*score).await? {
                Ok(score) => around(self.group_start(score)),
                Err(reply) => Located::Nowhere(reply),
            },
            PageStart::Member(member) => match self.find(member).await? {
                Some(entry) => around(Gap::Before(entry)),
                None => Located::Nowhere(PageReply::NotOnBoard),
            },
            PageStart::Position(position) => self.jump(position.saturating_sub(1), size, extra).await?,
            PageStart::Row(position) => {
                self.jump(position.saturating_sub(1).saturating_sub(request.lead), size, extra).await?
            }
        })
    }

    /// Where a member stands. All parts are asked: readers need not know how writers place members.
    async fn find(&mut self, member: &Member) -> Result<Option<Entry>, StoreError> {
        let answers = self.ask_of_record(|_| vec![Question::Score(member.clone())]).await?;
        Ok(found(&answers, 0, member)?.map(|score| Entry { member: member.clone(), score }))
    }

    /// The nearest score that is strictly better.
    async fn nearest_above(&mut self, score: Score) -> Result<Option<Score>, StoreError> {
        let aim = Aim { gap: self.group_start(score), above: 1, below: 0 };
        Ok(self.stretch(&aim, &[]).await?.above.first().map(|row| row.entry.score))
    }

    /// The score of the first tie group below all rows of this score, or what there is instead of one.
    async fn next_tie(&mut self, score: Score) -> Result<Result<Score, PageReply>, StoreError> {
        let aim = Aim { gap: self.group_end(score), above: 0, below: SEARCH_STEP };
        let stretch = self.stretch(&aim, &[]).await?;
        let reached = stretch.position() + stretch.below.len() as u64;
        let scores: Vec<Score> = stretch.below.iter().map(|row| row.entry.score).collect();
        Ok(tie(&scores, self.grouping, stretch.total() > reached, reached))
    }

    /// The score of the nearest tie group above all rows of this score, or what there is instead of one.
    async fn previous_tie(&mut self, score: Score) -> Result<Result<Score, PageReply>, StoreError> {
        let aim = Aim { gap: self.group_start(score), above: SEARCH_STEP, below: 0 };
        let stretch = self.stretch(&aim, &[]).await?;
        let left = stretch.position().saturating_sub(stretch.above.len() as u64);
        let scores: Vec<Score> = stretch.above.iter().map(|row| row.entry.score).collect();
        Ok(tie(&scores, self.grouping, left > 0, left + 1))
    }
}

/// The nearest two neighbours of one score among `scores`, which lead away from where the search began. A group of two may
/// lie in two parts, alone in each: only merged rows show it.
fn tie(scores: &[Score], grouping: Grouping, goes_on: bool, reached: u64) -> Result<Score, PageReply> {
    if let Some(pair) = scores.windows(2).find(|pair| grouping.is_same(pair[0], pair[1])) {
        return Ok(pair[0]);
    }
    match scores {
        [.., from, _] if goes_on => Err(PageReply::Onward { from: *from, reached }),
        _ => Err(PageReply::NoFurther),
    }
}

/// The score of `member` by the replies at index `at`. A member in two parts is an error.
pub(super) fn found(answers: &[Answer], at: usize, member: &Member) -> Result<Option<Score>, StoreError> {
    let mut found: Option<(usize, Score)> = None;
    for (part, answer) in answers.iter().enumerate() {
        let Some(Reply::Score(score)) = answer.replies.get(at) else { return Err(malformed()) };
        if let Some(score) = score
            && let Some((other, _)) = found.replace((part, *score))
        {
            return Err(in_two_parts(member.as_bytes(), other, part));
        }
    }
    Ok(found.map(|(_, score)| score))
}
