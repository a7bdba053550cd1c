//! `ranktop score`: changes one member's score, and says what the score, the rank and the version are then. The change
//! itself, and what forbids it, are the store's.

use std::time::Duration;

use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::order::Order;
use crate::board::period::Zone;
use crate::board::score::Score;
use crate::cli::ScoreArgs;
use crate::commands::failures::board_text;
use crate::commands::reach;
use crate::commands::shards::{PartWriters, refused};
use crate::commands::text;
use crate::commands::text::Charset;
use crate::commands::write_report::{moment, tell, unanswered, unsent};
use crate::commands::{dry_run, setup};
use crate::exit::{Exit, Failure};
use crate::query::error::StoreError;
use crate::query::page::{PageReply, PageRequest, PageStart};
use crate::store::BoardSource as _;
use crate::store::redis::topology::{AnySource, Service};
use crate::store::redis::write::score::{Scoring, Step};
use crate::store::sharded::Placement;
use crate::store::sharded::board::is_sharded;

/// What fails where a score is not changed.
const WHAT: &str = "write to";

/// Changes the score that `arguments` name; prints one line about it.
pub async fn score(arguments: ScoreArgs) -> Result<u8, Failure> {
    let step = arguments.step();
    let member = arguments.member();
    let ScoreArgs { board, dry_run, connection, order, which, .. } = arguments;
    let (order, zone) = (order.order, &which.calendar.tz);
    let board = setup::board(board, &which, order)?;
    if dry_run && is_sharded(&board.key) {
        return Err(refused("--dry-run", &board, "the shard of a member is known only once the shards were asked"));
    }
    if dry_run {
        return plan(&board, &member, step);
    }
    let service = setup::service(&connection)?.with_shards(which.shards);
    let address = service.to_string();
    if is_sharded(&board.key) {
        return score_in_part(&service, &board, (order, zone), &member, step).await;
    }
    let connected = service.connect_writer(&board.key, Duration::ZERO).await;
    let mut writer = connected.map_err(|trouble| unsent(WHAT, &board, &address, &trouble))?;
    let scoring = writer.score(&board, order, &member, step).await;
    match scoring.map_err(|trouble| unanswered(WHAT, &board, &address, &trouble))? {
        Scoring::Written { before, after, rank, version, is_late } => {
            let late = if is_late { ", late" } else { "" };
            let change = change(&member, before, after, &rank.to_string());
            tell(&format!("{change}, version {}{late}", escaped(version.as_bytes())))
        }
        refused => Err(unwritten(&board, &member, &refused, zone)),
    }
}

/// The same where the board lies in many sorted sets: into the one that the member is in, or is placed in by the rule that
/// the board says. The rank is read from all of them afterwards.
async fn score_in_part(
    service: &Service,
    board: &Board,
    (order, zone): (Option<Order>, &Zone),
    member: &Member,
    step: Step,
) -> Result<u8, Failure> {
    let (mut source, address) = reach(service, board).await?;
    let unread = |error: StoreError| Failure::unreadable(board, &address, &error);
    let Placement::Part(part) = source.place(board, member).await.map_err(unread)? else {
        let message = format!(
            "'{}' is new, and board '{}' does not say in which shard new members belong",
            of(member),
            board_text(board)
        );
        return Err(Failure::new(Exit::Changed, message).with_hint(
            "where writers place members by CRC-32, set the field 'shard-hash' of the meta hashes to 'crc32'",
        ));
    };
    let mut writers = PartWriters::new(service, board, WHAT);
    let (keys, writer) = writers.part(part).await?;
    let scoring = writer.score(&keys, order, member, step).await;
    match scoring.map_err(|error| unanswered(WHAT, &keys, &address, &error))? {
        Scoring::Written { before, after, version, is_late, .. } => {
            let late = if is_late { ", late" } else { "" };
            let rank = rank_of(&mut source, board, order, after).await;
            let change = change(member, before, after, &rank);
            tell(&format!("{change}, shard {part}, version {}{late}", escaped(version.as_bytes())))
        }
        refused => Err(unwritten(&keys, member, &refused, zone)),
    }
}

