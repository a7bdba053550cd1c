//! `ranktop score`: changes one member's score, and says what the score, the rank and the version are then. The change
//! itself, and what forbids it, are the store's.

use std::time::Duration;

use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::period::Zone;
use crate::board::score::Score;
use crate::cli::{Connection, Reading, ScoreArgs};
use crate::commands::failures::board_text;
use crate::commands::text;
use crate::commands::text::Charset;
use crate::commands::write_report::{moment, tell, unanswered, unsent};
use crate::commands::{dry_run, setup};
use crate::exit::{Exit, Failure};
use crate::store::redis::write::score::{Scoring, Step};

/// What fails where a score is not changed.
const WHAT: &str = "write to";

/// Changes the score that `arguments` name; prints one line about it.
pub async fn score(arguments: ScoreArgs, connection: &Connection, reading: &Reading) -> Result<u8, Failure> {
    let step = arguments.step();
    let zone = &reading.which.tz;
    let member = arguments.member();
    let (board, _) = setup::board(arguments.board, reading)?;
    if arguments.dry_run {
        return plan(&board, &member, step);
    }
    let service = setup::service(connection)?;
    let address = service.to_string();
    let connected = service.connect_writer(&board.key, Duration::ZERO).await;
    let mut writer = connected.map_err(|trouble| unsent(WHAT, &board, &address, &trouble))?;
    let scoring = writer.score(&board, reading.order, &member, step).await;
    match scoring.map_err(|trouble| unanswered(WHAT, &board, &address, &trouble))? {
        Scoring::Written { before, after, rank, version, is_late } => {
            let late = if is_late { ", late" } else { "" };
            tell(&format!("{}, version {}{late}", change(&member, before, after, rank), escaped(version.as_bytes())))
        }
        Scoring::Closed(since) => Err(closed(&board, since, zone)),
        Scoring::Over(until) => Err(over(&board, until, zone)),
        Scoring::Infinite(before) => {
            let from = before.map_or_else(|| "0".into(), |before| before.to_string());
            let message =
                format!("'{}' on board '{}': from {from} that is no finite number", of(&member), board_text(&board));
            Err(Failure::new(Exit::Changed, message).with_hint("'--set' replaces a score"))
        }
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

fn change(member: &Member, before: Option<Score>, after: Score, rank: u64) -> String {
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
