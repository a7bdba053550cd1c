//! The template of the board's own key: from a game and a period to the key, and from a key back to both. It must not
//! know which boards exist.

use std::fmt;
use std::str::FromStr;

use super::keys::Key;
use super::period::Period;
use super::template::{Piece, TemplateError, fill, pieces};

/// Why a game has no board's key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoardKeyError {
    /// `{` and `}` with nothing between are no hash tag: the board and its companions would not share a slot.
    #[error("a game's name must not be empty or begin with '}}'")]
    Game,
    /// A period was given, and the template has no place for it.
    #[error("no placeholder '<period>' in '{}', so there is no board of {period}", template.escape_debug())]
    Period {
        /// The template as it was given.
        template: String,
        /// The period that was asked for.
        period: Period,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoardHole {
    Game,
    Period,
}

/// The key of a game's board, with the placeholders `<game>`, which it must have, and `<period>`.
///
/// Where a board has no period, the colon that sets the period off goes with it: `lb:{spring}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardTemplate {
    text: String,
    dated: Vec<Piece<BoardHole>>,
    undated: Vec<Piece<BoardHole>>,
}

impl BoardTemplate {
    /// The key of a game's board of a period, or of its only board.
    pub fn key(&self, game: &[u8], period: Option<&Period>) -> Result<Key, BoardKeyError> {
        if !has_hash_tag(game) {
            return Err(BoardKeyError::Game);
        }
        let Some(period) = period else {
            return Ok(filled(&self.undated, game, "").into());
        };
        if !self.has_period() {
            return Err(BoardKeyError::Period { template: self.text.clone(), period: *period });
        }
        Ok(filled(&self.dated, game, &period.to_string()).into())
    }

    /// The game and the period whose board has this key; the inverse of [`BoardTemplate::key`]. The period is looked
    /// for from the right, and what is left is the game, whatever it holds: `lb:{x:y}:2026-W41` is of the game `x:y`.
    ///
    /// A key that can be read both ways has a period. None where the template gives no such key.
    pub fn read(&self, key: &Key) -> Option<(Vec<u8>, Option<Period>)> {
        let key = key.as_ref();
        if self.has_period() {
            for period in periods_from_right(key) {
                if let Some(game) = game_of(&self.dated, &period.to_string(), key) {
                    return Some((game, Some(period)));
                }
            }
        }
        game_of(&self.undated, "", key).map(|game| (game, None))
    }

    /// Whether boards of different periods have different keys.
    pub fn has_period(&self) -> bool {
        self.dated.contains(&Piece::Hole(BoardHole::Period))
    }
}

impl FromStr for BoardTemplate {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        let dated = pieces(text, &[("game", BoardHole::Game), ("period", BoardHole::Period)])?;
        if !dated.contains(&Piece::Hole(BoardHole::Game)) {
            return Err(TemplateError::Missing { template: text.to_owned(), name: "game" });
        }
        Ok(Self { text: text.to_owned(), undated: without_period(&dated), dated })
    }
}

impl fmt::Display for BoardTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn without_period(dated: &[Piece<BoardHole>]) -> Vec<Piece<BoardHole>> {
    let mut undated = dated.to_vec();
    if let Some(hole) = undated.iter().position(|piece| *piece == Piece::Hole(BoardHole::Period)) {
        let (before, after) = undated.split_at_mut(hole);
        if let (Some(Piece::Text(before)), [_, Piece::Text(after), ..]) = (before.last_mut(), after) {
            if before.ends_with(':') {
                before.pop();
            } else if after.starts_with(':') {
                after.remove(0);
            }
        }
        undated.remove(hole);
    }
    undated
}

fn filled(pieces: &[Piece<BoardHole>], game: &[u8], period: &str) -> Vec<u8> {
    fill(pieces, |hole| match hole {
        BoardHole::Game => game,
        BoardHole::Period => period.as_bytes(),
    })
}

/// What the game must be for the template to give this key.
fn game_of(pieces: &[Piece<BoardHole>], period: &str, key: &[u8]) -> Option<Vec<u8>> {
    let hole = pieces.iter().position(|piece| *piece == Piece::Hole(BoardHole::Game))?;
    let before = filled(&pieces[..hole], b"", period);
    let after = filled(&pieces[hole + 1..], b"", period);
    let game = key.strip_prefix(before.as_slice())?.strip_suffix(after.as_slice())?;
    has_hash_tag(game).then(|| game.to_vec())
}

fn has_hash_tag(game: &[u8]) -> bool {
    game.first().is_some_and(|&byte| byte != b'}')
}

/// Every period that the key spells anywhere, the last first, and the longest first of those that begin at one place.
fn periods_from_right(key: &[u8]) -> impl Iterator<Item = Period> {
    let spelled = |from: usize, length: usize| Period::from_bytes(key.get(from..from + length)?);
    (0..key.len()).rev().flat_map(move |from| [10, 8, 7].into_iter().filter_map(move |length| spelled(from, length)))
}
