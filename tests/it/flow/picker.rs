//! Choosing a board: the list over the table, with answers at once, late, scripted and never.

use std::time::Duration;

use ranktop::app::event::{Effect, Event, Link};
use ranktop::app::health::Health;
use ranktop::app::overlay::Overlay;
use ranktop::app::picker::search::Phase;
use ranktop::app::settings::PageSize;
use ranktop::board::entry::Entry;
use ranktop::board::keys::Key;
use ranktop::query::error::StoreError;
use ranktop::query::listing::{Found, KeySummary, Listed};
use ranktop::query::reply::Reply;
use ranktop::query::request::{ListPurpose, Request};

use super::harness::{Flow, Opening, entries, ladder, score, unreachable};

/// A viewer on `b`, with other boards of one row each beside it.
fn beside(others: &[&str]) -> Flow {
    add(Flow::of(10, &ladder(50)), others)
}

/// A viewer without a board, on a server that has these and `b`.
fn without_a_board(others: &[&str]) -> Flow {
    add(Flow::closed(Opening { is_named: false, ..Opening::default() }, &ladder(50)), others)
}

fn add(flow: Flow, others: &[&str]) -> Flow {
    for key in others {
        let board = flow.state.templates.board((*key).into(), flow.state.order.unwrap_or_default());
        flow.home.write(|boards| boards.fill(&board, entries(&[("z", 1.0)])));
    }
    flow
}

fn shown(flow: &Flow) -> Vec<&str> {
    let list = &flow.state.picker.list;
    (0..list.rows()).map(|row| &*list.row(row).unwrap().text).collect()
}

fn selected(flow: &Flow) -> &str {
    flow.state.picker.list.selected().map_or("", |board| &board.text)
}

fn is_open(flow: &Flow) -> bool {
    flow.state.overlay == Some(Overlay::Boards)
}

fn phase(flow: &Flow) -> &Phase {
    flow.state.picker.search.phase()
}

fn type_in(flow: &mut Flow, text: &str) {
    for c in text.chars() {
        flow.press(c.encode_utf8(&mut [0; 4]));
    }
}

/// What is under way of this kind.
fn search_of(flow: &mut Flow) -> u64 {
    let at = flow.listing.iter().position(|effect| matches!(effect, Effect::Send(Request::Search { .. }))).unwrap();
    let Effect::Send(Request::Search { generation, .. }) = flow.listing.remove(at) else { unreachable!() };
    generation
}

fn look_of(flow: &mut Flow) -> (u64, Vec<Key>) {
    let at = flow.listing.iter().position(|effect| matches!(effect, Effect::Send(Request::List { .. }))).unwrap();
    let Effect::Send(Request::List { generation, boards, .. }) = flow.listing.remove(at) else { unreachable!() };
    (generation, boards.into_iter().map(|board| board.key).collect())
}

fn found(generation: u64, keys: &[&str], is_over: bool) -> Event {
    let keys = keys.iter().map(|key| (*key).into()).collect();
    Event::Reply(Reply::Search {
        generation,
        result: Ok(Found { keys, looked_at: 1_000, of: Some(9_000), is_over, incomplete: None }),
    })
}

/// A step of the search ends with these boards.
fn step(flow: &mut Flow, keys: &[&str], is_over: bool) {
    let generation = search_of(flow);
    flow.feed(found(generation, keys, is_over));
}

#[test]
fn a_board_is_opened_in_the_place_of_the_one_that_is_shown() {
    let mut flow = beside(&["other", "third"]);
    flow.press("End");
    flow.press("b");
    assert_eq!((shown(&flow), selected(&flow)), (vec!["b", "other", "third"], "b"));
    flow.press("Down");
    flow.press("Enter");
    assert!(!is_open(&flow));
    assert_eq!((flow.state.key(), flow.rows()), (Some(&"other".into()), vec![Entry::new("z", score(1.0))]));
    flow.set("y", 2.0);
    flow.wait_ms(600);
    assert_eq!(flow.rows().len(), 2, "it is live");
    assert_eq!((flow.searches, flow.health()), (1, Health::Live));
}

#[test]
fn whoever_changes_nothing_finds_the_page_as_it_was() {
    let mut flow = beside(&["other"]);
    flow.press("End");
    for close in ["Esc", "Enter"] {
        flow.press("b");
        flow.press(close);
        assert_eq!((is_open(&flow), flow.at()), (false, 50), "{close}");
    }
    // The board goes on being live below the list.
    flow.press("b");
    flow.set("m050", 1.0);
    flow.wait_ms(600);
    assert_eq!(flow.rows().last(), Some(&Entry::new("m050", score(1.0))));
    assert!(is_open(&flow));
}

