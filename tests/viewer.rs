//! The built program in a pseudo-terminal, on boards of a real server: what only the whole of it can show. Every wait is
//! on a condition of the screen, of a process, or of the server's own counters.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod common;

#[path = "viewer/boards.rs"]
mod boards;
#[path = "viewer/demo.rs"]
mod demo;
#[path = "viewer/distribution.rs"]
mod distribution;
#[path = "viewer/endings.rs"]
mod endings;
#[path = "viewer/harness.rs"]
mod harness;
#[path = "viewer/hostile.rs"]
mod hostile;
#[path = "viewer/large.rs"]
mod large;
#[path = "viewer/live.rs"]
mod live;
#[path = "viewer/lives.rs"]
mod lives;
#[path = "viewer/look.rs"]
mod look;
#[path = "viewer/mouse.rs"]
mod mouse;
#[path = "viewer/periods.rs"]
mod periods;
#[path = "viewer/picker.rs"]
mod picker;
#[path = "viewer/prompts.rs"]
mod prompts;
#[path = "viewer/quiet.rs"]
mod quiet;
#[path = "viewer/trouble.rs"]
mod trouble;
#[path = "viewer/typed.rs"]
mod typed;
