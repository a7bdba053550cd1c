//! Steps of the selection: rows, tie groups, distinct scores. What the page holds is answered at once; only beyond its
//! edge the board is asked.

use crate::app::page::Shown;
use crate::app::prompt::GoTarget;
use crate::app::queue::Intent;
use crate::app::session::Whereabouts;
use crate::app::settings::{Paging, Sharing};
use crate::app::state::State;
use crate::board::rank::Standing;
use crate::board::window::Window;

/// One row up or down; over the edge of the page, the page is turned.
pub fn row(state: &mut State, forward: bool) {
    let Some(shown) = &mut state.session.shown else { return };
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
    let Some(shown) = &mut state.session.shown else { return };
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

/// Back to the page that was left by the last jump.
pub fn back(state: &mut State) {
    match state.session.history.back() {
        Some(stay) => {
            state.session.follow = None;
            state.session.departed = None;
            state.session.reading.want(Intent::Back(Box::new(stay)));
        }
        None => state.notice = Some("no jump or find to go back from".to_owned()),
    }
}

/// Turns the page, or says that there is no further one.
fn turn(state: &mut State, forward: bool, walk: bool) {
    let Some(shown) = &mut state.session.shown else { return };
    let is_edge = if forward { shown.window.is_last() } else { shown.window.start == 1 };
    // A page that is held may have more rows beyond its edge by now.
    if is_edge && !state.session.is_held {
        shown.select(if forward { usize::MAX } else { 0 });
        state.notice = Some(if forward { "this is the last page" } else { "this is the first page" }.to_owned());
        return;
    }
    state.session.reading.want(Intent::Turn { turns: vec![forward], walk });
}

/// Adds the turns that were pressed since to one that is about to be asked for, so that they are one read.
pub fn gather(state: &mut State, intent: &mut Intent) {
    let Intent::Turn { turns, walk: false } = intent else { return };
    let shown_rows = state.session.shown.as_ref().map_or(0, |shown| shown.window.len() as u64);
    // Only pages that are in sight as a whole are turned by each press. Whether a page that is held is the first one by
    // now, its own turn tells.
    let is_whole = state.page_rows().max(shown_rows) <= u64::from(state.geometry.rows);
    if is_whole && (turns.first() == Some(&true) || !state.session.is_held) {
        turns.extend(state.session.presses.take_turns());
    }
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
    let Some(shown) = &mut state.session.shown else { return };
    let Some(entry) = shown.selected_entry() else { return };
    let from = entry.score;
    match on_page(&shown.window, shown.selected, &wanted, forward) {
        Some(index) => shown.select(index),
        None => state.session.reading.want(ask(from)),
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

/// A command that opens the place after the selected row.
pub fn command(state: &State) -> Option<String> {
    let (key, cursor) = (state.key()?, cursor(state)?);
    // What begins with a dash would be taken for an option.
    let dashes = if key.as_ref().starts_with(b"-") { "-- " } else { "" };
    let Sharing { options, quote } = &state.sharing;
    let style = if state.is_style_set { format!(" --rank-style {}", state.style.name()) } else { String::new() };
    Some(format!("ranktop{options}{style} --after {cursor} {dashes}{}", quote(key.as_ref())))
}

/// The cursor after the selected row, as text.
pub fn cursor(state: &State) -> Option<String> {
    let key = state.key()?;
    state.session.shown.as_ref().and_then(|shown: &Shown| shown.cursor(key)).map(|cursor| cursor.encode())
}

/// Goes where `:` was told to.
pub fn go_to(state: &mut State, place: GoTarget) {
    let Some(shown) = &state.session.shown else { return };
    let selected = shown.window.position(shown.selected);
    let intent = match place {
        GoTarget::Position(position) => Intent::Row(position),
        GoTarget::Relative(by) => Intent::Row(selected.saturating_add_signed(by).max(1)),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a total is between 0 and the total"
        )]
        GoTarget::Percent(percent) => Intent::Row(((shown.window.total as f64 * percent / 100.0).ceil() as u64).max(1)),
        GoTarget::Score(score) => Intent::Score(shown.window.scoring.meant(score)),
    };
    leave_for(state, intent);
}

/// Goes somewhere else; whoever was followed is let go.
pub fn leave_for(state: &mut State, intent: Intent) {
    state.session.follow = None;
    state.session.departed = None;
    state.session.reading.want(intent);
}

/// Whoever walks away from a member follows it no longer, nor asks where it went.
pub fn let_go(state: &mut State) {
    state.is_dirty |= state.session.follow.take().is_some() | state.session.departed.take().is_some();
}

/// Follows the selected member, or whoever left the page; lets go of whoever is followed.
pub fn follow(state: &mut State) {
    let gone = match &state.session.departed {
        Some(departed) if departed.whereabouts == Some(Whereabouts::Gone) => return,
        Some(departed) => Some(departed.member.clone()),
        None => None,
    };
    if gone.is_none() && state.session.follow.take().is_some() {
        return;
    }
    let selected =
        state.session.shown.as_ref().and_then(|shown| shown.selected_entry()).map(|entry| entry.member.clone());
    if let Some(member) = gone.or(selected) {
        state.session.is_held = false;
        state.session.follow = Some(member.clone());
        state.session.reading.want(Intent::Follow { member, is_asked: true });
    }
}

/// Reads the page again, and takes what comes for a new start.
pub fn read_again(state: &mut State) {
    // Where nothing has come yet, the viewer is still to be opened.
    let is_open = state.session.shown.is_some();
    state.session.reading.want(if is_open { Intent::Refresh { accept: true } } else { state.session.opening.clone() });
}
