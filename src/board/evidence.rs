//! Evidence: what was asked and answered for a page, in words, so that a rank can be explained by what it came from.

/// A question to wherever a board lives, and its answer, each on one line. What came from a server in them is to be
/// escaped where it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The command with its arguments, long ones cut.
    pub command: String,
    /// What it answered, in short.
    pub reply: String,
}
