//! The list of boards: golden screens of what it shows, and of what it says where there is nothing to show.

use std::fmt::Write as _;
use std::time::Duration;

use ranktop::app::event::{Effect, Event, Link};
use ranktop::app::keymap::{Key, Press};
use ranktop::app::overlay::Overlay;
use ranktop::app::state::State;
use ranktop::app::update::update;
use ranktop::board::meta::{State as Life, Ttl};
use ranktop::query::error::StoreError;
use ranktop::query::listing::{Found, KeySummary, Listed};
use ranktop::query::reply::{LinkChange, Reply};
use ranktop::query::request::{ListPurpose, Request};
use ranktop::text::Charset;
use ranktop::view::theme::Depth;

use super::dump::{drawn, line, text};
use super::states::{NOW, colours, empty, live, look};
use super::{NORMAL, WIDE, golden, plain};

/// Keys of the picture, each with its players, version, state and time to live.
const BOARDS: [(&str, u64, &str, Option<Life>, i64); 14] = [
    ("hs:2026-10-09", 12, "", None, -1),
    ("hs:2026-10-08", 9, "", None, 86_300_000),
    ("lb:{autumn}:2026-W39", 10_244, "90112", Some(Life::Closed), 3_455_000_000),
    ("lb:{autumn}:2026-W41", 2_244, "6732", Some(Life::Open), -1),
    ("lb:{autumn}:2026-W40", 5_938, "17814", Some(Life::Closing), -1),
    ("lb:{spring}:2026-W41", 12_345, "1284", Some(Life::Open), -1),
    ("lb:{spring}:2026-W40", 1_250_976, "3128928", Some(Life::Closed), 3_455_000_000),
    ("lb:{spring}:2026-W41:frozen:1201", 12_102, "1201", None, 604_000_000),
    ("lb:{spring}:2026-W41:frozen:977", 11_950, "977", None, 61_000),
    ("secret", 0, "", None, -1),
    ("stolen", 0, "", None, -1),
    ("vanished", 0, "", None, -1),
    ("zo\u{eb}:华罗庚", 3, "\u{1b}[2J", None, -1),
    (
        "a\u{1b}[2J key that is longer than any that people would give a board, whatever their naming scheme",
        7,
        "1",
        None,
        -1,
    ),
];

fn sight(key: &str) -> KeySummary {
    let Some((_, total, version, state, ttl)) = BOARDS.iter().find(|(known, ..)| *known == key) else {
        return KeySummary::Nothing;
    };
    match key {
        "vanished" => KeySummary::Nothing,
        "stolen" => KeySummary::NoSortedSet,
        _ => KeySummary::Board(Listed {
            key: key.into(),
            total: (key != "secret").then_some(*total),
            version: (!version.is_empty()).then(|| (*version).into()),
            state: *state,
            ttl: Some(Ttl::from_pttl(*ttl)),
        }),
    }
}

/// Answers what the state asks: a step of the search with these boards, and looks at boards.
fn answer(state: &mut State, mut effects: Vec<Effect>, found: &Found) {
    let mut is_found = false;
    while let Some(effect) = effects.pop() {
        let event = match effect {
            Effect::Send(Request::Search { generation, .. }) if !is_found => {
                is_found = true;
                Event::Reply(Reply::Search { generation, result: Ok(found.clone()) })
            }
            Effect::Send(Request::List { generation, boards, .. }) => {
                let text =
                    |board: &ranktop::board::keys::Board| String::from_utf8(board.key.as_ref().to_vec()).unwrap();
                Event::Reply(Reply::List {
                    purpose: ListPurpose::Picker,
                    generation,
                    result: Ok(boards.iter().map(|board| sight(&text(board))).collect()),
                })
            }
            _ => continue,
        };
        effects.extend(update(state, event, NOW));
    }
}

fn press(state: &mut State, key: Key) {
    let effects = update(state, Event::Key(Press::plain(key)), NOW);
    answer(state, effects, &Found::default());
}

fn found(is_over: bool) -> Found {
    let keys = BOARDS.iter().map(|(key, ..)| (*key).into()).collect();
    Found { keys, looked_at: if is_over { 200_000 } else { 4_200 }, of: Some(200_000), is_over, incomplete: None }
}

/// The live board with the list open over it.
fn over_the_table(size: (u16, u16), is_over: bool) -> State {
    let mut state = live(size);
    let effects = update(&mut state, Event::Key(Press::plain(Key::Char('b'))), NOW);
    answer(&mut state, effects, &found(is_over));
    state
}

/// A viewer without a board, connected or not.
fn without_a_board(size: (u16, u16)) -> State {
    let mut state = empty(size);
    state.session.board = None;
    state.overlay = Some(Overlay::Boards);
    state
}

