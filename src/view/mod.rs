//! Draws the state: it owns every cell of the screen and nothing else.
//!
//! It reads the state and never changes it, knows no Redis and no keys' meaning, and lets no byte that came from
//! Redis onto the screen but through [`text`].
//!
//! ```text
//!  ranktop  <board> · <title>            ● live  push  v1,284  +12/s  <server>  0.3 ms    header
//!  12,345 players · high first · ranks 1 2 2 4 · open, closes Sun 23:59      ▁▂▅▇▃▂▁
//!
//!     RANK   MOVE  PLAYER              ID            SCORE       GAP      POS             table, columns
//!        1         Ada Lovelace        u:1000        1,050                  1
//!  ┌     2    ▲ 1  Grace Hopper        u:1002          980       -70        2             (waiting, help, lists
//!  └     2    ▼ 1  Katherine Johnson   u:1001          980                  3              and inspector stand here)
//!
//!  ▲ Board changed v1,280 → v1,284 · row 20 is now row 22: 2 moved in above you  r …      banner
//!  1–20 of 12,345   tie of 2 at 980, rank 2, 1 of 2      ←→ tie  / find  ? help           footer, or prompt
//! ```
//!
//! How many lines each takes, [`Geometry`] says; a screen that is too small loses parts, never its head.

mod banner;
mod canvas;
mod columns;
mod distribution;
mod footer;
mod format;
mod gap;
mod header;
mod help;
mod inspector;
mod lifecycle;
mod panel;
mod parts;
mod periods;
mod picker;
mod placeholder;
mod prompt;
mod segments;
mod table;
pub mod theme;
mod trace;

use jiff::tz::TimeZone;
use ratatui::Frame;

use crate::app::event::Moment;
use crate::app::geometry::Geometry;
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::text::Charset;
use canvas::Canvas;
use theme::Theme;

/// How everything looks on this terminal.
#[derive(Clone, Debug)]
pub struct Appearance {
    /// The styles.
    pub theme: Theme,
    /// What the terminal can draw.
    pub charset: Charset,
    /// The zone in which moments of the calendar are told.
    pub zone: TimeZone,
}

/// Draws `state` as it stands at `now`. The same state at the same moment draws the same cells; the cost follows the
/// size of the screen and, for ranks alone, the rows of the page.
pub fn draw(frame: &mut Frame, state: &State, look: &Appearance, now: Moment) {
    let area = frame.area();
    // The size being drawn on, which the state may not have heard of yet.
    let geometry = Geometry::of(area.width, area.height);
    let mut canvas = Canvas::new(frame.buffer_mut(), area, look);
    header::draw(&mut canvas, &geometry, state, now);
    if state.overlay == Some(Overlay::Boards) {
        // It takes all the lines between the header and the footer.
    } else if placeholder::is_waiting(state) {
        placeholder::draw(&mut canvas, &geometry, state, now);
    } else {
        table::draw(&mut canvas, &geometry, state);
    }
    banner::draw(&mut canvas, &geometry, state);
    let mut cursor = None;
    match &state.overlay {
        Some(Overlay::Prompt(prompt)) => cursor = prompt::draw(&mut canvas, prompt),
        Some(Overlay::Help(scrolled)) => {
            let seen = help::draw(&mut canvas, &geometry, state, *scrolled);
            footer::draw_under_help(&mut canvas, &geometry, seen);
        }
        Some(Overlay::Periods(list)) => {
            let seen = periods::draw(&mut canvas, &geometry, state, list, now);
            footer::draw_under_periods(&mut canvas, &geometry, state, list, &periods::in_sight(seen, look));
        }
        Some(Overlay::Boards) => {
            cursor = picker::draw(&mut canvas, &geometry, state, now);
            footer::draw_under_boards(&mut canvas, &geometry, state);
        }
        Some(Overlay::Inspector) => {
            inspector::draw(&mut canvas, &geometry, state);
            footer::draw(&mut canvas, &geometry, state);
        }
        Some(Overlay::Distribution) => {
            distribution::draw(&mut canvas, &geometry, state);
            footer::draw(&mut canvas, &geometry, state);
        }
        Some(Overlay::Trace) => {
            trace::draw(&mut canvas, &geometry, state);
            footer::draw(&mut canvas, &geometry, state);
        }
        None => footer::draw(&mut canvas, &geometry, state),
    }
    if let Some(at) = cursor {
        frame.set_cursor_position(at);
    }
}
