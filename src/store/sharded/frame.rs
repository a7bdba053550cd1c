//! Where the page that was asked for lies, once it is known how many rows are before the gap that it goes by and how many
//! the board has. The rules are those of a board in one sorted set.

use crate::query::page::{PageRequest, PageStart, turned};

/// Where a page lies; rows are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// Its first row.
    pub(super) start: u64,
    /// How many rows it has.
    pub(super) len: u64,
    /// The row that was asked for, where one was.
    pub(super) target: Option<u64>,
}

/// The frame of `request`, whose gap has `before` rows before it on a board of `total` rows; `None` where there is no such
/// score.
pub(super) fn frame(request: &PageRequest, before: u64, total: u64) -> Option<Frame> {
    let size = request.size;
    let from = |start: u64, size: u64| {
        let start = turned(start, size, total, &request.turns);
        Frame { start, len: size.min(total.saturating_sub(start)), target: None }
    };
    let around = |target: u64| {
        let start = target.saturating_sub(request.lead).min(total.saturating_sub(size));
        Frame { target: Some(target), ..from(start, size) }
    };
    Some(match &request.whence {
        PageStart::Position(position) => from(position.saturating_sub(1).min(total), size),
        PageStart::Last => from(total.saturating_sub(size), size),
        PageStart::After(_) | PageStart::From(_) => from(before, size),
        PageStart::Before(_) => {
            let size = if request.fill { size } else { size.min(before) };
            from(before.saturating_sub(size), size)
        }
        PageStart::Row(_) | PageStart::Score(_) | PageStart::Place(_) if total == 0 => from(0, 0),
        PageStart::Row(position) => around(position.saturating_sub(1).min(total - 1)),
        PageStart::Score(_) | PageStart::Place(_) => around(before.min(total - 1)),
        PageStart::NextScore(_) if before >= total => return None,
        PageStart::Member(_)
        | PageStart::NextTie(_)
        | PageStart::PreviousTie(_)
        | PageStart::NextScore(_)
        | PageStart::PreviousScore(_) => around(before),
    })
}
