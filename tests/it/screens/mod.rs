//! Golden screens with their styles, and what holds for every screen.

mod distribution;
pub(crate) mod dump;
mod laws;
mod periods;
mod picker;
mod readable;
mod server;
pub(crate) mod states;

use std::fmt::Write as _;
use std::time::Duration;

use ranktop::app::event::Link;
use ranktop::app::keymap::BINDINGS;
use ranktop::app::overlay::Overlay;
use ranktop::app::page::Shown;
use ranktop::app::page::anchor::PageAnchor;
use ranktop::app::page::banner::Banner;
use ranktop::app::prompt::{Prompt, PromptKind};
use ranktop::app::session::{Departed, Search, Whereabouts};
use ranktop::app::settings::Paging;
use ranktop::app::state::State;
use ranktop::board::drift::Drift;
use ranktop::board::meta;
use ranktop::board::rank::RankStyle;
use ranktop::query::capabilities::Capabilities;
use ranktop::query::error::StoreError;
use ranktop::query::round_trip::{CommandReply, RoundTrip};
use ranktop::text::Charset;
use ranktop::view::Appearance;
use ranktop::view::theme::Depth;

use dump::{drawn, line, styled, text};
use states::{NOW, colours, empty, live, look, window};

const WIDE: (u16, u16) = (120, 34);
const NORMAL: (u16, u16) = (80, 24);

fn plain(state: &State, size: (u16, u16)) -> String {
    text(&drawn(state, &colours(), size, NOW).0)
}

/// Text and styles, which is what a golden screen holds.
fn golden(state: &State, look: &Appearance, size: (u16, u16)) -> String {
    styled(&drawn(state, look, size, NOW).0)
}

fn drift(from: Option<&str>, to: Option<&str>, boundary: (Option<u64>, u64)) -> Banner {
    let drift = Drift {
        from_version: from.map(Into::into),
        to_version: to.map(Into::into),
        boundary_from: boundary.0,
        boundary_to: boundary.1,
    };
    let shift = drift.shift().unwrap_or_default();
    Banner::Changed { drift, shift, is_forward: true }
}

fn moved() -> Banner {
    drift(Some("1280"), Some("1284"), (Some(20), 22))
}

#[test]
fn live_120x34() {
    let mut state = live(WIDE);
    state.session.banner = Some(moved());
    insta::assert_snapshot!(golden(&state, &colours(), WIDE));
}

#[test]
fn banner_80x24() {
    let mut state = live(NORMAL);
    state.session.banner = Some(moved());
    insta::assert_snapshot!(golden(&state, &colours(), NORMAL));
}

#[test]
fn small_screens() {
    let mut screens = String::new();
    for size in [(60, 10), (40, 12), (20, 6), (12, 4), (5, 2), (1, 1)] {
        let mut state = live(size);
        state.session.banner = Some(moved());
        write!(screens, "{size:?}\n{}", plain(&state, size)).unwrap();
    }
    insta::assert_snapshot!(screens);
}

#[test]
fn a_frozen_copy_is_said_to_be_one() {
    let mut state = live(NORMAL);
    state.session.board.as_mut().unwrap().key = "lb:{spring}:2026-W41:frozen:1284".into();
    state.session.shown.as_mut().unwrap().window.meta.state = Some(meta::State::Closed);
    let (buffer, _) = drawn(&state, &colours(), (120, 24), NOW);
    assert!(line(&buffer, 0).contains("● frozen"), "{}", line(&buffer, 0));
    assert!(line(&buffer, 1).contains("frozen copy of lb:{spring}:2026-W41 "), "{}", line(&buffer, 1));
}

