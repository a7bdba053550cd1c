//! Arguments in, exit code out; no logic.
fn main() {}
