//! Turning pages: which row is selected on the page that came, and what is compared with the page that was left.

use crate::app::event::Moment;
use crate::app::page::anchor::PageAnchor;
use crate::app::page::banner::Banner;
use crate::app::page::is_contradiction;
use crate::app::page::left::Left;
use crate::app::page::replace::{broken, replace};
use crate::app::settings::Paging;
use crate::app::state::State;
use crate::board::window::Window;
use crate::query::page::turned;

/// Takes in the page to which `turns` led, one turn after the other. `walk`: the row next to the edge is selected.
pub fn take(state: &mut State, window: Window, boundary: Option<u64>, (turns, walk): (&[bool], bool), now: Moment) {
    let Some((shown, (&forward, further))) = state.session.shown.as_ref().zip(turns.split_first()) else { return };
    // How many rows of the page that came stand above the one that was left.
    let above =
        shown.window.entries.first().map_or(window.len(), |edge| {
            window.entries.partition_point(|entry| window.order.compare(entry, edge).is_lt())
        });
    if state.keeps_page() && !forward && above == 0 {
        state.notice = Some("this is the first page".to_owned());
        state.is_dirty = true;
        return;
    }
    let mut left = Left::of(&shown.window, shown.started_at.as_ref(), forward);
    if let Some(left) = &mut left {
        left.stands(boundary, &window);
    }
    let table = usize::from(state.geometry.rows).max(1);
    let line = shown.selected.saturating_sub(shown.scroll);
    let mut place = match (walk, forward) {
        (true, true) => (0, 0),
        (false, true) => (line, 0),
        // A first page that was filled up goes on below the row that was walked over.
        (true, false) => (above.saturating_sub(1), above.saturating_sub(table)),
        (false, false) => (above.saturating_sub(table) + line, above.saturating_sub(table)),
    };
    let edge = if forward { shown.window.entries.last() } else { shown.window.entries.first() }.cloned();
    let is_moved = shown.window.version.is_some() && left.as_ref().is_some_and(Left::has_moved);
    let is_of_version = shown.window.version == window.version && shown.window.verified && window.verified;
    let is_broken = is_contradiction(&shown.window, &window) || (is_moved && is_of_version);
    let size = state.page_rows();
    let start = match (state.paging, boundary) {
        (Paging::Cursor, Some(boundary)) if forward => boundary,
        (Paging::Cursor, Some(boundary)) => boundary.saturating_sub(size),
        _ if forward => shown.window.end(),
        _ => shown.window.above().saturating_sub(size),
    };
    if !further.is_empty() {
        let (selected, is_over) = walked(start, size, window.total, (line, further));
        place = (selected, 0);
        if let Some(forward) = is_over {
            state.notice = Some(if forward { "this is the last page" } else { "this is the first page" }.to_owned());
        }
    }
    let anchor = match (state.paging, edge) {
        (Paging::Position, _) | (_, None) => PageAnchor::Position(window.start),
        (Paging::Cursor, Some(edge)) if further.is_empty() && forward => PageAnchor::After(edge),
        (Paging::Cursor, Some(edge)) if further.is_empty() => PageAnchor::Before(edge),
        // The row before the last of several pages is not known: the page hangs on its own first row.
        (Paging::Cursor, Some(edge)) => PageAnchor::From(window.entries.first().cloned().unwrap_or(edge)),
    };
    state.session.banner = None;
    if window.version.is_none() && !state.session.is_unversioned_said {
        state.session.is_unversioned_said = true;
        state.session.banner = Some(Banner::Unversioned);
    }
    state.session.moves.turn();
    replace(state, window, anchor, place, now);
    if let Some(shown) = &mut state.session.shown {
        shown.left = left;
    }
    if is_broken {
        broken(state);
    }
}

/// Which row is selected after `turns` from the page at index `start`, where the row of `line` is; and over which end of
/// the board the last turn would have led.
fn walked(start: u64, size: u64, total: u64, (line, turns): (usize, &[bool])) -> (usize, Option<bool>) {
    let last =
        |start: u64| usize::try_from(total.saturating_sub(start).min(size)).unwrap_or(usize::MAX).saturating_sub(1);
    let mut at = (start, line.min(last(start)), None);
    for &forward in turns {
        let (start, selected, _) = at;
        let next = turned(start, size, total, &[forward]);
        at = match next == start {
            true if forward => (start, last(start), Some(true)),
            true => (start, 0, Some(false)),
            false => (next, selected.min(last(next)), None),
        };
    }
    (at.1, at.2)
}
