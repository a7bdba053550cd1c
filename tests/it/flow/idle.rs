//! What a board costs while nothing happens, and how changes are noticed: polls, words of the server, the content.

use std::time::Duration;

use ranktop::app::event::{Event, Link};
use ranktop::app::health::Health;
use ranktop::app::polling::schedule::WatchMode;
use ranktop::query::error::StoreError;

use super::harness::{Flow, Opening, ladder};

const MINUTE: Duration = Duration::from_secs(60);

/// Reads, polls and reads of names in ten minutes in which nothing changes; nothing is drawn.
fn ten_minutes(flow: &mut Flow) -> (usize, usize, usize) {
    // The rate of writes settles first.
    flow.wait(Duration::from_secs(20));
    flow.drawn();
    let before = (flow.reads, flow.polls, flow.name_reads);
    flow.wait(10 * MINUTE);
    assert!(!flow.drawn(), "nothing changed, so nothing is drawn");
    (flow.reads - before.0, flow.polls - before.1, flow.name_reads - before.2)
}

#[test]
fn a_still_board_that_is_polled() {
    let mut flow = Flow::of(10, &ladder(50));
    let (reads, polls, names) = ten_minutes(&mut flow);
    assert!((57..=60).contains(&reads), "the content is compared each 10 s: {reads}");
    assert_eq!(reads + polls, 1_200, "one look each interval");
    assert!((12..=14).contains(&names), "{names}");
}

#[test]
fn a_still_board_whose_server_tells() {
    let mut flow = Flow::open(Opening { pushes: true, mode: WatchMode::Push, ..Opening::default() }, &ladder(50));
    let (reads, polls, _) = ten_minutes(&mut flow);
    assert_eq!(reads + polls, 120, "only the safety poll");
    assert!(reads <= 60);
}

#[test]
fn still_boards_without_a_version_watched_by_content_held_and_missing() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.no_version();
    assert_eq!(ten_minutes(&mut flow).0, 1_200);
    let mut flow = Flow::open(Opening { mode: WatchMode::Content, ..Opening::default() }, &ladder(50));
    assert_eq!(ten_minutes(&mut flow).0, 1_200);
    let mut flow = Flow::of(10, &ladder(50));
    flow.press("Space");
    let (reads, polls, _) = ten_minutes(&mut flow);
    assert_eq!((reads, polls), (0, 1_200));
    let mut flow = Flow::of(10, &[]);
    assert_eq!(ten_minutes(&mut flow).0, 1_200);
}

#[test]
fn a_closed_board_is_not_polled() {
    for pushes in [false, true] {
        let mode = if pushes { WatchMode::Push } else { WatchMode::Poll };
        let mut flow = Flow::open(Opening { mode, pushes, ..Opening::default() }, &ladder(50));
        flow.write(|boards, board| boards.set_meta(board, "state", Some(b"closed")));
        flow.wait(Duration::from_secs(6));
        assert_eq!(flow.health(), Health::Closed);
        let (reads, polls, _) = ten_minutes(&mut flow);
        assert_eq!((reads, polls), (20, 0));
        flow.write(|boards, board| boards.set_meta(board, "state", Some(b"open")));
        flow.wait(Duration::from_secs(31));
        assert_eq!(flow.health(), Health::Live, "it is seen to be open again");
    }
}

#[test]
fn a_word_of_the_server_is_one_read_and_many_are_ten_a_second() {
    let mut flow = Flow::open(Opening { pushes: true, mode: WatchMode::Push, ..Opening::default() }, &ladder(50));
    flow.wait_ms(200);
    let reads = flow.reads;
    flow.set("x", 99_999.0);
    flow.feed(Event::Pushed);
    assert_eq!((flow.reads, flow.rows()[0].member.clone()), (reads + 1, "x".into()), "at once");
    flow.wait_ms(1_000);
    assert_eq!(flow.reads, reads + 1);
    let reads = flow.reads;
    for step in 0..1_000 {
        flow.set("x", f64::from(99_999 + step));
        flow.feed(Event::Pushed);
        flow.wait_ms(2);
    }
    assert!((19..=21).contains(&(flow.reads - reads)), "{}", flow.reads - reads);
    flow.wait_ms(100);
    assert_eq!(flow.rows()[0].score.get().to_string(), "100998", "the last word is read too");
}

