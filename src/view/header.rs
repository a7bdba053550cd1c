//! The header: which board, how much of what is shown can be trusted, and what the board says of itself.

use std::time::Duration;

use ratatui::style::Style;

use crate::app::alarms::VersionFault;
use crate::app::event::{Link, Moment};
use crate::app::geometry::Geometry;
use crate::app::health::Health;
use crate::app::polling::schedule::WatchMode;
use crate::app::settings::Paging;
use crate::app::state::State;
use crate::board::foreign::words::has_word;
use crate::board::keys::{frozen_of, live_of};
use crate::board::order::Order;
use crate::board::sharded::spread::Spread;
use crate::query::error::StoreError;
use crate::query::server::{Lag, Role};
use crate::text::{Charset, columns, count, escape_name, escape_to, fit, group_digits};
use crate::view::Appearance;
use crate::view::canvas::Canvas;
use crate::view::format::{called, counted, latency, own, shorter, span, version, whole_seconds};
use crate::view::lifecycle;
use crate::view::parts::ranked_on;
use crate::view::segments;
use crate::view::segments::{Piece, give_way, room};

/// Columns of a title and of a server's name at most.
const TITLE: usize = 40;
/// Columns between the facts and the bars at least.
const BARS_APART: usize = 2;
/// Columns of a reason at most.
const REASON: usize = 400;
/// Columns of the words of the state that are not cut on whatever screen.
const SHORTEST: usize = 32;

/// Draws the header's lines.
pub(super) fn draw(canvas: &mut Canvas, geometry: &Geometry, state: &State, now: Moment) {
    if geometry.header > 0 {
        first(canvas, state, now);
    }
    if geometry.header > 1 {
        second(canvas, state, now);
    }
}

fn first(canvas: &mut Canvas, state: &State, now: Moment) {
    let look = canvas.look;
    let room = room(canvas.width());
    let key = match state.key() {
        Some(key) => escape_to(key.as_ref(), usize::from(canvas.width()), look.charset),
        None => "choose a board".to_owned(),
    };
    // A reason in full would push out what it is the reason for.
    let forms = health_forms(state, now, look, room * 2 / 3);
    let (word, style) = (forms.words, forms.style);
    let dotted = |word: &String| Piece::new(format!("{} {word}", canvas.glyphs().dot), style);
    // A long key is cut to half of the line before the words of the state are.
    for key_room in [room, room / 2] {
        for word in &word {
            let (mut left, mut right) = (left(state, &fit(&key, key_room, look.charset), look), vec![dotted(word)]);
            right.extend(rest(state, look));
            if give_way(&mut left, &mut right, room) {
                segments::draw(canvas, 0, &left, &right);
                return;
            }
        }
    }
    let mut shortest = vec![dotted(word.last().unwrap_or(&String::new()))];
    shortest.extend(unverified(state, look));
    shortest.extend(unproved(state, look));
    let beside = room.saturating_sub(segments::width(&shortest) + 1);
    let key = fit(&key, beside, look.charset).into_owned();
    segments::draw(canvas, 0, &[Piece::new(key, look.theme.strong)], &shortest);
}

fn left(state: &State, key: &str, look: &Appearance) -> Vec<Piece> {
    let mut left = vec![Piece::new("ranktop", look.theme.accent).yielding(2), Piece::new(key, look.theme.strong)];
    if let Some(title) = state.session.shown.as_ref().and_then(|shown| shown.window.meta.title.as_ref()) {
        let lead = format!(" {} ", crate::view::theme::Glyphs::of(look.charset).middle_dot);
        left.push(Piece::new(escape_name(title, TITLE, look.charset), look.theme.dim).after(lead).yielding(4));
    }
    left
}

