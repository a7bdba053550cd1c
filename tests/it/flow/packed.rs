//! What is suggested for packed scores, and the keys that answer it.

use ranktop::app::event::{Effect, Event, Link};
use ranktop::board::entry::Entry;

use super::harness::{Flow, Opening, entries};

/// 2026-10-10 in Unix milliseconds.
const NOW: i64 = 1_791_590_400_000;

/// Scores that are points and milliseconds, and by their low digits points and seconds as well.
fn of_two_forms() -> Vec<Entry> {
    let members: Vec<String> = (1..=12).map(|row| format!("p{row:02}")).collect();
    let rows: Vec<(&str, f64)> =
        (1_i32..).zip(&members).map(|(row, member)| (member.as_str(), f64::from(row) * 1e13 + 8.2184e12)).collect();
    entries(&rows)
}

fn open() -> Flow {
    let mut flow = Flow::closed(Opening::default(), &of_two_forms());
    flow.feed(Event::Clock(NOW));
    flow.link(Link::Up { pushes: false });
    flow
}

fn suggested(flow: &Flow) -> Vec<String> {
    flow.state.packing.suggestion.iter().map(ToString::to_string).collect()
}

const BOTH: [&str; 2] = ["points,time:10=9999999999-s", "points,time:13=1e13-ms"];

#[test]
fn a_window_that_fits_two_forms_names_both_and_enter_takes_the_first() {
    let mut flow = open();
    assert_eq!(suggested(&flow), BOTH);
    assert!(flow.state.packing.scoring.spec().is_none(), "nothing is applied unasked");
    flow.press("Enter");
    assert_eq!(flow.state.packing.scoring.spec().map(ToString::to_string).as_deref(), Some(BOTH[0]));
    assert!(suggested(&flow).is_empty());
}

#[test]
fn y_copies_the_option_and_the_suggestion_stays() {
    let mut flow = open();
    flow.press("y");
    let copied = flow.others.iter().filter_map(|effect| match effect {
        Effect::Copy(text) => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(copied.collect::<Vec<_>>(), [format!("--score '{}'", BOTH[0])]);
    assert_eq!(flow.state.notice.as_deref(), Some("option copied"));
    assert_eq!(suggested(&flow), BOTH);
}

#[test]
fn escape_forgets_it_for_this_board() {
    let mut flow = open();
    flow.press("Esc");
    assert!(suggested(&flow).is_empty());
    flow.press("r");
    assert!(suggested(&flow).is_empty(), "the next page does not bring it back");
    assert!(flow.state.packing.scoring.spec().is_none());
}
