//! The game itself, pure: it knows no Redis, no screen, no clock.
//!
//! [`entry`] and [`order`] say who stands where, [`rank`] and [`tie`] what that is called, [`window`] what was read at
//! one moment, [`cursor`] and [`drift`] how a reader goes on from there, [`ask`] what can be asked of a board wherever
//! it lives, and [`trouble`] why there was no answer.

pub mod ask;
pub mod board_template;
pub mod bytes;
pub mod cursor;
pub mod drift;
pub mod entry;
pub mod evidence;
pub mod keys;
pub mod meta;
pub mod movement;
pub mod names;
pub mod order;
pub mod period;
pub mod place;
pub mod rank;
pub mod score;
pub mod template;
pub mod tie;
pub mod trouble;
pub mod version;
pub mod window;
