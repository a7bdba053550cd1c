//! Neighbouring periods: one step at a time, and by the list of those that are there.

use ranktop::query::request::ListPurpose;
use std::time::Duration;

use ranktop::app::event::{Event, Link};
use ranktop::app::overlay::Overlay;
use ranktop::app::periods::list::There;
use ranktop::app::periods::{LIMIT, STRETCH};
use ranktop::board::keys::Key;
use ranktop::query::listing::{KeySummary, Listed};
use ranktop::query::reply::Reply;

use super::harness::{Flow, Opening, entries, ladder, unreachable};

/// Sunday, 2026-10-11 22:00 UTC, two hours before the end of 2026-W41.
const SUNDAY: i64 = 1_791_756_000_000;

/// A viewer on this board, where the clock shows that Sunday evening, and boards of one row at these keys.
fn on(key: &'static str, others: &[&str]) -> Flow {
    let mut flow = Flow::closed(Opening { key, ..Opening::default() }, &ladder(50));
    for other in others {
        put(&flow, other);
    }
    flow.feed(Event::Clock(SUNDAY));
    flow.link(Link::Up { pushes: false });
    flow
}

fn put(flow: &Flow, key: &str) {
    let board = flow.state.templates.board(key.into(), flow.board().order);
    flow.home.write(|boards| {
        boards.fill(&board, entries(&[("z", 1.0)]));
        boards.increment_version(&board);
    });
}

fn key(flow: &Flow) -> String {
    String::from_utf8(flow.state.key().unwrap().as_ref().to_vec()).unwrap()
}

/// The list: period and what there is of it, the selected one in brackets.
fn list(flow: &Flow) -> Vec<String> {
    let Some(Overlay::Periods(list)) = &flow.state.overlay else { panic!("there is no list") };
    let row = |(index, row): (usize, &ranktop::app::periods::list::Row)| {
        let there = match &row.there {
            There::Board(listed) => listed.total.map_or_else(|| "?".to_owned(), |total| total.to_string()),
            There::NoSortedSet => "no set".to_owned(),
            There::Nothing => "-".to_owned(),
        };
        let text = format!("{} {there}", row.period);
        if index == list.selected { format!("[{text}]") } else { text }
    };
    list.rows.iter().enumerate().map(row).collect()
}

#[test]
fn a_step_goes_to_the_nearest_that_is_there() {
    let mut flow = on("lb:{g}:2026-W41", &["lb:{g}:2026-W40", "lb:{g}:2026-W37"]);
    for (press, at, notice, looks) in [
        ("[", "lb:{g}:2026-W40", "", 1),
        ("[", "lb:{g}:2026-W37", "skipped 2 periods without a readable board", 1),
        ("[", "lb:{g}:2026-W37", "no earlier period has a board (1200 periods checked)", LIMIT / STRETCH),
        ("]", "lb:{g}:2026-W40", "skipped 2 periods without a readable board", 1),
        ("]", "lb:{g}:2026-W41", "", 1),
        ("]", "lb:{g}:2026-W41", "this is the current period; there is no later board", 1),
    ] {
        let lists = flow.lists;
        flow.press(press);
        assert_eq!((key(&flow).as_str(), flow.notice()), (at, notice));
        assert_eq!(flow.lists - lists, looks, "{press} to {at}");
        assert!(!flow.rows().is_empty(), "{at}");
    }
    // One row of another type is in the way, and a board that was made ready stands ahead.
    flow.home.write(|boards| {
        let strange = flow.state.templates.board("lb:{g}:2026-W42".into(), flow.board().order);
        boards.set_version(&ranktop::board::keys::Board { version_key: strange.key.clone(), ..strange }, Some(b"1"));
    });
    put(&flow, "lb:{g}:2026-W43");
    flow.press("]");
    assert_eq!((key(&flow).as_str(), flow.notice()), ("lb:{g}:2026-W43", "skipped 1 period without a readable board"));
}

#[test]
fn from_an_old_board_the_current_one_is_gone_to_even_where_it_is_not_there_yet() {
    let mut flow = on("x:y:2026-10-07", &[]);
    flow.press("]");
    assert_eq!((key(&flow).as_str(), flow.state.session.is_missing), ("x:y:2026-10-11", true));
    put(&flow, "x:y:2026-10-11");
    flow.wait_ms(600);
    assert_eq!((flow.rows().len(), flow.state.session.is_missing), (1, false), "it is awaited");
}

#[test]
fn nothing_is_skipped_where_the_calendar_is_odd() {
    // A year of 53 weeks, a leap day, the end of a year; and periods that no key can say.
    for (from, press, to) in [
        ("x:2020-W53", "]", "x:2021-W01"),
        ("x:2021-W01", "[", "x:2020-W53"),
        ("x:2024-03-01", "[", "x:2024-02-29"),
        ("x:2025-12", "]", "x:2026-01"),
    ] {
        let mut flow = on(from, &[to]);
        flow.press(press);
        assert_eq!((key(&flow).as_str(), flow.notice()), (to, ""));
    }
    let mut flow = on("x:0000-01", &[]);
    flow.press("[");
    assert_eq!(flow.notice(), "no earlier period has a board (0 periods checked)");
    let mut flow = on("x:9999-12", &[]);
    flow.press("]");
    assert_eq!(flow.notice(), "no later period has a board (0 periods checked)");
}

