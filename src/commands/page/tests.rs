//! The page command against a board that is a plain list, read in the obvious way.

use super::*;
use crate::board::distribution::{Binning, Distribution};
use crate::board::entry::Entry;
use crate::board::meta::{Meta, Ttl};
use crate::board::names::Name;
use crate::board::packed::scoring::ScoringOptions;
use crate::board::score::Score;
use crate::query::error::StoreError;
use crate::query::listing::Found;
use crate::query::listing::KeySummary;
use crate::query::page::Page;
use serde_json::Value;

/// A list of rows, and what is said about it.
#[derive(Default)]
struct List {
    rows: Vec<Entry>,
    version: Option<Version>,
    meta: Meta,
    trouble: Option<StoreError>,
    names_trouble: Option<StoreError>,
    is_torn: bool,
    reads: usize,
}

impl List {
    fn new(version: Option<&str>, rows: &[(&str, f64)]) -> Self {
        let rows = rows.iter().map(|(member, score)| Entry::new(*member, Score::new(*score).unwrap())).collect();
        Self { rows, version: version.map(Version::from), ..Self::default() }
    }
}

impl BoardSource for List {
    async fn read(&mut self, board: &Board, ask: &PageRequest) -> Result<PageReply, StoreError> {
        self.reads += 1;
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        let order = board.order;
        let mut rows = self.rows.clone();
        rows.sort_by(|a, b| order.compare(a, b));
        let size = usize::try_from(ask.size).unwrap();
        let (from, size) = match &ask.whence {
            PageStart::Position(position) => (usize::try_from(*position).unwrap() - 1, size),
            PageStart::After(place) => (rows.iter().filter(|row| order.compare(row, place).is_le()).count(), size),
            PageStart::Before(place) => {
                let above = rows.iter().filter(|row| order.compare(row, place).is_lt()).count();
                (above.saturating_sub(size), size.min(above))
            }
            PageStart::Member(member) => match rows.iter().position(|row| row.member == *member) {
                Some(at) => (at.saturating_sub(usize::try_from(ask.lead).unwrap()), size),
                None => return Ok(PageReply::NotOnBoard),
            },
            other => panic!("the page command does not ask for {other:?}"),
        };
        let entries: Vec<_> = rows.iter().skip(from).take(size).cloned().collect();
        let better = |score| rows.iter().filter(|row| order.is_better(row.score, score)).count() as u64;
        let worse = |score| rows.iter().filter(|row| order.is_better(score, row.score)).count() as u64;
        let mut distinct: Vec<_> = rows.iter().map(|row| row.score).collect();
        distinct.dedup();
        let first = entries.first().map(|row| row.score);
        let window = Window {
            start: from as u64 + 1,
            total: rows.len() as u64,
            version: self.version.clone(),
            verified: !self.is_torn,
            better_than_first: first.map_or(0, better),
            through_last: entries.last().map_or(0, |row| rows.len() as u64 - worse(row.score)),
            distinct_better: ask.dense.then(|| {
                distinct.iter().filter(|score| first.is_some_and(|first| order.is_better(**score, first))).count()
                    as u64
            }),
            ttl: Ttl::Forever,
            meta: self.meta.clone(),
            entries,
            ..Window::nothing(order)
        };
        Ok(PageReply::Page(Box::new(Page { window, target: None, boundary: None, tracked: None })))
    }

    async fn version(&mut self, _: &Board) -> Result<Option<Version>, StoreError> {
        Ok(self.version.clone())
    }

    async fn names(&mut self, _: &NamesLocation, members: &[Member]) -> Result<Option<Vec<Option<Name>>>, StoreError> {
        let name = |member: &Member| Some([b"Name of ", member.as_bytes()].concat().into());
        let names = Some(members.iter().map(name).collect());
        self.names_trouble.clone().map_or(Ok(names), Err)
    }

    async fn list(&mut self, _: &[Board]) -> Result<Vec<KeySummary>, StoreError> {
        unreachable!("no test asks for it")
    }

