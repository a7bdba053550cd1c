//! `ranktop ties`: prints the tie groups of a board from a position on. It knows boards by the interface of their home,
//! and writes to whatever it is given.

#[cfg(test)]
mod tests;

use crate::cli::TiesArgs;
use std::io::Write;

use crate::board::keys::Board;
use crate::board::rank::{RankStyle, Standing};
use crate::board::score::Score;
use crate::board::window::Window;
use crate::commands::consistency::Moments;
use crate::commands::output::ListFormat;
use crate::commands::output::ties::{Tie, Ties};
use crate::commands::reader::{ReadOptions, Reader};
use crate::exit::{Exit, Failure, forgive_closed_pipe, warn};
use crate::query::page::{PageReply, PageRequest, PageStart};
use crate::store::BoardSource;

/// How many rows one read brings: several groups at once where they are small and close together.
const ROWS: u64 = 200;

/// Which tie groups are wanted, and in which form.
#[derive(Clone, Debug, PartialEq)]
pub struct TiesRequest {
    /// Where and how the board is read.
    pub wishes: ReadOptions,
    /// The first group is the one that contains this position, from 1, or else the next one below it.
    pub at: u64,
    /// How many groups are wanted, at least 1.
    pub limit: usize,
    /// In which form they are printed.
    pub format: ListFormat,
}

/// Prints the tie groups that `request` wants of `board`. Costs one read, a second one where the board itself asks for
/// another order or for dense ranks, then at most one for each group and for each thousand rows without one, and one to see
/// whether the board has changed. How large a group is costs nothing. `err` gets what is said about a board that changes on the way.
pub async fn ties<H: BoardSource>(
    home: &mut H,
    board: &Board,
    request: &TiesRequest,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Result<(), Failure> {
    let mut reader = Reader::new(home, board, &request.wishes);
    let mut ask = PageRequest::new(PageStart::Position(request.at), ROWS);
    ask.dense = request.wishes.rank_style == Some(RankStyle::Dense);
    let first = reader.window(&ask).await?;
    let due = reader.due(&first.meta);
    let head = if reader.settle(&due, &mut ask) { first } else { reader.window(&ask).await? };

    let mut walk =
        Walk { reader, ask, limit: request.limit, groups: Vec::new(), next: None, reads: Moments::default() };
    walk.go(&head).await?;
    if let Some(warning) = walk.reads.warning() {
        // Whether or not somebody reads it, the groups are what was asked for.
        let _ = warn(err, &warning);
    }
    let ties = Ties {
        board: &walk.reader.board,
        head: &head,
        style: due.1,
        at: request.at,
        groups: &walk.groups,
        next: walk.next,
    };
    forgive_closed_pipe(ties.write(request.format, out))
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot write the tie groups: {error}")))
}

/// Goes down a board from group to group. Each step begins strictly below a score, and these get ever worse, so that no
/// group comes twice, whatever is written meanwhile.
struct Walk<'a, H> {
    reader: Reader<'a, H>,
    /// What all reads have in common.
    ask: PageRequest,
    limit: usize,
    groups: Vec<Tie>,
    next: Option<u64>,
    reads: Moments,
}

impl<H: BoardSource> Walk<'_, H> {
    /// Collects the groups of `head` and those below it.
    async fn go(&mut self, head: &Window) -> Result<(), Failure> {
        self.reads.note(head);
        self.take(head, None);
        let mut reached = last_of(head);
        while let Some(score) = reached.filter(|_| self.next.is_none()) {
            reached = self.step(score).await?;
        }
        Ok(())
    }

    /// Looks strictly below `from`. The score below which the search goes on; `None` where it ends.
    async fn step(&mut self, from: Score) -> Result<Option<Score>, Failure> {
        self.ask.whence = PageStart::NextTie(from);
        match self.reader.ask(&self.ask).await? {
            PageReply::Page(page) => {
                self.reads.note(&page.window);
                self.take(&page.window, Some(from));
                Ok(last_of(&page.window))
            }
            PageReply::NoFurther => self.note_the_end().await,
            PageReply::Onward { reached, .. } if self.is_full() => {
                // Whether there is a further group is not worth a walk to the end of the board.
                self.next = Some(reached);
                self.note_the_end().await
            }
            PageReply::Onward { from, .. } => Ok(Some(from)),
            PageReply::NotOnBoard => Err(self.reader.misfit()),
        }
    }

    /// Ends the search. The answer that ended it has no version; this read has.
    async fn note_the_end(&mut self) -> Result<Option<Score>, Failure> {
        match self.reader.ask(&PageRequest::new(PageStart::Position(1), 1)).await? {
            PageReply::Page(page) => self.reads.note(&page.window),
            _ => return Err(self.reader.misfit()),
        }
        Ok(None)
    }

    fn is_full(&self) -> bool {
        self.groups.len() >= self.limit
    }

    /// Takes the groups of `window` that are strictly below `from`. A window is filled up at the end of a board, so it
    /// may begin above that.
    fn take(&mut self, window: &Window, from: Option<Score>) {
        let mut last = from;
        for (entry, standing) in window.entries.iter().zip(window.standings()) {
            let Some(group) = standing.tie_group() else { continue };
            if last.is_some_and(|last| !window.scoring.grouping().is_better(window.order, last, entry.score)) {
                continue;
            }
            if self.is_full() {
                self.next = Some(standing.position);
                return;
            }
            let standing = Standing { position: group.first, ..standing };
            self.groups.push(Tie { group, score: entry.score, standing });
            last = Some(entry.score);
        }
    }
}

/// The score of the last row, where there are more rows below all of its score.
fn last_of(window: &Window) -> Option<Score> {
    let last = window.entries.last()?;
    (window.through_last < window.total).then_some(last.score)
}

impl TiesArgs {
    /// Which groups are wanted. `color` is whether a table has colours.
    pub fn request(self, wishes: ReadOptions, color: bool) -> TiesRequest {
        TiesRequest { wishes, at: self.at, limit: self.limit.into(), format: self.format.with(color) }
    }
}
