//! From answers to the page: turning, jumping, refreshing, and what the banner says. It asks nothing itself; what is to
//! be read next it leaves as an intent.

use std::time::Duration;

use crate::app::event::Moment;
use crate::app::find;
use crate::app::packing;
use crate::app::page::{Shown, is_contradiction};
use crate::app::polling::want_refresh;
use crate::app::queue::Intent;
use crate::app::state::{Banner, Departed, Search, State, Whereabouts};
use crate::board::drift::{Boundary, Drift};
use crate::board::entry::Member;
use crate::board::meta;
use crate::board::meta::Ttl;
use crate::board::version::Version;
use crate::board::window::Window;
use crate::query::page::{Page, PageReply};

/// Takes in an answer to the question of `intent`.
pub fn take(state: &mut State, intent: Intent, answer: PageReply, now: Moment) {
    state.search = None;
    if matches!(intent, Intent::Find(_)) {
        state.find.arrive();
    }
    match (answer, intent) {
        // The reader has let go of the member since; what was told before is read for anew.
        (_, Intent::Follow(member)) if state.follow.as_ref() != Some(&member) => want_refresh(state),
        (PageReply::Page(page), intent) => take_page(state, intent, *page, now),
        (PageReply::NotOnBoard, intent) => not_on_board(state, intent),
        (PageReply::NoFurther, intent) => no_further(state, &intent),
        (PageReply::Onward { from, reached }, Intent::Tie { forward, .. }) => {
            state.search = Some(Search { forward, reached });
            state.reading.go_on(Intent::Tie { forward, from });
            state.is_dirty = true;
        }
        (PageReply::Onward { .. }, _) => {}
    }
}

fn not_on_board(state: &mut State, intent: Intent) {
    match intent {
        Intent::Follow(member) => {
            state.follow = None;
            state.departed = Some(Departed { member, whereabouts: Some(Whereabouts::Gone) });
            state.reading.want_quietly(Intent::Refresh { accept: false });
        }
        // It is no id; perhaps it is a part of one, or of a name.
        Intent::Find(member) if is_typed(state, &member) => find::from_top(state),
        Intent::Find(_) => {
            state.notice = Some("no such member on this board; ids must match exactly".to_owned());
            // Where the viewer was opened at a member that is not there, it opens at the top.
            if state.shown.is_none() {
                state.opening = Intent::First;
                state.reading.go_on(Intent::First);
            }
        }
        _ => return,
    }
    state.is_dirty = true;
}

/// True where the text that was typed last is all of `member`.
fn is_typed(state: &State, member: &Member) -> bool {
    state.find.needle.as_ref().is_some_and(|needle| needle.text().as_bytes() == member.as_bytes())
}

fn no_further(state: &mut State, intent: &Intent) {
    let (what, forward) = match intent {
        Intent::Tie { forward, .. } => ("tie group", *forward),
        Intent::Distinct { forward, .. } => ("other score", *forward),
        _ => return,
    };
    state.notice = Some(format!("no {what} {}", if forward { "below" } else { "above" }));
    state.is_dirty = true;
}

fn take_page(state: &mut State, intent: Intent, page: Page, now: Moment) {
    let Page { window, target, boundary, tracked } = page;
    note_version(state, window.version.as_ref(), now);
    if state.keeps_page() && is_held_off(state, &intent, &window) {
        return;
    }
    state.watch.is_told_before_read = false;
    if let Some(left) = window.ttl.milliseconds() {
        // The version says nothing of the board's end, so it is looked for when it is due.
        state.watch.next_content = state.watch.next_content.min(now + Duration::from_millis(left));
    }
    if window.meta.state == Some(meta::State::Closed) {
        // It is looked at too seldom for a rate, and has none.
        state.is_dirty |= state.rate.observe(now, None);
    }
    state.expires_at = expiry(state.expires_at, window.ttl, now);
    if adopt_meta(state, &window) {
        // The board wants to be read otherwise: this window is of the wrong order.
        state.reading.go_on(intent);
        return;
    }
    state.opening = Intent::First;
    if window.is_missing() {
        missing(state, window, now);
        return;
    }
    if window.is_empty() {
        shorter(state, &intent, &window);
        return;
    }
    let is_back = std::mem::take(&mut state.is_missing);
    match intent {
        Intent::Refresh { .. } | Intent::Shrunk { .. } | Intent::Follow(_) if is_back => come_back(state, window, now),
        Intent::Refresh { accept } | Intent::Shrunk { accept } if state.shown.is_some() => {
            take_refresh(state, window, accept, tracked, now);
        }
        Intent::Turn { forward, walk } if !is_back => take_turn(state, window, boundary, (forward, walk), now),
        Intent::Follow(member) => take_follow(state, window, &member, now),
        _ => {
            // Going to the last page selects the last row, as going to the first selects the first.
            let row = target.map(|position| position.saturating_sub(window.start));
            let row = if intent == Intent::Last { u64::MAX } else { row.unwrap_or(0) };
            state.banner = None;
            if is_back {
                state.shown = None;
            }
            replace(state, window, (usize::try_from(row).unwrap_or(usize::MAX), 0), now);
        }
    }
}

