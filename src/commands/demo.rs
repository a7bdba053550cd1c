//! `ranktop demo`: a simulated contest, watched live, on a private server where PATH has one, else on a board in memory.
//! Nothing of it is left behind.

use std::io;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::process::{Child, Command};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

use super::watch;
use super::watch::{Contents, Screen};
use crate::board::keys::Board;
use crate::board::names::NamesLocation;
use crate::board::order::Order;
use crate::board::packed::scoring::ScoringOptions;
use crate::board::period::{Period, PeriodKind, Zone};
use crate::board::score::Score;
use crate::board::templates::Templates;
use crate::cli;
use crate::cli::DemoArgs;
use crate::commands::player::{BATCH, ContestRunner, entered};
use crate::exit::{Exit, Failure};
use crate::query::error::StoreError;
use crate::run::wall_clock;
use crate::simulation::{Contest, Player, Settings};
use crate::store::memory::MemorySource;
use crate::store::redis::connect::Target;
use crate::store::redis::topology::Service;
use crate::store::worker::Connector;
use crate::store::{Change, Writer};
use crate::term::signals::Signals;

/// The servers that are looked for on PATH.
const SERVERS: [&str; 2] = ["redis-server", "valkey-server"];
/// How long a server may take to start.
const START: Duration = Duration::from_secs(5);
/// Players of the week before: fewer than go into one transaction.
const LAST_WEEK: usize = 300;
/// Runs a server until standard input ends, which it does in whatever way the demo ends, also when it is killed; then
/// ends it and removes its folder. Arguments: the folder, the server, what the server is given.
const KEEPER: &str = r#"
folder=$1; shift
command -v "$1" >/dev/null || exit
"$@" </dev/null & server=$!
read -r _
kill "$server"; wait "$server"
/bin/rm -rf -- "$folder"
"#;

/// Plays and shows the contest until its user leaves; the exit code.
pub async fn demo(arguments: DemoArgs) -> Result<u8, Failure> {
    // From the start: a signal that comes before the viewer is there must not leave the server behind.
    let mut signals =
        Signals::listen().map_err(|error| Failure::new(Exit::Failed, format!("cannot listen for signals: {error}")))?;
    tokio::select! {
        biased;
        code = show(arguments) => code,
        code = signals.end() => Ok(code),
    }
}

async fn show(arguments: DemoArgs) -> Result<u8, Failure> {
    let DemoArgs { embedded, contest, ranking, watching, opening, tz, color } = arguments;
    let contest = Contest::new(contest.settings(Settings::default().players));
    let stage = Stage::new(ranking.order(), &tz)?;
    let contents = Contents {
        templates: Templates::default(),
        zone: tz,
        order: ranking.order(),
        style: ranking.rank_style,
        scoring: ScoringOptions::default(),
        is_probing: true,
    };
    let screen = Screen { watching, opening, color: color.color };
    if !embedded && let Some(server) = PrivateServer::start().await {
        let writer = server.target.connect_writer().await.map_err(|trouble| unplayable(&trouble))?;
        let is_telling = matches!(screen.watching.watch, cli::WatchMode::Auto | cli::WatchMode::Push);
        let connector =
            watch::ServerConnector::new(Service::server(server.target.clone()), is_telling, Some(&stage.board.key));
        let code = perform(contest, stage, writer, connector, server.name, contents, screen).await;
        server.stop().await;
        return code;
    }
    let home = MemorySource::default();
    perform(contest, stage, home.clone(), InMemory(home), "embedded", contents, screen).await
}

/// The keys of the contest, as the defaults have them.
struct Stage {
    board: Board,
    names: NamesLocation,
    /// When the period ends, Unix ms.
    closes_at: i64,
    /// The board of the period before, and when that ended, Unix ms.
    last: Option<(Board, i64)>,
}

impl Stage {
    fn new(order: Option<Order>, zone: &Zone) -> Result<Self, Failure> {
        let wrong =
            |error: &dyn std::fmt::Display| Failure::new(Exit::Failed, format!("cannot set up a demo: {error}"));
        let period = Period::at(PeriodKind::Week, wall_clock(), zone);
        let templates = Templates::default();
        let key_of = |period: Option<&Period>| templates.board.key(b"demo", period).map_err(|error| wrong(&error));
        let order = order.unwrap_or_default();
        let key = key_of(period.as_ref())?;
        let last = period.and_then(|period| period.previous());
        Ok(Self {
            last: match last {
                Some(last) => Some((templates.board(key_of(Some(&last))?, order), last.ends(zone))),
                None => None,
            },
            names: templates.names(&key),
            board: templates.board(key, order),
            closes_at: period.map_or(0, |period| period.ends(zone)),
        })
    }
}

