//! From intents to questions, and from answers to the page: turning, jumping, refreshing, and what the banner says.

use crate::app::event::Moment;
use crate::app::page::Shown;
use crate::app::reading::Intent;
use crate::app::state::{Banner, Departed, Paging, Search, State, Whereabouts};
use crate::board::ask::{Answer, Ask, Page, Whence};
use crate::board::drift::Drift;
use crate::board::meta::Ttl;
use crate::board::version::Version;
use crate::board::window::Window;

/// The question that `intent` is at this moment.
pub fn ask(state: &State, intent: &Intent) -> Ask {
    let size = state.page_rows();
    let mut ask = Ask::new(Whence::Position(1), size);
    // Landed rows stand among their neighbours, in the upper third.
    ask.lead = size / 3;
    ask.dense = state.wants_dense();
    match intent {
        Intent::Refresh { .. } => refresh(state, &mut ask),
        Intent::Turn { forward, .. } => turn(state, *forward, &mut ask),
        Intent::First => {}
        Intent::Last => ask.whence = Whence::Last,
        Intent::Row(position) => ask.whence = Whence::Row(*position),
        Intent::Score(score) => ask.whence = Whence::Score(*score),
        Intent::Find(member) => ask.whence = Whence::Member(member.clone()),
        Intent::Follow(member) => {
            ask.whence = Whence::Member(member.clone());
            // It keeps its line on the screen, and the board moves past it.
            if let Some(shown) = &state.shown {
                ask.lead = shown.selected as u64;
            }
        }
        Intent::Tie { forward: true, from } => ask.whence = Whence::NextTie(*from),
        Intent::Tie { forward: false, from } => ask.whence = Whence::PreviousTie(*from),
        Intent::Distinct { forward: true, from } => ask.whence = Whence::NextScore(*from),
        Intent::Distinct { forward: false, from } => ask.whence = Whence::PreviousScore(*from),
    }
    ask
}

fn refresh(state: &State, ask: &mut Ask) {
    if let Some(shown) = &state.shown {
        ask.whence = Whence::Position(shown.window.start);
    }
    ask.track = state.departed.as_ref().map(|departed| departed.member.clone());
}

fn turn(state: &State, forward: bool, ask: &mut Ask) {
    let Some(shown) = &state.shown else { return };
    let window = &shown.window;
    let edge = if forward { window.entries.last() } else { window.entries.first() };
    // An empty page has no edge to go on from.
    let Some(edge) = edge.cloned() else { return };
    ask.fill = !forward;
    ask.anchor = shown.baseline.anchor(forward);
    ask.whence = match (state.paging, forward) {
        (Paging::Cursor, true) => Whence::After(edge),
        (Paging::Cursor, false) => Whence::Before(edge),
        (Paging::Position, true) => Whence::Position(window.end() + 1),
        (Paging::Position, false) => Whence::Position(window.start.saturating_sub(ask.size).max(1)),
    };
}

/// Takes in an answer to the question of `intent`.
pub fn take(state: &mut State, intent: Intent, answer: Answer, now: Moment) {
    state.search = None;
    match answer {
        Answer::Page(page) => take_page(state, intent, *page, now),
        Answer::NotOnBoard => not_on_board(state, &intent),
        Answer::NoFurther => no_further(state, &intent),
        Answer::Onward { from, reached } => {
            if let Intent::Tie { forward, .. } = intent {
                state.search = Some(Search { forward, reached });
                state.reading.want(Intent::Tie { forward, from });
                state.is_dirty = true;
            }
        }
    }
}

fn not_on_board(state: &mut State, intent: &Intent) {
    state.is_dirty = true;
    if let Intent::Follow(member) = intent {
        state.follow = None;
        state.departed = Some(Departed { member: member.clone(), whereabouts: Some(Whereabouts::Gone) });
        state.reading.want(Intent::Refresh { accept: false });
        return;
    }
    state.notice = Some("no such member on this board; ids are matched exactly".to_owned());
    open_at_top(state);
}

