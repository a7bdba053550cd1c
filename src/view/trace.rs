//! The trace: each command that was sent of late, newest first, with the time and the size of its trip.
//!
//! It is a panel over the half of the table in which the selected row does not stand, so that keys can be pressed and what
//! they send be seen.

use jiff::Timestamp;

use crate::app::event::Link;
use crate::app::geometry::Geometry;
use crate::app::state::State;
use crate::app::trace::Traced;
use crate::text::count;
use crate::view::canvas::Canvas;
use crate::view::format::{latency, marks, size};
use crate::view::panel;
use crate::view::segments::within;

/// Columns of the moment, the time of the trip, and its sizes, each with what sets it off from the next.
const MOMENT: u16 = 14;
const TOOK: u16 = 10;
const SIZE: u16 = 12;
/// The moment gives way below so many columns, then the sizes.
const MOMENT_FROM: u16 = 100;
const SIZES_FROM: u16 = 64;
/// Lines of the panel at least, where the table has as many.
const FEWEST: u16 = 8;

/// Draws the panel.
pub(super) fn draw(canvas: &mut Canvas, geometry: &Geometry, state: &State) {
    let half = (geometry.rows / 2).max(FEWEST);
    let lines = state.trace.newest().map(|traced| traced.trip.exchanges.len() + 1).sum::<usize>();
    let needed = half.min(u16::try_from(lines + 1).unwrap_or(u16::MAX)).max(2);
    let panel = panel::lines(state, geometry, needed);
    canvas.clear(panel.clone());
    let mut at = panel.clone();
    if let Some(line) = at.next() {
        panel::title(canvas, line, "trace, newest first ");
    }
    let width = canvas.width();
    let within = within(width);
    if state.trace.newest().next().is_none() {
        let words = match state.link {
            Link::Up { .. } => "nothing is sent: this board is in memory, without a server",
            _ => "nothing has been sent yet",
        };
        canvas.put(within.start, within.end, panel.start + 1, words, canvas.look.theme.dim);
    }
    for traced in state.trace.newest() {
        let trip = &traced.trip;
        for (index, exchange) in trip.exchanges.iter().enumerate() {
            let Some(line) = at.next() else { return };
            let x = if index == 0 { numbers(canvas, line, state, traced) } else { columns(width) };
            let words = format!("{} → {}", exchange.command, exchange.reply);
            let words = marks(&words, canvas.look.charset).into_owned();
            let end = canvas.put(within.start + x, within.end, line, &words, canvas.look.theme.text);
            if index == 0 && traced.times > 1 {
                let times = marks(&format!("  ×{}", count(traced.times)), canvas.look.charset).into_owned();
                canvas.put(end, within.end, line, &times, canvas.look.theme.accent);
            }
        }
        let untold = trip.commands.saturating_sub(trip.exchanges.len());
        if untold > 0 {
            let Some(line) = at.next() else { return };
            let words = format!("and {} more commands", count(untold as u64));
            canvas.put(within.start + columns(width), within.end, line, &words, canvas.look.theme.dim);
        }
    }
}

/// Columns before the commands.
fn columns(width: u16) -> u16 {
    let moment = if width >= MOMENT_FROM { MOMENT } else { 0 };
    let sizes = if width >= SIZES_FROM { 2 * SIZE } else { 0 };
    moment + TOOK + sizes + 1
}

/// Draws when the trip ended, how long it took, and how many bytes went and came. Returns the columns before the commands.
fn numbers(canvas: &mut Canvas, line: u16, state: &State, traced: &Traced) -> u16 {
    let (width, look) = (canvas.width(), canvas.look);
    let trip = &traced.trip;
    let mut x = within(width).start;
    if width >= MOMENT_FROM {
        let moment = state.clock.at(traced.at).and_then(|ms| Timestamp::from_millisecond(ms).ok());
        let told = moment.map(|at| at.to_zoned_datetime(look.zone.clone()).strftime("%H:%M:%S%.3f").to_string());
        canvas.put(x, x + MOMENT, line, told.as_deref().unwrap_or(""), look.theme.dim);
        x += MOMENT;
    }
    canvas.put_right(x, x + TOOK - 1, line, &latency(trip.took), look.theme.strong);
    x += TOOK;
    if width >= SIZES_FROM {
        for (arrow, bytes) in [("↑", trip.sent), ("↓", trip.got)] {
            let words = format!("{arrow} {}", size(bytes));
            canvas.put_right(x, x + SIZE - 1, line, &marks(&words, look.charset), look.theme.dim);
            x += SIZE;
        }
    }
    columns(width)
}
