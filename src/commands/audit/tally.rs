//! What an audit found: one line for each check, with how much it looked at, over which versions, and what speaks against
//! it. It reads no board.

use std::io::{self, Write};

use crate::board::entry::Entry;
use crate::board::version::Version;
use crate::board::window::Window;
use crate::commands::text;
use crate::commands::text::Charset;

/// Versions as they went by, in constant memory.
#[derive(Debug, Default)]
pub(super) struct Versions {
    /// The first one and the last one, once there are any.
    ends: Option<[Option<Version>; 2]>,
    changes: u64,
}

impl Versions {
    /// Goes on with the version of `window`.
    pub(super) fn see(&mut self, window: &Window) {
        match &mut self.ends {
            None => self.ends = Some([window.version.clone(), window.version.clone()]),
            Some([_, last]) => {
                self.changes += u64::from(*last != window.version);
                last.clone_from(&window.version);
            }
        }
    }

    fn text(&self) -> String {
        let one = |version: Option<&Version>| {
            version.map_or_else(|| "none".into(), |version| text::escape_to(version.as_bytes(), 24, Charset::Utf8))
        };
        let Some([first, last]) = &self.ends else { return "-".into() };
        match self.changes {
            0 => one(last.as_ref()),
            1 => format!("{} to {}", one(first.as_ref()), one(last.as_ref())),
            changes => format!("{} to {}, {changes} changes", one(first.as_ref()), one(last.as_ref())),
        }
    }
}

/// One check: a line of the table.
#[derive(Debug, Default)]
pub(super) struct Check {
    name: String,
    pub(super) pages: u64,
    pub(super) rows: u64,
    pub(super) versions: Versions,
    failures: u64,
    evidence: Option<String>,
    /// Rows that a position walk met again, and rows that it missed, because the board moved.
    pub(super) repeated: u64,
    pub(super) skipped: u64,
    /// Rows that moved whenever they were to be compared.
    pub(super) moved: u64,
}

impl Check {
    /// Counts a page that was read for this check.
    pub(super) fn see(&mut self, window: &Window) {
        self.pages += 1;
        self.versions.see(window);
    }

    /// Speaks against what is checked. The first evidence is kept.
    pub(super) fn fail(&mut self, evidence: impl FnOnce() -> String) {
        self.failures += 1;
        self.evidence.get_or_insert_with(evidence);
    }

    fn has_failed(&self) -> bool {
        self.failures > 0
    }

    fn note(&self) -> String {
        let mut notes = Vec::new();
        if let Some(evidence) = &self.evidence {
            let more = self.failures - 1;
            notes.push(if more == 0 { evidence.clone() } else { format!("{evidence}; and {more} more") });
        }
        if self.repeated + self.skipped > 0 {
            notes.push(format!("the board moved: {} rows repeated, {} skipped", self.repeated, self.skipped));
        }
        if self.moved > 0 {
            notes.push(format!("{} rows moved while they were compared", self.moved));
        }
        notes.join("; ")
    }
}

/// All checks of an audit, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Tally {
    checks: Vec<Check>,
}

impl Tally {
    /// The check of this name.
    pub(super) fn check(&mut self, name: &str) -> &mut Check {
        let at = self.checks.iter().position(|check| check.name == name).unwrap_or_else(|| {
            self.checks.push(Check { name: name.to_owned(), ..Check::default() });
            self.checks.len() - 1
        });
        &mut self.checks[at]
    }

    /// How many checks there are, and how many of them failed.
    pub(super) fn verdict(&self) -> (usize, usize) {
        (self.checks.len(), self.checks.iter().filter(|check| check.has_failed()).count())
    }

    /// The table. Its last column is the longest, so no line ends in blanks.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let heading = ["CHECK", "PAGES", "ROWS", "VERSIONS", "RESULT", ""].map(str::to_owned);
        let lines: Vec<[String; 6]> = std::iter::once(heading)
            .chain(self.checks.iter().map(|check| {
                let result = if check.has_failed() { "FAILED" } else { "ok" };
                [
                    check.name.clone(),
                    check.pages.to_string(),
                    check.rows.to_string(),
                    check.versions.text(),
                    result.to_owned(),
                    check.note(),
                ]
            }))
            .collect();
        let width = |column: usize| lines.iter().map(|line| text::columns(&line[column])).max().unwrap_or(0);
        let widths: [usize; 5] = std::array::from_fn(width);
        for line in &lines {
            let mut text = String::new();
            for (column, cell) in line.iter().enumerate() {
                let blanks = " ".repeat(widths.get(column).map_or(0, |width| width - text::columns(cell)));
                let is_number = matches!(column, 1 | 2);
                let (left, right) = if is_number { (blanks.as_str(), "") } else { ("", blanks.as_str()) };
                text.extend([left, cell, right, "  "]);
            }
            writeln!(out, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

/// A row as evidence shows it.
pub(super) fn row_text(entry: &Entry) -> String {
    format!("'{}' at {}", text::escape_to(entry.member.as_bytes(), 40, Charset::Utf8), entry.score)
}