/// The rank of a score among all parts, in words.
async fn rank_of(source: &mut AnySource, board: &Board, order: Option<Order>, score: Score) -> String {
    let mut board = board.clone();
    let request = PageRequest::new(PageStart::Score(score), 1);
    for _ in 0..2 {
        let Ok(PageReply::Page(page)) = source.read(&board, &request).await else { break };
        let wanted = order.or(page.window.meta.order).unwrap_or_default();
        if wanted != board.order {
            board.order = wanted;
            continue;
        }
        let error = page.window.parts.as_ref().and_then(|spread| spread.error());
        let rank = page.window.better_than_first + 1;
        return match error {
            Some(0) => rank.to_string(),
            Some(error) => format!("{rank} ±{error}"),
            None => format!("{rank}, not verified"),
        };
    }
    "not known".to_owned()
}

/// Why a score was not written.
fn unwritten(board: &Board, member: &Member, scoring: &Scoring, zone: &Zone) -> Failure {
    match scoring {
        Scoring::Closed(since) => closed(board, *since, zone),
        Scoring::Over(until) => over(board, *until, zone),
        Scoring::Infinite(before) => {
            let from = before.map_or_else(|| "0".into(), |before| before.to_string());
            let message =
                format!("'{}' on board '{}': from {from} that is no finite number", of(member), board_text(board));
            Failure::new(Exit::Changed, message).with_hint("'--set' replaces a score")
        }
        Scoring::Written { .. } => Failure::misfit(board, "the server"),
    }
}

fn plan(board: &Board, member: &Member, step: Step) -> Result<u8, Failure> {
    let (command, number) = match step {
        Step::By(number) => ("ZINCRBY", number),
        Step::Set(number) => ("ZADD", number),
    };
    let (key, version, meta) = (board.key.as_ref(), board.version_key.as_ref(), board.meta_key.as_ref());
    dry_run::print(
        &[
            &[b"WATCH", meta],
            &[b"HMGET", meta, b"state", b"grace_until"],
            &[b"MULTI"],
            &[command.as_bytes(), key, number.to_string().as_bytes(), member.as_bytes()],
            &[b"INCR", version],
            &[b"EXEC"],
        ],
        "the state has to be open, or DISCARD instead of EXEC",
    )
}

fn change(member: &Member, before: Option<Score>, after: Score, rank: &str) -> String {
    let before = before.map_or_else(|| "new".into(), |before| before.to_string());
    format!("{}: {before} -> {after} (rank {rank})", of(member))
}

/// `board` is closed, since then.
pub(super) fn closed(board: &Board, since: Option<i64>, zone: &Zone) -> Failure {
    let since = since.map(|ms| format!(" since {}", moment(ms, zone))).unwrap_or_default();
    Failure::new(Exit::Changed, format!("board '{}' is closed{since}: it takes no scores", board_text(board)))
}

/// `board` is closing, and took late scores until then.
pub(super) fn over(board: &Board, until: Option<i64>, zone: &Zone) -> Failure {
    let message = match until {
        Some(ms) => format!("board '{}' is closing: it took late scores until {}", board_text(board), moment(ms, zone)),
        None => format!("board '{}' is closing, and says of no time at which it takes late scores", board_text(board)),
    };
    Failure::new(Exit::Changed, message).with_hint("'ranktop close' closes it")
}

fn of(member: &Member) -> String {
    escaped(member.as_bytes())
}

fn escaped(bytes: &[u8]) -> String {
    text::escape(bytes, Charset::Utf8)
}

impl ScoreArgs {
    /// Whose score is to change.
    #[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "no arguments are let pass that name nobody")]
    pub fn member(&self) -> Member {
        self.member.clone().map(|member| Member::from(member.into_encoded_bytes())).expect("a member is required")
    }

    /// How the score is to change.
    #[expect(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "the parser lets no arguments pass that have neither"
    )]
    pub fn step(&self) -> Step {
        self.change.set.map(Step::Set).or(self.change.by.map(Step::By)).expect("one of --by and --set is required")
    }
}
