//! The refresh banner: exact numbers in each case, what it is compared with, and what answers it.

use ranktop::app::event::Event;
use ranktop::app::page::banner::Banner;
use ranktop::app::settings::Paging;
use ranktop::store::memory::Boards;

use super::harness::{Flow, Opening, entries, ladder, lines, score};

fn drift(from: &str, to: &str, boundary: (u64, u64)) -> (Option<String>, Option<String>, u64, u64) {
    (Some(from.to_owned()), Some(to.to_owned()), boundary.0, boundary.1)
}

#[test]
fn equal_versions_say_nothing() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.press("PgDn");
    assert_eq!((flow.first(), flow.state.session.banner.clone()), (11, None));
}

#[test]
fn newcomers_above_leavers_above_and_changes_below() {
    let cases: [(&str, f64, (u64, u64)); 3] =
        [("x", 99_999.0, (10, 11)), ("m003", 1.0, (10, 9)), ("m040", 2.0, (10, 10))];
    for (member, value, boundary) in cases {
        let mut flow = Flow::of(10, &ladder(50));
        flow.press("Space");
        flow.set(member, value);
        flow.press("PgDn");
        assert_eq!(flow.drift(), Some(drift("1", "2", boundary)), "{member}");
        assert_eq!(flow.rows()[0].member, "m011".into(), "the turn goes on from the last row read");
    }
}

#[test]
fn the_anchor_moved_was_deleted_or_lost_its_tie_group() {
    let tied = || {
        let mut rows = ladder(50);
        for row in &mut rows[7..13] {
            row.score = score(9925.0);
        }
        rows.sort_by(|a, b| b.score.cmp(&a.score).then(b.member.cmp(&a.member)));
        rows
    };
    for (leavers, value, to) in [
        (vec![9_usize], None, 9),
        (vec![9], Some(99_999.0), 10),
        (vec![9], Some(1.0), 9),
        ((0..50).collect::<Vec<_>>(), Some(7.0), 0),
    ] {
        let rows = tied();
        let mut flow = Flow::of(10, &rows);
        flow.press("Space");
        flow.write(|boards, board| {
            for at in leavers {
                match value {
                    Some(value) => boards.score(board, rows[at].member.clone(), score(value)),
                    None => boards.remove(board, &rows[at].member),
                }
            }
        });
        flow.press("PgDn");
        assert_eq!(flow.drift(), Some(drift("1", "2", (10, to))));
    }
    // The whole group of the anchor leaves.
    let rows = tied();
    let group: Vec<_> = rows.iter().filter(|row| row.score == score(9925.0)).map(|row| row.member.clone()).collect();
    let above = rows.iter().position(|row| row.score == score(9925.0)).unwrap() as u64;
    let mut flow = Flow::of(u16::try_from(above).unwrap() + 2, &rows);
    flow.press("Space");
    flow.write(|boards, board| group.iter().for_each(|member| boards.remove(board, member)));
    flow.press("PgDn");
    assert_eq!(flow.drift(), Some(drift("1", "2", (above + 2, above))));
}

#[test]
fn a_version_that_goes_down_vanishes_or_appears_is_a_change() {
    let cases: [(Option<&str>, Option<&str>); 4] =
        [(Some("7"), Some("3")), (Some("7"), None), (None, Some("1")), (Some("a"), Some("b"))];
    for (from, to) in cases {
        let mut flow = Flow::of(10, &[]);
        let set = |flow: &Flow, version: Option<&str>| {
            flow.write_quietly(|boards, board| boards.set_version(board, version.map(str::as_bytes)));
        };
        flow.write_quietly(|boards, board| boards.fill(board, ladder(50)));
        set(&flow, from);
        flow.wait_ms(600);
        flow.press("Space");
        set(&flow, to);
        flow.press("PgDn");
        assert_eq!(flow.drift(), Some((from.map(str::to_owned), to.map(str::to_owned), 10, 10)));
    }
}

#[test]
fn a_board_that_was_replaced_or_emptied() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.press("Space");
    flow.write(|boards, board| {
        boards.delete(board);
        boards.fill(board, entries(&[("a", 20_000.0), ("b", 9_905.0), ("c", 1.0), ("d", 0.5)]));
    });
    flow.press("PgDn");
    assert_eq!((flow.drift(), flow.selected()), (Some(drift("1", "2", (10, 2))), "c".to_owned()));
    flow.write(Boards::delete);
    flow.press("PgUp");
    assert!(flow.state.session.is_missing);
    assert_eq!((flow.state.session.banner.clone(), flow.selected()), (None, "c".to_owned()), "the last page stays");
}

#[test]
fn live_refreshes_do_not_hide_a_change() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.set("x", 99_999.0);
    flow.wait_ms(600);
    assert_eq!(flow.rows()[0].member, "x".into(), "refreshed");
    assert_eq!(flow.state.session.banner, None);
    flow.set("y", 99_998.0);
    flow.wait_ms(600);
    flow.press("PgDn");
    assert_eq!(flow.drift(), Some(drift("1", "3", (10, 10))), "what was redrawn has been seen");
    assert_eq!(flow.rows()[0].member, "m009".into(), "the last row read was m008");
    flow.press("PgDn");
    assert_eq!(flow.state.session.banner, None, "the next turn clears it");
}