/// What stands on the right of the state's word.
fn rest(state: &State, look: &Appearance) -> Vec<Piece> {
    let theme = &look.theme;
    let mut rest = Vec::new();
    let window = state.session.shown.as_ref().map(|shown| &shown.window);
    rest.extend(unverified(state, look));
    rest.extend(unproved(state, look));
    let pushes = matches!(state.link, Link::Up { pushes: true }) && state.session.watch.mode == WatchMode::Push;
    let seen = window.filter(|window| !window.is_missing());
    if seen.is_some_and(|window| window.version.is_none()) {
        // Most boards have no version; it is no fault of theirs.
        rest.push(Piece::new("watched by content", theme.dim).yielding(6));
    } else if state.session.watch.is_version_broken || state.session.watch.mode == WatchMode::Content {
        rest.push(Piece::new("content", theme.dim).yielding(6));
    } else if pushes {
        rest.push(Piece::new("push", theme.dim).yielding(6));
    } else if seen.is_some() && matches!(state.link, Link::Up { .. }) {
        rest.push(Piece::new("poll", theme.dim).yielding(6));
    }
    if let Some(spread) = seen.and_then(|window| window.parts.as_ref()) {
        let shards = spread.versions.len();
        rest.push(Piece::new(counted(shards as u64, "shard"), theme.dim).yielding(4));
    }
    if let Some(at) = seen.and_then(|window| window.version.as_ref()) {
        rest.push(Piece::new(version(Some(at), look.charset), theme.text).yielding(7));
    }
    rest.extend(alarms(state, theme.lost));
    // Of the past, while there is no connection.
    let is_up = matches!(state.link, Link::Up { .. });
    if let Some(rate) = state.session.rate.shown().filter(|_| is_up) {
        let (style, turn) = if state.session.alarms.is_written() { (theme.lost, 8) } else { (theme.dim, 5) };
        rest.push(Piece::new(format!("+{}/s", count(rate)), style).yielding(turn));
    }
    if !state.server.is_empty() {
        let server = escape_to(state.server.as_bytes(), TITLE, look.charset);
        rest.push(Piece::new(server, theme.dim).after("   ").yielding(1));
    }
    rest.extend(role(state, look));
    if let Some(every) = state.slowed_to() {
        let words = format!("every {}, the server is slow", latency(every));
        rest.push(Piece::new(words, theme.held).after("   ").yielding(6));
    }
    if let Some(took) = state.latency.filter(|_| is_up) {
        rest.push(Piece::new(latency(took), theme.dim).yielding(3));
    }
    rest
}

/// What an operator must not overlook.
fn alarms(state: &State, style: Style) -> Vec<Piece> {
    let alarms = &state.session.alarms;
    let version = alarms.version.map(|fault| match fault {
        VersionFault::Fell { was, is } => format!("the version was {} and is {}", group(was), group(is)),
        VersionFault::Vanished { was: Some(was) } => format!("the version vanished, was {}", group(was)),
        VersionFault::Vanished { was: None } => "the version vanished".to_owned(),
        VersionFault::NoNumber => "the version is no number".to_owned(),
    });
    let skipped = alarms.is_skipped.then(|| "a writer skips the version".to_owned());
    let written = alarms.is_written().then(|| "still written".to_owned());
    [written, version, skipped].into_iter().flatten().map(|words| Piece::new(words, style).yielding(8)).collect()
}

fn group(number: i64) -> String {
    group_digits(&number.to_string(), ',')
}

/// What the server is, where it is not what takes the writes for sure.
fn role(state: &State, look: &Appearance) -> Vec<Piece> {
    let theme = &look.theme;
    match state.role {
        Role::Primary => Vec::new(),
        Role::Unverified => vec![Piece::new("role unverified", theme.lost).after(" ").yielding(8)],
        Role::Replica(lag) => {
            let lag = match lag {
                Lag::Heard(seconds) => format!(", last heard from primary {} ago", span(Duration::from_secs(seconds))),
                Lag::Unknown => ", lag unknown".to_owned(),
                Lag::Cut(_) => ", cut off".to_owned(),
            };
            vec![
                Piece::new("replica", theme.held).after(" ").yielding(8),
                Piece::new(lag, theme.dim).after("").yielding(2),
            ]
        }
    }
}

/// Said on every screen.
fn unverified(state: &State, look: &Appearance) -> Option<Piece> {
    let window = &state.session.shown.as_ref()?.window;
    if let Some(spread) = &window.parts {
        return Some(proof(spread, look));
    }
    (!window.verified).then(|| Piece::new("unverified", look.theme.lost))
}

