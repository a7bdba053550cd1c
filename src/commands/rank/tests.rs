//! The rank command on a board in memory, which others may write to between any two reads.

use super::*;
use crate::board::order::Order;
use crate::board::packed::scoring::ScoringOptions;
use crate::board::score::Score;
use crate::commands::busy::Busy;
use crate::store::memory::MemorySource;
use serde_json::{Value, json};

fn board() -> Board {
    Board { key: "b".into(), order: Order::Desc, version_key: "b:version".into(), meta_key: "b:meta".into() }
}

fn names() -> NamesLocation {
    NamesLocation::Hash("b:names".into())
}

fn score(home: &MemorySource, member: &str, value: f64) {
    home.write(|boards| boards.score(&board(), member.into(), Score::new(value).unwrap()));
}

/// a 60, c and b 50, d 30, e 20, f 10.
fn six() -> MemorySource {
    let home = MemorySource::default();
    for (member, value) in [("a", 60.0), ("b", 50.0), ("c", 50.0), ("d", 30.0), ("e", 20.0), ("f", 10.0)] {
        score(&home, member, value);
    }
    home.write(|boards| boards.increment_version(&board()));
    home
}

fn request(members: &[&str]) -> RankRequest {
    RankRequest {
        wishes: ReadOptions {
            address: "h:1".into(),
            order: None,
            rank_style: None,
            scoring: ScoringOptions::default(),
            is_probing: false,
        },
        members: members.iter().map(|member| Member::from(*member)).collect(),
        around: None,
        format: ListFormat::Json,
    }
}

/// What is printed, what is said, and how it ends.
async fn run(home: &mut impl BoardSource, request: &RankRequest) -> (Value, String, Result<(), Failure>) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let end = rank(home, &board(), &names(), request, &mut out, &mut err).await;
    (serde_json::from_slice(&out).unwrap_or_default(), String::from_utf8(err).unwrap(), end)
}

#[tokio::test]
async fn members_in_the_order_asked_and_some_that_are_not_there() {
    let mut home = six();
    home.write(|boards| boards.set_name(&names(), &"d".into(), Some(b"Dee")));
    let (out, err, end) = run(&mut home, &request(&["d", "x", "b", "d"])).await;
    let dee = json!({"member":"d","name":"Dee","position":4,"rank":4,"score":30,"tied":1,"better":3});
    let bee = json!({"member":"b","name":null,"position":3,"rank":2,"score":50,"tied":2,"better":1});
    assert_eq!(out, json!([dee, {"member":"x","error":"not on this board"}, bee, dee]));
    assert_eq!(err, "");
    let failure = end.unwrap_err();
    assert_eq!((failure.exit, failure.message.as_str()), (Exit::Missing, "'x' is not on board 'b'"));
    let (out, _, end) = run(&mut home, &request(&["x", "y"])).await;
    assert_eq!(out.as_array().unwrap().len(), 2);
    assert_eq!(end.unwrap_err().message, "2 of 2 members are not on board 'b'");
}

