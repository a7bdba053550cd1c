//! Draws the state: it owns every cell of the screen and nothing else.
//!
//! It reads the state and never changes it, knows no Redis and no keys' meaning, and lets no byte that came from
//! Redis onto the screen but through [`text`].

pub mod text;
pub mod theme;
