//! A page as CSV by RFC 4180. Any bytes can be read back from a text cell: drop one leading `'` where a formula follows
//! it, then undo `\xNN` and `\\`.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};

use csv::{Terminator, WriterBuilder};

use super::{Sheet, acts_on_terminal};

/// What makes a spreadsheet compute a cell, in both widths.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

pub(super) fn write(sheet: &Sheet<'_>, raw: bool, out: &mut impl Write) -> io::Result<()> {
    write_header(out)?;
    write_rows(sheet, raw, out)
}

pub(super) fn write_header(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"position,rank,member,name,score,tied\r\n")
}

/// The rows alone. One buffer serves all of their cells, for there may be millions.
pub(super) fn write_rows(sheet: &Sheet<'_>, raw: bool, out: &mut impl Write) -> io::Result<()> {
    // Flushing a writer of CSV flushes what it writes to, which is not to be flushed for every page.
    let mut csv = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    let mut text = String::new();
    for (index, (entry, standing)) in sheet.window.entries.iter().zip(sheet.window.standings()).enumerate() {
        let mut field = |fill: &dyn Fn(&mut String)| {
            text.clear();
            fill(&mut text);
            csv.write_field(&text).map_err(io::Error::other)
        };
        let rank = standing.rank(sheet.style);
        field(&|text| push(text, standing.position))?;
        field(&|text| {
            if rank.is_counted() {
                push(text, rank);
            }
        })?;
        field(&|text| push_cell(text, entry.member.as_bytes(), raw))?;
        field(&|text| {
            if let Some(name) = sheet.name(index) {
                push_cell(text, name, raw);
            }
        })?;
        field(&|text| push(text, entry.score))?;
        field(&|text| push(text, standing.tied))?;
        csv.write_record(None::<&[u8]>).map_err(io::Error::other)?;
    }
    out.write_all(&csv.into_inner().map_err(|error| io::Error::other(error.to_string()))?)
}

fn push(text: &mut String, value: impl Display) {
    // Writing to a string cannot fail.
    let _ = write!(text, "{value}");
}

/// Adds the cell of `bytes` to `text`, which is empty.
pub(super) fn push_cell(text: &mut String, bytes: &[u8], raw: bool) {
    let push_byte = |text: &mut String, byte: u8| {
        // Writing to a string cannot fail.
        let _ = write!(text, "\\x{byte:02x}");
    };
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => text.push_str("\\\\"),
                c if acts_on_terminal(c) => {
                    c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_byte(text, byte));
                }
                c => text.push(c),
            }
        }
        chunk.invalid().iter().for_each(|byte| push_byte(text, *byte));
    }
    if !raw && is_formula(text) {
        text.insert(0, '\'');
    }
}

/// True where a spreadsheet may run `text`: some skip blanks before a formula, some take a leading tab or line end for
/// one. What already is a formula behind apostrophes counts too, so that taking one away is the way back.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['\t', '\r', '\n'])
        || text.trim_start_matches(|c: char| c == '\'' || c.is_whitespace()).starts_with(FORMULA)
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::tests::Sample;
    use super::*;
    use crate::board::rank::RankStyle;
    use proptest::prelude::*;

    fn cell(bytes: &[u8], raw: bool) -> String {
        let mut text = String::new();
        push_cell(&mut text, bytes, raw);
        text
    }

    #[test]
    fn rows_as_they_are_written() {
        let mut sample = Sample::spring();
        sample.names[1] = Some(b"Hopper, \"Amazing\" Grace\nRear Admiral".as_slice().into());
        assert_eq!(
            sample.written(Format::Csv { raw: false }),
            "position,rank,member,name,score,tied\r\n\
             1,1,u:1000,Ada Lovelace,1050,1\r\n\
             2,2,u:1002,\"Hopper, \"\"Amazing\"\" Grace\nRear Admiral\",980,2\r\n"
        );
    }

    #[test]
    fn an_uncounted_rank_is_empty_and_numbers_stay_numbers() {
        let mut sample = Sample::new("b", &[(b"a", -1_234_567.5)]);
        sample.style = RankStyle::Dense;
        sample.window.distinct_better = None;
        let text = sample.written(Format::Csv { raw: false });
        assert_eq!(text.lines().nth(1), Some("1,,a,,-1234567.5,1"));
    }

    #[test]
    fn formulas_are_neutralised_unless_raw() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\rx", "\nx", "  =1", "\u{a0}=1", "＝1", "'=1", "' '=1"]
        {
            assert_eq!(cell(formula.as_bytes(), false), format!("'{formula}"));
            assert_eq!(cell(formula.as_bytes(), true), formula);
        }
        for text in ["u:1", "a=1", "O'Neil", "'tis", "1-1", "", " x", "Ё"] {
            assert_eq!(cell(text.as_bytes(), false), text);
        }
    }

    #[test]
    fn binary_bytes_and_controls_are_escaped() {
        assert_eq!(cell(b"\xff\\x\x00\x1b[2J\xc2\x9b", true), r"\xff\\x\x00\x1b[2J\xc2\x9b");
    }

    /// The way back that the head of this file promises.
    fn read_back(cell: &str) -> Vec<u8> {
        let text = cell.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(cell);
        let mut bytes = Vec::new();
        let mut rest = text.as_bytes();
        while let [first, tail @ ..] = rest {
            match (first, tail) {
                (b'\\', [b'\\', after @ ..]) => (bytes.push(b'\\'), rest = after).1,
                (b'\\', [b'x', high, low, after @ ..]) => {
                    let hex = [*high, *low];
                    bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).unwrap(), 16).unwrap());
                    rest = after;
                }
                _ => (bytes.push(*first), rest = tail).1,
            }
        }
        bytes
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes: Vec<u8>) {
            prop_assert_eq!(read_back(&cell(&bytes, false)), bytes);
        }

        #[test]
        fn texts_full_of_traps_come_back(text in "['=\\-\t\r\n \\\\xa0]{0,6}") {
            prop_assert_eq!(read_back(&cell(text.as_bytes(), false)), text.as_bytes());
        }

        #[test]
        fn a_reader_of_csv_gets_the_cells(members in proptest::collection::vec(any::<Vec<u8>>(), 1..5)) {
            let rows: Vec<_> = members.iter().map(|member| (member.as_slice(), 1.0)).collect();
            let text = Sample::new("b", &rows).written(Format::Csv { raw: false });
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            let read: Vec<_> = reader.records().map(|row| read_back(&row.unwrap()[2])).collect();
            prop_assert_eq!(read, members);
        }
    }
}
