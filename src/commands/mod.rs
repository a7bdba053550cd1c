//! What the program does when it is asked for something: one file per subcommand, what they share in setting up
//! ([`setup`]), printing ([`output`]) and ending ([`exit`]), and the contest that the simulating ones play.

use std::io;

use crate::cli::{Cli, Command, PageArgs};
use crate::view::text;
use exit::{Exit, Failure};

pub mod audit;
pub mod contest;
pub mod demo;
pub mod exit;
pub mod export;
pub mod freeze;
pub mod output;
pub mod page;
mod probe;
pub mod setup;
pub mod watch;

/// Does what the arguments ask for; the exit code.
pub async fn execute(cli: Cli) -> Result<u8, Failure> {
    match cli.command {
        Some(Command::Page(arguments)) => print_page(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Export(arguments)) => export::export(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Freeze(arguments)) => freeze::freeze(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Audit(arguments)) => audit::audit(arguments, &cli.connection, &cli.reading).await,
        Some(Command::Demo(arguments)) => demo::demo(arguments, &cli.reading).await,
        None => {
            let key = cli.board.ok_or_else(|| {
                Failure::new(Exit::Usage, "no board was named")
                    .with_hint("name the key of a sorted set, or try 'ranktop demo'; '--help' lists what there is")
            })?;
            watch::watch(key, &cli.connection, &cli.reading, cli.watching).await
        }
    }
}

async fn print_page(
    arguments: PageArgs,
    connection: &crate::cli::Connection,
    reading: &crate::cli::Reading,
) -> Result<u8, Failure> {
    let target = setup::target(connection)?;
    let (board, names) = setup::board(arguments.board.clone(), reading)?;
    let request = arguments.request(reading, target.to_string(), setup::is_table_coloured(reading.color));
    let connected = target.connect(None::<fn()>).await;
    let mut home = connected.map_err(|trouble| Failure::unreadable(&board, &request.address, &trouble))?.home;
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    page::page(&mut home, &board, &names, &request, &mut out, &mut err).await?;
    Ok(Exit::Done.code())
}
