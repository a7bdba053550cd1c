//! Where members stand, one after another, each alone or among its neighbours: as a table or as JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::columns::{BOLD, Column, DIM, line, paint, shown};
use super::json::{RowShape, rows, write_line};
use super::parts::{self, IdShape, PartsShape};
use super::table::{dense_note, headline, paint_mark, tie_mark};
use super::{ListFormat, Sheet};
use crate::board::bytes::JsonBytes;
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::names::Name;
use crate::board::packed::scoring::Scoring;
use crate::board::rank::{Rank, RankStyle, Standing};
use crate::board::score::Score;
use crate::board::window::Window;

/// What is said of a member that is not there.
const ABSENT: &str = "not on this board";

/// Marks the member that was asked for among its neighbours.
const ASKED: &str = ">";

/// A member that was asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Who.
    pub member: Member,
    /// Where it stands; `None` where it is not on the board.
    pub found: Option<Found>,
}

/// Where a member stands.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its row and those of its neighbours.
    pub window: Window,
    /// Which of the rows it is.
    pub index: usize,
    /// Their names, in the order of the rows.
    pub names: Vec<Option<Name>>,
}

/// All that is printed of some members.
#[derive(Clone, Copy, Debug)]
pub struct Ranks<'a> {
    /// The board, in the order of the windows.
    pub board: &'a Board,
    /// Any window of it: what the table says of the board.
    pub head: &'a Window,
    /// In which style ranks are announced.
    pub style: RankStyle,
    /// Whether neighbours were asked for.
    pub has_neighbours: bool,
    /// The members, in the order asked.
    pub members: &'a [Asked],
}

impl Ranks<'_> {
    /// Prints them. A pipe that was closed is an error here; see [`crate::exit::forgive_closed_pipe`].
    pub fn write(&self, format: ListFormat, out: &mut impl Write) -> io::Result<()> {
        match format {
            ListFormat::Table { color } => self.write_table(color, out)?,
            ListFormat::Json => {
                let shapes: Vec<_> = self.members.iter().map(|asked| self.shape(asked)).collect();
                write_line(&shapes, out)?;
            }
        }
        out.flush()
    }

    fn sheet<'a>(&'a self, found: &'a Found) -> Sheet<'a> {
        Sheet { board: self.board, window: &found.window, names: &found.names, style: self.style, drift: None }
    }

    fn shape(&self, asked: &Asked) -> Shape {
        let member = JsonBytes(asked.member.as_bytes().to_vec());
        let here = asked.found.as_ref().and_then(|found| {
            let entry = found.window.entries.get(found.index)?;
            Some((found, entry.score, found.window.standing(found.index)?))
        });
        let Some((found, score, standing)) = here else { return Shape::Absent { member, error: ABSENT } };
        let sheet = self.sheet(found);
        Shape::Found(Box::new(FoundShape {
            member,
            name: sheet.name(found.index).map(|name| JsonBytes(name.to_vec())),
            position: standing.position,
            rank: standing.rank(self.style),
            score,
            parts: parts::parts(&found.window.scoring, score),
            id: parts::id(&found.window.scoring, asked.member.as_bytes()),
            tied: standing.tied,
            better: standing.better,
            around: self.has_neighbours.then(|| rows(&sheet)),
        }))
    }

    fn write_table(&self, color: bool, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", paint(color, BOLD, &headline(self.board, self.head, self.style)))?;
        let columns = self.columns();
        if self.members.iter().any(|asked| asked.found.is_some()) {
            writeln!(out, "  {}", paint(color, DIM, &line(&columns, 0)))?;
        }
        let mut next = 1;
        for (at, asked) in self.members.iter().enumerate() {
            if self.has_neighbours && at > 0 {
                writeln!(out)?;
            }
            let Some(found) = &asked.found else {
                writeln!(out, "    '{}' is {ABSENT}", shown(asked.member.as_bytes()))?;
                continue;
            };
            for (index, standing) in found.window.standings().enumerate() {
                let tie = paint_mark(color, tie_mark(&found.window, index, &standing));
                let is_asked = self.has_neighbours && index == found.index;
                let row = format!("{}{}", if is_asked { ASKED } else { " " }, line(&columns, next));
                writeln!(out, "{tie}{}", if is_asked { paint(color, BOLD, &row) } else { row.into() })?;
                next += 1;
            }
        }
        if let Some(note) = dense_note(self.style, self.rows().map(|row| row.standing)) {
            writeln!(out, "{}", paint(color, DIM, &note))?;
        }
        Ok(())
    }

    fn scoring(&self) -> &Scoring {
        let found = self.members.iter().find_map(|asked| asked.found.as_ref());
        found.map_or(&self.head.scoring, |found| &found.window.scoring)
    }

    /// The rows of all members that are there, one after another.
    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.members.iter().filter_map(|asked| asked.found.as_ref()).flat_map(|found| {
            let rows = found.window.entries.iter().zip(found.window.standings()).zip(&found.names);
            rows.map(|((entry, standing), name)| Row { member: &entry.member, score: entry.score, standing, name })
        })
    }

    fn columns(&self) -> Vec<Column> {
        let id = |row: &Row<'_>| shown(row.member.as_bytes());
        let numbers = |heading, number: &dyn Fn(&Standing) -> String| {
            Column::new(heading, true, self.rows().map(|row| number(&row.standing)))
        };
        let mut columns = vec![numbers("RANK", &|standing| standing.rank(self.style).to_string())];
        let names = self.rows().map(|row| row.name.as_ref().map_or_else(|| id(&row), |name| shown(name)));
        columns.push(Column::new("PLAYER", false, names));
        if self.rows().any(|row| row.name.is_some()) {
            columns.push(Column::new("ID", false, self.rows().map(|row| id(&row))));
        }
        let scores: Vec<_> = self.rows().map(|row| row.score).collect();
        columns.extend(parts::columns(self.scoring(), &scores));
        columns.push(numbers("TIED", &|standing| standing.tied.to_string()));
        columns.push(numbers("BETTER", &|standing| standing.better.to_string()));
        columns.push(numbers("POS", &|standing| standing.position.to_string()));
        columns
    }
}

