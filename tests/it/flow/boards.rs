//! Another board in the place of the one that is shown.

use std::time::Duration;

use ranktop::app::event::Event;
use ranktop::board::entry::Entry;
use ranktop::board::names::NamesLocation;
use ranktop::query::error::StoreError;
use ranktop::query::reply::Reply;

use super::harness::{Flow, Opening, entries, ladder, score};

/// A viewer on `b`, and another board of one row beside it.
fn beside() -> Flow {
    let flow = Flow::open(Opening { is_order_set: false, ..Opening::default() }, &ladder(50));
    let other = flow.state.templates.board("other".into(), flow.board().order);
    flow.home.write(|boards| {
        boards.fill(&other, entries(&[("z", 1.0)]));
        boards.increment_version(&other);
    });
    flow
}

fn open(flow: &mut Flow) {
    flow.state.open("other".into());
    flow.feed(Event::Woken);
}

#[test]
fn is_read_from_its_top_and_nothing_of_the_other_is_left() {
    let mut flow = beside();
    flow.press("End");
    flow.press("Space");
    flow.set("x", 1.0);
    flow.wait_ms(600);
    open(&mut flow);
    assert_eq!(flow.rows(), [Entry::new("z", score(1.0))]);
    assert!(!flow.state.session.is_held && flow.state.session.banner.is_none() && flow.follows().is_none());
    assert_eq!(flow.state.session.seen_version, Some("1".into()));
    flow.set("y", 2.0);
    flow.wait_ms(600);
    assert_eq!(flow.selected(), "z");
    assert_eq!(flow.rows().len(), 2, "it is live");
}

#[test]
fn late_answers_about_the_other_board_teach_nothing() {
    let mut flow = beside();
    flow.is_slow = true;
    flow.press("r");
    open(&mut flow);
    // The read of the first board comes back, then the one of the other.
    flow.deliver();
    assert!(flow.state.session.shown.is_none());
    flow.deliver();
    assert_eq!(flow.rows(), [Entry::new("z", score(1.0))]);
    let trouble = Err(StoreError::Timeout(Duration::from_secs(1)));
    flow.feed(Event::Reply(Reply::Version { key: "b".into(), result: trouble, took: Duration::ZERO }));
    assert_eq!(flow.state.session.trouble, None);
    let location = NamesLocation::Hash("b:names".into());
    flow.feed(Event::Reply(Reply::Names {
        location,
        members: vec!["z".into()],
        result: Ok(Some(vec![Some(b"wrong"[..].into())])),
    }));
    assert_eq!(flow.state.names.get(&"z".into()), None);
}
