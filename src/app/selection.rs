//! Steps of the selection: rows, tie groups, distinct scores. What the page holds is answered at once; only beyond its
//! edge the board is asked.

use crate::app::page::Shown;
use crate::app::queue::Intent;
use crate::app::state::{Paging, State};
use crate::board::rank::Standing;
use crate::board::window::Window;

/// One row up or down; over the edge of the page, the page is turned.
pub fn row(state: &mut State, forward: bool) {
    let Some(shown) = &mut state.shown else { return };
    let last = shown.window.len().saturating_sub(1);
    match (forward, shown.selected) {
        (true, at) if at < last => shown.select(at + 1),
        (false, at) if at > 0 => shown.select(at - 1),
        _ => turn(state, forward, true),
    }
}

/// A screenful inside the page while there is one; then the page is turned.
pub fn page(state: &mut State, forward: bool) {
    let rows = usize::from(state.geometry.rows).max(1);
    let Some(shown) = &mut state.shown else { return };
    let furthest = shown.window.len().saturating_sub(rows);
    let scrolled = if forward { (shown.scroll + rows).min(furthest) } else { shown.scroll.saturating_sub(rows) };
    if scrolled == shown.scroll {
        turn(state, forward, false);
        return;
    }
    let line = shown.selected.saturating_sub(shown.scroll);
    shown.scroll = scrolled;
    shown.select(scrolled + line);
}

/// Turns the page, or says that there is no further one.
fn turn(state: &mut State, forward: bool, walk: bool) {
    let Some(shown) = &mut state.shown else { return };
    let is_edge = if forward { shown.window.is_last() } else { shown.window.start == 1 };
    // A page that is held may have more rows beyond its edge by now.
    if is_edge && !state.is_held {
        shown.select(if forward { usize::MAX } else { 0 });
        state.notice = Some(if forward { "this is the last page" } else { "this is the first page" }.to_owned());
        return;
    }
    state.reading.want(Intent::Turn { forward, walk });
}

/// The first row of the nearest tie group above or below, over any distance.
pub fn tie(state: &mut State, forward: bool) {
    beyond(state, |standing| standing.tied >= 2, forward, |from| Intent::Tie { forward, from });
}

/// The first row of the nearest other score.
pub fn distinct(state: &mut State, forward: bool) {
    beyond(state, |_| true, forward, |from| Intent::Distinct { forward, from });
}

/// Selects the first row of the nearest other score on the page for which `wanted` holds, or asks the board.
fn beyond(
    state: &mut State,
    wanted: impl Fn(&Standing) -> bool,
    forward: bool,
    ask: impl Fn(crate::board::score::Score) -> Intent,
) {
    let Some(shown) = &mut state.shown else { return };
    let Some(entry) = shown.selected_entry() else { return };
    let from = entry.score;
    match on_page(&shown.window, shown.selected, &wanted, forward) {
        Some(index) => shown.select(index),
        None => state.reading.want(ask(from)),
    }
}

/// The row of the page that begins the nearest other score for which `wanted` holds. A run that begins above the page
/// has its first row elsewhere.
fn on_page(window: &Window, selected: usize, wanted: &impl Fn(&Standing) -> bool, forward: bool) -> Option<usize> {
    let from = window.entries.get(selected)?.score;
    let mut starts = window
        .standings()
        .enumerate()
        .filter(|(index, standing)| {
            let score = window.entries[*index].score;
            let is_better = |a, b| window.scoring.grouping().is_better(window.order, a, b);
            let is_beyond = if forward { is_better(from, score) } else { is_better(score, from) };
            is_beyond && standing.position == standing.better + 1 && wanted(standing)
        })
        .map(|(index, _)| index);
    // Going up, the last start is the nearest; a run cut by the upper edge lies above all that begin on the page.
    if forward { starts.next() } else { starts.last() }
}

/// From cursor paging to position paging and back.
pub fn paging(state: &mut State) {
    state.paging = match state.paging {
        Paging::Cursor => Paging::Position,
        Paging::Position => Paging::Cursor,
    };
    state.notice = Some(
        match state.paging {
            Paging::Cursor => "paging by cursor: pages continue from the last row read",
            Paging::Position => "paging by position: rows may repeat or be skipped, and are counted",
        }
        .to_owned(),
    );
}

/// The cursor after the selected row, as text.
pub fn cursor(state: &State) -> Option<String> {
    let key = state.key()?;
    state.shown.as_ref().and_then(|shown: &Shown| shown.cursor(key)).map(|cursor| cursor.encode())
}
