//! Lasting settings: which there are, where their file is, and what stands in it, each with its line. What a value means
//! is known to the parsers of the command line alone, so it is not checked here.

mod boards;
mod fault;
mod file;
mod path;
mod settings;
mod suggest;

use std::path::PathBuf;

pub use boards::{BoardLine, Boards, boards};
pub use fault::{Fault, in_two};
pub use file::{Entry, parse};
pub use path::Places;
pub use settings::{Kind, SETTINGS, Setting, Variable};
pub use suggest::nearest;

/// A file of settings that was read.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    /// Where it is.
    pub path: PathBuf,
    /// What stands in it, from the top down; no setting twice.
    pub entries: Vec<Entry>,
    /// What holds for some boards alone.
    pub boards: Boards,
}

/// Why a file of settings cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It cannot be read, or is not there though it was named.
    #[error("cannot read the settings in '{}': {why}", path.display())]
    Unreadable {
        /// Where it is looked for.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// Something in it is wrong.
    #[error("'{}', line {}: {}", path.display(), .fault.line, .fault.what)]
    Faulty {
        /// Where it is.
        path: PathBuf,
        /// What is wrong.
        fault: Fault,
    },
}
