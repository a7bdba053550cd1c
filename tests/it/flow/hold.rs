//! Hold: the page stays, the version is still watched.

use ranktop::app::event::Link;
use ranktop::app::health::Health;
use ranktop::app::polling::schedule::WatchMode;
use ranktop::app::settings::PageSize;
use ranktop::store::memory::Boards;

use super::harness::{Flow, Opening, ladder, unreachable};

fn held() -> Flow {
    let mut flow = Flow::of(10, &ladder(50));
    flow.press("Space");
    flow
}

fn behind(count: Option<i64>) -> Health {
    Health::Held { behind: count, has_changed: count.is_some() }
}

#[test]
fn the_page_stays_and_the_version_is_watched() {
    let mut flow = held();
    assert_eq!(flow.health(), behind(None));
    let (rows, reads) = (flow.rows(), flow.reads);
    for count in 1..=3 {
        flow.set("x", f64::from(count));
        flow.wait_ms(600);
        assert_eq!(flow.health(), behind(Some(count.into())));
        assert!(flow.drawn());
    }
    assert_eq!((flow.rows(), flow.reads), (rows, reads));
    flow.set("m001", 1.5);
    flow.press("Space");
    assert_eq!((flow.health(), flow.rows()[0].member.clone()), (Health::Live, "m002".into()));
}

#[test]
fn a_held_page_is_turned_and_held_again() {
    let mut flow = held();
    flow.set("x", 99_999.0);
    flow.wait_ms(600);
    flow.press("PgDn");
    assert_eq!(
        (flow.health(), flow.moved(), flow.rows()[0].member.clone()),
        (behind(None), Some((10, 11)), "m011".into())
    );
    flow.set("y", 99_999.0);
    flow.wait_ms(600);
    assert_eq!((flow.health(), flow.rows()[0].member.clone()), (behind(Some(1)), "m011".into()));
}

#[test]
fn rows_beyond_the_edges_of_a_held_page() {
    let mut flow = Flow::of(10, &ladder(10));
    flow.press("Space");
    flow.press("PgDn");
    assert_eq!((flow.first(), flow.notice()), (1, "this is the last page"));
    flow.set("x", 1.0);
    flow.press("PgDn");
    assert_eq!((flow.first(), flow.selected().as_str()), (11, "x"), "there is a further page by now");

    let mut flow = Flow::of(10, &ladder(10));
    flow.press("Space");
    flow.set("m009", 1.0);
    let rows = flow.rows();
    flow.press("PgUp");
    assert_eq!((flow.rows(), flow.notice()), (rows, "this is the first page"), "nobody stands above it");
    flow.set("x", 99_999.0);
    flow.press("PgUp");
    assert_eq!((flow.first(), flow.rows()[0].member.clone()), (1, "x".into()));
}

#[test]
fn nothing_that_nobody_asked_for_touches_it() {
    // A refresh and a followed member that were asked for before, a new connection, a new size, a change told.
    for follow in [false, true] {
        let mut flow = Flow::open(Opening { pushes: true, mode: WatchMode::Push, ..Opening::default() }, &ladder(50));
        if follow {
            flow.press("Enter");
        }
        flow.is_slow = true;
        flow.set("m001", 9_705.0);
        flow.wait_ms(150);
        flow.feed(ranktop::app::event::Event::Pushed);
        assert_eq!(flow.under_way.len(), 1);
        flow.press("Space");
        let rows = flow.rows();
        flow.deliver();
        flow.is_slow = false;
        flow.cut();
        flow.link(Link::Up { pushes: true });
        flow.feed(ranktop::app::event::Event::Pushed);
        flow.resize(15);
        flow.wait_ms(20_000);
        assert_eq!((flow.rows(), flow.health()), (rows, behind(Some(1))), "follow: {follow}");
        flow.press("Space");
        assert_eq!((flow.rows().len(), flow.at()), (15, if follow { 29 } else { 1 }));
    }
}

#[test]
fn a_told_change_is_not_read_for_and_a_followed_member_not_looked_for() {
    let mut flow = Flow::open(Opening { pushes: true, mode: WatchMode::Push, ..Opening::default() }, &ladder(50));
    flow.press("Enter");
    flow.press("Space");
    let reads = flow.reads;
    flow.remove("m001");
    for _ in 0..10 {
        flow.feed(ranktop::app::event::Event::Pushed);
        flow.wait_ms(300);
    }
    assert_eq!(flow.reads, reads);
    flow.cut();
    flow.link(Link::Up { pushes: true });
    assert_eq!((flow.reads, flow.state.session.departed.clone()), (reads + 1, None), "the page that is held has it");
    flow.press("Space");
    assert!(flow.state.session.departed.is_some() && flow.follows().is_none());
}

#[test]
fn how_far_behind_it_is_shows_within_an_interval_also_where_the_server_tells() {
    let mut flow = Flow::open(Opening { pushes: true, mode: WatchMode::Push, ..Opening::default() }, &ladder(50));
    flow.press("Space");
    for ahead in 1..4 {
        flow.set("m001", f64::from(ahead));
        let interval = flow.state.session.watch.interval;
        flow.wait_ms(u64::try_from(interval.as_millis()).unwrap() + 1);
        assert_eq!(flow.health(), behind(Some(ahead.into())));
    }
}

#[test]
fn trouble_while_held_is_shown_and_cleared_by_a_read_that_leaves_the_page() {
    let mut flow = held();
    let rows = flow.rows();
    flow.set("m001", 1.5);
    flow.trouble = Some(unreachable());
    flow.wait_ms(600);
    assert!(matches!(flow.health(), Health::Stale { .. }));
    flow.trouble = None;
    let reads = flow.reads;
    flow.wait_ms(600);
    assert_eq!((flow.health(), flow.reads, flow.rows()), (behind(Some(1)), reads + 1, rows));
}

#[test]
fn an_empty_page_is_not_held() {
    let mut flow = Flow::open(Opening { page_size: PageSize::Rows(5), ..Opening::default() }, &[]);
    flow.press("Space");
    flow.write(|boards, board| boards.fill(board, ladder(9)));
    flow.wait_ms(600);
    assert_eq!(flow.rows().len(), 5);
    flow.write(Boards::delete);
    flow.wait_ms(60_000);
    assert_eq!(flow.rows().len(), 5, "from then on it is");
}

#[test]
fn dense_ranks_come_to_a_held_page_that_has_not_changed() {
    let mut flow = held();
    let dense = |flow: &Flow| flow.state.session.shown.as_ref().unwrap().window.distinct_better;
    assert_eq!(dense(&flow), None);
    flow.press("s");
    flow.press("s");
    assert_eq!((dense(&flow), flow.notice().starts_with("dense ranks")), (Some(0), true));
}

#[test]
fn versions_at_the_ends_of_the_numbers_are_not_counted() {
    for (held, seen) in [(i64::MIN, i64::MAX), (i64::MAX, i64::MIN)] {
        let mut flow = Flow::of(10, &ladder(5));
        let set = |flow: &Flow, version: i64| {
            flow.write_quietly(|boards, board| boards.set_version(board, Some(version.to_string().as_bytes())));
        };
        set(&flow, held);
        flow.wait_ms(600);
        flow.press("Space");
        set(&flow, seen);
        flow.wait_ms(600);
        assert_eq!(flow.health(), Health::Held { behind: None, has_changed: true });
    }
}