struct Row<'a> {
    member: &'a Member,
    score: Score,
    standing: Standing,
    name: &'a Option<Name>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Shape {
    Found(Box<FoundShape>),
    Absent { member: JsonBytes, error: &'static str },
}

#[derive(Serialize)]
struct FoundShape {
    member: JsonBytes,
    name: Option<JsonBytes>,
    position: u64,
    rank: Rank,
    score: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<PartsShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<IdShape>,
    tied: u64,
    better: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    around: Option<Vec<RowShape>>,
}

#[cfg(test)]
mod tests {
    use super::super::tests::Sample;
    use super::*;

    const PLAIN: ListFormat = ListFormat::Table { color: false };

    /// The second row of the contract's example, alone or among its neighbours, and somebody who is not there.
    fn written(has_neighbours: bool, format: ListFormat) -> String {
        let sample = Sample::spring();
        let mut window = sample.window.clone();
        let (mut index, mut names) = (1, sample.names.clone());
        if !has_neighbours {
            window.entries.remove(0);
            (window.start, window.better_than_first, index) = (2, 1, 0);
            names.remove(0);
        }
        let members = [
            Asked { member: "u:1002".into(), found: Some(Found { window, index, names }) },
            Asked { member: b"\x1b\xff".as_slice().into(), found: None },
        ];
        let ranks = Ranks {
            board: &sample.board,
            head: &sample.window,
            style: sample.style,
            has_neighbours,
            members: &members,
        };
        let mut out = Vec::new();
        ranks.write(format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_shapes_of_the_contract() {
        let alone = r#"{"member":"u:1002","name":null,"position":2,"rank":2,"score":980,"tied":2,"better":1}"#;
        let absent = r#"{"member":{"base64":"G/8="},"error":"not on this board"}"#;
        assert_eq!(written(false, ListFormat::Json), format!("[{alone},{absent}]\n"));
        let around = concat!(
            r#","around":[{"position":1,"rank":1,"member":"u:1000","name":"Ada Lovelace","score":1050,"tied":1},"#,
            r#"{"position":2,"rank":2,"member":"u:1002","name":null,"score":980,"tied":2}]}"#
        );
        let among = format!("[{}{around},{absent}]\n", alone.trim_end_matches('}'));
        assert_eq!(written(true, ListFormat::Json), among);
    }

    #[test]
    fn a_table_of_members_and_of_their_neighbours() {
        let head = "lb:{spring}:2026-W41 · version 1284 · 4 players · high first · ranks 1 2 2 4 · open\n";
        assert_eq!(
            written(false, PLAIN),
            format!(
                "{head}\
                 \x20   RANK  PLAYER  SCORE  TIED  BETTER  POS\n\
                 ┌      2  u:1002    980     2       1    2\n\
                 \x20   '\\e\\xff' is not on this board\n"
            )
        );
        assert_eq!(
            written(true, PLAIN),
            format!(
                "{head}\
                 \x20   RANK  PLAYER        ID      SCORE  TIED  BETTER  POS\n\
                 \x20      1  Ada Lovelace  u:1000   1050     1       0    1\n\
                 ┌>     2  u:1002        u:1002    980     2       1    2\n\
                 \n\
                 \x20   '\\e\\xff' is not on this board\n"
            )
        );
    }

    #[test]
    fn colour_changes_no_text() {
        let mut plain = written(true, ListFormat::Table { color: true });
        for code in ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[36m"] {
            assert!(plain.contains(code));
            plain = plain.replace(code, "");
        }
        assert_eq!(plain, written(true, PLAIN));
    }
}
