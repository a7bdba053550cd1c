//! From one tie group to the next over whole boards, both ways, also where the way takes more than one step.

use ranktop::board::entry::Entry;
use ranktop::board::order::Order;
use ranktop::query::page::{PageReply, PageRequest, PageStart, SEARCH_STEP};

use super::{Setup, Trial, run, score};

/// A board whose scores fall from row to row; `sizes` says how many rows share each.
fn rows(order: Order, sizes: &[u64]) -> Vec<Entry> {
    let mut rows = Vec::new();
    let mut value = match order {
        Order::Desc => f64::from(u16::MAX),
        Order::Asc => 0.0,
    };
    for size in sizes {
        for _ in 0..*size {
            rows.push(Entry::new(format!("{}", rows.len()).as_str(), score(value)));
        }
        value += if order == Order::Desc { -1.0 } else { 1.0 };
    }
    rows
}

/// Where the groups of such a board begin.
fn groups(sizes: &[u64]) -> Vec<u64> {
    let mut first = 1;
    let mut groups = Vec::new();
    for size in sizes {
        if *size > 1 {
            groups.push(first);
        }
        first += size;
    }
    groups
}

/// Follows one kind of question from outside the board to `NoFurther`: the targets, and how often it had to go on.
async fn walk<S: Setup>(trial: &mut Trial<S>, is_forward: bool) -> (Vec<u64>, usize) {
    let (mut found, mut steps) = (Vec::new(), 0);
    // Above all rows of a descending board is +inf.
    let is_high = is_forward == (trial.board.order == Order::Desc);
    let mut from = score(if is_high { f64::INFINITY } else { f64::NEG_INFINITY });
    loop {
        let whence = if is_forward { PageStart::NextTie(from) } else { PageStart::PreviousTie(from) };
        match trial.ask(&PageRequest { lead: 2, ..PageRequest::new(whence, 5) }).await {
            PageReply::Page(page) => {
                let target = page.target.unwrap();
                found.push(target);
                from = page.window.entries[usize::try_from(target - page.window.start).unwrap()].score;
            }
            PageReply::Onward { from: score, .. } => {
                steps += 1;
                from = score;
            }
            PageReply::NoFurther => return (found, steps),
            PageReply::NotOnBoard => panic!("no member was asked for"),
        }
    }
}

async fn both_ways<S: Setup>(sizes: &[u64], steps: usize) {
    for order in [Order::Desc, Order::Asc] {
        let mut trial = Trial::<S>::filled(order, rows(order, sizes)).await;
        let mut expected = groups(sizes);
        assert_eq!(walk(&mut trial, true).await, (expected.clone(), steps), "down, {order}");
        expected.reverse();
        assert_eq!(walk(&mut trial, false).await, (expected, steps), "up, {order}");
    }
}

fn ones(count: u64) -> Vec<u64> {
    vec![1; usize::try_from(count).unwrap()]
}

pub(crate) fn groups_next_to_the_edges_of_steps<S: Setup>() {
    run(async {
        for (between, steps) in [
            (SEARCH_STEP - 2, 0),
            (SEARCH_STEP - 1, 1),
            (SEARCH_STEP, 1),
            (SEARCH_STEP * 2 - 3, 1),
            (SEARCH_STEP * 2 - 2, 2),
        ] {
            both_ways::<S>(&[vec![2, 3], ones(between), vec![2, 1, 2]].concat(), steps).await;
        }
    });
}

pub(crate) fn no_groups_at_all<S: Setup>() {
    run(async {
        both_ways::<S>(&ones(SEARCH_STEP), 0).await;
        both_ways::<S>(&ones(SEARCH_STEP + 1), 1).await;
    });
}

pub(crate) fn one_group_larger_than_a_step<S: Setup>() {
    run(async {
        both_ways::<S>(&[SEARCH_STEP + 5], 0).await;
        both_ways::<S>(&[1, SEARCH_STEP * 2, 1, SEARCH_STEP + 1], 0).await;
    });
}
