//! The terminal: taking it and giving it back, keys, signals, and frames on their way out. Only this folder knows
//! crossterm.

pub mod backend;
mod doubts;
pub mod guard;
pub mod input;
mod mouse;
pub mod output;
pub mod pace;
pub mod signals;
mod split;
