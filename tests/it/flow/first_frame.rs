//! The first page is drawn with its names, where they come soon; and a board that was something else is read again at the
//! next look.

use ranktop::app::event::{Event, Link};
use ranktop::app::polling::schedule::WatchMode;
use ranktop::app::probing::Probing;
use ranktop::query::error::StoreError;

use super::harness::{Flow, Opening, ladder};

#[test]
fn the_first_page_waits_for_its_names_and_for_nothing_that_is_late() {
    let mut flow = Flow::open(Opening::default(), &ladder(50));
    assert_eq!(flow.state.session.draws_at, None, "they have come");
    flow.press("PgDn");
    assert_eq!(flow.state.session.draws_at, None, "later pages are drawn at once");

    let mut flow = Flow::closed(Opening::default(), &ladder(50));
    flow.are_names_slow = true;
    flow.link(Link::Up { pushes: false });
    let due = flow.state.session.draws_at.unwrap();
    assert!(due >= flow.now + std::time::Duration::from_millis(100));
    flow.wait_ms(90);
    assert!(flow.state.session.draws_at.is_some());
    flow.wait_ms(20);
    assert_eq!(flow.state.session.draws_at, None, "names that are late are not waited for");
}

#[test]
fn the_first_page_waits_for_no_search_for_names() {
    let mut flow = Flow::closed(Opening::default(), &ladder(50));
    flow.state.probing = Probing::new(true);
    flow.answered_probes = 0;
    flow.link(Link::Up { pushes: false });
    assert_eq!((flow.state.session.draws_at, flow.probes), (None, 1));
}

#[test]
fn a_board_that_was_another_type_is_right_at_the_next_look_also_the_first_time() {
    for (mode, pushes) in [(WatchMode::Push, true), (WatchMode::Poll, false)] {
        let mut flow = Flow::open(Opening { mode, pushes, ..Opening::default() }, &ladder(50));
        flow.wait_ms(700);
        for round in 0..3 {
            flow.trouble = Some(StoreError::WrongType { found: "hash".to_owned() });
            flow.set("x", f64::from(99_999 + round));
            flow.feed(Event::Pushed);
            flow.wait_ms(600);
            assert!(flow.state.session.trouble.is_some());
            flow.trouble = None;
            flow.feed(Event::Pushed);
            flow.wait_ms(500);
            assert_eq!(flow.state.session.trouble, None, "{pushes}, {round}");
            assert_eq!(flow.rows()[0].score.get(), f64::from(99_999 + round));
            flow.wait_ms(700);
        }
    }
}
