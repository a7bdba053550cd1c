//! What servers say when they will not: each of it is a sentence with the command, the key and a hint, and has the right
//! conduct; and whichever reply it stands in the place of, it never becomes a row, a name or a version.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

#[path = "refusals/spoiled.rs"]
mod spoiled;
#[path = "refusals/words.rs"]
mod words;
