//! The first look at a board that a command will read more than once: whether it is there, in which order it wants to be
//! read, what it says of itself, and whether it is frozen.

use crate::board::keys::Board;
use crate::board::keys::frozen_of;
use crate::board::meta::State;
use crate::board::order::Order;
use crate::board::sharded::vector::sum;
use crate::board::window::Window;
use crate::exit::Failure;
use crate::query::page::{PageReply, PageRequest, PageStart};
use crate::store::BoardSource;

/// Reads the first row of `board` and makes the order of `board` the one that was asked for, else the one that the board
/// itself wants.
pub(super) async fn probe<H: BoardSource>(
    home: &mut H,
    board: &mut Board,
    order: Option<Order>,
    address: &str,
) -> Result<Window, Failure> {
    let window = window(home, board, &PageRequest::new(PageStart::Position(1), 1), address).await?;
    if window.is_missing() {
        return Err(Failure::missing(board, address));
    }
    board.order = order.or(window.meta.order).unwrap_or(board.order);
    Ok(window)
}

/// One read of rows that are wherever a board is.
pub(super) async fn window<H: BoardSource>(
    home: &mut H,
    board: &Board,
    ask: &PageRequest,
    address: &str,
) -> Result<Window, Failure> {
    match home.read(board, ask).await {
        Ok(PageReply::Page(page)) => Ok(page.window),
        Ok(_) => Err(Failure::misfit(board, address)),
        Err(trouble) => Err(Failure::unreadable(board, address, &trouble)),
    }
}

/// True where `board` is a copy that `freeze` made: its key says of which version, and it still is of that one.
pub(super) fn is_frozen_copy(board: &Board, window: &Window) -> bool {
    let version = window.version.as_ref().map(|version| match sum(version) {
        // A copy of many sorted sets is called by the sum, which no two versions of one board share.
        Some(sum) => sum.to_string().into_bytes(),
        None => version.as_bytes().to_vec(),
    });
    frozen_of(&board.key).is_some_and(|(_, of)| version == Some(of))
}

/// True where nobody who keeps the protocol writes to `board` any more.
pub(super) fn is_frozen(board: &Board, window: &Window) -> bool {
    window.meta.state == Some(State::Closed) || is_frozen_copy(board, window)
}