#[test]
fn headers_say_how_far_the_data_can_be_trusted() {
    let mut screens = String::new();
    let mut show = |what: &str, state: &State| {
        for columns in [120, 80, 40] {
            let (buffer, _) = drawn(state, &colours(), (columns, 24), NOW);
            writeln!(screens, "{what}, {columns}\n{}\n{}", line(&buffer, 0), line(&buffer, 1)).unwrap();
        }
    };
    let mut state = live(NORMAL);
    state.session.is_held = true;
    show("held", &state);
    state.session.seen_version = Some("1287".into());
    show("held, 3 behind", &state);
    state.session.seen_version = Some("other".into());
    show("held, changed", &state);
    state.session.is_held = false;
    state.session.trouble = Some(StoreError::Timeout(Duration::from_secs(1)));
    state.fresh_at = Some(Duration::from_secs(56));
    show("stale", &state);
    let reason = StoreError::Unreachable("connection refused (os error 111), as \u{1b}[2J long as it takes".to_owned());
    state.link = Link::Down { reason: reason.clone(), retry_at: Duration::from_millis(62_500) };
    show("reconnecting", &state);
    state.link = Link::Connecting;
    state.reason = Some(reason);
    show("trying now", &state);

    let mut state = live(NORMAL);
    let shown = state.session.shown.as_mut().unwrap();
    shown.window.verified = false;
    shown.window.version = None;
    shown.window.meta.state = Some(meta::State::Closed);
    shown.window.meta.closed_at = Some(1_791_755_940_000);
    shown.window.ttl = meta::Ttl::Milliseconds(187_300_000);
    state.paging = Paging::Position;
    state.session.follow = shown.selected_entry().map(|entry| entry.member.clone());
    state.style = RankStyle::Dense;
    state.session.watch.is_version_broken = true;
    show("closed, unverified, dense past its bound, followed", &state);
    let mut state = live(NORMAL);
    state.session.is_missing = true;
    show("gone", &state);
    let mut state = live(NORMAL);
    state.session.board.as_mut().unwrap().key = format!("lb:{{{}}}", "long".repeat(40)).as_str().into();
    show("a long key", &state);
    insta::assert_snapshot!(screens);
}

#[test]
fn the_words_of_the_state_have_its_style() {
    let mut state = live(NORMAL);
    state.session.trouble = Some(StoreError::Timeout(Duration::from_secs(1)));
    insta::assert_snapshot!("stale_80x24", golden(&state, &colours(), NORMAL));
}

#[test]
fn without_a_page() {
    let mut screens = String::new();
    let mut show = |what: &str, state: &State| {
        let mut screen = plain(state, (80, 12));
        screen.truncate(screen.trim_end().len());
        writeln!(screens, "{what}\n{screen}\n").unwrap();
    };
    let mut state = empty((80, 12));
    show("opening", &state);
    state.link = Link::Up { pushes: false };
    show("reading", &state);
    state.session.trouble = Some(StoreError::WrongType { found: "hash".to_owned() });
    state.fresh_at = Some(NOW);
    show("wrong type", &state);
    state.session.trouble = None;
    state.session.is_missing = true;
    let nothing = ranktop::board::window::Window::nothing(ranktop::board::order::Order::Desc);
    state.session.shown = Some(Shown::turned_to(nothing, PageAnchor::Position(1), 0, NOW));
    show("missing", &state);
    let reason = StoreError::Unreachable("connection refused".to_owned());
    state.session.shown = None;
    state.fresh_at = None;
    state.link = Link::Down { reason, retry_at: Duration::from_secs(63) };
    show("no server", &state);
    insta::assert_snapshot!(screens);
}

