//! The footer: where on the board the reader is, one thing worth saying, and the keys, taken from the live keymap.

use crate::app::event::Link;
use crate::app::geometry::Geometry;
use crate::app::keymap::{Action, binding};
use crate::app::overlay::Overlay;
use crate::app::periods::list::Browse;
use crate::app::picker::Lines;
use crate::app::picker::search::Phase;
use crate::app::session::{Departed, Search, Whereabouts};
use crate::app::state::State;
use crate::text::{Charset, count, escape_to, fit, group_digits};
use crate::view::Appearance;
use crate::view::canvas::Canvas;
use crate::view::format::{called, marks, own, shorter};
use crate::view::parts;
use crate::view::segments;
use crate::view::segments::{Piece, give_way, room, width};

/// Columns of somebody's name in the footer at most.
const NAME: usize = 24;
/// Columns of a notice at most; it may quote what was typed.
const NOTICE: usize = 400;
/// The header has room for the reason of a rank that is not shown from so many columns on.
const REASON_FROM: u16 = 90;

/// The keys that are named, from left to right, each with its turn to give way.
const HINTS: [(Action, u8); 8] = [
    (Action::RowDown, 2),
    (Action::PageDown, 3),
    (Action::NextTie, 6),
    (Action::Find, 7),
    (Action::Hold, 4),
    (Action::Boards, 1),
    (Action::Help, 8),
    (Action::Quit, 5),
];

/// Draws the footer.
pub(super) fn draw(canvas: &mut Canvas, geometry: &Geometry, state: &State) {
    let look = canvas.look;
    let hints = match state.overlay {
        Some(Overlay::Inspector | Overlay::Distribution | Overlay::Trace) => close_hint(look),
        _ => hints(state, look),
    };
    // Nothing is said of a page that is not drawn yet.
    let range = range(state, geometry, look).filter(|_| state.drawn_page().is_some());
    let left = match told(state, geometry, look) {
        Some(told) => {
            beside(range.as_ref(), &marks(&told, look.charset), room(canvas.width()), state.notice.is_some(), look)
        }
        None => range.into_iter().collect(),
    };
    draw_pieces(canvas, geometry, left, hints);
}

/// What is said, in its longest form that fits beside the range; what was just said to the reader in its longest form
/// at all, for the range can be read again.
fn beside(range: Option<&Piece>, told: &str, room: usize, is_notice: bool, look: &Appearance) -> Vec<Piece> {
    let piece = |form: &str| Piece::new(form, look.theme.accent).after("   ");
    let both = |form: &str| range.cloned().into_iter().chain([piece(form)]).collect::<Vec<_>>();
    let forms = shorter(told);
    for form in &forms {
        let alone = is_notice.then(|| vec![piece(form)]);
        if let Some(fitting) = std::iter::once(both(form)).chain(alone).find(|pieces| width(pieces) <= room) {
            return fitting;
        }
    }
    both(forms.last().copied().unwrap_or(told))
}

/// Draws the footer under the help screen, of which the lines `seen` (from, to, of how many) are in sight.
pub(super) fn draw_under_help(canvas: &mut Canvas, geometry: &Geometry, seen: (usize, usize, usize)) {
    let look = canvas.look;
    let (from, to, all) = seen;
    let words = own(&format!("help {from}–{to} of {all}"), usize::from(canvas.width()), look.charset);
    let mut left = vec![Piece::new(words, look.theme.text)];
    if to < all {
        left.push(Piece::new(marks("↓ more below", look.charset), look.theme.accent).yielding(3));
    }
    let mut hints = Vec::new();
    if to.saturating_sub(from) + 1 < all {
        hints.push(Piece::new(marks("↑↓ scroll", look.charset), look.theme.dim).yielding(2));
    }
    hints.extend(close_hint(look));
    draw_pieces(canvas, geometry, left, hints);
}