#[test]
fn r_accepts_g_goes_to_the_first_page_esc_keeps() {
    let turned = || {
        let mut flow = Flow::of(10, &ladder(50));
        flow.press("Space");
        flow.set("x", 99_999.0);
        flow.press("PgDn");
        flow.press("Space");
        assert_eq!(flow.moved(), Some((10, 11)));
        flow
    };
    let mut flow = turned();
    flow.set("y", 99_998.0);
    flow.wait_ms(600);
    assert_eq!(flow.moved(), Some((10, 12)), "each read brings it up to date");
    flow.press("r");
    assert_eq!(flow.state.session.banner, None);
    flow.press("PgDn");
    assert_eq!(flow.state.session.banner, None, "accepted: there is a new baseline");

    let mut flow = turned();
    flow.press("g");
    assert_eq!((flow.first(), flow.at(), flow.state.session.banner.clone()), (1, 1, None));

    let mut flow = turned();
    let rows = flow.rows();
    flow.press("Esc");
    assert_eq!((flow.rows(), flow.state.session.banner.clone()), (rows, None));
    flow.set("y", 99_998.0);
    flow.press("PgUp");
    assert_eq!(flow.moved(), Some((11, 12)), "compared with the page that was turned to");
}

#[test]
fn a_new_baseline_is_what_r_read_and_not_what_esc_kept() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.set("x", 99_999.0);
    flow.wait_ms(600);
    flow.press("r");
    flow.set("y", 99_998.0);
    flow.wait_ms(600);
    flow.press("PgDn");
    assert_eq!(flow.drift(), Some(drift("2", "3", (10, 10))));
}

#[test]
fn backward_the_boundary_is_what_stands_strictly_before_the_first_row() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.press("PgDn");
    flow.press("PgDn");
    assert_eq!(flow.first(), 21);
    flow.press("Space");
    flow.remove("m002");
    flow.press("PgUp");
    assert_eq!(flow.drift(), Some(drift("1", "2", (20, 19))));
    assert_eq!((flow.first(), flow.rows()[9].member.clone()), (10, "m020".into()));
}

#[test]
fn without_a_version_it_is_said_once_and_a_moved_boundary_is_told() {
    let mut flow = Flow::of(10, &[]);
    flow.no_version();
    flow.write_quietly(|boards, board| boards.fill(board, ladder(50)));
    flow.wait_ms(600);
    flow.press("PgDn");
    assert_eq!(flow.state.session.banner, Some(Banner::Unversioned));
    flow.press("PgDn");
    assert_eq!(flow.state.session.banner, None, "once");
    flow.write_quietly(|boards, board| boards.score(board, "x".into(), score(99_999.0)));
    flow.press("PgDn");
    assert_eq!(flow.drift(), Some((None, None, 30, 31)));
}

#[test]
fn position_paging_both_ways() {
    let mut flow = Flow::open(Opening { paging: Paging::Position, ..Opening::default() }, &ladder(50));
    flow.press("Space");
    flow.set("x", 99_999.0);
    flow.press("PgDn");
    assert_eq!((flow.first(), flow.moved(), flow.rows()[0].member.clone()), (11, Some((10, 11)), "m010".into()));
    flow.remove("x");
    flow.press("PgUp");
    assert_eq!((flow.first(), flow.moved()), (1, Some((10, 9))));
}

#[test]
fn a_page_of_another_length_is_the_same_moment() {
    for (table, next) in [(20, 21), (5, 6)] {
        let mut flow = Flow::of(10, &ladder(50));
        flow.resize(table);
        flow.wait_ms(100);
        assert_eq!(flow.rows().len(), usize::from(table));
        assert_eq!(flow.notice(), "", "no protocol was broken");
        flow.press("Space");
        flow.set("x", 99_999.0);
        flow.press("PgDn");
        assert_eq!(flow.moved(), Some((next - 1, next)), "the boundary is that of the page as it is");
    }
    // Where the board had changed, the version stays that at which the page was turned to.
    let mut flow = Flow::of(10, &ladder(50));
    flow.set("x", 99_999.0);
    flow.wait_ms(600);
    flow.feed(Event::Resized { columns: 80, lines: lines(20) });
    flow.wait_ms(100);
    flow.press("PgDn");
    assert_eq!(flow.drift(), Some(drift("1", "2", (20, 20))));
}

#[test]
fn a_jump_compares_nothing() {
    for keys in [&["End"][..], &["PgDn", "Home"]] {
        let mut flow = Flow::of(10, &ladder(50));
        flow.press("Space");
        flow.set("x", 99_999.0);
        for key in keys {
            flow.press(key);
        }
        assert_eq!(flow.state.session.banner, None);
    }
}
