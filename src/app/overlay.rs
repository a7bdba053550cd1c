//! What is open above the table.

use crate::app::periods::list::Browse;
use crate::app::prompt::Prompt;

/// What is open above the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// The keys; scrolled by so many lines.
    Help(u16),
    /// Why the selected row has its rank.
    Inspector,
    /// The periods of the board.
    Periods(Browse),
    /// How the scores of the whole board are spread.
    Distribution,
    /// What is sent to the server.
    Trace,
    /// A line that is being typed.
    Prompt(Prompt),
    /// The boards of this server.
    Boards,
}
