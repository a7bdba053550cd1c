//! Periods on the screen: the list of them, the banner of a new one, the life of a board in the header.

use std::fmt::Write as _;
use std::time::Duration;

use ranktop::app::event::{Effect, Event};
use ranktop::app::keymap::{Key, Press};
use ranktop::app::overlay::Overlay;
use ranktop::app::periods::{LIMIT, STRETCH};
use ranktop::app::rollover;
use ranktop::app::state::State;
use ranktop::app::update::update;
use ranktop::board::meta;
use ranktop::board::meta::Ttl;
use ranktop::query::error::StoreError;
use ranktop::query::listing::{KeySummary, Listed};
use ranktop::query::reply::Reply;
use ranktop::query::request::{ListPurpose, Request};
use ranktop::text::Charset;
use ranktop::view::theme::Depth;

use super::dump::{drawn, line, text};
use super::states::{NOW, colours, empty, live, look};
use super::{NORMAL, golden, plain};

fn board(total: Option<u64>, version: Option<&str>, state: Option<meta::State>, ttl: Option<Ttl>) -> KeySummary {
    KeySummary::Board(Listed { key: "x".into(), total, version: version.map(Into::into), state, ttl })
}

fn snapshot(name: &str, screen: &str) {
    insta::assert_snapshot!(name, screen);
}

fn press(state: &mut State, key: Key) -> Vec<Effect> {
    update(state, Event::Key(Press::plain(key)), NOW)
}

/// Opens the list; returns the question that is asked for it.
fn open(state: &mut State) -> u64 {
    asked(&press(state, Key::Char('p'))).unwrap()
}

/// The question about periods among `effects`, if there is one.
fn asked(effects: &[Effect]) -> Option<u64> {
    effects.iter().find_map(|effect| match effect {
        Effect::Send(Request::List { generation, boards, .. }) => {
            assert_eq!(boards.len(), STRETCH);
            Some(*generation)
        }
        _ => None,
    })
}

fn answer(state: &mut State, generation: u64, sights: Vec<KeySummary>) -> Option<u64> {
    asked(&update(
        state,
        Event::Reply(Reply::List { purpose: ListPurpose::Periods, generation, result: Ok(sights) }),
        NOW,
    ))
}

/// What there is of the sixty periods from 2026-W46 on back.
fn sights() -> Vec<KeySummary> {
    let mut sights = vec![KeySummary::Nothing; STRETCH];
    let days = |days: u64| Some(Ttl::Milliseconds(days * 86_400_000));
    sights[3] = board(Some(1), None, None, Some(Ttl::Forever));
    sights[5] = board(Some(12_345), Some("1284"), Some(meta::State::Open), Some(Ttl::Forever));
    sights[6] = board(Some(8_001), Some("91001"), Some(meta::State::Closing), days(90));
    sights[7] = board(Some(10_000_000), Some("\u{1b}[2J"), Some(meta::State::Closed), days(2));
    sights[8] = KeySummary::NoSortedSet;
    sights[10] = board(None, None, None, None);
    sights[46] = board(Some(7), Some("3"), Some(meta::State::Closed), Some(Ttl::Milliseconds(42_000)));
    sights
}

/// A viewer with the list open, of which two stretches have been looked at, and with the row below the board's selected.
fn listed() -> State {
    let mut state = live(NORMAL);
    at(&mut state, ENDS + 1);
    let first = open(&mut state);
    let second = answer(&mut state, first, sights()).unwrap();
    assert_eq!(answer(&mut state, second, vec![KeySummary::Nothing; STRETCH]), None);
    press(&mut state, Key::Down);
    state
}

/// The end of 2026-W41 in Berlin.
const ENDS: i64 = 1_791_756_000_000;

fn at(state: &mut State, unix_ms: i64) {
    state.clock.set(NOW, unix_ms);
    rollover::update::turn(state, NOW);
}

#[test]
fn the_list() {
    let state = listed();
    snapshot("periods_80x24", &golden(&state, &colours(), NORMAL));
    let mut screens = String::new();
    for size in [(120, 12), (60, 12), (40, 10), (20, 6), (12, 4), (5, 2), (1, 1)] {
        write!(screens, "{size:?}\n{}", plain(&state, size)).unwrap();
    }
    snapshot("periods_small", &screens);
    let ascii = look(Depth::Ansi16, Charset::Ascii);
    for columns in [20, 40, 80, 120] {
        let screen = text(&drawn(&state, &ascii, (columns, 24), NOW).0);
        assert!(screen.is_ascii(), "{screen}");
    }
}

