//! Boards that are written between the trips: what is called verified was on the board at one moment, and no number is
//! further off than it says.

use super::*;
use crate::board::sharded::part::Said;
use crate::board::sharded::spread::Doubt;

/// Rows of all parts as they stood before a trip.
fn whole(parts: &[memory::Part], order: Order) -> Vec<Entry> {
    let mut rows: Vec<Entry> = parts.iter().flat_map(|part| part.rows.iter().cloned()).collect();
    rows.sort_by(|a, b| order.compare(a, b));
    rows
}

/// One of forty scores.
fn small(drawn: u64) -> Score {
    score(f64::from(u32::try_from(drawn % 40).unwrap()))
}

fn members(count: u64) -> Vec<Entry> {
    (0..count).map(|number| Entry::new(format!("m{number}").as_str(), small(mixed(number)))).collect()
}

/// Writes before each of `trips` trips; about `rate` of them.
fn writes(seed: u64, trips: u64, rate: u64, count: u64) -> std::collections::VecDeque<memory::Writes> {
    let one = |number: u64| {
        let member = format!("m{}", mixed(number) % (count + 20));
        let value = (mixed(number + 9) % 45 < 40).then(|| small(mixed(number + 5)));
        (member.as_str().into(), value)
    };
    (0..trips)
        .map(|trip| {
            let from = (seed * 100 + trip) * 100;
            let many = if rate == 0 { 0 } else { mixed(from) % (2 * rate + 1) };
            (from..from + many).map(one).collect()
        })
        .collect()
}

#[test]
fn verified_pages_are_of_one_moment_and_no_number_is_further_off_than_it_says() {
    let (count, shards) = (400, 8);
    let entries = members(count);
    let (mut verified, mut bounded, mut exact) = (0, 0, 0);
    for round in 0..400_u64 {
        let rate = [0, 1, 2, 6][usize::try_from(round % 4).unwrap()];
        let mut parts = MemoryParts::hashed(&entries, Order::Desc, shards);
        parts.keeps_history = true;
        parts.writes = writes(round, 12, rate, count);
        parts.writes.push_front(Vec::new());
        let place = entries[usize::try_from(mixed(round) % count).unwrap()].clone();
        let whence = match round % 5 {
            0 => PageStart::After(place.clone()),
            1 => PageStart::Before(place.clone()),
            2 => PageStart::Score(place.score),
            3 => PageStart::Member(place.member.clone()),
            _ => PageStart::Position(1),
        };
        let request = PageRequest { lead: 3, ..PageRequest::new(whence, 12) };
        let (reply, spread) = run(sharded(&mut parts, &board(Order::Desc), &request));
        let (PageReply::Page(page), Some(spread)) = (reply, spread) else { continue };
        let window = page.window;
        assert!(window.is_coherent(), "{window:?}");
        // The states that the board was in at any trip; T is before the last of them.
        let states: Vec<Vec<Entry>> = parts.history.iter().map(|parts| whole(parts, Order::Desc)).collect();
        if window.verified {
            verified += 1;
            let from = usize::try_from(window.start - 1).unwrap();
            let held = |state: &Vec<Entry>| {
                state.iter().skip(from).take(window.entries.len()).eq(&window.entries)
                    && state.len() as u64 == window.total
            };
            assert!(states.iter().any(held), "round {round}");
            continue;
        }
        let Doubt::Within(errors) = &spread.doubt else { continue };
        bounded += 1;
        exact += u32::from(errors.iter().all(|error| *error == 0));
        // All writes came between the last two trips' answers: the last but one state is one at such a moment.
        let state = &states[states.len() - 2];
        for (at, standing) in window.standings().enumerate() {
            let row = &window.entries[at];
            let position = state.iter().filter(|other| Order::Desc.compare(other, row).is_lt()).count() as u64 + 1;
            let better = state.iter().filter(|other| other.score > row.score).count() as u64;
            assert!(
                position.abs_diff(standing.position) <= errors[at] && better.abs_diff(standing.better) <= errors[at],
                "round {round} row {at}: {position} {better} against {standing:?} ± {}",
                errors[at]
            );
        }
    }
    println!("{verified} verified, {bounded} bounded, of these {exact} exact");
    assert!(verified > 90 && bounded > 60 && exact > 0);
}

#[test]
fn without_versions_that_count_members_nothing_is_claimed() {
    let entries = members(100);
    let mut parts = MemoryParts::hashed(&entries, Order::Desc, 4);
    parts.said = Said::default();
    parts.writes = writes(1, 12, 20, 100);
    let request = PageRequest::new(PageStart::Position(1), 12);
    let (reply, spread) = run(sharded(&mut parts, &board(Order::Desc), &request));
    let PageReply::Page(page) = reply else { panic!("a position has a page") };
    assert!(!page.window.verified);
    assert_eq!(spread.unwrap().doubt, Doubt::Unknown);
}

#[test]
fn a_part_of_another_board_is_an_error() {
    let entries = members(10);
    let mut parts = MemoryParts::hashed(&entries, Order::Desc, 4);
    parts.said = Said { shards: Some(32), ..Said::default() };
    let request = PageRequest::new(PageStart::Position(1), 12);
    let mut totals = Vec::new();
    let error = run(Reader::new(&mut parts, &board(Order::Desc), &mut totals).page(&request)).unwrap_err();
    assert_eq!(error.to_string(), "shard 0 was built for 32 shards, not 4");
}

#[test]
fn a_member_in_two_parts_is_an_error_where_it_is_met() {
    let mut entries = members(10);
    entries.push(Entry::new("m3", score(500.0)));
    let mut number = 0;
    let placed = std::cell::RefCell::new(&mut number);
    let mut parts = MemoryParts::new(&entries, Order::Desc, 2, |_| {
        **placed.borrow_mut() += 1;
        usize::from(**placed.borrow() == 11)
    });
    for whence in [PageStart::Position(1), PageStart::Member("m3".into())] {
        let mut totals = Vec::new();
        let error = run(Reader::new(&mut parts, &board(Order::Desc), &mut totals).page(&PageRequest::new(whence, 20)))
            .unwrap_err();
        assert!(error.to_string().starts_with("'m3' is in shard 0 and in shard 1"), "{error}");
    }
}

#[test]
fn a_part_that_does_not_answer_is_told_and_positions_are_refused() {
    let entries = members(300);
    let mut parts = MemoryParts::hashed(&entries, Order::Desc, 4);
    parts.silent = vec![2];
    let board = board(Order::Desc);
    let (reply, spread) = run(sharded(&mut parts, &board, &PageRequest::new(PageStart::Position(1), 12)));
    let (PageReply::Page(page), Some(spread)) = (reply, spread) else { panic!("a page") };
    assert!(!page.window.verified && page.window.entries.len() == 12);
    assert_eq!((spread.doubt, spread.lost.len(), spread.lost[0].part), (Doubt::Unknown, 1, 2));
    for position in [2, 250] {
        let mut totals = Vec::new();
        let request = PageRequest::new(PageStart::Position(position), 12);
        let error = run(Reader::new(&mut parts, &board, &mut totals).page(&request)).unwrap_err();
        assert!(error.to_string().contains("positions are not known"), "{error}");
    }
    parts.silent = vec![0, 1, 2, 3];
    let mut totals = Vec::new();
    let request = PageRequest::new(PageStart::Position(1), 12);
    assert!(run(Reader::new(&mut parts, &board, &mut totals).page(&request)).is_err());
}
