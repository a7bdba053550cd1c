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
use crate::board::place::Place;
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
/// The same where each try looks for the server anew: what is found by then may be another one.
const LONGEST_SEARCH: Duration = Duration::from_millis(400);
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
    /// Where the board is read, at first and whenever that changes.
    Place(Place),
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

    /// Watches over the connection that was made last, beside the questions; ends with the reason once it leads to the wrong
    /// place. Tells where it leads.
    async fn watch_over(&self, _tell: &dyn Fn(Place)) -> Trouble {
        std::future::pending().await
    }

    /// True where each try looks for the server anew, so that it finds a board that has moved.
    fn is_searching(&self) -> bool {
        false
    }
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
            let retry_in = self.wait(&reason, failures);
            failures += 1;
            warn!(%reason, ?retry_in, failures, "no connection");
            self.tell(News::Down { reason: reason.clone(), retry_in });
            if !self.pause(&reason, retry_in).await {
                return;
            }
        }
    }

    /// The wait before the next try, after so many failures in a row. Where it is known that the board is elsewhere, it is
    /// looked for at once.
    fn wait(&self, reason: &Trouble, failures: u32) -> Duration {
        match (self.connector.is_searching(), reason) {
            (true, reason) if failures == 0 && is_elsewhere(reason) => Duration::ZERO,
            (true, _) => wait(failures, LONGEST_SEARCH),
            (false, _) => wait(failures, LONGEST_WAIT),
        }
    }

    /// Answers questions over one connection. A good answer resets `failures`: only then has the connection proved
    /// itself.
    async fn serve(&mut self, mut home: C::Home, failures: &mut u32) -> End {
        let Self { connector, questions, tell, .. } = self;
        let show = |place| say(tell, News::Place(place));
        let mut over = std::pin::pin!(connector.watch_over(&show));
        let mut silences = 0;
        let mut told = None;
        loop {
            let question = tokio::select! {
                biased;
                reason = &mut over => return End::Lost(reason),
                question = questions.recv() => question,
            };
            let Some(question) = question else { return End::Closed };
            let trouble = tokio::select! {
                biased;
                reason = &mut over => {
                    decline(tell, question, &reason);
                    return End::Lost(reason);
                }
                trouble = answer(tell, &mut home, &question) => trouble,
            };
            if let Some(access) = home.access().filter(|access| told.replace(*access) != Some(*access)) {
                say(tell, News::Access(access));
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
                Some(reason) if reason.is_moved() && connector.is_searching() => return End::Lost(reason),
                // The server speaks, if only to refuse.
                Some(_) => silences = 0,
            }
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
                    Some(question) => decline(&self.tell, question, reason),
                },
            }
        }
    }

    fn tell(&self, news: News) {
        say(&self.tell, news);
    }
}

/// True where it is known that another server has the board.
fn is_elsewhere(reason: &Trouble) -> bool {
    reason.is_moved() || matches!(reason, Trouble::Replaced(_))
}

/// Answers one question, and returns the trouble it met.
async fn answer<H: Home + Catalogue>(
    tell: &mpsc::UnboundedSender<News>,
    home: &mut H,
    question: &Question,
) -> Option<Trouble> {
    let began = Instant::now();
    let (trouble, news) = match question {
        Question::Read { generation, board, ask } => {
            let result = home.read(board, ask).await;
            let took = began.elapsed();
            (result.as_ref().err().cloned(), News::Answered { generation: *generation, result, took })
        }
        Question::Version(board) => {
            let result = home.version(board).await;
            let (key, took) = (board.key.clone(), began.elapsed());
            (result.as_ref().err().cloned(), News::Polled { key, result, took })
        }
        Question::Names(names, members) => {
            let result = home.names(names, members).await;
            let (home, members) = (names.clone(), members.clone());
            (result.as_ref().err().cloned(), News::Named { home, members, result })
        }
        Question::List { generation, boards } => {
            let result = home.list(boards).await;
            (result.as_ref().err().cloned(), News::Listed { generation: *generation, result })
        }
        Question::Distribution { generation, board, most } => {
            let result = home.distribution(board, *most).await;
            (result.as_ref().err().cloned(), News::Distributed { generation: *generation, result })
        }
        Question::Find { generation, lookout } => {
            let result = find::step(home, lookout).await;
            (result.as_ref().err().cloned(), News::Matched { generation: *generation, result })
        }
        Question::Search { generation, is_new } => {
            let result = home.search(*is_new).await;
            (result.as_ref().err().cloned(), News::Found { generation: *generation, result })
        }
    };
    let trips = home.trips();
    if !trips.is_empty() {
        say(tell, News::Trips { is_page: matches!(question, Question::Read { .. }), trips });
    }
    say(tell, news);
    trouble
}

fn decline(tell: &mpsc::UnboundedSender<News>, question: Question, reason: &Trouble) {
    let took = Duration::ZERO;
    let news = match question {
        Question::Read { generation, .. } => News::Answered { generation, result: Err(reason.clone()), took },
        Question::Version(board) => News::Polled { key: board.key, result: Err(reason.clone()), took },
        Question::Names(home, members) => News::Named { home, members, result: Err(reason.clone()) },
        Question::List { generation, .. } => News::Listed { generation, result: Err(reason.clone()) },
        Question::Distribution { generation, .. } => News::Distributed { generation, result: Err(reason.clone()) },
        Question::Find { generation, .. } => News::Matched { generation, result: Err(reason.clone()) },
        Question::Search { generation, .. } => News::Found { generation, result: Err(reason.clone()) },
    };
    say(tell, news);
}

/// Where nobody listens any more, there is nothing to do about it: the questions end too.
fn say(tell: &mpsc::UnboundedSender<News>, news: News) {
    let _ = tell.send(news);
}

/// The wait after so many failures in a row: doubled each time, capped, and jittered by a fifth, so that many viewers
/// do not come back to a server at the same moment.
fn wait(failures: u32, longest: Duration) -> Duration {
    let doubled = FIRST_WAIT.saturating_mul(1 << failures.min(10)).min(longest);
    // The standard library's hasher is seeded at random; no more than that is needed here.
    let jitter = RandomState::new().build_hasher().finish() % 400;
    doubled.mul_f64(0.8 + f64::from(u32::try_from(jitter).unwrap_or(0)) / 1_000.0)
}

#[cfg(test)]
mod tests;
