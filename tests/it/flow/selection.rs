//! The selection follows its member; where that leaves the page, the footer says where it went; and following.

use ranktop::app::session::{Departed, Whereabouts};
use ranktop::store::memory::Boards;

use super::harness::{Flow, ladder, unreachable};

fn departed(flow: &Flow) -> Option<Departed> {
    flow.state.session.departed.clone()
}

fn at(member: &str, position: u64) -> Departed {
    Departed { member: member.into(), whereabouts: Some(Whereabouts::At(position)) }
}

fn gone(member: &str) -> Departed {
    Departed { member: member.into(), whereabouts: Some(Whereabouts::Gone) }
}

fn on(row: usize) -> Flow {
    let mut flow = Flow::of(10, &ladder(50));
    for _ in 1..row {
        flow.press("j");
    }
    flow
}

#[test]
fn it_follows_its_member_on_the_page() {
    let mut flow = on(5);
    flow.set("m005", 99_999.0);
    flow.wait_ms(600);
    assert_eq!((flow.selected().as_str(), flow.at()), ("m005", 1));
    assert_eq!(departed(&flow), None);
}

#[test]
fn a_departed_member_leaves_its_row_and_its_whereabouts() {
    let mut flow = on(5);
    let reads = flow.reads;
    flow.set("m005", 9_705.0);
    flow.wait_ms(600);
    assert_eq!((flow.selected().as_str(), flow.at()), ("m006", 5), "the row is kept");
    assert_eq!(departed(&flow), Some(at("m005", 29)));
    assert_eq!(flow.reads, reads + 2, "one refresh and one more read");

    // The row is kept while it is away, whoever stands there; its whereabouts are kept up to date.
    flow.set("m006", 99_999.0);
    flow.wait_ms(600);
    assert_eq!((flow.at(), departed(&flow)), (5, Some(at("m005", 29))));
    flow.set("m005", 9_605.0);
    flow.wait_ms(600);
    assert_eq!((flow.at(), departed(&flow)), (5, Some(at("m005", 39))));

    flow.press("Enter");
    assert_eq!((flow.selected().as_str(), flow.at(), departed(&flow)), ("m005", 39, None));
    assert_eq!(flow.follows(), Some("m005".into()));
    assert_eq!(flow.at() - flow.first(), 4, "it keeps its line");
}

#[test]
fn a_departed_member_that_comes_back_is_selected_again() {
    let mut flow = on(5);
    flow.set("m005", 9_705.0);
    flow.wait_ms(600);
    flow.set("m005", 99_999.0);
    flow.wait_ms(600);
    assert_eq!((flow.selected().as_str(), departed(&flow)), ("m005", None));
}

#[test]
fn a_member_that_leaves_the_board() {
    let mut flow = on(5);
    flow.remove("m005");
    flow.wait_ms(600);
    assert_eq!((flow.at(), departed(&flow)), (5, Some(gone("m005"))));
    let reads = flow.reads;
    flow.press("Enter");
    assert_eq!((flow.reads, flow.follows()), (reads, None), "there is nobody to follow");
    flow.press("Esc");
    assert_eq!(departed(&flow), None);
    flow.wait_ms(5_000);
    assert_eq!(departed(&flow), None);
}

#[test]
fn following_moves_along() {
    let mut flow = on(3);
    flow.press("Enter");
    for value in [9_705.0, 9_500.5, 99_999.0, 9_555.0] {
        flow.set("m003", value);
        flow.wait_ms(600);
        assert_eq!(flow.selected(), "m003");
    }
    flow.press("Enter");
    assert_eq!(flow.follows(), None, "again: stop");
    let first = flow.first();
    flow.set("m003", 99_999.0);
    flow.wait_ms(600);
    assert_eq!((flow.first(), departed(&flow)), (first, Some(at("m003", 1))));
}

#[test]
fn following_on_the_same_page_keeps_the_baseline() {
    let mut flow = on(1);
    flow.press("Enter");
    flow.set("m002", 9_985.0);
    flow.set("m060", 9_985.0);
    flow.wait_ms(600);
    flow.press("PgDn");
    assert_eq!(flow.moved(), Some((10, 10)), "what was redrawn has been seen");
    assert_eq!(flow.follows(), None, "whoever walks away follows no longer");
}

#[test]
fn a_followed_member_that_leaves_the_board() {
    let mut flow = on(3);
    flow.press("Enter");
    flow.remove("m003");
    flow.wait_ms(600);
    assert_eq!((flow.follows(), departed(&flow)), (None, Some(gone("m003"))));
    let reads = flow.reads;
    flow.wait_ms(3_000);
    assert_eq!(flow.reads, reads, "it is not looked for over and over");
}

