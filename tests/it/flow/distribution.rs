//! The distribution: when it is asked for, when again, and what becomes of it when it is closed.

use std::time::Duration;

use ranktop::app::event::Event;
use ranktop::app::overlay::Overlay;
use ranktop::board::distribution::Distribution;
use ranktop::board::order::Order;
use ranktop::query::error::StoreError;

use super::harness::{Flow, Opening, ladder, unreachable};

fn open() -> Flow {
    let mut flow = Flow::of(30, &ladder(500));
    flow.press("d");
    flow
}

fn read(flow: &Flow) -> Option<&Distribution> {
    flow.state.distribution.read.as_ref()
}

#[test]
fn it_is_counted_when_it_is_opened_and_once_while_nothing_changes() {
    let mut flow = open();
    let first = read(&flow).unwrap().clone();
    assert_eq!((flow.counts, first.total, first.version.clone()), (1, 500, Some("1".into())));
    assert!(first.verified && first.is_whole() && (8..=24).contains(&first.bins.len()));
    flow.wait(Duration::from_secs(20));
    flow.drawn();
    flow.wait(Duration::from_secs(600));
    assert_eq!((flow.counts, flow.drawn()), (1, false));
    for close in ["d", "Esc", "q"] {
        flow.press(close);
        assert!(flow.state.overlay.is_none() && !flow.state.has_quit, "{close}");
        assert!(read(&flow).is_none(), "{close} forgets it");
        flow.press("d");
        assert_eq!(read(&flow), Some(&first));
    }
    assert_eq!(flow.counts, 4);
}

#[test]
fn a_change_is_counted_and_many_are_once_a_second() {
    let mut flow = open();
    flow.wait_ms(5_000);
    flow.set("new", 77.0);
    flow.wait_ms(501);
    assert_eq!((flow.counts, read(&flow).unwrap().total), (2, 501), "as soon as it is known of");
    flow.drawn();
    for step in 0..50 {
        flow.set("new", f64::from(step));
        flow.wait_ms(200);
    }
    assert!((10..=13).contains(&flow.counts), "{} in ten seconds", flow.counts);
    flow.wait_ms(1_500);
    assert_eq!(read(&flow).unwrap().version, flow.state.session.seen_version, "the last one too");
    // Closed, it costs nothing.
    flow.press("d");
    let counts = flow.counts;
    flow.set("new", 78.0);
    flow.wait_ms(5_000);
    assert_eq!(flow.counts, counts);
}

#[test]
fn a_board_without_a_version_is_counted_as_often_as_it_is_read_but_once_a_second() {
    let mut flow = Flow::of(30, &ladder(500));
    flow.no_version();
    flow.wait_ms(1_000);
    flow.press("d");
    let (counts, total) = (flow.counts, read(&flow).unwrap().total);
    flow.write_quietly(|boards, board| boards.remove(board, &"m400".into()));
    flow.wait_ms(2_000);
    assert_eq!(read(&flow).unwrap().total, total - 1);
    flow.wait_ms(8_000);
    assert!((8..=11).contains(&(flow.counts - counts)), "{}", flow.counts - counts);
    flow.drawn();
    flow.wait_ms(5_000);
    assert!(!flow.drawn(), "the same again is not drawn");
}

#[test]
fn the_table_goes_on_below_it_and_a_page_that_is_held_holds_it() {
    let mut flow = open();
    flow.press("Down");
    flow.press("PgDn");
    assert_eq!((flow.selected().as_str(), &flow.state.overlay), ("m032", &Some(Overlay::Distribution)));
    flow.press("Space");
    flow.set("new", 77.0);
    flow.wait_ms(5_000);
    assert_eq!((flow.counts, read(&flow).unwrap().total), (1, 500));
    flow.press("Space");
    flow.wait_ms(1_000);
    assert_eq!((flow.counts, read(&flow).unwrap().total), (2, 501));
    flow.press("?");
    assert!(read(&flow).is_none(), "something else is open");
}

#[test]
fn answers_that_come_late_are_passed_over_and_questions_do_not_pile_up() {
    let mut flow = Flow::of(30, &ladder(500));
    flow.is_slow = true;
    for _ in 0..21 {
        flow.press("d");
    }
    assert_eq!((flow.counts, &flow.state.overlay), (1, &Some(Overlay::Distribution)));
    flow.write(|boards, board| boards.remove(board, &"m400".into()));
    let late = flow.counted.pop_front().unwrap();
    flow.feed(late);
    assert_eq!((flow.counts, read(&flow)), (2, None), "it was the answer of a question of before");
    let newest = flow.counted.pop_front().unwrap();
    flow.feed(newest.clone());
    assert_eq!(read(&flow).unwrap().total, 499);
    flow.press("d");
    assert!(flow.drawn());
    flow.feed(newest);
    assert!(read(&flow).is_none() && !flow.drawn());
}

#[test]
fn more_lines_are_more_bins() {
    let mut flow = Flow::of(3, &ladder(500));
    flow.press("d");
    let few = read(&flow).unwrap().bins.len();
    flow.resize(60);
    flow.wait_ms(1_100);
    let many = read(&flow).unwrap().bins.len();
    assert!(few < 8 && many > 2 * few && many <= 24, "{few} and {many}");
    let counts = flow.counts;
    flow.resize(90);
    flow.wait_ms(5_000);
    assert_eq!(flow.counts, counts, "there are no more than so many");
}

#[test]
fn trouble_that_passes_is_tried_again_and_a_refusal_is_not() {
    let mut flow = Flow::of(30, &ladder(500));
    flow.count_trouble = Some(unreachable());
    flow.press("d");
    flow.wait_ms(3_050);
    assert_eq!((flow.counts, read(&flow)), (4, None));
    assert_eq!(flow.state.distribution.trouble, Some(unreachable()));
    flow.count_trouble = None;
    flow.wait_ms(1_000);
    assert!(read(&flow).is_some() && flow.state.distribution.trouble.is_none());

    let counts = flow.counts;
    let refused = StoreError::NoPermission { command: "ZCOUNT".to_owned(), key: "b".into() };
    flow.count_trouble = Some(refused.clone());
    flow.set("new", 77.0);
    flow.wait_ms(60_000);
    assert_eq!(flow.counts, counts + 1, "only a change is a reason to try again");
    assert_eq!(flow.state.distribution.trouble, Some(refused));
    assert_eq!(read(&flow).unwrap().total, 500, "the last one stays");

    flow.cut();
    let counts = flow.counts;
    flow.set("new", 78.0);
    flow.wait_ms(1_000);
    assert_eq!(flow.counts, counts, "there is nobody to ask");
}

#[test]
fn another_board_and_another_order_are_counted_anew() {
    let mut flow = Flow::open(Opening { is_order_set: false, table: 30, ..Opening::default() }, &ladder(500));
    flow.press("d");
    assert_eq!(read(&flow).unwrap().order, Order::Desc);
    flow.write(|boards, board| boards.set_meta(board, "order", Some(b"asc")));
    flow.wait_ms(2_000);
    assert_eq!(read(&flow).unwrap().order, Order::Asc);
    flow.state.open("other".into());
    flow.feed(Event::Woken);
    assert!(read(&flow).is_none() && flow.state.overlay.is_none());
}
