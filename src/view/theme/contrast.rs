//! How well one colour can be read on another, as WCAG 2 defines it.

use ratatui::style::Color;

use super::nearest;

/// What text needs at least (WCAG 2, level AA).
pub(super) const NEEDED: f64 = 4.5;

/// The contrast of two colours, from 1 to 21; none where a terminal may have painted one of them as it likes.
pub(super) fn contrast(one: Color, other: Color) -> Option<f64> {
    let (one, other) = (luminance(one)?, luminance(other)?);
    Some((one.max(other) + 0.05) / (one.min(other) + 0.05))
}

fn luminance(colour: Color) -> Option<f64> {
    let linear = fixed(colour)?.map(|channel| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    });
    Some(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
}

/// The channels of a colour that is the same on every terminal.
fn fixed(colour: Color) -> Option<[u8; 3]> {
    matches!(colour, Color::Rgb(..) | Color::Indexed(16..)).then(|| nearest::rgb(colour))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_the_one_of_the_definition() {
        let grey = |channel| Color::Rgb(channel, channel, channel);
        assert!((contrast(grey(0), grey(255)).unwrap() - 21.0).abs() < 1e-9);
        assert!((contrast(grey(118), grey(255)).unwrap() - 4.54).abs() < 0.01);
        assert_eq!(contrast(Color::Indexed(231), grey(0)), contrast(grey(255), grey(0)));
        assert_eq!((contrast(Color::Red, grey(0)), contrast(grey(0), Color::Reset)), (None, None));
    }
}
