//! Boards that somebody else's program writes: where their names may be, which sets only accompany a board, and what a key
//! suggests. Nothing here reads anything, and nothing here changes how a board is read: it finds, others decide.

pub mod hints;
pub mod name_path;
pub mod probe;
pub mod words;
