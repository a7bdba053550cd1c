//! `ranktop freeze`: copies a board with its version to a key of its own, whose name depends on the version, and prints
//! that key. It decides what the copy is called and what to do where the board moves meanwhile; the copying is the
//! store's.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use super::probe::{is_frozen_copy, probe};
use super::shards::PartWriters;
use super::{reach, setup};
use crate::board::keys::Board;
use crate::board::keys::{Key, frozen_key, frozen_of};
use crate::board::meta::Ttl;
use crate::board::sharded::vector::sum;
use crate::board::templates::Templates;
use crate::board::version::Version;
use crate::board::window::Window;
use crate::cli::FreezeArgs;
use crate::commands::failures::board_text;
use crate::commands::text;
use crate::commands::text::Charset;
use crate::exit::{Exit, Failure, forgive_closed_pipe};
use crate::query::error::StoreError;
use crate::store::redis::topology::{AnySource, Service};
use crate::store::redis::write::freeze::Freezing;
use crate::store::sharded::board::part_board;

/// So often a copy is tried of a board whose version changes between its read and its copy. Each try costs next to
/// nothing.
const TRIES: u32 = 100;

/// What copying one member may cost a slow server, by which the wait for the answer is lengthened.
const PER_MEMBER: Duration = Duration::from_micros(10);

/// Freezes the board that `arguments` name; prints the key of the copy to standard output, and what was done to standard
/// error.
pub async fn freeze(arguments: FreezeArgs) -> Result<u8, Failure> {
    let FreezeArgs { board, retain, connection, which } = arguments;
    let service = setup::service(&connection)?.with_shards(which.shards);
    let mut board = setup::board(board, &which, None)?;
    let templates = setup::templates(&which, None);
    let (mut home, address) = reach(&service, &board).await?;
    let window = probe(&mut home, &mut board, None, &address).await?;
    let Some(mut version) = window.version.clone() else { return Err(without_version(&board)) };
    let is_copy = is_frozen_copy(&board, &window);
    if let Some(shards) = which.shards {
        let sharded = Sharded { service: &service, address: &address, templates: &templates, shards, is_copy };
        return sharded.freeze(&mut home, &board, window, retain).await;
    }

    let patience = PER_MEMBER.saturating_mul(u32::try_from(window.total).unwrap_or(u32::MAX));
    let unfreezable = |trouble: &StoreError| unfreezable(&board, &address, trouble);
    let connected = service.connect_writer(&board.key, patience).await;
    let mut writer = connected.map_err(|trouble| unfreezable(&trouble))?;
    for _ in 0..TRIES {
        let copy = if is_copy { board.clone() } else { copy_of(&board, &version, &templates)? };
        match writer.freeze(&board, &version, &copy, retain).await.map_err(|trouble| unfreezable(&trouble))? {
            Freezing::There { is_new, rows, ttl } => {
                let what = if is_new { "frozen" } else { "frozen already" };
                return tell(&copy, &format!("{what}: {}", of(rows, &version, ttl)));
            }
            Freezing::Moved(Some(now)) if !is_copy => version = now,
            Freezing::Moved(None) => return Err(without_version(&board)),
            Freezing::Moved(Some(_)) => break,
            Freezing::Other => return Err(taken(&copy)),
            Freezing::Missing => {
                return Err(Failure::new(
                    Exit::Missing,
                    format!("board '{}' was deleted while it was to be frozen", board_text(&board)),
                ));
            }
        }
    }
    Err(Failure::new(
        Exit::Changed,
        format!("board '{}' changes faster than it can be frozen from here", board_text(&board)),
    )
    .with_hint("freeze it from nearer to the server, or when it is written less"))
}

/// A board over many sorted sets to freeze.
struct Sharded<'a> {
    service: &'a Service,
    address: &'a str,
    templates: &'a Templates,
    shards: u32,
    is_copy: bool,
}

impl Sharded<'_> {
    /// Copies each part at the version that a verified read found it at: where all of them still are, the copy is what the
    /// whole board held at one moment. Where one moved on, all is read and copied anew.
    async fn freeze(
        &self,
        home: &mut AnySource,
        board: &Board,
        mut window: Window,
        retain: Duration,
    ) -> Result<u8, Failure> {
        let patience = PER_MEMBER.saturating_mul(u32::try_from(window.total).unwrap_or(u32::MAX));
        let mut writers = PartWriters::new(self.service, board, "freeze").with_patience(patience);
        for _ in 0..TRIES {
            if window.verified && window.version.is_some() {
                if let Some((copy, ttl)) = self.copied(&mut writers, board, &window, retain).await? {
                    let sum = window.version.as_ref().and_then(sum).unwrap_or_default();
                    let what = of(window.total, &Version::from(format!("Σ{sum}").as_str()), ttl);
                    return tell(&copy, &format!("frozen: {what} in {} shards", self.shards));
                }
            } else if window.parts.as_ref().is_none_or(|parts| parts.versions.iter().all(Option::is_none)) {
                return Err(without_version(board));
            }
            window = probe(home, &mut board.clone(), None, self.address).await?;
        }
        Err(Failure::new(
            Exit::Changed,
            format!("board '{}' changes faster than all of its shards can be frozen", board_text(board)),
        )
        .with_hint("freeze it when it is closed or written less"))
    }

    /// The copy of all parts at the versions of `window`, and how long it lives; `None` where a part moved on.
    async fn copied(
        &self,
        writers: &mut PartWriters<'_>,
        board: &Board,
        window: &Window,
        retain: Duration,
    ) -> Result<Option<(Board, Ttl)>, Failure> {
        let sum = window.version.as_ref().and_then(sum).ok_or_else(|| without_version(board))?;
        let name = Version::from(sum.to_string().as_str());
        let copy = if self.is_copy { board.clone() } else { copy_of(board, &name, self.templates)? };
        let versions = window.parts.as_ref().map(|parts| parts.versions.as_slice()).unwrap_or_default();
        let mut least = Ttl::Forever;
        for (part, version) in (0..self.shards).zip(versions) {
            // A part that was never written has nothing to copy.
            let Some(version) = version else { continue };
            let (keys, writer) = writers.part(part).await?;
            let part_copy = part_board(&copy, part);
            let freezing = writer.freeze(&keys, version, &part_copy, retain).await;
            match freezing.map_err(|trouble| unfreezable(&keys, self.address, &trouble))? {
                Freezing::There { ttl, .. } => {
                    least = match (least, ttl) {
                        (Ttl::Milliseconds(a), Ttl::Milliseconds(b)) => Ttl::Milliseconds(a.min(b)),
                        (Ttl::Milliseconds(a), _) => Ttl::Milliseconds(a),
                        (_, other) => other,
                    }
                }
                Freezing::Missing => {}
                Freezing::Moved(_) => return Ok(None),
                Freezing::Other => return Err(taken(&part_copy)),
            }
        }
        Ok(Some((copy, least)))
    }
}

