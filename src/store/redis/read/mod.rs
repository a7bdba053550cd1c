//! The ways to read a page: one transaction with a small script in it, one script for all of it, or neither.

pub(super) mod distribution;
pub(super) mod page_script;
pub(super) mod scriptless;
pub(super) mod transaction;