#[test]
fn banners() {
    let mut screens = String::new();
    let cases = [
        ("moved down", Paging::Cursor, moved()),
        ("one up", Paging::Cursor, drift(Some("1"), Some("2"), (Some(20), 19))),
        ("unmoved", Paging::Cursor, drift(Some("1280"), Some("1284"), (Some(20), 20))),
        ("appeared", Paging::Cursor, drift(None, Some("3"), (Some(20), 20))),
        ("vanished", Paging::Cursor, drift(Some("\u{1b}[31m"), None, (Some(20), 21))),
        ("no versions", Paging::Cursor, drift(None, None, (Some(20), 22))),
        ("no place", Paging::Cursor, drift(Some("1"), Some("2"), (None, 22))),
        ("repeated", Paging::Position, moved()),
        ("skipped", Paging::Position, drift(Some("1"), Some("2"), (Some(20), 19))),
        ("nothing", Paging::Position, drift(Some("1"), Some("2"), (Some(20), 20))),
        ("unversioned", Paging::Cursor, Banner::Unversioned),
        ("long numbers", Paging::Cursor, drift(Some("91281280"), Some("91281284"), (Some(9_220_120), 10_220_122))),
    ];
    for (what, paging, banner) in cases {
        let mut state = live(NORMAL);
        state.paging = paging;
        state.session.banner = Some(banner);
        writeln!(screens, "{what}").unwrap();
        for columns in [120, 80, 60, 40, 20] {
            let (buffer, _) = drawn(&state, &colours(), (columns, 24), NOW);
            writeln!(screens, "|{}", line(&buffer, 22)).unwrap();
        }
    }
    insta::assert_snapshot!(screens);
}

#[test]
fn a_suggestion_names_all_forms_that_fit_and_the_first_where_there_is_no_room() {
    let mut state = live(NORMAL);
    state.session.banner = None;
    state.packing.suggestion =
        ["points,time:10=9999999999-s", "points,time:13=1e13-ms"].map(|spec| spec.parse().unwrap()).to_vec();
    let banner = |columns: u16| line(&drawn(&state, &colours(), (columns, 24), NOW).0, 22);
    let wide = banner(160);
    let both = "scores look like points,time:10=9999999999-s or points,time:13=1e13-ms";
    assert!(wide.contains(both) && wide.contains("y copies the option"), "{wide}");
    let narrow = banner(60);
    assert!(narrow.contains("points,time:10=9999999999-s") && !narrow.contains(" or "), "{narrow}");
}

#[test]
fn footers() {
    let mut screens = String::new();
    let mut show = |what: &str, state: &State| {
        writeln!(screens, "{what}").unwrap();
        for columns in [120, 80, 60, 40, 20] {
            let (buffer, _) = drawn(state, &colours(), (columns, 24), NOW);
            writeln!(screens, "|{}", line(&buffer, 23)).unwrap();
        }
    };
    let mut state = live(NORMAL);
    show("tie", &state);
    state.session.shown.as_mut().unwrap().select(0);
    show("alone", &state);
    let member = state.session.shown.as_ref().unwrap().window.entries[5].member.clone();
    state.session.departed = Some(Departed { member: member.clone(), whereabouts: Some(Whereabouts::At(5_700)) });
    show("departed", &state);
    state.session.departed = Some(Departed { member: member.clone(), whereabouts: Some(Whereabouts::Gone) });
    show("gone", &state);
    state.session.departed = Some(Departed { member, whereabouts: None });
    show("not known yet", &state);
    state.session.search = Some(Search { forward: true, reached: 12_000 });
    show("searching", &state);
    state.notice = Some("cannot go to '\u{1b}[2J': type 120, +50, -50, 50% or =980".to_owned());
    show("notice", &state);
    insta::assert_snapshot!(screens);
}

#[test]
fn help_is_the_live_keymap_and_scrolls_to_its_end() {
    let mut state = live(NORMAL);
    let mut all = String::new();
    for offset in [0, 17, 34, u16::MAX] {
        state.overlay = Some(Overlay::Help(offset));
        all += &plain(&state, NORMAL);
    }
    for binding in BINDINGS {
        for key in binding.keys {
            assert!(all.contains(&key.to_string()), "{key}");
        }
        let first = binding.help.split_whitespace().next().unwrap();
        assert!(all.contains(first), "{}", binding.help);
    }
    state.overlay = Some(Overlay::Help(0));
    insta::assert_snapshot!("help_80x24", golden(&state, &colours(), NORMAL));
    state.overlay = Some(Overlay::Help(u16::MAX));
    insta::assert_snapshot!("help_end_80x24", plain(&state, NORMAL));
}