fn no_further(state: &mut State, intent: &Intent) {
    let (what, forward) = match intent {
        Intent::Tie { forward, .. } => ("tie group", *forward),
        Intent::Distinct { forward, .. } => ("other score", *forward),
        _ => return,
    };
    state.notice = Some(format!("no {what} {}", if forward { "further down" } else { "further up" }));
    state.is_dirty = true;
}

/// Where the viewer was opened at a member that is not there, it opens at the top.
fn open_at_top(state: &mut State) {
    if state.shown.is_none() {
        state.reading.want(Intent::First);
    }
}

fn take_page(state: &mut State, intent: Intent, page: Page, now: Moment) {
    let Page { window, target, boundary, tracked } = page;
    if adopt_meta(state, &window) {
        // The board wants to be read otherwise: this window is of the wrong order.
        state.reading.want(intent);
        return;
    }
    if state.is_held && intent == (Intent::Refresh { accept: false }) && !was_awaited(state) {
        // Asked before the page was held, or to see whether the server answers again.
        note_version(state, window.version.as_ref(), now);
        return;
    }
    note_version(state, window.version.as_ref(), now);
    if window.is_missing() {
        missing(state, window, now);
        return;
    }
    let is_back = std::mem::take(&mut state.is_missing);
    if window.is_empty() {
        // The board has become shorter than the place of the page.
        match intent {
            Intent::Turn { forward: true, .. } => {
                state.notice = Some("this is the last page".to_owned());
                state.is_dirty = true;
            }
            _ => state.reading.want(Intent::Last),
        }
        return;
    }
    match intent {
        Intent::Refresh { accept } if !is_back && state.shown.is_some() => {
            take_refresh(state, window, accept, tracked, now);
        }
        Intent::Turn { forward, walk } => take_turn(state, window, boundary, (forward, walk), now),
        Intent::Follow(member) => take_follow(state, window, &member, now),
        _ => land(state, window, target, now),
    }
}

/// True where the page on the screen is that of a board that is not there.
fn was_awaited(state: &State) -> bool {
    state.is_missing || state.shown.is_none()
}

/// Takes the board's own wishes where nothing was set. True where it wants to be read in the other order.
fn adopt_meta(state: &mut State, window: &Window) -> bool {
    if !state.is_style_set
        && let Some(style) = window.meta.rank_style
        && style != state.style
        && state.shown.is_none()
    {
        state.style = style;
        state.is_dirty = true;
        if state.wants_dense() && window.distinct_better.is_none() {
            return true;
        }
    }
    match window.meta.order {
        Some(order) if !state.is_order_set && order != state.board.order => {
            state.board.order = order;
            state.shown = None;
            true
        }
        _ => false,
    }
}

/// Takes note of a version that was read, by whatever read.
pub fn note_version(state: &mut State, version: Option<&Version>, now: Moment) {
    let is_rate_new = state.rate.observe(now, version.and_then(Version::number));
    if state.seen_version.as_ref() != version {
        state.is_dirty |= state.is_held;
        state.seen_version = version.cloned();
    }
    state.is_dirty |= is_rate_new;
}

/// The board is not there: its last page stays, and it is awaited.
fn missing(state: &mut State, window: Window, now: Moment) {
    state.is_dirty |= !state.is_missing;
    state.is_missing = true;
    state.follow = None;
    state.banner = None;
    if state.shown.is_none() {
        state.shown = Some(Shown::turned_to(window, None, 0, now));
    }
}

