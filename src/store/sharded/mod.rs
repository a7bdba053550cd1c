//! One board over many sorted sets, read as one: pages, ranks, ties and jumps come out as one sorted set of the same rows
//! would give them, and what is exact is told from what can be off.
//!
//! [`Parts`] carries questions to the parts, all of them at once; what is asked and how the answers are put together is
//! decided here and in `board::sharded`. A read is a few trips: where the page is (`locate`, `jump`), its rows (`stretch`),
//! and the same once more after every answer is in (`page`), which shows whether there was a moment at which the whole
//! board held them.

use crate::board::keys::Board;
use crate::board::sharded::part::{Answer, Question};
use crate::query::error::StoreError;

mod asking;
pub mod board;
mod compose;
mod counts;
mod distribution;
mod frame;
mod jump;
mod locate;
mod page;
mod place;
mod stretch;
#[cfg(test)]
mod tests;

pub use asking::Reader;
pub use place::Placement;

/// The questions to one part of a trip.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The index of the part.
    pub part: usize,
    /// The questions.
    pub questions: Vec<Question>,
}

/// Whoever can ask parts.
#[expect(async_fn_in_trait, reason = "one thread drives a store; its futures need not be Send")]
pub trait Parts {
    /// How many parts the board has.
    fn count(&self) -> usize;

    /// Another number once a part is asked over another connection: a server that took over may have counted to the same
    /// version again.
    fn epoch(&self) -> u64 {
        0
    }

    /// One trip: all queries at once, and the answers in their order. Each part answers, or fails, by itself; the answer of
    /// a part is of one moment, those of two parts are not.
    async fn trip(&mut self, board: &Board, queries: &[Query]) -> Result<Vec<Result<Answer, StoreError>>, StoreError>;
}