#[test]
fn games_and_their_periods() {
    let state = over_the_table(WIDE, false);
    insta::assert_snapshot!("picker_120x34", golden(&state, &colours(), WIDE));
    let mut state = over_the_table(NORMAL, true);
    for _ in 0..3 {
        press(&mut state, Key::Down);
    }
    insta::assert_snapshot!("picker_80x24", golden(&state, &colours(), NORMAL));
}

#[test]
fn what_the_filter_finds_stands_out() {
    let mut state = over_the_table(NORMAL, true);
    for c in "spr41".chars() {
        press(&mut state, Key::Char(c));
    }
    insta::assert_snapshot!("picker_filter_80x24", golden(&state, &colours(), NORMAL));
    let (_, cursor) = drawn(&state, &colours(), NORMAL, NOW);
    assert_eq!(cursor, Some((8, 3)), "after what is typed");
    insta::assert_snapshot!("picker_filter_mono_60x16", golden(&state, &look(Depth::None, Charset::Utf8), (60, 16)));
}

#[test]
fn small_screens_keep_the_selection() {
    let mut screens = String::new();
    for size in [(60, 10), (40, 12), (20, 6), (12, 4), (5, 2), (1, 1)] {
        let state = over_the_table(size, true);
        write!(screens, "{size:?}\n{}", plain(&state, size)).unwrap();
    }
    insta::assert_snapshot!("picker_small", screens);
}

#[test]
fn where_there_is_no_row_it_says_why() {
    let size = (80, 14);
    let mut screens = String::new();
    let mut show = |what: &str, state: &State| {
        let screen = plain(state, size);
        writeln!(screens, "{what}\n{screen}").unwrap();
    };
    let mut state = without_a_board(size);
    show("connecting", &state);
    let reason = StoreError::Unreachable("connection refused".to_owned());
    state.link = Link::Down { reason, retry_at: NOW + Duration::from_secs(3) };
    show("no server", &state);
    let effects = update(&mut state, Event::Reply(Reply::Link(LinkChange::Up { pushes: true })), NOW);
    show("looking", &state);
    let Some(Effect::Send(Request::Search { generation, .. })) = effects.first() else { panic!("{effects:?}") };
    let mut refused = state.clone();
    let trouble = StoreError::NoPermission { command: "SCAN".to_owned(), key: "*".into() };
    update(&mut refused, Event::Reply(Reply::Search { generation: *generation, result: Err(trouble) }), NOW);
    show("refused", &refused);
    let mut failed = state.clone();
    let trouble = StoreError::Other("ERR \u{1b}[2J unknown command".to_owned());
    update(&mut failed, Event::Reply(Reply::Search { generation: *generation, result: Err(trouble) }), NOW);
    show("failed", &failed);
    let nothing = Found { is_over: true, looked_at: 7, of: Some(7), ..Found::default() };
    answer(&mut state, effects, &nothing);
    show("empty", &state);
    let mut state = over_the_table(size, true);
    update(&mut state, Event::Paste("no\u{202e}such".to_owned()), NOW);
    show("no match", &state);
    insta::assert_snapshot!("picker_without_rows", screens);
}

#[test]
fn ascii_screens_have_no_other_character() {
    let look = look(Depth::Ansi16, Charset::Ascii);
    for columns in [20, 40, 80, 120] {
        for is_over in [false, true] {
            let mut state = over_the_table((columns, 34), is_over);
            // The keys are as the terminal can draw them where the state is made for it.
            state.picker = ranktop::app::picker::Picker::new(|key| ranktop::text::escape(key, Charset::Ascii));
            state.overlay = None;
            let effects = update(&mut state, Event::Key(Press::plain(Key::Char('b'))), NOW);
            answer(&mut state, effects, &found(is_over));
            let screen = text(&drawn(&state, &look, (columns, 34), NOW).0);
            assert!(screen.is_ascii() && screen.contains("hs:2026-10-0"), "{screen}");
        }
    }
    assert!(text(&drawn(&without_a_board(WIDE), &look, WIDE, NOW).0).is_ascii());
}

#[test]
fn a_list_under_a_lost_connection_stays_and_says_so() {
    let mut state = over_the_table(NORMAL, true);
    let reason = StoreError::Unreachable("connection refused".to_owned());
    update(&mut state, Event::Reply(Reply::Link(LinkChange::Down { reason, retry_in: Duration::from_secs(3) })), NOW);
    let (buffer, _) = drawn(&state, &colours(), NORMAL, NOW);
    assert!(line(&buffer, 3).ends_with("14 boards · waiting for a connection"), "{}", line(&buffer, 3));
    assert!(text(&buffer).contains("lb:{spring}:2026-W40"));
}
