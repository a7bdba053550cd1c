//! The one loop: events in, effects out, and a frame where anything changed. Its arms only receive; nothing here waits
//! for a server or for the terminal.

use std::io;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use tokio::time::sleep_until;
use tracing::{info, trace};

use crate::app::event::{Effect, Event, Link, Moment};
use crate::app::state::State;
use crate::app::update::update;
use crate::store::desk::{Connector, Desk, News, Question, open};
use crate::store::find::Lookout;
use crate::term::guard::{TerminalGuard, panicked};
use crate::term::input::{self, Input};
use crate::term::output::Screen;
use crate::term::pace::Pace;
use crate::term::signals::{Asked, Signals, stop_process};
use crate::view::{Look, draw};

/// Runs the viewer until its user leaves or a signal ends it; the exit code, as a shell tells it. The terminal is given
/// back before this returns, whatever it returns. `has_mouse`: whether the terminal is asked for reports of the mouse.
pub async fn run(connector: impl Connector, mut state: State, look: Look, has_mouse: bool) -> anyhow::Result<u8> {
    let signals = Signals::listen().context("cannot listen for signals")?;
    // Connected while the terminal is being taken.
    let (desk, work) = open(connector);
    let guard = TerminalGuard::take(has_mouse).context("cannot take the terminal")?;
    let screen = Screen::new(state.geometry.columns, state.geometry.lines()).context("cannot draw on the terminal")?;
    let input = input::start().context("cannot read keys")?;
    info!(columns = state.geometry.columns, lines = state.geometry.lines(), "the terminal is taken");
    let (began, pace) = (Instant::now(), Pace::default());
    let mut viewer = Viewer { desk, screen, pace, guard, began, is_asked_to_stop: false };
    tokio::select! {
        biased;
        // Some tasks are not this program's own, such as those of a connection: nobody else would notice their end.
        () = panicked() => Err(anyhow::anyhow!("a part of the program has failed in a way that it should not")),
        code = viewer.watch(&mut state, &look, input, signals) => code,
        () = work => Err(anyhow::anyhow!("the connection's task has ended")),
    }
}

struct Viewer {
    desk: Desk,
    // Dropped before the guard: its last frame comes before the terminal is given back.
    screen: Screen,
    pace: Pace,
    guard: TerminalGuard,
    began: Instant,
    is_asked_to_stop: bool,
}

impl Viewer {
    async fn watch(
        &mut self,
        state: &mut State,
        look: &Look,
        mut input: Input,
        mut signals: Signals,
    ) -> anyhow::Result<u8> {
        let told = self.desk.told.clone();
        let freed = self.screen.freed.clone();
        loop {
            let frame = self.draw(state, look).context("cannot draw on the terminal")?;
            let wake = state.wake(self.now()).into_iter().chain(frame).min().map(|at| self.began + at);
            let event = tokio::select! {
                biased;
                asked = signals.next() => match asked {
                    Asked::End(code) => return Ok(code),
                    Asked::Stop => {
                        self.is_asked_to_stop = true;
                        None
                    }
                },
                event = input.recv() => Some(typed(event)?),
                Some(news) = self.desk.news.recv() => Some(self.translate(news)),
                () = told.notified() => Some(Event::Pushed),
                () = freed.notified() => None,
                () = at(wake) => Some(Event::Woken),
            };
            if let Some(event) = event {
                self.take(state, event)?;
            }
            // A burst of keys and news costs one frame.
            while let Ok(event) = input.try_recv() {
                self.take(state, typed(Some(event))?)?;
            }
            while let Ok(news) = self.desk.news.try_recv() {
                let event = self.translate(news);
                self.take(state, event)?;
            }
            if state.has_quit {
                return Ok(0);
            }
            if std::mem::take(&mut self.is_asked_to_stop) {
                self.stop(state)?;
            }
        }
    }

    fn now(&self) -> Moment {
        self.began.elapsed()
    }

