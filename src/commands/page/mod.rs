//! `ranktop page`: prints one window of one board, from a position, around a member, or on from a cursor. It knows
//! boards by the interface of their home, and writes to whatever it is given.

#[cfg(test)]
mod tests;

use crate::cli::{FormatName, PageArgs};
use std::io::Write;

use crate::board::cursor::Cursor;
use crate::board::drift::Drift;
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::names::NamesLocation;
use crate::board::order::Order;
use crate::board::rank::RankStyle;
use crate::board::sharded::vector::SIGN;
use crate::board::version::Version;
use crate::board::window::Window;
use crate::commands::failures::{board_text, not_on_board};
use crate::commands::output::{Format, Sheet};
use crate::commands::reader::{ReadOptions, Reader};
use crate::commands::text;
use crate::commands::text::Charset;
use crate::exit::{Exit, Failure, forgive_closed_pipe};
use crate::query::page::{PageReply, PageRequest, PageStart};
use crate::store::BoardSource;

/// Which page is wanted, and in which form.
#[derive(Clone, Debug, PartialEq)]
pub struct PageOptions {
    /// Where and how the board is read.
    pub wishes: ReadOptions,
    /// Where the page begins.
    pub start: Start,
    /// How many rows are wanted, at least 1.
    pub size: u64,
    /// The only version at which the page is wanted.
    pub expect_version: Option<Version>,
    /// In which form it is printed.
    pub format: Format,
}

/// Where a page begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// With the row at this position, from 1.
    At(u64),
    /// With the first row after this cursor, in its text form.
    After(String),
    /// So that it ends with the last row before this cursor, in its text form.
    Before(String),
    /// With this member in the middle.
    Around(Member),
}

/// Prints the page that `request` wants of `board` to `out`. Costs one read, a second one where the board itself asks
/// for another order or for dense ranks, and one for the names; `err` gets what is said about names that are left out.
pub async fn page<H: BoardSource>(
    home: &mut H,
    board: &Board,
    names: &NamesLocation,
    request: &PageOptions,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Result<(), Failure> {
    let mut turning = Turning { reader: Reader::new(home, board, &request.wishes), request };
    let turn = turning.turn()?;
    let (window, style) = turning.window(&turn).await?;
    let mut reader = turning.reader;
    let members: Vec<_> = window.entries.iter().map(|entry| entry.member.clone()).collect();
    let names = reader.names(names, &members, err).await?;
    let drift = turn.drift(&window);
    let sheet = Sheet { board: &reader.board, window: &window, names: &names, style, drift: drift.as_ref() };
    forgive_closed_pipe(sheet.write(request.format, out))
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot write the page: {error}")))
}

/// Where a page begins, once that is known to make sense.
enum Turn {
    To(PageStart),
    After(Cursor),
    Before(Cursor),
}

impl Turn {
    fn cursor(&self) -> Option<&Cursor> {
        match self {
            Self::To(_) => None,
            Self::After(cursor) | Self::Before(cursor) => Some(cursor),
        }
    }

    fn whence(&self) -> PageStart {
        match self {
            Self::To(whence) => whence.clone(),
            Self::After(cursor) => PageStart::After(cursor.place.clone()),
            Self::Before(cursor) => PageStart::Before(cursor.place.clone()),
        }
    }

    /// What moved since the cursor was made. The page begins, or ends, right at its place.
    fn drift(&self, window: &Window) -> Option<Drift> {
        let boundary = match self {
            Self::To(_) => return None,
            Self::After(_) => window.above(),
            Self::Before(_) => window.end(),
        };
        Drift::between(&self.cursor()?.boundary(), window.version.as_ref(), boundary)
    }
}

struct Turning<'a, H> {
    reader: Reader<'a, H>,
    request: &'a PageOptions,
}

