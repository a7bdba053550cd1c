//! What the banner says.

use crate::board::drift::Drift;

/// What stands in the banner's line until it is answered or the page is turned again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Banner {
    /// The board changed between two pages.
    Changed {
        /// From which version to which, and where the edge of the page that was left stood and stands.
        drift: Drift,
        /// How many rows have come into what was read already; negative where rows have left it.
        shift: i64,
        /// Whether the page was turned towards the end of the board.
        is_forward: bool,
    },
    /// The board has no version key, so that changes between pages are seen by the rows alone. Said once.
    Unversioned,
}