fn take_refresh(state: &mut State, window: Window, accept: bool, tracked: Option<u64>, now: Moment) {
    let Some(shown) = &mut state.shown else { return };
    let is_same = is_same_content(&shown.window, &window);
    if accept {
        state.banner = None;
        state.is_dirty = true;
    }
    if let Some(departed) = &mut state.departed {
        let whereabouts = Some(tracked.map_or(Whereabouts::Gone, Whereabouts::At));
        state.is_dirty |= departed.whereabouts != whereabouts;
        departed.whereabouts = whereabouts;
    }
    if !is_same {
        if window.version.is_some() && window.version == shown.window.version && window.verified {
            broken(&mut state.notice, &mut state.watch.is_version_broken);
        }
        state.is_dirty = true;
        let was_departed = state.departed.is_some();
        if let Some(member) = shown.refresh(window, now)
            && !was_departed
        {
            state.departed = Some(Departed { member, whereabouts: None });
            state.reading.want(Intent::Refresh { accept: false });
        }
        let back = state.departed.as_ref().and_then(|departed| shown.window.find(&departed.member));
        if let Some(index) = back {
            shown.select(index);
            state.departed = None;
        }
    }
    if accept {
        shown.accept();
    }
}

/// The board was written without its version being changed: said once, and the content decides from then on.
fn broken(notice: &mut Option<String>, is_version_broken: &mut bool) {
    if !*is_version_broken {
        *is_version_broken = true;
        *notice = Some("scores changed and the version did not: watching the content from now on".to_owned());
    }
}

/// True where nothing that is drawn differs. The time to live runs by itself and says nothing of the content.
fn is_same_content(old: &Window, new: &Window) -> bool {
    let is_kept = |ttl: Ttl| ttl == Ttl::Forever;
    is_kept(old.ttl) == is_kept(new.ttl) && *old == Window { ttl: old.ttl, ..new.clone() }
}

fn take_turn(state: &mut State, window: Window, boundary: Option<u64>, (forward, walk): (bool, bool), now: Moment) {
    let Some(shown) = &state.shown else {
        land(state, window, None, now);
        return;
    };
    let drift = boundary
        .and_then(|boundary| Drift::between(&shown.baseline.boundary(forward), window.version.as_ref(), boundary));
    state.banner = drift.map(Banner::Changed);
    if state.banner.is_none() && window.version.is_none() && !state.is_unversioned_said {
        state.is_unversioned_said = true;
        state.banner = Some(Banner::Unversioned);
    }
    let selected = match (walk, forward) {
        (false, _) => shown.selected,
        (true, true) => 0,
        // A first page that was filled up goes on below the row that was walked over.
        (true, false) => {
            let edge = shown.window.entries.first();
            let order = window.order;
            let above = edge.map_or(window.len(), |edge| {
                window.entries.partition_point(|entry| order.compare(entry, edge).is_lt())
            });
            above.saturating_sub(1)
        }
    };
    replace(state, window, selected, now);
}

fn take_follow(state: &mut State, window: Window, member: &crate::board::entry::Member, now: Moment) {
    let selected = window.find(member).unwrap_or(0);
    let is_same = state.shown.as_ref().is_some_and(|shown| is_same_content(&shown.window, &window));
    state.follow = Some(member.clone());
    if is_same {
        if let Some(shown) = &mut state.shown {
            state.is_dirty |= shown.selected != selected;
            shown.select(selected);
        }
        return;
    }
    replace(state, window, selected, now);
}

/// A jump: the page is a new one, and nothing is compared with the one that was left.
fn land(state: &mut State, window: Window, target: Option<u64>, now: Moment) {
    let selected = target.map_or(0, |position| position.saturating_sub(window.start));
    // Going to the last page selects the last row, as going to the first selects the first.
    let selected = if target.is_none() && window.start > 1 && window.is_last() {
        window.len()
    } else {
        usize::try_from(selected).unwrap_or(0)
    };
    state.banner = None;
    replace(state, window, selected, now);
}

fn replace(state: &mut State, window: Window, selected: usize, now: Moment) {
    let before = state.shown.take();
    let scroll = before.as_ref().map_or(0, |shown| shown.scroll);
    let mut shown = Shown::turned_to(window, before.as_ref().map(|shown| &shown.window), selected, now);
    // The same stretch, scrolled as it was; another one from its top.
    if before.is_some_and(|before| before.window.start == shown.window.start) {
        shown.scroll = scroll;
    }
    state.shown = Some(shown);
    state.departed = None;
    state.is_dirty = true;
}
