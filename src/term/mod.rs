//! The terminal: taking it and giving it back, keys, signals, and frames on their way out. Only this folder knows
//! crossterm.

mod ambiguous_width;
pub mod backend;
pub mod decode;
pub mod frame_rate;
pub mod guard;
pub mod input;
pub mod keys;
mod mouse;
pub mod output;
pub mod signals;
