//! The game itself, pure: it knows no Redis, no screen, no clock.

pub mod keys;
pub mod period;
