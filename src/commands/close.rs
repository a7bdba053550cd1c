//! `ranktop close`: ends a board's period, and says since when, at which version and for how long it is kept. What a close
//! is made of is the store's.

use std::time::{Duration, SystemTime};

use crate::board::keys::Board;
use crate::board::period::Zone;
use crate::board::sharded::vector::{sum, version_of};
use crate::board::version::Version;
use crate::cli::CloseArgs;
use crate::commands::failures::board_text;
use crate::commands::probe::probe;
use crate::commands::reach;
use crate::commands::shards::{PartWriters, partly, refused};
use crate::commands::text;
use crate::commands::text::Charset;
use crate::commands::write_report::{moment, tell, unanswered, unsent};
use crate::commands::{dry_run, setup};
use crate::exit::Failure;
use crate::store::redis::topology::Service;
use crate::store::redis::write::close::Closing;
use crate::store::sharded::board::is_sharded;

/// What fails where a board is not closed.
const WHAT: &str = "close";

/// Closes the board that `arguments` name; prints one line about it.
pub async fn close(arguments: CloseArgs) -> Result<u8, Failure> {
    let CloseArgs { board, grace, retain, dry_run, connection, which } = arguments;
    // No time at all is no grace.
    let grace = grace.filter(|time| !time.is_zero());
    let board = setup::board(board, &which, None)?;
    let zone = &which.calendar.tz;
    if dry_run && is_sharded(&board.key) {
        return Err(refused("--dry-run", &board, "it prints the commands for one sorted set"));
    }
    if dry_run {
        return plan(&board, grace, retain);
    }
    let service = setup::service(&connection)?.with_shards(which.shards);
    let address = service.to_string();
    if let Some(shards) = which.shards {
        return close_parts(&service, &board, shards, (grace, retain), zone).await;
    }
    let connected = service.connect_writer(&board.key, Duration::ZERO).await;
    let mut writer = connected.map_err(|trouble| unsent(WHAT, &board, &address, &trouble))?;
    let closing = writer.close(&board, grace, retain).await;
    let name = board_text(&board);
    tell(&match closing.map_err(|trouble| unanswered(WHAT, &board, &address, &trouble))? {
        Closing::Closed { at, version, rows } => {
            format!("{name}: closed at {}: {}{}", moment(at, zone), of(rows, &version), kept(at, retain, zone))
        }
        Closing::Graced { until, version, rows } => {
            let (till, rows, kept) = (moment(until, zone), of(rows, &version), kept(until, retain, zone));
            format!("{name}: closing, takes late scores until {till}: {rows}{kept}")
        }
        Closing::Already(since) => format!("{name}: already closed{}", at(" since ", since, zone)),
        Closing::Waiting(until) => format!("{name}: already closing{}", at(", takes late scores until ", until, zone)),
        Closing::Missing => return Err(Failure::missing(&board, &address)),
    })
}

/// Closes each part of a board over many sorted sets by itself, empty ones too, and says what became of all of them.
async fn close_parts(
    service: &Service,
    board: &Board,
    shards: u32,
    (grace, retain): (Option<Duration>, Option<Duration>),
    zone: &Zone,
) -> Result<u8, Failure> {
    let (mut source, address) = reach(service, board).await?;
    // A key that was mistyped is not to be closed into being.
    let mut known = board.clone();
    probe(&mut source, &mut known, None, &address).await?;
    let mut writers = PartWriters::new(service, board, WHAT);
    let (mut closed, mut graced, mut already, mut rows, mut versions) = (None, None, 0, 0, Vec::new());
    for part in 0..shards {
        let done = u32::try_from(versions.len()).unwrap_or(u32::MAX);
        let fail = |failure| partly(done, shards, "closed", failure);
        let (keys, writer) = writers.part(part).await.map_err(fail)?;
        let closing = writer.close_part(&keys, grace, retain).await;
        match closing.map_err(|error| fail(unanswered(WHAT, &keys, &address, &error)))? {
            Closing::Closed { at, version, rows: more } => {
                closed = closed.max(Some(at));
                rows += more;
                versions.push(Some(version));
            }
            Closing::Graced { until, version, rows: more } => {
                graced = graced.max(Some(until));
                rows += more;
                versions.push(Some(version));
            }
            Closing::Already(_) | Closing::Waiting(_) | Closing::Missing => {
                already += 1;
                versions.push(None);
            }
        }
    }
    let name = board_text(board);
    let of = match version_of(&versions) {
        Some(version) => format!("{} in {} of {shards} shards", of(rows, &version), shards - already),
        None => format!("all {shards} shards"),
    };
    tell(&match (closed, graced) {
        (_, Some(until)) => {
            let kept = kept(until, retain, zone);
            format!("{name}: closing, takes late scores until {}: {of}{kept}", moment(until, zone))
        }
        (Some(at), None) => format!("{name}: closed at {}: {of}{}", moment(at, zone), kept(at, retain, zone)),
        (None, None) => format!("{name}: closed already: {of}"),
    })
}

fn kept(from: i64, retain: Option<Duration>, zone: &Zone) -> String {
    let end = retain.map(|time| from.saturating_add(i64::try_from(time.as_millis()).unwrap_or(i64::MAX)));
    at(", kept until ", end, zone)
}

fn at(words: &str, ms: Option<i64>, zone: &Zone) -> String {
    ms.map(|ms| format!("{words}{}", moment(ms, zone))).unwrap_or_default()
}

fn of(rows: u64, version: &Version) -> String {
    let rows = if rows == 1 { "1 row".into() } else { format!("{rows} rows") };
    let version = sum(version).map_or_else(|| text::escape(version.as_bytes(), Charset::Utf8), |sum| format!("Σ{sum}"));
    format!("{rows} at version {version}")
}

/// The commands, with moments by the clock of this machine.
fn plan(board: &Board, grace: Option<Duration>, retain: Option<Duration>) -> Result<u8, Failure> {
    let keys = [board.key.as_ref(), board.version_key.as_ref(), board.meta_key.as_ref()];
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let till = now.saturating_add(grace.unwrap_or_default()).as_millis().to_string();
    let till = till.as_bytes();
    let life = retain.map(|time| time.saturating_add(grace.unwrap_or_default()).as_millis().to_string());
    let state: &[&[u8]] = match grace {
        Some(_) => &[b"HSET", keys[2], b"state", b"closing", b"grace_until", till, b"closes_at", till],
        None => &[b"HSET", keys[2], b"state", b"closed", b"closed_at", till],
    };
    let expiries: Vec<[&[u8]; 3]> =
        life.iter().flat_map(|life| keys.map(|key| [b"PEXPIRE".as_slice(), key, life.as_bytes()])).collect();
    let mut commands: Vec<&[&[u8]]> = vec![&[b"MULTI"]];
    let count: &[&[u8]] = &[b"INCR", keys[1]];
    commands.extend([count, state]);
    commands.extend(expiries.iter().map(<[&[u8]; 3]>::as_slice));
    commands.push(&[b"EXEC"]);
    dry_run::print(&commands, "moments are by the clock of this machine, and a closed board stays as it is")
}
