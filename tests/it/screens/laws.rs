//! What holds for every state on every screen, hostile members included.

use std::collections::HashMap;
use std::time::Duration;

use proptest::prelude::*;
use ranktop::query::reply::Reply;
use ranktop::query::request::{ListPurpose, Request};
use ranktop::term::backend::CompactBackend;
use ratatui::backend::Backend;
use ratatui::buffer::Buffer;

use ranktop::app::event::{Effect, Event, Link};
use ranktop::app::geometry::Geometry;
use ranktop::app::keymap::{Key as Pressed, Press};
use ranktop::app::overlay::Overlay;
use ranktop::app::page::Shown;
use ranktop::app::page::anchor::PageAnchor;
use ranktop::app::page::banner::Banner;
use ranktop::app::periods::list::{Browse, Row, There};
use ranktop::app::prompt::{Prompt, PromptKind};
use ranktop::app::session::{Departed, Whereabouts};
use ranktop::app::state::State;
use ranktop::app::update::update;
use ranktop::board::distribution::{Distribution, Mark, bins, bounds};
use ranktop::board::drift::Drift;
use ranktop::board::entry::{Entry, Member};
use ranktop::board::keys::Board;
use ranktop::board::keys::Key;
use ranktop::board::meta::Ttl;
use ranktop::board::order::Order;
use ranktop::board::period::Period;
use ranktop::board::rank::RankStyle;
use ranktop::board::score::Score;
use ranktop::board::window::Window;
use ranktop::query::error::StoreError;
use ranktop::query::listing::{Found, KeySummary, Listed};
use ranktop::text::{Charset, group_digits};
use ranktop::view::theme::Depth;

use super::dump::{drawn, line};
use super::states::{NOW, colours, empty, live, look, window};

/// Bytes of members, names and titles that others were broken by.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..40),
        "\\PC{0,30}".prop_map(String::into_bytes),
        Just(Vec::new()),
        Just("👩‍👩‍👧‍👦👍🏽🇩🇪 華".into()),
        Just("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}".repeat(50).into_bytes()),
        Just(b"\x1b]0;x\x07\x1b[2J\x9b31m\n\r\t\0".to_vec()),
        Just("\u{202e}\u{2066}\u{200f}\u{ff9e}\u{ff9f}".into()),
        Just(vec![b'x'; 100_000]),
    ]
}

fn scores() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => (-20_i32..20).prop_map(f64::from),
        1 => proptest::num::f64::ANY.prop_filter("never NaN", |value| !value.is_nan()),
        1 => Just(f64::INFINITY),
    ]
}

prop_compose! {
    fn windows()(
        rows in proptest::collection::vec((hostile(), scores()), 0..40),
        above in prop_oneof![Just(0), 0_u64..100, Just(9_999_999)], before in 0_u64..50, after in 0_u64..50,
        is_desc: bool, verified: bool, version in proptest::option::of(hostile()), title in proptest::option::of(hostile()),
        ttl in -2_i64..1_000_000_000, distinct in proptest::option::of(0_u64..900),
    ) -> Window {
        let order = if is_desc { Order::Desc } else { Order::Asc };
        let mut entries: Vec<Entry> =
            rows.into_iter().map(|(member, score)| Entry::new(member, Score::new(score).unwrap())).collect();
        entries.sort_by(|a, b| order.compare(a, b));
        entries.dedup();
        let mut window = Window::nothing(order);
        window.start = above + 1;
        window.better_than_first = above.saturating_sub(before);
        window.through_last = above + entries.len() as u64 + after;
        window.total = window.through_last + 3;
        window.entries = entries;
        window.verified = verified;
        window.version = version.map(Into::into);
        window.meta.title = title.map(Into::into);
        window.meta.closes_at = Some(ttl.saturating_mul(1_000_000_000));
        window.meta.state = Some(ranktop::board::meta::State::Open);
        window.ttl = ranktop::board::meta::Ttl::from_pttl(ttl);
        window.distinct_better = distinct;
        window
    }
}

