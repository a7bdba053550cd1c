//! What the program does when it is asked for more than watching: one file per subcommand, and the contest that the
//! simulating ones play.

pub mod contest;
