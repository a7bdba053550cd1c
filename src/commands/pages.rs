//! The pages of a board, each strictly after the last row of the one before, and the names that go with them. Two of each
//! are on their way at a time, so that the server reads one while another is taken in; what is written of them, and
//! whether they are of one moment, is not its concern.

use std::collections::VecDeque;
use std::future::ready;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::names::{Name, NamesLocation};
use crate::board::packed::scoring::Scoring;
use crate::board::rank::RankStyle;
use crate::board::window::Window;
use crate::commands::probe::window;
use crate::exit::Failure;
use crate::query::error::StoreError;
use crate::query::page::{PageRequest, PageStart};
use crate::store::BoardSource;

/// Rows of one page.
const PAGE: u64 = 1_000;

/// What is read.
pub(super) struct Source {
    /// In the order of its rows.
    pub(super) board: Board,
    /// Where it lives, as messages name it.
    pub(super) address: String,
    /// In which style ranks are wanted.
    pub(super) style: RankStyle,
    /// How scores are read.
    pub(super) scoring: Scoring,
}

impl Source {
    async fn read<H: BoardSource>(&self, home: &mut H, whence: PageStart, size: u64) -> Result<Window, Failure> {
        let dense = self.style == RankStyle::Dense;
        let ask = PageRequest { dense, scoring: self.scoring.clone(), ..PageRequest::new(whence, size) };
        window(home, &self.board, &ask, &self.address).await
    }
}

/// A question on its way.
type OnItsWay<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Sends a question on its way: its first poll sends it, and whoever waits for the answer polls again.
fn send<'a, T: 'a>(question: impl Future<Output = T> + 'a) -> OnItsWay<'a, T> {
    let mut question: OnItsWay<'a, T> = Box::pin(question);
    match question.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => Box::pin(ready(answer)),
        Poll::Pending => question,
    }
}

/// A read that gives its home back.
type Reading<'a, H> = OnItsWay<'a, (&'a mut H, Result<Window, Failure>)>;

/// Reads pages over two homes.
pub(super) struct Pages<'a, H> {
    source: &'a Source,
    free: Vec<&'a mut H>,
    /// Reads by position, each with the position that its page is to go on from.
    ahead: VecDeque<(u64, Reading<'a, H>)>,
}

impl<'a, H: BoardSource> Pages<'a, H> {
    pub(super) fn new(source: &'a Source, homes: [&'a mut H; 2]) -> Self {
        Self { source, free: homes.into(), ahead: VecDeque::new() }
    }

    /// The first page.
    pub(super) async fn first(&mut self, whence: PageStart) -> Result<Window, Failure> {
        self.read(whence).await
    }

    /// The page strictly after the last row of `page`, unless that is the last one.
    ///
    /// Where that row still stands at its position, whatever follows it there follows it in board order; rows by position
    /// cost a server half of what a place does, and can be asked for before the page that they go on from is known. Where
    /// it does not, its place is looked for.
    pub(super) async fn after(&mut self, page: &Window) -> Option<Result<Window, Failure>> {
        let last = page.entries.last().filter(|_| !page.is_last())?;
        if let Some((_, reading)) = self.ahead.pop_front() {
            match self.arrived(reading).await {
                Ok(rows) if rows.verified && rows.entries.first() == Some(last) => {
                    if let Some(following) = rows.without_first() {
                        return Some(Ok(following));
                    }
                }
                Ok(_) => {}
                Err(failure) => return Some(Err(failure)),
            }
        }
        // The board moved, so whatever is on its way is of the wrong rows.
        while let Some((_, reading)) = self.ahead.pop_front() {
            // A failure shows again in the read that counts.
            let _ = self.arrived(reading).await;
        }
        Some(self.read(PageStart::After(last.clone())).await)
    }

    /// Sends for the pages after `page`, as far as there are homes for them.
    pub(super) fn send_ahead(&mut self, page: &Window) {
        loop {
            let from = self.ahead.back().map_or(page.end(), |(from, _)| from + PAGE);
            if from == 0 || from >= page.total {
                return;
            }
            let Some(home) = self.free.pop() else { return };
            let source = self.source;
            let reading = send(async move {
                // With the row that it goes on from.
                let read = source.read(home, PageStart::Position(from), PAGE + 1).await;
                (home, read)
            });
            self.ahead.push_back((from, reading));
        }
    }

    async fn arrived(&mut self, reading: Reading<'a, H>) -> Result<Window, Failure> {
        let (home, read) = reading.await;
        self.free.push(home);
        read
    }

    /// One read while none is on its way.
    async fn read(&mut self, whence: PageStart) -> Result<Window, Failure> {
        #[expect(clippy::expect_used, reason = "a home is not free only while its read is on its way")]
        let home = self.free.last_mut().expect("homes are free while no read is on its way");
        self.source.read(*home, whence, PAGE).await
    }
}

/// Names on their way; nothing where none are read.
pub(super) type Naming<'a, H> = Option<OnItsWay<'a, (&'a mut H, Result<Option<Vec<Option<Name>>>, StoreError>)>>;

/// Reads names over two homes, until it turns out that they may not be read.
pub(super) struct Names<'a, H> {
    source: &'a Source,
    free: Vec<&'a mut H>,
    at: &'a NamesLocation,
    /// Why there are none any more.
    pub(super) trouble: Option<StoreError>,
}

impl<'a, H: BoardSource> Names<'a, H> {
    pub(super) fn new(source: &'a Source, homes: [&'a mut H; 2], at: &'a NamesLocation) -> Self {
        Self { source, free: homes.into(), at, trouble: None }
    }

    /// Sends for the names of the rows of `page`, unless they may not be read or two pages of them are on their way.
    pub(super) fn send(&mut self, page: &Window) -> Naming<'a, H> {
        if self.trouble.is_some() || page.is_empty() {
            return None;
        }
        let (home, at) = (self.free.pop()?, self.at);
        let members: Vec<Member> = page.entries.iter().map(|entry| self.source.scoring.id_of(&entry.member)).collect();
        Some(send(async move {
            let names = home.names(at, &members).await;
            (home, names)
        }))
    }

    /// The names that were sent for; none where they may not be read.
    pub(super) async fn arrived(&mut self, naming: Naming<'a, H>) -> Result<Vec<Option<Name>>, Failure> {
        let Some(naming) = naming else { return Ok(Vec::new()) };
        let (home, names) = naming.await;
        self.free.push(home);
        match names {
            Ok(names) => Ok(names.unwrap_or_default()),
            Err(trouble @ (StoreError::NoPermission { .. } | StoreError::WrongType { .. })) => {
                self.trouble = Some(trouble);
                Ok(Vec::new())
            }
            Err(trouble) => Err(Failure::unreadable(&self.source.board, &self.source.address, &trouble)),
        }
    }
}
