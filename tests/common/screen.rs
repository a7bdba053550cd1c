//! A terminal's screen as golden text, without and with its styles. It knows the screen only, not who drew it.

use std::fmt::Write as _;

use vt100::{Cell, Color, Screen};

/// The rows without trailing blanks, joined by newlines.
pub fn text(screen: &Screen) -> String {
    let (_, columns) = screen.size();
    let rows: Vec<_> = screen.rows(0, columns).map(|row| row.trim_end().to_owned()).collect();
    rows.join("\n")
}

/// [`text`] with a second line under each row that has styles. It lists the runs of cells that look alike by their
/// columns, counted from 1: `  ~ 2-9 bold fg=#e5c07b; 12 dim`. A wide character counts its two columns; a colour of the
/// palette is its number.
pub fn styled(screen: &Screen) -> String {
    let (_, columns) = screen.size();
    let mut dump = String::new();
    for (row, text) in (0..).zip(screen.rows(0, columns)) {
        dump.push_str(text.trim_end());
        dump.push('\n');
        let runs = runs(screen, row, columns);
        if !runs.is_empty() {
            let _ = writeln!(dump, "  ~ {}", runs.join("; "));
        }
    }
    dump
}

fn runs(screen: &Screen, row: u16, columns: u16) -> Vec<String> {
    let mut runs: Vec<(u16, u16, String)> = Vec::new();
    for column in 0..columns {
        let Some(cell) = screen.cell(row, column) else {
            continue;
        };
        // The second half of a wide character keeps no style of its own.
        let style = match runs.last() {
            Some((_, last, style)) if cell.is_wide_continuation() && *last == column => style.clone(),
            _ if cell.is_wide_continuation() => String::new(),
            _ => style(cell),
        };
        match runs.last_mut() {
            Some((_, last, before)) if *last == column && *before == style => *last += 1,
            _ if style.is_empty() => {}
            _ => runs.push((column + 1, column + 1, style)),
        }
    }
    runs.into_iter()
        .map(
            |(first, last, style)| {
                if first == last { format!("{first} {style}") } else { format!("{first}-{last} {style}") }
            },
        )
        .collect()
}

fn style(cell: &Cell) -> String {
    let modes = [
        (cell.bold(), "bold"),
        (cell.dim(), "dim"),
        (cell.italic(), "italic"),
        (cell.underline(), "underline"),
        (cell.inverse(), "reverse"),
    ];
    let mut words: Vec<String> =
        modes.into_iter().filter(|(is_on, _)| *is_on).map(|(_, word)| word.to_owned()).collect();
    words.extend(colour(cell.fgcolor()).map(|colour| format!("fg={colour}")));
    words.extend(colour(cell.bgcolor()).map(|colour| format!("bg={colour}")));
    words.join(" ")
}

fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Default => None,
        Color::Idx(index) => Some(index.to_string()),
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
    }
}