#[test]
fn letters_filter_and_escape_clears_before_it_closes() {
    let mut flow = beside(&["quiz", "quit?", "spring"]);
    flow.press("b");
    type_in(&mut flow, "q?");
    assert_eq!((shown(&flow), selected(&flow)), (vec!["quit?"], "quit?"));
    flow.press("Backspace");
    assert_eq!(shown(&flow), ["quit?", "quiz"]);
    flow.press("C-u");
    assert_eq!((shown(&flow).len(), selected(&flow)), (4, "quit?"));
    flow.feed(Event::Paste("SPR\n".to_owned()));
    assert_eq!(flow.state.picker.list.filter().text(), "SPR");
    assert!(shown(&flow).is_empty(), "a capital stands for itself");
    for key in ["Enter", "Down", "PgDn", "End", "Home"] {
        flow.press(key);
        assert!(is_open(&flow), "there is nothing to open");
    }
    flow.press("Esc");
    assert_eq!((is_open(&flow), shown(&flow).len()), (true, 4));
    flow.press("Esc");
    assert!(!is_open(&flow) && !flow.state.has_quit);
    flow.press("b");
    flow.press("C-c");
    assert!(flow.state.has_quit);
}

#[test]
fn rows_and_pages_are_walked_and_end_at_both_ends() {
    let keys: Vec<String> = (10..60).map(|number| format!("k{number}")).collect();
    let mut flow = beside(&keys.iter().map(String::as_str).collect::<Vec<_>>());
    flow.press("b");
    let rows = flow.state.picker.list.in_sight(ranktop::app::picker::Lines::of(&flow.state.geometry).rows.into()).len();
    for (key, wanted) in [
        ("Up", 0),
        ("Down", 1),
        ("PgDn", 1 + rows),
        ("End", 50),
        ("PgDn", 50),
        ("Up", 49),
        ("PgUp", 49 - rows),
        ("Home", 0),
    ] {
        flow.press(key);
        assert_eq!(flow.state.picker.list.selected_row(), wanted, "{key}");
    }
}

#[test]
fn one_step_is_under_way_and_pages_are_read_between() {
    let mut flow = beside(&[]);
    flow.is_list_slow = true;
    flow.press("b");
    flow.set("m001", 1.0);
    flow.wait_ms(600);
    flow.press("Space");
    assert_eq!(flow.searches, 1);
    let reads = flow.reads;
    step(&mut flow, &["x"], false);
    assert_eq!((flow.searches, shown(&flow)), (2, vec!["b", "x"]));
    flow.feed(Event::Pushed);
    flow.wait_ms(1_500);
    assert!(flow.reads > reads, "the page is read while the search goes on");
    step(&mut flow, &[], false);
    step(&mut flow, &["a"], true);
    assert_eq!((flow.searches, shown(&flow), selected(&flow)), (3, vec!["a", "b", "x"], "b"));
    assert_eq!((phase(&flow), flow.state.picker.search.progress()), (&Phase::Over, (1_000, Some(9_000))));
    flow.wait(Duration::from_secs(20));
    assert_eq!(flow.searches, 3);
}

#[test]
fn closing_ends_the_search_and_opening_begins_anew_over_the_old_list() {
    let mut flow = beside(&[]);
    flow.is_list_slow = true;
    flow.press("b");
    step(&mut flow, &["old", "x"], false);
    flow.press("Esc");
    let late = search_of(&mut flow);
    flow.wait_ms(3_000);
    flow.press("b");
    // The server has not answered yet: no second step beside the first.
    assert_eq!((flow.searches, shown(&flow)), (2, vec!["b", "old", "x"]));
    flow.feed(found(late, &["late"], false));
    assert_eq!(shown(&flow), ["b", "old", "x"], "an answer to a search that was left");
    let Some(Effect::Send(Request::Search { is_new: true, .. })) = flow.listing.last() else {
        panic!("{:?}", flow.listing)
    };
    flow.feed(found(late, &["late"], true));
    step(&mut flow, &["new", "x"], false);
    assert_eq!(shown(&flow), ["b", "new", "old", "x"], "the old list stays until the search is over");
    step(&mut flow, &[], true);
    assert_eq!(shown(&flow), ["b", "new", "x"], "what is watched stays, found or not");
}

