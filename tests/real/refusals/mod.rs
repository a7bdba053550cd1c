//! What servers say when they will not: each of it is a sentence with the command, the key and a hint, and has the right
//! conduct; and whichever reply it stands in the place of, it never becomes a row, a name or a version.

mod corrupt_replies;
mod words;
