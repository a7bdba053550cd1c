//! Movement over a span, scores that have just changed, and members that are followed over more than a page.

use std::time::Duration;

use ranktop::app::moves::Moves;
use ranktop::board::movement::{MoveSince, Movement};

use super::harness::{Flow, ladder};

fn moved(flow: &Flow, member: &str) -> Option<Movement> {
    flow.state.session.moves.moved.get(&member.into()).copied()
}

fn is_marked(flow: &Flow, member: &str) -> bool {
    flow.state.session.moves.marked.contains(&member.into())
}

/// A viewer that has read nothing of this movement yet.
fn since(since: MoveSince) -> Flow {
    let mut flow = Flow::of(10, &ladder(50));
    flow.state.session.moves = Moves::new(since, true);
    flow.press("r");
    flow
}

#[test]
fn movement_stays_for_a_minute_and_costs_a_frame_when_it_ages_out() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.wait_ms(2_000);
    flow.set("m005", 99_999.0);
    flow.wait_ms(600);
    assert_eq!((moved(&flow, "m005"), moved(&flow, "m004")), (Some(Movement::Up(4)), Some(Movement::Down(1))));
    assert_eq!(moved(&flow, "m006"), None);
    // The rate of writes settles.
    flow.wait_ms(20_000);
    flow.drawn();
    flow.wait_ms(30_000);
    assert!(!flow.drawn(), "an idle board costs nothing");
    assert_eq!(moved(&flow, "m005"), Some(Movement::Up(4)));
    flow.wait_ms(10_000);
    assert!(flow.drawn(), "the figures have become too old");
    assert!(flow.state.session.moves.moved.is_empty());
}

#[test]
fn every_turn_takes_movement_along_and_a_held_page_keeps_its_own() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.set("m005", 99_999.0);
    flow.wait_ms(600);
    flow.press("PgDn");
    flow.press("PgUp");
    assert_eq!(moved(&flow, "m005"), Some(Movement::Up(4)), "back on the page within the minute");
    flow.press("Space");
    flow.wait(Duration::from_secs(300));
    assert_eq!(moved(&flow, "m005"), Some(Movement::Up(4)), "the page stays as it is");
    flow.press("Space");
    flow.wait_ms(600);
    assert_eq!(moved(&flow, "m005"), None);
}

#[test]
fn movement_since_the_turn_begins_anew_with_each_page_and_with_r() {
    let mut flow = since(MoveSince::Turn);
    flow.set("m005", 99_999.0);
    flow.wait(Duration::from_secs(300));
    assert_eq!(moved(&flow, "m005"), Some(Movement::Up(4)), "it does not age");
    flow.press("r");
    assert_eq!(moved(&flow, "m005"), None);
    flow.set("m006", 199_999.0);
    flow.wait_ms(600);
    assert_eq!(moved(&flow, "m006"), Some(Movement::Up(5)));
    flow.press("PgDn");
    flow.press("PgUp");
    assert_eq!(moved(&flow, "m006"), None);

    let mut flow = since(MoveSince::Start);
    flow.set("m005", 99_999.0);
    flow.wait_ms(600);
    for key in ["r", "PgDn", "PgUp"] {
        flow.press(key);
    }
    flow.wait(Duration::from_secs(300));
    assert_eq!(moved(&flow, "m005"), Some(Movement::Up(4)));
}

#[test]
fn a_score_that_has_just_changed_is_marked_for_about_a_second() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.set("m005", 9_951.0);
    flow.wait_ms(600);
    assert!(is_marked(&flow, "m005") && !is_marked(&flow, "m004"));
    flow.press("Space");
    flow.drawn();
    flow.wait_ms(1_300);
    assert!(!is_marked(&flow, "m005"), "also where the page is held");
    assert!(flow.drawn());
    flow.press("Space");
    flow.press("PgDn");
    assert!(flow.state.session.moves.marked.is_empty(), "whoever comes by a turn has not changed");
}

#[test]
fn without_motion_nothing_is_marked() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.state.session.moves = Moves::new(MoveSince::Turn, false);
    flow.press("r");
    flow.set("m005", 99_951.0);
    flow.wait_ms(600);
    assert!(flow.state.session.moves.marked.is_empty());
    assert_eq!(moved(&flow, "m005"), Some(Movement::Up(4)));
}

#[test]
fn a_followed_member_that_moves_by_more_than_a_page_is_told() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.press("Enter");
    flow.set("m001", 9_905.0);
    flow.wait_ms(600);
    assert_eq!(flow.state.session.moves.leap, None, "less than a page");
    flow.set("m001", 9_555.0);
    flow.wait_ms(600);
    let leap = flow.state.session.moves.leap.unwrap();
    assert_eq!((leap.by, leap.is_up, leap.now.better + 1), (35, false, 44));
    flow.wait(Duration::from_secs(20));
    assert!(flow.state.session.moves.leap.is_some(), "it is told until the next key");
    flow.press("Esc");
    assert_eq!(flow.state.session.moves.leap, None);
}
