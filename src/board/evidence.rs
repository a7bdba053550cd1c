//! Evidence: what was asked and answered for a page, in words, so that a rank can be explained by what it came from.

use std::time::Duration;

/// A question to wherever a board lives, and its answer, each on one line of printable ASCII but for the marks of cuts:
/// they may be drawn as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The command with its arguments, long ones cut.
    pub command: String,
    /// What it answered, in short.
    pub reply: String,
}

/// One trip to a server and back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trip {
    /// The commands that were sent in one piece, the first of them where there are very many, and their replies.
    pub exchanges: Vec<Exchange>,
    /// How many commands there were.
    pub commands: usize,
    /// From the first byte sent to the last byte of the replies.
    pub took: Duration,
    /// Bytes of the commands.
    pub sent: u64,
    /// Bytes that came meanwhile: the replies, and words of changes that came between them.
    pub got: u64,
}

/// A key, a member or another argument as `redis-cli` reads it, on one line; past `longest` bytes it is cut and marked.
pub fn argument(bytes: &[u8], longest: usize) -> String {
    let cut = bytes.get(..longest).unwrap_or(bytes);
    let mark = if cut.len() < bytes.len() { "…" } else { "" };
    let is_plain = !cut.is_empty() && cut.iter().all(|byte| byte.is_ascii_graphic() && !b"\"'\\".contains(byte));
    if is_plain { format!("{}{mark}", cut.escape_ascii()) } else { format!("\"{}\"{mark}", cut.escape_ascii()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_arguments_stand_as_they_are_and_others_are_quoted_and_cut() {
        for (bytes, shown) in [
            (&b"lb:{s}"[..], "lb:{s}"),
            (b"", r#""""#),
            (b"a b", r#""a b""#),
            (b"\xff\n", r#""\xff\n""#),
            (b"12345678", "12345678"),
            (b"123456789", "12345678…"),
        ] {
            assert_eq!(argument(bytes, 8), shown);
        }
    }
}
