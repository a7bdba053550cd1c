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
use crate::app::wake;
use crate::store::worker::{Connector, WorkerHandle, open};
use crate::term::frame_rate::FrameRate;
use crate::term::guard::{TerminalGuard, panicked};
use crate::term::input;
use crate::term::input::Input;
use crate::term::output::Screen;
use crate::term::signals::{Asked, Signals, stop_process};
use crate::view::{Appearance, draw};

/// A first frame that could only say that a page is awaited waits so long: mostly the page comes first.
const FIRST_FRAME: Moment = Moment::from_millis(30);
/// A frame that could only show that a key has asked for a page waits so long: mostly one frame shows both.
const PAGE: Moment = Moment::from_millis(4);

/// Runs the viewer until its user leaves or a signal ends it; the exit code, as a shell tells it. The terminal is given
/// back before this returns, whatever it returns. `has_mouse`: whether the terminal is asked for reports of the mouse.
pub async fn run(connector: impl Connector, mut state: State, look: Appearance, has_mouse: bool) -> anyhow::Result<u8> {
    let signals = Signals::listen().context("cannot listen for signals")?;
    // Connected while the terminal is being taken.
    let (worker, task) = open(connector);
    let guard = TerminalGuard::take(has_mouse).context("cannot take the terminal")?;
    let screen = Screen::new(state.geometry.columns, state.geometry.lines()).context("cannot draw on the terminal")?;
    let input = input::start().context("cannot read keys")?;
    info!(columns = state.geometry.columns, lines = state.geometry.lines(), "the terminal is taken");
    let (began, pace) = (Instant::now(), FrameRate::default());
    let mut viewer = Viewer { worker, screen, pace, guard, began, is_asked_to_stop: false, sent: None };
    tokio::select! {
        biased;
        // Some tasks are not this program's own, such as those of a connection: nobody else would notice their end.
        () = panicked() => Err(anyhow::anyhow!("a background task panicked")),
        code = viewer.watch(&mut state, &look, input, signals) => code,
        () = task => Err(anyhow::anyhow!("the connection worker has ended")),
    }
}

struct Viewer {
    worker: WorkerHandle,
    // Dropped before the guard: its last frame comes before the terminal is given back.
    screen: Screen,
    pace: FrameRate,
    guard: TerminalGuard,
    began: Instant,
    is_asked_to_stop: bool,
    /// When a key last led to a request, where no frame has come since.
    sent: Option<Moment>,
}

impl Viewer {
    async fn watch(
        &mut self,
        state: &mut State,
        look: &Appearance,
        mut input: Input,
        mut signals: Signals,
    ) -> anyhow::Result<u8> {
        let told = self.worker.told.clone();
        let freed = self.screen.freed.clone();
        let mut resizes = input::resizes().context("cannot listen for signals")?;
        loop {
            let frame = self.draw(state, look).context("cannot draw on the terminal")?;
            let wake_at = wake::next(state, self.now()).into_iter().chain(frame).min().map(|at| self.began + at);
            let event = tokio::select! {
                biased;
                asked = signals.next() => match asked {
                    Asked::End(code) => return Ok(code),
                    Asked::Stop => {
                        self.is_asked_to_stop = true;
                        None
                    }
                },
                _ = resizes.recv() => Some(resized()),
                event = input.recv() => Some(typed(event)?),
                Some(reply) = self.worker.replies.recv() => Some(Event::Reply(reply)),
                () = told.notified() => Some(Event::Pushed),
                () = freed.notified() => None,
                () = at(wake_at) => Some(Event::Woken),
            };
            if let Some(event) = event {
                self.take(state, event)?;
            }
            // A burst of keys and replies costs one frame.
            while let Ok(event) = input.try_recv() {
                self.take(state, typed(Some(event))?)?;
            }
            while let Ok(reply) = self.worker.replies.try_recv() {
                self.take(state, Event::Reply(reply))?;
            }
            if state.has_quit {
                return Ok(0);
            }
            if std::mem::take(&mut self.is_asked_to_stop) {
                self.stop(state)?;
            }
            if self.sent.is_some() {
                // The worker shares this thread: it sends before the frame is drawn, so that the server works meanwhile.
                tokio::task::yield_now().await;
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
        let is_typed = matches!(event, Event::Key(_) | Event::Mouse(_) | Event::Paste(_) | Event::Resized { .. });
        if is_typed {
            self.pace.hurry(self.now());
        }
        let now = self.now();
        let clock = state.clock.check(now, wall_clock()).map(Event::Clock);
        let effects = clock.map(|clock| update(state, clock, now)).into_iter().flatten();
        for effect in effects.chain(update(state, event, now)) {
            match effect {
                Effect::Send(request) => {
                    self.worker.requests.send(request).context("the connection worker has ended")?;
                    if is_typed {
                        self.sent = Some(now);
                    }
                }
                Effect::Retry => self.worker.retry.notify_one(),
                Effect::Copy(text) => self.screen.copy(&text),
                Effect::Suspend => self.is_asked_to_stop = true,
            }
        }
        Ok(())
    }

    /// Draws where anything changed and the terminal is free; else, where it is only too soon, returns when to.
    fn draw(&mut self, state: &mut State, look: &Appearance) -> io::Result<Option<Moment>> {
        if !state.is_dirty || self.screen.is_busy()? {
            return Ok(None);
        }
        let now = self.now();
        let is_opening =
            state.drawn_page().is_none() && state.overlay.is_none() && !matches!(state.link, Link::Down { .. });
        let opening = is_opening.then_some(FIRST_FRAME);
        let asked = self.sent.filter(|_| state.session.reading.is_awaited()).map(|sent| sent + PAGE);
        let due = [opening, asked].into_iter().flatten().fold(self.pace.due(), Moment::max);
        if now < due {
            return Ok(Some(due));
        }
        state.is_dirty = false;
        self.sent = None;
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
        self.take(state, resized())
    }
}

/// An event of the terminal; an error where the terminal is gone.
fn typed(event: Option<io::Result<Event>>) -> anyhow::Result<Event> {
    event.unwrap_or_else(|| Err(io::ErrorKind::UnexpectedEof.into())).context("the terminal is gone")
}

/// The size that the terminal has now.
fn resized() -> Event {
    let (columns, lines) = input::size();
    Event::Resized { columns, lines }
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
