//! `ranktop BOARD`: opens the viewer on a board of a Redis server.

use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;

use tokio::sync::Notify;

use super::exit::{Exit, Failure};
use super::setup;
use crate::app::reading::Intent;
use crate::app::state::{PageSize, Paging, Settings, State};
use crate::app::watch::{Watch, WatchMode};
use crate::board::keys::Key;
use crate::board::trouble::Trouble;
use crate::cli::{self, Connection, Reading, Watching};
use crate::run::run;
use crate::store::desk::Connector;
use crate::store::redis::RedisHome;
use crate::store::redis::connect::Target;
use crate::term::{guard, input};
use crate::view::text::{Charset, escape_to};

/// Columns of a key in the list of boards at most; what is beyond is found by no filter.
const KEY: usize = 512;

/// Watches the board of key `key`, or one that is chosen from a list, until its user leaves; the exit code.
pub async fn watch(
    key: Option<Key>,
    connection: &Connection,
    reading: &Reading,
    watching: Watching,
) -> Result<u8, Failure> {
    let target = setup::target(connection)?;
    let is_telling = matches!(watching.watch, cli::WatchMode::Auto | cli::WatchMode::Push);
    let server = Server { name: target.to_string(), is_unverified: connection.tls_insecure };
    open(ServerConnector { target, is_telling }, key, server, reading, watching).await
}

/// What the header says of a server.
pub struct Server {
    /// Its name.
    pub name: String,
    /// Nobody has checked that it is that server.
    pub is_unverified: bool,
}

/// Opens the viewer on the board `key` wherever `connector` leads.
pub async fn open(
    connector: impl Connector,
    key: Option<Key>,
    server: Server,
    reading: &Reading,
    watching: Watching,
) -> Result<u8, Failure> {
    if !guard::is_there() {
        return Err(Failure::new(Exit::Usage, "watching needs a terminal on standard input and output")
            .with_hint("without one 'ranktop boards' lists boards, and 'ranktop page BOARD' prints a page"));
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
        key,
        templates: setup::templates(reading)?,
        zone: reading.which.tz.clone(),
        server: server.name,
        is_server_unverified: server.is_unverified,
        order: reading.order,
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
        text: match look.charset {
            Charset::Utf8 => |key| escape_to(key, KEY, Charset::Utf8),
            Charset::Ascii => |key| escape_to(key, KEY, Charset::Ascii),
        },
    };
    let (columns, lines) = input::size();
    // The largest part of the program, and of whatever awaits it.
    Box::pin(run(connector, State::new(settings, columns, lines), look, !watching.no_mouse))
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
        Ok((connected.home.keep_trips(), connected.pushes))
    }
}
