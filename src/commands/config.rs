//! `ranktop config`: prints the settings that hold, each with where it comes from. It decides nothing about them.

use crate::cli::ConfigArgs;
use std::io;

use super::output::{ListFormat, settings};
use crate::cli::Layers;
use crate::exit::{Exit, Failure, forgive_closed_pipe};

/// Prints `settled` in the order given.
pub fn config(settled: &[Layers], format: ListFormat) -> Result<u8, Failure> {
    let mut out = io::stdout().lock();
    forgive_closed_pipe(settings::write(settled, format, &mut out))
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot write the settings: {error}")))?;
    Ok(Exit::Done.code())
}

impl ConfigArgs {
    /// In which form the settings are wanted. `color` is whether a table has colours.
    pub fn request(&self, color: bool) -> ListFormat {
        self.format.with(color)
    }
}
