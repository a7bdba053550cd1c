//! What commands that write do where the board lies in many sorted sets: each part is written by itself, over a connection
//! to the server that holds it. No two parts are written at one moment.

use std::collections::HashMap;
use std::time::Duration;

use crate::board::keys::Board;
use crate::commands::failures::board_text;
use crate::commands::write_report::unsent;
use crate::exit::{Exit, Failure};
use crate::query::error::StoreError;
use crate::store::redis::topology::Service;
use crate::store::redis::write::RedisWriter;
use crate::store::sharded::board::part_board;

/// The parts of a board to write to.
pub(super) struct PartWriters<'a> {
    service: &'a Service,
    what: &'static str,
    board: &'a Board,
    patience: Duration,
    /// By the number of the part; on one server all have the first.
    writers: HashMap<u32, RedisWriter>,
}

impl<'a> PartWriters<'a> {
    /// Writers to the parts of `board`, each connected when it is needed. `what` is what fails where one is not.
    pub(super) fn new(service: &'a Service, board: &'a Board, what: &'static str) -> Self {
        Self { service, what, board, patience: Duration::ZERO, writers: HashMap::new() }
    }

    /// Waits longer for each answer.
    pub(super) fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The part of this number, and a writer to it.
    pub(super) async fn part(&mut self, part: u32) -> Result<(Board, &mut RedisWriter), Failure> {
        let board = part_board(self.board, part);
        let slot = if self.service.has_one_server() { 0 } else { part };
        if !self.writers.contains_key(&slot) {
            let connected = self.service.connect_writer(&board.key, self.patience).await;
            let failed = |error: StoreError| unsent(self.what, &board, &self.service.to_string(), &error);
            self.writers.insert(slot, connected.map_err(failed)?);
        }
        match self.writers.get_mut(&slot) {
            Some(writer) => Ok((board, writer)),
            None => Err(Failure::misfit(self.board, &self.service.to_string())),
        }
    }
}

/// What is said where some of the parts have been written when another cannot be.
pub(super) fn partly(done: u32, of: u32, what: &str, failure: Failure) -> Failure {
    if done == 0 {
        return failure;
    }
    Failure { message: format!("{}; {done} of {of} shards are {what}", failure.message), ..failure }
}

/// What a command says that a board over many sorted sets has no use for.
pub(super) fn refused(command: &str, board: &Board, why: &str) -> Failure {
    Failure::new(Exit::Usage, format!("'{command}' cannot be used on board '{}': {why}", board_text(board)))
}
