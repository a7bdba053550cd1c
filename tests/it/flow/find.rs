//! Looking for somebody by an id, or by a part of an id or of a name.

use ranktop::board::names::NamesLocation;
use ranktop::query::page::SEARCH_STEP;

use super::harness::{Flow, ladder, unreachable};

fn named(flow: &Flow, names: &[(&str, &str)]) {
    flow.write_quietly(|boards, _| {
        let home = NamesLocation::Hash("b:names".into());
        for (member, name) in names {
            boards.set_name(&home, &(*member).into(), Some(name.as_bytes()));
        }
    });
}

fn find(flow: &mut Flow, text: &str) {
    flow.press("/");
    flow.type_in(text);
}

#[test]
fn an_id_comes_before_what_it_is_a_part_of() {
    let mut flow = Flow::of(10, &ladder(50));
    named(&flow, &[("m003", "not m007")]);
    find(&mut flow, "m007");
    assert_eq!((flow.selected().as_str(), flow.finds), ("m007", 0));
}

#[test]
fn names_are_found_in_board_order_both_ways_and_around() {
    let mut flow = Flow::of(10, &ladder(50));
    named(&flow, &[("m031", "Ada"), ("m009", "Adam"), ("m044", "nevada")]);
    find(&mut flow, "ada");
    assert_eq!(flow.selected(), "m009");
    let mut visited = Vec::new();
    for key in ["n", "n", "n", "N", "N"] {
        flow.press(key);
        visited.push(flow.selected());
    }
    assert_eq!(visited, ["m031", "m044", "m009", "m044", "m031"]);
    flow.press("n");
    assert_eq!(flow.notice(), "");
    flow.press("n");
    assert_eq!(flow.notice(), "search wrapped around to the top of the board");
    find(&mut flow, "Ada");
    assert_eq!(flow.selected(), "m009");
    flow.press("N");
    assert_eq!((flow.selected().as_str(), flow.notice()), ("m031", "search wrapped around to the end of the board"));
}

#[test]
fn a_part_of_an_id_is_found_and_what_is_nowhere_is_said() {
    let mut flow = Flow::of(10, &ladder(50));
    find(&mut flow, "049");
    assert_eq!(flow.selected(), "m049");
    find(&mut flow, "zz");
    assert_eq!((flow.selected().as_str(), flow.notice()), ("m049", "nothing on this board matches 'zz'"));
    flow.press("n");
    assert_eq!(flow.notice(), "nothing on this board matches 'zz'");
}

#[test]
fn n_without_anything_looked_for_says_so() {
    let mut flow = Flow::of(10, &ladder(50));
    flow.press("n");
    assert_eq!((flow.notice(), flow.finds), ("nothing to find yet; press / and type an id or a name", 0));
}

#[test]
fn a_long_search_goes_in_steps_and_escape_stops_it() {
    let count = u32::try_from(3 * SEARCH_STEP).unwrap();
    let mut flow = Flow::of(10, &ladder(count));
    find(&mut flow, "nobody");
    assert_eq!(flow.finds, 3);
    flow.is_slow = true;
    flow.press("n");
    let mut reached = Vec::new();
    for _ in 0..2 {
        let event = flow.found.pop_front().unwrap();
        flow.feed(event);
        reached.push(flow.state.find.progress().unwrap());
    }
    assert_eq!(reached, [(true, SEARCH_STEP + 1), (true, 2 * SEARCH_STEP + 1)]);
    assert_eq!(flow.at(), 1, "the page stays meanwhile");
    flow.press("Esc");
    let event = flow.found.pop_front().unwrap();
    flow.feed(event);
    assert_eq!((flow.state.find.progress(), flow.found.len(), flow.at()), (None, 0, 1));
}

#[test]
fn a_key_pressed_again_meanwhile_is_not_lost() {
    let mut flow = Flow::of(10, &ladder(50));
    find(&mut flow, "m0");
    flow.is_slow = true;
    flow.press("n");
    flow.press("n");
    let event = flow.found.pop_front().unwrap();
    flow.feed(event);
    // The page that shows the second match is under way; two more go on from there.
    flow.press("n");
    while !flow.found.is_empty() || !flow.under_way.is_empty() {
        match flow.found.pop_front() {
            Some(event) => flow.feed(event),
            None => flow.deliver(),
        }
    }
    assert_eq!(flow.selected(), "m004");
}

#[test]
fn a_search_that_meets_trouble_says_so() {
    let mut flow = Flow::of(10, &ladder(50));
    find(&mut flow, "m04");
    flow.is_slow = true;
    flow.trouble = Some(unreachable());
    flow.press("n");
    let event = flow.found.pop_front().unwrap();
    flow.feed(event);
    assert!(flow.notice().starts_with("search for 'm04' failed: "), "{}", flow.notice());
}
