//! One read in flight and at most one waits: storms of keys, late answers, sizes, troubles, lost connections.

use std::time::Duration;

use ranktop::app::event::{Effect, Event, Link};
use ranktop::app::health::Health;
use ranktop::app::polling::schedule::WatchMode;
use ranktop::app::settings::PageSize;
use ranktop::query::error::StoreError;
use ranktop::query::page::{PageRequest, PageStart};
use ranktop::query::reply::Reply;

use super::harness::{Flow, Opening, ladder, lines, unreachable};

fn slow(table: u16, count: u32) -> Flow {
    let mut flow = Flow::of(table, &ladder(count));
    flow.is_slow = true;
    flow
}

#[test]
fn a_storm_of_keys_is_one_more_read() {
    for key in ["PgDn", "End", "Right", "}", "r", "/"] {
        let mut flow = slow(10, 200);
        flow.press("PgDn");
        for _ in 0..50 {
            flow.press("PgDn");
            flow.press(key);
            flow.press("Esc");
        }
        let reads = flow.reads;
        while !flow.under_way.is_empty() {
            flow.deliver();
        }
        assert!(flow.reads <= reads + 1, "{key}: {}", flow.reads - reads);
    }
}

#[test]
fn a_second_turn_goes_on_from_the_page_of_the_first() {
    let mut flow = slow(10, 200);
    flow.press("PgDn");
    flow.press("PgDn");
    flow.deliver();
    assert_eq!(flow.first(), 11);
    flow.deliver();
    assert_eq!(flow.first(), 21);
}

#[test]
fn quick_g_after_page_down_drops_the_old_answer() {
    let mut flow = slow(10, 200);
    flow.press("PgDn");
    flow.press("g");
    flow.deliver();
    assert_eq!((flow.first(), flow.under_way.len()), (1, 1), "the old page is never shown");
    flow.deliver();
    assert_eq!((flow.first(), flow.at()), (1, 1));
}

#[test]
fn a_turn_goes_on_from_the_page_that_the_reader_saw() {
    let mut flow = slow(10, 50);
    flow.write(|boards, board| (1..=5).for_each(|at| boards.remove(board, &format!("m{at:03}").as_str().into())));
    flow.wait_ms(600);
    assert_eq!(flow.under_way.len(), 1, "a refresh");
    flow.press("PgDn");
    flow.deliver();
    flow.deliver();
    assert_eq!(flow.rows()[0].member, "m011".into(), "m011 to m015 would have flashed by");
    assert_eq!(flow.moved(), Some((10, 5)));
}

#[test]
fn a_turn_waits_for_a_baseline_that_was_asked_for() {
    let mut flow = slow(10, 50);
    flow.is_slow = false;
    flow.press("Space");
    flow.set("x", 99_999.0);
    flow.is_slow = true;
    flow.press("r");
    flow.press("PgDn");
    flow.deliver();
    flow.deliver();
    assert_eq!((flow.rows()[0].member.clone(), flow.state.session.banner.clone()), ("m010".into(), None));
}

#[test]
fn an_answer_that_has_no_question_is_passed_over() {
    let mut flow = slow(10, 50);
    flow.press("PgDn");
    let stale = flow.under_way[0].generation - 1;
    let result = Err(unreachable());
    flow.feed(Event::Reply(Reply::Page { generation: stale, result, took: Duration::ZERO }));
    assert_eq!((flow.under_way.len(), flow.state.session.trouble.clone()), (1, None));
    flow.deliver();
    assert_eq!(flow.first(), 11);
}

#[test]
fn an_answer_that_never_comes_holds_up_no_key() {
    let mut flow = slow(10, 50);
    flow.press("PgDn");
    flow.wait_ms(60_000);
    assert_eq!((flow.under_way.len(), flow.polls), (1, 0));
    flow.press("j");
    assert_eq!(flow.at(), 1, "it is for the page that is under way");
    flow.wait_ms(5_100);
    assert_eq!(flow.notice(), "no answer for 5 s: 1 key press was dropped");
    flow.press("?");
    flow.press("C-c");
    assert!(flow.state.has_quit);
}