    fn take(&mut self, state: &mut State, event: Event) -> anyhow::Result<()> {
        if let Event::Resized { columns, lines } = event {
            self.screen.restart(columns, lines);
        }
        if matches!(event, Event::Key(_) | Event::Mouse(_) | Event::Paste(_) | Event::Resized { .. }) {
            self.pace.hurry(self.now());
        }
        let now = self.now();
        let clock = state.clock.check(now, wall_clock()).map(Event::Clock);
        let effects = clock.map(|clock| update(state, clock, now)).into_iter().flatten();
        for effect in effects.chain(update(state, event, now)) {
            match effect {
                Effect::Ask { generation, board, ask } => self.ask(Question::Read { generation, board, ask })?,
                Effect::Poll(board) => self.ask(Question::Version(board))?,
                Effect::Names(home, members) => self.ask(Question::Names(home, members))?,
                Effect::List { generation, boards } => self.ask(Question::List { generation, boards })?,
                Effect::Distribution { generation, board, most } => {
                    self.ask(Question::Distribution { generation, board, most })?;
                }
                Effect::Find { generation, board, names, needle, from, forward } => {
                    let lookout = Box::new(Lookout { board, names, needle, from, forward });
                    self.ask(Question::Find { generation, lookout })?;
                }
                Effect::Search { generation, is_new } => self.ask(Question::Search { generation, is_new })?,
                Effect::Retry => self.desk.retry.notify_one(),
                Effect::Copy(text) => self.screen.copy(&text),
                Effect::Suspend => self.is_asked_to_stop = true,
            }
        }
        Ok(())
    }

    fn ask(&self, question: Question) -> anyhow::Result<()> {
        self.desk.questions.send(question).context("the connection's task has ended")
    }

    fn translate(&self, news: News) -> Event {
        match news {
            News::Answered { generation, result, took } => Event::Answered { generation, result, took },
            News::Trips { is_page, trips } => Event::Trips { is_page, trips },
            News::Polled { key, result, took } => Event::Polled { key, result, took },
            News::Named { home, members, result } => Event::Named { home, members, result },
            News::Listed { generation, result } => Event::Listed { generation, result },
            News::Distributed { generation, result } => Event::Distributed { generation, result },
            News::Matched { generation, result } => Event::Matched { generation, result },
            News::Found { generation, result } => Event::Found { generation, result },
            News::Access(access) => Event::Access(access),
            News::Connecting => Event::Link(Link::Connecting),
            News::Place(place) => Event::Place(place),
            News::Up { pushes } => Event::Link(Link::Up { pushes }),
            News::Down { reason, retry_in } => Event::Link(Link::Down { reason, retry_at: self.now() + retry_in }),
        }
    }

    /// Draws where anything changed and the terminal is free; else, where it is only too soon, returns when to.
    fn draw(&mut self, state: &mut State, look: &Look) -> io::Result<Option<Moment>> {
        if !state.is_dirty || self.screen.is_busy()? {
            return Ok(None);
        }
        let now = self.now();
        if now < self.pace.due() {
            return Ok(Some(self.pace.due()));
        }
        state.is_dirty = false;
        self.pace.drawn(now);
        self.screen.draw(|frame| draw(frame, state, look, now))?;
        trace!(?now, "drew a frame");
        Ok(None)
    }

    /// Gives the terminal back and stops; goes on from here when the shell says so.
    fn stop(&mut self, state: &mut State) -> anyhow::Result<()> {
        self.screen.finish();
        self.guard.lend();
        info!("stopped");
        stop_process().context("cannot stop")?;
        info!("going on");
        self.guard.resume().context("cannot take the terminal again")?;
        let (columns, lines) = input::size();
        self.take(state, Event::Resized { columns, lines })
    }
}

/// An event of the terminal; an error where the terminal is gone.
fn typed(event: Option<io::Result<Event>>) -> anyhow::Result<Event> {
    event.unwrap_or_else(|| Err(io::ErrorKind::UnexpectedEof.into())).context("the terminal is gone")
}

/// What the calendar's clock shows, Unix ms.
pub fn wall_clock() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Until the moment comes; for ever where there is none.
async fn at(wake: Option<Instant>) {
    match wake {
        Some(at) => sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}