/// Draws the footer under the list of periods: what was just said, else which of them are in sight.
pub(super) fn draw_under_periods(canvas: &mut Canvas, geometry: &Geometry, state: &State, list: &Browse, seen: &str) {
    let look = canvas.look;
    let left = match &state.notice {
        Some(notice) => Piece::new(own(notice, NOTICE, look.charset), look.theme.accent),
        None => Piece::new(seen, look.theme.text),
    };
    let open = binding(Action::Follow).and_then(|binding| binding.keys.first());
    let can_open = list.selected_row().is_some_and(|row| row.refusal().is_none());
    let open = open.filter(|_| can_open);
    let open = open.map(|key| Piece::new(format!("{key} open"), look.theme.dim).yielding(2));
    let hints = open.into_iter().chain(close_hint(look)).collect();
    draw_pieces(canvas, geometry, vec![left], hints);
}

/// Draws the footer under the list of boards: which of its rows are in sight, and its keys. Letters are typed there, so
/// that only Ctrl-C quits.
pub(super) fn draw_under_boards(canvas: &mut Canvas, geometry: &Geometry, state: &State) {
    let look = canvas.look;
    let list = &state.picker.list;
    let sight = list.in_sight(usize::from(Lines::of(geometry).rows));
    let range =
        format!("{}–{} of {}", count(sight.start as u64 + 1), count(sight.end as u64), count(list.rows() as u64));
    let range = (!sight.is_empty()).then(|| Piece::new(marks(&range, look.charset), look.theme.text));
    let esc = match &state.link {
        _ if !list.filter().text().is_empty() => "Esc clear",
        _ if state.session.board.is_some() => "Esc close",
        Link::Up { .. } => "Esc search again",
        _ => "Esc try again",
    };
    let opens_typed = matches!(state.picker.search.phase(), Phase::Failed { .. }) && !list.filter().is_empty();
    let hints = [
        ("↑↓ board", 1, list.rows() > 1),
        ("PgDn page", 2, list.rows() > sight.len()),
        ("Enter open", 4, list.rows() > 0 || opens_typed),
        (esc, 3, true),
        ("Ctrl-C quit", 5, true),
    ];
    let useful = hints.into_iter().filter(|(_, _, is_useful)| *is_useful);
    let hints = useful.map(|(words, turn, _)| Piece::new(marks(words, look.charset), look.theme.dim).yielding(turn));
    draw_pieces(canvas, geometry, range.into_iter().collect(), hints.collect());
}

fn draw_pieces(canvas: &mut Canvas, geometry: &Geometry, mut left: Vec<Piece>, mut hints: Vec<Piece>) {
    if geometry.footer == 0 {
        return;
    }
    give_way(&mut left, &mut hints, room(canvas.width()));
    segments::draw(canvas, canvas.height().saturating_sub(1), &left, &hints);
}

/// The positions in sight, and how many there are.
fn range(state: &State, geometry: &Geometry, look: &Appearance) -> Option<Piece> {
    let shown = state.session.shown.as_ref().filter(|shown| !shown.window.is_empty())?;
    let window = &shown.window;
    let first = window.position(shown.scroll.min(window.len().saturating_sub(1)));
    let last = (first + u64::from(geometry.rows)).saturating_sub(1).clamp(first, window.end().max(first));
    let words = format!("{}–{} of {}", count(first), count(last), count(window.total));
    Some(Piece::new(marks(&words, look.charset), look.theme.text))
}

