//! What the program does when it is asked for something: one file per subcommand, what they share in setting up
//! ([`setup`]), printing ([`output`]) and ending ([`crate::exit`]), and the contest that the simulating ones play.

use std::ffi::OsString;
use std::io;

use crate::board::keys::Board;
use crate::board::names::NamesLocation;
use crate::cli::{Cli, Command, Connection, PageArgs, RankArgs, Reading, TiesArgs};
use crate::exit::{Exit, Failure};
use crate::query::server::{Lag, Role};
use crate::store::redis::topology::{AnySource, Reached, Service};
use crate::text;
use reader::ReadOptions;

pub mod audit;
pub mod board_key;
pub mod boards;
#[cfg(test)]
mod busy;
pub mod close;
pub mod completions;
pub mod config;
mod consistency;
pub mod demo;
mod dry_run;
pub mod export;
pub mod failures;
pub mod freeze;
pub mod log;
pub mod output;
pub mod page;
mod player;
mod probe;
mod probing;
pub mod rank;
pub mod reader;
pub mod score;
pub mod setup;
mod shards;
mod sharing;
pub mod simulate;
pub mod ties;
pub mod watch;
mod write_report;

/// Does what the arguments ask for; the exit code.
pub async fn execute(cli: Cli) -> Result<u8, Failure> {
    match cli.command {
        Some(Command::Page(arguments)) => print_page(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Rank(arguments)) => print_rank(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Ties(arguments)) => print_ties(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Boards(arguments)) => boards::boards(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Export(arguments)) => export::export(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Score(arguments)) => score::score(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Close(arguments)) => close::close(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Freeze(arguments)) => freeze::freeze(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Audit(arguments)) => audit::audit(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Simulate(arguments)) => simulate::simulate(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Demo(arguments)) => demo::demo(arguments, &cli.reading).await,
        Some(Command::Config(arguments)) => {
            config::config(&cli.settings, arguments.request(setup::is_table_coloured(cli.reading.color)))
        }
        Some(Command::Completions(arguments)) => completions::completions(&arguments),
        None => {
            let key = board_key::key(cli.board, &cli.reading.which)?;
            watch::watch(key, &cli.connection, &cli.reading, cli.watching).await
        }
    }
}

async fn print_page(arguments: PageArgs, connection: &Connection, reading: &Reading) -> Result<u8, Failure> {
    let Opened { mut home, board, names, wishes } = open(arguments.board.clone(), connection, reading).await?;
    let request = arguments.request(wishes, setup::is_table_coloured(reading.color));
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    page::page(&mut home, &board, &names, &request, &mut out, &mut err).await?;
    Ok(Exit::Done.code())
}

async fn print_rank(arguments: RankArgs, connection: &Connection, reading: &Reading) -> Result<u8, Failure> {
    let Opened { mut home, board, names, wishes } = open(arguments.board.clone(), connection, reading).await?;
    let request = arguments.request(wishes, setup::is_table_coloured(reading.color));
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    rank::rank(&mut home, &board, &names, &request, &mut out, &mut err).await?;
    Ok(Exit::Done.code())
}

async fn print_ties(arguments: TiesArgs, connection: &Connection, reading: &Reading) -> Result<u8, Failure> {
    let Opened { mut home, board, wishes, .. } = open(arguments.board.clone(), connection, reading).await?;
    let request = arguments.request(wishes, setup::is_table_coloured(reading.color));
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    ties::ties(&mut home, &board, &request, &mut out, &mut err).await?;
    Ok(Exit::Done.code())
}

/// What a reading command works with.
struct Opened {
    home: AnySource,
    board: Board,
    names: NamesLocation,
    wishes: ReadOptions,
}

/// Connects to where the board is that is named by its key or by its game.
async fn open(given: Option<OsString>, connection: &Connection, reading: &Reading) -> Result<Opened, Failure> {
    let service = setup::service(connection)?.with_shards(reading.which.shards);
    let (board, names) = setup::board(given, reading)?;
    let (home, address) = reach(&service, &board).await?;
    let wishes = ReadOptions {
        address,
        order: reading.order,
        rank_style: reading.rank_style,
        scoring: setup::scoring(reading)?,
        is_probing: reading.is_probing(),
    };
    Ok(Opened { home, board, names, wishes })
}

/// Connects to where `board` is read; the home and the server's address. A replica that has lost its primary is warned of
/// on standard error.
async fn reach(service: &Service, board: &Board) -> Result<(AnySource, String), Failure> {
    let reached = service.connect(&board.key, None).await;
    let reached = reached.map_err(|trouble| Failure::unreadable(board, &service.to_string(), &trouble))?;
    warn_of_cut(&reached);
    let address = reached.server().server;
    Ok((reached.home, address))
}

fn warn_of_cut(reached: &Reached) {
    let place = reached.server();
    if let Role::Replica(Lag::Cut(_)) = place.role {
        let message = format!("the replica {} has lost its primary: what has changed since is missing", place.server);
        // Whether or not somebody reads the warning, the command has what it was asked for.
        let _ = crate::exit::warn(&mut io::stderr().lock(), &message);
    }
}