/// How far a board over many sorted sets can be trusted: which part is missing, or by how much ranks can be off.
fn proof(spread: &Spread, look: &Appearance) -> Piece {
    let theme = &look.theme;
    let of = spread.versions.len();
    match (spread.lost.as_slice(), spread.error()) {
        ([lost], _) => Piece::new(format!("shard {} of {of}: no answer", lost.part), theme.lost),
        ([_, ..], _) => Piece::new(format!("{} of {of} shards: no answer", spread.lost.len()), theme.lost),
        ([], Some(0)) => Piece::new("verified", theme.dim).yielding(7),
        ([], Some(error)) => {
            let sign = if look.charset == Charset::Utf8 { "±" } else { "+-" };
            Piece::new(format!("{sign}{}", count(error)), theme.held)
        }
        ([], None) => Piece::new("unverified", theme.lost),
    }
}

/// Said on every screen: who answers may be anybody.
fn unproved(state: &State, look: &Appearance) -> Option<Piece> {
    state.is_server_unverified.then(|| Piece::new("TLS not verified", look.theme.lost))
}

/// The words for the state of the data, from the longest to the shortest, and their style.
struct Forms {
    words: Vec<String>,
    style: Style,
}

fn health_forms(state: &State, now: Moment, look: &Appearance, room: usize) -> Forms {
    let theme = &look.theme;
    let limit = room.max(SHORTEST);
    let has_page = state.session.shown.as_ref().is_some_and(|shown| !shown.window.is_empty());
    let (style, words) = match Health::of(state, now) {
        Health::Live if state.session.is_missing && state.session.shown.is_some() => {
            (theme.lost, vec!["no board".to_owned()])
        }
        Health::Choosing => (theme.live, vec!["connected".to_owned()]),
        Health::Opening => (theme.dim, vec!["opening".to_owned()]),
        Health::Live => (theme.live, vec!["live".to_owned()]),
        Health::Closed if state.key().and_then(frozen_of).is_some() => (theme.held, vec!["frozen".to_owned()]),
        Health::Closed => (theme.held, vec!["closed".to_owned()]),
        Health::Held { behind: Some(behind), .. } => {
            let behind = count(behind.unsigned_abs());
            (theme.held, vec![format!("held · {behind} behind"), "held".to_owned()])
        }
        Health::Held { has_changed: true, .. } => (theme.held, vec!["held · changed".to_owned(), "held".to_owned()]),
        Health::Held { .. } => (theme.held, vec!["held".to_owned()]),
        // Without a page nothing is stale, and what stands in its place tells the reason.
        Health::Stale { .. } if !has_page => (theme.lost, vec!["unreadable".to_owned()]),
        Health::Stale { age, reason } => {
            let short = format!("stale {}", span(age));
            let reasons = reasons(&short, &reason, look, limit);
            (theme.lost, reasons.into_iter().chain([short]).collect())
        }
        Health::Cut(since) => {
            let since = since.map(|seconds| format!(" {}", span(Duration::from_secs(seconds)))).unwrap_or_default();
            let short = format!("stale{since}");
            (theme.lost, vec![format!("{short}: the replica has lost its primary"), format!("{short}: replica"), short])
        }
        Health::Reconnecting { next_try, reason, .. } => {
            let (long, short) = match whole_seconds(next_try) {
                0 => ("reconnecting, trying now".to_owned(), "reconnecting".to_owned()),
                seconds => {
                    let left = span(Duration::from_secs(seconds));
                    (format!("reconnecting, next try in {left}"), format!("reconnecting {left}"))
                }
            };
            let reason = reason.filter(|_| has_page);
            let with_reason = reason.map(|reason| reasons(&long, &reason, look, limit));
            (theme.lost, with_reason.into_iter().flatten().chain([long, short, "lost".to_owned()]).collect())
        }
    };
    let words = words.iter().map(|word| own(word, limit, look.charset)).collect();
    Forms { words, style }
}

