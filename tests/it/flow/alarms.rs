//! What the header tells in red: a version that goes wrong, a writer that skips it, a closed board that is still written.

use std::time::Duration;

use ranktop::app::alarms::VersionFault;
use ranktop::app::health::Health;
use ranktop::store::memory::Boards;

use super::harness::{Flow, ladder, score};

fn version(flow: &mut Flow, version: Option<&str>) -> Option<VersionFault> {
    flow.write_quietly(|boards, board| boards.set_version(board, version.map(str::as_bytes)));
    flow.wait_ms(600);
    flow.state.session.alarms.version
}

#[test]
fn a_version_that_goes_wrong_is_told_until_it_is_right_or_answered() {
    let mut flow = Flow::of(10, &ladder(50));
    assert_eq!(version(&mut flow, Some("1176")), None);
    assert_eq!(version(&mut flow, Some("3")), Some(VersionFault::Fell { was: 1176, is: 3 }));
    assert_eq!(version(&mut flow, None), Some(VersionFault::Vanished { was: Some(1176) }));
    assert_eq!(version(&mut flow, Some("v4")), Some(VersionFault::NoNumber));
    assert_eq!(version(&mut flow, Some("1177")), None);
    assert_eq!(version(&mut flow, Some("5")), Some(VersionFault::Fell { was: 1177, is: 5 }));
    flow.press("r");
    assert_eq!(flow.state.session.alarms.version, None, "answered");
    flow.wait_ms(20_000);
    assert_eq!(flow.state.session.alarms.version, None);
}

#[test]
fn a_board_that_is_deleted_and_comes_back_is_another_one() {
    let mut flow = Flow::of(10, &ladder(50));
    assert_eq!(version(&mut flow, Some("1176")), None);
    flow.write_quietly(|boards, board| {
        Boards::delete(boards, board);
        boards.set_version(board, None);
    });
    flow.wait_ms(600);
    assert!(flow.state.session.is_missing && flow.state.session.alarms.version.is_none());
    flow.write(|boards, board| boards.fill(board, ladder(7)));
    flow.wait_ms(600);
    assert_eq!((flow.state.session.is_missing, flow.state.session.alarms.version), (false, None));
}

#[test]
fn a_writer_that_skips_the_version_is_told_until_it_is_answered() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.write_quietly(|boards, board| boards.score(board, "x".into(), score(99_999.0)));
    flow.wait_ms(11_000);
    assert!(flow.state.session.alarms.is_skipped);
    flow.press("r");
    assert!(!flow.state.session.alarms.is_skipped);
    flow.write_quietly(|boards, board| boards.score(board, "y".into(), score(99_999.0)));
    flow.wait_ms(600);
    assert!(flow.state.session.alarms.is_skipped, "it still does");
}

#[test]
fn a_closed_board_that_is_still_written_is_told_with_its_rate_until_that_ends() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.write(|boards, board| boards.set_meta(board, "state", Some(b"closed")));
    flow.wait_ms(600);
    assert_eq!(flow.health(), Health::Closed);
    flow.wait(Duration::from_secs(40));
    assert!(!flow.state.session.alarms.is_written(), "closing it was no late write");
    for step in 0..80 {
        flow.set("x", f64::from(20_000 + step));
        flow.wait_ms(500);
    }
    assert!(flow.state.session.alarms.is_written());
    assert_eq!((flow.health(), flow.state.session.rate.shown()), (Health::Closed, Some(2)));
    let reads = flow.reads + flow.polls;
    flow.wait(Duration::from_secs(12));
    assert!(!flow.state.session.alarms.is_written());
    assert_eq!(flow.state.session.rate.shown(), None);
    assert!(flow.reads + flow.polls > reads, "it is looked at as any board meanwhile");
    let reads = flow.reads + flow.polls;
    flow.wait(Duration::from_secs(300));
    assert!(flow.reads + flow.polls - reads <= 11, "and left alone from then on");
}
