//! What needs no server and no terminal: the rules of boards, the viewer's logic, its screens, and the layers of the code.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::float_cmp, reason = "scores are compared as Redis does")]

mod board_cases;
mod corpus;
mod flow;
mod layers;
mod period_cases;
mod period_laws;
mod screens;
