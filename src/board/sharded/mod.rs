//! One board over many sorted sets, its **parts**: how what the parts say is put together to what one sorted set of the
//! same rows would say. Pure: what is asked of a part and what it answers are data ([`part`]); who carries them is not its
//! concern.
//!
//! All rows of a board are distinct, so ties need no case of their own: a row's position is the sum of the rows that each
//! part has before it.

pub mod between;
pub mod distinct;
pub mod estimate;
pub mod interval;
pub mod merge;
pub mod part;
pub mod placement;
pub mod quota;
pub mod spread;
pub mod vector;
