//! Boards that have broken others: few distinct scores among the strangest doubles, members that are no text; and
//! questions about places where somebody stands, has stood or never stood. The same cases on every run.

use std::cell::RefCell;

use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use ranktop::board::entry::{Entry, Member};
use ranktop::board::grouping::{Cut, Grouping};
use ranktop::board::order::Order;
use ranktop::query::page::{Anchor, PageRequest};

use super::{Setup, Trial, Write, runtime, score, whences};

const SCORES: [f64; 18] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    980.0,
    0.1,
    0.3,
    0.300_000_000_000_000_04,
    1e-7,
    5e-324,
    -5e-324,
    f64::MIN_POSITIVE,
    9_007_199_254_740_992.0,
    1e17,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

const MEMBERS: [&[u8]; 20] = [
    b"",
    b"\0",
    b"\0\0",
    b"\xff",
    b"\xff\xfe",
    b"a\0b",
    b"9",
    b"10",
    b"11",
    b"100",
    b"a",
    b"B",
    b"Z",
    "É".as_bytes(),
    b"inf",
    b"(1",
    b"+",
    b"-",
    b" \r\n",
    &[b'x'; 300],
];

/// A board as it is written, and what is asked of it.
#[derive(Clone, Debug)]
pub(crate) struct Hostile {
    /// In which order it is read.
    pub(crate) order: Order,
    /// What is written, in this order; members may come twice.
    pub(crate) rows: Vec<(Member, f64)>,
    /// Which of these members are taken off again.
    pub(crate) removed: Vec<Index>,
    /// What is asked.
    pub(crate) questions: Vec<Request>,
    /// What is written later, each batch with a new version: scores, and members that leave.
    pub(crate) batches: Vec<Vec<(Member, Option<f64>)>>,
}

/// A question that is completed by the board that it is asked of.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    whence: Index,
    place: Place,
    position: u64,
    size: u64,
    lead: Index,
    fill: bool,
    turns: Vec<bool>,
    anchor: Option<(Place, bool)>,
    track: Option<Place>,
    dense: bool,
    grouping: Grouping,
}

#[derive(Clone, Debug)]
enum Place {
    /// One that was written; its member may have left it.
    Written(Index),
    Anywhere(Member, f64),
}

impl Hostile {
    /// The writes that make the board.
    pub(crate) fn writes(&self) -> Vec<Write> {
        let scores = self.rows.iter().map(|(member, value)| Write::Score(member.clone(), *value));
        let removals = self.removed.iter().filter(|_| !self.rows.is_empty());
        scores.chain(removals.map(|index| Write::Remove(index.get(&self.rows).0.clone()))).collect()
    }

    /// What `question` asks of this board.
    pub(crate) fn ask(&self, question: &Request) -> PageRequest {
        let place = |place: &Place| match place {
            Place::Written(index) if !self.rows.is_empty() => {
                let (member, value) = index.get(&self.rows);
                Entry::new(member.clone(), score(*value))
            }
            Place::Written(_) => Entry::new("nobody", score(0.0)),
            Place::Anywhere(member, value) => Entry::new(member.clone(), score(*value)),
        };
        PageRequest {
            whence: question.whence.get(&whences(&place(&question.place), question.position)).clone(),
            size: question.size,
            lead: question.lead.index(usize::try_from(question.size).unwrap()) as u64,
            fill: question.fill,
            turns: question.turns.clone(),
            anchor: question.anchor.as_ref().map(|(at, inclusive)| Anchor { place: place(at), inclusive: *inclusive }),
            track: question.track.as_ref().map(|at| place(at).member),
            dense: question.dense,
            is_lean: false,
            scoring: question.grouping.into(),
        }
    }
}

fn member() -> impl Strategy<Value = Member> {
    prop_oneof![
        3 => select(&MEMBERS[..]).prop_map(Member::from),
        2 => (0..30).prop_map(|number| Member::from(format!("u:{number}").as_str())),
        1 => prop::collection::vec(any::<u8>(), 0..4).prop_map(Member::from),
    ]
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        2 => any::<Index>().prop_map(Place::Written),
        1 => (member(), select(&SCORES[..])).prop_map(|(member, value)| Place::Anywhere(member, value)),
    ]
}

/// Equal scores, and ranges of scores: narrow and wide, from zero on and not, closed at either end.
fn groupings() -> Vec<Grouping> {
    let cut = |width, offset, rounds_up| Grouping::Cut(Cut { width: score(width), offset: score(offset), rounds_up });
    vec![
        Grouping::Whole,
        Grouping::Whole,
        cut(1.0, 0.0, false),
        cut(1.0, 0.0, true),
        cut(0.25, 0.0, false),
        cut(1e3, -20.0, true),
        cut(4_294_967_296.0, -9_007_199_254_740_992.0, false),
    ]
}

fn question() -> impl Strategy<Value = Request> {
    let anchor = prop::option::of((place(), any::<bool>()));
    let track = prop::option::of(place());
    let turns = prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(any::<bool>(), 1..6)];
    let page = (any::<Index>(), place(), 1_u64..90, 1_u64..=64, any::<Index>(), turns);
    (page, any::<bool>(), anchor, track, any::<bool>(), select(groupings())).prop_map(
        |((whence, place, position, size, lead, turns), fill, anchor, track, dense, grouping)| Request {
            whence,
            place,
            position,
            size,
            lead,
            fill,
            turns,
            anchor,
            track,
            dense,
            grouping,
        },
    )
}

fn hostile() -> impl Strategy<Value = Hostile> {
    (select(&[Order::Desc, Order::Asc][..]), subsequence(&SCORES[..], 1..7)).prop_flat_map(|(order, scores)| {
        let row = (member(), select(scores.clone()));
        let change = (member(), prop::option::weighted(0.7, select(scores)));
        (
            prop::collection::vec(row, 0..80),
            prop::collection::vec(any::<Index>(), 0..6),
            prop::collection::vec(question(), 20),
            prop::collection::vec(prop::collection::vec(change, 0..6), 0..6),
        )
            .prop_map(move |(rows, removed, questions, batches)| Hostile {
                order,
                rows,
                removed,
                questions,
                batches,
            })
    })
}

/// Runs `test` on one hostile board after another, all on one home.
pub(crate) fn on_hostile_boards<S: Setup>(test: &impl AsyncFn(&mut Trial<S>, &Hostile)) {
    let runtime = runtime();
    let trial = RefCell::new(runtime.block_on(Trial::<S>::start(Order::Desc)));
    let config = Config { cases: S::CASES, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outcome = TestRunner::new_with_rng(config, rng).run(&hostile(), |case| {
        let mut trial = trial.borrow_mut();
        runtime.block_on(async {
            trial.reset(case.order).await;
            // An empty transaction is no write.
            if !case.rows.is_empty() {
                trial.write(&case.writes()).await;
            }
            test(&mut trial, &case).await;
        });
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
