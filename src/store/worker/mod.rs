//! Connection worker: it keeps a connection, answers one request after another, and tells what
//! became of each and of the connection. Whoever asks never waits for it.
//!
//! Every request gets exactly one answer, also where there is no connection, so that whoever asked knows where it
//! stands.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, sleep};
use tracing::{debug, info, warn};

use crate::query::error::StoreError;
use crate::query::reply::{LinkChange, Reply};
use crate::query::request::Request;
use crate::query::server::Server;
use crate::store::{BoardSource, find};

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

/// What makes connections.
#[expect(async_fn_in_trait, reason = "one thread drives a worker; its futures need not be Send")]
pub trait Connector {
    /// What a connection leads to.
    type Source: BoardSource;

    /// Connects, within a limit of its own; also tells whether the source tells of changes by itself, by notifying
    /// `told`.
    async fn connect(&self, told: &Arc<Notify>) -> Result<(Self::Source, bool), StoreError>;

    /// Watches over the connection that was made last, beside the requests; ends with the reason once it leads to the wrong
    /// place. Tells where it leads.
    async fn watch_over(&self, _tell: &dyn Fn(Server)) -> StoreError {
        std::future::pending().await
    }

    /// True where each try looks for the server anew, so that it finds a board that has moved.
    fn is_searching(&self) -> bool {
        false
    }
}

/// The ends of a worker that its user holds.
pub struct WorkerHandle {
    /// Takes requests. No more than a few are ever under way, for whoever asks waits for the answer to one of a kind
    /// before it asks the next.
    pub requests: mpsc::UnboundedSender<Request>,
    /// Brings replies.
    pub replies: mpsc::UnboundedReceiver<Reply>,
    /// Notified when a source tells that something has changed; many words in a row are one.
    pub told: Arc<Notify>,
    /// Notify it to connect at once.
    pub retry: Arc<Notify>,
}

/// Starts a worker: its ends, and the task behind it, which ends when the requests' end is dropped.
pub fn open<C: Connector>(connector: C) -> (WorkerHandle, impl Future<Output = ()>) {
    let (request, requests) = mpsc::unbounded_channel();
    let (reply, replies) = mpsc::unbounded_channel();
    let (told, retry) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let worker = Worker { connector, requests, replies: reply, told: told.clone(), retry: retry.clone() };
    (WorkerHandle { requests: request, replies, told, retry }, worker.run())
}

struct Worker<C> {
    connector: C,
    requests: mpsc::UnboundedReceiver<Request>,
    replies: mpsc::UnboundedSender<Reply>,
    told: Arc<Notify>,
    retry: Arc<Notify>,
}

/// Why the worker stopped serving over one connection.
enum End {
    /// Nobody asks any more.
    Closed,
    /// The connection is lost.
    Lost(StoreError),
}

impl<C: Connector> Worker<C> {
    async fn run(mut self) {
        let mut failures = 0;
        loop {
            debug!("connecting");
            self.send(Reply::Link(LinkChange::Connecting));
            let reason = match self.connector.connect(&self.told).await {
                Ok((source, pushes)) => {
                    info!(pushes, "connected");
                    self.send(Reply::Link(LinkChange::Up { pushes }));
                    match self.serve(source, &mut failures).await {
                        End::Closed => return,
                        End::Lost(reason) => reason,
                    }
                }
                Err(reason) => reason,
            };
            let retry_in = self.wait(&reason, failures);
            failures += 1;
            warn!(%reason, ?retry_in, failures, "no connection");
            self.send(Reply::Link(LinkChange::Down { reason: reason.clone(), retry_in }));
            if !self.pause(&reason, retry_in).await {
                return;
            }
        }
    }

    /// The wait before the next try, after so many failures in a row. Where it is known that the board is elsewhere, it is
    /// looked for at once.
    fn wait(&self, reason: &StoreError, failures: u32) -> Duration {
        match (self.connector.is_searching(), reason) {
            (true, reason) if failures == 0 && is_elsewhere(reason) => Duration::ZERO,
            (true, _) => wait(failures, LONGEST_SEARCH),
            (false, _) => wait(failures, LONGEST_WAIT),
        }
    }

