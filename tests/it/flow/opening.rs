//! Opening: at the top, at a place, at a member, in the order the board wants, on a board that is not there.

use ranktop::app::event::Link;
use ranktop::app::health::Health;
use ranktop::app::queue::Intent;
use ranktop::board::order::Order;
use ranktop::board::rank::RankStyle;

use super::harness::{Flow, Opening, entries, ladder, unreachable};

#[test]
fn ranks_come_with_the_page() {
    let mut flow = Flow::of(10, &entries(&[("a", 30.0), ("b", 20.0), ("c", 20.0), ("d", 10.0)]));
    let ranks = |flow: &Flow| {
        let standings = flow.state.session.shown.as_ref().unwrap().window.standings();
        standings.map(|standing| standing.rank(flow.state.style).to_string()).collect::<Vec<_>>().join(" ")
    };
    let mut found = vec![ranks(&flow)];
    for _ in 0..4 {
        flow.press("s");
        found.push(ranks(&flow));
    }
    assert_eq!(found, ["1 2 2 4", "1 3 3 4", "1 2 2 3", "1 2 3 4", "1 2.5 2.5 4"]);
    assert_eq!(flow.notice(), "fractional ranks: 1 2.5 2.5 4");
    assert_eq!(flow.reads, 2, "only dense ranks have to be counted");
    assert!(!flow.state.session.watch.is_version_broken, "counting them is no change of the board");
}

#[test]
fn at_a_place_or_a_member() {
    for (intent, at) in [(Intent::First, 1), (Intent::Row(30), 30), (Intent::Find("m042".into()), 42)] {
        let flow = Flow::open(Opening { intent, ..Opening::default() }, &ladder(50));
        assert_eq!((flow.at(), flow.reads), (at, 1));
    }
    let flow = Flow::open(Opening { intent: Intent::Find("x".into()), ..Opening::default() }, &ladder(50));
    assert_eq!((flow.at(), flow.notice().contains("no such member")), (1, true));
}

#[test]
fn the_place_is_kept_until_a_page_comes() {
    for intent in [Intent::Row(30), Intent::Find("m030".into())] {
        let mut flow = Flow::closed(Opening { intent, ..Opening::default() }, &ladder(50));
        assert_eq!(flow.health(), Health::Opening);
        flow.trouble = Some(unreachable());
        flow.link(Link::Up { pushes: false });
        flow.resize(20);
        flow.press("r");
        flow.wait_ms(3_000);
        flow.cut();
        assert!(matches!(flow.health(), Health::Reconnecting { age: None, .. }));
        flow.wait_ms(3_000);
        flow.trouble = None;
        flow.link(Link::Up { pushes: false });
        assert_eq!((flow.at(), flow.rows().len(), flow.health()), (30, 20, Health::Live));
    }
}

#[test]
fn a_size_that_settles_while_the_first_page_is_read() {
    let mut flow = Flow::closed(Opening::default(), &ladder(50));
    flow.is_slow = true;
    flow.link(Link::Up { pushes: false });
    flow.resize(20);
    flow.wait_ms(100);
    flow.is_slow = false;
    flow.deliver();
    assert_eq!((flow.rows().len(), flow.reads), (20, 2));
}

