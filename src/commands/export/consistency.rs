//! Of which moments exported pages are: each is compared with the one before. It says when a frozen board turned out not
//! to be, and in the end of which versions the rows are; it reads and writes nothing.

use crate::board::cursor::Cursor;
use crate::board::keys::Board;
use crate::board::version::Version;
use crate::board::window::Window;
use crate::commands::failures::board_text;
use crate::commands::probe::is_frozen;
use crate::commands::text;
use crate::commands::text::Charset;
use crate::exit::{Exit, Failure};

/// The pages that went by.
pub(super) struct Moments<'a> {
    board: &'a Board,
    is_live: bool,
    /// The version of the first page, once there was one.
    first: Option<Version>,
    /// The page before.
    last: Option<Moment>,
    /// How often a page showed that the board had changed since the one before.
    changes: u64,
    /// How many pages may be of several moments in themselves.
    pub(super) unverified: u64,
}

/// What has to be the same, and go on, from one page to the next.
struct Moment {
    version: Option<Version>,
    total: Option<u64>,
    end: Option<u64>,
}

impl<'a> Moments<'a> {
    /// Of `board`, from after `cursor` on where there is one. A board that `is_live` may change.
    pub(super) fn new(board: &'a Board, is_live: bool, cursor: Option<&Cursor>) -> Self {
        // Without a version nobody knows of which moment a cursor is.
        let last = cursor.filter(|cursor| cursor.version.is_some()).map(|cursor| Moment {
            version: cursor.version.clone(),
            total: None,
            end: cursor.position,
        });
        let first = last.as_ref().and_then(|last| last.version.clone());
        Self { board, is_live, first, last, changes: 0, unverified: 0 }
    }

    /// Goes on with `page`. A change is a failure where the board is to be frozen.
    pub(super) fn see(&mut self, page: &Window) -> Result<(), Failure> {
        let before = self.last.take();
        let has_changed = before.as_ref().is_some_and(|before| {
            before.version != page.version
                || before.total.is_some_and(|total| total != page.total)
                || before.end.is_some_and(|end| end != page.above())
        });
        self.changes += u64::from(has_changed);
        self.unverified += u64::from(!page.verified);
        if before.is_none() {
            self.first.clone_from(&page.version);
        }
        self.last = Some(Moment { version: page.version.clone(), total: Some(page.total), end: Some(page.end()) });
        if self.is_live || (!has_changed && is_frozen(self.board, page)) {
            return Ok(());
        }
        Err(self.thawed(before.as_ref().and_then(|before| before.version.as_ref()), page))
    }

    fn thawed(&self, from: Option<&Version>, page: &Window) -> Failure {
        let board = board_text(self.board);
        let message = if page.is_missing() {
            format!("frozen board '{board}' was deleted while it was exported")
        } else if from == page.version.as_ref() {
            format!("frozen board '{board}' was changed while it was exported, though not its version")
        } else {
            let (from, to) = (version_text(from), version_text(page.version.as_ref()));
            format!("frozen board '{board}' changed from {from} to {to}")
        };
        Failure::new(Exit::Changed, message)
            .with_hint("whoever writes to it keeps to no protocol; export a copy of your own, made by 'ranktop freeze'")
    }

    /// Of which versions the pages are.
    pub(super) fn told(&self) -> String {
        let last = self.last.as_ref().and_then(|last| last.version.as_ref());
        let (from, to) = (version_text(self.first.as_ref()), version_text(last));
        if self.first.as_ref() == last { to } else { format!("{from} to {to}") }
    }

    /// A failure where the pages are of several moments.
    pub(super) fn verdict(&self) -> Result<(), Failure> {
        let times = match self.changes {
            0 => return Ok(()),
            1 => "once".into(),
            changes => format!("{changes} times"),
        };
        let board = board_text(self.board);
        let message = format!("board '{board}' changed {times} while it was exported: its rows are of several moments");
        Err(Failure::new(Exit::Changed, message).with_hint("export the copy that 'ranktop freeze' makes"))
    }
}

fn version_text(version: Option<&Version>) -> String {
    match version {
        Some(version) => format!("version {}", text::escape(version.as_bytes(), Charset::Utf8)),
        None => "no version".into(),
    }
}
