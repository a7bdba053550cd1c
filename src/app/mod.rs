//! What the viewer knows and how that changes: synchronous and total, without a clock and without I/O.
//!
//! An [`event::Event`] comes in with its moment, [`update::update`] changes the [`state::State`] and answers with
//! [`event::Effect`]s. Nothing here waits, asks the time, or knows how a screen or a server is spoken to.

pub mod clock;
pub mod event;
pub mod find;
pub mod geometry;
pub mod health;
pub mod keymap;
pub mod keys;
pub mod look;
pub mod names;
pub mod page;
pub mod prompt;
pub mod questions;
pub mod rate;
pub mod reading;
pub mod state;
pub mod steps;
pub mod trace;
pub mod turns;
pub mod update;
pub mod watch;
