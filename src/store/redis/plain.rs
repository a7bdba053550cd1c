//! Reading without scripts.

use super::{RedisHome, Setback};
use crate::board::ask::{Answer, Ask, Board};

/// Guesses.
#[derive(Default)]
pub(super) struct Guesses {}

impl RedisHome {
    pub(super) async fn read_plainly(&mut self, _board: &Board, _ask: &Ask) -> Result<Answer, Setback> {
        Err(Setback::StepDown)
    }
}
