//! The list of boards: the line of the filter with how far the search is, and below it the boards in sight, each with what
//! is known of it. Text is made for rows in sight alone, however many boards there are.

use std::ops::Range;
use std::time::Duration;

use ratatui::layout::Position;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use crate::app::event::{Link, Moment};
use crate::app::geometry::Geometry;
use crate::app::picker::Lines;
use crate::app::picker::list::Listing;
use crate::app::picker::search::Phase;
use crate::app::state::State;
use crate::board::meta::Ttl;
use crate::query::error::StoreError;
use crate::query::listing::KeySummary;
use crate::text::{Charset, columns, count, escape_to};
use crate::view::canvas::Canvas;
use crate::view::format::{bytes, counted, marks, own, span, version, wrapped};
use crate::view::placeholder;
use crate::view::prompt::visible;
use crate::view::segments::within;

/// Columns between columns.
const BETWEEN: u16 = 2;
/// Columns of a number: eight digits in their groups, or a version of seven.
const NUMBER: u16 = 10;
/// Columns of a state.
const STATE: u16 = 7;
/// Columns of a time to live, such as `in 89d 23h`.
const EXPIRES: u16 = 10;
/// Keys are given this much before any of the columns that give way.
const KEY_AT_LEAST: u16 = 22;
/// And this much before the number of players.
const KEY_AT_ALL: u16 = 12;
/// Screens as wide as this have brackets.
const WITH_BRACKET: u16 = 8;
/// Columns of what is typed before how far the search is gives way to it.
const TYPED: usize = 12;
/// Columns of a reason at most.
const QUOTED: usize = 400;

/// Where the columns lie.
struct Columns {
    bracket: u16,
    key: Range<u16>,
    players: Option<Range<u16>>,
    version: Option<Range<u16>>,
    state: Option<Range<u16>>,
    expires: Option<Range<u16>>,
    end: u16,
}

impl Columns {
    /// Of a screen `width` wide, where the widest key has so many columns. They give way from the right.
    fn of(width: u16, widest: usize) -> Self {
        let within = within(width);
        // On fewer columns a bracket would take the key's place.
        let start = within.start + if width < WITH_BRACKET { 0 } else { 2 };
        let widest = u16::try_from(widest).unwrap_or(u16::MAX);
        let widths = [NUMBER, NUMBER, STATE, EXPIRES];
        let room = |kept: usize| {
            let taken: u16 = widths.iter().take(kept).map(|width| width + BETWEEN).sum();
            (within.end - start).saturating_sub(taken)
        };
        let least = |kept: usize| if kept > 1 { widest.clamp(KEY_AT_ALL, KEY_AT_LEAST) } else { KEY_AT_ALL };
        let kept = (1..=widths.len()).rev().find(|kept| room(*kept) >= least(*kept)).unwrap_or(0);
        let key = if kept == 0 { room(0) } else { room(kept).min(widest.max(KEY_AT_LEAST)) };
        let mut x = start + key;
        let mut spans = widths.iter().take(kept).map(|width| {
            x += BETWEEN + width;
            x - width..x
        });
        Self {
            bracket: within.start,
            key: start..start + key,
            players: spans.next(),
            version: spans.next(),
            state: spans.next(),
            expires: spans.next(),
            end: within.end,
        }
    }
}

/// Draws the list. Returns where the terminal's cursor belongs: after what is typed, where that is in sight.
pub(super) fn draw(canvas: &mut Canvas, geometry: &Geometry, state: &State, now: Moment) -> Option<Position> {
    let lines = Lines::of(geometry);
    let list = &state.picker.list;
    canvas.clear(geometry.header..canvas.height().saturating_sub(geometry.footer));
    let cursor = lines.filter.and_then(|line| filter(canvas, line, state));
    if list.rows() == 0 {
        let top = lines.heads.unwrap_or(lines.top);
        sentences(canvas, top..lines.top + lines.rows, state, now);
        return cursor;
    }
    let columns = Columns::of(canvas.width(), list.widest());
    if let Some(line) = lines.heads {
        heads(canvas, line, &columns);
    }
    let mut matching = (!list.filter().is_empty()).then(|| list.matching());
    let sight = list.in_sight(usize::from(lines.rows));
    for (line, row) in (lines.top..).zip(sight.clone()) {
        let Some(board) = list.row(row) else { return cursor };
        let found = matching.as_mut().map(|matching| matching.found(&board.text)).unwrap_or_default();
        let is_edge = row == sight.start || row + 1 == sight.end;
        if let Some(bracket) = bracket(canvas, list.beside(row), is_edge) {
            canvas.put(columns.bracket, columns.key.start, line, bracket, canvas.look.theme.tie);
        }
        let is_watched = state.key() == Some(&board.key);
        draw_key(canvas, columns.key.clone(), line, board, &found, (list.beside(row).0, is_watched));
        draw_details(canvas, line, &columns, board);
        if row == list.selected_row() {
            canvas.lay_under(line, canvas.look.theme.selected);
        }
    }
    cursor
}

