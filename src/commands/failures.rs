//! Failures to do with a board, each as the line and the hint that people read.

use crate::board::cursor::CursorError;
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::exit::{Exit, Failure};
use crate::query::error::StoreError;
use crate::text::{self, Charset};

impl Failure {
    /// `board` could not be read at `address`, which must not hold a password.
    pub fn unreadable(board: &Board, address: &str, trouble: &StoreError) -> Self {
        let message = format!("cannot read board '{}' at {address}: {trouble}", board_text(board));
        Self { hint: trouble.hint().map(str::to_owned), ..Self::new(Exit::Failed, message) }
    }

    /// There is no `board` at `address`.
    pub fn missing(board: &Board, address: &str) -> Self {
        Self::new(Exit::Missing, format!("no board '{}' at {address}", board_text(board)))
            .with_hint("check the key, and the number of the database in the URL")
    }

    /// What came back from `board` is no answer to what was asked.
    pub fn misfit(board: &Board, address: &str) -> Self {
        Self::unreadable(board, address, &StoreError::Other("the answer does not fit the question".into()))
    }

    /// A text is no cursor that can be used here.
    pub fn of_cursor(error: &CursorError) -> Self {
        let failure = Self::new(Exit::Usage, error.to_string());
        match error {
            CursorError::Direction { cursor, .. } => {
                failure.with_hint(format!("read the board in the cursor's order with --order {cursor}"))
            }
            _ => failure.with_hint("a cursor is what 'ranktop page' calls next or prev"),
        }
    }
}

/// The key of `board` as messages show it.
pub fn board_text(board: &Board) -> String {
    text::escape(board.key.as_ref(), Charset::Utf8)
}

/// `member` is not on `board`.
pub fn not_on_board(member: &Member, board: &Board) -> Failure {
    let member = text::escape(member.as_bytes(), Charset::Utf8);
    Failure::new(Exit::Missing, format!("'{member}' is not on board '{}'", board_text(board)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::order::Order;
    use crate::exit::report;

    fn board(key: &[u8]) -> Board {
        Board {
            key: key.to_vec().into(),
            order: Order::Desc,
            version_key: "x:version".into(),
            meta_key: "x:meta".into(),
        }
    }

    fn reported(failure: &Failure) -> String {
        let mut out = Vec::new();
        report(&mut out, failure).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_board_that_is_a_hash() {
        let trouble = StoreError::WrongType { found: "hash".into() };
        let failure = Failure::unreadable(&board(b"x"), "127.0.0.1:6379", &trouble);
        assert_eq!(
            reported(&failure),
            "error: cannot read board 'x' at 127.0.0.1:6379: WRONGTYPE: it is a hash, not a sorted set\n\
             hint: a board is a sorted set; companion keys such as ':names' are hashes\n"
        );
        assert_eq!(failure.exit, Exit::Failed);
    }

    #[test]
    fn whatever_is_in_it_a_message_is_one_line() {
        let trouble = StoreError::Other("ERR a\nb\x1b[2J\u{9b}\u{202e}".into());
        let text = reported(&Failure::unreadable(&board(b"a\xff\n\\ \xd1\x91"), "h:1", &trouble));
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(!text.trim_end().contains(|c: char| c.is_control() || c == '\u{202e}'), "{text:?}");
        assert!(text.contains(r"board 'a\xff\n\\ ё' at h:1: ERR a\nb"), "{text}");
    }
}
