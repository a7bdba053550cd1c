//! The viewer's logic without a screen and without a server: events in, effects out, a clock that the test turns, and a
//! board in memory that answers when the test says so.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "flow/boards.rs"]
mod boards;
#[path = "flow/distribution.rs"]
mod distribution;
#[path = "flow/drift.rs"]
mod drift;
#[path = "flow/find.rs"]
mod find;
#[path = "flow/fuzz.rs"]
mod fuzz;
#[path = "flow/harness.rs"]
mod harness;
#[path = "flow/hold.rs"]
mod hold;
#[path = "flow/mouse.rs"]
mod mouse;
#[path = "flow/opening.rs"]
mod opening;
#[path = "flow/pages.rs"]
mod pages;
#[path = "flow/periods.rs"]
mod periods;
#[path = "flow/picker.rs"]
mod picker;
#[path = "flow/place.rs"]
mod place;
#[path = "flow/quiet.rs"]
mod quiet;
#[path = "flow/reads.rs"]
mod reads;
#[path = "flow/rollover.rs"]
mod rollover;
#[path = "flow/rows.rs"]
mod rows;
#[path = "flow/selection.rs"]
mod selection;
#[path = "flow/ties.rs"]
mod ties;