/// The line on which is typed; at its right, how far the search is.
fn filter(canvas: &mut Canvas, line: u16, state: &State) -> Option<Position> {
    let look = canvas.look;
    let within = within(canvas.width());
    let x = canvas.put(within.start, within.end, line, "> ", look.theme.prompt);
    let typed = escape_to(state.picker.list.filter().text().as_bytes(), usize::MAX, look.charset);
    // The cursor may stand after the text.
    let room = usize::from(within.end.saturating_sub(x)).saturating_sub(1);
    let (forms, style) = progress(state, look.charset);
    let styles = [look.theme.dim, look.theme.lost];
    let fits = |form: &&String| columns(form) + usize::from(BETWEEN) + columns(&typed).clamp(TYPED, TYPED * 2) <= room;
    let form = forms.iter().find(fits).map_or("", String::as_str);
    let room = if form.is_empty() { room } else { room - columns(form) - usize::from(BETWEEN) };
    let cursor = if typed.is_empty() {
        // The mark of what could be typed stands behind the cursor.
        canvas.put(x + 1, x.saturating_add(u16::try_from(room).unwrap_or(0)), line, "type to filter", look.theme.dim);
        x
    } else {
        let (before, after) = visible(state.picker.list.filter().line(), room, look.charset);
        let cursor = canvas.put(x, within.end, line, &before, look.theme.text);
        canvas.put(cursor, within.end, line, &after, look.theme.text);
        cursor
    };
    canvas.put_right(x, within.end, line, form, styles[usize::from(style)]);
    Some(Position::new(cursor.min(canvas.width().checked_sub(1)?), line))
}

/// How far the search is, from the longest form to the shortest, and whether that is bad news.
fn progress(state: &State, charset: Charset) -> (Vec<String>, bool) {
    let (list, search) = (&state.picker.list, &state.picker.search);
    let all = list.all() as u64;
    let boards = if list.filter().is_empty() {
        counted(all, "board")
    } else {
        format!("{} of {}", count(list.rows() as u64), counted(all, "board"))
    };
    let say = |words: String| own(&words, QUOTED, charset);
    if !matches!(state.link, Link::Up { .. }) {
        return (vec![say(format!("{boards} · waiting for a connection")), say(boards)], true);
    }
    let (looked_at, of) = search.progress();
    let keys = match of {
        Some(of) if *search.phase() == Phase::Over => format!("in {} keys", count(of)),
        Some(of) => format!("· {} of about {} keys", count(looked_at), count(of)),
        None => format!("· {} keys searched", count(looked_at)),
    };
    match search.phase() {
        Phase::Failed { reason, .. } => {
            // Where there is no row, the reason stands in their place.
            let long = (list.rows() > 0).then(|| say(format!("{boards} · {reason}")));
            (long.into_iter().chain([say(format!("{boards} · search failed")), say(boards)]).collect(), true)
        }
        // Nothing has come yet.
        Phase::UnderWay | Phase::Due if looked_at == 0 => {
            (vec![say(format!("{boards} · searching")), say(boards)], false)
        }
        _ => (vec![say(format!("{boards} {keys}")), say(boards)], false),
    }
}

fn heads(canvas: &mut Canvas, line: u16, columns: &Columns) {
    let style = canvas.look.theme.heading;
    canvas.put(columns.key.start, columns.key.end, line, "BOARD", style);
    for (span, head) in [(&columns.players, "PLAYERS"), (&columns.version, "VERSION")] {
        if let Some(span) = span {
            canvas.put_right(span.start, span.end, line, head, style);
        }
    }
    for (span, head) in [(&columns.state, "STATE"), (&columns.expires, "EXPIRES")] {
        if let Some(span) = span {
            canvas.put(span.start, span.end, line, head, style);
        }
    }
}