    async fn search(&mut self, _: bool) -> Result<Found, StoreError> {
        unreachable!("no test asks for it")
    }

    async fn distribution(&mut self, _: &Board, _: Binning) -> Result<Distribution, StoreError> {
        unreachable!("no test asks for it")
    }
}

fn board() -> Board {
    Board { key: "b".into(), order: Order::Desc, version_key: "b:version".into(), meta_key: "b:meta".into() }
}

fn wishes(order: Option<Order>, rank_style: Option<RankStyle>) -> ReadOptions {
    ReadOptions { address: "h:1".into(), order, rank_style, scoring: ScoringOptions::default(), is_probing: false }
}

fn request(start: Start, size: u64) -> PageOptions {
    PageOptions { wishes: wishes(None, None), start, size, expect_version: None, format: Format::Json }
}

fn six() -> List {
    List::new(Some("41"), &[("a", 60.0), ("b", 50.0), ("c", 50.0), ("d", 30.0), ("e", 20.0), ("f", 10.0)])
}

async fn run(home: &mut List, request: &PageOptions) -> Result<(Value, String), Failure> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    page(home, &board(), &NamesLocation::Hash("b:names".into()), request, &mut out, &mut err).await?;
    Ok((serde_json::from_slice(&out).unwrap(), String::from_utf8(err).unwrap()))
}

async fn json(home: &mut List, request: &PageOptions) -> Value {
    run(home, request).await.unwrap().0
}

async fn failure(home: &mut List, request: &PageOptions) -> Failure {
    run(home, request).await.unwrap_err()
}

