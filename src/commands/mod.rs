//! What the program does when it is asked for more than watching: one file per subcommand, what they share in printing
//! ([`output`]) and in ending ([`exit`]).

pub mod exit;
pub mod output;
pub mod page;

/// The one line to change when `view::text` is there: `use crate::view::text;`.
mod text;
