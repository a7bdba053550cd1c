//! `ranktop completions`: prints what a shell needs to complete command lines.

use std::io::{self, Write};

use crate::cli::CompletionsArgs;
use crate::exit::{Exit, Failure, forgive_closed_pipe};

/// Prints the script of the shell that `arguments` name.
pub fn completions(arguments: &CompletionsArgs) -> Result<u8, Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(&arguments.script()).and_then(|()| out.flush());
    forgive_closed_pipe(written)
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot write the completions: {error}")))?;
    Ok(Exit::Done.code())
}