#[test]
fn trace() {
    let exchange = |command: &str, reply: &str| CommandReply { command: command.to_owned(), reply: reply.to_owned() };
    let trip = |exchanges: Vec<CommandReply>, commands, took, sent, got| RoundTrip {
        exchanges,
        commands,
        took: Duration::from_micros(took),
        sent,
        got,
    };
    let mut state = live(WIDE);
    state.clock.set(Duration::ZERO, 1_791_000_000_000);
    state.overlay = Some(Overlay::Trace);
    let window =
        vec![exchange("MULTI", "OK"), exchange("ZCARD lb:{spring}:2026-W41", "12345"), exchange("EXEC", "2 values")];
    let names = vec![exchange("HMGET lb:{spring}:names u:1 u:2 …", "[\"Ada Lovelace\", nothing]")];
    let poll = || trip(vec![exchange("GET lb:{spring}:2026-W41:version", "1284")], 1, 310, 45, 10);
    state
        .trace
        .add(vec![trip(window, 3, 940, 891, 1_204), trip(names, 60, 120_000, 1_312_000, 70)], Duration::from_secs(1));
    state.trace.add(vec![poll(), poll()], Duration::from_millis(1_500));
    insta::assert_snapshot!("trace_120x34", golden(&state, &colours(), WIDE));
    insta::assert_snapshot!("trace_small", plain(&state, (60, 12)));
}

#[test]
fn what_is_missing_is_told_where_somebody_asks() {
    let mut state = live(WIDE);
    state.access = Some(Capabilities { scripts: None, transactions: false, has_meta: false, ..Capabilities::FULL });
    assert!(
        plain(&state, WIDE).contains("no scripts, no transactions: two trips a page"),
        "the header says it in short"
    );
    for overlay in [Overlay::Inspector, Overlay::Help(u16::MAX)] {
        state.overlay = Some(overlay);
        let screen = plain(&state, WIDE);
        assert!(
            screen.contains("no transactions") && screen.contains("no permission to read the meta hash"),
            "{screen}"
        );
    }
}

#[test]
fn inspector() {
    let mut state = live(NORMAL);
    state.overlay = Some(Overlay::Inspector);
    insta::assert_snapshot!("inspector_80x24", golden(&state, &colours(), NORMAL));
    let shown = state.session.shown.as_mut().unwrap();
    shown.select(16);
    shown.window.entries[16].score = states::score(0.1);
    shown.window.entries[16].member = b"two words\xff".as_slice().into();
    insta::assert_snapshot!("inspector_above_80x24", plain(&state, NORMAL));
    let mut ranks = String::new();
    for style in RankStyle::ALL {
        state.style = style;
        state.session.shown.as_mut().unwrap().select(5);
        let screen = plain(&state, NORMAL);
        ranks += screen.lines().find(|line| line.contains(" rank  ")).unwrap();
        ranks += "\n";
    }
    insta::assert_snapshot!("inspector_ranks", ranks);
}

#[test]
fn prompt_shows_the_end_of_what_is_typed_and_the_cursor_after_it() {
    let mut state = live(NORMAL);
    let mut prompt = Prompt::new(PromptKind::GoTo);
    prompt.line.insert("=98");
    state.overlay = Some(Overlay::Prompt(prompt));
    let (buffer, cursor) = drawn(&state, &colours(), NORMAL, NOW);
    assert_eq!(line(&buffer, 23).split("  ").next(), Some(" :=98"));
    assert_eq!(cursor, Some((5, 23)));
    let mut prompt = Prompt::new(PromptKind::Find);
    prompt.line.insert(&("x".repeat(200) + "end庚"));
    state.overlay = Some(Overlay::Prompt(prompt));
    let (buffer, cursor) = drawn(&state, &colours(), (30, 8), NOW);
    let typed = line(&buffer, 7);
    assert!(typed.starts_with(" /…xxx") && typed.ends_with("end庚"), "{typed}");
    assert_eq!(cursor, Some((28, 7)));
    state.overlay = None;
    assert_eq!(drawn(&state, &colours(), NORMAL, NOW).1, None);
}

