//! Packed scores on the screen: a column for each part, and what those are called.

use jiff::tz::TimeZone;

use crate::app::page::Shown;
use crate::board::packed::Unit;
use crate::board::packed::decode::Value;
use crate::board::score::Score;
use crate::board::window::Window;
use crate::text::{columns, group_digits};
use crate::view::gap;

/// The column of scores: a head and a cell for each row, all of them as wide, part beside part; and the leads alone, for
/// screens that have no room for more.
pub(super) struct ScoreCells {
    pub(super) head: String,
    pub(super) cells: Vec<String>,
    pub(super) lead_head: String,
    pub(super) leads: Vec<String>,
}

impl ScoreCells {
    /// The cells of some rows of a page.
    pub(super) fn of(shown: &Shown, scores: &[Score], zone: &TimeZone) -> Self {
        let scoring = &shown.window.scoring;
        let plain = || scores.iter().map(|score| group_digits(&score.to_string(), ',')).collect::<Vec<_>>();
        let Some(spec) = scoring.spec() else {
            return Self { head: "SCORE".to_owned(), cells: plain(), lead_head: "SCORE".to_owned(), leads: plain() };
        };
        let mut heads: Vec<String> = spec.names().map(str::to_uppercase).collect();
        let mut rows: Vec<Vec<String>> = scores.iter().map(|score| cells(&shown.window, *score, zone)).collect();
        let (lead_head, leads) = (heads[0].clone(), rows.iter().map(|row| row[0].clone()).collect());
        for at in 0..heads.len() {
            let width = rows.iter().map(|row| columns(&row[at])).chain([columns(&heads[at])]).max().unwrap_or(0);
            for cell in rows.iter_mut().map(|row| &mut row[at]).chain([&mut heads[at]]) {
                *cell = format!("{}{cell}", " ".repeat(width - columns(cell)));
            }
        }
        let joined = |row: &Vec<String>| row.join("  ");
        Self { head: joined(&heads), cells: rows.iter().map(joined).collect(), lead_head, leads }
    }
}

/// A text for each part; a score that does not decode stands in the lead's place as it is.
fn cells(window: &Window, score: Score, zone: &TimeZone) -> Vec<String> {
    let count = window.scoring.spec().map_or(1, crate::board::packed::Spec::count);
    let Some(parts) = window.scoring.parts(score) else {
        let mut cells = vec![String::new(); count];
        cells[0] = group_digits(&score.to_string(), ',');
        return cells;
    };
    let mut cells: Vec<String> = parts.values.iter().map(|value| told(*value, zone)).collect();
    if parts.is_lead_rough {
        cells[0].insert(0, '~');
    }
    cells
}

/// A part as people read it: moments in the zone of the screen, durations as hours, minutes and seconds.
pub(super) fn told(value: Value, zone: &TimeZone) -> String {
    match (value.moment(), value.unit) {
        (Some(moment), _) => zone.to_datetime(moment).strftime("%Y-%m-%d %H:%M:%S").to_string(),
        (None, Unit::Duration(tick)) => {
            let seconds = value.amount.unsigned_abs() / u128::from(tick.per_second().unsigned_abs());
            let sign = if value.amount < 0 { "-" } else { "" };
            format!("{sign}{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
        }
        _ => group_digits(&value.to_string(), ','),
    }
}

/// How far a row is behind the one above it: on the lead, within a tie on the next part.
pub(super) fn gap(window: &Window, score: Score, above: Score, zone: &TimeZone) -> String {
    if score == above {
        return String::new();
    }
    if window.scoring.spec().is_none() {
        return gap::between(score, above).map_or_else(String::new, |gap| group_digits(&gap, ','));
    }
    window.scoring.difference(score, above).map_or_else(String::new, |value| {
        let sign = if value.amount > 0 { "+" } else { "" };
        format!("{sign}{}", told(value, zone))
    })
}

/// The score that the members of a tie share: its ranked parts.
pub(super) fn shared(window: &Window, score: Score, zone: &TimeZone) -> String {
    let cells = cells(window, score, zone);
    let cells: Vec<_> =
        cells.into_iter().take(window.scoring.ranked().max(1)).filter(|cell| !cell.is_empty()).collect();
    cells.join(" ")
}

/// On what ranks go, where that is not the score alone.
pub(super) fn ranked_on(window: &Window) -> String {
    let scoring = &window.scoring;
    let Some(spec) = scoring.spec() else { return String::new() };
    if scoring.ranked() == spec.count() {
        return " on all parts".to_owned();
    }
    let names: Vec<&str> = spec.names().take(scoring.ranked()).collect();
    let then = scoring.tie_break(window.order).map_or_else(String::new, |then| format!(", {then}"));
    format!(" on {}{then}", names.join(" and "))
}
