//! The built program in a pseudo-terminal before a real server that fails in every way there is: keys are answered all the
//! while, the last good page stays and is marked, and once the fault is over the screen is what `ranktop page` prints.
//!
//! `cargo test --test faults -- --nocapture` prints the faults and what came of each as a table.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

#[path = "faults/network.rs"]
mod network;
#[path = "faults/ordeal.rs"]
mod ordeal;
#[path = "faults/servers.rs"]
mod servers;
#[path = "faults/stage.rs"]
mod stage;