prop_compose! {
    /// Also what no list should be.
    fn calendars()(
        rows in proptest::collection::vec((0_u8..3, proptest::option::of(any::<u64>()), hostile(), -2_i64..i64::MAX), 0..40),
        selected in 0_usize..60, scroll in 0_usize..60, trouble in proptest::option::of("\\PC{0,60}"),
    ) -> Browse {
        let own: Period = "2026-10-09".parse().unwrap();
        let mut list = Browse::new(own, None);
        let periods = std::iter::successors(Some(own), Period::previous);
        list.rows = rows.into_iter().zip(periods).map(|((kind, total, version, ttl), period)| {
            let (version, ttl) = (Some(version.into()), Some(Ttl::from_pttl(ttl)));
            let there = match kind {
                0 => There::Board(Listed { key: "x".into(), total, version, state: None, ttl }),
                1 => There::NoSortedSet,
                _ => There::Nothing,
            };
            Row { period, there, seen_at: NOW }
        }).collect();
        (list.selected, list.scroll) = (selected, scroll);
        list.trouble = trouble.map(StoreError::Other);
        list
    }
}

fn overlays() -> impl Strategy<Value = Option<Overlay>> {
    prop_oneof![
        2 => Just(None),
        1 => any::<u16>().prop_map(|offset| Some(Overlay::Help(offset))),
        3 => Just(Some(Overlay::Boards)),
        2 => Just(Some(Overlay::Inspector)),
        2 => calendars().prop_map(|list| Some(Overlay::Periods(list))),
        2 => Just(Some(Overlay::Distribution)),
        1 => Just(Some(Overlay::Trace)),
        1 => (any::<bool>(), "\\PC{0,80}").prop_map(|(find, text)| {
            let kind = if find { PromptKind::Find } else { PromptKind::GoTo };
            Some(Overlay::Prompt(Prompt::new(kind).with_text(&text)))
        }),
    ]
}

/// A list of boards with hostile keys, some of them looked at, filtered and selected anyhow.
fn lists() -> impl Strategy<Value = Vec<(Vec<u8>, u8)>> {
    let period = (0..3_u8, 0..9_u8).prop_map(|(game, week)| format!("lb:{{g{game}}}:2026-W4{week}").into_bytes());
    proptest::collection::vec((prop_oneof![hostile(), period], any::<u8>()), 0..40)
}

/// Feeds the state the boards of a list as the answers to what it asks.
fn feed_list(state: &mut State, boards: &[(Vec<u8>, u8)], typed: &str, steps: usize) {
    let link = std::mem::replace(&mut state.link, Link::Up { pushes: false });
    let overlay = state.overlay.replace(Overlay::Boards);
    let sights: HashMap<Key, u8> = boards.iter().map(|(key, what)| (key.clone().into(), *what)).collect();
    let mut keys: Option<Vec<Key>> = Some(sights.keys().cloned().collect());
    let mut effects = update(state, Event::Woken, NOW);
    while let Some(effect) = effects.pop() {
        let event = match effect {
            Effect::Send(Request::Search { generation, .. }) => match keys.take() {
                Some(keys) => Event::Reply(Reply::Search {
                    generation,
                    result: Ok(Found { keys, looked_at: 4_200, of: None, is_over: false, incomplete: None }),
                }),
                None => continue,
            },
            Effect::Send(Request::List { generation, boards, .. }) => {
                let sight = |board: Board| match sights.get(&board.key).unwrap_or(&0) {
                    0..=20 => KeySummary::Nothing,
                    21..=40 => KeySummary::NoSortedSet,
                    what => KeySummary::Board(Listed {
                        key: board.key,
                        total: (*what > 60).then_some(u64::MAX >> (what % 64)),
                        version: (*what > 80).then(|| vec![*what; usize::from(what % 40)].into()),
                        state: (*what > 100).then_some(ranktop::board::meta::State::Closing),
                        ttl: Some(ranktop::board::meta::Ttl::from_pttl(i64::from(*what) << (what % 50))),
                    }),
                };
                Event::Reply(Reply::List {
                    purpose: ListPurpose::Picker,
                    generation,
                    result: Ok(boards.into_iter().map(sight).collect()),
                })
            }
            _ => continue,
        };
        effects.extend(update(state, event, NOW));
    }
    for _ in 0..steps {
        update(state, Event::Key(Press::plain(Pressed::Down)), NOW);
    }
    update(state, Event::Paste(typed.to_owned()), NOW);
    (state.link, state.overlay) = (link, overlay);
}

