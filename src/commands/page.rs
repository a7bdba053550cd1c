//! `ranktop page`: prints one window of one board, from a position, around a member, or on from a cursor. It knows
//! boards by the interface of their home, and writes to whatever it is given.

#[cfg(test)]
mod tests;

use std::io::Write;

use super::exit::{Exit, Failure, board_text, forgive_closed_pipe, warn};
use super::output::{Format, Sheet};
use super::text::{self, Charset};
use crate::board::ask::{Answer, Ask, Board, Page, Whence};
use crate::board::cursor::{Cursor, CursorError};
use crate::board::drift::Drift;
use crate::board::entry::Member;
use crate::board::names::{Name, NamesHome};
use crate::board::order::Order;
use crate::board::rank::RankStyle;
use crate::board::trouble::Trouble;
use crate::board::version::Version;
use crate::board::window::Window;
use crate::store::Home;

/// Which page is wanted, and in which form.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRequest {
    /// Where the board lives, as messages name it; never with a password.
    pub address: String,
    /// Where the page begins.
    pub start: Start,
    /// How many rows are wanted, at least 1.
    pub size: u64,
    /// The order that was asked for. `None`: what the board says of itself, else the order of the [`Board`] given.
    pub order: Option<Order>,
    /// The rank style that was asked for. `None`: what the board says of itself, else the default.
    pub rank_style: Option<RankStyle>,
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
/// for another order or for dense ranks, and one for the names. Names that the user may not read, or whose key is
/// something else, are left out with a warning on `err`: they are no part of what a board is.
pub async fn page<H: Home>(
    home: &mut H,
    board: &Board,
    names: &NamesHome,
    request: &PageRequest,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Result<(), Failure> {
    let mut reader = Reader { home, board: board.clone(), request };
    let turn = reader.turn()?;
    let (window, style) = reader.window(&turn).await?;
    let names = reader.names(names, &window, err).await?;
    let drift = turn.drift(&window);
    let sheet = Sheet { board: &reader.board, window: &window, names: &names, style, drift: drift.as_ref() };
    forgive_closed_pipe(sheet.write(request.format, out))
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot write the page: {error}")))
}

/// Where a page begins, once that is known to make sense.
enum Turn {
    To(Whence),
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

    fn whence(&self) -> Whence {
        match self {
            Self::To(whence) => whence.clone(),
            Self::After(cursor) => Whence::After(cursor.place.clone()),
            Self::Before(cursor) => Whence::Before(cursor.place.clone()),
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

struct Reader<'a, H> {
    home: &'a mut H,
    /// Its order is the one of the next read.
    board: Board,
    request: &'a PageRequest,
}

impl<H: Home> Reader<'_, H> {
    fn turn(&self) -> Result<Turn, Failure> {
        Ok(match &self.request.start {
            Start::At(position) => Turn::To(Whence::Position(*position)),
            Start::Around(member) => Turn::To(Whence::Member(member.clone())),
            Start::After(text) => Turn::After(self.cursor(text)?),
            Start::Before(text) => Turn::Before(self.cursor(text)?),
        })
    }

    /// A cursor of this board; and, where an order was asked for, of that order.
    fn cursor(&self, text: &str) -> Result<Cursor, Failure> {
        let cursor = Cursor::decode(text).map_err(|error| refused(&error))?;
        self.check(&cursor, self.request.order.unwrap_or(cursor.direction))?;
        Ok(cursor)
    }

    fn check(&self, cursor: &Cursor, order: Order) -> Result<(), Failure> {
        cursor.check(&Board { order, ..self.board.clone() }).map_err(|error| refused(&error))
    }

    /// The window, and the style in which its ranks are announced.
    async fn window(&mut self, turn: &Turn) -> Result<(Window, RankStyle), Failure> {
        let default = self.board.order;
        let cursor = turn.cursor();
        let mut ask = Ask::new(turn.whence(), self.request.size);
        ask.lead = self.request.size.saturating_sub(1) / 2;
        ask.dense = self.request.rank_style == Some(RankStyle::Dense);
        // A cursor is only good in its own order, so that one is tried first.
        self.board.order = self.request.order.or(cursor.map(|cursor| cursor.direction)).unwrap_or(default);
        let first = self.read(&ask).await?;

        let order = self.request.order.or(first.meta.order).unwrap_or(default);
        let style = self.request.rank_style.or(first.meta.rank_style).unwrap_or_default();
        if let Some(cursor) = cursor {
            self.check(cursor, order)?;
        }
        let wants_dense = style == RankStyle::Dense;
        if order == self.board.order && wants_dense == ask.dense {
            return Ok((first, style));
        }
        self.board.order = order;
        ask.dense = wants_dense;
        Ok((self.read(&ask).await?, style))
    }

    /// One read, of a board that is there and at the version that is expected.
    async fn read(&mut self, ask: &Ask) -> Result<Window, Failure> {
        let answer = self.home.read(&self.board, ask).await;
        match answer.map_err(|trouble| self.unreadable(&trouble))? {
            Answer::Page(page) => self.usable(*page),
            Answer::NotOnBoard => Err(self.not_on_board().await),
            Answer::NoFurther | Answer::Onward { .. } => {
                Err(self.unreadable(&Trouble::Server("the answer does not fit the question".into())))
            }
        }
    }

    fn usable(&self, page: Page) -> Result<Window, Failure> {
        let window = page.window;
        let board = board_text(&self.board);
        if window.is_missing() {
            let message = format!("no board '{board}' at {}", self.request.address);
            return Err(Failure::new(Exit::Missing, message)
                .with_hint("check the key, and the number of the database in the URL"));
        }
        let Some(expected) = &self.request.expect_version else { return Ok(window) };
        let expected_text = version_text(expected);
        match &window.version {
            Some(version) if version == expected && window.verified => Ok(window),
            Some(version) if version == expected => Err(Failure::new(
                Exit::Changed,
                format!("board '{board}' changes so fast that version '{expected_text}' could not be verified"),
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

    /// Why there is no page around a member: no board, another version, or only no such member.
    async fn not_on_board(&mut self) -> Failure {
        let answer = self.home.read(&self.board, &Ask::new(Whence::Position(1), 1)).await;
        let found = match answer {
            Ok(Answer::Page(page)) => self.usable(*page).err(),
            Ok(_) => None,
            Err(trouble) => Some(self.unreadable(&trouble)),
        };
        found.unwrap_or_else(|| {
            let member = match &self.request.start {
                Start::Around(member) => text::escape(member.as_bytes(), Charset::Utf8),
                _ => String::new(),
            };
            Failure::new(Exit::Missing, format!("'{member}' is not on board '{}'", board_text(&self.board)))
        })
    }

    async fn names(
        &mut self,
        names: &NamesHome,
        window: &Window,
        err: &mut impl Write,
    ) -> Result<Vec<Option<Name>>, Failure> {
        let members: Vec<_> = window.entries.iter().map(|entry| entry.member.clone()).collect();
        if members.is_empty() {
            return Ok(Vec::new());
        }
        match self.home.names(names, &members).await {
            Ok(names) => Ok(names),
            Err(trouble @ (Trouble::Refused { .. } | Trouble::WrongType { .. })) => {
                // Whether or not somebody reads the warning, the page is what was asked for.
                let _ = warn(err, &format!("names of board '{}' are left out: {trouble}", board_text(&self.board)));
                Ok(vec![None; members.len()])
            }
            Err(trouble) => Err(self.unreadable(&trouble)),
        }
    }

    fn unreadable(&self, trouble: &Trouble) -> Failure {
        Failure::unreadable(&self.board, &self.request.address, trouble)
    }
}

fn refused(error: &CursorError) -> Failure {
    let failure = Failure::new(Exit::Usage, error.to_string());
    match error {
        CursorError::Direction { cursor, .. } => {
            failure.with_hint(format!("read the board in the cursor's order with --order {cursor}"))
        }
        _ => failure.with_hint("a cursor is what 'ranktop page' calls next or prev"),
    }
}

fn version_text(version: &Version) -> String {
    text::escape(version.as_bytes(), Charset::Utf8)
}
