//! Evidence: what was asked and answered for a page, in words, so that a rank can be explained by what it came from.

use std::time::Duration;

/// A question to wherever a board lives, and its answer, each on one line of printable ASCII but for the marks of cuts:
/// they may be drawn as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandReply {
    /// The command with its arguments, long ones cut.
    pub command: String,
    /// What it answered, in short.
    pub reply: String,
}

/// One trip to a server and back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundTrip {
    /// The commands that were sent in one piece, the first of them where there are very many, and their replies.
    pub exchanges: Vec<CommandReply>,
    /// How many commands there were.
    pub commands: usize,
    /// From the first byte sent to the last byte of the replies.
    pub took: Duration,
    /// Bytes of the commands.
    pub sent: u64,
    /// Bytes that came meanwhile: the replies, and words of changes that came between them.
    pub got: u64,
}
