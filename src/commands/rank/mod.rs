//! `ranktop rank`: prints where members stand, each alone or among its neighbours. It knows boards by the interface of
//! their home, and writes to whatever it is given.

#[cfg(test)]
mod tests;

use crate::cli::RankArgs;
use std::io::Write;

use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::names::NamesLocation;
use crate::board::rank::RankStyle;
use crate::board::window::Window;
use crate::commands::consistency::Moments;
use crate::commands::failures::{board_text, not_on_board};
use crate::commands::output::ListFormat;
use crate::commands::output::ranks::{Asked, Found, Ranks};
use crate::commands::reader::{ReadOptions, Reader};
use crate::exit::{Exit, Failure, forgive_closed_pipe, warn};
use crate::query::page::{PageReply, PageRequest, PageStart};
use crate::store::BoardSource;

/// How often the members are read again so that all of them are of one moment.
const REREADS: u32 = 3;

/// Who is wanted, and in which form.
#[derive(Clone, Debug, PartialEq)]
pub struct RankRequest {
    /// Where and how the board is read.
    pub wishes: ReadOptions,
    /// The members, at least one.
    pub members: Vec<Member>,
    /// How many neighbours are wanted on either side, where any are.
    pub around: Option<u64>,
    /// In which form they are printed.
    pub format: ListFormat,
}

/// Prints where the members that `request` names stand on `board`. Costs one read, one for each member (two where it is
/// not on the board), all of these up to four times where the board changes meanwhile, and one for the names of each
/// thousand rows. `err` gets what is said about names that are left out, and about members read at different moments.
/// Members that are not on the board are a failure once all are printed.
pub async fn rank<H: BoardSource>(
    home: &mut H,
    board: &Board,
    names: &NamesLocation,
    request: &RankRequest,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Result<(), Failure> {
    let mut places = Places { reader: Reader::new(home, board, &request.wishes), around: request.around.unwrap_or(0) };
    let (head, style) = places.head().await?;
    let (mut members, moments) = places.all(&request.members, style).await?;
    let mut reader = places.reader;
    if let Some(warning) = moments.warning() {
        // Whether or not somebody reads it, the members are what was asked for.
        let _ = warn(err, &warning);
    }
    name(&mut members, names, &mut reader, err).await?;
    let has_neighbours = request.around.is_some();
    let ranks = Ranks { board: &reader.board, head: &head, style, has_neighbours, members: &members };
    forgive_closed_pipe(ranks.write(request.format, out))
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot write the ranks: {error}")))?;
    absence(&members, &reader.board)
}

/// Reads members at one moment.
struct Places<'a, H> {
    reader: Reader<'a, H>,
    /// How many neighbours are read on either side.
    around: u64,
}

