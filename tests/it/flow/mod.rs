//! The viewer's logic without a screen and without a server: events in, effects out, a clock that the test turns, and a
//! board in memory that answers when the test says so.

mod alarms;
mod boards;
mod distribution;
mod drift;
mod find;
mod first_frame;
mod fuzz;
mod harness;
mod hold;
mod idle;
mod model;
mod mouse;
mod moves;
mod on_its_way;
mod opening;
mod packed;
mod pages;
mod periods;
mod picker;
mod reads;
mod rollover;
mod rows;
mod selection;
mod server;
mod ties;
