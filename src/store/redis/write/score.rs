//! Changing one score by one script, so that the score, the version and the board's state are of one moment. What is said
//! about it to people is not its concern.

use std::sync::LazyLock;

use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::order::Order;
use crate::board::score::Score;
use crate::board::version::Version;
use crate::query::error::StoreError;
use crate::store::redis::reply;
use crate::store::redis::write::RedisWriter;
use crate::store::redis::write::script::{malformed, script};

static SCORE: LazyLock<String> = LazyLock::new(|| script(include_str!("../../../../assets/lua/score.lua")));

/// How a score is to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// So much is added to it; to zero, where the member is new.
    By(Score),
    /// It is this one now.
    Set(Score),
}

/// What became of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// It is made.
    Written {
        /// The score before it; `None` where the member was not on the board.
        before: Option<Score>,
        /// The score now.
        after: Score,
        /// The competition rank now, from 1.
        rank: u64,
        /// The version that counts this change.
        version: Version,
        /// The board is closing, and took it within the time of grace.
        is_late: bool,
    },
    /// Nothing was written: the board is closed, since this moment in Unix milliseconds where it says so.
    Closed(Option<i64>),
    /// Nothing was written: the board is closing, and took late scores until this moment only, where it took any.
    Over(Option<i64>),
    /// Nothing was written: from this score, the step would lead to no finite number.
    Infinite(Option<Score>),
}

impl RedisWriter {
    /// Changes the score of `member` and counts the version up, both or neither. Makes the member, and the board, where
    /// they are not there. Ranks are counted in `order`, else in the order that the board's meta hash says, else from the
    /// highest score.
    ///
    /// O(log n), one round trip. Where no answer came, whether it was written is not known.
    pub async fn score(
        &mut self,
        board: &Board,
        order: Option<Order>,
        member: &Member,
        step: Step,
    ) -> Result<Scoring, StoreError> {
        let (how, number) = match step {
            Step::By(number) => ("by", number),
            Step::Set(number) => ("set", number),
        };
        let (number, order) = (number.to_string(), order.map(|order| order.to_string()).unwrap_or_default());
        let args = [how.as_bytes(), number.as_bytes(), member.as_bytes(), order.as_bytes()];
        let mut words = self.attempt(&SCORE, board, &args).await?;
        Ok(match words.text()?.as_str() {
            "written" => Scoring::Written {
                before: reply::maybe_score(words.next()?)?,
                after: reply::maybe_score(words.next()?)?.ok_or_else(malformed)?,
                rank: words.count()?.saturating_add(1),
                version: reply::version(words.next()?)?.ok_or_else(malformed)?,
                is_late: words.count()? == 1,
            },
            "closed" => Scoring::Closed(words.moment()),
            "over" => Scoring::Over(words.moment()),
            "infinite" => Scoring::Infinite(reply::maybe_score(words.next()?)?),
            _ => return Err(malformed()),
        })
    }
}
