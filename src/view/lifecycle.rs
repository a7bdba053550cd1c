//! The life of a board in the header: whether it takes scores, when that changes or changed, its period, and how long its
//! key is kept. How long is left, the state says; here it gets its words.

use jiff::Timestamp;

use crate::app::countdown::update::terms;
use crate::app::countdown::{Left, Term, Terms};
use crate::app::event::Moment;
use crate::app::state::State;
use crate::board::meta;
use crate::board::meta::Ttl;
use crate::board::period::Period;
use crate::view::Appearance;
use crate::view::segments::Piece;
use crate::view::theme::Glyphs;

/// Up to so far ahead a day of the week says which day is meant.
const WEEK_MS: i64 = 7 * 24 * 60 * 60 * 1_000;
/// The turns in which zone, moment, life and state give way.
const TURNS: [u8; 4] = [2, 3, 4, 6];

/// The pieces; a frozen copy has only its life.
pub(super) fn pieces(state: &State, now: Moment, look: &Appearance, is_copy: bool) -> Vec<Piece> {
    let Some(window) = state.session.shown.as_ref().map(|shown| &shown.window) else { return Vec::new() };
    let style = look.theme.dim;
    let apart = format!(" {} ", Glyphs::of(look.charset).middle_dot);
    let Terms { term, left, life } = terms(state, now);
    let mut pieces = Vec::new();
    let word = window.meta.state.filter(|_| !is_copy);
    pieces.extend(word.map(|word| Piece::new(word.name(), style).after(apart.clone()).yielding(TURNS[3])));
    let moment = moment(&window.meta, term).filter(|_| !is_copy);
    if let Some((words, told)) = moment.and_then(|(words, at)| Some((words, told(at, state.clock.at(now), look)?))) {
        let lead = match word {
            Some(meta::State::Closed) => " ",
            Some(_) => ", ",
            None => apart.as_str(),
        };
        if window.meta.state == Some(meta::State::Closing) && matches!(term, Some(Term::WasToClose(_))) {
            let words = "grace over: close the board";
            pieces.push(Piece::new(words, look.theme.lost).after(lead).yielding(9));
        }
        pieces.push(Piece::new(format!("{words} {}", told.moment), style).after(lead).yielding(TURNS[1]));
        pieces.push(Piece::new(told.zone, style).after(" ").yielding(TURNS[0]));
        pieces.extend(left.map(|left| Piece::new(format!("({})", span(left)), style).after(" ").yielding(TURNS[1])));
    }
    let kept = match (window.ttl, life) {
        // What has been will not expire again.
        _ if state.session.is_missing => None,
        (Ttl::Forever, _) if window.meta.state == Some(meta::State::Closed) => Some("never expires".to_owned()),
        (_, Some(life)) if life.seconds() == 0 => Some("expires now".to_owned()),
        (_, Some(life)) => Some(format!("expires in {}", span(life))),
        _ => None,
    };
    pieces.extend(kept.map(|kept| Piece::new(kept, style).after(apart).yielding(TURNS[2])));
    pieces
}

/// What is said of which instant.
fn moment(meta: &meta::Meta, term: Option<Term>) -> Option<(String, i64)> {
    if meta.state == Some(meta::State::Closed) {
        return Some(("since".to_owned(), meta.closed_at?));
    }
    // Beside the word for the state, the period that the key ends with is meant.
    let of = |period: Period| if meta.state.is_some() { String::new() } else { format!("{period} ") };
    Some(match term? {
        Term::Closes(at) if meta.state == Some(meta::State::Closing) => ("late scores until".to_owned(), at),
        Term::Closes(at) => ("closes".to_owned(), at),
        Term::WasToClose(at) => ("was to close".to_owned(), at),
        Term::Begins(period, at) => (format!("{}begins", of(period)), at),
        // Its last moment, as clocks show it: a week ends on a Sunday.
        Term::Ends(period, at) => (format!("{}ends", of(period)), at.saturating_sub(1)),
        Term::Ended(period, at) => (format!("{}ended", of(period)), at.saturating_sub(1)),
    })
}

struct Told {
    moment: String,
    zone: String,
}

/// An instant by the clock of the zone. With its date, unless it lies less than a week ahead.
fn told(at: i64, unix_ms: Option<i64>, look: &Appearance) -> Option<Told> {
    let instant = Timestamp::from_millisecond(at).ok()?.to_zoned_datetime(look.zone.clone());
    let is_near = unix_ms.is_some_and(|unix_ms| (1..WEEK_MS).contains(&at.saturating_sub(unix_ms)));
    let moment = instant.strftime(if is_near { "%a %H:%M" } else { "%a %Y-%m-%d %H:%M" }).to_string();
    Some(Told { moment, zone: instant.strftime("%Q").to_string() })
}

/// `2d 4h`, `3h 10m`, `4m`, `42 s`.
pub(super) fn span(left: Left) -> String {
    let seconds = left.seconds();
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400);
    match () {
        () if days > 0 => format!("{days}d {}h", hours % 24),
        () if hours > 0 => format!("{hours}h {}m", minutes % 60),
        () if minutes > 0 => format!("{minutes}m"),
        () => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn spans_are_coarse() {
        let of = |seconds| span(Left::of(Duration::from_secs(seconds)));
        assert_eq!([of(0), of(59), of(60), of(200), of(3_599)], ["0 s", "59 s", "1m", "3m", "59m"]);
        assert_eq!([of(3_600), of(11_400), of(86_399), of(187_300)], ["1h 0m", "3h 10m", "23h 59m", "2d 4h"]);
    }
}
