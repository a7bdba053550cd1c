//! `ranktop simulate`: plays a seeded contest on a real board, in transactions that keep the protocol, until its time is
//! over, somebody ends it, or the board takes no more scores. What happens in a contest is the contest's business, and
//! whether a board takes a write is the store's.

use std::cell::Cell;
use std::collections::HashMap;
use std::io::{self, Write};
use std::pin::pin;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout};

use crate::board::entry::{Entry, Member};
use crate::board::keys::Board;
use crate::board::meta::State;
use crate::board::names::NamesLocation;
use crate::board::period::Zone;
use crate::board::score::Score;
use crate::board::sharded::vector::sum;
use crate::board::version::Version;
use crate::board::window::Window;
use crate::cli::SimulateArgs;
use crate::commands::failures::board_text;
use crate::commands::player::{BATCH, ContestRunner, entered};
use crate::commands::probe::window;
use crate::commands::score::{closed, over};
use crate::commands::setup;
use crate::commands::text;
use crate::commands::text::Charset;
use crate::commands::write_report::{unanswered, unsent};
use crate::exit::{Exit, Failure, forgive_closed_pipe};
use crate::query::page::{PageRequest, PageStart};
use crate::simulation::{Contest, Settings};
use crate::store::Change;
use crate::store::redis::topology::AnySource;
use crate::store::redis::write::RedisWriter;
use crate::store::redis::write::change::Changing;
use crate::store::sharded::Placement;
use crate::store::sharded::board::is_sharded;
use crate::term::signals::{Asked, Signals, stop_process};
use parts::Parts;
use tally::{KeySummary, Tally};

mod parts;
mod tally;

/// What fails where a write is not made.
const WHAT: &str = "write to";
/// Rows that are read at a time.
const PAGE: u64 = 1_000;
/// How long the write that is under way may take to be answered, once a signal asks to end: it should be counted.
const LAST_WRITE: Duration = Duration::from_millis(200);

/// Plays the contest that `arguments` name; prints one line about what was written at the end, however it ended.
pub async fn simulate(arguments: SimulateArgs) -> Result<u8, Failure> {
    let failed = |error: io::Error| Failure::new(Exit::Failed, format!("cannot listen for signals: {error}"));
    let mut signals = Signals::listen().map_err(failed)?;
    let SimulateArgs { connection, names, which, .. } = &arguments;
    let service = setup::service(connection)?.with_shards(which.shards);
    let address = service.to_string();
    let (board, names) = setup::board_with_names(arguments.board.clone(), which, None, names)?;
    let sight = KeySummary::new();
    let end = End::default();
    let tally = Tally::default();
    let work = async {
        let connected = service.connect(&board.key, None).await;
        let home = connected.map_err(|trouble| Failure::unreadable(&board, &address, &trouble))?.home;
        let writer = if let Some(shards) = which.shards {
            Writers::Parts(Box::new(Parts::new(&service, &address, &board, shards)))
        } else {
            let connected = service.connect_writer(&board.key, Duration::ZERO).await;
            Writers::One(Box::new(connected.map_err(|trouble| unsent(WHAT, &board, &address, &trouble))?))
        };
        let mut session = Session {
            board: &board,
            zone: &which.calendar.tz,
            names: &names,
            address: &address,
            writer,
            end: &end,
            tally: &tally,
            sight: &sight,
        };
        session.run(&arguments, home).await
    };
    let mut work = pin!(work);
    let done = loop {
        tokio::select! {
            biased;
            asked = signals.next() => match asked {
                Asked::End(code) => {
                    end.ask();
                    // Its outcome is that it was ended, whatever else it met on the way.
                    let _ = timeout(LAST_WRITE, &mut work).await;
                    break Ok(code);
                }
                Asked::Stop => stop_process().map_err(failed)?,
            },
            done = &mut work => break done.map(|()| Exit::Done.code()),
        }
    };
    sight.clear();
    let told = tell(&board, &tally);
    let code = done?;
    told.map(|()| code)
}

