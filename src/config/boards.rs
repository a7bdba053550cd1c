//! The table `boards` of a file of settings: how the scores and members of some boards are packed.
//!
//! ```toml
//! [boards."ctf:*"]
//! score = "points,time:13=1e13-ms"
//! ```

use std::error::Error;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::{kind_of, line_of};
use super::{Fault, in_two, nearest};
use crate::board::key_pattern::KeyPattern;
use crate::board::packed::scoring::BoardScoring;

/// What the table is called.
pub(super) const BOARDS: &str = "boards";
const KEYS: [&str; 2] = ["score", "member"];
const EXAMPLE: &str = "write it as in: [boards.\"ctf:*\"], and below that: score = \"points,time:13=1e13-ms\"";

/// What a file says of some boards alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Boards {
    /// What it means, from the top down.
    pub scoring: Vec<BoardScoring>,
    /// The lines that say so.
    pub lines: Vec<BoardLine>,
}

/// One setting of some boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardLine {
    /// On which line, from 1.
    pub line: usize,
    /// Which boards, as is written.
    pub boards: String,
    /// Which setting.
    pub key: String,
    /// What is said.
    pub value: String,
}

/// What `text`, which is TOML, says of boards.
pub fn boards(text: &str) -> Result<Boards, Fault> {
    let mut found = Boards::default();
    let Ok(table) = DeTable::parse(text) else { return Ok(found) };
    let Some((key, value)) = table.get_ref().iter().find(|(key, _)| key.get_ref() == BOARDS) else {
        return Ok(found);
    };
    for (name, value) in in_order(entries(text, key, value)?) {
        found.scoring.push(board(text, name, value)?);
        for (key, value) in in_order(entries(text, name, value)?) {
            let value = value.get_ref().as_str().unwrap_or_default().to_owned();
            let (boards, key, line) = (name.get_ref().to_string(), key.get_ref().to_string(), line(text, key));
            found.lines.push(BoardLine { line, boards, key, value });
        }
    }
    Ok(found)
}

fn board(text: &str, name: &Name<'_>, value: &Value<'_>) -> Result<BoardScoring, Fault> {
    let mut found = BoardScoring { boards: KeyPattern::from(name.get_ref().as_ref()), spec: None, member: None };
    for (key, value) in in_order(entries(text, name, value)?) {
        match key.get_ref().as_ref() {
            "score" => found.spec = Some(notation(text, key, value)?),
            "member" => found.member = Some(notation(text, key, value).map(std::sync::Arc::new)?),
            other => {
                let hint = match nearest(other, KEYS) {
                    Some(near) => format!("did you mean '{near}'?"),
                    None => "there are score, member".to_owned(),
                };
                return Err(Fault {
                    line: line(text, key),
                    what: format!("there is no setting '{other}' of a board"),
                    hint,
                });
            }
        }
    }
    Ok(found)
}

type Name<'a> = Spanned<std::borrow::Cow<'a, str>>;
type Value<'a> = Spanned<DeValue<'a>>;

fn line(text: &str, name: &Name<'_>) -> usize {
    line_of(text, name.span().start)
}

/// What is in a table.
fn entries<'t, 'a>(text: &str, name: &Name<'_>, value: &'t Value<'a>) -> Result<&'t DeTable<'a>, Fault> {
    match value.get_ref() {
        DeValue::Table(table) => Ok(table),
        other => Err(Fault {
            line: line(text, name),
            what: format!("'{}' must be a table, and this is {}", name.get_ref(), kind_of(other)),
            hint: EXAMPLE.to_owned(),
        }),
    }
}

/// As they stand in the file.
fn in_order<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(&'t Name<'a>, &'t Value<'a>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn notation<T: FromStr<Err: Error>>(text: &str, key: &Name<'_>, value: &Value<'_>) -> Result<T, Fault> {
    let fault = |what: String, hint: &str| Fault { line: line(text, key), what, hint: hint.to_owned() };
    let name = key.get_ref();
    let DeValue::String(notation) = value.get_ref() else {
        let what = format!("'{name}' must be a text, and this is {}", kind_of(value.get_ref()));
        return Err(fault(what, EXAMPLE));
    };
    notation.parse().map_err(|error: T::Err| {
        let (cause, hint) = in_two(&error.to_string());
        fault(format!("'{name}' cannot be '{notation}': {cause}"), hint.as_deref().unwrap_or(EXAMPLE))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::packed::scoring::ScoringOptions;

    #[test]
    fn the_first_board_that_fits_counts() {
        let text = "order = 'asc'\n[boards]\n'a:*' = { score = 'x,y:3' }\n'a:b' = { score = 'z', member = 'id' }\n";
        let options = ScoringOptions {
            boards: boards(text).unwrap().scoring.into(),
            spec: Some("all,of:2".parse().unwrap()),
            ..ScoringOptions::default()
        };
        let spec = |key: &str| options.of(&key.into(), None).spec().map(ToString::to_string);
        assert_eq!(spec("a:b").as_deref(), Some("x,y:3"));
        assert_eq!(spec("b").as_deref(), Some("all,of:2"));
        assert!(options.member(&"a:b".into()).is_some() && options.member(&"a:c".into()).is_none());
        let lines: Vec<_> = boards(text).unwrap().lines.iter().map(|line| (line.line, line.value.clone())).collect();
        assert_eq!(lines, [(3, "x,y:3".to_owned()), (4, "z".to_owned()), (4, "id".to_owned())]);
        assert_eq!(boards("order = 'asc'"), Ok(Boards::default()));
        assert_eq!(boards("[boards]"), Ok(Boards::default()));
    }

    #[test]
    fn every_fault_has_its_line_and_a_hint() {
        for (text, line, what, hint) in [
            ("\nboards = 3", 2, "'boards' must be a table, and this is a number", "[boards."),
            ("[boards]\nx = 'points'", 2, "'x' must be a table, and this is a text", "[boards."),
            ("[boards.x]\n\nscore = 3", 3, "'score' must be a text, and this is a number", "score ="),
            ("[boards.x]\nscor = 'p'", 2, "there is no setting 'scor' of a board", "did you mean 'score'?"),
            ("[boards.x]\nzzzzzz = 'p'", 2, "there is no setting 'zzzzzz' of a board", "score, member"),
            ("[boards.x]\nscore = 'p,t:x'", 2, "'score' cannot be 'p,t:x': ", "at its column 5; the nearest"),
            ("[boards.x]\nmember = 'p'", 2, "'member' cannot be 'p': ", "id"),
        ] {
            let fault = boards(text).unwrap_err();
            assert!(fault.line == line && fault.what.contains(what) && fault.hint.contains(hint), "{text}: {fault:?}");
        }
    }
}
