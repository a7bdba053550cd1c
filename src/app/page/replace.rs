//! Putting a page on the screen in the place of another.

use crate::app::event::Moment;
use crate::app::first_frame;
use crate::app::packing;
use crate::app::page::Shown;
use crate::app::page::anchor::PageAnchor;
use crate::app::state::State;
use crate::board::window::Window;

/// A page of its own, with this row selected and, where it is longer than the table, scrolled so far.
pub(super) fn replace(
    state: &mut State,
    window: Window,
    anchor: PageAnchor,
    (selected, scroll): (usize, usize),
    now: Moment,
) {
    let before = state.session.shown.take();
    if before.as_ref().is_none_or(|before| before.window.is_empty()) {
        first_frame::begin(state, now);
    }
    state.session.moves.note(&window, now);
    let mut shown = Shown::turned_to(window, anchor, selected, now);
    // The same stretch stays scrolled as it was.
    let is_same_stretch = before.as_ref().is_some_and(|before| before.window.start == shown.window.start);
    shown.scroll = before.filter(|_| is_same_stretch).map_or(scroll, |before| before.scroll);
    state.session.shown = Some(shown);
    state.session.departed = None;
    state.is_dirty = true;
    packing::update::look(state, now);
}

/// The board was written without its version being changed: said once, and the content decides from then on.
pub(super) fn broken(state: &mut State) {
    state.is_dirty |= !std::mem::replace(&mut state.session.alarms.is_skipped, true);
    if !state.session.watch.is_version_broken {
        state.session.watch.is_version_broken = true;
        state.notice = Some("a writer skips INCR on the version: comparing rows instead".to_owned());
        state.is_dirty = true;
    }
}