    /// Answers requests over one connection. A good answer resets `failures`: only then has the connection proved
    /// itself.
    async fn serve(&mut self, mut source: C::Source, failures: &mut u32) -> End {
        let Self { connector, requests, replies, .. } = self;
        let show = |place| send(replies, Reply::Server(place));
        let mut over = std::pin::pin!(connector.watch_over(&show));
        let mut silences = 0;
        let mut told = None;
        loop {
            let request = tokio::select! {
                biased;
                reason = &mut over => return End::Lost(reason),
                request = requests.recv() => request,
            };
            let Some(request) = request else { return End::Closed };
            let trouble = tokio::select! {
                biased;
                reason = &mut over => {
                    send(replies, Reply::failed(request, reason.clone()));
                    return End::Lost(reason);
                }
                trouble = answer(replies, &mut source, &request) => trouble,
            };
            if let Some(access) = source.access().filter(|access| told.replace(*access) != Some(*access)) {
                send(replies, Reply::Capabilities(access));
            }
            match trouble {
                None => {
                    *failures = 0;
                    silences = 0;
                }
                Some(StoreError::Timeout(limit)) => {
                    silences += 1;
                    if silences >= SILENCES {
                        return End::Lost(StoreError::Timeout(limit));
                    }
                }
                Some(reason) if reason.ends_connection() => return End::Lost(reason),
                Some(reason) if reason.is_moved() && connector.is_searching() => return End::Lost(reason),
                // The server speaks, if only to refuse.
                Some(_) => silences = 0,
            }
        }
    }

    /// Waits for the next try; requests that come meanwhile are answered with the reason. False where nobody asks any
    /// more.
    async fn pause(&mut self, reason: &StoreError, retry_in: Duration) -> bool {
        let over = sleep(retry_in);
        tokio::pin!(over);
        loop {
            tokio::select! {
                () = &mut over => return true,
                () = self.retry.notified() => return true,
                request = self.requests.recv() => match request {
                    None => return false,
                    Some(request) => send(&self.replies, Reply::failed(request, reason.clone())),
                },
            }
        }
    }

    fn send(&self, reply: Reply) {
        send(&self.replies, reply);
    }
}

/// True where it is known that another server has the board.
fn is_elsewhere(reason: &StoreError) -> bool {
    reason.is_moved() || matches!(reason, StoreError::FailedOver(_))
}

/// Answers one request, and returns why it failed, where it did.
async fn answer<S: BoardSource>(
    replies: &mpsc::UnboundedSender<Reply>,
    source: &mut S,
    request: &Request,
) -> Option<StoreError> {
    let began = Instant::now();
    let reply = match request.clone() {
        Request::Page { generation, board, page } => {
            let result = source.read(&board, &page).await;
            Reply::Page { generation, result, took: began.elapsed() }
        }
        Request::Version(board) => {
            let result = source.version(&board).await;
            Reply::Version { key: board.key, result, took: began.elapsed() }
        }
        Request::Names(location, members) => {
            let result = source.names(&location, &members).await;
            Reply::Names { location, members, result }
        }
        Request::List { purpose, generation, boards } => {
            Reply::List { purpose, generation, result: source.list(&boards).await }
        }
        Request::Distribution { generation, board, binning } => {
            Reply::Distribution { generation, result: source.distribution(&board, binning).await }
        }
        Request::Find { generation, find } => Reply::Find { generation, result: find::step(source, &find).await },
        Request::Probe(commands) => Reply::Probe(source.probe(&commands).await),
        Request::Search { generation, is_new } => Reply::Search { generation, result: source.search(is_new).await },
    };
    let trips = source.trips();
    if !trips.is_empty() {
        send(replies, Reply::RoundTrips { is_page: matches!(request, Request::Page { .. }), trips });
    }
    let error = reply.error().cloned();
    send(replies, reply);
    error
}

/// Where nobody listens any more, there is nothing to do about it: the requests end too.
fn send(replies: &mpsc::UnboundedSender<Reply>, reply: Reply) {
    let _ = replies.send(reply);
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
