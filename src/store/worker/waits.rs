//! Waits between tries to connect: they grow whatever is pressed, and an answer makes them short again.

use crate::board::distribution::{Binning, Distribution};
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::names::Name;
use crate::board::names::NamesLocation;
use crate::board::version::Version;
use crate::query::listing::Found;
use crate::query::listing::KeySummary;
use crate::query::page::PageReply;
use crate::query::page::PageRequest;
use std::cell::Cell;

use super::*;
use crate::board::order::Order;
use crate::query::page::PageStart;

fn read(generation: u64) -> Request {
    let board = Board { key: "b".into(), order: Order::Desc, version_key: "v".into(), meta_key: "m".into() };
    Request::Page { generation, board, page: PageRequest::new(PageStart::Position(1), 1) }
}

/// Answers once over each connection, where it `answers`, and is gone then.
struct Fickle {
    answers: bool,
}

impl BoardSource for Fickle {
    async fn read(&mut self, _: &Board, _: &PageRequest) -> Result<PageReply, StoreError> {
        if std::mem::take(&mut self.answers) {
            return Ok(PageReply::NotOnBoard);
        }
        Err(StoreError::Unreachable("gone".to_owned()))
    }

    async fn version(&mut self, _: &Board) -> Result<Option<Version>, StoreError> {
        Ok(None)
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
        Err(StoreError::Unreachable("gone".to_owned()))
    }
}

/// Leads to a fickle home; the sixth of them answers.
struct Sixth(Cell<u32>);

impl Connector for Sixth {
    type Source = Fickle;

    async fn connect(&self, _: &Arc<Notify>) -> Result<(Fickle, bool), StoreError> {
        self.0.set(self.0.get() + 1);
        Ok((Fickle { answers: self.0.get() == 6 }, false))
    }
}

#[tokio::test(start_paused = true)]
async fn waits_grow_whatever_is_pressed_and_an_answer_makes_them_short_again() {
    let (mut desk, work) = open(Sixth(Cell::new(0)));
    let asker = async {
        let mut waits: Vec<Duration> = Vec::new();
        while waits.len() < 7 {
            match desk.replies.recv().await.unwrap() {
                Reply::Link(LinkChange::Up { .. }) => {
                    desk.requests.send(read(1)).unwrap();
                    desk.requests.send(read(2)).unwrap();
                }
                Reply::Link(LinkChange::Down { retry_in, .. }) => {
                    waits.push(retry_in);
                    desk.retry.notify_one();
                }
                _ => {}
            }
        }
        drop(desk);
        waits
    };
    let ((), waits) = tokio::join!(work, asker);
    for pair in waits[..5].windows(2) {
        assert!(pair[1] > pair[0] || pair[1] > LONGEST_WAIT.mul_f64(0.79), "{waits:?}");
    }
    assert!(waits[5] < FIRST_WAIT.mul_f64(1.21) && waits[6] > waits[5], "{waits:?}");
}
