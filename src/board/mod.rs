//! The game itself, pure: it knows no Redis, no screen, no clock.

pub mod board_template;
pub mod keys;
pub mod period;
pub mod template;
