//! The ties command on a board in memory, which others may write to between any two reads.

use super::*;
use crate::board::entry::Entry;
use crate::board::order::Order;
use crate::board::packed::scoring::ScoringOptions;
use crate::commands::busy::Busy;
use crate::store::memory::MemorySource;
use proptest::prelude::*;
use serde_json::{Value, json};

fn board() -> Board {
    Board { key: "b".into(), order: Order::Desc, version_key: "b:version".into(), meta_key: "b:meta".into() }
}

/// A board with groups of these sizes, 1 for somebody alone, from the top down.
fn groups(sizes: &[u64]) -> MemorySource {
    let home = MemorySource::default();
    let mut number = 0_u32;
    let mut entries = Vec::new();
    for (size, value) in sizes.iter().zip((0..1_000_000_u32).rev()) {
        for _ in 0..*size {
            number += 1;
            entries.push(Entry::new(number.to_be_bytes().to_vec(), Score::new(value.into()).unwrap()));
        }
    }
    home.write(|boards| {
        boards.fill(&board(), entries);
        boards.increment_version(&board());
    });
    home
}

fn request(at: u64, limit: usize) -> TiesRequest {
    let wishes = ReadOptions {
        address: "h:1".into(),
        order: None,
        rank_style: None,
        scoring: ScoringOptions::default(),
        is_probing: false,
    };
    TiesRequest { wishes, at, limit, format: ListFormat::Json }
}

/// What is printed, what is said, and how it ends.
async fn run(home: &mut impl BoardSource, request: &TiesRequest) -> (Value, String, Result<(), Failure>) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let end = ties(home, &board(), request, &mut out, &mut err).await;
    (serde_json::from_slice(&out).unwrap_or_default(), String::from_utf8(err).unwrap(), end)
}

/// Position of the first member and size of each group, and where to go on.
async fn found(home: &mut impl BoardSource, at: u64, limit: usize) -> (Vec<(u64, u64)>, Option<u64>) {
    let (out, err, end) = run(home, &request(at, limit)).await;
    assert_eq!((err.as_str(), end), ("", Ok(())));
    let number = |value: &Value| value.as_u64().unwrap();
    let groups = out["groups"].as_array().unwrap().iter().map(|group| {
        assert_eq!(number(&group["last"]), number(&group["first"]) + number(&group["size"]) - 1);
        (number(&group["first"]), number(&group["size"]))
    });
    (groups.collect(), out["next"].as_u64())
}

/// The same, obviously: `sizes` are those of all groups, 1 for somebody alone.
fn expected(sizes: &[u64], at: u64, limit: usize) -> (Vec<(u64, u64)>, Option<u64>) {
    let mut first = 1;
    let mut all = Vec::new();
    for size in sizes {
        if *size > 1 && first + size > at {
            all.push((first, *size));
        }
        first += size;
    }
    let next = all.get(limit).map(|(first, _)| *first);
    all.truncate(limit);
    (all, next)
}

async fn check(sizes: &[u64], at: u64, limit: usize) {
    let found = found(&mut groups(sizes), at, limit).await;
    assert_eq!(found, expected(sizes, at, limit), "at {at} limit {limit} of {sizes:?}");
}

#[tokio::test]
async fn from_every_position_of_a_small_board() {
    for sizes in [&[1, 2, 1, 3, 1][..], &[2, 2], &[1, 1, 1], &[5], &[1, 4], &[4, 1]] {
        let total: u64 = sizes.iter().sum();
        for at in 1..=total + 2 {
            for limit in 1..=3 {
                check(sizes, at, limit).await;
            }
        }
    }
}

#[tokio::test]
async fn groups_at_the_edges_of_a_read() {
    for alone in ROWS - 3..=ROWS + 1 {
        let mut sizes = vec![1; usize::try_from(alone).unwrap()];
        sizes.extend([2, 3, 2 * ROWS, 2, 1]);
        for limit in [1, 2, 3, 4, 9] {
            for at in [1, alone, alone + 2, alone + 7] {
                check(&sizes, at, limit).await;
            }
        }
    }
}

