//! Where everything is kept, as the user says it: the templates of the boards, of their companions and of their names, and
//! from a board's key the board that is to be read. It must not know which keys exist.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::board_template::BoardTemplate;
use super::foreign::name_path::{NamePath, NamePathError};
use super::keys::Key;
use super::names::NamesLocation;
use super::order::Order;
use super::template::{CompanionTemplate, DEFAULT_BOARD, DEFAULT_META, DEFAULT_NAMES, DEFAULT_VERSION, TemplateError};
use crate::board::keys::Board;

/// Where the names of a board's members are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamesTemplate {
    /// In a hash that belongs to the board.
    Hash(CompanionTemplate),
    /// The same, with the names in JSON there.
    Json(CompanionTemplate, NamePath),
    /// Somewhere that is the same for all boards.
    Fixed(NamesLocation),
}

/// A template that says where names are, and cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NamesTemplateError {
    /// Of the hash's key.
    #[error(transparent)]
    Key(#[from] TemplateError),
    /// Of the path in it, after `#`.
    #[error(transparent)]
    Path(#[from] NamePathError),
}

impl fmt::Display for NamesTemplate {
    /// As it is written on the command line, where it is a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hash(key) => key.fmt(f),
            Self::Json(key, path) => write!(f, "{key}{path}"),
            Self::Fixed(_) => Ok(()),
        }
    }
}

impl FromStr for NamesTemplate {
    type Err = NamesTemplateError;

    /// Reads the key of a hash, with a path after `#` where the names are in JSON.
    fn from_str(text: &str) -> Result<Self, NamesTemplateError> {
        Ok(match text.rsplit_once('#') {
            Some((key, path)) => {
                let path = path.parse()?;
                Self::Json(key.parse()?, path)
            }
            None => Self::Hash(text.parse()?),
        })
    }
}

/// Where boards are, and what goes with each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Templates {
    /// The boards of games.
    pub board: BoardTemplate,
    /// The version of a board.
    pub version: CompanionTemplate,
    /// The meta hash of a board.
    pub meta: CompanionTemplate,
    /// The names of its members.
    pub names: NamesTemplate,
}

impl Default for Templates {
    /// The templates of those who have set nothing.
    #[expect(clippy::expect_used, reason = "the texts are constants, and a test reads them")]
    fn default() -> Self {
        fn read<T: FromStr<Err = TemplateError>>(text: &str) -> T {
            text.parse().expect("the default templates are templates")
        }
        Self {
            board: read(DEFAULT_BOARD),
            version: read(DEFAULT_VERSION),
            meta: read(DEFAULT_META),
            names: NamesTemplate::Hash(read(DEFAULT_NAMES)),
        }
    }
}

impl Templates {
    /// The board of key `key`, read in `order`.
    pub fn board(&self, key: Key, order: Order) -> Board {
        Board { order, version_key: self.version.of(&key), meta_key: self.meta.of(&key), key }
    }

    /// Where the names of the members of the board `key` are.
    pub fn names(&self, key: &Key) -> NamesLocation {
        match &self.names {
            NamesTemplate::Hash(template) => NamesLocation::Hash(template.of(key)),
            NamesTemplate::Json(template, path) => {
                NamesLocation::Json(Arc::new(NamesLocation::Hash(template.of(key))), path.clone())
            }
            NamesTemplate::Fixed(home) => home.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_and_what_goes_with_it_by_the_defaults() {
        let templates = Templates::default();
        let board = templates.board("lb:{x:y}:2026-W41".into(), Order::Asc);
        assert_eq!(board.version_key, Key::from("lb:{x:y}:2026-W41:version"));
        assert_eq!(board.meta_key, Key::from("lb:{x:y}:2026-W41:meta"));
        assert_eq!(templates.names(&board.key), NamesLocation::Hash("lb:{x:y}:names".into()));
    }
}
