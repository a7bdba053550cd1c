//! The built program in a pseudo-terminal before a real server that fails in every way there is: keys are answered all the
//! while, the last good page stays and is marked, and once the fault is over the screen is what `ranktop page` prints.
//!
//! `cargo test --test faults -- --nocapture` prints the faults and what came of each as a table.

mod network;
mod scenario;
mod servers;
mod stage;
