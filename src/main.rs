//! Arguments in, exit code out; no logic.

use std::panic;
use std::process::ExitCode;

use ranktop::cli::{Cli, Stop};
use ranktop::commands::{execute, log, setup};
use ranktop::exit::{Exit, Failure, forgive_closed_pipe, report};

fn main() -> ExitCode {
    let failure = match Cli::read_all(std::env::args_os(), &setup::CHECKS) {
        // A panic has said what there is to say, on a terminal that was given back.
        Ok(cli) => match panic::catch_unwind(|| run(cli)) {
            Ok(Ok(code)) => return code.into(),
            Ok(Err(failure)) => failure,
            Err(_) => return Exit::Failed.into(),
        },
        Err(Stop::Help(help)) => match forgive_closed_pipe(help.print()) {
            Ok(()) => return Exit::Done.into(),
            Err(error) => Failure::new(Exit::Failed, format!("cannot write the help: {error}")),
        },
        Err(Stop::Wrong(failure)) => failure,
    };
    let _ = report(&mut std::io::stderr().lock(), &failure);
    failure.exit.into()
}

fn run(cli: Cli) -> Result<u8, Failure> {
    log::begin(&cli)?;
    let end = perform(cli);
    log::end(&end);
    end
}

fn perform(cli: Cli) -> Result<u8, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot start: {error}")))?;
    let code = runtime.block_on(execute(cli));
    // A thread that waits for a key must not hold up the end.
    runtime.shutdown_background();
    code
}
