//! Steps of the selection and of the page: rows, edges, pages that are longer than the table.

use ranktop::app::settings::PageSize;

use super::harness::{Flow, Opening, ladder};

#[test]
fn rows_step_and_walk_over_the_edges() {
    let mut flow = Flow::of(10, &ladder(25));
    for at in 2..=10 {
        flow.press("j");
        assert_eq!(flow.at(), at);
    }
    assert_eq!(flow.reads, 1, "inside the page nothing is read");
    flow.press("Down");
    assert_eq!((flow.first(), flow.at()), (11, 11));
    flow.press("Up");
    assert_eq!((flow.first(), flow.at()), (1, 10));
    flow.press("k");
    assert_eq!(flow.at(), 9);
}

#[test]
fn pages_turn_and_keep_the_line() {
    let mut flow = Flow::of(10, &ladder(25));
    flow.press("j");
    flow.press("PgDn");
    assert_eq!((flow.first(), flow.at()), (11, 12));
    flow.press("C-f");
    assert_eq!((flow.first(), flow.at(), flow.rows().len()), (21, 22, 5));
    flow.press("PgDn");
    assert_eq!((flow.at(), flow.notice()), (25, "this is the last page"));
    flow.press("C-b");
    assert_eq!((flow.first(), flow.notice()), (11, ""));
    flow.press("PgUp");
    flow.press("PgUp");
    assert_eq!((flow.first(), flow.at(), flow.notice()), (1, 1, "this is the first page"));
}

#[test]
fn a_first_page_that_is_filled_goes_on_where_the_walk_was() {
    let mut flow = Flow::of(10, &ladder(40));
    flow.press(":");
    flow.type_in("9");
    assert_eq!((flow.first(), flow.at()), (6, 9));
    for at in [8, 7, 6, 5, 4] {
        flow.press("k");
        assert_eq!(flow.at(), at, "row by row");
    }
    assert_eq!((flow.first(), flow.rows().len()), (1, 10));
}

#[test]
fn home_and_end() {
    let mut flow = Flow::of(10, &ladder(25));
    flow.press("G");
    assert_eq!((flow.first(), flow.at()), (16, 25));
    flow.press("g");
    assert_eq!((flow.first(), flow.at()), (1, 1));
    let mut flow = Flow::of(10, &ladder(5));
    flow.press("End");
    assert_eq!((flow.first(), flow.at()), (1, 5), "a board of one page has a last row too");
    flow.press("Home");
    assert_eq!(flow.at(), 1);
}

#[test]
fn an_edge_without_a_change_draws_nothing() {
    let mut flow = Flow::of(10, &ladder(5));
    for key in ["j", "PgDn", "k", "PgUp"] {
        flow.press(if key == "j" || key == "PgDn" { "End" } else { "Home" });
        flow.press(key);
        assert!(flow.drawn() && flow.notice().contains("page"), "{key}");
        let reads = flow.reads;
        flow.press(key);
        assert!(!flow.drawn(), "{key} again");
        assert_eq!(flow.reads, reads);
    }
    flow.press("x");
    assert!(flow.drawn(), "the notice goes with the next key");
    flow.press("x");
    assert!(!flow.drawn(), "a key that does nothing");
}

#[test]
fn a_page_longer_than_the_table_scrolls_inside() {
    let opening = || Opening { page_size: PageSize::Rows(35), table: 10, ..Opening::default() };
    let mut flow = Flow::open(opening(), &ladder(100));
    let mut lines = Vec::new();
    for _ in 0..99 {
        lines.push(flow.at());
        assert!(flow.is_in_sight());
        flow.press("j");
    }
    assert_eq!(lines, (1..=99).collect::<Vec<_>>());
    assert_eq!(flow.reads, 3, "a page each");

    // By screenfuls, everybody is in sight once, down and up.
    let sight = |flow: &Flow| {
        let shown = flow.state.session.shown.as_ref().unwrap();
        let first = shown.window.position(shown.scroll);
        assert!(flow.is_in_sight());
        first..=(first + 9).min(shown.window.end())
    };
    let mut flow = Flow::open(opening(), &ladder(100));
    for key in ["PgDn", "PgUp"] {
        let mut seen: Vec<u64> = sight(&flow).collect();
        for _ in 0..30 {
            flow.press(key);
            seen.extend(sight(&flow));
        }
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, (1..=100).collect::<Vec<_>>(), "{key}");
    }
}

#[test]
fn the_selection_stays_in_sight_when_its_member_moves() {
    let mut flow = Flow::open(Opening { page_size: PageSize::Rows(40), table: 10, ..Opening::default() }, &ladder(100));
    flow.press("PgDn");
    flow.press("PgDn");
    flow.press("j");
    assert_eq!((flow.at(), flow.is_in_sight()), (22, true));
    flow.set("m022", 99_999.0);
    flow.wait_ms(600);
    assert_eq!((flow.at(), flow.selected().as_str(), flow.is_in_sight()), (1, "m022", true));
    flow.press("PgUp");
    flow.press("PgDn");
    flow.resize(4);
    assert!(flow.is_in_sight());
}

#[test]
fn places_that_are_typed() {
    let mut flow = Flow::of(10, &ladder(200));
    for (place, at) in [
        ("120", 120),
        ("+30", 150),
        ("-50", 100),
        ("50%", 100),
        ("0%", 1),
        ("=8000", 200),
        ("=9000", 100),
        ("9999", 200),
    ] {
        flow.press(":");
        flow.type_in(place);
        assert_eq!((flow.at(), flow.notice()), (at, ""), "{place}");
    }
    flow.press(":");
    flow.type_in("abc");
    assert!(flow.notice().contains("cannot go to 'abc'"));
    flow.press("/");
    flow.type_in("m077");
    assert_eq!(flow.selected(), "m077");
    flow.press("/");
    flow.type_in("nobody");
    assert_eq!((flow.selected().as_str(), flow.notice().contains("nothing on this board matches")), ("m077", true));
}
