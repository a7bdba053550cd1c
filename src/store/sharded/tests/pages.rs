//! Boards at rest.

use super::*;
use crate::board::grouping::{Cut, Grouping};
use crate::board::packed::scoring::Scoring;
use crate::board::sharded::placement::part_of;
use crate::board::sharded::spread::Doubt;

/// Ranks by tens of scores.
fn cut(rounds_up: bool) -> Scoring {
    Grouping::Cut(Cut { width: score(10.0), offset: score(3.0), rounds_up }).into()
}

/// Turns that may follow.
const TURNS: [&[bool]; 4] = [&[], &[true], &[false, false], &[true, true, false, true]];

/// Every start with this place and position.
fn starts(place: &Entry, position: u64) -> [PageStart; 13] {
    [
        PageStart::Position(position),
        PageStart::Last,
        PageStart::After(place.clone()),
        PageStart::Before(place.clone()),
        PageStart::From(place.clone()),
        PageStart::Place(place.clone()),
        PageStart::Member(place.member.clone()),
        PageStart::Row(position),
        PageStart::Score(place.score),
        PageStart::NextTie(place.score),
        PageStart::PreviousTie(place.score),
        PageStart::NextScore(place.score),
        PageStart::PreviousScore(place.score),
    ]
}

/// Asks everything that can be asked with a place and a position, and compares each answer with that of one sorted set.
fn compare(entries: &[Entry], parts: &mut MemoryParts, place: &Entry, position: u64, size: u64) {
    let board = board(parts.order);
    run(async {
        for (at, whence) in starts(place, position).into_iter().enumerate() {
            let request = PageRequest {
                lead: size / 3,
                fill: at % 2 == 0,
                anchor: Some(Anchor { place: place.clone(), inclusive: position.is_multiple_of(2) }),
                track: Some(place.member.clone()),
                dense: at % 3 == 0,
                scoring: if (at + usize::try_from(size).unwrap_or(0)) % 3 == 1 {
                    cut(at % 2 == 0)
                } else {
                    Scoring::default()
                },
                turns: TURNS[usize::try_from(position).unwrap_or(0) % TURNS.len()].to_vec(),
                ..PageRequest::new(whence, size)
            };
            let expected = single(entries, &board, &request).await;
            parts.trips = 0;
            let (reply, spread) = sharded(parts, &board, &request).await;
            assert!(
                reply == expected,
                "{request:?}\nexpected {expected:?}\nbut read {reply:?}\n{} parts",
                parts.parts.len()
            );
            assert!(spread.is_none_or(|spread| spread.doubt == Doubt::Nothing));
            // Two for the rows, two for the same once more, and those of the way there.
            assert!(parts.trips <= 16, "{} trips for {request:?}", parts.trips);
        }
    });
}

/// Rows by few scores or many, some of one large tie group.
fn rows(count: u64, scores: u64) -> Vec<Entry> {
    let row = |number: u64| {
        let value = match mixed(number) % 100 {
            0..15 => 77,
            _ => mixed(number + 1_000_000) % scores,
        };
        Entry::new(
            format!("m{}", mixed(number) % 100_000_000).as_str(),
            score(f64::from(u32::try_from(value).unwrap())),
        )
    };
    let mut rows: Vec<Entry> = (0..count).map(row).collect();
    rows.sort_by(|a, b| a.member.cmp(&b.member));
    rows.dedup_by(|a, b| a.member == b.member);
    rows
}

type Placement = fn(&Entry, usize) -> usize;

/// By which rules members may be placed; readers know none of them.
fn placements() -> [(&'static str, Placement); 5] {
    [
        ("by hash", |entry, count| part_of(entry.member.as_bytes(), u32::try_from(count).unwrap()) as usize),
        ("all in one part", |_, _| 0),
        ("by score", |entry, count| {
            let score: usize = entry.score.to_string().parse().unwrap();
            score * count / if score < 90 { 90 } else { 5_000 }
        }),
        ("by member", |entry, _| usize::from(entry.member.as_bytes().get(1).copied().unwrap_or_default())),
        ("sizes by halves", |entry, _| part_of(entry.member.as_bytes(), u32::MAX).trailing_zeros() as usize),
    ]
}

#[test]
fn every_question_on_any_number_of_parts_and_any_placement() {
    for order in [Order::Desc, Order::Asc] {
        for (name, place) in placements() {
            for count in [1, 4, 16, 64] {
                let entries = rows(700, 90);
                let mut parts = MemoryParts::new(&entries, order, count, |entry| place(entry, count));
                for step in 0..6_u64 {
                    let chosen = &entries[usize::try_from(mixed(step) % entries.len() as u64).unwrap()];
                    let place = if step % 2 == 0 { chosen.clone() } else { Entry::new("m5", chosen.score) };
                    let position = mixed(step + 77) % (entries.len() as u64 + 20);
                    println!("{name} {count} {order:?} {step}");
                    compare(&entries, &mut parts, &place, position.max(1), 1 + mixed(step) % 40);
                }
            }
        }
    }
}

#[test]
fn deep_jumps_take_few_trips_for_hashed_members_and_more_but_are_exact_for_any_others() {
    let entries = rows(20_000, 5_000);
    let mut sorted = entries.clone();
    sorted.sort_by(|a, b| Order::Desc.compare(a, b));
    for (name, place) in placements() {
        for count in [1, 4, 16, 64] {
            let mut parts = MemoryParts::new(&entries, Order::Desc, count, |entry| place(entry, count));
            let (mut worst, mut sum, jumps) = (0, 0, 25_u32);
            for step in 0..jumps {
                let position = 1 + mixed(step.into()) % 20_000;
                let request = PageRequest::new(PageStart::Position(position), 30);
                parts.trips = 0;
                let (reply, _) = run(sharded(&mut parts, &board(Order::Desc), &request));
                let PageReply::Page(page) = reply else { panic!("a position has a page") };
                let from = usize::try_from(position - 1).unwrap();
                let wanted: Vec<Entry> = sorted.iter().skip(from).take(30).cloned().collect();
                assert!(page.window.entries == wanted && page.window.verified, "{name} {count} at {position}");
                worst = worst.max(parts.trips);
                sum += parts.trips;
            }
            println!("{name}, {count} parts: {} trips, worst {worst}", f64::from(sum) / f64::from(jumps));
            assert!(worst <= 14, "{name}, {count} parts: {worst} trips");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn small_boards_of_any_shape(
        values in prop::collection::vec((0_u8..5, 0_u8..30), 0..25), count in 1_usize..7, is_desc: bool,
        member in 0_u8..30, value in 0_u8..6, position in 1_u64..30, size in 1_u64..9,
    ) {
        let mut entries: Vec<Entry> = Vec::new();
        for (value, member) in values {
            let id = vec![b'm', member];
            if !entries.iter().any(|entry| entry.member.as_bytes() == id) {
                entries.push(Entry::new(id, score(f64::from(value) - 2.0)));
            }
        }
        let order = if is_desc { Order::Desc } else { Order::Asc };
        let mut parts = MemoryParts::hashed(&entries, order, count);
        let place = Entry::new(vec![b'm', member], score(f64::from(value) - 2.0));
        compare(&entries, &mut parts, &place, position, size);
    }
}
