//! The game itself, pure: it knows no Redis, no screen, no clock.
//!
//! [`entry`] and [`order`] say who stands where, [`rank`] and [`tie`] what that is called, [`window`] what was read at
//! one moment, [`cursor`] and [`drift`] how a reader goes on from there, [`ask`] what can be asked of a board wherever
//! it lives, [`distribution`] how the scores of a whole board are spread, [`trouble`] why there was no answer, and [`word`]
//! what servers say then.

pub mod board_template;
pub mod bytes;
pub mod cursor;
pub mod diff;
pub mod distribution;
pub mod drift;
pub mod entry;
pub mod foreign;
pub mod grouping;
pub mod key_pattern;
pub mod keys;
pub mod meta;
pub mod movement;
pub mod names;
pub mod needle;
pub mod order;
pub mod packed;
pub mod period;
pub mod rank;
pub mod score;
pub mod series;
pub mod sharded;
pub mod template;
pub mod templates;
pub mod tie;
pub mod version;
pub mod window;