#[test]
fn a_late_answer_does_not_follow_again() {
    let mut flow = on(3);
    flow.press("Enter");
    flow.set("m003", 9_705.0);
    flow.is_slow = true;
    flow.wait_ms(600);
    assert_eq!(flow.under_way.len(), 1);
    flow.press("j");
    assert_eq!((flow.follows(), flow.at()), (None, 4));
    flow.is_slow = false;
    flow.deliver();
    assert_eq!((flow.follows(), flow.first(), flow.selected().as_str()), (None, 1, "m004"));
    assert_eq!(flow.rows()[2].member, "m004".into(), "refreshed all the same");
}

#[test]
fn a_shrunk_screen_keeps_a_followed_member_and_the_selected_row() {
    for follow in [false, true] {
        let mut flow = on(9);
        if follow {
            flow.press("Enter");
        }
        flow.resize(4);
        flow.wait_ms(100);
        assert_eq!((flow.rows().len(), flow.selected().as_str(), departed(&flow)), (4, "m009", None));
        assert!(flow.is_in_sight());
    }
}

#[test]
fn a_board_that_shrinks_above_the_page() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.press(":");
    flow.type_in("35");
    flow.write(|boards, board| (20..=50).for_each(|at| boards.remove(board, &format!("m{at:03}").as_str().into())));
    flow.wait_ms(600);
    assert_eq!((flow.first(), flow.rows().len(), flow.at()), (10, 10, 13), "the last page, in the same row");
    assert_eq!(departed(&flow), Some(gone("m035")));

    // Whoever is still on that page stays selected.
    let mut flow = Flow::of(10, &ladder(50));
    flow.press(":");
    flow.type_in("44");
    assert_eq!(flow.first(), 41);
    flow.write(|boards, board| (1..=20).for_each(|at| boards.remove(board, &format!("m{at:03}").as_str().into())));
    flow.wait_ms(600);
    assert_eq!((flow.first(), flow.selected().as_str(), departed(&flow)), (21, "m044", None));
    flow.press("PgUp");
    assert_eq!(flow.moved(), Some((20, 20)), "compared with the page as it was drawn");
}

#[test]
fn a_board_that_is_emptied_keeps_its_last_page_and_comes_back_as_new() {
    let mut flow = on(5);
    let rows = flow.rows();
    flow.write(Boards::delete);
    flow.wait_ms(600);
    assert!(flow.state.session.is_missing);
    assert_eq!((flow.rows(), flow.at()), (rows, 5));
    flow.write(|boards, board| boards.fill(board, ladder(7)));
    flow.set("m002", 1.0);
    flow.wait_ms(600);
    assert!(!flow.state.session.is_missing && flow.state.session.banner.is_none());
    assert_eq!((flow.selected().as_str(), flow.rows().len()), ("m005", 7));
    assert!(flow.state.session.moves.moved.is_empty(), "nobody has moved on a new board");

    // Nor where a key finds it.
    flow.write(Boards::delete);
    flow.wait_ms(600);
    flow.write(|boards, board| boards.fill(board, ladder(7)));
    flow.press("End");
    assert_eq!((flow.state.session.is_missing, flow.at()), (false, 7));
    assert!(flow.state.session.moves.moved.is_empty());

    // At the end, a new board that is shorter is shown to its end.
    let mut flow = on(1);
    flow.press("End");
    flow.write(Boards::delete);
    flow.wait_ms(600);
    flow.write(|boards, board| boards.fill(board, ladder(7)));
    flow.wait_ms(600);
    assert_eq!((flow.state.session.is_missing, flow.first(), flow.at()), (false, 1, 7));
}

#[test]
fn a_board_of_one() {
    let mut flow = Flow::of(10, &ladder(1));
    for key in ["j", "k", "PgDn", "PgUp", "g", "G", "l", "h", "{", "}", "Enter", "Space", "PgDn", "PgUp", "Space"] {
        flow.press(key);
        assert_eq!((flow.selected().as_str(), flow.at()), ("m001", 1), "{key}");
    }
}

#[test]
fn a_trouble_keeps_who_is_followed() {
    let mut flow = on(3);
    flow.press("Enter");
    flow.trouble = Some(unreachable());
    flow.wait_ms(600);
    flow.trouble = None;
    flow.set("m003", 9_705.0);
    flow.wait_ms(600);
    assert_eq!((flow.follows(), flow.at()), (Some("m003".into()), 29));
}
