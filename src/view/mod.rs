//! Draws the state: it owns every cell of the screen and nothing else.
//!
//! It reads the state and never changes it, knows no Redis and no keys' meaning, and lets no byte that came from
//! Redis onto the screen but through [`text`].

pub mod text;
pub mod theme;

use ratatui::Frame;
/// Look
#[derive(Clone, Debug)]
pub struct Look {
    /// t
    pub theme: theme::Theme,
    /// c
    pub charset: text::Charset,
    /// z
    pub zone: jiff::tz::TimeZone,
}
/// draw
pub fn draw(frame: &mut Frame, state: &crate::app::state::State, _look: &Look, _now: crate::app::event::Moment) {
    let text = format!("{:#?}", state.shown.as_ref().map(|shown| (&shown.window.entries, shown.selected)));
    frame.render_widget(ratatui::widgets::Paragraph::new(text), frame.area());
}