#[test]
fn the_selection_stays_with_its_board_and_line_while_the_list_grows() {
    let mut flow = without_a_board(&[]);
    flow.is_list_slow = true;
    flow.link(Link::Up { pushes: false });
    step(&mut flow, &["m", "p", "n"], false);
    flow.press("Down");
    assert_eq!(selected(&flow), "n");
    let lines = usize::from(ranktop::app::picker::Lines::of(&flow.state.geometry).rows);
    let line = |flow: &Flow| {
        let list = &flow.state.picker.list;
        list.selected_row() - list.in_sight(lines).start
    };
    let below: Vec<String> = (0..30).map(|number| format!("q{number}")).collect();
    step(&mut flow, &below.iter().map(String::as_str).collect::<Vec<_>>(), false);
    assert_eq!((selected(&flow), line(&flow)), ("n", 1));
    let above: Vec<String> = (0..30).map(|number| format!("a{number}")).collect();
    step(&mut flow, &above.iter().map(String::as_str).collect::<Vec<_>>(), false);
    assert_eq!((selected(&flow), line(&flow)), ("n", 1));
    type_in(&mut flow, "q1");
    assert_eq!(selected(&flow), "q1", "the best answer");
    step(&mut flow, &["q1a"], false);
    assert_eq!(selected(&flow), "q1");
    // The next one comes to the row of one that has vanished.
    flow.press("C-u");
    step(&mut flow, &[], true);
    flow.press("Esc");
    step(&mut flow, &["m", "p"], true);
    assert_eq!((shown(&flow), selected(&flow)), (vec!["m", "p"], "p"));
}

#[test]
fn a_lost_connection_begins_the_search_again_and_the_list_stays() {
    let mut flow = beside(&[]);
    flow.is_list_slow = true;
    flow.press("b");
    step(&mut flow, &["x"], false);
    let generation = search_of(&mut flow);
    flow.feed(Event::Reply(Reply::Search { generation, result: Err(unreachable()) }));
    flow.cut();
    assert_eq!((phase(&flow), shown(&flow)), (&Phase::Due, vec!["b", "x"]));
    flow.wait_ms(10_000);
    assert_eq!(flow.searches, 2, "nothing is asked without a connection");
    flow.link(Link::Up { pushes: false });
    let Some(Effect::Send(Request::Search { is_new: true, .. })) =
        flow.listing.iter().find(|effect| matches!(effect, Effect::Send(Request::Search { .. })))
    else {
        panic!("{:?}", flow.listing)
    };
    step(&mut flow, &["x", "y"], true);
    assert_eq!(shown(&flow), ["b", "x", "y"]);
}

#[test]
fn a_server_that_is_slow_or_not_ready_is_asked_again() {
    for trouble in [StoreError::Timeout(Duration::from_secs(1)), StoreError::NotReady("LOADING".to_owned())] {
        let mut flow = without_a_board(&[]);
        flow.trouble = Some(trouble.clone());
        flow.link(Link::Up { pushes: false });
        let Phase::Failed { reason, .. } = phase(&flow) else { panic!("{:?}", phase(&flow)) };
        assert_eq!(*reason, trouble);
        flow.wait_ms(9_000);
        assert!((3..=6).contains(&flow.searches), "{} searches", flow.searches);
        flow.trouble = None;
        flow.wait_ms(3_000);
        assert_eq!((phase(&flow), shown(&flow)), (&Phase::Over, vec!["b"]));
    }
}

#[test]
fn without_a_board_the_list_stays_and_nothing_else_is_asked() {
    let mut flow = without_a_board(&["other"]);
    assert!(is_open(&flow));
    flow.press("Enter");
    flow.link(Link::Up { pushes: true });
    assert_eq!((shown(&flow), selected(&flow), flow.health()), (vec!["b", "other"], "b", Health::Choosing));
    flow.feed(Event::Pushed);
    flow.resize(20);
    flow.wait_ms(3_000);
    assert_eq!((flow.reads, flow.polls, flow.searches), (0, 0, 1));
    flow.press("Esc");
    assert!(is_open(&flow) && !flow.state.has_quit);
    assert_eq!(flow.searches, 2, "it is searched again");
    flow.cut();
    flow.press("Esc");
    assert_eq!(flow.others, [Effect::Retry]);
    flow.link(Link::Up { pushes: false });
    flow.press("Down");
    flow.press("Enter");
    assert_eq!((is_open(&flow), flow.state.key()), (false, Some(&"other".into())));
    assert_eq!((flow.health(), flow.at(), flow.rows().len()), (Health::Live, 1, 1));
}

