//! The desk with homes that fail, move and come back.

use super::*;
use crate::board::distribution::{Binning, Distribution};
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::names::Name;
use crate::board::names::NamesLocation;
use crate::board::order::Order;
use crate::board::version::Version;
use crate::query::listing::Found;
use crate::query::listing::KeySummary;
use crate::query::page::PageReply;
use crate::query::page::PageRequest;
use crate::query::page::PageStart;
use crate::query::server::Role;
use crate::store::memory::MemorySource;
use std::cell::Cell;
use std::rc::Rc;

/// Fails as often as it is told to, then leads to an empty home.
struct Failing(Cell<u32>);

impl Connector for Failing {
    type Source = MemorySource;

    async fn connect(&self, _: &Arc<Notify>) -> Result<(MemorySource, bool), StoreError> {
        if self.0.get() == 0 {
            return Ok((MemorySource::default(), false));
        }
        self.0.set(self.0.get() - 1);
        Err(StoreError::Unreachable("nobody there".to_owned()))
    }
}

fn board() -> Board {
    Board { key: "b".into(), order: Order::Desc, version_key: "v".into(), meta_key: "m".into() }
}

fn read(generation: u64) -> Request {
    Request::Page { generation, board: board(), page: PageRequest::new(PageStart::Position(1), 1) }
}

#[test]
fn waits_grow_to_a_cap_and_are_jittered() {
    for failures in 0..50 {
        let whole = Duration::from_millis((250_u64 << failures.min(10)).min(5_000));
        let found = wait(failures, LONGEST_WAIT);
        assert!(found >= whole.mul_f64(0.79) && found <= whole.mul_f64(1.21), "{failures}: {found:?}");
    }
    let different: std::collections::HashSet<_> = (0..20).map(|_| wait(3, LONGEST_WAIT)).collect();
    assert!(different.len() > 1);
}

#[tokio::test(start_paused = true)]
async fn comes_back_by_itself_and_answers_every_question_once() {
    let (mut desk, work) = open(Failing(Cell::new(3)));
    let asker = async {
        let mut downs = 0;
        let mut answers = Vec::new();
        desk.requests.send(read(1)).unwrap();
        while let Some(reply) = desk.replies.recv().await {
            match reply {
                Reply::Link(LinkChange::Down { .. }) => downs += 1,
                Reply::Link(LinkChange::Up { .. }) => desk.requests.send(read(2)).unwrap(),
                Reply::Page { generation, result, .. } => {
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
        while let Some(reply) = desk.replies.recv().await {
            match reply {
                Reply::Link(LinkChange::Down { .. }) => {
                    asked = Instant::now();
                    desk.retry.notify_one();
                }
                Reply::Link(LinkChange::Up { .. }) => break,
                _ => {}
            }
        }
        assert_eq!(asked.elapsed(), Duration::ZERO);
        drop(desk);
    };
    tokio::join!(work, asker);
}

/// Leads to a home that finds its board moved, so often; watches over the connection for a while, if at all.
struct Moving {
    moves: Rc<Cell<u32>>,
    is_searching: bool,
    lasts: Option<Duration>,
}

struct MovingSource(Rc<Cell<u32>>);

impl BoardSource for MovingSource {
    async fn read(&mut self, _: &Board, _: &PageRequest) -> Result<PageReply, StoreError> {
        if self.0.get() == 0 {
            return Ok(PageReply::NoFurther);
        }
        self.0.set(self.0.get() - 1);
        Err(StoreError::Moved("MOVED 1 there".to_owned()))
    }

    async fn version(&mut self, _: &Board) -> Result<Option<Version>, StoreError> {
        std::future::pending().await
    }

    async fn names(&mut self, _: &NamesLocation, _: &[Member]) -> Result<Option<Vec<Option<Name>>>, StoreError> {
        Ok(None)
    }

    async fn list(&mut self, _: &[Board]) -> Result<Vec<KeySummary>, StoreError> {
        Ok(Vec::new())
    }

    async fn search(&mut self, _: bool) -> Result<Found, StoreError> {
        Ok(Found::default())
    }

    async fn distribution(&mut self, _: &Board, _: Binning) -> Result<Distribution, StoreError> {
        Err(StoreError::Moved("MOVED 1 there".to_owned()))
    }
}

impl Connector for Moving {
    type Source = MovingSource;

    async fn connect(&self, _: &Arc<Notify>) -> Result<(MovingSource, bool), StoreError> {
        Ok((MovingSource(self.moves.clone()), false))
    }

    async fn watch_over(&self, tell: &dyn Fn(Server)) -> StoreError {
        tell(Server { server: "here".to_owned(), role: Role::Primary, notice: None });
        match self.lasts {
            Some(lasts) => sleep(lasts).await,
            None => std::future::pending().await,
        }
        StoreError::FailedOver("there".to_owned())
    }

    fn is_searching(&self) -> bool {
        self.is_searching
    }
}

#[tokio::test(start_paused = true)]
async fn a_board_that_has_moved_is_looked_for_at_once_and_then_without_long_waits() {
    for is_searching in [true, false] {
        let (mut desk, work) = open(Moving { moves: Rc::new(Cell::new(9)), is_searching, lasts: None });
        let asker = async {
            let mut waits = Vec::new();
            let mut answers = 0;
            while let Some(reply) = desk.replies.recv().await {
                match reply {
                    Reply::Link(LinkChange::Up { .. }) => desk.requests.send(read(0)).unwrap(),
                    Reply::Link(LinkChange::Down { retry_in, .. }) => waits.push(retry_in),
                    Reply::Page { result: Ok(_), .. } => break,
                    Reply::Page { .. } => {
                        answers += 1;
                        if !is_searching {
                            desk.requests.send(read(0)).unwrap();
                        }
                    }
                    _ => {}
                }
            }
            drop(desk);
            (waits, answers)
        };
        let ((), (waits, answers)) = tokio::join!(work, asker);
        if is_searching {
            assert_eq!(waits[0], Duration::ZERO);
            assert!(waits.len() > 3 && waits.iter().all(|wait| *wait <= LONGEST_SEARCH.mul_f64(1.2)), "{waits:?}");
        } else {
            // Nobody would find it elsewhere: it is asked for here until it is back.
            assert_eq!((waits.len(), answers), (0, 9));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_leads_to_the_wrong_place_is_left_in_the_midst_of_a_question() {
    let lasts = Some(Duration::from_secs(3));
    let (mut desk, work) = open(Moving { moves: Rc::default(), is_searching: true, lasts });
    let asker = async {
        let began = Instant::now();
        let replaced = StoreError::FailedOver("there".to_owned());
        desk.requests.send(Request::Version(board())).unwrap();
        let mut told = Vec::new();
        loop {
            match desk.replies.recv().await.unwrap() {
                Reply::Server(place) => told.push(place.server),
                Reply::Version { result, .. } => assert_eq!(result, Err(replaced.clone())),
                Reply::Link(LinkChange::Down { reason, retry_in }) => {
                    assert_eq!((reason, retry_in), (replaced, Duration::ZERO));
                    break;
                }
                _ => {}
            }
        }
        assert_eq!((told, began.elapsed()), (vec!["here".to_owned()], Duration::from_secs(3)));
        drop(desk);
    };
    tokio::join!(work, asker);
}
