//! A contest in the time of the clock: what is to be written to a board, and when. Whoever plays it writes it, and knows
//! where.

use std::iter::Peekable;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::board::entry::Member;
use crate::board::score::Score;
use crate::simulation::{Contest, Player, Step, Write};
use crate::store::Change;

/// How many writes go into one transaction at most, so that none takes long.
pub(super) const BATCH: usize = 1_000;
/// By how much a contest that is written too slowly may lag before it goes on from now.
const LAG: Duration = Duration::from_secs(1);

/// A contest that is played.
pub(super) struct ContestRunner {
    steps: Peekable<Contest>,
    due: Instant,
}

impl ContestRunner {
    /// Begins now.
    pub(super) fn new(contest: Contest) -> Self {
        Self { steps: contest.peekable(), due: Instant::now() }
    }

    /// Waits for the next write and adds it to `changes`, with all that are due by then; how many writes they are, 1 to
    /// [`BATCH`]. One that is waited for is lost where the wait is given up.
    pub(super) async fn wait(&mut self, changes: &mut Vec<Change>) -> usize {
        // After the process was stopped for a while, or where writes take longer than they may, it goes on from now.
        if let Some(earliest) = Instant::now().checked_sub(LAG) {
            self.due = self.due.max(earliest);
        }
        let mut writes = 0;
        let is_due = |step: &Step, due: Instant| due + step.after <= Instant::now();
        while let Some(Step { after, write }) = self.steps.next_if(|step| writes == 0 || is_due(step, self.due)) {
            self.due += after;
            sleep_until(self.due).await;
            changes.extend(changed(write));
            writes += 1;
            if writes == BATCH {
                break;
            }
        }
        writes
    }
}

/// What it takes for a player to be on the board.
pub(super) fn entered(player: Player) -> impl Iterator<Item = Change> {
    let name = Change::Name(player.id.clone(), player.name.into_bytes().into());
    std::iter::once(name).chain(score(player.id, player.score))
}

fn changed(write: Write) -> Vec<Change> {
    match write {
        Write::Score { id, score: value } => score(id, value).into_iter().collect(),
        Write::Leave { id } => vec![Change::Leave(id)],
        Write::Join { player } => entered(player).collect(),
    }
}

fn score(id: Member, value: f64) -> Option<Change> {
    Score::new(value).map(|score| Change::Score(id, score))
}
