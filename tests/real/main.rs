//! The program and its parts before real servers, with and without a terminal.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::float_cmp, reason = "scores are compared as Redis does")]

#[path = "../common/mod.rs"]
mod common;
#[macro_use]
mod store_suite;

mod boards;
mod cluster;
mod cluster_hole;
mod cluster_map;
mod config;
mod contest_over_a_period;
mod faults;
mod few_rights;
mod front_ends;
mod harness;
mod key_shapes;
mod log;
mod others;
mod page;
mod panics;
mod protocol;
mod rank_ties;
mod readme;
mod refusals;
mod replica;
mod rights;
mod score_close;
mod scripts_by_hash;
mod secrets;
mod sentinel;
mod server_table;
mod sharded;
mod simulate;
mod source_memory;
mod source_redis;
mod tls;
mod torn_reads;
mod usage;
mod viewer;
mod whole_boards;
