//! Budgets that are counts: what the viewer asks, how often and at how many bytes, and what it writes to its terminal.
//! The built program looks through a counting proxy at a real server.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod common;

#[path = "budgets/busy.rs"]
mod busy;
#[path = "budgets/idle.rs"]
mod idle;
#[path = "budgets/viewer.rs"]
mod viewer;
#[path = "budgets/wire.rs"]
mod wire;