#[test]
fn the_question_of_a_turn_and_of_a_landing() {
    let mut flow = slow(9, 50);
    flow.press("PgDn");
    let last = flow.rows()[8].clone();
    let PageRequest { whence, size, anchor, .. } = flow.under_way[0].ask.clone();
    assert_eq!((whence, size), (PageStart::After(last.clone()), 9));
    assert_eq!(anchor.map(|anchor| (anchor.place, anchor.inclusive)), Some((last, true)));
    flow.deliver();
    flow.press(":");
    flow.type_in("30");
    let PageRequest { whence, lead, anchor, .. } = flow.under_way[0].ask.clone();
    assert_eq!((whence, lead), (PageStart::Row(30), 3));
    assert_eq!(anchor, None, "the edge of a page that is left for good is not counted");
}

#[test]
fn a_storm_of_sizes_is_one_read_after_it_settles() {
    let mut flow = Flow::of(10, &ladder(200));
    for step in 0..40 {
        flow.resize(11 + step % 7);
        flow.wait_ms(20);
    }
    assert_eq!(flow.reads, 1);
    flow.wait_ms(40);
    assert_eq!((flow.reads, flow.rows().len()), (2, 15));
    flow.wait_ms(400);
    assert_eq!(flow.reads, 2);
}

#[test]
fn a_page_of_so_many_rows_is_not_read_for_a_size() {
    let mut flow = Flow::open(Opening { page_size: PageSize::Rows(30), ..Opening::default() }, &ladder(200));
    flow.resize(25);
    flow.wait_ms(300);
    assert_eq!(flow.reads, 1);
}

#[test]
fn a_screen_without_a_table_keeps_its_page() {
    let mut flow = Flow::of(10, &ladder(200));
    flow.press("End");
    let rows = flow.rows();
    flow.feed(Event::Resized { columns: 0, lines: 0 });
    flow.wait_ms(400);
    flow.feed(Event::Resized { columns: 80, lines: lines(10) });
    flow.wait_ms(400);
    assert_eq!((flow.rows(), flow.at()), (rows, 200));
}

#[test]
fn stale_says_its_age_once_a_second() {
    let mut flow = Flow::of(10, &ladder(50));
    let rows = flow.rows();
    let wrong = StoreError::WrongType { found: "hash".to_owned() };
    flow.trouble = Some(wrong.clone());
    flow.wait_ms(600);
    assert_eq!(flow.rows(), rows, "the last good page stays");
    flow.drawn();
    let mut draws = 0;
    for _ in 0..1_000 {
        flow.wait_ms(10);
        draws += usize::from(flow.drawn());
    }
    assert_eq!(draws, 10);
    let age = flow.now.saturating_sub(flow.state.fresh_at.unwrap());
    assert_eq!(flow.health(), Health::Stale { age, reason: wrong });
    flow.trouble = None;
    flow.wait_ms(600);
    assert_eq!(flow.health(), Health::Live);
    flow.wait_ms(10_000);
    flow.drawn();
    flow.wait_ms(100_000);
    assert!(!flow.drawn(), "a live page has no age");
}

#[test]
fn a_trouble_before_the_first_page_counts_nothing() {
    let mut flow = Flow::closed(Opening::default(), &ladder(50));
    flow.trouble = Some(StoreError::NotReady("LOADING".to_owned()));
    flow.link(Link::Up { pushes: false });
    flow.drawn();
    flow.wait_ms(60_000);
    assert!(!flow.drawn());
    assert_eq!(flow.reads, 121, "asked again at each interval");
}

#[test]
fn a_read_and_not_only_a_poll_clears_a_trouble() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.is_slow = true;
    flow.press("PgDn");
    flow.trouble = Some(StoreError::WrongType { found: "hash".to_owned() });
    flow.deliver();
    flow.trouble = None;
    flow.feed(Event::Reply(Reply::Version { key: "b".into(), result: Ok(Some("1".into())), took: Duration::ZERO }));
    assert!(matches!(flow.health(), Health::Stale { .. }));
    let (reads, polls) = (flow.reads, flow.polls);
    flow.wait_ms(600);
    assert_eq!((flow.reads, flow.polls), (reads + 1, polls));
    flow.deliver();
    assert_eq!(flow.health(), Health::Live);
}

#[test]
fn a_connection_that_comes_back_is_read_over_once() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.cut();
    let (reads, retry) = (flow.reads, flow.now + Duration::from_secs(2));
    flow.drawn();
    let mut draws = 0;
    for _ in 0..400 {
        flow.wait_ms(10);
        draws += usize::from(flow.drawn());
    }
    assert_eq!((draws, flow.reads), (4, reads), "the age ticks, and nothing is asked");
    assert!(flow.now > retry);
    assert!(matches!(flow.health(), Health::Reconnecting { next_try, .. } if next_try.is_zero()));
    flow.press("r");
    assert_eq!((flow.others.clone(), flow.reads), (vec![Effect::Retry], reads));
    flow.link(Link::Connecting);
    flow.link(Link::Up { pushes: false });
    assert_eq!((flow.reads, flow.health()), (reads + 1, Health::Live));
}

