//! What the program does when it is asked for something: one file per subcommand, what they share in setting up
//! ([`setup`]), printing ([`output`]) and ending ([`crate::exit`]), and the contest that the simulating ones play.

use std::ffi::OsString;
use std::io;

use crate::board::keys::Board;
use crate::board::names::NamesLocation;
use crate::cli::{Cli, Command, PageArgs, RankArgs, ReadConnection, Reading, TiesArgs};
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
pub mod diff;
mod dry_run;
pub mod export;
pub mod failures;
pub mod freeze;
pub mod log;
pub mod man;
pub mod output;
pub mod page;
mod pages;
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
        Some(Command::Page(arguments)) => print_page(arguments).await,
        Some(Command::Rank(arguments)) => print_rank(arguments).await,
        Some(Command::Ties(arguments)) => print_ties(arguments).await,
        Some(Command::Boards(arguments)) => boards::boards(arguments).await,
        Some(Command::Export(arguments)) => export::export(arguments).await,
        Some(Command::Diff(arguments)) => diff::diff(arguments).await,
        Some(Command::Score(arguments)) => score::score(arguments).await,
        Some(Command::Close(arguments)) => close::close(arguments).await,
        Some(Command::Freeze(arguments)) => freeze::freeze(arguments).await,
        Some(Command::Audit(arguments)) => audit::audit(arguments).await,
        Some(Command::Simulate(arguments)) => simulate::simulate(arguments).await,
        Some(Command::Demo(arguments)) => demo::demo(arguments).await,
        Some(Command::Config(arguments)) => {
            config::config(&cli.settings, arguments.request(setup::is_table_coloured(arguments.color.color)))
        }
        Some(Command::Completions(arguments)) => completions::completions(&arguments),
        Some(Command::Man(arguments)) => man::man(&arguments),
        None => watch::watch(cli.watch).await,
    }
}

async fn print_page(arguments: PageArgs) -> Result<u8, Failure> {
    let Opened { mut home, board, names, wishes } =
        open(arguments.board.clone(), &arguments.connection, &arguments.reading).await?;
    let color = setup::is_table_coloured(arguments.color.color);
    let request = arguments.request(wishes, color);
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    page::page(&mut home, &board, &names, &request, &mut out, &mut err).await?;
    Ok(Exit::Done.code())
}

async fn print_rank(arguments: RankArgs) -> Result<u8, Failure> {
    let Opened { mut home, board, names, wishes } =
        open(arguments.board.clone(), &arguments.connection, &arguments.reading).await?;
    let color = setup::is_table_coloured(arguments.color.color);
    let request = arguments.request(wishes, color);
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    rank::rank(&mut home, &board, &names, &request, &mut out, &mut err).await?;
    Ok(Exit::Done.code())
}

async fn print_ties(arguments: TiesArgs) -> Result<u8, Failure> {
    let TiesArgs { connection, ranking, packing, which, .. } = &arguments;
    let service = setup::read_service(connection)?.with_shards(which.shards);
    let board = setup::board(arguments.board.clone(), which, ranking.order())?;
    let (mut home, address) = reach(&service, &board).await?;
    let wishes = ReadOptions {
        address,
        order: ranking.order(),
        rank_style: ranking.rank_style,
        scoring: setup::scoring(packing.scoring())?,
        is_probing: false,
    };
    let color = setup::is_table_coloured(arguments.color.color);
    let request = arguments.request(wishes, color);
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    ties::ties(&mut home, &board, &request, &mut out, &mut err).await?;
    Ok(Exit::Done.code())
}

/// What a command that prints rows works with.
struct Opened {
    home: AnySource,
    board: Board,
    names: NamesLocation,
    wishes: ReadOptions,
}

/// Connects to where the board is that is named by its key or by its game.
async fn open(given: Option<OsString>, connection: &ReadConnection, reading: &Reading) -> Result<Opened, Failure> {
    let service = setup::read_service(connection)?.with_shards(reading.which.shards);
    let (board, names) = {
        let Reading { ranking, naming, which, .. } = reading;
        setup::board_with_names(given, which, ranking.order(), &naming.names)?
    };
    let (home, address) = reach(&service, &board).await?;
    let wishes = ReadOptions {
        address,
        order: reading.ranking.order(),
        rank_style: reading.ranking.rank_style,
        scoring: setup::scoring(reading.scoring())?,
        is_probing: reading.naming.is_probing(),
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