/// The row's part of the bracket of its game, given whether its neighbours are of the same one.
fn bracket(canvas: &Canvas, (above, below): (bool, bool), is_edge: bool) -> Option<&'static str> {
    let glyphs = canvas.glyphs();
    match (above, below) {
        (false, false) => None,
        (false, true) => Some(glyphs.tie_top),
        (true, false) => Some(glyphs.tie_bottom),
        (true, true) if is_edge => Some(glyphs.tie_past_edge),
        (true, true) => Some(glyphs.tie_middle),
    }
}

/// Draws a key, cut in its middle where it is too long: its end tells the period. What the filter found stands out; what
/// is as in the row above stands back.
fn draw_key(
    canvas: &mut Canvas,
    at: Range<u16>,
    line: u16,
    board: &Listing,
    found: &[u32],
    (is_repeated, is_watched): (bool, bool),
) {
    let (theme, charset) = (&canvas.look.theme, canvas.look.charset);
    let base = match () {
        () if reason(board).is_some() => theme.dim,
        () if is_watched => theme.strong,
        () => theme.text,
    };
    let style = |index: usize, byte: usize| {
        if u32::try_from(index).is_ok_and(|index| found.binary_search(&index).is_ok()) {
            return theme.prompt;
        }
        let is_own = board.own.as_ref().is_none_or(|own| own.contains(&byte));
        if is_repeated && !is_own { theme.dim } else { base }
    };
    let text = if board.text.is_empty() { "\"\"" } else { &*board.text };
    let graphemes: Vec<(usize, &str)> = text.grapheme_indices(true).collect();
    let (head, tail) = cut(&graphemes, at.len());
    let mut runs: Vec<(String, Style)> = Vec::new();
    let mut push = |text: &str, style: Style| match runs.last_mut() {
        Some((run, of)) if *of == style => run.push_str(text),
        _ => runs.push((text.to_owned(), style)),
    };
    for (index, (byte, grapheme)) in graphemes.iter().enumerate() {
        if index < head || index >= tail {
            push(grapheme, style(index, *byte));
        } else if index == head {
            push(charset.ellipsis().encode_utf8(&mut [0; 4]), theme.dim);
        }
    }
    let mut x = at.start;
    for (run, style) in runs {
        x = canvas.put(x, at.end, line, &run, style);
    }
}

/// Which graphemes are left out where there are only `room` columns: those from the first number up to the second.
fn cut(graphemes: &[(usize, &str)], room: usize) -> (usize, usize) {
    let width = |(_, grapheme): &(usize, &str)| columns(grapheme);
    if graphemes.iter().map(width).sum::<usize>() <= room {
        return (graphemes.len(), graphemes.len());
    }
    let fitting = |widths: &mut dyn Iterator<Item = usize>, room: usize| {
        let mut used = 0;
        widths
            .take_while(|width| {
                used += width;
                used <= room
            })
            .count()
    };
    let room = room.saturating_sub(1);
    let tail = fitting(&mut graphemes.iter().rev().map(width), room / 2);
    let taken: usize = graphemes.iter().rev().take(tail).map(width).sum();
    let head = fitting(&mut graphemes.iter().map(width), room - taken);
    (head, graphemes.len() - tail)
}

/// Why a board cannot be watched, as far as is known.
fn reason(board: &Listing) -> Option<&'static str> {
    match board.sight.as_ref()? {
        KeySummary::Board(listed) if listed.total.is_none() => Some("no permission to read it"),
        KeySummary::Board(_) => None,
        KeySummary::NoSortedSet => Some("no longer a sorted set"),
        KeySummary::Nothing => Some("gone"),
        KeySummary::Unanswered(_) => Some("its node does not answer"),
    }
}

