//! States of the viewer, built by hand: a board of people of many scripts, and what can become of it.

use std::collections::HashMap;
use std::time::Duration;

use jiff::tz::TimeZone;

use ranktop::app::event::{Link, Moment};
use ranktop::app::page::Shown;
use ranktop::app::page::anchor::PageAnchor;
use ranktop::app::polling::schedule::{Watch, WatchMode};
use ranktop::app::queue::Intent;
use ranktop::app::rollover;
use ranktop::app::settings::{PageSize, Paging, Settings, Sharing};
use ranktop::app::state::State;
use ranktop::board::entry::Entry;
use ranktop::board::meta;
use ranktop::board::movement::Movement;
use ranktop::board::order::Order;
use ranktop::board::period::Zone;
use ranktop::board::score::Score;
use ranktop::board::templates::Templates;
use ranktop::board::window::Window;
use ranktop::text::{Charset, escape};
use ranktop::view::Appearance;
use ranktop::view::theme::{Depth, Theme};

pub(crate) const NOW: Moment = Duration::from_secs(60);

const PEOPLE: [(&str, f64); 27] = [
    ("Ada Lovelace", 1050.0),
    ("Grace Hopper", 980.0),
    ("Katherine Johnson", 980.0),
    ("Алан Тьюринг", 910.0),
    ("Emmy Noether", 905.0),
    ("华罗庚", 905.0),
    ("Evelyn Boyd", 905.0),
    ("Leonhard Euler", 890.0),
    ("Maryam Mirzakhani", 877.0),
    ("Srinivasa Ramanujan", 871.0),
    ("Sofya Kovalevskaya", 871.0),
    ("伊藤清", 860.0),
    ("Paul Erdős", 851.0),
    ("Hypatia", 850.0),
    ("Zoë Ångström", 849.0),
    ("محمد الخوارزمي", 849.0),
    ("Carl Gauss", 840.5),
    ("👩‍👩‍👧‍👦 family", 822.0),
    ("\u{202e}evil\u{1b}[2J", 822.0),
    ("Julia Robinson", 810.0),
    ("Dorothy Vaughan", 808.0),
    ("Mary Jackson", 808.0),
    ("Annie Easley", 808.0),
    ("Shafi Goldwasser", 808.0),
    ("Barbara Liskov", 790.0),
    ("Radia Perlman", 781.0),
    ("Frances Allen", 777.0),
];

pub(crate) fn score(value: f64) -> Score {
    Score::new(value).unwrap()
}

pub(crate) fn look(depth: Depth, charset: Charset) -> Appearance {
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    Appearance { theme: Theme::named("default", depth).unwrap(), charset, zone }
}

pub(crate) fn colours() -> Appearance {
    look(Depth::True, Charset::Utf8)
}

/// A viewer that has read nothing yet.
pub(crate) fn empty((columns, lines): (u16, u16)) -> State {
    let settings = Settings {
        key: Some("lb:{spring}:2026-W41".into()),
        templates: Templates::default(),
        zone: "Europe/Berlin".parse::<Zone>().unwrap(),
        server: "127.0.0.1".to_owned(),
        is_server_unverified: false,
        order: None,
        style: None,
        watch: Watch::new(WatchMode::Push, Duration::from_millis(500)),
        page_size: PageSize::Fit,
        paging: Paging::Cursor,
        opening: Intent::First,
        text: |key| escape(key, Charset::Utf8),
        sharing: Sharing { options: String::new(), quote: ranktop::text::quoting::shell },
        scoring: ranktop::board::packed::scoring::ScoringOptions::default(),
        move_since: ranktop::board::movement::MoveSince::Span(std::time::Duration::from_secs(60)),
        is_marking: true,
        is_probing: true,
    };
    State::new(settings, columns, lines)
}

/// Rows of a board of 12,345 from position `start` on; the runs at the edges have as many more rows beyond them as told.
pub(crate) fn window(rows: &[(&str, f64)], start: u64, (before, after): (u64, u64)) -> Window {
    let entries: Vec<Entry> = rows.iter().map(|(member, value)| Entry::new(*member, score(*value))).collect();
    let above = start - 1;
    Window {
        start,
        total: 12_345,
        version: Some("1284".into()),
        better_than_first: above - before,
        through_last: above + entries.len() as u64 + after,
        distinct_better: None,
        ttl: ranktop::board::meta::Ttl::Forever,
        entries,
        ..Window::nothing(Order::Desc)
    }
}

/// The board of the pictures, live, as many rows as fit.
pub(crate) fn live(size: (u16, u16)) -> State {
    let mut state = empty(size);
    let rows = usize::from(state.geometry.rows).min(PEOPLE.len());
    let ids: Vec<String> = (0..rows).map(|index| format!("u:{}", 1000 + index * 37)).collect();
    let people: Vec<(&str, f64)> = ids.iter().zip(PEOPLE).map(|(id, (_, value))| (id.as_str(), value)).collect();
    let mut window = window(&people, 1, (0, 0));
    window.meta = meta::Meta {
        state: Some(meta::State::Open),
        closes_at: Some(1_791_755_940_000),
        title: Some(b"Spring Cup"[..].into()),
        ..meta::Meta::default()
    };
    let members: Vec<_> = window.entries.iter().map(|entry| entry.member.clone()).collect();
    let names = Some(PEOPLE.iter().take(rows).map(|(name, _)| Some(name.as_bytes().into())).collect());
    let shown = Shown::turned_to(window, PageAnchor::Position(1), rows.min(6).saturating_sub(1), NOW);
    let moved = [
        (1, Movement::Up(1)),
        (2, Movement::Down(1)),
        (3, Movement::New),
        (6, Movement::Up(12)),
        (7, Movement::Down(1)),
    ];
    state.session.moves.moved = moved
        .into_iter()
        .filter_map(|(index, movement)| Some((members.get(index)?.clone(), movement)))
        .collect::<HashMap<_, _>>();
    state.names.learn(members, names, NOW);
    state.link = Link::Up { pushes: true };
    state.fresh_at = Some(NOW);
    // 2 days and 4 hours before it closes.
    state.clock.set(NOW, 1_791_755_940_000 - 187_300_000);
    rollover::update::turn(&mut state, NOW);
    state.latency = Some(Duration::from_micros(310));
    state.session.seen_version.clone_from(&shown.window.version);
    state.session.shown = Some(shown);
    let mut version = 1_000;
    for (second, writes) in (48..60).zip([3, 4, 6, 9, 14, 18, 12, 8, 4, 2, 6, 12]) {
        version += writes;
        state.session.rate.observe(Duration::from_secs(second), Some(version));
    }
    state
}
