//! The built program in a pseudo-terminal, on boards of a real server: what only the whole of it can show. Every wait is
//! on a condition of the screen, of a process, or of the server's own counters.

mod appearance;
mod boards;
mod demo;
mod distribution;
mod endings;
mod harness;
mod hostile;
mod idle;
mod large;
mod lifecycle;
mod live;
mod mouse;
mod periods;
mod picker;
mod prompts;
mod slow_link;
mod trouble;
mod typed;
