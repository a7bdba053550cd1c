//! The end of a period while its board is watched, by a clock that the test turns; and the time that is left.

use std::time::Duration;

use ranktop::app::countdown::Left;
use ranktop::app::event::{Event, Link};
use ranktop::app::page::banner::Banner;
use ranktop::board::meta::Ttl;
use ranktop::query::reply::Reply;

use super::harness::{Flow, Opening, ladder};

/// 2026-10-25 23:00 UTC, midnight in Berlin, where this Sunday had 25 hours: the end of 2026-W43.
const MIDNIGHT: i64 = 1_792_969_200_000;
const HOUR: Duration = Duration::from_secs(3_600);

fn ms(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap()
}

/// A viewer in Berlin so long before that midnight.
fn before(time: Duration, key: &'static str) -> Flow {
    let mut flow = Flow::closed(Opening { key, zone: "Europe/Berlin", ..Opening::default() }, &ladder(50));
    flow.feed(Event::Clock(MIDNIGHT - ms(time)));
    // Hours pass here by the dozen.
    flow.state.session.watch.interval = Duration::from_secs(600);
    flow.link(Link::Up { pushes: false });
    flow
}

fn offered(flow: &Flow) -> Option<String> {
    flow.state.session.rollover.offered().map(|period| period.to_string())
}

fn key(flow: &Flow) -> String {
    String::from_utf8(flow.state.key().unwrap().as_ref().to_vec()).unwrap()
}

#[test]
fn the_new_board_is_offered_at_the_very_end_and_nobody_is_moved() {
    for (key, next) in [("x:2026-W43", "2026-W44"), ("x:2026-10-25", "2026-10-26")] {
        let mut flow = before(25 * HOUR, key);
        flow.press("End");
        flow.wait((25 * HOUR).saturating_sub(Duration::from_millis(1)));
        assert_eq!(offered(&flow), None);
        flow.drawn();
        flow.wait_ms(1);
        assert_eq!((offered(&flow).as_deref(), flow.drawn()), (Some(next), true));
        assert_eq!((self::key(&flow).as_str(), flow.at()), (key, 50));
        flow.press("]");
        assert_eq!((self::key(&flow), flow.state.session.is_missing), (format!("x:{next}"), true));
        assert_eq!((offered(&flow), flow.lists), (None, 0), "what is offered need not be looked for");
    }
}

#[test]
fn a_day_of_25_hours_does_not_end_after_24() {
    let mut flow = before(25 * HOUR, "x:2026-10-25");
    flow.wait(24 * HOUR + HOUR / 2);
    assert_eq!(offered(&flow), None);
    // A week on whose Sunday clocks go back is that much longer, too: 169 hours.
    let mut flow = before(169 * HOUR, "x:2026-W43");
    flow.wait(168 * HOUR + HOUR / 2);
    assert_eq!(offered(&flow), None);
    flow.wait(HOUR / 2);
    assert_eq!(offered(&flow).as_deref(), Some("2026-W44"));
}

#[test]
fn it_is_answered_once_and_comes_again_with_the_next_period() {
    let mut flow = before(HOUR, "x:2026-10-25");
    flow.wait(HOUR);
    flow.press("Down");
    assert_eq!((offered(&flow).as_deref(), flow.at()), (Some("2026-10-26"), 2), "any other key leaves it");
    flow.press("Esc");
    flow.wait(23 * HOUR);
    assert_eq!((offered(&flow), key(&flow).as_str()), (None, "x:2026-10-25"));
    flow.wait(HOUR);
    assert_eq!(offered(&flow).as_deref(), Some("2026-10-27"));
}

#[test]
fn it_waits_behind_what_moved_between_two_pages() {
    let mut flow = before(HOUR, "x:2026-W43");
    flow.set("a", 99_999.0);
    flow.press("PgDn");
    assert!(matches!(flow.state.session.banner, Some(Banner::Changed { .. })));
    flow.wait(HOUR);
    assert!(flow.state.session.banner.is_some() && offered(&flow).is_some());
    flow.press("Esc");
    assert_eq!((flow.state.session.banner.clone(), offered(&flow).as_deref()), (None, Some("2026-W44")));
    assert!(flow.state.has_banner());
    flow.press("Esc");
    assert!(!flow.state.has_banner());
}

#[test]
fn an_old_board_a_future_one_and_a_frozen_copy_offer_nothing() {
    for key in ["x:2026-W42", "x:2026-W45", "x:2026-W43:frozen:1", "x"] {
        let mut flow = before(HOUR, key);
        flow.wait(2 * HOUR);
        assert_eq!(offered(&flow), None, "{key}");
    }
    // A future one that has become the current one does, at its own end.
    let mut flow = before(HOUR, "x:2026-10-26");
    flow.wait(2 * HOUR);
    assert_eq!(offered(&flow), None);
    flow.wait(23 * HOUR);
    assert_eq!(offered(&flow).as_deref(), Some("2026-10-27"));
}