prop_compose! {
    /// What no board has is among it: bins without members, and marks outside of all bins.
    fn distributions()(
        ends in (scores(), scores()), most in 0..40_usize, counts in proptest::collection::vec(any::<u64>(), 24),
        marks in proptest::collection::vec((0..=100_u8, any::<u64>(), scores()), 0..5), total: u64, is_desc: bool,
        verified: bool, version in proptest::option::of(hostile()),
    ) -> Distribution {
        let [lowest, highest] = [ends.0.min(ends.1), ends.0.max(ends.1)].map(|end| Score::new(end).unwrap());
        let is_finite = lowest.get().is_finite() && highest.get().is_finite();
        let order = if is_desc { Order::Desc } else { Order::Asc };
        let marks = marks.into_iter().map(|(percent, position, score)| {
            Mark { percent, position, score: Score::new(score).unwrap() }
        });
        Distribution {
            order,
            version: version.map(Into::into),
            verified,
            total,
            bins: bins(&bounds(is_finite.then_some((lowest, highest)), most), &counts, order),
            marks: marks.collect(),
        }
    }
}

// Boxed in parts: a tree of all of it takes more than the stack of a test.
prop_compose! {
    fn states()(
        window in proptest::option::of(windows().boxed()), overlay in overlays().boxed(), selected in 0_usize..60, scroll in 0_usize..60,
        names in proptest::collection::vec(proptest::option::of(hostile()), 40), style in 0_usize..5,
        link in 0..4, trouble in proptest::option::of("\\PC{0,60}"), key in hostile(), server in "\\PC{0,40}",
        banner in proptest::option::of((proptest::option::of(0..1_u64 << 53), 0..1_u64 << 53, proptest::option::of(hostile()))),
        distribution in proptest::option::weighted(0.8, distributions().boxed()),
        departed in proptest::option::of(hostile()), notice in proptest::option::of("\\PC{0,40}"),
        (is_held, is_missing, by_position) in any::<(bool, bool, bool)>(),
        list in lists().boxed(), typed in prop_oneof![3 => Just(String::new()), 2 => "[a-z0-9\\\\]{0,3}", 1 => "\\PC{0,40}"], steps in 0..50_usize,
    ) -> State {
        let mut state = empty((80, 24));
        feed_list(&mut state, &list, &typed, steps);
        state.session.board.as_mut().unwrap().key = key.into();
        state.server = server;
        state.style = RankStyle::ALL[style];
        state.link = match link {
            0 => Link::Connecting,
            1 => Link::Down { reason: StoreError::NotReady("LOADING".to_owned()), retry_at: NOW + Duration::from_secs(3) },
            other => Link::Up { pushes: other == 2 },
        };
        state.session.trouble = trouble.map(StoreError::Other);
        state.fresh_at = (link > 1).then_some(Duration::from_secs(40));
        state.session.banner = banner.map(|(boundary_from, boundary_to, version)| Banner::Changed {
            drift: Drift { from_version: None, to_version: version.map(Into::into), boundary_from, boundary_to },
            shift: boundary_from.map_or(0, |from| boundary_to.cast_signed().wrapping_sub(from.cast_signed())),
            is_forward: boundary_to % 2 == 0,
        });
        state.session.departed =
            departed.map(|member| Departed { member: member.into(), whereabouts: Some(Whereabouts::At(u64::MAX)) });
        state.notice = notice;
        state.overlay = overlay;
        state.distribution.read = distribution;
        state.distribution.trouble = state.session.trouble.clone();
        state.session.is_held = is_held;
        state.session.is_missing = is_missing;
        if by_position {
            state.paging = ranktop::app::settings::Paging::Position;
        }
        if let Some(window) = window {
            let members: Vec<Member> = window.entries.iter().map(|entry| entry.member.clone()).collect();
            state.names.learn(members, Some(names.into_iter().map(|name| name.map(Into::into)).collect()), NOW);
            let mut shown = Shown::turned_to(window, PageAnchor::Position(1), 0, NOW);
            // Also what no state should be.
            shown.selected = selected;
            shown.scroll = scroll;
            state.session.shown = Some(shown);
        }
        state
    }
}

