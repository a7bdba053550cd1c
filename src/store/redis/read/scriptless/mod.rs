//! Reading without scripts, for those who may not run them, with the same answers.
//!
//! Guess, read, check: all commands that an answer is thought to need go out as one batch, and the answer is worked out
//! from what that batch brought and nothing else. Where something is missing, because a guess was wrong or the board
//! moved, the next batch asks for it again together with the rest. So an answer that comes out is of one moment by itself,
//! wherever the batch is: inside a transaction always, in a plain pipeline where the version is the same at both its ends.
//!
//! Round trips on a board that stands still: 1 to read the same page again, and for a position, the last page, or a turn
//! from an edge of the page before; 2 from a member or a score; 2 or 3 to the next score or tie group, up to 4 to the
//! one before; one more where the page cuts a tie group that was not cut before, and one more for dense ranks. A place
//! whose member has left it costs up to 6 more in a tie group of 10^7, unless its neighbours were guessed. Each command
//! is O(log n + rows); besides the page, a search for ties reads [`SEARCH_STEP`] rows and dense ranks all rows above.
//!
//! [`SEARCH_STEP`]: crate::query::page::SEARCH_STEP

use crate::board::keys::Board;
use crate::query::error::StoreError;
use crate::query::page::{PageReply, PageRequest, PageStart};
use crate::store::redis::{ReadFailure, RedisSource, rank_command};
use resolver::{Resolver, Unsettled};
use snapshot::{Snapshot, Unity};

mod locate;
mod prefetch;
pub(super) mod read_set;
pub(super) mod resolver;
pub(super) mod snapshot;

pub(in crate::store::redis) use prefetch::Prefetch;

/// After so many round trips an answer is put together from several moments, and marked so. The longest way on a board
/// that stands still takes nine.
const TRIPS: u32 = 10;

impl RedisSource {
    /// Reads the page of `ask`.
    pub(in crate::store::redis) async fn read_plainly(
        &mut self,
        board: &Board,
        ask: &PageRequest,
    ) -> Result<PageReply, ReadFailure> {
        if let (PageStart::Member(_), false) = (&ask.whence, self.access.has_lookups) {
            return Err(
                StoreError::NoPermission { command: rank_command(board).to_owned(), key: board.key.clone() }.into()
            );
        }
        let mut wants = self.guesses.wants(board, ask);
        let mut older: Option<Snapshot> = None;
        for trip in 0..2 * TRIPS {
            let mut moment = self.read_moment(board, ask.scoring.grouping(), &wants, true).await?;
            let is_strict = trip < TRIPS;
            if !is_strict && let Some(older) = older {
                moment.complete(older);
            }
            let mut inquiry = Resolver::new((board.order, ask.scoring.grouping()), &moment, margin(trip))
                .with_lookups(self.access.has_lookups);
            let found = match inquiry.answer(ask) {
                Ok(answer) | Err(Unsettled::Instead(answer)) => Some(answer),
                Err(Unsettled::Missing) => None,
            };
            let mut consulted = inquiry.into_wants();
            if let Some(mut answer) = found {
                let is_sound = is_coherent(&answer) && moment.unity != Unity::Torn;
                if is_sound || !is_strict {
                    if let PageReply::Page(page) = &mut answer {
                        page.window.verified = is_sound && is_strict && moment.unity == Unity::One;
                        self.guesses.remember(board, ask, &page.window, consulted);
                    }
                    return Ok(answer);
                }
            }
            consulted.keep_look_ups(wants);
            wants = consulted;
            older = Some(moment);
        }
        Err(StoreError::NotReady("the board changes faster than it can be read".to_owned()).into())
    }
}

fn is_coherent(answer: &PageReply) -> bool {
    match answer {
        PageReply::Page(page) => page.window.is_coherent(),
        _ => true,
    }
}

/// How many rows more are read on either side of those that are needed: the one next to them tells a count at an edge,
/// and more of them hold on to a place that moves from trip to trip.
fn margin(trip: u32) -> u64 {
    1 << (trip / 2).min(6)
}
