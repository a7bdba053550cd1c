//! Key templates: how the user says where things are kept, with `<so>` for what differs. A template is read once and then
//! only filled in; here are the ones of a board's companions and of a member. It must not know whether such keys exist.

use std::fmt;
use std::str::FromStr;

use super::foreign::words::replace_word;
use super::keys::{Key, base_of};

/// A template that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A placeholder that this template does not have.
    #[error("unknown placeholder '<{}>' in '{}'\nallowed here: {}", name.escape_debug(), template.escape_debug(), listed(allowed))]
    Unknown {
        /// The template as given.
        template: String,
        /// The placeholder, without its angle brackets.
        name: String,
        /// The placeholders that may be used, without angle brackets.
        allowed: Vec<&'static str>,
    },
    /// A `<` without its `>`.
    #[error("placeholder without '>' in '{}'\nallowed here: {}", template.escape_debug(), listed(allowed))]
    Unclosed {
        /// The template as given.
        template: String,
        /// The placeholders that may be used, without angle brackets.
        allowed: Vec<&'static str>,
    },
    /// A placeholder that occurs a second time.
    #[error("placeholder '<{name}>' twice in '{}'", template.escape_debug())]
    Repeated {
        /// The template as given.
        template: String,
        /// The placeholder, without its angle brackets.
        name: &'static str,
    },
    /// The one placeholder without which all games, or all members, would have the same key.
    #[error("no placeholder '<{name}>' in '{}'", template.escape_debug())]
    Missing {
        /// The template as given.
        template: String,
        /// The placeholder, without its angle brackets.
        name: &'static str,
    },
}

/// Where a game's boards are.
pub const DEFAULT_BOARD: &str = "lb:{<game>}:<period>";
/// What stands for the number of a part, in boards that lie in many sorted sets.
const SHARD: &str = "shard";
/// Where a board's version is.
pub const DEFAULT_VERSION: &str = "<board>:version";
/// Where a board's meta hash is.
pub const DEFAULT_META: &str = "<board>:meta";
/// Where the names of a board's members are.
pub const DEFAULT_NAMES: &str = "<base>:names";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece<Hole> {
    Text(String),
    Hole(Hole),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompanionHole {
    Board,
    Base,
    /// The board's key with one of its words replaced.
    Replaced,
}

/// The key of something that belongs to a board, with the placeholders `<board>`, the board's key, and `<base>`, the
/// same without its period. It may have neither: somebody who has one board may call its version what they like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanionTemplate {
    text: String,
    pieces: Vec<Piece<CompanionHole>>,
    /// Which word is replaced by which: `<key/scores/results>`.
    replaced: Option<(String, String)>,
}

impl CompanionTemplate {
    /// The companion's key of a board.
    pub fn of(&self, board: &Key) -> Key {
        let base = base_of(board);
        let replaced = self.replaced.as_ref();
        let replaced = replaced.and_then(|(word, by)| replace_word(board.as_ref(), word.as_bytes(), by.as_bytes()));
        let replaced = replaced.unwrap_or_else(|| board.as_ref().to_vec());
        fill(&self.pieces, |hole| match hole {
            CompanionHole::Board => board.as_ref(),
            CompanionHole::Base => base.as_ref(),
            CompanionHole::Replaced => &replaced,
        })
        .into()
    }
}

impl FromStr for CompanionTemplate {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        // `<key>` is another word for `<board>`.
        let mut plain = text.replace("<key>", "<board>");
        let mut allowed = vec![("board", CompanionHole::Board), ("base", CompanionHole::Base)];
        let replaced = replacement(text);
        if let Some((word, by)) = &replaced {
            plain = plain.replacen(&format!("<key/{word}/{by}>"), "<key>", 1);
            allowed.push(("key", CompanionHole::Replaced));
        }
        Ok(Self { text: text.to_owned(), pieces: pieces(&plain, &allowed)?, replaced })
    }
}

/// The words of `<key/A/B>`, where a template has it.
fn replacement(text: &str) -> Option<(String, String)> {
    let (_, after) = text.split_once("<key/")?;
    let (word, by) = after.split_once('>')?.0.split_once('/')?;
    (!word.is_empty() && !by.contains('/')).then(|| (word.to_owned(), by.to_owned()))
}

impl fmt::Display for CompanionTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The key of something that belongs to one member, with the placeholder `<member>`, which it must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberTemplate {
    text: String,
    pieces: Vec<Piece<()>>,
}

impl MemberTemplate {
    /// The key that is a text and then the member; none where the text looks like a placeholder.
    pub fn after(text: &str) -> Option<Self> {
        if text.contains('<') { None } else { format!("{text}<member>").parse().ok() }
    }

    /// The member's key.
    pub fn of(&self, member: &[u8]) -> Key {
        fill(&self.pieces, |()| member).into()
    }
}

impl FromStr for MemberTemplate {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        let pieces = pieces(text, &[("member", ())])?;
        if !pieces.contains(&Piece::Hole(())) {
            return Err(TemplateError::Missing { template: text.to_owned(), name: "member" });
        }
        Ok(Self { text: text.to_owned(), pieces })
    }
}

impl fmt::Display for MemberTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Cuts a template at its placeholders. A hole always has a text on either side, if an empty one.
pub(super) fn pieces<Hole: Copy + PartialEq>(
    template: &str,
    allowed: &[(&'static str, Hole)],
) -> Result<Vec<Piece<Hole>>, TemplateError> {
    let names = || allowed.iter().map(|&(name, _)| name).collect();
    let mut pieces = Vec::new();
    let mut rest = template;
    let mut carried = String::new();
    while let Some((text, after)) = rest.split_once('<') {
        let Some((name, tail)) = after.split_once('>') else {
            return Err(TemplateError::Unclosed { template: template.to_owned(), allowed: names() });
        };
        // It is filled in part by part, long after the template.
        if name == SHARD {
            carried.push_str(text);
            carried.push_str("<shard>");
            rest = tail;
            continue;
        }
        let Some(&(name, hole)) = allowed.iter().find(|(known, _)| *known == name) else {
            return Err(TemplateError::Unknown {
                template: template.to_owned(),
                name: name.to_owned(),
                allowed: names(),
            });
        };
        let hole = Piece::Hole(hole);
        if pieces.contains(&hole) {
            return Err(TemplateError::Repeated { template: template.to_owned(), name });
        }
        pieces.extend([Piece::Text(std::mem::take(&mut carried) + text), hole]);
        rest = tail;
    }
    pieces.push(Piece::Text(carried + rest));
    Ok(pieces)
}

/// The key with the given contents for its holes.
pub(super) fn fill<'a, Hole: Copy>(pieces: &'a [Piece<Hole>], content: impl Fn(Hole) -> &'a [u8]) -> Vec<u8> {
    let parts = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => text.as_bytes(),
        Piece::Hole(hole) => content(*hole),
    });
    parts.collect::<Vec<_>>().concat()
}

fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("<{name}>")).collect();
    names.join(", ")
}
