//! What stands in the table's place while there is no page: which board is awaited, and why it is not there.

use std::time::Duration;

use crate::app::event::{Link, Moment};
use crate::app::geometry::Geometry;
use crate::app::health::Health;
use crate::app::state::State;
use crate::query::error::StoreError;
use crate::text::{Charset, escape_to};
use crate::view::canvas::Canvas;
use crate::view::format::{own, span, whole_seconds, wrapped};
use crate::view::segments::within;

/// Columns of a key or a reason at most.
const QUOTED: usize = 512;

/// True where there is no page to draw.
pub(super) fn is_waiting(state: &State) -> bool {
    state.drawn_page().is_none_or(|shown| shown.window.is_empty())
}

/// Draws the sentences, from the table's first line on.
pub(super) fn draw(canvas: &mut Canvas, geometry: &Geometry, state: &State, now: Moment) {
    let look = canvas.look;
    let within = within(canvas.width());
    let mut line = geometry.table_top().saturating_sub(u16::from(geometry.has_heads));
    let end = geometry.table_top() + geometry.rows;
    for (index, sentence) in sentences(state, now, look.charset).iter().enumerate() {
        let style = if index == 0 { look.theme.strong } else { look.theme.dim };
        for words in wrapped(sentence, within.len(), look.charset) {
            if line >= end {
                return;
            }
            canvas.put(within.start, within.end, line, &words, style);
            line += 1;
        }
    }
}

/// What is said while there is no connection, where the key `again` makes the next try at once.
pub(super) fn unconnected(state: &State, now: Moment, again: &str, charset: Charset) -> Vec<String> {
    let server = escape_to(state.server.as_bytes(), QUOTED, charset);
    let Link::Down { reason, retry_at } = &state.link else {
        return vec![format!("Connecting to {server} {}", own("…", QUOTED, charset))];
    };
    let left = retry_at.saturating_sub(now);
    let next = match whole_seconds(left) {
        0 => "Trying again now.".to_owned(),
        seconds => {
            let left = span(Duration::from_secs(seconds));
            format!("Next try in {left}. Press {again} to try now.")
        }
    };
    let first = format!("Cannot connect to {server}: {}", own(&reason.to_string(), QUOTED, charset));
    [Some(first), hint(reason), Some(next)].into_iter().flatten().collect()
}

fn hint(trouble: &StoreError) -> Option<String> {
    trouble.hint().map(|hint| format!("hint: {hint}"))
}

fn sentences(state: &State, now: Moment, charset: Charset) -> Vec<String> {
    let key = escape_to(state.key().map_or(&b""[..], AsRef::as_ref), QUOTED, charset);
    let server = escape_to(state.server.as_bytes(), QUOTED, charset);
    let say = |words: String| own(&words, QUOTED, charset);
    let dots = own("…", QUOTED, charset);
    match (&state.link, &state.session.trouble) {
        (Link::Down { .. } | Link::Connecting, _) => unconnected(state, now, "r", charset),
        (Link::Up { .. }, Some(trouble)) => {
            let first = format!("Cannot read board '{key}' at {server}: {}", say(trouble.to_string()));
            let again = "Retrying until it can be read.".to_owned();
            [Some(first), hint(trouble), Some(again)].into_iter().flatten().collect()
        }
        (Link::Up { .. }, None) if state.session.is_missing => vec![
            format!("There is no board '{key}' yet."),
            "Waiting for the board to appear. b lists the boards there are.".to_owned(),
        ],
        (Link::Up { .. }, None) => match Health::of(state, now) {
            Health::Opening | Health::Live if state.session.draws_at.is_some() => {
                vec![format!("Reading '{key}' {dots}")]
            }
            Health::Opening => vec![format!("Reading '{key}' {dots}")],
            _ => vec!["This page is empty.".to_owned()],
        },
    }
}
