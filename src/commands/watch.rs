//! `ranktop BOARD`: opens the viewer on a board of a Redis server.

use std::cell::RefCell;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use super::board_key;
use super::setup;
use super::sharing;
use crate::app::polling::schedule::{Watch, WatchMode};
use crate::app::queue::Intent;
use crate::app::settings::{PageSize, Paging, Settings, Sharing};
use crate::app::state::State;
use crate::board::cursor::{Cursor, CursorError};
use crate::board::keys::Key;
use crate::board::order::Order;
use crate::board::packed::scoring::ScoringOptions;
use crate::board::period::Zone;
use crate::board::rank::RankStyle;
use crate::board::templates::Templates;
use crate::cli;
use crate::cli::{Color, Opening, WatchArgs, Watching};
use crate::exit::{Exit, Failure};
use crate::query::error::StoreError;
use crate::query::server::Server;
use crate::run::run;
use crate::store::redis::topology::{AnySource, Monitor, OnInvalidate, Service};
use crate::store::sharded::board::is_sharded;
use crate::store::worker::Connector;
use crate::term::{guard, input};
use crate::text::{Charset, escape_to, quoting};

/// Columns of a key in the list of boards at most; what is beyond is found by no filter.
const KEY: usize = 512;
/// Viewers that are started together ask at moments that differ by up to so much.
const SPREAD_MICROS: u64 = 8_000;

/// Watches the board that `arguments` name, or one that is chosen from a list, until its user leaves; the exit code.
pub async fn watch(arguments: WatchArgs) -> Result<u8, Failure> {
    let WatchArgs { board, connection, reading, watching, opening, color } = arguments;
    let which = &reading.which;
    let key = board_key::key(board, which)?;
    let service = setup::read_service(&connection)?.with_shards(which.shards);
    let is_telling = matches!(watching.watch, cli::WatchMode::Auto | cli::WatchMode::Push);
    let server = ServerLabel {
        name: service.to_string(),
        is_unverified: setup::is_unverified(&connection.connection),
        options: sharing::options(&connection, &reading),
    };
    let contents = Contents {
        templates: setup::templates(which, Some(&reading.naming.names)),
        zone: which.calendar.tz.clone(),
        order: reading.ranking.order(),
        style: reading.ranking.rank_style,
        scoring: setup::scoring(reading.scoring())?,
        is_probing: reading.naming.is_probing(),
    };
    let screen = Screen { watching, opening, color: color.color };
    open(ServerConnector::new(service, is_telling, key.as_ref()), key, server, contents, screen).await
}

/// What the header says of a server.
pub struct ServerLabel {
    /// Its name.
    pub name: String,
    /// Nobody has checked that it is that server.
    pub is_unverified: bool,
    /// The options that lead to it.
    pub options: String,
}

/// How boards are read.
pub struct Contents {
    /// Where they are, and what goes with them.
    pub templates: Templates,
    /// In which periods are cut and moments are told.
    pub zone: Zone,
    /// The order that was asked for.
    pub order: Option<Order>,
    /// The rank style that was asked for.
    pub style: Option<RankStyle>,
    /// How scores and members are packed.
    pub scoring: ScoringOptions,
    /// Whether names are looked for where they usually are not.
    pub is_probing: bool,
}

/// How a board is shown.
pub struct Screen {
    /// How it is watched.
    pub watching: Watching,
    /// Where the viewer begins.
    pub opening: Opening,
    /// When there are colours.
    pub color: Color,
}

/// The cursor at which the viewer begins, if one was given; one of another board or order is refused.
fn cursor(key: Option<&Key>, contents: &Contents, opening: &Opening) -> Result<Option<Cursor>, Failure> {
    let Some(text) = opening.after.as_ref().or(opening.before.as_ref()) else { return Ok(None) };
    let refused = |error: CursorError| Failure::of_cursor(&error);
    let cursor = Cursor::decode(text).map_err(refused)?;
    let Some(key) = key else {
        return Err(Failure::new(Exit::Usage, "a cursor is a place on one board: name the BOARD too"));
    };
    let order = contents.order.unwrap_or(cursor.direction);
    cursor.check(&contents.templates.board(key.clone(), order)).map_err(refused)?;
    Ok(Some(cursor))
}

