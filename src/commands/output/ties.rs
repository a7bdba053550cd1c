//! Tie groups one after another: as a table or as JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::ListFormat;
use super::columns::{BOLD, Column, DIM, line, paint};
use super::json::{version, write_line};
use super::parts::{PartsShape, ranked_columns, ranked_parts};
use super::table::{dense_note, headline};
use crate::board::bytes::JsonBytes;
use crate::board::keys::Board;
use crate::board::rank::{Rank, RankStyle, Standing};
use crate::board::score::Score;
use crate::board::tie::TieGroup;
use crate::board::window::Window;

/// A tie group as it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tie {
    /// Where it lies.
    pub group: TieGroup,
    /// The score that its members share.
    pub score: Score,
    /// Where its first member stands.
    pub standing: Standing,
}

/// All that is printed of some tie groups.
#[derive(Clone, Copy, Debug)]
pub struct Ties<'a> {
    /// The board, in the order in which it was read.
    pub board: &'a Board,
    /// The first window of it that was read.
    pub head: &'a Window,
    /// In which style ranks are announced.
    pub style: RankStyle,
    /// From which position on groups were looked for.
    pub at: u64,
    /// The groups, top down.
    pub groups: &'a [Tie],
    /// From which position on there may be more of them.
    pub next: Option<u64>,
}

impl Ties<'_> {
    /// Prints them. A pipe that was closed is an error here; see [`crate::exit::forgive_closed_pipe`].
    pub fn write(&self, format: ListFormat, out: &mut impl Write) -> io::Result<()> {
        match format {
            ListFormat::Table { color } => self.write_table(color, out)?,
            ListFormat::Json => write_line(&self.shape(), out)?,
        }
        out.flush()
    }

    fn shape(&self) -> Shape {
        let groups = self.groups.iter().map(|tie| GroupShape {
            rank: tie.standing.rank(self.style),
            score: tie.score,
            parts: ranked_parts(&self.head.scoring, tie.score),
            size: tie.group.size,
            first: tie.group.first,
            last: tie.group.last(),
        });
        Shape {
            board: JsonBytes(self.board.key.as_ref().to_vec()),
            version: self.head.version.as_ref().map(version),
            groups: groups.collect(),
            next: self.next,
        }
    }

    fn write_table(&self, color: bool, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", paint(color, BOLD, &headline(self.board, self.head, self.style)))?;
        let column = |heading, cell: &dyn Fn(&Tie) -> String| Column::new(heading, true, self.groups.iter().map(cell));
        let scores: Vec<_> = self.groups.iter().map(|tie| tie.score).collect();
        let mut columns = vec![column("RANK", &|tie| tie.standing.rank(self.style).to_string())];
        columns.extend(ranked_columns(&self.head.scoring, &scores));
        columns.extend([
            column("SIZE", &|tie| tie.group.size.to_string()),
            column("FIRST", &|tie| tie.group.first.to_string()),
            column("LAST", &|tie| tie.group.last().to_string()),
        ]);
        if !self.groups.is_empty() {
            writeln!(out, "{}", paint(color, DIM, &line(&columns, 0)))?;
        }
        for index in 1..=self.groups.len() {
            writeln!(out, "{}", line(&columns, index))?;
        }
        if let Some(note) = dense_note(self.style, self.groups.iter().map(|tie| tie.standing)) {
            writeln!(out, "{}", paint(color, DIM, &note))?;
        }
        let count = match self.groups.len() {
            0 => "no tie groups".into(),
            1 => "1 tie group".into(),
            count => format!("{count} tie groups"),
        };
        let way_on = match self.next {
            Some(next) => format!("next: --at {next}"),
            None => "no more of them".into(),
        };
        writeln!(out, "{}", paint(color, DIM, &format!("{count} from position {} on · {way_on}", self.at)))
    }
}

#[derive(Serialize)]
struct Shape {
    board: JsonBytes,
    version: Option<JsonBytes>,
    groups: Vec<GroupShape>,
    next: Option<u64>,
}

#[derive(Serialize)]
struct GroupShape {
    rank: Rank,
    score: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<PartsShape>,
    size: u64,
    first: u64,
    last: u64,
}

#[cfg(test)]
mod tests {
    use super::super::tests::Sample;
    use super::*;

    fn written(groups: &[Tie], next: Option<u64>, format: ListFormat) -> String {
        let sample = Sample::spring();
        let ties = Ties { board: &sample.board, head: &sample.window, style: sample.style, at: 3, groups, next };
        let mut out = Vec::new();
        ties.write(format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn groups() -> [Tie; 2] {
        [(2, 2, 980.0), (40, 1_000_000, f64::NEG_INFINITY)].map(|(first, size, score)| Tie {
            group: TieGroup { first, size },
            score: Score::new(score).unwrap(),
            standing: Standing { position: first, better: first - 1, tied: size, distinct_better: None },
        })
    }

    #[test]
    fn the_shape_of_the_contract() {
        assert_eq!(
            written(&groups(), Some(1_000_040), ListFormat::Json),
            concat!(
                r#"{"board":"lb:{spring}:2026-W41","version":"1284","groups":["#,
                r#"{"rank":2,"score":980,"size":2,"first":2,"last":3},"#,
                r#"{"rank":40,"score":"-inf","size":1000000,"first":40,"last":1000039}],"next":1000040}"#,
                "\n"
            )
        );
        assert!(written(&[], None, ListFormat::Json).ends_with("\"groups\":[],\"next\":null}\n"));
    }

    #[test]
    fn a_table() {
        let text = written(&groups(), Some(1_000_040), ListFormat::Table { color: false });
        assert_eq!(
            text.split_once('\n').unwrap().1,
            "  RANK  SCORE     SIZE  FIRST     LAST\n\
             \x20    2    980        2      2        3\n\
             \x20   40   -inf  1000000     40  1000039\n\
             2 tie groups from position 3 on · next: --at 1000040\n"
        );
        let text = written(&[], None, ListFormat::Table { color: true });
        let said = "\x1b[2mno tie groups from position 3 on · no more of them\x1b[0m\n";
        assert_eq!(text.split_once('\n').unwrap().1, said);
    }
}
