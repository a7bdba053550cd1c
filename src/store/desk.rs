//! The desk where questions are handed in: it keeps a connection, answers one question after another, and tells what
//! became of each and of the connection. Whoever asks never waits for it.
//!
//! Every question gets exactly one answer, also where there is no connection, so that whoever asked knows where it
//! stands.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, sleep};
use tracing::{debug, info, warn};

use crate::board::access::Access;
use crate::board::ask::{Answer, Ask, Board};
use crate::board::distribution::Distribution;
use crate::board::entry::Member;
use crate::board::evidence::Trip;
use crate::board::keys::Key;
use crate::board::listing::{Found, Sight};
use crate::board::names::{Name, NamesHome};
use crate::board::needle::Matched;
use crate::board::trouble::Trouble;
use crate::board::version::Version;
use crate::store::find::{self, Lookout};
use crate::store::{Catalogue, Home};

#[cfg(test)]
mod waits;

/// The first wait after a lost connection; it doubles with each failure.
const FIRST_WAIT: Duration = Duration::from_millis(250);
/// The longest wait between two tries to connect.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// So many time-outs in a row, and the connection is given up: it never finds out by itself.
const SILENCES: u32 = 2;

/// A question.
#[derive(Clone, Debug)]
pub enum Question {
    /// A page.
    Read {
        /// Comes back with the answer.
        generation: u64,
        /// Of which board.
        board: Board,
        /// What is asked.
        ask: Ask,
    },
    /// The version of a board.
    Version(Board),
    /// Names of members.
    Names(NamesHome, Vec<Member>),
    /// What there is at the keys of these boards.
    List {
        /// Comes back with the answer.
        generation: u64,
        /// Which boards.
        boards: Vec<Board>,
    },
    /// How the scores of a board are spread.
    Distribution {
        /// Comes back with the answer.
        generation: u64,
        /// Of which board.
        board: Board,
        /// Over how many bins at most.
        most: usize,
    },
    /// One step of looking for a text in ids and names.
    Find {
        /// Comes back with the answer.
        generation: u64,
        /// Where, and for what.
        lookout: Box<Lookout>,
    },
    /// One step of the search for boards.
    Search {
        /// Comes back with the answer.
        generation: u64,
        /// Whether it is the first step.
        is_new: bool,
    },
}

/// What the desk tells.
#[derive(Clone, Debug)]
pub enum News {
    /// The answer to [`Question::Read`].
    Answered {
        /// Of which question.
        generation: u64,
        /// What came of it.
        result: Result<Answer, Trouble>,
        /// From question to answer.
        took: Duration,
    },
    /// Trips that were made for a question.
    Trips {
        /// Whether that was a page, whose answer comes next.
        is_page: bool,
        /// The trips, in order.
        trips: Vec<Trip>,
    },
    /// The answer to [`Question::Version`].
    Polled {
        /// Of which board.
        key: Key,
        /// What came of it.
        result: Result<Option<Version>, Trouble>,
        /// From question to answer.
        took: Duration,
    },
    /// The answer to [`Question::Names`].
    Named {
        /// Where they were looked for.
        home: NamesHome,
        /// Of whom.
        members: Vec<Member>,
        /// What came of it.
        result: Result<Option<Vec<Option<Name>>>, Trouble>,
    },
    /// The answer to [`Question::List`].
    Listed {
        /// Of which question.
        generation: u64,
        /// What there is at each key, in the order of the question.
        result: Result<Vec<Sight>, Trouble>,
    },
    /// The answer to [`Question::Distribution`].
    Distributed {
        /// Of which question.
        generation: u64,
        /// What came of it.
        result: Result<Distribution, Trouble>,
    },
    /// The answer to [`Question::Find`].
    Matched {
        /// Of which question.
        generation: u64,
        /// What came of it.
        result: Result<Matched, Trouble>,
    },
    /// The answer to [`Question::Search`].
    Found {
        /// Of which question.
        generation: u64,
        /// What came of it.
        result: Result<Found, Trouble>,
    },
    /// What has been found to work, told when it changes.
    Access(Access),
    /// A connection is being made.
    Connecting,
    /// There is a connection.
    Up {
        /// Whether the home tells of changes by itself.
        pushes: bool,
    },
    /// There is none.
    Down {
        /// Why.
        reason: Trouble,
        /// The next try is made after this.
        retry_in: Duration,
    },
}

/// What makes connections.
#[expect(async_fn_in_trait, reason = "one thread drives a desk; its futures need not be Send")]
pub trait Connector {
    /// What a connection leads to.
    type Home: Home + Catalogue;

    /// Connects, within a limit of its own; also tells whether the home tells of changes by itself, by notifying
    /// `told`.
    async fn connect(&self, told: &Arc<Notify>) -> Result<(Self::Home, bool), Trouble>;
}

