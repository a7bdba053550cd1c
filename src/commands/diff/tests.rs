//! Differences against the obvious oracle: two maps of all members, each with its rank as counting gives it.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::board::distribution::{Binning, Distribution};
use crate::board::entry::Entry;
use crate::board::score::Score;
use crate::board::version::Version;
use crate::query::listing::{Found as Listing, KeySummary};
use crate::query::page::{PageReply, PageRequest};
use crate::store::memory::MemorySource;

type Scores = BTreeMap<u16, i8>;

fn side(source: &MemorySource, key: &str) -> Side<MemorySource> {
    Side {
        board: Board {
            key: key.into(),
            order: Order::Desc,
            version_key: format!("{key}:version").as_str().into(),
            meta_key: format!("{key}:meta").as_str().into(),
        },
        names: NamesLocation::Hash(format!("{key}:names").as_str().into()),
        address: "memory".into(),
        homes: [source.clone(), source.clone()],
    }
}

fn filled(source: &MemorySource, side: &Side<MemorySource>, scores: &Scores) {
    let entries = scores
        .iter()
        .map(|(member, score)| Entry::new(member.to_string().as_str(), Score::new(f64::from(*score)).unwrap()));
    source.write(|boards| {
        boards.fill(&side.board, entries);
        boards.increment_version(&side.board);
    });
}

fn options(style: RankStyle, order: Order, top: Option<u64>) -> DiffOptions {
    DiffOptions {
        order: Some(order),
        rank_style: Some(style),
        scoring: ScoringOptions::default(),
        is_probing: false,
        top,
        limit: None,
        format: Format::Json,
    }
}