/// Opens the viewer on the board `key` wherever `connector` leads.
pub async fn open(
    connector: impl Connector,
    key: Option<Key>,
    server: ServerLabel,
    contents: Contents,
    screen: Screen,
) -> Result<u8, Failure> {
    if !guard::is_there() {
        return Err(Failure::new(Exit::Usage, "watching needs a terminal on standard input and output")
            .with_hint("without one 'ranktop boards' lists boards, and 'ranktop page BOARD' prints a page"));
    }
    let Screen { watching, opening, color } = screen;
    let look = setup::look(&watching, color, &contents.zone)?;
    let mode = match watching.watch {
        cli::WatchMode::Auto | cli::WatchMode::Push => WatchMode::Push,
        cli::WatchMode::Poll => WatchMode::Poll,
        cli::WatchMode::Content => WatchMode::Content,
    };
    let cursor = cursor(key.as_ref(), &contents, &opening)?;
    // The rows after a cursor are those of its order, whatever the board says of its own.
    let Contents { templates, zone, order, style, scoring, is_probing } = contents;
    let order = order.or(cursor.as_ref().map(|cursor| cursor.direction));
    let opening = match (opening.at, opening.find, cursor) {
        (_, _, Some(cursor)) => Intent::Cursor { is_after: opening.after.is_some(), cursor: Box::new(cursor) },
        (_, Some(member), None) => Intent::Find(member.into_vec().into()),
        (Some(position), None, None) => Intent::Row(position),
        (None, None, None) => Intent::First,
    };
    let settings = Settings {
        key,
        templates,
        zone,
        server: server.name,
        is_server_unverified: server.is_unverified,
        order,
        style,
        scoring,
        is_probing,
        watch: Watch::new(mode, watching.interval).with_spread(spread()),
        page_size: match watching.page_size {
            cli::PageSize::Fit => PageSize::Fit,
            cli::PageSize::Rows(rows) => PageSize::Rows(rows),
        },
        paging: match watching.paging {
            cli::Paging::Cursor => Paging::Cursor,
            cli::Paging::Position => Paging::Position,
        },
        move_since: watching.move_since,
        is_marking: !watching.no_motion,
        opening,
        text: match look.charset {
            Charset::Utf8 => |key| escape_to(key, KEY, Charset::Utf8),
            Charset::Ascii => |key| escape_to(key, KEY, Charset::Ascii),
        },
        sharing: Sharing { options: server.options, quote: quoting::shell },
    };
    let (columns, lines) = input::size();
    // The largest part of the program, and of whatever awaits it.
    Box::pin(run(connector, State::new(settings, columns, lines), look, !watching.no_mouse))
        .await
        .map_err(|error| Failure::new(Exit::Failed, format!("{error:#}")))
}

/// A few milliseconds, by chance.
fn spread() -> Duration {
    // The standard library's hasher is seeded at random; no more than that is needed here.
    Duration::from_micros(RandomState::new().build_hasher().finish() % SPREAD_MICROS)
}

/// Connects to a service.
pub(super) struct ServerConnector {
    service: Service,
    is_telling: bool,
    /// The key of the first board.
    key: Key,
    /// Of the connection that was made last.
    monitor: RefCell<Option<Monitor>>,
}

impl ServerConnector {
    /// Leads to where the board `key`, if it is chosen already, and other boards of `service` are read. `is_telling`: the
    /// server is asked to tell of changes.
    pub(super) fn new(service: Service, is_telling: bool, key: Option<&Key>) -> Self {
        // Any node will do until there is a board.
        let key = key.cloned().unwrap_or_else(|| "".into());
        Self { service, is_telling, key, monitor: RefCell::default() }
    }

    fn monitor(&self) -> Option<Monitor> {
        self.monitor.borrow().clone()
    }
}

impl Connector for ServerConnector {
    type Source = AnySource;

    async fn connect(&self, told: &Arc<Notify>) -> Result<(AnySource, bool), StoreError> {
        let told = told.clone();
        let told = self.is_telling.then(|| Arc::new(move || told.notify_one()) as OnInvalidate);
        // A board on many nodes is read from whichever of them can be reached.
        let monitor = self.monitor().filter(|_| !is_sharded(&self.key));
        let key = monitor.map_or_else(|| self.key.clone(), |monitor| monitor.key());
        let reached = self.service.connect(&key, told).await?;
        self.monitor.replace(Some(reached.monitor));
        Ok((reached.home.keep_trips(), reached.pushes))
    }

    async fn watch_over(&self, tell: &dyn Fn(Server)) -> StoreError {
        match self.monitor() {
            Some(monitor) => Box::pin(monitor.watch(tell)).await,
            None => std::future::pending().await,
        }
    }

    fn is_searching(&self) -> bool {
        self.service.is_found_anew()
    }
}
