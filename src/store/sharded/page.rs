//! The page: its rows, and once more after every answer is in. Where no part changed from the first answers to the last,
//! there was a moment at which the whole board held the page, and it is verified. Else it is tried once more, and then
//! shown with how far it can be off.

use super::Parts;
use super::asking::Reader;
use super::compose::{Read, composed};
use super::counts::Extras;
use super::frame::{Frame, frame};
use super::jump::{lost_position, reaching};
use super::locate::{Located, is_fixed};
use super::stretch::{Aim, Stretch};
use crate::board::entry::Member;
use crate::board::sharded::merge::Row;
use crate::query::error::StoreError;
use crate::query::page::{PageReply, PageRequest, PageStart};

/// Reads until one is verified. Beyond about one write in the time of a read it never would be.
const TRIES: u32 = 2;
/// So often a gap is read around for the rows of a page; more than once only near the ends and where the board moves.
const REACHES: u32 = 6;
/// So often a member or a position is looked for that moves away.
const SEARCHES: u32 = 3;

/// A page's rows, where it lies, and what was read for them.
pub(super) struct Framed {
    pub(super) aim: Aim,
    pub(super) stretch: Stretch,
    pub(super) frame: Frame,
    pub(super) rows: Vec<Row>,
}

impl<P: Parts> Reader<'_, P> {
    /// Answers `request`; beside it, in which part each member of the page was met.
    pub async fn page(&mut self, request: &PageRequest) -> Result<(PageReply, Vec<(Member, usize)>), StoreError> {
        self.grouping = request.scoring.grouping();
        let extras = Extras::of(request);
        let mut tries = 0;
        let mut framed = match self.located(request, &extras).await? {
            Ok(framed) => framed,
            Err(reply) => return Ok((reply, Vec::new())),
        };
        let mut before = extras.counts(&framed.stretch.answers)?;
        loop {
            let edges = extras.with_edges(&framed.rows, &before, request, self.order());
            let second = self.stretch(&framed.aim, &edges.questions()).await?;
            let after = edges.counts(&second.answers)?;
            let is_verified = self.is_one_moment(&second.answers) && !framed.stretch.is_torn;
            tries += 1;
            if is_verified || tries == TRIES || !self.lost().is_empty() {
                let scoring = request.scoring.clone();
                let read = Read { first: framed, before, second, after, is_verified, lost: self.lost(), scoring };
                let (page, met) = composed(self.order(), read);
                return Ok((PageReply::Page(Box::new(page)), met));
            }
            // Once more: what was read to check the page is the page now, where it has all rows of it.
            if let Some(again) = framed_again(request, framed.aim, second) {
                self.begin_from(&again.stretch.answers);
                (framed, before) = (again, after);
                continue;
            }
            self.begin_anew();
            framed = match self.located(request, &extras).await? {
                Ok(framed) => framed,
                Err(reply) => return Ok((reply, Vec::new())),
            };
            before = extras.counts(&framed.stretch.answers)?;
        }
    }

    /// Where the page is, and its rows.
    pub(super) async fn located(
        &mut self,
        request: &PageRequest,
        extras: &Extras,
    ) -> Result<Result<Framed, PageReply>, StoreError> {
        let mut searches = 0;
        loop {
            searches += 1;
            let (aim, read) = match self.locate(request, &extras.questions()).await? {
                Located::At(aim) => (aim, None),
                Located::Read(aim, stretch) => (aim, Some(*stretch)),
                Located::Nowhere(reply) => return Ok(Err(reply)),
            };
            match self.reached(request, extras, aim, read).await? {
                Reached::Page(framed) if searches < SEARCHES && has_moved(request, &framed) => self.begin_anew(),
                Reached::Page(framed) => return Ok(Ok(*framed)),
                Reached::Nothing => return Ok(Err(PageReply::NoFurther)),
                Reached::Far if searches < SEARCHES => self.begin_anew(),
                Reached::Far => {
                    return Err(StoreError::NotReady("the board moves too fast to find a position on it".to_owned()));
                }
            }
        }
    }

    /// Reads around the gap until the page is among the rows.
    async fn reached(
        &mut self,
        request: &PageRequest,
        extras: &Extras,
        mut aim: Aim,
        mut read: Option<Stretch>,
    ) -> Result<Reached, StoreError> {
        for _ in 0..REACHES {
            let stretch = match read.take() {
                Some(stretch) => stretch,
                None => self.stretch(&aim, &extras.questions()).await?,
            };
            let is_position = matches!(request.whence, PageStart::Row(_) | PageStart::Position(2..));
            if is_position && !self.lost().is_empty() {
                return Err(lost_position());
            }
            let Some(frame) = frame(request, stretch.position(), stretch.total()) else { return Ok(Reached::Nothing) };
            if let Some(rows) = stretch.rows(frame.start, frame.len) {
                return Ok(Reached::Page(Box::new(Framed { aim, stretch, frame, rows })));
            }
            aim = reaching(aim.gap, stretch.position(), frame.start, frame.len);
        }
        Ok(Reached::Far)
    }
}

/// The page by what was read to check it; `None` where the gap is not of the request alone, or rows are missing.
fn framed_again(request: &PageRequest, aim: Aim, second: Stretch) -> Option<Framed> {
    if !is_fixed(request) || second.is_torn {
        return None;
    }
    let frame = frame(request, second.position(), second.total())?;
    let rows = second.rows(frame.start, frame.len)?;
    Some(Framed { aim, stretch: second, frame, rows })
}

enum Reached {
    Page(Box<Framed>),
    /// There is no such score.
    Nothing,
    /// The board moved away from the gap.
    Far,
}

/// True where the member that was looked for does not stand where it was found: it is the first row below the gap.
fn has_moved(request: &PageRequest, framed: &Framed) -> bool {
    let PageStart::Member(member) = &request.whence else { return false };
    match framed.stretch.below.first() {
        Some(row) => row.entry.member != *member,
        None => framed.aim.below > 0,
    }
}
