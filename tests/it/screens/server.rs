//! What the header says of the server that a board is read from, at any width.

use std::time::Duration;

use ranktop::app::polling::schedule::WatchMode;
use ranktop::app::state::State;
use ranktop::query::server::{Lag, Role};

use super::dump::{drawn, line, styled};
use super::states::{NOW, colours, live};

fn header(state: &State, columns: u16) -> String {
    line(&drawn(state, &colours(), (columns, 24), NOW).0, 0).trim_end().to_owned()
}

#[test]
fn a_replica_is_said_to_be_one_and_how_far_it_is_behind() {
    for (lag, words) in [
        (Lag::Heard(1), "127.0.0.1:6379 replica, last heard from primary 1 s ago  0.3 ms"),
        (Lag::Heard(75), "replica, last heard from primary 1m 15s ago"),
        (Lag::Unknown, "127.0.0.1:6379 replica, lag unknown  0.3 ms"),
    ] {
        let mut state = live((160, 24));
        state.server = "127.0.0.1:6379".to_owned();
        state.role = Role::Replica(lag);
        let wide = header(&state, 160);
        assert!(wide.contains("● live") && wide.contains(words), "{wide}");
        // What it is stays longer than which one it is.
        let narrow = header(&state, 80);
        assert!(narrow.contains("● live") && narrow.contains("replica") && !narrow.contains("127.0.0.1"), "{narrow}");
    }
    let state = live((80, 24));
    assert!(!header(&state, 160).contains("replica"));
}

#[test]
fn a_replica_that_is_cut_off_is_drawn_as_stale() {
    let mut state = live((160, 24));
    state.role = Role::Replica(Lag::Cut(Some(75)));
    let wide = header(&state, 160);
    assert!(wide.contains("● stale 1m 15s: the replica has lost its primary"), "{wide}");
    assert!(wide.contains("replica, cut off"), "{wide}");
    assert!(header(&state, 40).contains("stale"), "{}", header(&state, 40));
    let styles = |state: &State| {
        let dump = styled(&drawn(state, &colours(), (160, 24), NOW).0);
        dump.lines().nth(1).unwrap().to_owned()
    };
    let mut trouble = live((160, 24));
    trouble.session.trouble = Some(ranktop::query::error::StoreError::NotReady("x".to_owned()));
    let lost = |line: &str| line.split("; ").filter(|run| run.contains("#e06c75")).count();
    assert_eq!(lost(&styles(&state)), lost(&styles(&trouble)), "{}\n{}", styles(&state), styles(&trouble));
    state.role = Role::Replica(Lag::Cut(None));
    assert!(header(&state, 160).contains("● stale: the replica has lost its primary"), "{}", header(&state, 160));
}

#[test]
fn a_primary_that_nobody_vouches_for_is_said_to_be_one() {
    let mut state = live((120, 24));
    state.role = Role::Unverified;
    for columns in [160, 80] {
        assert!(header(&state, columns).contains("role unverified"), "{}", header(&state, columns));
    }
}

#[test]
fn a_slow_server_is_said_to_be_one_and_how_often_it_is_asked() {
    let mut state = live((160, 24));
    state.session.watch.interval = Duration::from_millis(100);
    state.session.watch.mode = WatchMode::Poll;
    assert!(!header(&state, 160).contains("slow"));
    for _ in 0..2 {
        state.session.watch.pace.answered(Duration::from_millis(90));
    }
    for columns in [160, 100] {
        assert!(header(&state, columns).contains("every 400 ms, the server is slow"), "{}", header(&state, columns));
    }
    for _ in 0..2 {
        state.session.watch.pace.answered(Duration::from_millis(1));
    }
    assert!(!header(&state, 160).contains("slow"), "it goes back by itself");
}
