//! `ranktop man`: prints the man page.

use std::io::{self, Write};

use crate::cli::ManArgs;
use crate::exit::{Exit, Failure, forgive_closed_pipe};

/// Prints the page of what `arguments` name.
pub fn man(arguments: &ManArgs) -> Result<u8, Failure> {
    let page = arguments.page()?;
    let mut out = io::stdout().lock();
    let written = out.write_all(&page).and_then(|()| out.flush());
    forgive_closed_pipe(written)
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot write the man page: {error}")))?;
    Ok(Exit::Done.code())
}
