//! What the printing commands share in reading: one board, in the order and style that were asked for or that the board
//! itself asks for, and failures in their words. It knows no form of output.

use std::io::Write;

use super::probing;
use crate::board::entry::{Entry, Member};
use crate::board::keys::Board;
use crate::board::meta::Meta;
use crate::board::names::{Name, NamesLocation};
use crate::board::order::Order;
use crate::board::packed::scoring::{Scoring, ScoringOptions};
use crate::board::rank::RankStyle;
use crate::board::window::Window;
use crate::commands::failures::board_text;
use crate::exit::{Failure, warn};
use crate::query::error::StoreError;
use crate::query::page::{PageReply, PageRequest, PageStart, SEARCH_STEP};
use crate::store::BoardSource;

/// Names are read for so many members at a time, so that no one command keeps a server busy.
const NAMES_AT_ONCE: usize = 1_000;

/// How a command wants to read a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Where the board lives, as messages name it; never with a password.
    pub address: String,
    /// The order that was asked for. `None`: what the board says of itself, else the order of the [`Board`] given.
    pub order: Option<Order>,
    /// The rank style that was asked for. `None`: what the board says of itself, else the default.
    pub rank_style: Option<RankStyle>,
    /// How scores and members are packed.
    pub scoring: ScoringOptions,
    /// Whether names are looked for where nobody has named their location.
    pub is_probing: bool,
}

/// Reads one board for one command.
pub(super) struct Reader<'a, H> {
    home: &'a mut H,
    /// Its order is the one of the next read.
    pub(super) board: Board,
    default: Order,
    scoring: Scoring,
    wishes: &'a ReadOptions,
}

impl<'a, H: BoardSource> Reader<'a, H> {
    pub(super) fn new(home: &'a mut H, board: &Board, wishes: &'a ReadOptions) -> Self {
        let order = wishes.order.unwrap_or(board.order);
        Self {
            home,
            board: Board { order, ..board.clone() },
            default: board.order,
            scoring: wishes.scoring.of(&board.key, None),
            wishes,
        }
    }

    /// The order, the style and the way of reading scores that are due on a board that says `meta` of itself.
    pub(super) fn due(&self, meta: &Meta) -> (Order, RankStyle, Scoring) {
        (
            self.wishes.order.or(meta.order).unwrap_or(self.default),
            self.wishes.rank_style.or(meta.rank_style).unwrap_or_default(),
            self.wishes.scoring.of(&self.board.key, meta.score.as_deref()),
        )
    }

    /// Makes the next read one in this order, with the counts that this style needs. True where `ask` has been read like
    /// that already.
    pub(super) fn settle(&mut self, due: &(Order, RankStyle, Scoring), ask: &mut PageRequest) -> bool {
        let (order, style, scoring) = due.clone();
        let is_dense = style == RankStyle::Dense;
        let is_settled = order == self.board.order && is_dense == ask.dense && scoring == self.scoring;
        self.scoring = scoring;
        self.board.order = order;
        ask.dense = is_dense;
        is_settled
    }

    /// One read, whatever comes back.
    pub(super) async fn ask(&mut self, ask: &PageRequest) -> Result<PageReply, Failure> {
        let ask = PageRequest { scoring: self.scoring.clone(), ..ask.clone() };
        let answer = self.home.read(&self.board, &ask).await;
        answer.map_err(|trouble| self.unreadable(&trouble))
    }

    /// One read of rows that are wherever a board is. The board is there.
    pub(super) async fn window(&mut self, ask: &PageRequest) -> Result<Window, Failure> {
        match self.ask(ask).await? {
            PageReply::Page(page) => self.present(page.window),
            _ => Err(self.misfit()),
        }
    }

    /// The member whose id is `id`, where members are packed: by the notation where that tells, else the first of the board,
    /// which costs a read for each thousand rows.
    pub(super) async fn member_of(&mut self, id: &Member) -> Result<Option<Member>, Failure> {
        let Some(spec) = self.scoring.member().cloned() else { return Ok(None) };
        if let Some(member) = spec.encode(id.as_bytes()) {
            return Ok(Some(member.into()));
        }
        let mut ask = PageRequest::new(PageStart::Position(1), SEARCH_STEP);
        while let PageReply::Page(page) = self.ask(&ask).await? {
            let has_id = |entry: &&Entry| self.scoring.id_of(&entry.member) == *id;
            if let Some(entry) = page.window.entries.iter().find(has_id) {
                return Ok(Some(entry.member.clone()));
            }
            match page.window.entries.last() {
                Some(last) if !page.window.is_last() => ask.whence = PageStart::After(last.clone()),
                _ => break,
            }
        }
        Ok(None)
    }

    /// Refuses the window of a board that is not there.
    pub(super) fn present(&self, window: Window) -> Result<Window, Failure> {
        if window.is_missing() { Err(Failure::missing(&self.board, &self.wishes.address)) } else { Ok(window) }
    }

    /// The names of `members`, in their order. Names that the user may not read, or whose key is something else, are left
    /// out with a warning on `err`: they are no part of what a board is.
    pub(super) async fn names(
        &mut self,
        home: &NamesLocation,
        members: &[Member],
        err: &mut impl Write,
    ) -> Result<Vec<Option<Name>>, Failure> {
        let ids: Vec<Member> = members.iter().map(|member| self.scoring.id_of(member)).collect();
        let mut is_refused = false;
        let names = self.names_at(home, &ids, &mut is_refused, err).await?;
        // A server logs what it refuses: after a refusal nothing more is tried.
        if self.wishes.is_probing
            && !is_refused
            && names.iter().all(Option::is_none)
            && let Some(found) = probing::found(self.home, &self.board.key, home, &ids).await
        {
            return self.names_at(&found, &ids, &mut is_refused, err).await;
        }
        Ok(names)
    }

    async fn names_at(
        &mut self,
        home: &NamesLocation,
        ids: &[Member],
        is_refused: &mut bool,
        err: &mut impl Write,
    ) -> Result<Vec<Option<Name>>, Failure> {
        let mut names = Vec::with_capacity(ids.len());
        for some in ids.chunks(NAMES_AT_ONCE) {
            match self.home.names(home, some).await {
                Ok(Some(found)) => names.extend(found),
                Ok(None) => return Ok(vec![None; ids.len()]),
                Err(trouble @ (StoreError::NoPermission { .. } | StoreError::WrongType { .. })) => {
                    let why = match trouble {
                        StoreError::WrongType { found } => format!("WRONGTYPE: their key is a {found}, not a hash"),
                        trouble => trouble.to_string(),
                    };
                    *is_refused = true;
                    let message = format!("names of board '{}' are left out: {why}", board_text(&self.board));
                    // Whether or not somebody reads the warning, the command has what it was asked for.
                    let _ = warn(err, &message);
                    return Ok(vec![None; ids.len()]);
                }
                Err(trouble) => return Err(self.unreadable(&trouble)),
            }
        }
        Ok(names)
    }

    /// What came back is no answer to what was asked.
    pub(super) fn misfit(&self) -> Failure {
        Failure::misfit(&self.board, &self.wishes.address)
    }

    fn unreadable(&self, trouble: &StoreError) -> Failure {
        Failure::unreadable(&self.board, &self.wishes.address, trouble)
    }
}
