//! `ranktop` is to a Redis leaderboard what `top` is to processes.
//!
//! # The map of the house
//!
//! | folder | owns |
//! |---|---|
//! | [`text`] | bytes and numbers as text that may be drawn: escape, width, cutting, quoting |
//! | [`board`] | the leaderboard itself, pure: order, ranks, ties, windows, cursors, drift, movement |
//! | [`query`] | what can be asked of a place where boards live, and what comes back |
//! | [`store`] | where boards live, behind one interface: Redis, and a board in memory |
//! | [`app`] | state, events, effects, the keymap: synchronous, total, no clock, no I/O |
//! | [`view`] | draws the state, one file per region of the screen |
//! | [`term`] | the terminal: taking it, giving it back, keys, signals |
//! | [`cli`] | the arguments and their help |
//! | [`exit`] | exit codes, and failures as the lines that people read |
//! | [`config`] | the settings file: which settings there are, and what is in it |
//! | [`simulation`] | the simulated contest |
//! | [`commands`] | one file per subcommand |
//! | [`run`] | the only loop |
//!
//! Data goes one way: key, reply, tick, signal become an `Event`; `update` changes the `State` and answers with
//! `Effect`s; `run` performs them; where anything changed, `view` draws the state.
//!
//! # Who may import whom
//!
//! `tests/it/layers/mod.rs` holds the code to this table.
//!
//! | from \ may import | text | board | query | app | store | view | term | config |
//! |---|---|---|---|---|---|---|---|---|
//! | text | . | | | | | | | |
//! | board | | . | | | | | | |
//! | query | | yes | . | | | | | |
//! | app | | yes | yes | . | | | | |
//! | store | yes | yes | yes | | . | | | |
//! | view | yes | yes | yes | read | | . | | |
//! | term | | | | event, keymap | | | . | |
//! | config | | yes | | keymap | | | | . |
//! | cli, simulation, commands, run, main | yes | yes | yes | yes | yes | yes | yes | yes |

pub mod app;
pub mod board;
pub mod cli;
pub mod commands;
pub mod config;
pub mod exit;
pub mod query;
pub mod run;
pub mod simulation;
pub mod store;
pub mod term;
pub mod text;
pub mod view;