#[test]
fn a_word_that_got_lost_is_made_up_for() {
    let mut flow = Flow::open(Opening { pushes: true, mode: WatchMode::Push, ..Opening::default() }, &ladder(50));
    flow.set("x", 99_999.0);
    flow.wait_ms(5_100);
    assert_eq!(flow.rows()[0].member, "x".into());
}

#[test]
fn a_server_that_tells_while_it_is_in_trouble_is_not_hurried() {
    let mut flow = Flow::open(Opening { pushes: true, mode: WatchMode::Push, ..Opening::default() }, &ladder(50));
    flow.trouble = Some(super::harness::unreachable());
    flow.press("r");
    let reads = flow.reads;
    for _ in 0..100 {
        flow.feed(Event::Pushed);
        flow.wait_ms(100);
    }
    assert!(flow.reads - reads <= 21, "once an interval: {}", flow.reads - reads);
}

#[test]
fn a_board_that_is_written_without_its_version_is_watched_by_content() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.write_quietly(|boards, board| boards.score(board, "x".into(), super::harness::score(99_999.0)));
    flow.wait_ms(9_000);
    assert!(flow.rows()[0].member != "x".into() && flow.notice().is_empty());
    flow.wait_ms(2_000);
    assert_eq!(flow.rows()[0].member, "x".into());
    assert!(flow.notice().contains("skips INCR on the version"));
    assert!(flow.state.session.watch.is_version_broken);

    flow.press("Esc");
    flow.write_quietly(|boards, board| boards.score(board, "y".into(), super::harness::score(99_998.0)));
    flow.wait_ms(600);
    assert_eq!((flow.rows()[1].member.clone(), flow.notice()), ("y".into(), ""), "said once, watched from then on");
    flow.press("PgDn");
    flow.write_quietly(|boards, board| boards.score(board, "z".into(), super::harness::score(99_997.0)));
    flow.wait_ms(600);
    assert_eq!(flow.drift(), Some((None, None, 10, 11)), "the boundary is compared all the same");
}

#[test]
fn a_turn_can_show_that_the_version_stays() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.write_quietly(|boards, board| boards.remove(board, &"m003".into()));
    flow.press("PgDn");
    assert!(flow.state.session.watch.is_version_broken);
    assert_eq!(flow.drift(), Some((None, None, 10, 9)));
}

#[test]
fn words_of_the_board_are_no_break_of_the_protocol() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.write_quietly(|boards, board| {
        boards.set_meta(board, "title", Some(b"Spring Cup"));
        boards.set_meta(board, "state", Some(b"closing"));
    });
    flow.wait_ms(11_000);
    assert!(flow.state.session.shown.as_ref().unwrap().window.meta.title.is_some());
    assert!(!flow.state.session.watch.is_version_broken);
}

#[test]
fn a_shorter_interval_counts_at_once() {
    let mut flow = Flow::of(10, &ladder(50));
    for _ in 0..6 {
        flow.press("-");
    }
    assert_eq!(flow.notice(), "polling every 1m");
    for _ in 0..20 {
        flow.press("+");
    }
    assert_eq!(flow.notice(), "polling every 100ms");
    let looks = flow.reads + flow.polls;
    flow.wait_ms(10_000);
    assert_eq!(flow.reads + flow.polls - looks, 100);
}

#[test]
fn names_that_change_are_seen_within_a_minute_even_on_a_board_that_is_closed() {
    let mut flow = Flow::open(Opening { pushes: true, mode: WatchMode::Push, ..Opening::default() }, &ladder(50));
    flow.write(|boards, board| boards.set_meta(board, "state", Some(b"closed")));
    flow.feed(Event::Pushed);
    flow.wait_ms(1_000);
    assert_eq!(flow.health(), Health::Closed);
    let before = flow.name_reads;
    flow.wait(Duration::from_secs(60));
    assert_eq!(flow.name_reads, before + 1);
}

#[test]
fn a_home_of_names_that_may_not_be_read_is_said_once() {
    let mut flow = Flow::closed(Opening::default(), &ladder(50));
    flow.names_trouble = Some(StoreError::WrongType { found: "list".to_owned() });
    flow.link(Link::Up { pushes: false });
    assert_eq!(flow.notice(), "cannot read names, showing ids instead: their key is a list, not a hash");
    assert!(flow.state.missing().iter().any(|missing| missing.contains("names")));
    flow.press("PgDn");
    flow.press("PgDn");
    assert_eq!((flow.notice(), flow.name_reads), ("", 1));
}