#[test]
fn its_last_line_says_how_far_the_calendar_was_looked_at() {
    let said = |state: &State| {
        let Some(Overlay::Periods(list)) = &state.overlay else { panic!("no list") };
        let at = u16::try_from(list.rows.len()).unwrap() + 3;
        let buffer = drawn(state, &colours(), NORMAL, NOW).0;
        (line(&buffer, at), line(&buffer, 23))
    };
    let mut state = live(NORMAL);
    let mut generation = open(&mut state);
    let (last, footer) = said(&state);
    assert_eq!(last, " searching back from 2026-W45 …");
    assert!(footer.starts_with(" no periods") && !footer.contains("open") && footer.ends_with("Esc close"), "{footer}");
    let trouble = Err(StoreError::Other("\u{1b}[2J".to_owned()));
    update(&mut state, Event::Reply(Reply::List { purpose: ListPurpose::Periods, generation, result: trouble }), NOW);
    assert_eq!(said(&state).0, r" cannot look for periods: \e[2J");
    press(&mut state, Key::Esc);
    generation = open(&mut state);
    let mut looked = STRETCH;
    loop {
        let alone = answer(&mut state, generation, vec![KeySummary::Nothing; STRETCH]);
        assert_eq!(alone, None, "nothing there, and nobody has asked for more");
        if looked == STRETCH {
            assert_eq!(said(&state).0, " searched back to 2025-W38; ↓ searches further");
        }
        let Some(next) = asked(&press(&mut state, Key::Down)) else { break };
        generation = next;
        looked += STRETCH;
    }
    assert_eq!((looked, said(&state).0.as_str()), (LIMIT, " stopped after 1,200 periods"));
}

#[test]
fn a_step_over_a_long_way_says_how_far_it_has_come() {
    let mut state = live(NORMAL);
    let first = asked(&press(&mut state, Key::Char('['))).unwrap();
    let footer = |state: &State| line(&drawn(state, &colours(), (120, 24), NOW).0, 23);
    assert!(!footer(&state).contains("looking"), "what comes at once needs no words");
    answer(&mut state, first, vec![KeySummary::Nothing; STRETCH]).unwrap();
    let said = " 1–17 of 12,345   looking for an earlier period … 60 checked · any key stops ";
    assert!(footer(&state).starts_with(said), "{}", footer(&state));
    press(&mut state, Key::Down);
    assert!(!footer(&state).contains("looking"));
}

#[test]
fn a_time_to_live_in_the_list_runs_on() {
    let state = listed();
    let kept = |seconds: u64| {
        let buffer = drawn(&state, &colours(), NORMAL, NOW + Duration::from_secs(seconds)).0;
        line(&buffer, 10).split("closed").last().unwrap().trim().to_owned()
    };
    assert_eq!([kept(0), kept(12), kept(99)], ["42 s", "30 s", "0 s"]);
}

/// The viewer of the pictures, watched from 2026-W41 into 2026-W42.
fn rolled_over() -> State {
    let mut state = live(NORMAL);
    update(&mut state, Event::Clock(1_791_755_940_000), NOW);
    update(&mut state, Event::Clock(ENDS), NOW);
    state
}

#[test]
fn a_new_period_has_a_banner() {
    let mut state = rolled_over();
    let mut screens = String::new();
    for columns in [120, 80, 60, 40, 20] {
        let (buffer, _) = drawn(&state, &colours(), (columns, 24), NOW);
        writeln!(screens, "|{}", line(&buffer, 22)).unwrap();
    }
    assert_eq!(
        screens,
        format!(
            "| Period 2026-W42 has begun{}] open it  Esc keep\n| Period 2026-W42 has begun{}] open it  Esc keep\n\
             | Period 2026-W42 has begun{}] open it  Esc keep\n| 2026-W42 has begun{}] open it  Esc\n\
             |2026-W42 has begun\n",
            " ".repeat(74),
            " ".repeat(34),
            " ".repeat(14),
            " ".repeat(6)
        )
    );
    snapshot("begun_80x24", &golden(&state, &colours(), NORMAL));
    // A board that is awaited has it too.
    let mut awaited = empty(NORMAL);
    awaited.session.rollover.clone_from(&state.session.rollover);
    assert!(plain(&awaited, NORMAL).contains("Period 2026-W42 has begun"));
    // What moved between two pages comes first.
    state.session.banner = Some(super::moved());
    assert!(!plain(&state, NORMAL).contains("has begun"));
}

fn meta_of(state: &mut State) -> &mut meta::Meta {
    &mut state.session.shown.as_mut().unwrap().window.meta
}

#[test]
fn the_life_of_a_board() {
    let mut screens = String::new();
    let mut show = |what: &str, state: &State| {
        writeln!(screens, "{what}").unwrap();
        for columns in [120, 80, 60] {
            let (buffer, _) = drawn(state, &colours(), (columns, 24), NOW);
            writeln!(screens, "|{}", line(&buffer, 1)).unwrap();
        }
    };
    let mut state = live(NORMAL);
    show("closes in days", &state);
    at(&mut state, ENDS - 11_400_000);
    show("in hours", &state);
    at(&mut state, ENDS - 60_000 - 41_500);
    show("in seconds", &state);
    at(&mut state, ENDS);
    show("was to close", &state);
    at(&mut state, ENDS - 30 * 86_400_000);
    show("in weeks", &state);
    meta_of(&mut state).closes_at = None;
    show("begins in weeks", &state);
    at(&mut state, ENDS - 4 * 86_400_000);
    show("ends", &state);
    *meta_of(&mut state) = meta::Meta::default();
    show("ends, without meta", &state);
    at(&mut state, ENDS);
    show("ended", &state);
    meta_of(&mut state).state = Some(meta::State::Closed);
    meta_of(&mut state).closed_at = Some(ENDS);
    show("closed, never expires", &state);
    state.session.shown.as_mut().unwrap().window.ttl = Ttl::Milliseconds(7_776_000_000);
    state.session.expires_at = Some(NOW + Duration::from_secs(7_776_000));
    show("closed, expires", &state);
    state.session.expires_at = Some(NOW);
    show("closed, expires now", &state);
    snapshot("life", &screens);
}
