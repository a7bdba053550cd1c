//! What the viewer knows and how that changes: synchronous and total, without a clock and without I/O.
//!
//! An [`event::Event`] comes in with its moment, [`update::update`] changes the [`state::State`] and answers with
//! [`event::Effect`]s. Nothing here waits, asks the time, or knows how a screen or a server is spoken to.

pub mod browse;
pub mod clock;
pub mod distribution;
pub mod event;
pub mod find;
pub mod geometry;
pub mod health;
pub mod keymap;
pub mod keys;
pub mod look;
pub mod names;
pub mod page;
pub mod periods;
pub mod picker;
pub mod prompt;
pub mod questions;
pub mod rate;
pub mod reading;
pub mod rollover;
pub mod state;
pub mod steps;
pub mod terms;
pub mod trace;
pub mod turns;
pub mod update;
pub mod watch;