fn asked_of_meta(intent: Intent, fields: &[(&'static str, &str)]) -> Flow {
    let mut flow = Flow::closed(Opening { is_order_set: false, intent, ..Opening::default() }, &ladder(50));
    flow.write_quietly(|boards, board| {
        for (field, value) in fields {
            boards.set_meta(board, field, Some(value.as_bytes()));
        }
    });
    flow.link(Link::Up { pushes: false });
    flow
}

#[test]
fn the_order_that_the_board_wants_costs_one_read_and_keeps_the_place() {
    for (intent, member, at) in [
        (Intent::First, "m050", 1),
        (Intent::Row(30), "m021", 30),
        (Intent::Find("m042".into()), "m042", 9),
        (Intent::Last, "m001", 50),
    ] {
        let mut flow = asked_of_meta(intent, &[("order", "asc"), ("rank", "dense")]);
        assert_eq!((flow.selected().as_str(), flow.at(), flow.reads), (member, at, 2));
        assert_eq!((flow.board().order, flow.state.style), (Order::Asc, RankStyle::Dense));
        flow.wait_ms(3_000);
        assert_eq!(flow.reads, 2);
    }
}

#[test]
fn what_was_set_beats_what_the_board_wants() {
    let mut flow = Flow::open(Opening::default(), &ladder(50));
    flow.press("s");
    flow.write(|boards, board| {
        boards.set_meta(board, "order", Some(b"asc"));
        boards.set_meta(board, "rank", Some(b"dense"));
    });
    flow.wait_ms(600);
    assert_eq!((flow.board().order, flow.state.style), (Order::Desc, RankStyle::Modified));
}

#[test]
fn an_order_that_changes_later_is_taken_from_the_top() {
    let mut flow = asked_of_meta(Intent::First, &[]);
    flow.press("PgDn");
    let reads = flow.reads;
    flow.write(|boards, board| {
        boards.set_meta(board, "order", Some(b"asc"));
        boards.set_meta(board, "rank", Some(b"modified"));
    });
    flow.wait_ms(600);
    assert_eq!((flow.selected().as_str(), flow.first(), flow.reads), ("m050", 1, reads + 2));
    assert_eq!((flow.state.style, flow.state.session.watch.is_version_broken), (RankStyle::Modified, false));
}

#[test]
fn the_place_of_the_opening_is_not_gone_back_to() {
    let mut flow = asked_of_meta(Intent::Row(30), &[]);
    flow.write(|boards, board| boards.set_meta(board, "order", Some(b"asc")));
    flow.is_slow = true;
    flow.wait_ms(600);
    flow.deliver();
    flow.trouble = Some(unreachable());
    flow.is_slow = false;
    flow.deliver();
    assert!(flow.state.session.shown.is_none());
    flow.trouble = None;
    flow.wait_ms(600);
    assert_eq!((flow.first(), flow.at()), (1, 1));
}

#[test]
fn r_before_the_first_page_opens_at_the_place() {
    let mut flow = Flow::closed(Opening { intent: Intent::Row(30), ..Opening::default() }, &ladder(50));
    flow.trouble = Some(unreachable());
    flow.link(Link::Up { pushes: false });
    flow.trouble = None;
    flow.press("r");
    assert_eq!(flow.at(), 30);
}

#[test]
fn a_key_pressed_meanwhile_is_newer_than_the_order() {
    let mut flow = asked_of_meta(Intent::First, &[]);
    flow.write(|boards, board| boards.set_meta(board, "order", Some(b"asc")));
    flow.is_slow = true;
    flow.wait_ms(600);
    flow.press("G");
    flow.is_slow = false;
    flow.deliver();
    assert_eq!((flow.selected().as_str(), flow.at()), ("m001", 50));
}

#[test]
fn a_board_that_is_not_there_is_awaited() {
    let mut flow = Flow::of(10, &[]);
    assert!(flow.state.session.is_missing);
    for key in ["j", "PgDn", "k", "PgUp", "l", "h", "Enter", "y", "Space", "Space", ":"] {
        flow.press(key);
    }
    flow.type_in("5");
    flow.wait_ms(3_000);
    flow.write(|boards, board| boards.fill(board, ladder(20)));
    flow.wait_ms(600);
    assert_eq!((flow.state.session.is_missing, flow.first(), flow.at(), flow.rows().len()), (false, 1, 1, 10));

    // A page turn finds it as well.
    let mut flow = Flow::of(10, &[]);
    flow.press("Space");
    flow.write(|boards, board| boards.fill(board, ladder(20)));
    flow.press("PgDn");
    assert_eq!(
        (flow.state.session.is_missing, flow.first(), flow.rows().len(), flow.state.session.banner.clone()),
        (false, 1, 10, None)
    );
}