/// Writes the opening board, then shows the contest while it is played.
async fn perform(
    contest: Contest,
    stage: Stage,
    mut writer: impl Writer,
    connector: impl Connector,
    server: &str,
    contents: Contents,
    screen: Screen,
) -> Result<u8, Failure> {
    let mut changes = vec![
        Change::Meta("title", b"Demo Cup".to_vec()),
        Change::Meta("state", b"open".to_vec()),
        Change::Meta("closes_at", stage.closes_at.to_string().into_bytes()),
    ];
    let opening = contest.opening();
    if let Some((board, ended)) = &stage.last {
        let changes = last_week(&opening, *ended);
        writer.write(board, &stage.names, &changes).await.map_err(|trouble| unplayable(&trouble))?;
    }
    changes.extend(opening.into_iter().flat_map(entered));
    for batch in changes.chunks(BATCH) {
        writer.write(&stage.board, &stage.names, batch).await.map_err(|trouble| unplayable(&trouble))?;
    }
    let key = stage.board.key.clone();
    let server = watch::ServerLabel { name: server.to_owned(), is_unverified: false, options: String::new() };
    tokio::select! {
        code = watch::open(connector, Some(key), server, contents, screen) => code,
        trouble = play(contest, &stage, writer) => Err(unplayable(&trouble)),
    }
}

/// The board of the week before, which is closed: some of the same players, with each other's scores.
fn last_week(opening: &[Player], ended: i64) -> Vec<Change> {
    let count = opening.len().min(LAST_WEEK);
    let scores = (0..count).map(|place| &opening[(place * 7 + 3) % count]);
    let placed = opening.iter().zip(scores);
    let placed = placed.filter_map(|(player, other)| Some(Change::Score(player.id.clone(), Score::new(other.score)?)));
    let meta = [
        Change::Meta("title", b"Demo Cup".to_vec()),
        Change::Meta("state", b"closed".to_vec()),
        Change::Meta("closed_at", ended.to_string().into_bytes()),
    ];
    meta.into_iter().chain(placed).collect()
}

/// Plays for ever; returns what stopped it. Writes that are due together are one transaction.
async fn play(contest: Contest, stage: &Stage, mut writer: impl Writer) -> StoreError {
    let mut play = ContestRunner::new(contest);
    let mut changes = Vec::new();
    loop {
        changes.clear();
        play.wait(&mut changes).await;
        if let Err(trouble) = writer.write(&stage.board, &stage.names, &changes).await {
            return trouble;
        }
    }
}

fn unplayable(trouble: &StoreError) -> Failure {
    Failure::new(Exit::Failed, format!("the demo cannot go on: {trouble}"))
        .with_hint("'ranktop demo --embedded' needs no server")
}

/// Leads to the board in memory.
struct InMemory(MemorySource);

impl Connector for InMemory {
    type Source = MemorySource;

    async fn connect(&self, _: &Arc<Notify>) -> Result<(MemorySource, bool), StoreError> {
        Ok((self.0.clone(), false))
    }
}

/// A server of the demo's own, on a socket in a folder that nobody else may enter. Both are gone soon after it is
/// dropped, and when [`PrivateServer::stop`] returns.
struct PrivateServer {
    target: Target,
    name: &'static str,
    keeper: Child,
    _folder: TempDir,
}

impl PrivateServer {
    /// Starts the first server that PATH has; `None` where there is none, or it does not start.
    async fn start() -> Option<Self> {
        for name in SERVERS {
            if let Ok(Some(server)) = Self::start_named(name).await {
                return Some(server);
            }
        }
        None
    }

    /// Ends the server and waits until it is gone.
    async fn stop(mut self) {
        drop(self.keeper.stdin.take());
        // Where there is nothing to wait for, it was gone before.
        let _ = self.keeper.wait().await;
    }

    async fn start_named(name: &'static str) -> io::Result<Option<Self>> {
        let folder = tempfile::Builder::new().prefix("ranktop-demo-").tempdir()?;
        let socket = folder.path().join("redis.sock");
        let mut keeper = Command::new("/bin/sh")
            .args(["-c", KEEPER, "ranktop-demo"])
            .arg(folder.path())
            .arg(name)
            .args(["--port", "0", "--save", "", "--appendonly", "no", "--daemonize", "no", "--dir"])
            .arg(folder.path())
            .arg("--unixsocket")
            .arg(&socket)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Signals of the terminal are for the viewer, which ends the server itself.
            .process_group(0)
            .spawn()?;
        let limit = Duration::from_secs(1);
        let target = Target::new(&format!("unix://{}", socket.display()), limit, limit).map_err(io::Error::other)?;
        let deadline = Instant::now() + START;
        while Instant::now() < deadline && keeper.try_wait()?.is_none() {
            if target.connect_writer().await.is_ok() {
                return Ok(Some(Self { target, name, keeper, _folder: folder }));
            }
            // There is no word of a server that it listens; it does after a few milliseconds.
            sleep(Duration::from_millis(5)).await;
        }
        Ok(None)
    }
}
