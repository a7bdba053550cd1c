//! What can be asked of a place where boards live, and what comes back: the words that `app` and `store` share. It knows
//! neither of them.

pub mod capabilities;
pub mod error;
pub mod error_code;
pub mod find;
pub mod listing;
pub mod page;
pub mod reply;
pub mod request;
pub mod round_trip;
pub mod server;
