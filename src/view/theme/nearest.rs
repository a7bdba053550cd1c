//! The colour of a smaller palette that comes nearest to another one.

use ratatui::style::Color;

/// The sixteen colours as xterm paints them unless told otherwise (`XTerm-col.ad` in its sources). Every user may have
/// painted them anew, so this is a guess; the 240 others are the same everywhere.
const ANSI: [[u8; 3]; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];

/// Channels of the 6 x 6 x 6 cube that begins at 16.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest of the 240 colours that are the same everywhere; of equally near ones the first.
pub(super) fn indexed(colour: Color) -> u8 {
    (16..=255).min_by_key(|index| distance(rgb(colour), of_index(*index))).unwrap_or(16)
}

/// The number of the nearest of the sixteen colours.
pub(super) fn ansi(colour: Color) -> usize {
    if let Color::Indexed(index @ 0..16) = colour {
        return index.into();
    }
    (0..ANSI.len()).min_by_key(|index| distance(rgb(colour), ANSI[*index])).unwrap_or(0)
}

pub(super) fn rgb(colour: Color) -> [u8; 3] {
    match colour {
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Indexed(index) => of_index(index),
        _ => ANSI[0],
    }
}

fn of_index(index: u8) -> [u8; 3] {
    match index {
        0..16 => ANSI[usize::from(index)],
        16..232 => {
            let cube = usize::from(index - 16);
            [STEPS[cube / 36], STEPS[cube / 6 % 6], STEPS[cube % 6]]
        }
        232.. => [8 + 10 * (index - 232); 3],
    }
}

/// Squared, with the channels weighed as the eye does it roughly.
fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    let channels = one.into_iter().zip(other).zip([3, 6, 1]);
    channels.map(|((one, other), weight)| weight * u32::from(one.abs_diff(other)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_a_palette_are_their_own_nearest() {
        for index in 16..=255 {
            let [red, green, blue] = of_index(index);
            assert_eq!(of_index(indexed(Color::Rgb(red, green, blue))), [red, green, blue], "{index}");
        }
        for (number, [red, green, blue]) in ANSI.into_iter().enumerate() {
            assert_eq!(ansi(Color::Rgb(red, green, blue)), number);
            assert_eq!(ansi(Color::Indexed(u8::try_from(number).unwrap())), number);
        }
    }

    #[test]
    fn near_colours() {
        for (rgb, index, number) in [
            ((0x1a, 0x1a, 0x1a), 234, 0),
            ((0xee, 0xf2, 0xf5), 255, 7),
            ((0xf0, 0x20, 0x10), 196, 9),
            ((0x10, 0x10, 0xe0), 20, 4),
        ] {
            let colour = Color::Rgb(rgb.0, rgb.1, rgb.2);
            assert_eq!((indexed(colour), ansi(colour)), (index, number), "{rgb:?}");
        }
    }
}
