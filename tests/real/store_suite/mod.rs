//! One suite for every home of boards: whatever it passes on gives the same windows, drift and ties for the same writes.
//! `store_suite!(Setup)` makes a test of each of its functions; it knows nothing of the home but [`Setup`].

use ranktop::board::entry::{Entry, Member};
use ranktop::board::keys::Board;
use ranktop::board::names::NamesLocation;
use ranktop::board::order::Order;
use ranktop::board::score::Score;
use ranktop::board::version::Version;
use ranktop::query::page::{Page, PageReply, PageRequest, PageStart};
use ranktop::store::BoardSource;
use tokio::runtime::{Builder, Runtime};

use crate::common::oracle;

pub(crate) mod companions;
pub(crate) mod distribution;
pub(crate) mod hostile;
pub(crate) mod pages;
pub(crate) mod paging;
pub(crate) mod ties;

/// A home under test, and a way to write to it that does not go through it.
pub(crate) trait Setup {
    /// The home.
    type Source: BoardSource;

    /// How many boards a randomised test tries.
    const CASES: u32;

    /// Whether a page is known to be of one moment, on a board with such a version.
    fn is_verified(_version: Option<&[u8]>) -> bool {
        true
    }

    /// Starts with nothing written.
    async fn start() -> Self;

    /// The home that reads.
    fn home(&mut self) -> &mut Self::Source;

    /// Writes all of `writes` as one moment.
    async fn write(&mut self, board: &Board, writes: &[Write]);

    /// Writes many members, each once, in as many moments as it takes.
    async fn fill(&mut self, board: &Board, entries: &[Entry]);
}

/// One write to a board or to what goes with it.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    /// Sets a score, as writers send it: minus zero is sent as such.
    Score(Member, f64),
    /// Takes a member off the board.
    Remove(Member),
    /// Deletes the key of the board, and only that.
    Delete,
    /// Counts the version up.
    IncrementVersion,
    /// Sets the version, or deletes its key.
    SetVersion(Option<Vec<u8>>),
    /// Sets a field of the meta hash, or deletes it.
    SetMeta(&'static str, Option<Vec<u8>>),
    /// Sets a member's name, or deletes it.
    SetName(NamesLocation, Member, Option<Vec<u8>>),
}

/// The board that most tests write to.
pub(crate) fn board(order: Order) -> Board {
    named_board("lb:{suite}:now", order)
}

/// The board of this key with its usual companions.
pub(crate) fn named_board(key: &str, order: Order) -> Board {
    let companion = |kind: &str| format!("{key}:{kind}").as_str().into();
    Board { key: key.into(), order, version_key: companion("version"), meta_key: companion("meta") }
}

/// Runs one test of the suite.
pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    runtime().block_on(test)
}

/// What a home lives on: connections do not outlive it.
pub(crate) fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

/// A score that is not NaN.
pub(crate) fn score(value: f64) -> Score {
    Score::new(value).unwrap()
}

/// A home with one board, and what must be on it.
pub(crate) struct Trial<S> {
    /// The home.
    pub(crate) setup: S,
    /// The board that is written and read.
    pub(crate) board: Board,
    /// What is on it, in no order.
    pub(crate) entries: Vec<Entry>,
    /// What its version key holds.
    pub(crate) version: Option<Vec<u8>>,
}

impl<S: Setup> Trial<S> {
    /// A home without a board.
    pub(crate) async fn start(order: Order) -> Self {
        Self { setup: S::start().await, board: board(order), entries: Vec::new(), version: None }
    }

    /// A home with a board of these members, each given once.
    pub(crate) async fn filled(order: Order, entries: Vec<Entry>) -> Self {
        let mut trial = Self::start(order).await;
        trial.setup.fill(&trial.board, &entries).await;
        trial.entries = entries;
        trial
    }

    /// Takes the board and its version away, to begin anew in another order.
    pub(crate) async fn reset(&mut self, order: Order) {
        self.write(&[Write::Delete, Write::SetVersion(None)]).await;
        self.board = board(order);
    }

    /// Writes to the home, and notes what must come of it.
    pub(crate) async fn write(&mut self, writes: &[Write]) {
        self.setup.write(&self.board, writes).await;
        for write in writes {
            match write {
                Write::Score(member, value) => {
                    self.entries.retain(|entry| entry.member != *member);
                    self.entries.push(Entry::new(member.clone(), score(*value)));
                }
                Write::Remove(member) => self.entries.retain(|entry| entry.member != *member),
                Write::Delete => self.entries.clear(),
                Write::IncrementVersion => {
                    let number: i64 =
                        self.version.take().map_or(0, |it| String::from_utf8(it).unwrap().parse().unwrap());
                    self.version = Some((number + 1).to_string().into_bytes());
                }
                Write::SetVersion(version) => self.version.clone_from(version),
                Write::SetMeta(..) | Write::SetName(..) => {}
            }
        }
    }

