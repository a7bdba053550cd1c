//! `ranktop BOARD`: opens the viewer on a board of a Redis server.

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
use crate::board::names::NamesHome;
use crate::board::trouble::Trouble;
use crate::cli::{self, Connection, Reading, Watching};
use crate::run::run;
use crate::store::desk::Connector;
use crate::store::redis::RedisHome;
use crate::store::redis::connect::Target;
use crate::term::{guard, input};

/// Watches the board of key `key` until its user leaves; the exit code.
pub async fn watch(
    key: OsString,
    connection: &Connection,
    reading: &Reading,
    watching: Watching,
) -> Result<u8, Failure> {
    let target = setup::target(connection)?;
    let (board, names) = setup::board(key, reading)?;
    let is_telling = matches!(watching.watch, cli::WatchMode::Auto | cli::WatchMode::Push);
    let server = Server { name: target.to_string(), is_unverified: connection.tls_insecure };
    open(ServerConnector { target, is_telling }, board, names, server, reading, watching).await
}

/// What the header says of a server.
pub struct Server {
    /// Its name.
    pub name: String,
    /// Nobody has checked that it is that server.
    pub is_unverified: bool,
}

/// Opens the viewer on `board` wherever `connector` leads.
pub async fn open(
    connector: impl Connector,
    board: Board,
    names: NamesHome,
    server: Server,
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
        server: server.name,
        is_server_unverified: server.is_unverified,
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

/// Connects to a server.
pub(super) struct ServerConnector {
    /// Which server.
    pub(super) target: Target,
    /// Whether the server is asked to tell of changes.
    pub(super) is_telling: bool,
}

impl Connector for ServerConnector {
    type Home = RedisHome;

    async fn connect(&self, told: &Arc<Notify>) -> Result<(RedisHome, bool), Trouble> {
        let told = told.clone();
        let connected = self.target.connect(self.is_telling.then_some(move || told.notify_one())).await?;
        Ok((connected.home.keep_evidence(), connected.pushes))
    }
}