/// What is the matter and why, from the longest form to the shortest; a reason that has no form short enough is cut.
fn reasons(what: &str, reason: &StoreError, look: &Appearance, limit: usize) -> Vec<String> {
    let reason = own(&reason.to_string(), REASON, look.charset);
    let forms: Vec<String> = shorter(&reason).into_iter().map(|reason| format!("{what}: {reason}")).collect();
    let fitting: Vec<String> = forms.iter().filter(|form| columns(form) <= limit).cloned().collect();
    if fitting.is_empty() { forms.last().cloned().into_iter().collect() } else { fitting }
}

fn second(canvas: &mut Canvas, state: &State, now: Moment) {
    let look = canvas.look;
    let mut right = Vec::new();
    let bars = bars(state, canvas.glyphs().spark);
    // Of the past, while there is no connection.
    if !bars.is_empty() && matches!(state.link, Link::Up { .. }) {
        right.push(Piece::new(bars, look.theme.spark).yielding(1));
    }
    let mut left = facts(state, now, look);
    let room = room(canvas.width());
    let all_right = right.clone();
    give_way(&mut left, &mut right, room);
    // The bars went first, but what went after them may have left them room.
    if segments::width(&left) + BARS_APART + segments::width(&all_right) <= room {
        right = all_right;
    }
    segments::draw(canvas, 1, &left, &right);
}

/// What the board says of itself and how it is read, each with its turn to give way.
fn facts(state: &State, now: Moment, look: &Appearance) -> Vec<Piece> {
    let Some(shown) = state.session.shown.as_ref().filter(|shown| !shown.window.is_missing()) else {
        return Vec::new();
    };
    let window = &shown.window;
    let lead = format!(" {} ", crate::view::theme::Glyphs::of(look.charset).middle_dot);
    let piece = |(turn, fact): (Option<u8>, String)| {
        let piece = Piece::new(fact, look.theme.dim).after(lead.clone());
        turn.map_or(piece.clone(), |turn| piece.yielding(turn))
    };
    let mut facts = Vec::new();
    if state.session.is_missing {
        facts.push((None, "board gone, last page shown".to_owned()));
    }
    if let Health::Reconnecting { age: Some(age), .. } = Health::of(state, now) {
        facts.push((Some(9), format!("read {} ago", span(age))));
    }
    facts.push((None, counted(window.total, "player")));
    let order = match window.order {
        Order::Desc => "high first",
        Order::Asc => "low first",
    };
    facts.push((Some(5), order.to_owned()));
    facts.push((Some(7), format!("ranks {}{}", state.style.example(), ranked_on(window))));
    facts.extend(window.scoring.grain(window.entries.iter().map(|entry| entry.score)).map(|grain| (Some(8), grain)));
    facts.extend(state.uncounted_reason().map(|reason| (Some(10), reason)));
    let copied = state.key().and_then(frozen_of).map(|(board, _)| board);
    let kept = || state.key().filter(|key| has_word(key.as_ref(), &["frozen"])).and_then(live_of);
    if let Some(board) = copied.clone().or_else(kept) {
        facts.push((Some(6), format!("frozen copy of {}", escape_to(board.as_ref(), TITLE, look.charset))));
    }
    let mut facts: Vec<Piece> = facts.into_iter().map(piece).collect();
    facts.extend(lifecycle::pieces(state, now, look, copied.is_some()));
    let strategy = state.access.and_then(|access| access.in_short());
    facts.extend(strategy.map(|strategy| piece((Some(9), strategy.to_owned()))));
    if state.paging == Paging::Position {
        facts.push(piece((Some(8), "paging by position".to_owned())));
    }
    if let Some(member) = &state.session.follow {
        facts.push(piece((Some(9), format!("following {}", called(state, member, TITLE / 2, look.charset)))));
    }
    facts
}

/// The writes of the last seconds, scaled to the most of them; nothing where no second had more than one, for then bars
/// of one height would wander about and say no more than the rate does.
fn bars(state: &State, levels: [&str; 8]) -> String {
    let most = state.session.rate.history().max().unwrap_or(0);
    if most <= 1 {
        return String::new();
    }
    let top = levels.len() as u64 - 1;
    let level = |writes: u64| u128::from(writes) * u128::from(top) / u128::from(most);
    state
        .session
        .rate
        .history()
        .map(|writes| usize::try_from(level(writes)).ok().and_then(|level| levels.get(level)).copied().unwrap_or(" "))
        .collect()
}