#[test]
fn a_clock_that_is_set_is_believed() {
    let mut flow = before(HOUR, "x:2026-W43");
    flow.feed(Event::Clock(MIDNIGHT));
    assert_eq!(offered(&flow).as_deref(), Some("2026-W44"));
    flow.feed(Event::Clock(MIDNIGHT - 1));
    assert_eq!(offered(&flow), None, "it has not begun after all");
    flow.wait_ms(1);
    assert_eq!(offered(&flow).as_deref(), Some("2026-W44"), "it begins again");
    flow.press("Esc");
    // Far ahead, as after a machine has slept for weeks.
    flow.feed(Event::Clock(MIDNIGHT + ms(24 * 20 * HOUR)));
    assert_eq!(offered(&flow).as_deref(), Some("2026-W46"));
    flow.press("]");
    assert_eq!(key(&flow), "x:2026-W46");
}

#[test]
fn without_a_connection_it_is_offered_all_the_same() {
    let mut flow = before(HOUR, "x:2026-W43");
    flow.link(Link::Down { reason: super::harness::unreachable(), retry_at: flow.now + 2 * HOUR });
    let end = flow.now + HOUR;
    while flow.now < end {
        let at = ranktop::app::wake::next(&flow.state, flow.now).unwrap().min(end);
        flow.now = at;
        flow.feed(Event::Woken);
    }
    assert_eq!(offered(&flow).as_deref(), Some("2026-W44"));
    flow.press("]");
    assert_eq!(key(&flow), "x:2026-W44");
}

/// How often something was drawn in this time, in which the board does not change.
fn frames(flow: &mut Flow, time: Duration) -> usize {
    let (end, mut frames) = (flow.now + time, 0);
    flow.drawn();
    while let Some(at) = ranktop::app::wake::next(&flow.state, flow.now).filter(|at| *at <= end) {
        flow.now = flow.now.max(at);
        flow.feed(Event::Woken);
        frames += usize::from(flow.drawn());
    }
    flow.now = end;
    frames
}

#[test]
fn the_time_that_is_left_costs_a_frame_where_its_words_change() {
    let mut flow = before(49 * HOUR, "x:2026-W43");
    // The rate of writes settles first.
    flow.wait(HOUR / 2);
    assert_eq!(frames(&mut flow, 10 * HOUR), 10, "of days, by the hour");
    flow.wait(33 * HOUR + HOUR / 2);
    assert_eq!(frames(&mut flow, HOUR), 60, "of hours, by the minute");
    flow.wait(3 * HOUR);
    flow.wait(HOUR.saturating_sub(Duration::from_secs(121)));
    assert_eq!(frames(&mut flow, Duration::from_secs(62)), 2, "a minute more, and the first of the seconds");
    assert_eq!(frames(&mut flow, Duration::from_secs(30)), 30, "of the last minute, by the second");
    assert_eq!(frames(&mut flow, Duration::from_secs(60)), 29, "the last is the end, with its banner");
    assert_eq!(frames(&mut flow, HOUR), 0);
    // On a screen without a line for it there is nothing to draw.
    let mut flow = before(2 * HOUR, "x:2026-W43");
    flow.feed(Event::Resized { columns: 80, lines: 10 });
    flow.wait(HOUR / 2);
    assert_eq!(frames(&mut flow, HOUR), 0);
}

#[test]
fn a_board_that_expires_is_counted_down_and_read_no_oftener() {
    let mut flow = before(2 * HOUR, "x:2026-W42");
    flow.write(|boards, board| boards.set_meta(board, "state", Some(b"closed")));
    flow.wait(Duration::from_secs(600));
    let mut window = flow.state.session.shown.as_ref().unwrap().window.clone();
    window.ttl = Ttl::Milliseconds(7_230_000);
    assert_eq!(flow.state.session.expires_at, None);
    flow.is_slow = true;
    flow.press("r");
    let sent = flow.under_way.pop_front().unwrap();
    let page = ranktop::query::page::Page { window, target: None, boundary: None, tracked: None };
    let result = Ok(ranktop::query::page::PageReply::Page(Box::new(page)));
    flow.feed(Event::Reply(Reply::Page { generation: sent.generation, result, took: Duration::ZERO }));
    assert_eq!(flow.state.shown_terms.life.map(Left::seconds), Some(7_200));
    assert_eq!(flow.state.session.expires_at, Some(flow.now + Duration::from_secs(7_230)));
    let reads = flow.reads;
    flow.is_slow = false;
    flow.wait(Duration::from_millis(30_999));
    assert_eq!(flow.state.shown_terms.life.map(Left::seconds), Some(7_200));
    flow.wait_ms(1);
    assert_eq!((flow.state.shown_terms.life.map(Left::seconds), flow.reads), (Some(7_140), reads));
}