fn draw_details(canvas: &mut Canvas, line: u16, columns: &Columns, board: &Listing) {
    let look = canvas.look;
    let theme = &look.theme;
    if let Some(reason) = reason(board) {
        if let Some(players) = &columns.players {
            canvas.put(players.start, columns.end, line, reason, theme.dim);
        }
        return;
    }
    let Some(KeySummary::Board(listed)) = &board.sight else { return };
    if let (Some(span), Some(total)) = (&columns.players, listed.total) {
        canvas.put_right(span.start, span.end, line, &count(total), theme.strong);
    }
    if let (Some(span), Some(seen)) = (&columns.version, &listed.version) {
        canvas.put_right(span.start, span.end, line, &version(Some(seen), look.charset), theme.dim);
    }
    if let (Some(span), Some(state)) = (&columns.state, listed.state) {
        canvas.put(span.start, span.end, line, state.name(), theme.dim);
    }
    if let (Some(at), Some(ms)) = (&columns.expires, listed.ttl.and_then(Ttl::milliseconds)) {
        let left = format!("in {}", span(Duration::from_millis(ms)));
        canvas.put(at.start, at.end, line, &left, theme.dim);
    }
}

/// What is said where there is no row.
fn sentences(canvas: &mut Canvas, lines: Range<u16>, state: &State, now: Moment) {
    let look = canvas.look;
    let within = within(canvas.width());
    let said = words(state, now, look.charset);
    let mut line = lines.start;
    for (index, sentence) in said.iter().enumerate() {
        let style = if index == 0 { look.theme.strong } else { look.theme.dim };
        for words in wrapped(sentence, within.len(), look.charset) {
            if line >= lines.end {
                return;
            }
            canvas.put(within.start, within.end, line, &words, style);
            line += 1;
        }
    }
}

fn words(state: &State, now: Moment, charset: Charset) -> Vec<String> {
    let list = &state.picker.list;
    if !matches!(state.link, Link::Up { .. }) {
        return placeholder::unconnected(state, now, "Esc", charset);
    }
    let server = escape_to(state.server.as_bytes(), QUOTED, charset);
    let say = |words: String| own(&words, QUOTED, charset);
    match state.picker.search.phase() {
        Phase::Failed { reason, .. } => {
            let why = match reason {
                StoreError::NoPermission { command, .. } => {
                    format!("Cannot list the boards at {server}: the user may not run {}.", say(command.clone()))
                }
                reason => format!("Cannot list the boards at {server}: {}", say(reason.to_string())),
            };
            let typed = "Type the full key of a board and press Enter, or start ranktop with it: ranktop BOARD.";
            let hint = reason.hint().map(|hint| format!("hint: {hint}"));
            [Some(why), Some(typed.to_owned()), hint].into_iter().flatten().collect()
        }
        Phase::Over if list.all() == 0 => vec![
            "There are no boards in this database.".to_owned(),
            "A board is a sorted set. The number at the end of the URL selects the database.".to_owned(),
        ],
        _ if list.all() == 0 => vec![marks("Looking for boards …", charset).into_owned()],
        _ => {
            let typed = bytes(list.filter().text().as_bytes(), QUOTED, charset);
            vec![format!("No board matches '{typed}'."), "Esc clears the filter.".to_owned()]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_cut_in_its_middle() {
        let shown = |text: &str, room: usize| {
            let graphemes: Vec<(usize, &str)> = text.grapheme_indices(true).collect();
            let (head, tail) = cut(&graphemes, room);
            let part = |range: Range<usize>| graphemes[range].iter().map(|(_, grapheme)| *grapheme).collect::<String>();
            (part(0..head), part(tail..graphemes.len()))
        };
        assert_eq!(shown("abcdef", 6), ("abcdef".to_owned(), String::new()));
        assert_eq!(shown("abcdef", 5), ("ab".to_owned(), "ef".to_owned()));
        assert_eq!(shown("华罗庚abc", 6), ("华".to_owned(), "bc".to_owned()));
        assert_eq!(shown("abc", 1), (String::new(), String::new()));
        assert_eq!(shown("abc", 0), (String::new(), String::new()));
    }

    #[test]
    fn columns_give_way_from_the_right_and_lie_on_the_screen() {
        for width in 0..300 {
            for widest in [0, 5, 20, 40, 600] {
                let columns = Columns::of(width, widest);
                let spans = [&columns.players, &columns.version, &columns.state, &columns.expires];
                let kept = spans.iter().take_while(|span| span.is_some()).count();
                assert_eq!(kept, spans.iter().filter(|span| span.is_some()).count());
                let last = spans.iter().copied().flatten().next_back().unwrap_or(&columns.key);
                assert!(last.end <= columns.end && columns.end <= width, "{width} {widest}");
            }
        }
        assert!(Columns::of(80, 20).expires.is_some());
        assert!(Columns::of(20, 20).players.is_none());
    }
}
