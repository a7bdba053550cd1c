//! Random boards with everything that is hard about them, the same on every run; and what the program must print of their
//! rows, found by counting.

#![expect(clippy::float_cmp, clippy::cast_precision_loss, reason = "ties are of equal doubles, and boards are small")]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use ranktop::board::entry::{Entry, Member};
use ranktop::board::order::Order;
use ranktop::board::rank::RankStyle;
use ranktop::board::score::Score;
use serde_json::Value;

use super::RedisServer;
use super::oracle::sorted;

/// Both orders.
pub(crate) const ORDERS: [Order; 2] = [Order::Desc, Order::Asc];

const SCORES: [f64; 12] = [
    0.0,
    1.0,
    -1.0,
    980.0,
    0.1,
    0.300_000_000_000_000_04,
    5e-324,
    9_007_199_254_740_993.0,
    1e17,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// Values of random things, the same on every run.
pub(crate) struct Dice(TestRunner);

impl Dice {
    pub(crate) fn new() -> Self {
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        Self(TestRunner::new_with_rng(Config::default(), rng))
    }

    pub(crate) fn roll<S: Strategy>(&mut self, strategy: S) -> S::Value {
        strategy.new_tree(&mut self.0).unwrap().current()
    }

    /// A board of 1 to 80 members with few distinct scores, so that most are tied.
    pub(crate) fn board(&mut self) -> Vec<Entry> {
        let scores = subsequence(&SCORES[..], 1..7);
        let rows = scores.prop_flat_map(|scores| prop::collection::vec((member(), score_of(scores)), 1..80));
        let mut entries: Vec<Entry> = Vec::new();
        for (member, score) in self.roll(rows) {
            if entries.iter().all(|entry| entry.member != member) {
                entries.push(Entry { member, score });
            }
        }
        entries
    }
}

/// Members as nobody would name them, some of them often.
pub(crate) fn member() -> impl Strategy<Value = Member> {
    let odd: [&[u8]; 12] =
        [b"", b"\xff", b"\0", b"a\0b", b"-7", b"--at", b"9", b"10", b"\x1b[2J", b" \r\n", b"(1", "É".as_bytes()];
    prop_oneof![
        1 => select(odd.to_vec()).prop_map(Member::from),
        3 => (0..90).prop_map(|number| Member::from(format!("u:{number}").as_str())),
        1 => prop::collection::vec(any::<u8>(), 0..4).prop_map(Member::from),
    ]
}

fn score_of(scores: Vec<f64>) -> impl Strategy<Value = Score> {
    select(scores).prop_map(|value| Score::new(value).unwrap())
}

/// Any of the scores that boards have.
pub(crate) fn score() -> impl Strategy<Value = Score> {
    score_of(SCORES.to_vec())
}

/// One moment's writes to a board: members with their new score, or without one where they leave.
pub(crate) type Batch = Vec<(Member, Option<Score>)>;

/// Makes the writes as one moment, with a new version.
pub(crate) fn write(server: &RedisServer, key: &str, batch: &Batch) {
    let mut pipeline = redis::pipe();
    pipeline.atomic();
    for (member, score) in batch {
        match score {
            Some(score) => pipeline.cmd("ZADD").arg(key).arg(score.to_string()).arg(member.as_bytes()),
            None => pipeline.cmd("ZREM").arg(key).arg(member.as_bytes()),
        };
    }
    pipeline.cmd("INCR").arg(format!("{key}:version"));
    pipeline.query::<()>(&mut server.client()).unwrap();
}

/// Makes a board of these members.
pub(crate) fn fill(server: &RedisServer, key: &str, entries: &[Entry]) {
    write(server, key, &entries.iter().map(|entry| (entry.member.clone(), Some(entry.score))).collect());
}

/// A row as the program must print it, or has printed it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) position: u64,
    pub(crate) rank: Option<f64>,
    pub(crate) member: Vec<u8>,
    pub(crate) score: f64,
    pub(crate) tied: u64,
}

impl Row {
    /// The row that was printed as this JSON object.
    pub(crate) fn read(row: &Value) -> Self {
        Self {
            position: row["position"].as_u64().unwrap(),
            rank: (!row["rank"].is_null()).then(|| row["rank"].as_f64().unwrap()),
            member: bytes(&row["member"]),
            score: double(&row["score"]),
            tied: row["tied"].as_u64().unwrap(),
        }
    }

    /// The rows that were printed as this JSON array.
    pub(crate) fn read_all(rows: &Value) -> Vec<Self> {
        rows.as_array().unwrap().iter().map(Self::read).collect()
    }

    /// How many of `all` are strictly better.
    pub(crate) fn better(&self, all: &[Self], order: Order) -> u64 {
        all.iter().filter(|other| is_better(order, other.score, self.score)).count() as u64
    }
}

/// All rows of a board, top down.
pub(crate) fn rows(entries: &[Entry], order: Order, style: RankStyle) -> Vec<Row> {
    let sorted = sorted(entries, order);
    let scores: Vec<f64> = sorted.iter().map(|entry| entry.score.get()).collect();
    let row = |(index, entry): (usize, &Entry)| {
        let score = entry.score.get();
        let better: Vec<f64> = scores.iter().copied().filter(|other| is_better(order, *other, score)).collect();
        let tied = scores.iter().filter(|other| **other == score).count();
        let mut distinct = better.clone();
        distinct.dedup();
        let (first, last) = (better.len() + 1, better.len() + tied);
        let rank = match style {
            RankStyle::Competition => first as f64,
            RankStyle::Modified => last as f64,
            RankStyle::Dense => distinct.len() as f64 + 1.0,
            RankStyle::Ordinal => index as f64 + 1.0,
            RankStyle::Fractional => (first + last) as f64 / 2.0,
        };
        Row {
            position: index as u64 + 1,
            rank: Some(rank),
            member: entry.member.as_bytes().to_vec(),
            score,
            tied: tied as u64,
        }
    };
    sorted.iter().enumerate().map(row).collect()
}

fn is_better(order: Order, a: f64, b: f64) -> bool {
    match order {
        Order::Desc => a > b,
        Order::Asc => a < b,
    }
}

/// The bytes that stand in JSON as a string, or as `{"base64":…}`.
pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    match value.as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => STANDARD.decode(value["base64"].as_str().unwrap()).unwrap(),
    }
}

/// The double that stands in JSON as a number, or as `"inf"` or `"-inf"`.
pub(crate) fn double(value: &Value) -> f64 {
    match value.as_str() {
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        _ => value.as_f64().unwrap(),
    }
}

/// Sets scores on a board and its version in one transaction, as every writer does.
pub fn put(server: &RedisServer, board: &str, rows: &[(&str, f64)]) {
    let mut pipeline = redis::pipe();
    pipeline.atomic();
    for (member, score) in rows {
        pipeline.cmd("ZADD").arg(board).arg(score.to_string()).arg(member);
    }
    pipeline.cmd("INCR").arg(format!("{board}:version"));
    pipeline.query::<()>(&mut server.client()).unwrap();
}
