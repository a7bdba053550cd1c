//! `ranktop demo`: a simulated contest, watched live, on a private server where PATH has one, else on a board in memory.
//! Nothing of it is left behind.

use std::io;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tempfile::TempDir;
use tokio::process::{Child, Command};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};

use super::contest::{Contest, Settings, Step, Write};
use super::exit::{Exit, Failure};
use super::watch;
use crate::board::ask::Board;
use crate::board::board_template::BoardTemplate;
use crate::board::names::NamesHome;
use crate::board::period::{Period, PeriodKind, Zone};
use crate::board::score::Score;
use crate::board::template::{CompanionTemplate, DEFAULT_BOARD, DEFAULT_META, DEFAULT_NAMES, DEFAULT_VERSION};
use crate::board::trouble::Trouble;
use crate::cli::{self, DemoArgs, Reading};
use crate::store::desk::Connector;
use crate::store::embedded::EmbeddedHome;
use crate::store::redis::connect::Target;
use crate::store::redis::service::Service;
use crate::store::{Change, Writer};
use crate::term::signals::Signals;

/// The servers that are looked for on PATH.
const SERVERS: [&str; 2] = ["redis-server", "valkey-server"];
/// How long a server may take to start.
const START: Duration = Duration::from_secs(5);
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
/// How many changes go into one transaction of the opening, so that none takes long.
const BATCH: usize = 1_000;

/// Plays and shows the contest until its user leaves; the exit code.
pub async fn demo(arguments: DemoArgs, reading: &Reading) -> Result<u8, Failure> {
    // From the start: a signal that comes before the viewer is there must not leave the server behind.
    let mut signals =
        Signals::listen().map_err(|error| Failure::new(Exit::Failed, format!("cannot listen for signals: {error}")))?;
    tokio::select! {
        biased;
        code = show(arguments, reading) => code,
        code = signals.end() => Ok(code),
    }
}

async fn show(arguments: DemoArgs, reading: &Reading) -> Result<u8, Failure> {
    let settings =
        Settings { seed: arguments.seed, players: arguments.players, rate: arguments.rate, ties: arguments.ties };
    let contest = Contest::new(settings);
    let stage = Stage::new(reading)?;
    let watching = arguments.watching;
    if !arguments.embedded
        && let Some(server) = PrivateServer::start().await
    {
        let writer = server.target.connect_writer().await.map_err(|trouble| unplayable(&trouble))?;
        let is_telling = matches!(watching.watch, cli::WatchMode::Auto | cli::WatchMode::Push);
        let connector = watch::ServerConnector::new(Service::server(server.target.clone()), is_telling, &stage.board);
        let code = perform(contest, stage, writer, connector, server.name, reading, watching).await;
        server.stop().await;
        return code;
    }
    let home = EmbeddedHome::default();
    perform(contest, stage, home.clone(), InMemory(home), "embedded", reading, watching).await
}

/// The keys of the contest, as the defaults have them.
struct Stage {
    board: Board,
    names: NamesHome,
    /// When the period ends, Unix ms.
    closes_at: i64,
}

impl Stage {
    fn new(reading: &Reading) -> Result<Self, Failure> {
        let wrong =
            |error: &dyn std::fmt::Display| Failure::new(Exit::Failed, format!("cannot set up a demo: {error}"));
        let zone = Zone::utc();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let period = Period::at(PeriodKind::Week, i64::try_from(now.as_millis()).unwrap_or(i64::MAX), &zone);
        let template: BoardTemplate = DEFAULT_BOARD.parse().map_err(|error| wrong(&error))?;
        let key = template.key(b"demo", period.as_ref()).map_err(|error| wrong(&error))?;
        let companion = |text: &str| text.parse::<CompanionTemplate>().map(|template| template.of(&key));
        Ok(Self {
            names: NamesHome::Hash(companion(DEFAULT_NAMES).map_err(|error| wrong(&error))?),
            board: Board {
                order: reading.order.unwrap_or_default(),
                version_key: companion(DEFAULT_VERSION).map_err(|error| wrong(&error))?,
                meta_key: companion(DEFAULT_META).map_err(|error| wrong(&error))?,
                key: key.clone(),
            },
            closes_at: period.map_or(0, |period| period.ends(&zone)),
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
    reading: &Reading,
    watching: cli::Watching,
) -> Result<u8, Failure> {
    let mut changes = vec![
        Change::Meta("title", b"Demo Cup".to_vec()),
        Change::Meta("state", b"open".to_vec()),
        Change::Meta("closes_at", stage.closes_at.to_string().into_bytes()),
    ];
    for player in contest.opening() {
        changes.push(Change::Name(player.id.as_str().into(), player.name.into_bytes().into()));
        changes.extend(score(&player.id, player.score));
    }
    for batch in changes.chunks(BATCH) {
        writer.write(&stage.board, &stage.names, batch).await.map_err(|trouble| unplayable(&trouble))?;
    }
    let (board, names) = (stage.board.clone(), stage.names.clone());
    tokio::select! {
        code = watch::open(connector, board, names, server.to_owned(), reading, watching) => code,
        trouble = play(contest, &stage, writer) => Err(unplayable(&trouble)),
    }
}

/// Plays for ever; returns what stopped it. Writes that are due together are one transaction.
async fn play(contest: Contest, stage: &Stage, mut writer: impl Writer) -> Trouble {
    let mut due = Instant::now();
    let mut steps = contest.peekable();
    let mut changes = Vec::new();
    loop {
        changes.clear();
        let is_due = |step: &Step, due: Instant| due + step.after <= Instant::now();
        while let Some(Step { after, write }) = steps.next_if(|step| changes.is_empty() || is_due(step, due)) {
            due += after;
            sleep_until(due).await;
            changes.extend(changed(write));
            if changes.len() >= BATCH {
                break;
            }
        }
        // After the process was stopped for a while, the contest goes on from now.
        due = due.max(Instant::now() - Duration::from_secs(1));
        if let Err(trouble) = writer.write(&stage.board, &stage.names, &changes).await {
            return trouble;
        }
    }
}

fn changed(write: Write) -> Vec<Change> {
    match write {
        Write::Score { id, score: value } => score(&id, value).into_iter().collect(),
        Write::Leave { id } => vec![Change::Leave(id.as_str().into())],
        Write::Join { player } => {
            let name = Change::Name(player.id.as_str().into(), player.name.into_bytes().into());
            std::iter::once(name).chain(score(&player.id, player.score)).collect()
        }
    }
}

fn score(id: &str, value: f64) -> Option<Change> {
    Score::new(value).map(|score| Change::Score(id.into(), score))
}

fn unplayable(trouble: &Trouble) -> Failure {
    Failure::new(Exit::Failed, format!("the demo cannot go on: {trouble}"))
        .with_hint("'ranktop demo --embedded' needs no server")
}

/// Leads to the board in memory.
struct InMemory(EmbeddedHome);

impl Connector for InMemory {
    type Home = EmbeddedHome;

    async fn connect(&self, _: &Arc<Notify>) -> Result<(EmbeddedHome, bool), Trouble> {
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