/// The copy of `board` at `version`, with companions of its own.
fn copy_of(board: &Board, version: &Version, templates: &Templates) -> Result<Board, Failure> {
    let key = frozen_key(&board.key, version.as_bytes());
    if frozen_of(&key) != Some((board.key.clone(), version.as_bytes().to_vec())) {
        let message = format!(
            "board '{}' cannot be frozen: its version '{}' cannot be a part of a key",
            board_text(board),
            text::escape(version.as_bytes(), Charset::Utf8)
        );
        return Err(Failure::new(Exit::Changed, message).with_hint("a version is a counter: INCR it with each write"));
    }
    let copy = templates.board(key, board.order);
    let shared =
        [("--version-key", &copy.version_key, &board.version_key), ("--meta-key", &copy.meta_key, &board.meta_key)]
            .into_iter()
            .find(|(_, copied, own)| copied == own);
    match shared {
        None => Ok(copy),
        Some((option, key, _)) => Err(Failure::new(
            Exit::Usage,
            format!("{option}: a copy would share the key '{}' with its board", escaped(key)),
        )
        .with_hint("write <board> in the template, so that the copy has a key of its own")),
    }
}

/// How many rows of which version are kept for how long.
fn of(rows: u64, version: &Version, ttl: Ttl) -> String {
    let kept = match ttl.milliseconds() {
        Some(ms) => format!("kept for {}", text::duration(Duration::from_secs(ms.div_ceil(1000)))),
        None => "never expires".into(),
    };
    let rows = if rows == 1 { "1 row".into() } else { format!("{rows} rows") };
    format!("{rows} at version {}, {kept}", text::escape(version.as_bytes(), Charset::Utf8))
}

/// Prints the key of `copy`, and what became of it.
fn tell(copy: &Board, what: &str) -> Result<u8, Failure> {
    // What was done is done, whether or not somebody reads about it.
    let _ = writeln!(io::stderr().lock(), "{what}");
    let mut out = io::stdout().lock();
    // Another command is given the very bytes; a terminal must not be given what it obeys.
    let key = if out.is_terminal() { escaped(&copy.key).into_bytes() } else { copy.key.as_ref().to_vec() };
    let written = out.write_all(&key).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
    forgive_closed_pipe(written).map_err(|error| {
        Failure::new(Exit::Failed, format!("cannot write the key '{}': {error}", escaped(&copy.key)))
    })?;
    Ok(Exit::Done.code())
}

fn without_version(board: &Board) -> Failure {
    Failure::new(
        Exit::Changed,
        format!(
            "board '{}' cannot be frozen: it has no version at '{}'",
            board_text(board),
            escaped(&board.version_key)
        ),
    )
    .with_hint(
        "every writer does INCR on that key in the transaction that changes the board; --version-key names another",
    )
}

fn taken(copy: &Board) -> Failure {
    Failure::new(
        Exit::Changed,
        format!("'{}' is there and is no copy of the board as it is at this version", board_text(copy)),
    )
    .with_hint(
        "the board was changed without its version, or reset to an old one: INCR its version, or delete that key",
    )
}

fn unfreezable(board: &Board, address: &str, trouble: &StoreError) -> Failure {
    let message = format!("cannot freeze board '{}' at {address}: {trouble}", board_text(board));
    let is_old = matches!(trouble, StoreError::Other(text) if text.contains("Unknown Redis command"));
    let hint = if is_old { Some("freezing needs Redis 6.2 or later, for COPY") } else { hint(trouble) };
    Failure { hint: hint.map(str::to_owned), ..Failure::new(Exit::Failed, message) }
}

/// What can be done about trouble with writing.
fn hint(trouble: &StoreError) -> Option<&'static str> {
    match trouble {
        StoreError::NoPermission { .. } => {
            Some("freezing writes: the user needs EVAL, COPY and the write commands on these keys")
        }
        other => other.hint(),
    }
}

fn escaped(key: &Key) -> String {
    text::escape(key.as_ref(), Charset::Utf8)
}