#[test]
fn where_the_search_is_refused_a_key_can_be_typed() {
    let mut flow = without_a_board(&["other"]);
    flow.trouble = Some(StoreError::NoPermission { command: "SCAN".to_owned(), key: "*".into() });
    flow.link(Link::Up { pushes: false });
    flow.wait(Duration::from_secs(60));
    assert_eq!(flow.searches, 1, "asking again cannot help");
    flow.press("Enter");
    assert!(is_open(&flow), "nothing was typed");
    flow.trouble = None;
    flow.type_in("other");
    assert_eq!((is_open(&flow), flow.state.key(), flow.rows().len()), (false, Some(&"other".into()), 1));
}

#[test]
fn boards_are_looked_at_in_batches_those_in_sight_first() {
    let mut flow = Flow::open(Opening { table: 90, page_size: PageSize::Rows(5), ..Opening::default() }, &ladder(50));
    flow.is_list_slow = true;
    flow.press("b");
    let keys: Vec<String> = (1_000..1_500).map(|number| format!("k{number}")).collect();
    step(&mut flow, &keys.iter().map(String::as_str).collect::<Vec<_>>(), true);
    let (generation, asked) = look_of(&mut flow);
    assert_eq!(asked, ["b".into()]);
    assert!(flow.listing.is_empty(), "the first question is not answered yet");
    let answer = |flow: &mut Flow, generation, count| {
        flow.feed(Event::Reply(Reply::List {
            purpose: ListPurpose::Picker,
            generation,
            result: Ok(vec![KeySummary::Nothing; count]),
        }));
        flow.listing.pop().map(|effect| {
            let Effect::Send(Request::List { generation, boards, .. }) = effect else { panic!("{effect:?}") };
            (generation, boards.into_iter().map(|board| board.key).collect::<Vec<_>>())
        })
    };
    let wanted =
        |range: std::ops::Range<usize>| keys[range].iter().map(|key| Key::from(key.as_str())).collect::<Vec<_>>();
    // Late answers to what nobody asked change nothing.
    assert_eq!(answer(&mut flow, generation + 7, 1), None);
    assert_eq!(answer(&mut flow, generation - 1, 1), None);
    let (generation, asked) = answer(&mut flow, generation, 1).unwrap();
    assert_eq!(asked, wanted(0..100));
    let lines = usize::from(ranktop::app::picker::Lines::of(&flow.state.geometry).rows);
    let (generation, asked) = answer(&mut flow, generation, 100).unwrap();
    assert_eq!(asked, wanted(100..2 * lines - 1), "a screen ahead");
    assert_eq!(answer(&mut flow, generation, asked.len()), None, "and no further");
    flow.press("End");
    let Some(Effect::Send(Request::List { boards, .. })) = flow.listing.pop() else { panic!() };
    assert_eq!(boards[0].key, keys[500 - lines].as_str().into(), "what is in sight comes first");
}

#[test]
fn what_is_known_of_boards_in_sight_is_looked_at_again() {
    let mut flow = beside(&["other", "spare"]);
    flow.press("b");
    let looks = flow.looks;
    let sight = |flow: &Flow, row| flow.state.picker.list.row(row).unwrap().sight.clone();
    let total = |flow: &Flow| match sight(flow, 1) {
        Some(KeySummary::Board(Listed { total, .. })) => total,
        other => panic!("{other:?}"),
    };
    assert_eq!(total(&flow), Some(1));
    let other = flow.state.templates.board("other".into(), flow.board().order);
    flow.home.write(|boards| boards.fill(&other, entries(&[("y", 1.0)])));
    let spare = flow.state.templates.board("spare".into(), flow.board().order);
    flow.home.write(|boards| boards.delete(&spare));
    flow.drawn();
    flow.wait_ms(5_100);
    assert_eq!((total(&flow), sight(&flow, 2), flow.looks), (Some(2), Some(KeySummary::Nothing), looks + 1));
    assert!(flow.drawn());
    flow.write(|_, _| {});
    flow.state.session.is_held = true;
    flow.wait_ms(5_100);
    flow.press("Esc");
    let looks = flow.looks;
    flow.wait_ms(20_000);
    assert_eq!(flow.looks, looks, "only while it is open");
}