/// The two ends of a desk that whoever asks holds.
pub struct Desk {
    /// Takes questions. No more than a few are ever under way, for whoever asks waits for the answer to one of a kind
    /// before it asks the next.
    pub questions: mpsc::UnboundedSender<Question>,
    /// Brings news.
    pub news: mpsc::UnboundedReceiver<News>,
    /// Notified when a home tells that something has changed; many words in a row are one.
    pub told: Arc<Notify>,
    /// Notify it to connect at once.
    pub retry: Arc<Notify>,
}

/// Opens a desk: its ends, and the work behind it, which ends when the questions' end is dropped.
pub fn open<C: Connector>(connector: C) -> (Desk, impl Future<Output = ()>) {
    let (ask, questions) = mpsc::unbounded_channel();
    let (tell, news) = mpsc::unbounded_channel();
    let (told, retry) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let work = Work { connector, questions, tell, told: told.clone(), retry: retry.clone() };
    (Desk { questions: ask, news, told, retry }, work.run())
}

struct Work<C> {
    connector: C,
    questions: mpsc::UnboundedReceiver<Question>,
    tell: mpsc::UnboundedSender<News>,
    told: Arc<Notify>,
    retry: Arc<Notify>,
}

/// Why the desk stopped serving over one connection.
enum End {
    /// Nobody asks any more.
    Closed,
    /// The connection is lost.
    Lost(Trouble),
}

impl<C: Connector> Work<C> {
    async fn run(mut self) {
        let mut failures = 0;
        loop {
            debug!("connecting");
            self.tell(News::Connecting);
            let reason = match self.connector.connect(&self.told).await {
                Ok((home, pushes)) => {
                    info!(pushes, "connected");
                    self.tell(News::Up { pushes });
                    match self.serve(home, &mut failures).await {
                        End::Closed => return,
                        End::Lost(reason) => reason,
                    }
                }
                Err(reason) => reason,
            };
            let retry_in = wait(failures);
            failures += 1;
            warn!(%reason, ?retry_in, failures, "no connection");
            self.tell(News::Down { reason: reason.clone(), retry_in });
            if !self.pause(&reason, retry_in).await {
                return;
            }
        }
    }

    /// Answers questions over one connection. A good answer resets `failures`: only then has the connection proved
    /// itself.
    async fn serve(&mut self, mut home: C::Home, failures: &mut u32) -> End {
        let mut silences = 0;
        let mut told = None;
        while let Some(question) = self.questions.recv().await {
            let trouble = self.answer(&mut home, question).await;
            if let Some(access) = home.access().filter(|access| told.replace(*access) != Some(*access)) {
                self.tell(News::Access(access));
            }
            match trouble {
                None => {
                    *failures = 0;
                    silences = 0;
                }
                Some(Trouble::Silent(limit)) => {
                    silences += 1;
                    if silences >= SILENCES {
                        return End::Lost(Trouble::Silent(limit));
                    }
                }
                Some(reason) if reason.ends_connection() => return End::Lost(reason),
                // The server speaks, if only to refuse.
                Some(_) => silences = 0,
            }
        }
        End::Closed
    }

    /// Answers one question, and returns the trouble it met.
    async fn answer(&self, home: &mut C::Home, question: Question) -> Option<Trouble> {
        let began = Instant::now();
        match question {
            Question::Read { generation, board, ask } => {
                let result = home.read(&board, &ask).await;
                let took = began.elapsed();
                self.tell_trips(home, true);
                let trouble = result.as_ref().err().cloned();
                self.tell(News::Answered { generation, result, took });
                trouble
            }
            Question::Version(board) => {
                let result = home.version(&board).await;
                self.tell_trips(home, false);
                let trouble = result.as_ref().err().cloned();
                self.tell(News::Polled { key: board.key, result, took: began.elapsed() });
                trouble
            }
            Question::Names(names, members) => {
                let result = home.names(&names, &members).await;
                self.tell_trips(home, false);
                let trouble = result.as_ref().err().cloned();
                self.tell(News::Named { home: names, members, result });
                trouble
            }
            Question::List { generation, boards } => {
                let result = home.list(&boards).await;
                self.tell_trips(home, false);
                let trouble = result.as_ref().err().cloned();
                self.tell(News::Listed { generation, result });
                trouble
            }
            Question::Distribution { generation, board, most } => {
                let result = home.distribution(&board, most).await;
                let trouble = result.as_ref().err().cloned();
                self.tell(News::Distributed { generation, result });
                trouble
            }
            Question::Find { generation, lookout } => {
                let result = find::step(home, &lookout).await;
                self.tell_trips(home, false);
                let trouble = result.as_ref().err().cloned();
                self.tell(News::Matched { generation, result });
                trouble
            }
            Question::Search { generation, is_new } => {
                let result = home.search(is_new).await;
                self.tell_trips(home, false);
                let trouble = result.as_ref().err().cloned();
                self.tell(News::Found { generation, result });
                trouble
            }
        }
    }

    fn tell_trips(&self, home: &mut C::Home, is_page: bool) {
        let trips = home.trips();
        if !trips.is_empty() {
            self.tell(News::Trips { is_page, trips });
        }
    }