/// Prints what was written, where anything was.
fn tell(board: &Board, tally: &Tally) -> Result<(), Failure> {
    let Some(line) = tally.last_line() else { return Ok(()) };
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{}: {line}", board_text(board)).and_then(|()| out.flush());
    forgive_closed_pipe(written)
        .map_err(|error| Failure::new(Exit::Failed, format!("it is written, but cannot be told: {error}: {line}")))
}

/// Whether the contest was asked to end.
#[derive(Default)]
struct End {
    is_asked: Cell<bool>,
    told: Notify,
}

impl End {
    fn ask(&self) {
        self.is_asked.set(true);
        self.told.notify_one();
    }
}

/// Where a contest is written.
enum Writers<'a> {
    /// To one sorted set.
    One(Box<RedisWriter>),
    /// To many.
    Parts(Box<Parts<'a>>),
}

/// What a contest is played with.
struct Session<'a> {
    board: &'a Board,
    names: &'a NamesLocation,
    address: &'a str,
    /// In which moments are told.
    zone: &'a Zone,
    writer: Writers<'a>,
    end: &'a End,
    tally: &'a Tally,
    sight: &'a KeySummary,
}

impl Session<'_> {
    async fn run(&mut self, arguments: &SimulateArgs, mut home: AnySource) -> Result<(), Failure> {
        let first = self.rows(&mut home, PageStart::Position(1), 1).await?;
        if first.meta.state == Some(State::Closed) {
            return Err(closed(self.board, first.meta.closed_at, self.zone));
        }
        let contest = if first.total == 0 {
            let contest = Contest::new(arguments.contest.settings(Settings::default().players));
            self.open(&contest).await?;
            contest
        } else if arguments.into_existing {
            self.join(arguments, &mut home).await?
        } else {
            return Err(self.there(first.total));
        };
        drop(home);
        if self.end.is_asked.get() {
            return Ok(());
        }
        self.tally.begin();
        let (tally, sight) = (self.tally, self.sight);
        tokio::select! {
            biased;
            played = self.play(contest, arguments.playing) => played,
            shown = sight.show(tally) => forgive_closed_pipe(shown)
                .map_err(|error| Failure::new(Exit::Failed, format!("cannot write to standard error: {error}"))),
        }
    }

    /// Writes the opening board to a key at which there is nothing.
    async fn open(&mut self, contest: &Contest) -> Result<(), Failure> {
        let players = contest.opening();
        self.sight.open(players.len() as u64);
        let mut changes =
            vec![Change::Meta("title", b"Simulated contest".to_vec()), Change::Meta("state", b"open".to_vec())];
        if let Writers::Parts(parts) = &mut self.writer {
            let opened = parts.open(&changes).await?;
            self.take(opened)?;
            changes.clear();
        }
        let mut players = players.into_iter();
        while players.len() > 0 && !self.end.is_asked.get() {
            let some = players.len().min(BATCH);
            changes.extend(players.by_ref().take(some).flat_map(entered));
            // Only the first has to find nothing: who comes later finds the others.
            let is_opening = self.tally.version().is_none();
            self.write(&changes, is_opening).await?;
            self.tally.enter(some as u64);
            self.sight.entered(some as u64);
            changes.clear();
        }
        Ok(())
    }

    /// A contest among those who are on the board.
    async fn join(&mut self, arguments: &SimulateArgs, home: &mut AnySource) -> Result<Contest, Failure> {
        if is_sharded(&self.board.key) {
            self.check_rule(home).await?;
        }
        // A version of its own marks the newcomers of this contest, and says before a long read whether the board takes
        // scores at all.
        self.write(&[], false).await?;
        let mark = self.tally.version().map(|version| escaped(&version)).unwrap_or_default();
        let there = self.everybody(home).await?;
        let count = u32::try_from(there.len()).unwrap_or(u32::MAX);
        self.tally.enter(count.into());
        Ok(Contest::among(arguments.contest.settings(count), there, &mark))
    }

    /// Refuses to write where it is not known how members are placed.
    async fn check_rule(&self, home: &mut AnySource) -> Result<(), Failure> {
        let stranger = Member::from("");
        let placed = home.place(self.board, &stranger).await;
        match placed.map_err(|trouble| Failure::unreadable(self.board, self.address, &trouble))? {
            Placement::Part(_) => Ok(()),
            Placement::Unknown => Err(Failure::new(
                Exit::Changed,
                format!("board '{}' does not say in which shard members belong", board_text(self.board)),
            )
            .with_hint(
                "where writers place members by CRC-32, set the field 'shard-hash' of the meta hashes to 'crc32'",
            )),
        }
    }

    /// Everybody on the board, by cursor pages. Who moves meanwhile may be met again, and has the later score.
    async fn everybody(&self, home: &mut AnySource) -> Result<Vec<Entry>, Failure> {
        let mut scores: HashMap<Member, Score> = HashMap::new();
        let mut order = Vec::new();
        let mut page = self.rows(home, PageStart::Position(1), PAGE).await?;
        self.sight.open(page.total);
        loop {
            self.sight.entered(page.entries.len() as u64);
            for entry in &page.entries {
                if scores.insert(entry.member.clone(), entry.score).is_none() {
                    order.push(entry.member.clone());
                }
            }
            let Some(last) = page.entries.last().filter(|_| !page.is_last() && !self.end.is_asked.get()) else { break };
            // Rows by position cost a server less than what a place does; they will do where the last row still stands at
            // its own.
            let from_last = self.rows(home, PageStart::Position(page.end()), PAGE + 1).await?;
            let is_in_place = from_last.verified && from_last.entries.first() == Some(last);
            page = match from_last.without_first().filter(|_| is_in_place) {
                Some(following) => following,
                None => self.rows(home, PageStart::After(last.clone()), PAGE).await?,
            };
        }
        let entry = |member: Member| scores.get(&member).map(|score| Entry { score: *score, member });
        Ok(order.into_iter().filter_map(entry).collect())
    }

    async fn rows(&self, home: &mut AnySource, whence: PageStart, size: u64) -> Result<Window, Failure> {
        window(home, self.board, &PageRequest::new(whence, size), self.address).await
    }

    /// Plays until the time is over, or the end is asked for.
    async fn play(&mut self, contest: Contest, playing: Option<Duration>) -> Result<(), Failure> {
        let mut play = ContestRunner::new(contest);
        let deadline = playing.and_then(|time| Instant::now().checked_add(time));
        let mut changes = Vec::new();
        loop {
            changes.clear();
            let over = async {
                match deadline {
                    Some(deadline) => sleep_until(deadline).await,
                    None => std::future::pending().await,
                }
            };
            let writes = tokio::select! {
                biased;
                () = self.end.told.notified() => return Ok(()),
                () = over => return Ok(()),
                writes = play.wait(&mut changes) => writes,
            };
            self.write(&changes, false).await?;
            self.tally.write(writes as u64);
        }
    }

    async fn write(&mut self, changes: &[Change], is_opening: bool) -> Result<(), Failure> {
        let changing = match &mut self.writer {
            Writers::One(writer) => {
                let changing = writer.change(self.board, self.names, changes, is_opening).await;
                changing.map_err(|trouble| unanswered(WHAT, self.board, self.address, &trouble))?
            }
            Writers::Parts(parts) => parts.write(self.names, changes).await?,
        };
        self.take(changing)
    }

    fn take(&self, changing: Changing) -> Result<(), Failure> {
        match changing {
            Changing::Written { version, is_late } => {
                self.tally.reach(version, is_late);
                Ok(())
            }
            Changing::There(rows) => Err(self.there(rows)),
            Changing::Closed(since) => Err(closed(self.board, since, self.zone)),
            Changing::Over(until) => Err(over(self.board, until, self.zone)),
        }
    }

    fn there(&self, rows: u64) -> Failure {
        let members = if rows == 1 { "1 member".into() } else { format!("{rows} members") };
        Failure::new(Exit::Changed, format!("board '{}' is not empty: it has {members}", board_text(self.board)))
            .with_hint("'--into-existing' lets them take part, and changes their scores; or name another key")
    }
}

fn escaped(version: &Version) -> String {
    sum(version).map_or_else(|| text::escape(version.as_bytes(), Charset::Utf8), |sum| format!("Σ{sum}"))
}
