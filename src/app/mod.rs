//! What the viewer knows and how that changes: synchronous and total, without a clock and without I/O.
//!
//! An [`event::Event`] comes in with its moment, [`update::update`] changes the [`state::State`] and answers with
//! [`event::Effect`]s. Nothing here waits, asks the time, or knows how a screen or a server is spoken to.

pub mod alarms;
pub mod clock;
pub mod countdown;
pub mod distribution;
pub mod event;
pub mod find;
pub mod first_frame;
pub mod geometry;
pub mod health;
pub mod in_flight;
pub mod keymap;
pub mod keys;
pub mod line_editor;
pub mod moves;
pub mod names;
pub mod overlay;
pub mod packing;
pub mod page;
pub mod periods;
pub mod picker;
pub mod polling;
pub mod presses;
pub mod probing;
pub mod prompt;
pub mod queue;
pub mod rate;
pub mod request;
pub mod rollover;
pub mod selection;
pub mod session;
pub mod settings;
pub mod state;
pub mod trace;
pub mod update;
pub mod wake;
