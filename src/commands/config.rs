//! `ranktop config`: prints the settings that hold, each with where it comes from. It decides nothing about them.

use std::io;

use super::exit::{Exit, Failure, forgive_closed_pipe};
use super::output::{ListFormat, settings};
use crate::cli::Layers;

/// Prints `settled` in the order given.
pub fn config(settled: &[Layers], format: ListFormat) -> Result<u8, Failure> {
    let mut out = io::stdout().lock();
    forgive_closed_pipe(settings::write(settled, format, &mut out))
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot write the settings: {error}")))?;
    Ok(Exit::Done.code())
}