    /// Asks the home, and compares every part of its answer with the oracle's.
    pub(crate) async fn ask(&mut self, ask: &PageRequest) -> PageReply {
        let mut expected = oracle::answer(&self.entries, self.board.order, ask);
        if let PageReply::Page(page) = &mut expected {
            page.window.version = self.version.clone().map(Version::from);
            page.window.verified = S::is_verified(self.version.as_deref());
        }
        let answer = self.setup.home().read(&self.board, ask).await.unwrap();
        // Not `assert_eq!`: its text would hold both boards in full.
        assert!(answer == expected, "{ask:?}\nexpected {expected:?}\nbut read {answer:?}\nboard {:?}", self.board);
        if let PageReply::Page(page) = &answer {
            assert!(page.window.is_coherent(), "{ask:?}: {answer:?}");
        }
        answer
    }

    /// Asks for what must be a page.
    pub(crate) async fn page(&mut self, ask: &PageRequest) -> Page {
        match self.ask(ask).await {
            PageReply::Page(page) => *page,
            other => panic!("no page for {ask:?}: {other:?}"),
        }
    }
}

/// Adds the command of one write.
pub(crate) fn add(pipeline: &mut redis::Pipeline, board: &Board, write: &Write) {
    match write {
        Write::Score(member, value) => {
            // As a client library would send minus zero.
            let score = if *value == 0.0 && value.is_sign_negative() { "-0".to_owned() } else { format!("{value:e}") };
            pipeline.cmd("ZADD").arg(board.key.as_ref()).arg(score).arg(member.as_bytes());
        }
        Write::Remove(member) => {
            pipeline.cmd("ZREM").arg(board.key.as_ref()).arg(member.as_bytes());
        }
        Write::Delete => {
            pipeline.cmd("DEL").arg(board.key.as_ref());
        }
        Write::IncrementVersion => {
            pipeline.cmd("INCR").arg(board.version_key.as_ref());
        }
        Write::SetVersion(Some(version)) => {
            pipeline.cmd("SET").arg(board.version_key.as_ref()).arg(version);
        }
        Write::SetVersion(None) => {
            pipeline.cmd("DEL").arg(board.version_key.as_ref());
        }
        Write::SetMeta(field, Some(value)) => {
            pipeline.cmd("HSET").arg(board.meta_key.as_ref()).arg(*field).arg(value);
        }
        Write::SetMeta(field, None) => {
            pipeline.cmd("HDEL").arg(board.meta_key.as_ref()).arg(*field);
        }
        Write::SetName(home, member, name) => set_name(pipeline, home, member.as_bytes(), name.as_deref()),
    }
}

fn set_name(pipeline: &mut redis::Pipeline, home: &NamesLocation, member: &[u8], name: Option<&[u8]>) {
    match (home, name) {
        (NamesLocation::Hash(key), Some(name)) => pipeline.cmd("HSET").arg(key.as_ref()).arg(member).arg(name),
        (NamesLocation::Hash(key), None) => pipeline.cmd("HDEL").arg(key.as_ref()).arg(member),
        (NamesLocation::HashEach(key, field), Some(name)) => {
            pipeline.cmd("HSET").arg(key.of(member).as_ref()).arg(field).arg(name)
        }
        (NamesLocation::HashEach(key, field), None) => pipeline.cmd("HDEL").arg(key.of(member).as_ref()).arg(field),
        (NamesLocation::StringEach(key), Some(name)) => pipeline.cmd("SET").arg(key.of(member).as_ref()).arg(name),
        (NamesLocation::StringEach(key), None) => pipeline.cmd("DEL").arg(key.of(member).as_ref()),
        (NamesLocation::FieldsEach(..) | NamesLocation::Json(..), _) => {
            panic!("what is stored is written where it is stored")
        }
    };
}

/// Every [`PageStart`] with this place and position, each once.
pub(crate) fn whences(place: &Entry, position: u64) -> [PageStart; 13] {
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

/// Makes a test of each function of the suite. A function that is left out is reported as dead code.
macro_rules! store_suite {
    ($setup:ty) => {
        store_suite!($setup: pages {
            every_question_on_a_hostile_board every_question_on_a_small_board a_missing_board a_board_of_one
            a_member_of_a_megabyte dense_ranks_up_to_the_bound boards_do_not_mix
        });
        store_suite!($setup: distribution {
            of_hostile_boards of_boards_of_any_shape of_no_board_and_of_one_member
        });
        store_suite!($setup: ties {
            groups_next_to_the_edges_of_steps no_groups_at_all one_group_larger_than_a_step
        });
        store_suite!($setup: paging {
            pages_of_a_still_board_join_to_the_whole_board writes_between_turns_lose_and_repeat_nobody_else
        });
        store_suite!($setup: companions {
            versions_of_any_kind a_write_without_the_version a_list_and_a_search names_in_every_home meta_and_its_malformed_values
        });
    };
    ($setup:ty: $module:ident { $($test:ident)* }) => {
        $(
            #[test]
            fn $test() {
                crate::store_suite::$module::$test::<$setup>();
            }
        )*
    };
}
