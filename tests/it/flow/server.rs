//! Where a board is read: what is made of news of it, and that nothing is live before the new place has answered.

use std::time::Duration;

use ranktop::app::event::{Event, Link};
use ranktop::app::health::Health;
use ranktop::query::error::StoreError;
use ranktop::query::reply::Reply;
use ranktop::query::server::{Lag, Role, Server};

use super::harness::{Flow, Opening, ladder};

fn place(server: &str, role: Role) -> Server {
    Server { server: server.to_owned(), role, notice: None }
}

#[test]
fn after_a_failover_the_page_is_live_once_the_new_primary_has_answered() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.is_slow = true;
    let reason = StoreError::FailedOver("there".to_owned());
    flow.link(Link::Down { reason: reason.clone(), retry_at: flow.now });
    flow.link(Link::Connecting);
    flow.link(Link::Up { pushes: false });
    flow.feed(Event::Reply(Reply::Server(place("there", Role::Primary))));
    assert_eq!(flow.state.server, "there");
    let stale = |health| matches!(health, Health::Reconnecting { reason: Some(said), .. } if said == reason);
    assert!(stale(flow.health()), "{:?}", flow.health());
    flow.wait_ms(300);
    assert!(stale(flow.health()), "{:?}", flow.health());
    flow.deliver();
    assert_eq!(flow.health(), Health::Live);
}

#[test]
fn a_replica_that_is_cut_off_is_not_live_whatever_it_answers() {
    let mut flow = Flow::open(Opening::default(), &ladder(50));
    flow.feed(Event::Reply(Reply::Server(place("there", Role::Replica(Lag::Heard(1))))));
    assert!(flow.drawn());
    assert_eq!(flow.health(), Health::Live);
    flow.feed(Event::Reply(Reply::Server(place("there", Role::Replica(Lag::Heard(1))))));
    assert!(!flow.drawn(), "nothing is new");
    flow.feed(Event::Reply(Reply::Server(place("there", Role::Replica(Lag::Cut(Some(4)))))));
    flow.set("m007", 99_999.0);
    flow.wait(Duration::from_secs(2));
    assert_eq!(flow.health(), Health::Cut(Some(4)));
    flow.press("Space");
    assert_eq!(flow.health(), Health::Cut(Some(4)), "held or not");
    flow.press("Space");
    flow.feed(Event::Reply(Reply::Server(place("there", Role::Replica(Lag::Heard(0))))));
    assert_eq!(flow.health(), Health::Live);
}

#[test]
fn what_is_to_be_known_of_a_place_is_said_once() {
    let mut flow = Flow::of(10, &ladder(50));
    let apart = |lag| Server { notice: Some("apart"), ..place("there", Role::Replica(Lag::Heard(lag))) };
    flow.feed(Event::Reply(Reply::Server(apart(0))));
    assert_eq!(flow.notice(), "apart");
    flow.press("j");
    assert_eq!(flow.notice(), "");
    flow.feed(Event::Reply(Reply::Server(apart(1))));
    assert_eq!(flow.notice(), "", "it has been said");
}