/// Runs a comparison in memory: the exit code, what was printed, what was said.
fn run(sides: [&mut Side<MemorySource>; 2], options: &DiffOptions) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let code = runtime.block_on(compare(sides, options, &ProgressBar::hidden(), &mut out, &mut err));
    (code.unwrap(), String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// Twice the rank of each member, by counting.
fn ranks(scores: &Scores, style: RankStyle, order: Order) -> BTreeMap<u16, u64> {
    let is_better = |a: i8, b: i8| if order == Order::Desc { a > b } else { a < b };
    let key = |member: u16| member.to_string();
    let rank = |member: u16, score: i8| {
        let better = scores.values().filter(|other| is_better(**other, score)).count() as u64;
        let tied = scores.values().filter(|other| **other == score).count() as u64;
        let mut distinct: Vec<_> = scores.values().filter(|other| is_better(**other, score)).collect();
        distinct.sort();
        distinct.dedup();
        let before = |other: &u16| match order {
            Order::Desc => key(*other) > key(member),
            Order::Asc => key(*other) < key(member),
        };
        match style {
            RankStyle::Competition => 2 * better + 2,
            RankStyle::Modified => 2 * (better + tied),
            RankStyle::Dense => 2 * distinct.len() as u64 + 2,
            RankStyle::Fractional => 2 * better + tied + 1,
            RankStyle::Ordinal => {
                2 * (better + 1 + scores.iter().filter(|(other, same)| **same == score && before(other)).count() as u64)
            }
        }
    };
    scores.iter().map(|(member, score)| (*member, rank(*member, *score))).collect()
}

fn half(twice: u64) -> Value {
    if twice.is_multiple_of(2) { json!(twice / 2) } else { json!(f64::from(u32::try_from(twice).unwrap()) / 2.0) }
}

/// What is printed of each member, and how many are equal.
fn oracle(
    [from, to]: [&Scores; 2],
    style: RankStyle,
    order: Order,
    top: Option<u64>,
) -> (BTreeMap<String, Value>, u64) {
    let [from_ranks, to_ranks] = [from, to].map(|scores| ranks(scores, style, order));
    let within = |rank: Option<&u64>| rank.copied().filter(|twice| top.is_none_or(|top| *twice <= 2 * top));
    let mut members: Vec<u16> = from.keys().chain(to.keys()).copied().collect();
    members.sort_unstable();
    members.dedup();
    let (mut rows, mut equal) = (BTreeMap::new(), 0);
    for member in members {
        let (was, is) = (within(from_ranks.get(&member)), within(to_ranks.get(&member)));
        let change = match (was, is) {
            (None, None) => continue,
            (None, Some(_)) => "entered",
            (Some(_), None) => "left",
            _ if from[&member] != to[&member] => "changed",
            (was, is) if was != is => "moved",
            _ => {
                equal += 1;
                continue;
            }
        };
        let place = |rank: Option<u64>, scores: &Scores| rank.map(|rank| json!([half(rank), scores[&member]]));
        rows.insert(member.to_string(), json!([change, place(was, from), place(is, to)]));
    }
    (rows, equal)
}

/// The same of a report in JSON.
fn reported(report: &Value) -> BTreeMap<String, Value> {
    let place = |place: &Value| if place.is_null() { Value::Null } else { json!([place["rank"], place["score"]]) };
    let rows = report["rows"].as_array().unwrap();
    let found: BTreeMap<_, _> = rows
        .iter()
        .map(|row| {
            let member = row["member"].as_str().unwrap().to_owned();
            (member, json!([row["change"], place(&row["from"]), place(&row["to"])]))
        })
        .collect();
    assert_eq!(found.len(), rows.len(), "nobody is told twice");
    found
}

/// Boards larger than a page are made of small ones: each member is many.
fn spread(scores: &Scores, times: u16) -> Scores {
    scores.iter().flat_map(|(member, score)| (0..times).map(move |at| (member * times + at, *score))).collect()
}

fn scores() -> impl Strategy<Value = Scores> {
    proptest::collection::btree_map(0_u16..24, -2_i8..3, 1..16)
}

fn agrees(from: &Scores, to: &Scores, style: RankStyle, order: Order, top: Option<u64>) {
    let source = MemorySource::default();
    let [mut first, mut second] = ["a", "b"].map(|key| side(&source, key));
    filled(&source, &first, from);
    filled(&source, &second, to);
    let (code, out, err) = run([&mut first, &mut second], &options(style, order, top));
    let report: Value = serde_json::from_str(&out).unwrap();
    let (rows, equal) = oracle([from, to], style, order, top);
    assert_eq!(reported(&report), rows);
    assert_eq!(report["counts"]["equal"], equal);
    let count = |change: &str| rows.values().filter(|row| row[0] == change).count();
    for change in ["entered", "left", "changed", "moved"] {
        assert_eq!(report["counts"][change], count(change), "{change}");
    }
    assert_eq!(code, if rows.is_empty() { 0 } else { 4 });
    assert_eq!(err, "");
    let place = |row: &Value| {
        let side = if row["to"].is_null() { "from" } else { "to" };
        row[side]["position"].as_u64().unwrap()
    };
    let places: Vec<_> = report["rows"].as_array().unwrap().iter().map(place).collect();
    assert!(places.is_sorted(), "{places:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn differences_are_those_of_the_oracle(
        from in scores(), to in scores(), style in 0_usize..5, is_asc: bool, top in proptest::option::of(1_u64..12),
    ) {
        let order = if is_asc { Order::Asc } else { Order::Desc };
        agrees(&from, &to, RankStyle::ALL[style], order, top);
        // A copy of which a few changed is what people compare.
        let mut changed = from.clone();
        changed.extend(to.iter().take(2));
        agrees(&from, &changed, RankStyle::ALL[style], order, top);
    }

}

proptest! {
    // The oracle takes the square of so many rows.
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn over_many_pages_too(from in scores(), to in scores(), top in proptest::option::of(1_u64..2_000)) {
        let [from, to] = [&from, &to].map(|scores| spread(scores, 140));
        agrees(&from, &to, RankStyle::Competition, Order::Desc, top);
    }
}

fn scores_of(scores: &[(u16, i8)]) -> Scores {
    scores.iter().copied().collect()
}

/// Ten members; one more leads them, one left, one went up.
fn example() -> (MemorySource, [Side<MemorySource>; 2]) {
    let source = MemorySource::default();
    let sides = ["a", "b"].map(|key| side(&source, key));
    filled(&source, &sides[0], &scores_of(&[(1, 50), (2, 40), (3, 30), (4, 30), (5, 9)]));
    filled(&source, &sides[1], &scores_of(&[(9, 60), (1, 50), (4, 45), (2, 40), (3, 30)]));
    let name: Name = b"Ada \x1b[2J".as_slice().into();
    source.write(|boards| boards.set_name(&NamesLocation::Hash("b:names".into()), &"4".into(), Some(&name)));
    (source, sides)
}

#[test]
fn a_table_for_people() {
    let (_, [mut from, mut to]) = example();
    let format = Format::Table { color: false };
    let wanted = DiffOptions { format, ..options(RankStyle::Competition, Order::Desc, None) };
    let (code, out, err) = run([&mut from, &mut to], &wanted);
    assert_eq!((code, err.as_str()), (4, ""));
    assert_eq!(
        out,
        "from  a · 5 players · version 1\n\
         to    b · 5 players · version 1\n\
         high first · ranks 1 2 2 4\n\
         \x20 CHANGE   RANK  WAS  MOVE  PLAYER     ID  SCORE  WAS\n\
         \x20 entered     1    -        9          9      60    -\n\
         \x20 moved       2    1    ▼1  1          1      50   50\n\
         \x20 changed     3    3        Ada \\e[2J  4      45   30\n\
         \x20 moved       4    2    ▼2  2          2      40   40\n\
         \x20 moved       5    3    ▼2  3          3      30   30\n\
         \x20 left        -    5        5          5       -    9\n\
         1 entered · 1 left · 1 changed in score · 3 moved in rank alone · 0 equal\n"
    );
    let short = DiffOptions { limit: Some(1), ..wanted.clone() };
    let (_, out, _) = run([&mut from, &mut to], &short);
    assert!(out.contains("  entered ") && !out.contains("  left "), "{out}");
    assert!(out.contains("\n5 more differ: --limit N prints more of them, --format csv all\n"), "{out}");
    let (code, out, _) = run([&mut from.again(), &mut from], &wanted);
    assert_eq!(code, 0);
    assert!(out.ends_with("high first · ranks 1 2 2 4\nnothing differs · 5 equal\n"), "{out}");
}

impl Side<MemorySource> {
    fn again(&self) -> Self {
        Self {
            board: self.board.clone(),
            names: self.names.clone(),
            address: self.address.clone(),
            homes: self.homes.clone(),
        }
    }
}

#[test]
fn json_and_csv_for_programs() {
    let (_, [mut from, mut to]) = example();
    let wanted = DiffOptions { limit: Some(2), ..options(RankStyle::Competition, Order::Desc, None) };
    let (_, out, _) = run([&mut from, &mut to], &wanted);
    assert_eq!(
        out,
        concat!(
            r#"{"board":"a","other":"b","order":"desc","rank_style":"competition","top":null,"#,
            r#""from":{"version":"1","last_version":"1","total":5,"one_moment":true},"#,
            r#""to":{"version":"1","last_version":"1","total":5,"one_moment":true},"#,
            r#""counts":{"equal":0,"entered":1,"left":1,"changed":1,"changed_and_moved":0,"moved":3},"rows":["#,
            r#"{"change":"entered","member":"9","name":null,"from":null,"to":{"position":1,"rank":1,"score":60,"tied":1}},"#,
            r#"{"change":"moved","member":"1","name":null,"from":{"position":1,"rank":1,"score":50,"tied":1},"#,
            r#""to":{"position":2,"rank":2,"score":50,"tied":1}}],"more":4}"#,
            "\n"
        )
    );
    let wanted = DiffOptions { format: Format::Csv { raw: false }, limit: None, ..wanted };
    let (_, out, _) = run([&mut from, &mut to], &wanted);
    let lines: Vec<_> = out.split("\r\n").collect();
    assert_eq!(lines[0], "change,member,name,rank_from,rank_to,score_from,score_to,position_from,position_to");
    assert_eq!(lines[1], "entered,9,,,1,,60,,1");
    assert_eq!(lines[3], r"changed,4,Ada \x1b[2J,3,3,30,45,3,3");
    assert_eq!(lines[6], "left,5,,5,,9,,5,");
    assert_eq!(lines.len(), 8);
}

#[test]
fn boards_of_different_orders_are_not_guessed_at() {
    let (source, [mut from, mut to]) = example();
    source.write(|boards| boards.set_meta(&to.board, "order", Some(b"asc")));
    let asked = DiffOptions { order: None, ..options(RankStyle::Competition, Order::Desc, None) };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let bar = ProgressBar::hidden();
    let compared = compare([&mut from, &mut to], &asked, &bar, &mut out, &mut err);
    let failure = runtime.block_on(compared).unwrap_err();
    assert_eq!(failure.exit, Exit::Usage);
    assert!(failure.message.contains("'a' says desc, 'b' says asc"), "{failure:?}");
    assert!(out.is_empty());
    let (code, ..) = run([&mut from, &mut to], &options(RankStyle::Competition, Order::Asc, None));
    assert_eq!(code, 4);
}

/// A board that is written before each page of it is read, but not before the first look and the first page.
struct Moving {
    source: MemorySource,
    reads: u32,
}

impl BoardSource for Moving {
    async fn read(&mut self, board: &Board, ask: &PageRequest) -> Result<PageReply, StoreError> {
        self.reads += 1;
        if self.reads > 2 && board.key == "b".into() {
            self.source.write(|boards| boards.increment_version(board));
        }
        self.source.read(board, ask).await
    }

    async fn version(&mut self, board: &Board) -> Result<Option<Version>, StoreError> {
        self.source.version(board).await
    }

    async fn names(&mut self, at: &NamesLocation, members: &[Member]) -> Result<Option<Vec<Option<Name>>>, StoreError> {
        self.source.names(at, members).await
    }

    async fn list(&mut self, boards: &[Board]) -> Result<Vec<KeySummary>, StoreError> {
        self.source.list(boards).await
    }

    async fn search(&mut self, is_new: bool) -> Result<Listing, StoreError> {
        self.source.search(is_new).await
    }

    async fn distribution(&mut self, board: &Board, binning: Binning) -> Result<Distribution, StoreError> {
        self.source.distribution(board, binning).await
    }
}

#[test]
fn a_board_that_changes_on_the_way_is_said_to() {
    let source = MemorySource::default();
    let scores: Scores = (0..3_500).map(|member| (member, 5)).collect();
    let sides = ["a", "b"].map(|key| side(&source, key));
    for side in &sides {
        filled(&source, side, &scores);
    }
    let [mut from, mut to] = sides.map(|side| Side {
        board: side.board,
        names: side.names,
        address: side.address,
        homes: [0, 9].map(|reads| Moving { source: source.clone(), reads }),
    });
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let bar = ProgressBar::hidden();
    for (format, said) in [
        (Format::Table { color: false }, "to    b · 3500 players · CHANGED ON THE WAY: versions "),
        (Format::Json, r#""one_moment":false}"#),
    ] {
        let wanted = DiffOptions { format, ..options(RankStyle::Competition, Order::Desc, None) };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = runtime.block_on(compare([&mut from, &mut to], &wanted, &bar, &mut out, &mut err)).unwrap();
        let (out, err) = (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap());
        assert!(out.contains(said), "{out}");
        assert!(err.starts_with("warning: board 'b': the board changed while it was read: versions "), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert_eq!(code, 4, "whether they are equal is not known");
        // The next run begins at another version.
        source.write(|boards| boards.set_version(&to.board, Some(b"1")));
        for home in from.homes.iter_mut().chain(&mut to.homes) {
            home.reads = 0;
        }
    }
}

#[test]
fn without_a_version_nobody_knows_of_which_moment_rows_are() {
    let (source, [mut from, mut to]) = example();
    source.write(|boards| boards.set_version(&to.board, None));
    let wanted = options(RankStyle::Competition, Order::Desc, None);
    let (_, out, _) = run([&mut from, &mut to], &wanted);
    assert!(out.contains(r#""to":{"version":null,"last_version":null,"total":5,"one_moment":null}"#), "{out}");
    let (_, out, _) = run([&mut from, &mut to], &DiffOptions { format: Format::Table { color: false }, ..wanted });
    assert!(out.contains("b · 5 players · no version: whether it changed on the way cannot be told"), "{out}");
}