/// The one thing that is said: what was just said to the reader, what is going on, where somebody went, or the tie of
/// the selected row.
fn told(state: &State, geometry: &Geometry, look: &Appearance) -> Option<String> {
    if let Some(notice) = &state.notice {
        return Some(own(notice, NOTICE, look.charset));
    }
    if let Some(Search { forward, reached }) = state.session.search {
        let way = if forward { "down" } else { "up" };
        return Some(format!("searching {way} for a tie group … at {} · Esc stops", count(reached)));
    }
    // The first stretch comes at once, or nothing does.
    if let Some(step) = state.periods.step().filter(|step| step.looked > 0) {
        let way = if step.forward { "a later" } else { "an earlier" };
        return Some(format!("looking for {way} period … {} checked · any key stops", step.looked));
    }
    if let Some((forward, reached)) = state.find.progress() {
        let way = if forward { "down" } else { "up" };
        let text = state.find.needle.as_ref().map_or("", |needle| needle.text());
        let text = fit(&escape_to(text.as_bytes(), NAME, look.charset), NAME, look.charset).into_owned();
        return Some(format!("searching {way} for '{text}' … at {} · Esc stops", count(reached)));
    }
    let is_up = matches!(state.link, Link::Up { .. }) && state.session.trouble.is_none();
    if is_up && state.session.presses.is_marked() {
        return Some(match state.session.presses.count(state.session.reading.unsent()) {
            0 => "reading …".to_owned(),
            1 => "reading … · 1 more key press waits".to_owned(),
            more => format!("reading … · {more} more key presses wait"),
        });
    }
    if let Some(leap) = state.session.moves.leap.filter(|_| state.session.follow.is_some()) {
        let way = if leap.is_up { "up" } else { "down" };
        let rank = group_digits(&leap.now.rank(state.style).to_string(), ',');
        return Some(format!("moved {way} {}, rank {rank} now", count(leap.by)));
    }
    if let Some(departed) = &state.session.departed {
        return Some(whereabouts(state, departed, look.charset));
    }
    // Where the header has no room for it, this is the place to say it.
    if (geometry.header < 2 || geometry.columns < REASON_FROM)
        && let Some(reason) = state.uncounted_reason()
    {
        return Some(reason);
    }
    tie(state, look)
}

fn whereabouts(state: &State, departed: &Departed, charset: Charset) -> String {
    let who = called(state, &departed.member, NAME, charset);
    match departed.whereabouts {
        Some(Whereabouts::At(position)) => format!("{who} left this page, now at {} · Enter follows", count(position)),
        Some(Whereabouts::Gone) => format!("{who} left the board"),
        None => format!("{who} left this page"),
    }
}

fn tie(state: &State, look: &Appearance) -> Option<String> {
    let shown = state.session.shown.as_ref()?;
    let standing = shown.window.standing(shown.selected)?;
    let group = standing.tie_group()?;
    let score = parts::shared(&shown.window, shown.selected_entry()?.score, &look.zone);
    let then = shown.window.scoring.tie_break(shown.window.order).map_or_else(String::new, |then| format!(", {then}"));
    let rank = group_digits(&standing.rank(state.style).to_string(), ',');
    let (size, place) = (count(group.size), count(group.place_of(standing.position)));
    Some(format!("tie of {size} at {score}{then}, rank {rank}, {place} of {size}"))
}

fn hints(state: &State, look: &Appearance) -> Vec<Piece> {
    let useful = HINTS.iter().filter(|(action, _)| is_useful(state, *action));
    useful.filter_map(|(action, turn)| Some(hint(*action, look)?.yielding(*turn))).collect()
}

/// Whether a key does something now.
fn is_useful(state: &State, action: Action) -> bool {
    let window = state.session.shown.as_ref().map(|shown| &shown.window).filter(|window| !window.is_empty());
    match action {
        Action::RowDown | Action::NextTie => window.is_some_and(|window| window.total > 1),
        Action::PageDown => window.is_some_and(|window| window.total > window.len() as u64),
        Action::Find | Action::Hold => window.is_some(),
        _ => true,
    }
}

fn hint(action: Action, look: &Appearance) -> Option<Piece> {
    let binding = binding(action)?;
    let key = binding.keys.first()?;
    // Keys that point one way are named with those that point the other.
    let other = match action {
        Action::RowDown => Some(Action::RowUp),
        Action::NextTie => Some(Action::PreviousTie),
        _ => None,
    };
    let other = other.and_then(|action| crate::app::keymap::binding(action)?.keys.first());
    let between = if look.charset == Charset::Ascii { "/" } else { "" };
    let keys = other.map_or_else(|| key.to_string(), |other| format!("{other}{between}{key}"));
    let words = format!("{keys} {}", binding.short?);
    Some(Piece::new(marks(&words, look.charset), look.theme.dim))
}

fn close_hint(look: &Appearance) -> Vec<Piece> {
    let close = binding(Action::Close).and_then(|binding| binding.keys.first());
    close.map(|key| Piece::new(format!("{key} close"), look.theme.dim).yielding(1)).into_iter().collect()
}