impl<H: BoardSource> Turning<'_, H> {
    fn turn(&self) -> Result<Turn, Failure> {
        Ok(match &self.request.start {
            Start::At(position) => Turn::To(PageStart::Position(*position)),
            Start::Around(member) => Turn::To(PageStart::Member(member.clone())),
            Start::After(text) => Turn::After(self.cursor(text)?),
            Start::Before(text) => Turn::Before(self.cursor(text)?),
        })
    }

    /// A cursor of this board; and, where an order was asked for, of that order.
    fn cursor(&self, text: &str) -> Result<Cursor, Failure> {
        let cursor = Cursor::decode(text).map_err(|error| Failure::of_cursor(&error))?;
        self.check(&cursor, self.request.wishes.order.unwrap_or(cursor.direction))?;
        Ok(cursor)
    }

    fn check(&self, cursor: &Cursor, order: Order) -> Result<(), Failure> {
        cursor.check(&Board { order, ..self.reader.board.clone() }).map_err(|error| Failure::of_cursor(&error))
    }

    /// The window, and the style in which its ranks are announced.
    async fn window(&mut self, turn: &Turn) -> Result<(Window, RankStyle), Failure> {
        let mut ask = PageRequest::new(turn.whence(), self.request.size);
        ask.lead = self.request.size.saturating_sub(1) / 2;
        ask.dense = self.request.wishes.rank_style == Some(RankStyle::Dense);
        if let Some(cursor) = turn.cursor() {
            // It is only good in its own order, so that one is tried first.
            self.reader.board.order = cursor.direction;
        }
        let first = self.read(&ask).await?;
        let due = self.reader.due(&first.meta);
        if let Some(cursor) = turn.cursor() {
            self.check(cursor, due.0)?;
        }
        let window = if self.reader.settle(&due, &mut ask) { first } else { self.read(&ask).await? };
        if let Start::At(position) = self.request.start
            && position > window.total
        {
            return Err(self.past_the_end(position, window.total));
        }
        Ok((window, due.1))
    }

    /// One read, of a board that is there and at the version that is expected.
    async fn read(&mut self, ask: &PageRequest) -> Result<Window, Failure> {
        match self.reader.ask(ask).await? {
            PageReply::Page(page) => self.usable(page.window),
            PageReply::NotOnBoard => Err(self.not_on_board().await),
            PageReply::NoFurther | PageReply::Onward { .. } => Err(self.reader.misfit()),
        }
    }

    fn usable(&self, window: Window) -> Result<Window, Failure> {
        let window = self.reader.present(window)?;
        let Some(expected) = &self.request.expect_version else { return Ok(window) };
        let board = board_text(&self.reader.board);
        let expected_text = version_text(expected);
        match &window.version {
            Some(version) if is_expected(version, expected) && window.verified => Ok(window),
            Some(version) if is_expected(version, expected) => Err(Failure::new(
                Exit::Changed,
                format!(
                    "board '{board}' is at version '{expected_text}', but that its rows are too could not be verified"
                ),
            )),
            Some(version) => Err(Failure::new(
                Exit::Changed,
                format!("board '{board}' is at version '{}', not at '{expected_text}'", version_text(version)),
            )),
            None => {
                let message = format!("board '{board}' has no version, and is not at '{expected_text}'");
                Err(Failure::new(Exit::Changed, message))
            }
        }
    }

    fn past_the_end(&self, position: u64, total: u64) -> Failure {
        let rows = if total == 1 { "1 row".to_owned() } else { format!("{total} rows") };
        let board = board_text(&self.reader.board);
        Failure::new(Exit::Missing, format!("no position {position} on board '{board}': the board has {rows}"))
            .with_hint(format!("the last position is {total}"))
    }

    /// Why there is no page around a member: no board, another version, or only no such member.
    async fn not_on_board(&mut self) -> Failure {
        let found = self
            .reader
            .window(&PageRequest::new(PageStart::Position(1), 1))
            .await
            .and_then(|window| self.usable(window));
        let Start::Around(member) = &self.request.start else { return self.reader.misfit() };
        found.err().unwrap_or_else(|| not_on_board(member, &self.reader.board))
    }
}

/// Versions of many sorted sets are expected one by one, separated by commas: never as their sum.
fn is_expected(version: &Version, expected: &Version) -> bool {
    let parts = version.as_bytes().strip_prefix(SIGN.as_bytes()).unwrap_or(version.as_bytes());
    version == expected || parts == expected.as_bytes()
}

fn version_text(version: &Version) -> String {
    text::escape(version.as_bytes(), Charset::Utf8)
}

impl PageArgs {
    /// The page that is wanted. `color` is whether a table has colours.
    pub fn request(self, wishes: ReadOptions, color: bool) -> PageOptions {
        let start = match (self.start.after, self.start.before, self.start.around) {
            (Some(cursor), ..) => Start::After(cursor),
            (_, Some(cursor), _) => Start::Before(cursor),
            (.., Some(member)) => Start::Around(Member::from(member.into_encoded_bytes())),
            _ => Start::At(self.start.at.unwrap_or(1)),
        };
        PageOptions {
            wishes,
            start,
            size: self.size,
            expect_version: self.expect_version.map(|version| version.into_encoded_bytes().into()),
            format: match self.format {
                FormatName::Table => Format::Table { color },
                FormatName::Json => Format::Json,
                FormatName::Csv => Format::Csv { raw: self.raw },
            },
        }
    }
}