    /// Waits for the next try; questions that come meanwhile are answered with the reason. False where nobody asks any
    /// more.
    async fn pause(&mut self, reason: &Trouble, retry_in: Duration) -> bool {
        let over = sleep(retry_in);
        tokio::pin!(over);
        loop {
            tokio::select! {
                () = &mut over => return true,
                () = self.retry.notified() => return true,
                question = self.questions.recv() => match question {
                    None => return false,
                    Some(question) => self.decline(question, reason),
                },
            }
        }
    }

    fn decline(&self, question: Question, reason: &Trouble) {
        let took = Duration::ZERO;
        self.tell(match question {
            Question::Read { generation, .. } => News::Answered { generation, result: Err(reason.clone()), took },
            Question::Version(board) => News::Polled { key: board.key, result: Err(reason.clone()), took },
            Question::Names(home, members) => News::Named { home, members, result: Err(reason.clone()) },
            Question::List { generation, .. } => News::Listed { generation, result: Err(reason.clone()) },
            Question::Distribution { generation, .. } => News::Distributed { generation, result: Err(reason.clone()) },
            Question::Find { generation, .. } => News::Matched { generation, result: Err(reason.clone()) },
            Question::Search { generation, .. } => News::Found { generation, result: Err(reason.clone()) },
        });
    }

    /// Where nobody listens any more, there is nothing to do about it: the questions end too.
    fn tell(&self, news: News) {
        let _ = self.tell.send(news);
    }
}

/// The wait after so many failures in a row: doubled each time, capped, and jittered by a fifth, so that many viewers
/// do not come back to a server at the same moment.
fn wait(failures: u32) -> Duration {
    let doubled = FIRST_WAIT.saturating_mul(1 << failures.min(10)).min(LONGEST_WAIT);
    // The standard library's hasher is seeded at random; no more than that is needed here.
    let jitter = RandomState::new().build_hasher().finish() % 400;
    doubled.mul_f64(0.8 + f64::from(u32::try_from(jitter).unwrap_or(0)) / 1_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::ask::Whence;
    use crate::board::order::Order;
    use crate::store::embedded::EmbeddedHome;
    use std::cell::Cell;

    /// Fails as often as it is told to, then leads to an empty home.
    struct Failing(Cell<u32>);

    impl Connector for Failing {
        type Home = EmbeddedHome;

        async fn connect(&self, _: &Arc<Notify>) -> Result<(EmbeddedHome, bool), Trouble> {
            if self.0.get() == 0 {
                return Ok((EmbeddedHome::default(), false));
            }
            self.0.set(self.0.get() - 1);
            Err(Trouble::Unreachable("nobody there".to_owned()))
        }
    }

    fn board() -> Board {
        Board { key: "b".into(), order: Order::Desc, version_key: "v".into(), meta_key: "m".into() }
    }

    fn read(generation: u64) -> Question {
        Question::Read { generation, board: board(), ask: Ask::new(Whence::Position(1), 1) }
    }

    #[test]
    fn waits_grow_to_a_cap_and_are_jittered() {
        for failures in 0..50 {
            let whole = Duration::from_millis((250_u64 << failures.min(10)).min(5_000));
            let found = wait(failures);
            assert!(found >= whole.mul_f64(0.79) && found <= whole.mul_f64(1.21), "{failures}: {found:?}");
        }
        let different: std::collections::HashSet<_> = (0..20).map(|_| wait(3)).collect();
        assert!(different.len() > 1);
    }

    #[tokio::test(start_paused = true)]
    async fn comes_back_by_itself_and_answers_every_question_once() {
        let (mut desk, work) = open(Failing(Cell::new(3)));
        let asker = async {
            let mut downs = 0;
            let mut answers = Vec::new();
            desk.questions.send(read(1)).unwrap();
            while let Some(news) = desk.news.recv().await {
                match news {
                    News::Down { .. } => downs += 1,
                    News::Up { .. } => desk.questions.send(read(2)).unwrap(),
                    News::Answered { generation, result, .. } => {
                        answers.push((generation, result.is_ok()));
                        if generation == 2 {
                            break;
                        }
                    }
                    _ => {}
                }
            }
            assert_eq!((downs, answers), (3, vec![(1, false), (2, true)]));
            drop(desk);
        };
        tokio::join!(work, asker);
    }

    #[tokio::test(start_paused = true)]
    async fn a_retry_does_not_wait() {
        let (mut desk, work) = open(Failing(Cell::new(1)));
        let asker = async {
            let mut asked = Instant::now();
            while let Some(news) = desk.news.recv().await {
                match news {
                    News::Down { .. } => {
                        asked = Instant::now();
                        desk.retry.notify_one();
                    }
                    News::Up { .. } => break,
                    _ => {}
                }
            }
            assert_eq!(asked.elapsed(), Duration::ZERO);
            drop(desk);
        };
        tokio::join!(work, asker);
    }
}
