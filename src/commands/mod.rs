//! What the program does when it is asked for something: one file per subcommand, what they share in printing
//! ([`output`]) and in ending ([`exit`]), and the contest that the simulating ones play.

use crate::view::text;

pub mod contest;
pub mod exit;
pub mod output;
pub mod page;