impl<H: BoardSource> Places<'_, H> {
    /// What the board says of itself, and the style that is due; the order that is due is set.
    async fn head(&mut self) -> Result<(Window, RankStyle), Failure> {
        let mut ask = PageRequest::new(PageStart::Position(1), 1);
        let head = self.reader.window(&ask).await?;
        let due = self.reader.due(&head.meta);
        self.reader.settle(&due, &mut ask);
        Ok((head, due.1))
    }

    /// Where `members` stand, in their order and at one moment where that can be had.
    async fn all(&mut self, members: &[Member], style: RankStyle) -> Result<(Vec<Asked>, Moments), Failure> {
        let mut rereads = REREADS;
        loop {
            let mut moments = Moments::default();
            let mut read = Vec::with_capacity(members.len());
            for member in members {
                read.push(self.asked(member, style, &mut moments).await?);
                if rereads > 0 && moments.differ() {
                    break;
                }
            }
            if rereads == 0 || !moments.differ() {
                return Ok((read, moments));
            }
            rereads -= 1;
        }
    }

    /// Where whoever is asked for stands: a member, or where members are packed, the first one that has it for its id.
    async fn asked(&mut self, member: &Member, style: RankStyle, moments: &mut Moments) -> Result<Asked, Failure> {
        let found = self.one(member, style, moments).await?;
        if found.is_none()
            && let Some(whole) = self.reader.member_of(member).await?
        {
            let found = self.one(&whole, style, moments).await?;
            return Ok(Asked { member: whole, found });
        }
        Ok(Asked { member: member.clone(), found })
    }

    async fn one(
        &mut self,
        member: &Member,
        style: RankStyle,
        moments: &mut Moments,
    ) -> Result<Option<Found>, Failure> {
        let mut ask = PageRequest::new(PageStart::Member(member.clone()), 1 + 2 * self.around);
        ask.lead = self.around;
        ask.dense = style == RankStyle::Dense;
        match self.reader.ask(&ask).await? {
            PageReply::Page(page) => {
                moments.note(&page.window);
                let found = page.window.find(member).and_then(|index| neighbours(&page.window, index, self.around));
                found.map(Some).ok_or_else(|| self.reader.misfit())
            }
            PageReply::NotOnBoard => {
                // That answer has no version. This one has, and tells whether the member has come since.
                let ask = PageRequest { track: Some(member.clone()), ..PageRequest::new(PageStart::Position(1), 1) };
                let PageReply::Page(page) = self.reader.ask(&ask).await? else { return Err(self.reader.misfit()) };
                moments.note(&self.reader.present(page.window)?);
                if page.tracked.is_some() {
                    moments.tear();
                }
                Ok(None)
            }
            PageReply::NoFurther | PageReply::Onward { .. } => Err(self.reader.misfit()),
        }
    }
}

/// Row `index` of `window` with up to `around` rows on either side. A window is filled up at the ends of a board, so it
/// may have more. `None` where it has no such row.
fn neighbours(window: &Window, index: usize, around: u64) -> Option<Found> {
    let around = usize::try_from(around).unwrap_or(usize::MAX);
    let first = index.saturating_sub(around);
    let last = index.saturating_add(around).min(window.len().saturating_sub(1));
    let (top, bottom) = (window.standing(first)?, window.standing(last)?);
    let part = Window {
        start: top.position,
        entries: window.entries.get(first..=last)?.to_vec(),
        better_than_first: top.better,
        through_last: bottom.better + bottom.tied,
        distinct_better: top.distinct_better,
        ..window.clone()
    };
    Some(Found { names: vec![None; part.len()], window: part, index: index - first })
}

/// Adds the names of all rows.
async fn name<H: BoardSource>(
    members: &mut [Asked],
    home: &NamesLocation,
    reader: &mut Reader<'_, H>,
    err: &mut impl Write,
) -> Result<(), Failure> {
    let all: Vec<_> = members
        .iter()
        .filter_map(|asked| asked.found.as_ref())
        .flat_map(|found| found.window.entries.iter().map(|entry| entry.member.clone()))
        .collect();
    let mut names = reader.names(home, &all, err).await?.into_iter();
    for found in members.iter_mut().filter_map(|asked| asked.found.as_mut()) {
        found.names.iter_mut().zip(names.by_ref()).for_each(|(slot, name)| *slot = name);
    }
    Ok(())
}

/// The failure where members are not on the board.
fn absence(members: &[Asked], board: &Board) -> Result<(), Failure> {
    let mut absent = members.iter().filter(|asked| asked.found.is_none());
    let Some(first) = absent.next() else { return Ok(()) };
    Err(match 1 + absent.count() {
        1 => not_on_board(&first.member, board),
        count => {
            let message = format!("{count} of {} members are not on board '{}'", members.len(), board_text(board));
            Failure::new(Exit::Missing, message)
        }
    })
}

impl RankArgs {
    /// Who is wanted. `color` is whether a table has colours.
    pub fn request(self, wishes: ReadOptions, color: bool) -> RankRequest {
        let members = self.members.into_iter().map(|member| Member::from(member.into_encoded_bytes())).collect();
        RankRequest { wishes, members, around: self.around, format: self.format.with(color) }
    }
}