#[test]
fn ties_go_on_past_both_edges_and_past_what_is_in_sight() {
    let size = (80, 12);
    let mut state = live(size);
    let rows: Vec<(String, f64)> = (0..20).map(|index| (format!("m{:02}", 20 - index), 5.0)).collect();
    let rows: Vec<(&str, f64)> = rows.iter().map(|(member, value)| (member.as_str(), *value)).collect();
    let brackets = |state: &State| -> String {
        let (buffer, _) = drawn(state, &colours(), size, NOW);
        (3..10).map(|y| buffer[(1, y)].symbol().to_owned()).collect()
    };
    let mut shown = Shown::turned_to(window(&rows[..7], 101, (3, 9)), PageAnchor::Position(1), 3, NOW);
    state.session.shown = Some(shown.clone());
    assert_eq!(brackets(&state), "┆│││││┆");
    insta::assert_snapshot!("past_both_edges_80x12", golden(&state, &colours(), size));
    shown.window = window(&rows, 101, (0, 0));
    state.session.shown = Some(shown.clone());
    assert_eq!(brackets(&state), "┌│││││┆", "the page is longer than the table");
    shown.scroll = 6;
    state.session.shown = Some(shown.clone());
    assert_eq!(brackets(&state), "┆│││││┆");
    shown.scroll = 13;
    state.session.shown = Some(shown);
    assert_eq!(brackets(&state), "┆│││││└");
}

#[test]
fn without_colour_selection_ties_and_banner_still_show() {
    let mut state = live((60, 16));
    state.session.banner = Some(moved());
    insta::assert_snapshot!("mono_60x16", golden(&state, &look(Depth::None, Charset::Utf8), (60, 16)));
}

#[test]
fn ascii_screens_have_no_other_character() {
    let look = look(Depth::Ansi16, Charset::Ascii);
    let mut state = live(WIDE);
    state.session.banner = Some(moved());
    state.session.follow = state.session.shown.as_ref().unwrap().selected_entry().map(|entry| entry.member.clone());
    insta::assert_snapshot!("ascii_120x34", golden(&state, &look, WIDE));
    state.distribution.read = Some(distribution::example(24));
    let overlays = [
        None,
        Some(Overlay::Help(0)),
        Some(Overlay::Help(20)),
        Some(Overlay::Inspector),
        Some(Overlay::Distribution),
        Some(Overlay::Trace),
        Some(Overlay::Prompt(Prompt::new(PromptKind::Find).with_text(&"华罗庚".repeat(50)))),
    ];
    for overlay in overlays {
        state.overlay = overlay;
        state.notice = Some("command sent to the terminal's clipboard".to_owned());
        for columns in [20, 40, 80, 120] {
            let screen = text(&drawn(&state, &look, (columns, 34), NOW).0);
            assert!(screen.is_ascii(), "{screen}");
        }
        state.notice = None;
        state.session.search = Some(Search { forward: false, reached: 12_000 });
        let screen = text(&drawn(&state, &look, WIDE, NOW).0);
        assert!(screen.is_ascii(), "{screen}");
    }
    let mut waiting = empty(WIDE);
    assert!(text(&drawn(&waiting, &look, WIDE, NOW).0).is_ascii());
    waiting.link = Link::Up { pushes: true };
    assert!(text(&drawn(&waiting, &look, WIDE, NOW).0).is_ascii());
}
