//! Tie groups and distinct scores: from everywhere against an oracle, over any distance, and searches that take steps.

use proptest::prelude::*;
use ranktop::board::entry::Entry;
use ranktop::board::order::Order;
use ranktop::query::page::SEARCH_STEP;
use ranktop::query::reply::Reply;

use super::harness::{Flow, Opening, score};

/// Position of the first row of the nearest run of `least` or more rows strictly beyond the score at `from`.
fn nearest(rows: &[Entry], order: Order, from: usize, forward: bool, least: usize) -> Option<u64> {
    let score = rows[from].score;
    let starts = rows.iter().enumerate().filter(|(at, row)| {
        let is_start = *at == 0 || rows[at - 1].score != row.score;
        let size = rows.iter().filter(|other| other.score == row.score).count();
        let is_beyond = if forward { order.is_better(score, row.score) } else { order.is_better(row.score, score) };
        is_start && size >= least && is_beyond
    });
    let mut found = starts.map(|(at, _)| at as u64 + 1);
    if forward { found.next() } else { found.next_back() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn from_everywhere_to_the_nearest(
        asc: bool, table in 1..12_u16, values in prop::collection::vec(0..40_u8, 1..60),
    ) {
        let order = if asc { Order::Asc } else { Order::Desc };
        let mut rows: Vec<Entry> = values
            .iter()
            .enumerate()
            .map(|(at, value)| Entry::new(format!("m{at}").as_str(), score(f64::from(*value))))
            .collect();
        rows.sort_by(|a, b| order.compare(a, b));
        let mut flow = Flow::open(Opening { order, table, ..Opening::default() }, &rows);
        for from in 0..rows.len() {
            for (key, forward, least) in
                [("Right", true, 2), ("Left", false, 2), ("l", true, 2), ("h", false, 2), ("}", true, 1), ("{", false, 1)]
            {
                flow.press(":");
                flow.type_in(&(from + 1).to_string());
                let page = flow.rows();
                let reads = flow.reads;
                flow.press(key);
                let target = nearest(&rows, order, from, forward, least);
                prop_assert_eq!(flow.at(), target.unwrap_or(from as u64 + 1), "{} from {}", key, from);
                prop_assert_eq!(flow.notice().is_empty(), target.is_some());
                prop_assert!(flow.is_in_sight());
                // What the page holds is not asked for.
                let is_on_page = target.is_some_and(|at| page.contains(&rows[usize::try_from(at).unwrap() - 1]));
                prop_assert_eq!(flow.reads - reads, usize::from(!is_on_page));
            }
        }
    }
}

/// A board of so many steps without a tie, and a pair at its end.
fn long() -> (Vec<Entry>, u64) {
    let count = 3 * SEARCH_STEP;
    let mut rows: Vec<Entry> = (0..count)
        .map(|at| Entry::new(format!("m{at}").as_str(), score(f64::from(u32::try_from(count - at).unwrap()))))
        .collect();
    rows.extend(["y", "z"].map(|member| Entry::new(member, score(0.0))));
    (rows, count + 1)
}

#[test]
fn a_long_search_goes_in_steps_with_progress() {
    let (rows, target) = long();
    let mut flow = Flow::of(10, &rows);
    flow.is_slow = true;
    flow.press("Right");
    let mut reached = Vec::new();
    for _ in 0..20 {
        flow.deliver();
        match flow.state.session.search {
            Some(search) => {
                assert!(search.forward && flow.drawn());
                reached.push(search.reached);
            }
            None => break,
        }
        assert_eq!(flow.at(), 1, "the page stays meanwhile");
    }
    assert_eq!((flow.at(), flow.selected().as_str()), (target, "z"));
    assert!(reached.len() >= 3 && reached.is_sorted_by(|a, b| a < b), "{reached:?}");

    flow.is_slow = false;
    flow.press("Left");
    assert_eq!((flow.at(), flow.notice()), (target, "no tie group above"));
}

#[test]
fn escape_ends_a_search_and_its_late_answer() {
    let (rows, _) = long();
    let mut flow = Flow::of(10, &rows);
    flow.is_slow = true;
    flow.press("Right");
    flow.deliver();
    assert!(flow.state.session.search.is_some());
    flow.press("j");
    assert_eq!((flow.state.session.search.is_some(), flow.at()), (true, 1), "its turn comes after the search");
    flow.press("Esc");
    flow.deliver();
    assert!(flow.under_way.is_empty(), "nothing goes on");
    assert_eq!((flow.state.session.search, flow.at(), flow.first()), (None, 1, 1));
}

#[test]
fn a_key_during_the_search_comes_after_it() {
    let (rows, target) = long();
    let mut flow = Flow::of(10, &rows);
    flow.is_slow = true;
    flow.press("Right");
    flow.press("Up");
    while !flow.under_way.is_empty() {
        flow.deliver();
    }
    assert_eq!(flow.at(), target - 1);
}

#[test]
fn a_live_board_does_not_end_a_search() {
    let (rows, target) = long();
    let mut flow = Flow::of(10, &rows);
    flow.is_slow = true;
    flow.press("Right");
    flow.feed(ranktop::app::event::Event::Reply(Reply::Version {
        key: "b".into(),
        result: Ok(Some("9".into())),
        took: std::time::Duration::ZERO,
    }));
    while !flow.under_way.is_empty() {
        flow.deliver();
    }
    assert_eq!(flow.at(), target);
}
