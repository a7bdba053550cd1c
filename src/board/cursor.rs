//! Cursors: places between rows, as text that can be copied, kept and handed to another program.
//!
//! A cursor is the place of the last row read, not a row number: going on from it neither repeats nor skips anybody
//! whose score did not change, whether or not that row is still there.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::bytes::JsonBytes;
use super::drift::Boundary;
use super::entry::{Entry, Member};
use super::keys::Key;
use super::order::Order;
use super::score::Score;
use super::version::Version;
use crate::board::keys::Board;

/// A place in the order of one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The board's key.
    pub board: Key,
    /// The order in which it was read.
    pub direction: Order,
    /// The row that was read last; the place stays where it was when the row moves.
    pub place: Entry,
    /// At which version.
    pub version: Option<Version>,
    /// The boundary at which the cursor was made, where it was recorded.
    pub position: Option<u64>,
}

/// Why a text is no cursor for this board. It is never quietly taken for page one.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CursorError {
    /// The text is not unpadded Base64URL.
    #[error("the cursor is not Base64URL without padding")]
    Encoding,
    /// What the text holds is not a cursor.
    #[error("the cursor has a wrong shape: {0}")]
    Shape(String),
    /// It was made on another board.
    #[error("the cursor is of board '{}', not of '{}'", .cursor.as_ref().escape_ascii(), .board.as_ref().escape_ascii())]
    Board {
        /// The cursor's board.
        cursor: Key,
        /// The board it was used on.
        board: Key,
    },
    /// It was made in the other order.
    #[error("the cursor is of direction {cursor}, but the board is read {board}")]
    Direction {
        /// The cursor's order.
        cursor: Order,
        /// The order in which the board is read.
        board: Order,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shape {
    board: JsonBytes,
    direction: Order,
    score: Score,
    member: JsonBytes,
    version: Option<JsonBytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<u64>,
}

impl Cursor {
    /// The text of this cursor: Base64URL without padding of a JSON object.
    pub fn encode(&self) -> String {
        let shape = Shape {
            board: JsonBytes(self.board.as_ref().to_vec()),
            direction: self.direction,
            score: self.place.score,
            member: JsonBytes(self.place.member.as_bytes().to_vec()),
            version: self.version.as_ref().map(|version| JsonBytes(version.as_bytes().to_vec())),
            position: self.position,
        };
        // Strings, numbers and nulls always serialise.
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(&shape).unwrap_or_default())
    }

    /// Reads a cursor; keys may come in any order, unknown and repeated ones are refused.
    pub fn decode(text: &str) -> Result<Self, CursorError> {
        let json = URL_SAFE_NO_PAD.decode(text).map_err(|_| CursorError::Encoding)?;
        let shape: Shape = serde_json::from_slice(&json).map_err(|error| CursorError::Shape(error.to_string()))?;
        Ok(Self {
            board: Key::from(shape.board.0),
            direction: shape.direction,
            place: Entry { member: Member::from(shape.member.0), score: shape.score },
            version: shape.version.map(|version| Version::from(version.0)),
            position: shape.position,
        })
    }

    /// Refuses a cursor that was made on another board or in the other order.
    pub fn check(&self, board: &Board) -> Result<(), CursorError> {
        if self.board != board.key {
            return Err(CursorError::Board { cursor: self.board.clone(), board: board.key.clone() });
        }
        if self.direction != board.order {
            return Err(CursorError::Direction { cursor: self.direction, board: board.order });
        }
        Ok(())
    }

    /// The boundary at which this cursor was made, to be compared with where it stands now.
    pub fn boundary(&self) -> Boundary {
        Boundary { version: self.version.clone(), position: self.position }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encoded(json: &str) -> String {
        URL_SAFE_NO_PAD.encode(json)
    }

    #[test]
    fn reads_keys_in_any_order_and_infinite_scores() {
        let text =
            encoded(r#"{"member":{"base64":"//4="},"score":"-inf","version":null,"direction":"asc","board":"b"}"#);
        let cursor = Cursor::decode(&text).unwrap();
        assert_eq!(cursor.place.member.as_bytes(), b"\xff\xfe");
        assert!(cursor.place.score.get().is_infinite());
        assert_eq!((cursor.version, cursor.position), (None, None));
    }

    #[test]
    fn refuses_with_the_reason() {
        let good = r#""board":"b","direction":"asc","score":1,"member":"m","version":null"#;
        let reason = |text: &str| Cursor::decode(text).unwrap_err().to_string();
        assert!(reason("not base64!").contains("Base64URL"));
        assert!(reason(&format!("{}=", encoded("{}"))).contains("Base64URL"));
        assert!(reason(&encoded("[1]")).contains("wrong shape"));
        assert!(reason(&encoded(&format!("{{{good},\"page\":1}}"))).contains("page"));
        assert!(reason(&encoded(&format!("{{{good},\"member\":\"m\"}}"))).contains("duplicate"));
        assert!(reason(&encoded(&format!("{{{}}}", good.replace("asc", "up")))).contains("up"));
        for score in ["\"nan\"", "null", "\"7\"", "1e999", "true"] {
            let json = format!("{{{}}}", good.replace("\"score\":1", &format!("\"score\":{score}")));
            assert!(reason(&encoded(&json)).contains("wrong shape"), "{score}");
        }
        assert!(reason(&encoded(&format!("{{{}}}", good.replace("\"score\":1,", "")))).contains("score"));
    }

    #[test]
    fn is_of_one_board_and_one_order() {
        let mut board =
            Board { key: "b".into(), order: Order::Desc, version_key: "b:version".into(), meta_key: "b:meta".into() };
        let cursor = Cursor {
            board: "b".into(),
            direction: Order::Desc,
            place: Entry::new("m", Score::new(1.0).unwrap()),
            version: None,
            position: None,
        };
        assert_eq!(cursor.check(&board), Ok(()));
        board.order = Order::Asc;
        assert!(matches!(cursor.check(&board), Err(CursorError::Direction { .. })));
        board.key = "c".into();
        assert!(matches!(cursor.check(&board), Err(CursorError::Board { .. })));
    }

    proptest! {
        #[test]
        fn any_cursor_comes_back(
            board: Vec<u8>, member: Vec<u8>, value in proptest::num::f64::ANY, asc: bool,
            version: Option<Vec<u8>>, position: Option<u64>,
        ) {
            prop_assume!(!value.is_nan());
            let cursor = Cursor {
                board: board.into(),
                direction: if asc { Order::Asc } else { Order::Desc },
                place: Entry::new(member, Score::new(value).unwrap()),
                version: version.map(Version::from),
                position,
            };
            prop_assert_eq!(Cursor::decode(&cursor.encode()).unwrap(), cursor);
        }

        #[test]
        fn no_text_panics(text: String) {
            let _ = Cursor::decode(&text);
            let _ = Cursor::decode(&encoded(&text));
        }
    }
}