#[tokio::test]
async fn neighbours_end_where_the_board_does() {
    let around = async |member: &str, around| {
        let (out, _, end) = run(&mut six(), &RankRequest { around: Some(around), ..request(&[member]) }).await;
        end.unwrap();
        assert_eq!(out[0]["member"], member);
        let rows = out[0]["around"].as_array().unwrap();
        let text = |row: &Value| format!("{}{}", row["member"].as_str().unwrap(), row["rank"]);
        rows.iter().map(text).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(around("b", 1).await, "c2 b2 d4");
    assert_eq!(around("a", 2).await, "a1 c2 b2");
    assert_eq!(around("f", 2).await, "d4 e5 f6");
    assert_eq!(around("d", 499).await, "a1 c2 b2 d4 e5 f6");
}

#[tokio::test]
async fn the_board_says_its_order_and_style_unless_flags_do() {
    let mut home = six();
    home.write(|boards| {
        boards.set_meta(&board(), "order", Some(b"asc"));
        boards.set_meta(&board(), "rank", Some(b"dense"));
    });
    let (out, ..) = run(&mut home, &request(&["a", "c"])).await;
    assert_eq!((&out[0]["position"], &out[0]["rank"], &out[1]["position"]), (&json!(6), &json!(5), &json!(5)));
    let wishes =
        ReadOptions { order: Some(Order::Desc), rank_style: Some(RankStyle::Fractional), ..request(&[]).wishes };
    let (out, ..) = run(&mut home, &RankRequest { wishes, ..request(&["a", "c"]) }).await;
    assert_eq!((&out[0]["rank"], &out[1]["rank"]), (&json!(1), &json!(2.5)));
}

#[tokio::test]
async fn all_members_are_of_one_moment_where_the_board_comes_to_rest() {
    // Somebody climbs in above all before the second member is read, and again before it is read again.
    let write = |home: &MemorySource, read| {
        if matches!(read, 2 | 4) {
            score(home, &format!("x{read}"), 99.0);
            home.write(|boards| boards.increment_version(&board()));
        }
    };
    let mut home = Busy { home: six(), reads: 0, write };
    let (out, err, end) = run(&mut home, &request(&["a", "f"])).await;
    assert_eq!((err.as_str(), end), ("", Ok(())));
    assert_eq!((&out[0]["position"], &out[1]["position"]), (&json!(3), &json!(8)));
    assert_eq!(home.reads, 1 + 2 + 2 + 2);
}

#[tokio::test]
async fn a_board_that_never_rests_is_said_to_have_changed() {
    let write = |home: &MemorySource, _| home.write(|boards| boards.increment_version(&board()));
    let mut home = Busy { home: six(), reads: 0, write };
    let (out, err, end) = run(&mut home, &request(&["a", "b", "f"])).await;
    assert_eq!((out.as_array().unwrap().len(), end), (3, Ok(())));
    // One for the board, two of each attempt until it is seen to have changed, all three of the last.
    assert_eq!(home.reads, 1 + 3 * 2 + 3);
    assert_eq!(err, "warning: the board changed while it was read: versions 9…11\n");
    // One read is of one moment, whatever goes on.
    let (_, err, _) = run(&mut home, &request(&["a"])).await;
    assert_eq!(err, "");
}

#[tokio::test]
async fn without_a_version_a_change_in_size_is_seen() {
    let plain = six();
    plain.write(|boards| boards.set_version(&board(), None));
    let write = |home: &MemorySource, read: u32| score(home, &format!("x{read}"), 1.0);
    let (_, err, _) = run(&mut Busy { home: plain, reads: 0, write }, &request(&["a", "b"])).await;
    assert_eq!(err, "warning: the board changed while it was read: 14…15 players\n");
}

#[tokio::test]
async fn a_member_that_comes_or_goes_while_it_is_read() {
    // It comes between the read that misses it and the one that tells the version.
    let write = |home: &MemorySource, read: u32| {
        if read == 2 {
            score(home, "x", 5.0);
        }
    };
    let (out, err, end) = run(&mut Busy { home: six(), reads: 0, write }, &request(&["x"])).await;
    assert_eq!((&out[0]["position"], err.as_str(), end), (&json!(7), "", Ok(())));

    // It is there whenever it is looked up by the second read, and never by the first.
    let write = |home: &MemorySource, read: u32| {
        if read.is_multiple_of(2) {
            score(home, "x", 5.0);
        } else {
            home.write(|boards| boards.remove(&board(), &"x".into()));
        }
    };
    let (out, err, end) = run(&mut Busy { home: six(), reads: 0, write }, &request(&["x"])).await;
    assert_eq!(out[0]["error"], "not on this board");
    assert_eq!(err, "warning: the board changed while it was read\n");
    assert_eq!(end.unwrap_err().exit, Exit::Missing);
}

#[tokio::test]
async fn a_board_that_is_not_there_or_goes_on_the_way() {
    let (_, _, end) = run(&mut MemorySource::default(), &request(&["a"])).await;
    let failure = end.unwrap_err();
    assert_eq!((failure.exit, failure.message.as_str()), (Exit::Missing, "no board 'b' at h:1"));
    let write = |home: &MemorySource, read| {
        if read == 2 {
            home.write(|boards| boards.delete(&board()));
        }
    };
    let (out, _, end) = run(&mut Busy { home: six(), reads: 0, write }, &request(&["a", "b"])).await;
    assert_eq!((out, end.unwrap_err().exit), (Value::Null, Exit::Missing));
}

#[tokio::test]
async fn a_part_of_a_window_keeps_every_standing() {
    let mut home = six();
    let ask = PageRequest { dense: true, ..PageRequest::new(PageStart::Position(1), 6) };
    let Ok(PageReply::Page(page)) = home.read(&board(), &ask).await else { panic!() };
    for index in 0..6 {
        for around in 0..7 {
            let found = neighbours(&page.window, index, around).unwrap();
            let around = usize::try_from(around).unwrap();
            let (first, last) = (index.saturating_sub(around), (index + around).min(5));
            assert_eq!(found.window.entries, page.window.entries[first..=last]);
            assert_eq!(found.window.entries[found.index], page.window.entries[index]);
            let standings: Vec<_> = page.window.standings().skip(first).take(last - first + 1).collect();
            assert_eq!(found.window.standings().collect::<Vec<_>>(), standings);
            assert!(found.window.is_coherent());
        }
    }
}