#[test]
fn before_the_first_page_the_next_try_is_counted_down_to() {
    let mut flow = Flow::closed(Opening::default(), &ladder(50));
    flow.wait_ms(950);
    flow.cut();
    flow.drawn();
    let mut shown = Vec::new();
    for _ in 0..400 {
        flow.wait_ms(10);
        if flow.drawn() {
            let Health::Reconnecting { next_try, .. } = flow.health() else { panic!("{:?}", flow.health()) };
            shown.push(next_try.as_millis().div_ceil(1_000));
        }
    }
    assert_eq!(shown, [1, 0], "two seconds were said when it was lost");
}

#[test]
fn keys_while_there_is_no_connection_are_one_read_or_dropped() {
    let mut flow = Flow::of(10, &ladder(200));
    flow.cut();
    for _ in 0..30 {
        flow.press("PgDn");
    }
    let reads = flow.reads;
    flow.link(Link::Up { pushes: false });
    assert_eq!((flow.first(), flow.reads), (191, reads + 1), "thirty pages on, or as far as there are");

    let mut flow = Flow::of(10, &ladder(200));
    flow.cut();
    (0..3).for_each(|_| flow.press("PgDn"));
    flow.wait_ms(5_100);
    assert_eq!(flow.notice(), "no answer for 5 s: 3 key presses were dropped");
    flow.link(Link::Up { pushes: false });
    assert_eq!((flow.first(), flow.at()), (1, 1), "nothing runs off later");
}

#[test]
fn a_told_change_is_not_forgotten_by_a_read_that_brings_no_page() {
    let opening = || Opening { pushes: true, mode: WatchMode::Push, ..Opening::default() };
    for key in ["l", "Esc"] {
        let mut flow = Flow::open(opening(), &ladder(50));
        flow.wait_ms(150);
        flow.is_slow = true;
        flow.press("l");
        flow.set("x", 99_999.0);
        flow.feed(Event::Pushed);
        flow.press(key);
        flow.is_slow = false;
        flow.deliver();
        flow.wait_ms(150);
        assert_eq!(flow.rows()[0].member, "x".into(), "{key}");
    }
    // Told before the search is sent, and read by nothing but the search.
    let mut flow = Flow::open(opening(), &ladder(50));
    flow.set("x", 99_999.0);
    flow.feed(Event::Pushed);
    flow.press("l");
    assert_eq!(flow.notice(), "no tie group below");
    flow.wait_ms(150);
    assert_eq!(flow.rows()[0].member, "x".into());
}

#[test]
fn names_that_cannot_be_read_yet_are_not_asked_for_over_and_over() {
    let mut flow = Flow::closed(Opening::default(), &ladder(50));
    flow.names_trouble = Some(StoreError::NotReady("LOADING".to_owned()));
    flow.link(Link::Up { pushes: false });
    flow.wait_ms(59_000);
    assert!((10..=13).contains(&flow.name_reads), "{}", flow.name_reads);
    flow.names_trouble = None;
    flow.wait_ms(40_000);
    let reads = flow.name_reads;
    flow.names_trouble = Some(StoreError::Other("NOPERM".to_owned()));
    flow.wait_ms(300_000);
    let tries = flow.name_reads - reads;
    assert!((5..=8).contains(&tries), "a lasting refusal is tried again as seldom as names are: {tries}");
}

#[test]
fn the_terminal_is_given_back_from_wherever() {
    for open in [None, Some("?"), Some("i"), Some("/")] {
        let mut flow = Flow::of(10, &ladder(5));
        if let Some(key) = open {
            flow.press(key);
        }
        flow.press("C-z");
        assert_eq!(flow.others, [Effect::Suspend], "{open:?}");
        flow.press("C-c");
        assert!(flow.state.has_quit, "{open:?}");
    }
}

#[test]
fn a_turn_onto_rows_that_have_gone_shows_the_page_as_it_is() {
    let mut flow = Flow::of(10, &ladder(11));
    flow.remove("m011");
    flow.press("PgDn");
    assert_eq!((flow.reads, flow.notice()), (3, "this is the last page"));
    assert!(flow.state.session.shown.as_ref().unwrap().window.is_last(), "refreshed at once");
}
