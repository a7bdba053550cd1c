//! From answers to the page: turning, jumping, refreshing, and what the banner says. It asks nothing itself; what is to
//! be read next it leaves as an intent.

use std::time::Duration;

use crate::app::alarms::Alarms;
use crate::app::event::Moment;
use crate::app::find;
use crate::app::moves::Leap;
use crate::app::packing;
use crate::app::page::anchor::PageAnchor;
use crate::app::page::banner::Banner;
use crate::app::page::left::Left;
use crate::app::page::replace::{broken, replace};
use crate::app::page::{Shown, is_contradiction, turn};
use crate::app::polling::want_refresh;
use crate::app::queue::Intent;
use crate::app::session::{Departed, Search, Whereabouts};
use crate::app::state::State;
use crate::board::entry::Member;
use crate::board::meta;
use crate::board::meta::Ttl;
use crate::board::needle::Needle;
use crate::board::version::Version;
use crate::board::window::Window;
use crate::query::page::{Page, PageReply};

/// Takes in an answer to the question of `intent`.
pub fn take(state: &mut State, intent: Intent, answer: PageReply, now: Moment) {
    state.session.search = None;
    match (answer, intent) {
        // The reader has let go of the member since; what was told before is read for anew.
        (_, Intent::Follow { member, .. }) if state.session.follow.as_ref() != Some(&member) => want_refresh(state),
        (PageReply::Page(page), intent) => take_page(state, intent, *page, now),
        (PageReply::NotOnBoard, intent) => not_on_board(state, intent),
        (PageReply::NoFurther, intent) => no_further(state, &intent),
        (PageReply::Onward { from, reached }, Intent::Tie { forward, .. }) => {
            state.session.search = Some(Search { forward, reached });
            state.session.reading.go_on(Intent::Tie { forward, from });
            state.is_dirty = true;
        }
        (PageReply::Onward { .. }, _) => {}
    }
}

fn not_on_board(state: &mut State, intent: Intent) {
    match intent {
        Intent::Follow { member, .. } => {
            state.session.follow = None;
            if find::update::follow_id(state, &member) {
                return;
            }
            state.session.departed = Some(Departed { member, whereabouts: Some(Whereabouts::Gone) });
            state.session.reading.want_quietly(Intent::Refresh { accept: false });
        }
        // It is no id; perhaps it is a part of one, or of a name.
        Intent::Find(member) if is_typed(state, &member) => find::update::from_top(state),
        Intent::Find(_) => {
            state.notice = Some("no such member on this board; ids must match exactly".to_owned());
            // Where the viewer was opened at a member that is not there, it opens at the top.
            if state.session.shown.is_none() {
                state.session.opening = Intent::First;
                state.session.reading.go_on(Intent::First);
            }
        }
        _ => return,
    }
    state.is_dirty = true;
}