/// When the key expires. What was known is kept while it is as good, so that what only trembles costs nothing.
fn expiry(known: Option<Moment>, ttl: Ttl, now: Moment) -> Option<Moment> {
    let at = now.saturating_add(Duration::from_millis(ttl.milliseconds()?));
    Some(known.filter(|known| known.abs_diff(at) < Duration::from_secs(1)).unwrap_or(at))
}

/// True where a page that nobody asked for comes while another is held: it was asked for before that, or to see whether
/// the server answers again. What only adds counts to the very rows that are held may come.
fn is_held_off(state: &State, intent: &Intent, window: &Window) -> bool {
    match intent {
        Intent::Refresh { accept: false } => !state.shown.as_ref().is_some_and(|shown| {
            let held = &shown.window;
            held.version.is_some() && held.version == window.version && held.entries == window.entries
        }),
        Intent::Shrunk { accept: false } | Intent::Follow(_) => true,
        _ => false,
    }
}

/// Takes the board's own wishes where nothing was set. True where it has to be read anew for them.
fn adopt_meta(state: &mut State, window: &Window) -> bool {
    let mut is_otherwise = false;
    if !state.is_style_set
        && let Some(style) = window.meta.rank_style
        && style != state.style
    {
        state.style = style;
        state.is_dirty = true;
        is_otherwise = state.wants_dense() && window.distinct_better.is_none();
    }
    if state.order.is_none()
        && let Some(order) = window.meta.order
        && let Some(board) = &mut state.board
        && order != board.order
    {
        board.order = order;
        state.shown = None;
        is_otherwise = true;
    }
    packing::adopt(state, window) || is_otherwise
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

/// A board that was not there is there: it is a new one, so nothing is compared with the old one, but whoever was
/// selected is selected again.
fn come_back(state: &mut State, window: Window, now: Moment) {
    let selected = state.shown.take().map_or(0, |old| {
        let member = old.selected_entry().and_then(|entry| window.find(&entry.member));
        member.unwrap_or(old.selected)
    });
    replace(state, window, (selected, 0), now);
}

/// There are rows, but none where the page begins.
fn shorter(state: &mut State, intent: &Intent, window: &Window) {
    match intent {
        _ if state.is_missing => state.reading.go_on(Intent::First),
        Intent::Turn { forward: true, .. } => {
            state.notice = Some("this is the last page".to_owned());
            state.is_dirty = true;
            if state.shown.as_ref().is_some_and(|shown| shown.window.version != window.version) && !state.is_held {
                want_refresh(state);
            }
        }
        Intent::Refresh { accept } => state.reading.go_on(Intent::Shrunk { accept: *accept }),
        _ => {}
    }
}

fn take_refresh(state: &mut State, window: Window, accept: bool, tracked: Option<u64>, now: Moment) {
    if let Some(departed) = &mut state.departed {
        let whereabouts = Some(tracked.map_or(Whereabouts::Gone, Whereabouts::At));
        state.is_dirty |= departed.whereabouts != whereabouts;
        departed.whereabouts = whereabouts;
    }
    let left = read_again(state, window, now);
    let Some(shown) = &mut state.shown else { return };
    if accept {
        state.is_dirty |= state.banner.take().is_some();
        shown.accept();
    }
    if let Some(member) = left {
        if state.follow.is_none() {
            state.departed = Some(Departed { member, whereabouts: None });
        }
        want_refresh(state);
    }
}

/// Takes in the stretch on the screen, read again; returns the selected member where that has just left the page.
fn read_again(state: &mut State, window: Window, now: Moment) -> Option<Member> {
    let shown = state.shown.as_mut()?;
    if shown.window.version == window.version {
        state.watch.changes_in_a_row = 0;
    }
    if is_same_content(&shown.window, &window) {
        return None;
    }
    state.is_dirty = true;
    let is_broken = is_contradiction(&shown.window, &window);
    let row = shown.selected;
    let left = shown.refresh(window, now);
    let mut is_news = true;
    if let Some(departed) = &state.departed {
        // The selection stays where the member was, until that comes back.
        let back = shown.window.find(&departed.member);
        shown.select(back.unwrap_or(row));
        is_news = false;
        if back.is_some() {
            state.departed = None;
        }
    }
    if is_broken {
        broken(state);
    }
    left.filter(|_| is_news)
}

/// The board was written without its version being changed: said once, and the content decides from then on.
fn broken(state: &mut State) {
    if !state.watch.is_version_broken {
        state.watch.is_version_broken = true;
        state.notice = Some("a writer skips INCR on the version: comparing rows instead".to_owned());
        state.is_dirty = true;
    }
}

/// True where nothing that is drawn differs. The time to live runs by itself and says nothing of the content.
fn is_same_content(old: &Window, new: &Window) -> bool {
    let is_kept = |ttl: Ttl| ttl == Ttl::Forever;
    is_kept(old.ttl) == is_kept(new.ttl) && *old == Window { ttl: old.ttl, ..new.clone() }
}

fn take_turn(state: &mut State, window: Window, boundary: Option<u64>, (forward, walk): (bool, bool), now: Moment) {
    let Some(shown) = &state.shown else {
        replace(state, window, (0, 0), now);
        return;
    };
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
    let left = shown.baseline.boundary(forward);
    let table = usize::from(state.geometry.rows).max(1);
    let line = shown.selected.saturating_sub(shown.scroll);
    let place = match (walk, forward) {
        (true, true) => (0, 0),
        (false, true) => (line, 0),
        // A first page that was filled up goes on below the row that was walked over.
        (true, false) => (above.saturating_sub(1), above.saturating_sub(table)),
        (false, false) => (above.saturating_sub(table) + line, above.saturating_sub(table)),
    };
    let is_moved = boundary.is_some_and(|boundary| left.version.is_some() && left.position != Some(boundary));
    if is_contradiction(&shown.window, &window) || (is_moved && left.version == window.version && window.verified) {
        broken(state);
    }
    let drift = boundary.and_then(|boundary| {
        if state.watch.is_version_broken && left.version == window.version {
            // A version that stays while the board changes says no more than none.
            return Drift::between(&Boundary { version: None, ..left }, None, boundary);
        }
        Drift::between(&left, window.version.as_ref(), boundary)
    });
    state.banner = drift.map(|drift| Banner::Changed { drift, is_forward: forward });
    if state.banner.is_none() && window.version.is_none() && !state.is_unversioned_said {
        state.is_unversioned_said = true;
        state.banner = Some(Banner::Unversioned);
    }
    replace(state, window, place, now);
}

fn take_follow(state: &mut State, window: Window, member: &Member, now: Moment) {
    let selected = window.find(member).unwrap_or(0);
    if state.shown.as_ref().is_some_and(|shown| shown.window.start == window.start) {
        // It has not carried the page along: the page was only read again.
        read_again(state, window, now);
        if let Some(shown) = &mut state.shown {
            state.is_dirty |= shown.selected != selected || state.departed.is_some();
            shown.select(selected);
        }
        state.departed = None;
        return;
    }
    state.banner = None;
    replace(state, window, (selected, 0), now);
}

/// A page of its own, with this row selected and, where it is longer than the table, scrolled so far.
fn replace(state: &mut State, window: Window, (selected, scroll): (usize, usize), now: Moment) {
    let before = state.shown.take();
    let mut shown = Shown::turned_to(window, before.as_ref().map(|shown| &shown.window), selected, now);
    // The same stretch stays scrolled as it was.
    let is_same_stretch = before.as_ref().is_some_and(|before| before.window.start == shown.window.start);
    shown.scroll = before.filter(|_| is_same_stretch).map_or(scroll, |before| before.scroll);
    state.shown = Some(shown);
    state.departed = None;
    state.is_dirty = true;
    packing::look(state, now);
}