fn sizes() -> impl Strategy<Value = (u16, u16)> {
    prop_oneof![4 => (0_u16..130, 0_u16..40), 1 => (0_u16..=500, 0_u16..=200), 1 => (0_u16..5, 0_u16..5)]
}

fn assert_drawable(buffer: &Buffer) {
    for cell in buffer.content() {
        assert!(!cell.symbol().chars().any(char::is_control), "{:?}", cell.symbol());
        assert!(cell.symbol().chars().all(|c| !('\u{202a}'..='\u{202e}').contains(&c)), "{:?}", cell.symbol());
    }
}

/// Each score in sight ends in the column in which the head of the column ends.
fn assert_scores_aligned(state: &State, buffer: &Buffer) {
    let size = buffer.area;
    let geometry = Geometry::of(size.width, size.height);
    let Some(shown) = state.session.shown.as_ref().filter(|shown| !shown.window.is_empty()) else { return };
    if !geometry.has_heads || size.width < 90 || state.overlay.is_some() {
        return;
    }
    let heads: Vec<&str> = (0..size.width).map(|x| buffer[(x, geometry.table_top() - 1)].symbol()).collect();
    let end = heads.windows(5).position(|head| head.concat() == "SCORE").expect("a head of the scores") + 5;
    for (y, entry) in (geometry.table_top()..).zip(shown.window.entries.iter().skip(shown.scroll)) {
        if y >= geometry.table_top() + geometry.rows {
            return;
        }
        let score = group_digits(&entry.score.to_string(), ',');
        let row: Vec<&str> = (0..size.width).map(|x| buffer[(x, y)].symbol()).collect();
        assert_eq!(row[end - score.len()..end].concat(), score, "{}", line(buffer, y));
        assert_eq!(row[end - score.len() - 1], " ", "{}", line(buffer, y));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_state_on_any_screen(state in states().prop_map(Box::new).boxed(), size in sizes(), ascii: bool) {
        let look = look(Depth::Indexed256, if ascii { Charset::Ascii } else { Charset::Utf8 });
        let (buffer, cursor) = drawn(&state, &look, size, NOW);
        assert_drawable(&buffer);
        assert_scores_aligned(&state, &buffer);
        if let Some((x, y)) = cursor {
            prop_assert!(x < size.0 && y < size.1);
        }
        prop_assert_eq!(drawn(&state, &look, size, NOW).0, buffer, "the same state draws the same cells");
    }
}

#[test]
fn a_server_that_nobody_checked_is_told_on_every_screen() {
    for columns in 28..=240 {
        for lines in [2, 8, 24] {
            let mut state = live((columns, lines));
            state.is_server_unverified = true;
            state.server = "redis.example:6380".to_owned();
            let (buffer, _) = drawn(&state, &colours(), (columns, lines), NOW);
            assert!(line(&buffer, 0).contains("TLS not verified"), "{}", line(&buffer, 0));
        }
    }
}

#[test]
fn everything_that_is_open_shrinks_to_nothing_and_grows_again() {
    let sizes: Vec<(u16, u16)> = (0..=40).rev().map(|step| (step * 25 / 2, step * 5)).collect();
    let overlays = [
        None,
        Some(Overlay::Help(7)),
        Some(Overlay::Inspector),
        Some(Overlay::Distribution),
        Some(Overlay::Trace),
        Some(Overlay::Boards),
        Some(Overlay::Prompt(Prompt::new(PromptKind::Find).with_text(&"华x".repeat(60)))),
        Some(Overlay::Prompt(Prompt::new(PromptKind::GoTo).with_text("=98"))),
    ];
    for overlay in overlays {
        let mut state = live((500, 200));
        state.link = Link::Up { pushes: true };
        state.session.shown.as_mut().unwrap().select(26);
        state.overlay = overlay;
        for (columns, lines) in sizes.iter().chain(sizes.iter().rev()).copied() {
            let resized = ranktop::app::event::Event::Resized { columns, lines };
            ranktop::app::update::update(&mut state, resized, NOW);
            let (buffer, cursor) = drawn(&state, &colours(), (columns, lines), NOW);
            assert_drawable(&buffer);
            assert!(cursor.is_none_or(|(x, y)| x < columns && y < lines), "{columns}x{lines}: {cursor:?}");
            let shown = state.session.shown.as_ref().unwrap();
            let rows = usize::from(state.geometry.rows);
            let is_in_sight = (shown.scroll..shown.scroll + rows).contains(&shown.selected);
            assert!(rows == 0 || is_in_sight, "{columns}x{lines}");
        }
        assert_eq!(state.session.shown.as_ref().unwrap().selected, 26);
    }
}

#[test]
fn a_page_of_huge_members_costs_what_is_in_sight() {
    let mut state = live((80, 24));
    let huge = "x".repeat(1 << 20);
    let rows: Vec<(&str, f64)> = vec![(huge.as_str(), 1.0); 200];
    state.session.shown = Some(Shown::turned_to(window(&rows, 1, (0, 0)), PageAnchor::Position(1), 0, NOW));
    let (buffer, _) = drawn(&state, &colours(), (80, 24), NOW);
    assert!(line(&buffer, 4).contains("xxx…"), "{}", line(&buffer, 4));
}

/// What the terminal is sent to get from one screen to the next.
fn sent(before: &State, after: &State, size: (u16, u16)) -> usize {
    let [before, after] = [before, after].map(|state| drawn(state, &colours(), size, NOW).0);
    let mut terminal = CompactBackend::new(size.0, size.1);
    terminal.bytes().clear();
    terminal.draw(before.diff(&after).into_iter()).unwrap();
    terminal.bytes().len()
}

#[test]
fn a_changed_score_costs_the_terminal_little_and_a_page_turn_not_much() {
    let size = (120, 40);
    let page = |from: u64| {
        let mut state = live(size);
        let ids: Vec<(String, f64)> = (from..from + 33)
            .map(|at| (format!("u:{}", 9000 - at), f64::from(9000 - u16::try_from(at).unwrap())))
            .collect();
        let rows: Vec<(&str, f64)> = ids.iter().map(|(id, score)| (id.as_str(), *score)).collect();
        state.session.shown = Some(Shown::turned_to(window(&rows, from, (0, 0)), PageAnchor::Position(1), 5, NOW));
        state
    };
    let first = page(34);
    let mut changed = first.clone();
    changed.session.shown.as_mut().unwrap().window.entries[9].score = super::states::score(8957.5);
    let (one, turn) = (sent(&first, &changed, size), sent(&first, &page(67), size));
    assert!(one <= 110, "{one} bytes for one score");
    assert!(turn <= 2_200, "{turn} bytes for a page turn");
}
