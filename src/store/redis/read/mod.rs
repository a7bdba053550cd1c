//! The ways to read a page: one transaction with a small script in it, one script for all of it, or neither.

pub(super) mod distribution;
pub(super) mod guess;
pub(super) mod page_script;
pub(super) mod scriptless;
pub(super) mod transaction;

/// A script that asks which scores share a rank, as it is sent.
fn grouped(script: &str) -> String {
    let grouping = super::compact(include_str!("../../../../assets/lua/grouping.lua"));
    format!("{grouping}\n{}", super::compact(script))
}