/// True where the text that was typed last is all of `member`, or its id.
fn is_typed(state: &State, member: &Member) -> bool {
    let id = state.packing.scoring.id_of(member);
    let is_text = |needle: &Needle| [member, &id].iter().any(|one| needle.text().as_bytes() == one.as_bytes());
    state.find.needle.as_ref().is_some_and(is_text)
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
    state.session.watch.is_told_before_read = false;
    if let Some(left) = window.ttl.milliseconds() {
        // The version says nothing of the board's end, so it is looked for when it is due.
        state.session.watch.next_content = state.session.watch.next_content.min(now + Duration::from_millis(left));
    }
    note_late_writes(state, &intent, &window, now);
    if window.meta.state == Some(meta::State::Closed) && !state.session.alarms.is_written() {
        // It is looked at too seldom for a rate, and has none.
        state.is_dirty |= state.session.rate.observe(now, None);
    }
    state.session.expires_at = expiry(state.session.expires_at, window.ttl, now);
    if adopt_meta(state, &window) {
        // The board wants to be read otherwise: this window is of the wrong order.
        state.session.reading.go_on(intent);
        return;
    }
    state.session.opening = Intent::First;
    if window.is_missing() {
        missing(state, window, now);
        return;
    }
    if window.is_empty() {
        shorter(state, intent, &window);
        return;
    }
    let is_back = std::mem::take(&mut state.session.is_missing);
    match intent {
        Intent::Refresh { .. } | Intent::Shrunk { .. } | Intent::Follow { .. } if is_back => {
            come_back(state, window, now);
        }
        Intent::Refresh { accept } | Intent::Shrunk { accept } if state.session.shown.is_some() => {
            if let Some(shown) = &mut state.session.shown {
                if matches!(intent, Intent::Shrunk { .. })
                    && let Some(anchor) = shown.anchor.shrunk(&window)
                {
                    shown.anchor = anchor;
                }
                if let Some(left) = &mut shown.left {
                    left.stands(boundary, &window);
                }
            }
            take_refresh(state, window, accept, tracked, now);
        }
        Intent::Turn { turns, walk } if !is_back && state.session.shown.is_some() => {
            turn::take(state, window, boundary, (&turns, walk), now);
        }
        Intent::Follow { member, .. } => take_follow(state, window, boundary, &member, now),
        intent => take_jump(state, window, &intent, (target, boundary), is_back, now),
    }
    tell(state);
}

/// Works out what the banner says of the page as it is now.
pub fn tell(state: &mut State) {
    let is_broken = state.session.watch.is_version_broken;
    let changed =
        state.session.shown.as_ref().and_then(|shown| {
            shown.left.as_ref().and_then(|left| left.banner(shown.window.version.as_ref(), is_broken))
        });
    // That there is no version is said until it is answered, or until there is more to say.
    let banner = changed.or_else(|| state.session.banner.take_if(|banner| *banner == Banner::Unversioned));
    state.is_dirty |= state.session.banner != banner;
    state.session.banner = banner;
}