#[test]
fn a_board_without_a_period_says_so() {
    let mut flow = on("lb:{g}", &[]);
    for press in ["[", "]", "p"] {
        flow.press(press);
        assert!(flow.notice().starts_with("this board has no period"), "{}", flow.notice());
        assert_eq!((flow.lists, flow.state.overlay.clone()), (0, None));
    }
}

#[test]
fn a_frozen_copy_browses_its_board() {
    let mut flow = on("lb:{g}:2026-W40:frozen:7", &["lb:{g}:2026-W40", "lb:{g}:2026-W39"]);
    flow.press("p");
    assert_eq!(list(&flow), ["2026-W41 -", "[2026-W40 1]", "2026-W39 1"]);
    flow.press("Enter");
    assert_eq!(key(&flow), "lb:{g}:2026-W40", "its own board is another one");
    let mut flow = on("lb:{g}:2026-W40:frozen:7", &["lb:{g}:2026-W40", "lb:{g}:2026-W39"]);
    flow.press("[");
    assert_eq!(key(&flow), "lb:{g}:2026-W39");
}

#[test]
fn a_step_that_is_not_answered_holds_nothing_up() {
    let mut flow = on("lb:{g}:2026-W41", &["lb:{g}:2026-W40"]);
    flow.is_list_slow = true;
    for _ in 0..9 {
        flow.press("[");
    }
    assert_eq!(flow.lists, 1, "pressing on does not ask again");
    flow.press("Down");
    assert_eq!((flow.at(), flow.state.periods.step()), (2, None), "another key gives it up");
    flow.deliver_list();
    assert_eq!(key(&flow), "lb:{g}:2026-W41", "and its answer comes too late");
    flow.press("[");
    flow.deliver_list();
    assert_eq!(key(&flow), "lb:{g}:2026-W40");
}

#[test]
fn keys_pressed_at_a_silent_server_do_not_pile_up() {
    let mut flow = on("lb:{g}:2026-W41", &["lb:{g}:2026-W40"]);
    flow.is_list_slow = true;
    for _ in 0..20 {
        for press in ["[", "]", "p", "Down", "End", "Esc"] {
            flow.press(press);
        }
    }
    assert_eq!(flow.lists, 1);
    flow.press("p");
    flow.deliver_list();
    assert_eq!(list(&flow), Vec::<String>::new(), "that was of a list long closed");
    assert_eq!(flow.lists, 2);
    flow.deliver_list();
    assert_eq!(list(&flow)[..2], ["[2026-W41 50]", "2026-W40 1"]);
}

#[test]
fn late_answers_of_another_board_are_dropped() {
    let mut flow = on("lb:{g}:2026-W41", &["lb:{g}:2026-W40"]);
    flow.is_list_slow = true;
    flow.press("[");
    flow.state.open("other:2026-W41".into());
    flow.deliver_list();
    assert_eq!(key(&flow), "other:2026-W41");
    // Nor is there anything to learn from answers that were never asked for.
    let sight = KeySummary::Board(Listed { key: "x".into(), total: Some(1), version: None, state: None, ttl: None });
    for generation in [0, 1, 1 << 63, u64::MAX] {
        flow.feed(Event::Reply(Reply::List {
            purpose: ListPurpose::Periods,
            generation,
            result: Ok(vec![sight.clone()]),
        }));
    }
    assert_eq!(key(&flow), "other:2026-W41");
}

#[test]
fn without_a_connection_a_step_says_so_and_the_list_waits_for_one() {
    let mut flow = on("lb:{g}:2026-W41", &["lb:{g}:2026-W40"]);
    flow.cut();
    flow.press("[");
    assert_eq!((flow.notice(), flow.lists), ("not connected: cannot look for other periods", 0));
    flow.press("p");
    assert_eq!((list(&flow).len(), flow.lists), (0, 0));
    flow.link(Link::Up { pushes: false });
    assert_eq!(list(&flow), ["[2026-W41 50]", "2026-W40 1"]);
}

#[test]
fn trouble_ends_a_step_and_is_tried_again_in_the_list() {
    let mut flow = on("lb:{g}:2026-W41", &["lb:{g}:2026-W40"]);
    flow.trouble = Some(unreachable());
    flow.press("[");
    assert!(flow.notice().starts_with("cannot look for other periods: cannot connect"), "{}", flow.notice());
    flow.press("p");
    let lists = flow.lists;
    flow.wait(Duration::from_secs(60));
    assert_eq!(flow.lists, lists, "nothing is asked over and over");
    flow.trouble = None;
    flow.cut();
    flow.link(Link::Up { pushes: false });
    assert_eq!(list(&flow), ["[2026-W41 50]", "2026-W40 1"]);
}