#[tokio::test]
async fn over_any_distance() {
    let mut sizes = vec![1; 5_000];
    sizes.push(2);
    let mut home = Busy { home: groups(&sizes), reads: 0, write: |_: &MemorySource, _| {} };
    assert_eq!(found(&mut home, 1, 1).await, (vec![(5001, 2)], None));
    assert!(home.reads < 8, "{}", home.reads);
    // With all that were wanted in hand, it does not go on for ever to see whether there are more.
    sizes.insert(0, 2);
    let mut home = Busy { home: groups(&sizes), reads: 0, write: |_: &MemorySource, _| {} };
    let (all, next) = found(&mut home, 1, 1).await;
    assert_eq!((all, home.reads), (vec![(1, 2)], 3));
    assert_eq!(found(&mut home, next.unwrap(), 1).await, (vec![(5003, 2)], None));
}

#[tokio::test]
async fn ranks_are_of_the_first_member_in_the_style_and_order_that_the_board_says() {
    let mut home = groups(&[1, 2, 3]);
    home.write(|boards| boards.set_meta(&board(), "order", Some(b"asc")));
    for (style, ranks) in [
        (RankStyle::Competition, json!([1, 4])),
        (RankStyle::Modified, json!([3, 5])),
        (RankStyle::Dense, json!([1, 2])),
        (RankStyle::Ordinal, json!([1, 4])),
        (RankStyle::Fractional, json!([2, 4.5])),
    ] {
        home.write(|boards| boards.set_meta(&board(), "rank", Some(style.name().as_bytes())));
        let (out, ..) = run(&mut home, &request(2, 9)).await;
        let found: Vec<_> = out["groups"].as_array().unwrap().iter().map(|group| &group["rank"]).collect();
        assert_eq!(json!(found), json!(ranks.as_array().unwrap()), "{style:?}");
        assert_eq!(out["version"], "1");
    }
}

#[tokio::test]
async fn a_board_that_changes_on_the_way_is_said_to_have_changed() {
    let mut sizes = vec![1; 300];
    sizes.extend([2, 1, 1]);
    let increment = |home: &MemorySource, read| {
        if read == 1 {
            home.write(|boards| boards.increment_version(&board()));
        }
    };
    let mut home = Busy { home: groups(&sizes), reads: 0, write: increment };
    let (out, err, end) = run(&mut home, &request(1, 9)).await;
    assert_eq!((&out["version"], &out["groups"][0]["first"], end), (&json!("1"), &json!(301), Ok(())));
    assert_eq!(err, "warning: the board changed while it was read: versions 1…2\n");

    // The answer that there are no more groups has no version, and yet the change is seen.
    let mut home = Busy { home: groups(&[1; 300]), reads: 0, write: increment };
    let (out, err, _) = run(&mut home, &request(1, 9)).await;
    assert_eq!((&out["groups"], err.is_empty()), (&json!([]), false));

    let delete = |home: &MemorySource, read| {
        if read == 1 {
            home.write(|boards| boards.delete(&board()));
        }
    };
    let mut home = Busy { home: groups(&sizes), reads: 0, write: delete };
    let (_, err, end) = run(&mut home, &request(1, 9)).await;
    assert_eq!((err.as_str(), end), ("warning: the board changed while it was read: 304…0 players\n", Ok(())));
}

#[tokio::test]
async fn a_board_that_is_not_there() {
    let (_, _, end) = run(&mut MemorySource::default(), &request(1, 9)).await;
    let failure = end.unwrap_err();
    assert_eq!((failure.exit, failure.message.as_str()), (Exit::Missing, "no board 'b' at h:1"));
}

proptest! {
    #[test]
    fn any_board_gives_its_groups(
        sizes in prop::collection::vec(prop_oneof![6 => Just(1_u64), 2 => 2_u64..5, 1 => 100_u64..500], 1..400),
        at in 1_u64..600, limit in 1_usize..40,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(check(&sizes, at, limit));
    }
}
