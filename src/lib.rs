//! `ranktop` is to a Redis leaderboard what `top` is to processes.
//!
//! # The map of the house
//!
//! | folder | owns |
//! |---|---|
//! | [`board`] | the game itself, pure: order, ranks, ties, windows, cursors, drift, movement |
//! | [`store`] | where boards live, behind one interface: Redis, and a board in memory |
//! | [`app`] | state, events, effects, the keymap: synchronous, total, no clock, no I/O |
//! | [`view`] | draws the state |
//! | [`term`] | the terminal: taking it, giving it back, keys, signals |
//! | [`commands`] | one file per subcommand |
//! | [`cli`] | the arguments and their help |
//! | [`config`] | the lasting settings: which there are, and what stands in their file |
//! | [`run`] | the only loop |
//!
//! Data goes one way: key, reply, tick, signal become an `Event`; `update` changes the `State` and answers with
//! `Effect`s; `run` performs them; where anything changed, `view` draws the state.
//!
//! # Who may import whom
//!
//! `tests/layers.rs` holds the code to this table.
//!
//! | from \ may import | board | app | store | view | term | config |
//! |---|---|---|---|---|---|---|
//! | board | . | | | | | |
//! | app | yes | . | | | | |
//! | store | yes | | . | | | |
//! | view | yes | read | | . | | |
//! | term | | event, keymap | | | . | |
//! | config | yes | keymap | | | | . |
//! | run, commands, cli, main | yes | yes | yes | yes | yes | yes |

pub mod app;
pub mod board;
pub mod cli;
pub mod commands;
pub mod config;
pub mod run;
pub mod store;
pub mod term;
pub mod view;