#[test]
fn the_list_grows_as_it_is_scrolled_and_ends() {
    let weeks: Vec<String> = (1..=53).map(|week| format!("x:2020-W{week:02}")).collect();
    let weeks: Vec<&str> = weeks.iter().map(String::as_str).collect();
    let mut flow = on("x:2026-W41", &weeks);
    flow.press("p");
    assert_eq!((list(&flow), flow.lists), (vec!["[2026-W41 50]".to_owned()], 2), "until a stretch brings nothing");
    let mut presses = 0;
    while list(&flow).len() == 1 {
        flow.press("Down");
        presses += 1;
        assert!(presses < 20);
    }
    // The weeks of 2020 come with two or three stretches, which follow each other.
    assert!((50..=54).contains(&list(&flow).len()), "{:?}", list(&flow));
    flow.press("End");
    assert_eq!(list(&flow).last().unwrap(), "[2020-W01 1]");
    for _ in 0..40 {
        flow.press("PgDn");
    }
    let Some(Overlay::Periods(found)) = &flow.state.overlay else { panic!() };
    assert_eq!((found.looked, found.older, flow.lists), (LIMIT, None, LIMIT / STRETCH));
    flow.press("Home");
    assert_eq!(list(&flow)[0], "[2026-W41 50]");
    flow.press("PgDn");
    flow.press("Up");
    flow.press("PgUp");
    flow.press("Down");
    flow.press("Enter");
    assert_eq!((key(&flow).as_str(), flow.at(), flow.state.overlay.clone()), ("x:2020-W53", 1, None));
}

#[test]
fn an_old_board_is_searched_for_and_selected() {
    let mut flow = on("x:2021-W20", &[]);
    flow.press("p");
    assert_eq!(list(&flow), ["2026-W41 -", "[2021-W20 50]"]);
    flow.press("Esc");
    assert_eq!((key(&flow).as_str(), flow.state.overlay.clone()), ("x:2021-W20", None));
    flow.press("p");
    flow.press("Up");
    flow.press("Enter");
    assert_eq!(
        (key(&flow).as_str(), flow.state.session.is_missing),
        ("x:2026-W41", true),
        "the current one is awaited"
    );
}

#[test]
fn the_board_itself_is_only_gone_back_to() {
    let mut flow = on("x:2026-W41", &[]);
    flow.press("Down");
    flow.press("p");
    flow.press("Enter");
    assert_eq!((flow.at(), flow.state.overlay.clone()), (2, None));
    flow.press("p");
    flow.press("p");
    assert_eq!(flow.state.overlay, None);
    flow.press("p");
    flow.press("q");
    assert_eq!((flow.state.overlay.clone(), flow.state.has_quit), (None, false));
}

#[test]
fn what_cannot_be_opened_says_why() {
    let mut flow = on("x:2026-W41", &[]);
    flow.is_list_slow = true;
    flow.press("p");
    let (generation, boards) = flow.list.take().unwrap();
    let sight = |key: &Key| match key.as_ref() {
        b"x:2026-W43" => {
            KeySummary::Board(Listed { key: key.clone(), total: None, version: None, state: None, ttl: None })
        }
        b"x:2026-W42" => KeySummary::NoSortedSet,
        _ => KeySummary::Nothing,
    };
    let sights = boards.iter().map(|board| sight(&board.key)).collect();
    flow.feed(Event::Reply(Reply::List { purpose: ListPurpose::Periods, generation, result: Ok(sights) }));
    assert_eq!(list(&flow), ["2026-W43 ?", "2026-W42 no set", "[2026-W41 -]"]);
    flow.press("Up");
    flow.press("Enter");
    assert_eq!(flow.notice(), "cannot open 2026-W42: not a sorted set");
    flow.press("Up");
    assert_eq!(flow.notice(), "");
    flow.press("Enter");
    assert_eq!(flow.notice(), "cannot open 2026-W43: no permission to read it");
    assert_eq!(key(&flow), "x:2026-W41");
}

#[test]
fn the_list_stays_in_sight_on_any_screen() {
    let days: Vec<String> = (1..=31).map(|day| format!("x:2026-08-{day:02}")).collect();
    let days: Vec<&str> = days.iter().map(String::as_str).collect();
    let mut flow = on("x:2026-08-31", &days);
    flow.press("p");
    for rows in [1, 20, 3, 0, 9] {
        flow.resize(rows);
        for press in ["End", "Up", "PgUp", "Home", "PgDn", "Down"] {
            flow.press(press);
            let Some(Overlay::Periods(list)) = &flow.state.overlay else { panic!() };
            let sight = ranktop::app::periods::list::rows_in_sight(&flow.state.geometry).max(1);
            assert!((list.scroll..list.scroll + sight).contains(&list.selected), "{rows} {press}");
        }
    }
}