fn members(page: &Value) -> String {
    page["rows"].as_array().unwrap().iter().map(|row| row["member"].as_str().unwrap()).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn cursors_lead_through_the_board_and_back() {
    let mut home = six();
    let mut page = json(&mut home, &request(Start::At(1), 2)).await;
    let mut met = members(&page);
    assert!(page["prev"].is_null());
    assert_eq!(page["rows"][1]["name"], "Name of c");
    while !page["next"].is_null() {
        page = json(&mut home, &request(Start::After(text(&page["next"])), 2)).await;
        assert!(page["drift"].is_null());
        met += &members(&page);
    }
    assert_eq!(met, "acbdef");
    page = json(&mut home, &request(Start::Before(text(&page["prev"])), 2)).await;
    assert_eq!((members(&page).as_str(), page["drift"].is_null()), ("bd", true));
    page = json(&mut home, &request(Start::Before(text(&page["prev"])), 9)).await;
    assert_eq!(members(&page), "ac");
    assert_eq!(home.reads, 5);
}

#[tokio::test]
async fn drift_compares_the_place_of_the_cursor_then_and_now() {
    let mut home = six();
    let first = json(&mut home, &request(Start::At(3), 2)).await;
    home.rows.push(Entry::new("x", Score::new(99.0).unwrap()));
    home.rows.push(Entry::new("y", Score::new(98.0).unwrap()));
    home.version = Some("43".into());
    let drift = |from: u64, to: u64| serde_json::json!({"from_version":"41","to_version":"43","boundary_from":from,"boundary_to":to,"shift":2});
    let after = json(&mut home, &request(Start::After(text(&first["next"])), 2)).await;
    assert_eq!((members(&after).as_str(), &after["drift"]), ("ef", &drift(4, 6)));
    let before = json(&mut home, &request(Start::Before(text(&first["prev"])), 2)).await;
    assert_eq!((members(&before).as_str(), &before["drift"]), ("ac", &drift(2, 4)));
}

#[tokio::test]
async fn drift_at_the_ends_of_the_board() {
    let mut home = six();
    let first = json(&mut home, &request(Start::At(4), 1)).await;
    home.version = Some("42".into());
    home.rows.retain(|row| row.member == "d".into());
    let after = json(&mut home, &request(Start::After(text(&first["next"])), 2)).await;
    assert_eq!((members(&after).as_str(), &after["drift"]["shift"]), ("", &Value::from(-3)));
    let before = json(&mut home, &request(Start::Before(text(&first["prev"])), 2)).await;
    assert_eq!((members(&before).as_str(), &before["drift"]["boundary_to"]), ("", &Value::from(0)));
}

#[tokio::test]
async fn without_a_version_key_only_a_moved_boundary_is_told() {
    let mut home = List { version: None, ..six() };
    let next = text(&json(&mut home, &request(Start::At(1), 2)).await["next"]);
    assert!(json(&mut home, &request(Start::After(next.clone()), 2)).await["drift"].is_null());
    home.rows.retain(|row| row.member != "a".into());
    let moved = &json(&mut home, &request(Start::After(next), 2)).await["drift"];
    assert_eq!(
        *moved,
        serde_json::json!({"from_version":null,"to_version":null,"boundary_from":2,"boundary_to":1,"shift":-1})
    );
}

#[tokio::test]
async fn a_cursor_of_another_board_order_or_shape_is_wrong_usage() {
    let mut home = six();
    let place = Entry::new("c", Score::new(50.0).unwrap());
    let cursor = Cursor { board: "b".into(), direction: Order::Asc, place, version: None, position: None };
    let other = Cursor { board: "other".into(), ..cursor.clone() };
    for (text, word, reads) in [("?", "Base64URL", 0), (&other.encode(), "'other'", 0), (&cursor.encode(), "asc", 1)] {
        home.reads = 0;
        for start in [Start::After(text.to_owned()), Start::Before(text.to_owned())] {
            let failure = failure(&mut home, &request(start, 2)).await;
            assert_eq!(failure.exit, Exit::Usage);
            assert!(failure.message.contains(word), "{failure:?}");
        }
        assert_eq!(home.reads, 2 * reads);
    }
    let asked = PageOptions { wishes: wishes(Some(Order::Desc), None), ..request(Start::After(cursor.encode()), 2) };
    home.reads = 0;
    assert_eq!(failure(&mut home, &asked).await.exit, Exit::Usage);
    assert_eq!(home.reads, 0, "what the flags refuse needs no read");

    home.meta.order = Some(Order::Asc);
    let page = json(&mut home, &request(Start::After(cursor.encode()), 2)).await;
    assert_eq!((members(&page).as_str(), home.reads), ("a", 1));
}

#[tokio::test]
async fn the_board_says_its_order_and_style_unless_a_flag_does() {
    let mut home = six();
    home.meta = Meta { order: Some(Order::Asc), rank_style: Some(RankStyle::Dense), ..Meta::default() };
    let page = json(&mut home, &request(Start::At(4), 3)).await;
    assert_eq!((members(&page).as_str(), home.reads), ("bca", 2));
    assert_eq!((page["order"].as_str(), page["rank_style"].as_str()), (Some("asc"), Some("dense")));
    assert_eq!(page["rows"][2]["rank"], 5);

    home.reads = 0;
    let asked =
        PageOptions { wishes: wishes(Some(Order::Desc), Some(RankStyle::Modified)), ..request(Start::At(1), 2) };
    let page = json(&mut home, &asked).await;
    assert_eq!((members(&page).as_str(), home.reads), ("ac", 1));
    assert_eq!(page["rows"][1]["rank"], 3);

    home.meta = Meta { rank_style: Some(RankStyle::Dense), ..Meta::default() };
    assert_eq!(json(&mut home, &request(Start::At(4), 1)).await["rows"][0]["rank"], 3);

    home.meta = Meta::default();
    let asked = PageOptions { wishes: wishes(None, Some(RankStyle::Dense)), ..request(Start::At(4), 1) };
    home.reads = 0;
    assert_eq!((&json(&mut home, &asked).await["rows"][0]["rank"], home.reads), (&Value::from(3), 1));
}

#[tokio::test]
async fn around_puts_the_member_in_the_middle() {
    for (size, rows) in [(1, "d"), (2, "de"), (3, "bde"), (4, "bdef")] {
        let page = json(&mut six(), &request(Start::Around("d".into()), size)).await;
        assert_eq!(members(&page), rows, "{size}");
    }
}

#[tokio::test]
async fn what_is_not_there() {
    let mut empty = List::default();
    for start in [Start::At(1), Start::Around("z".into())] {
        let failure = failure(&mut empty, &request(start, 2)).await;
        assert_eq!((failure.exit, failure.message.as_str()), (Exit::Missing, "no board 'b' at h:1"));
    }
    let past = failure(&mut six(), &request(Start::At(70), 2)).await;
    let message = "no position 70 on board 'b': the board has 6 rows";
    assert_eq!((past.exit, past.message.as_str()), (Exit::Missing, message));
    let failure = failure(&mut six(), &request(Start::Around(b"\x1b\xff".as_slice().into()), 2)).await;
    assert_eq!(failure.exit, Exit::Missing);
    assert!(failure.message.ends_with(r"\xff' is not on board 'b'"), "{failure:?}");
}

#[tokio::test]
async fn another_version_than_expected_is_told_with_both() {
    let expecting = |version: &str, start| PageOptions { expect_version: Some(version.into()), ..request(start, 2) };
    let mut home = six();
    json(&mut home, &expecting("41", Start::At(1))).await;
    for start in [Start::At(1), Start::Around("z".into())] {
        let changed = failure(&mut home, &expecting("40", start)).await;
        let message = "board 'b' is at version '41', not at '40'";
        assert_eq!((changed.exit, changed.message.as_str()), (Exit::Changed, message));
    }
    home.is_torn = true;
    assert_eq!(failure(&mut home, &expecting("41", Start::At(1))).await.exit, Exit::Changed);
    home.version = None;
    let unversioned = failure(&mut home, &expecting("41", Start::At(1))).await;
    assert_eq!(unversioned.exit, Exit::Changed);
    assert!(unversioned.message.contains("has no version"), "{unversioned:?}");
}

#[tokio::test]
async fn a_board_that_cannot_be_read_and_names_that_may_not() {
    let mut home = six();
    home.names_trouble = Some(StoreError::NoPermission { command: "HMGET".into(), key: "b:names".into() });
    let (page, warning) = run(&mut home, &request(Start::At(1), 2)).await.unwrap();
    assert!(page["rows"][0]["name"].is_null());
    assert_eq!(warning, "warning: names of board 'b' are left out: the user may not run HMGET on 'b:names'\n");
    home.names_trouble = Some(StoreError::Unreachable("reset".into()));
    assert_eq!(failure(&mut home, &request(Start::At(1), 2)).await.exit, Exit::Failed);

    home.trouble = Some(StoreError::WrongType { found: "hash".into() });
    let failure = failure(&mut home, &request(Start::At(1), 2)).await;
    let message = "cannot read board 'b' at h:1: WRONGTYPE: it is a hash, not a sorted set";
    assert_eq!((failure.exit, failure.message.as_str()), (Exit::Failed, message));
}

/// Takes nothing.
struct Broken(std::io::ErrorKind);

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_closed_pipe_ends_quietly_and_a_full_disk_does_not() {
    let names = NamesLocation::Hash("b:names".into());
    let request = request(Start::At(1), 2);
    let mut closed = Broken(std::io::ErrorKind::BrokenPipe);
    assert_eq!(page(&mut six(), &board(), &names, &request, &mut closed, &mut Vec::new()).await, Ok(()));
    let mut full = Broken(std::io::ErrorKind::StorageFull);
    let failure = page(&mut six(), &board(), &names, &request, &mut full, &mut Vec::new()).await.unwrap_err();
    assert_eq!(failure.exit, Exit::Failed);
    assert!(failure.message.starts_with("cannot write the page: "), "{failure:?}");
}
