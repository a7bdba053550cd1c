//! Boards over many sorted sets on a real server and a real cluster: the suite of every source, with 1 to 64 parts behind
//! each board, and what only such boards have.

mod beside_a_writer;
mod cluster;
mod commands;
mod one_set;
mod readme;
mod suite;
