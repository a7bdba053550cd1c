//! `ranktop BOARD`: opens the viewer on a board of a Redis server.

use std::cell::RefCell;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;

use tokio::sync::Notify;

use super::exit::{Exit, Failure};
use super::setup;
use crate::app::reading::Intent;
use crate::app::state::{PageSize, Paging, Settings, State};
use crate::app::watch::{Watch, WatchMode};
use crate::board::ask::Board;
use crate::board::keys::Key;
use crate::board::names::NamesHome;
use crate::board::place::Place;
use crate::board::trouble::Trouble;
use crate::cli::{self, Connection, Reading, Watching};
use crate::run::run;
use crate::store::desk::Connector;
use crate::store::redis::service::{Guard, Service, ServiceHome, Told};
use crate::term::{guard, input};

/// Watches the board of key `key` until its user leaves; the exit code.
pub async fn watch(
    key: OsString,
    connection: &Connection,
    reading: &Reading,
    watching: Watching,
) -> Result<u8, Failure> {
    let service = setup::service(connection)?;
    let (board, names) = setup::board(key, reading)?;
    let server = service.to_string();
    let is_telling = matches!(watching.watch, cli::WatchMode::Auto | cli::WatchMode::Push);
    open(ServerConnector::new(service, is_telling, &board), board, names, server, reading, watching).await
}

/// Opens the viewer on `board` wherever `connector` leads.
pub async fn open(
    connector: impl Connector,
    board: Board,
    names: NamesHome,
    server: String,
    reading: &Reading,
    watching: Watching,
) -> Result<u8, Failure> {
    if !guard::is_there() {
        return Err(Failure::new(Exit::Usage, "watching needs a terminal on standard input and output")
            .with_hint("'ranktop page BOARD' prints a page without one"));
    }
    let look = setup::look(reading, &watching)?;
    let mode = match watching.watch {
        cli::WatchMode::Auto | cli::WatchMode::Push => WatchMode::Push,
        cli::WatchMode::Poll => WatchMode::Poll,
        cli::WatchMode::Content => WatchMode::Content,
    };
    let opening = match (watching.at, watching.find) {
        (_, Some(member)) => Intent::Find(member.into_vec().into()),
        (Some(position), None) => Intent::Row(position),
        (None, None) => Intent::First,
    };
    let settings = Settings {
        board,
        server,
        is_order_set: reading.order.is_some(),
        style: reading.rank_style,
        watch: Watch::new(mode, watching.interval),
        page_size: match watching.page_size {
            cli::PageSize::Fit => PageSize::Fit,
            cli::PageSize::Rows(rows) => PageSize::Rows(rows),
        },
        paging: match watching.paging {
            cli::Paging::Cursor => Paging::Cursor,
            cli::Paging::Position => Paging::Position,
        },
        opening,
    };
    let (columns, lines) = input::size();
    run(connector, names, State::new(settings, columns, lines), look)
        .await
        .map_err(|error| Failure::new(Exit::Failed, format!("{error:#}")))
}

/// Connects to a service.
pub(super) struct ServerConnector {
    service: Service,
    is_telling: bool,
    /// The key of the first board.
    key: Key,
    /// Of the connection that was made last.
    guard: RefCell<Option<Guard>>,
}

impl ServerConnector {
    /// Leads to where `board`, and other boards of `service`, are read. `is_telling`: the server is asked to tell of changes.
    pub(super) fn new(service: Service, is_telling: bool, board: &Board) -> Self {
        Self { service, is_telling, key: board.key.clone(), guard: RefCell::default() }
    }

    fn guard(&self) -> Option<Guard> {
        self.guard.borrow().clone()
    }
}

impl Connector for ServerConnector {
    type Home = ServiceHome;

    async fn connect(&self, told: &Arc<Notify>) -> Result<(ServiceHome, bool), Trouble> {
        let told = told.clone();
        let told = self.is_telling.then(|| Arc::new(move || told.notify_one()) as Told);
        let key = self.guard().map_or_else(|| self.key.clone(), |guard| guard.key());
        let reached = self.service.connect(&key, told).await?;
        self.guard.replace(Some(reached.guard));
        Ok((reached.home.keep_evidence(), reached.pushes))
    }

    async fn watch_over(&self, tell: &dyn Fn(Place)) -> Trouble {
        match self.guard() {
            Some(guard) => Box::pin(guard.watch(tell)).await,
            None => std::future::pending().await,
        }
    }

    fn is_searching(&self) -> bool {
        self.service.is_found_anew()
    }
}