/// A page that was jumped to.
fn take_jump(
    state: &mut State,
    window: Window,
    intent: &Intent,
    (target, boundary): (Option<u64>, Option<u64>),
    is_back: bool,
    now: Moment,
) {
    let row = target.map_or(0, |position| position.saturating_sub(window.start));
    let mut selected = usize::try_from(row).unwrap_or(usize::MAX);
    let entry = window.entries.get(selected);
    let mut left = None;
    let anchor = match (intent, entry) {
        (Intent::Row(position), _) => PageAnchor::Row { position: *position, line: row },
        (Intent::Score(score), _) => PageAnchor::Score { score: *score, line: row },
        (Intent::Tie { .. } | Intent::Distinct { .. }, Some(entry)) => {
            PageAnchor::Score { score: entry.score, line: row }
        }
        (Intent::Find(_), Some(entry)) => PageAnchor::Place { place: entry.clone(), line: row },
        (Intent::Last, _) => {
            // Going to the last page selects the last row, as going to the first selects the first.
            selected = usize::MAX;
            PageAnchor::End
        }
        (Intent::Back(stay), _) => {
            let member = stay.member.as_ref().and_then(|member| window.find(member));
            selected = member.unwrap_or(stay.row);
            stay.anchor.clone()
        }
        (Intent::Cursor { is_after, cursor }, _) => {
            if let Some(boundary) = boundary {
                left = Some(Left::of_cursor(cursor, *is_after, &window, boundary));
            }
            if !is_after {
                selected = usize::MAX;
            }
            let place = cursor.place.clone();
            if *is_after { PageAnchor::After(place) } else { PageAnchor::Before(place) }
        }
        _ => PageAnchor::Position(window.start),
    };
    state.session.banner = None;
    if is_back {
        state.session.shown = None;
        state.session.moves.clear();
    }
    if let Some(shown) = &state.session.shown
        && !matches!(intent, Intent::Tie { .. } | Intent::Distinct { .. } | Intent::Back(_))
        && !shown.window.is_empty()
    {
        let stay = shown.stay();
        state.session.history.leave(stay);
    }
    state.session.moves.turn();
    replace(state, window, anchor, (selected, 0), now);
    if let Some(shown) = &mut state.session.shown {
        shown.left = left;
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
        Intent::Refresh { accept: false } => !state.session.shown.as_ref().is_some_and(|shown| {
            let held = &shown.window;
            held.version.is_some() && held.version == window.version && held.entries == window.entries
        }),
        Intent::Shrunk { accept: false } | Intent::Follow { .. } => true,
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
        && let Some(board) = &mut state.session.board
        && order != board.order
    {
        board.order = order;
        state.session.shown = None;
        is_otherwise = true;
    }
    packing::update::adopt(state, window) || is_otherwise
}

/// Takes note of a version that was read, by whatever read.
pub fn note_version(state: &mut State, version: Option<&Version>, now: Moment) {
    let is_rate_new = state.session.rate.observe(now, version.and_then(Version::number));
    if state.session.seen_version.as_ref() != version {
        state.is_dirty |= state.session.is_held;
        state.session.seen_version = version.cloned();
    }
    state.is_dirty |= is_rate_new | state.session.alarms.note(version, now);
}

/// Takes note of writes to a board that was closed at the read before and is closed now.
fn note_late_writes(state: &mut State, intent: &Intent, window: &Window, now: Moment) {
    let is_closed = |window: &Window| window.meta.state == Some(meta::State::Closed);
    let Some(old) = state.session.shown.as_ref().map(|shown| &shown.window).filter(|old| is_closed(old)) else {
        return;
    };
    let is_same_stretch =
        matches!(intent, Intent::Refresh { .. }) && old.start == window.start && old.len() == window.len();
    let is_written = old.version != window.version
        || old.total != window.total
        || (is_same_stretch && old.entries != window.entries);
    if is_closed(window) && is_written && !state.session.is_missing && !window.is_missing() {
        state.is_dirty |= state.session.alarms.write(now);
        // From now on it is looked at as any board is.
        state.session.watch.hurry(now);
    }
}

/// The board is not there: its last page stays, and it is awaited.
fn missing(state: &mut State, window: Window, now: Moment) {
    state.is_dirty |= !state.session.is_missing;
    state.session.is_missing = true;
    // That there is no board says more, and what comes is another one.
    state.session.alarms = Alarms::default();
    state.session.follow = None;
    state.session.banner = None;
    if state.session.shown.is_none() {
        state.session.shown = Some(Shown::turned_to(window, PageAnchor::Position(1), 0, now));
    }
}

/// A board that was not there is there: it is a new one, so nothing is compared with the old one, but whoever was
/// selected is selected again.
fn come_back(state: &mut State, window: Window, now: Moment) {
    let (anchor, selected) = state.session.shown.take().map_or((PageAnchor::Position(window.start), 0), |old| {
        let member = old.selected_entry().and_then(|entry| window.find(&entry.member));
        let selected = member.unwrap_or(old.selected);
        (old.anchor, selected)
    });
    state.session.banner = None;
    state.session.moves.clear();
    replace(state, window, anchor, (selected, 0), now);
}

/// There are rows, but none where the page begins.
fn shorter(state: &mut State, intent: Intent, window: &Window) {
    match intent {
        _ if state.session.is_missing => state.session.reading.go_on(Intent::First),
        Intent::Turn { turns, .. } if turns.first() == Some(&true) => {
            // Whatever leads further down comes to nothing too.
            let back = turns.iter().position(|turn| !turn).unwrap_or(turns.len());
            state.session.presses.turn_next(&turns[back..]);
            state.notice = Some("this is the last page".to_owned());
            state.is_dirty = true;
            if state.session.shown.as_ref().is_some_and(|shown| shown.window.version != window.version)
                && !state.session.is_held
            {
                want_refresh(state);
            }
        }
        Intent::Refresh { accept } => state.session.reading.go_on(Intent::Shrunk { accept }),
        // Nothing is left where it leads: the last rows are.
        Intent::Cursor { .. } | Intent::Back(_) => state.session.reading.go_on(Intent::Last),
        _ => {}
    }
}

fn take_refresh(state: &mut State, window: Window, accept: bool, tracked: Option<u64>, now: Moment) {
    if let Some(departed) = &mut state.session.departed {
        let whereabouts = Some(tracked.map_or(Whereabouts::Gone, Whereabouts::At));
        state.is_dirty |= departed.whereabouts != whereabouts;
        departed.whereabouts = whereabouts;
    }
    if accept {
        state.session.moves.turn();
        // Also where the same comes again.
        state.session.moves.note(&window, now);
        state.is_dirty = true;
    }
    let left = read_again(state, window, now);
    let Some(shown) = &mut state.session.shown else { return };
    if accept {
        state.is_dirty |= state.session.banner.take().is_some();
        shown.accept();
        state.is_dirty |= state.session.alarms.answer(shown.window.version.as_ref());
    }
    if let Some(member) = left {
        if state.session.follow.is_none() {
            state.session.departed = Some(Departed { member, whereabouts: None });
        }
        want_refresh(state);
    }
}

/// Takes in the stretch on the screen, read again; returns the selected member where that has just left the page.
fn read_again(state: &mut State, window: Window, now: Moment) -> Option<Member> {
    let shown = state.session.shown.as_mut()?;
    if shown.window.version == window.version {
        state.session.watch.changes_in_a_row = 0;
    }
    if is_same_content(&shown.window, &window) {
        return None;
    }
    state.is_dirty = true;
    let is_broken = is_contradiction(&shown.window, &window);
    let row = shown.selected;
    state.session.moves.note(&window, now);
    let left = shown.refresh(window, now);
    let mut is_news = true;
    if let Some(departed) = &state.session.departed {
        // The selection stays where the member was, until that comes back.
        let back = shown.window.find(&departed.member);
        shown.select(back.unwrap_or(row));
        is_news = false;
        if back.is_some() {
            state.session.departed = None;
        }
    }
    if is_broken {
        broken(state);
    }
    left.filter(|_| is_news)
}

/// True where nothing that is drawn differs. The time to live runs by itself and says nothing of the content.
fn is_same_content(old: &Window, new: &Window) -> bool {
    let is_kept = |ttl: Ttl| ttl == Ttl::Forever;
    is_kept(old.ttl) == is_kept(new.ttl) && *old == Window { ttl: old.ttl, ..new.clone() }
}

fn take_follow(state: &mut State, window: Window, boundary: Option<u64>, member: &Member, now: Moment) {
    let selected = window.find(member).unwrap_or(0);
    let place = window.entries.get(selected).cloned();
    tell_leap(state, &window, selected);
    let anchor =
        place.map_or(PageAnchor::Position(window.start), |place| PageAnchor::Place { place, line: selected as u64 });
    if state.session.shown.as_ref().is_some_and(|shown| shown.window.start == window.start) {
        // It has not carried the page along: the page was only read again.
        if let Some(left) = state.session.shown.as_mut().and_then(|shown| shown.left.as_mut()) {
            left.stands(boundary, &window);
        }
        read_again(state, window, now);
        if let Some(shown) = &mut state.session.shown {
            state.is_dirty |= shown.selected != selected || state.session.departed.is_some();
            shown.select(selected);
            shown.anchor = anchor;
        }
        state.session.departed = None;
        return;
    }
    state.session.banner = None;
    replace(state, window, anchor, (selected, 0), now);
}

/// Tells of a followed member that has moved by more than a page since it was drawn last.
fn tell_leap(state: &mut State, window: &Window, selected: usize) {
    let before = state.session.shown.as_ref().zip(window.entries.get(selected));
    let before = before.and_then(|(shown, entry)| shown.window.standing(shown.window.find(&entry.member)?));
    let Some((before, now)) = before.zip(window.standing(selected)) else { return };
    let by = before.better.abs_diff(now.better);
    if by > state.page_rows() {
        state.session.moves.leap = Some(Leap { by, is_up: now.better < before.better, now });
        state.is_dirty = true;
    }
}
