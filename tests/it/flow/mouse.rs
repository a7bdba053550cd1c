//! The wheel does what the arrow keys do, a click selects the row under it.

use ranktop::app::event::{Event, Mouse};
use ranktop::app::overlay::Overlay;
use ranktop::app::page::banner::Banner;
use ranktop::app::settings::PageSize;

use super::harness::{Flow, Opening, ladder};

fn wheel(flow: &mut Flow, down: bool) {
    flow.feed(Event::Mouse(Mouse::Wheel { down }));
}

/// Clicks on a line of the table.
fn click(flow: &mut Flow, line: u16) {
    let line = flow.state.geometry.table_top() + line;
    flow.feed(Event::Mouse(Mouse::Click { line }));
}

#[test]
fn the_wheel_goes_from_row_to_row_and_over_the_edge_of_a_page() {
    let mut flow = Flow::of(10, &ladder(50));
    for _ in 0..9 {
        wheel(&mut flow, true);
    }
    assert_eq!((flow.selected().as_str(), flow.reads), ("m010", 1));
    flow.set("new", 99_999.0);
    wheel(&mut flow, true);
    assert_eq!((flow.selected().as_str(), flow.moved()), ("m011", Some((10, 11))), "a page turn as any other");
    assert!(matches!(flow.state.session.banner, Some(Banner::Changed { is_forward: true, .. })));
    wheel(&mut flow, false);
    assert_eq!(flow.selected(), "m010");
    flow.press("Home");
    wheel(&mut flow, false);
    assert_eq!(flow.notice(), "this is the first page");
}

#[test]
fn the_wheel_scrolls_what_is_open() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.press("?");
    wheel(&mut flow, true);
    wheel(&mut flow, true);
    wheel(&mut flow, false);
    assert_eq!((&flow.state.overlay, flow.at()), (&Some(Overlay::Help(1)), 1));
    flow.press("Esc");
    for (open, overlay) in [("i", Overlay::Inspector), ("d", Overlay::Distribution)] {
        let at = flow.at();
        flow.press(open);
        wheel(&mut flow, true);
        assert_eq!((&flow.state.overlay, flow.at()), (&Some(overlay), at + 1));
        flow.press("Esc");
    }
    flow.press("/");
    flow.feed(Event::Paste("m00".to_owned()));
    let (before, at) = (flow.state.overlay.clone(), flow.at());
    wheel(&mut flow, true);
    wheel(&mut flow, false);
    assert_eq!((flow.state.overlay.clone(), flow.at()), (before, at), "a line that is typed stays");
}

#[test]
fn a_click_selects_the_row_under_it_and_nothing_elsewhere() {
    let mut flow = Flow::of(10, &ladder(5));
    click(&mut flow, 3);
    assert_eq!(flow.selected(), "m004");
    flow.drawn();
    let footer = flow.state.geometry.lines() - 1;
    for line in [0, 1, flow.state.geometry.table_top() + 5, flow.state.geometry.table_top() + 10, footer, u16::MAX] {
        flow.feed(Event::Mouse(Mouse::Click { line }));
    }
    click(&mut flow, 3);
    assert_eq!((flow.selected().as_str(), flow.drawn()), ("m004", false));
    for open in ["?", "i", "d", "/", ":"] {
        flow.press(open);
        let overlay = flow.state.overlay.clone();
        click(&mut flow, 0);
        assert_eq!((flow.selected().as_str(), &flow.state.overlay), ("m004", &overlay), "{open}");
        flow.press("Esc");
    }
    let mut empty = Flow::of(10, &[]);
    click(&mut empty, 0);
    wheel(&mut empty, true);
}

#[test]
fn a_click_counts_from_the_first_row_in_sight_and_lets_go_of_who_is_followed() {
    let mut flow = Flow::open(Opening { page_size: PageSize::Rows(40), ..Opening::default() }, &ladder(50));
    flow.press("PgDn");
    click(&mut flow, 2);
    assert_eq!(flow.selected(), "m013");
    flow.press("Enter");
    assert!(flow.follows().is_some());
    let line =
        u16::try_from(flow.state.session.shown.as_ref().map_or(0, |shown| shown.selected - shown.scroll)).unwrap();
    click(&mut flow, line);
    assert!(flow.follows().is_some(), "it is the selected one");
    click(&mut flow, line + 1);
    assert!(flow.follows().is_none());
    flow.press("Home");
    flow.press("Up");
    assert!(!flow.notice().is_empty());
    click(&mut flow, 4);
    assert_eq!((flow.selected().as_str(), flow.notice()), ("m005", ""));
}
