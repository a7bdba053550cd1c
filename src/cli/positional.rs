//! The words that stand by their place: BOARD and MEMBER. Beside '--game' there is no BOARD.

use std::ffi::OsString;

use super::{Cli, Command};
use crate::exit::{Exit, Failure};

/// Gives each word its place: beside a game there is no BOARD, so that what stands first is a member where one is wanted.
pub(super) fn sort(cli: &mut Cli) -> Result<(), Failure> {
    match &mut cli.command {
        None => cli.watch.reading.which.instead_of(cli.watch.board.as_ref()),
        Some(Command::Page(page)) => page.reading.which.needed("page", page.board.as_ref()),
        Some(Command::Ties(ties)) => ties.which.needed("ties", ties.board.as_ref()),
        Some(Command::Export(export)) => export.reading.which.needed("export", export.board.as_ref()),
        Some(Command::Close(close)) => close.which.needed("close", close.board.as_ref()),
        Some(Command::Freeze(freeze)) => freeze.which.needed("freeze", freeze.board.as_ref()),
        Some(Command::Audit(audit)) => audit.which.needed("audit", audit.board.as_ref()),
        Some(Command::Simulate(simulate)) => simulate.which.needed("simulate", simulate.board.as_ref()),
        Some(Command::Diff(diff)) => {
            if diff.reading.which.game.is_some() && diff.other.is_none() {
                diff.other = diff.board.take();
            }
            diff.reading.which.needed_twice(diff.board.as_ref(), diff.other.is_some(), diff.to.is_some())
        }
        Some(Command::Rank(rank)) => {
            if rank.reading.which.game.is_some() {
                rank.members.splice(..0, rank.board.take());
            }
            let is_empty = rank.members.is_empty();
            rank.reading.which.has_members("rank", "<MEMBER>...", rank.board.as_ref(), is_empty)
        }
        Some(Command::Score(score)) => {
            if score.which.game.is_some()
                && let Some(first) = score.board.take()
            {
                match &score.member {
                    None => score.member = Some(first),
                    Some(second) => return Err(one_too_many(second)),
                }
            }
            score.which.has_members("score", "<MEMBER>", score.board.as_ref(), score.member.is_none())
        }
        Some(
            Command::Boards(_) | Command::Demo(_) | Command::Config(_) | Command::Completions(_) | Command::Man(_),
        ) => Ok(()),
    }
}

fn one_too_many(word: &OsString) -> Failure {
    Failure::new(Exit::Usage, format!("unexpected argument '{}' found", word.to_string_lossy()))
        .with_hint("'--game' stands in the place of BOARD, so that one MEMBER is all that is left to name")
}
