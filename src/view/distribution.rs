//! How the scores of the whole board are spread: a line for each bin with how many members it holds, the best at the
//! top, and where the selected member and the best shares of the board are. It takes the lines between the header and
//! the footer.

use std::ops::Range;

use crate::app::geometry::Geometry;
use crate::app::state::State;
use crate::board::distribution::{Bin, Distribution, Mark};
use crate::board::score::Score;
use crate::text::{Charset, columns, count, group_digits};
use crate::view::canvas::Canvas;
use crate::view::format::{called, counted, marks, own, version, wrapped};
use crate::view::parts::shared;
use crate::view::segments::{Piece, give_way, width, within};

/// Columns of somebody's name at most.
const NAME: usize = 20;
/// Columns of a reason at most; it may quote what a server said.
const REASON: usize = 200;
/// Columns between two columns of text.
const BETWEEN: usize = 2;
/// Bars are no shorter than this while a column can give way for them.
const SHORTEST_BAR: usize = 10;

/// A column of text: its head, and what stands in it on each line.
struct Column {
    head: &'static str,
    cells: Vec<String>,
    /// The lower, the sooner it gives way; `None`: never.
    yields: Option<u8>,
}

impl Column {
    fn width(&self) -> usize {
        self.cells.iter().map(|cell| columns(cell)).max().unwrap_or(0).max(self.head.len())
    }
}

/// Draws what is known, or why nothing is.
pub(super) fn draw(canvas: &mut Canvas, geometry: &Geometry, state: &State) {
    canvas.clear(geometry.header..canvas.height().saturating_sub(geometry.footer));
    let mut lines = geometry.between();
    let Some(first) = lines.next() else { return };
    title(canvas, first, state);
    let Some(read) = &state.distribution.read else {
        if state.distribution.trouble.is_none() {
            say(canvas, lines, "counting …");
        }
        return;
    };
    if read.total == 0 {
        say(canvas, lines, "this board is empty");
        return;
    }
    let spare = lines.len().saturating_sub(read.bins.len());
    let head = if spare > 0 { lines.next() } else { None };
    let here = here(state, read);
    // Where the screen has shrunk since, the selected member's bin stays in sight.
    let skipped = here.map_or(0, |here| (here + 1).saturating_sub(lines.len()));
    let sight = skipped..(skipped + lines.len()).min(read.bins.len());
    bins(canvas, (head, lines.start), state, read, sight.clone(), here);
    lines.start = lines.start.saturating_add(u16::try_from(sight.len()).unwrap_or(u16::MAX));
    // An empty line first, where there is one to spare.
    if lines.len() > 1 {
        lines.start += 1;
    }
    say(canvas, lines, &reached(state, &read.marks));
}

/// What is shown, of which version, and how far it can be trusted.
fn title(canvas: &mut Canvas, line: u16, state: &State) {
    let look = canvas.look;
    let theme = &look.theme;
    let what = what(state);
    let mut left = vec![Piece::new(what.clone(), theme.accent)];
    let mut right = Vec::new();
    if let Some(read) = &state.distribution.read {
        left = vec![Piece::new(format!("{what} of {}", counted(read.total, "player")), theme.accent)];
        if !read.verified {
            right.push(Piece::new("unverified", theme.lost));
        }
        let at = read.version.as_ref().map(|at| version(Some(at), look.charset));
        right.extend(at.map(|at| Piece::new(at, theme.dim).yielding(1)));
    }
    if let Some(trouble) = &state.distribution.trouble {
        let words = own(&format!("cannot count: {trouble}"), REASON, look.charset);
        left.push(Piece::new(words, theme.lost));
    }
    let within = within(canvas.width());
    give_way(&mut left, &mut right, within.len());
    let rule = if look.charset == Charset::Utf8 { "─" } else { "-" };
    let used = width(&left) + width(&right) + usize::from(!right.is_empty()) + 1;
    let rule = rule.repeat(within.len().saturating_sub(used));
    left.push(Piece::new(rule, theme.faint).after(" "));
    crate::view::segments::draw(canvas, line, &left, &right);
}

/// What is counted, in a word or two.
fn what(state: &State) -> String {
    let scoring = &state.packing.scoring;
    let names: Vec<&str> = scoring.spec().into_iter().flat_map(|spec| spec.names().take(scoring.ranked())).collect();
    if names.is_empty() { "scores".to_owned() } else { names.join(", ") }
}

/// The index of the bin of the selected member.
fn here(state: &State, read: &Distribution) -> Option<usize> {
    let entry = state.session.shown.as_ref()?.selected_entry()?;
    read.bin_of(entry.score)
}

/// Words over as many of `lines` as they take.
fn say(canvas: &mut Canvas, lines: Range<u16>, words: &str) {
    let look = canvas.look;
    let within = within(canvas.width());
    for (line, words) in lines.zip(wrapped(&marks(words, look.charset), within.len(), look.charset)) {
        canvas.put(within.start, within.end, line, &words, look.theme.dim);
    }
}

fn reached(state: &State, marks: &[Mark]) -> String {
    let reached = |mark: &Mark| format!("{} % reach {}", mark.percent, score(state, mark.score));
    format!("the top {}", marks.iter().map(reached).collect::<Vec<_>>().join(" · "))
}

/// The bins in `sight`, from line `first` on, under their heads.
fn bins(
    canvas: &mut Canvas,
    (head, first): (Option<u16>, u16),
    state: &State,
    read: &Distribution,
    sight: Range<usize>,
    here: Option<usize>,
) {
    let look = canvas.look;
    let theme = &look.theme;
    let within = within(canvas.width());
    let name = here.and_then(|_| state.session.shown.as_ref()?.selected_entry());
    let name = name.map(|entry| {
        marks(&format!("← {}", called(state, &entry.member, NAME, look.charset)), look.charset).into_owned()
    });
    let mut table = table(state, read, sight.clone(), name.as_deref().unwrap_or_default());
    let taken = |table: &[Column]| table.iter().map(|column| column.width() + BETWEEN).sum::<usize>();
    while taken(&table) + SHORTEST_BAR > within.len() {
        let Some(turn) = table.iter().filter_map(|column| column.yields).min() else { break };
        table.retain(|column| column.yields != Some(turn));
    }
    let most = read.bins.iter().map(|bin| bin.count).max().unwrap_or(0);
    let bar = within.len().saturating_sub(taken(&table));
    let mut x = usize::from(within.start);
    for column in &table {
        if column.head == HERE {
            continue;
        }
        let end = x + column.width();
        let (from, to) = (cut(x), cut(end).min(within.end));
        if let Some(line) = head {
            canvas.put_right(from, to, line, column.head, theme.heading);
        }
        for (line, cell) in (first..).zip(&column.cells) {
            let style = if column.head == PLAYERS { theme.text } else { theme.dim };
            canvas.put_right(from, to, line, cell, style);
        }
        x = end + BETWEEN;
    }
    let has_name = table.iter().any(|column| column.head == HERE);
    for (line, (index, bin)) in (first..).zip(read.bins.iter().enumerate().take(sight.end).skip(sight.start)) {
        let (from, end) = (cut(x), cut(x + bar).min(within.end));
        let after = canvas.put(from, end, line, &drawn(bin.count, most, bar, canvas.glyphs().bar), theme.spark);
        if here == Some(index) {
            if let Some(name) = name.as_deref().filter(|_| has_name) {
                canvas.put(after.saturating_add(1), within.end, line, name, theme.accent);
            }
            canvas.lay_under(line, theme.selected);
        }
    }
}

/// Heads that columns are known by.
const PLAYERS: &str = "PLAYERS";
const HERE: &str = "";

/// The columns of the bins in `sight`; the last one keeps room for `name`, which stands behind a bar.
fn table(state: &State, read: &Distribution, sight: Range<usize>, name: &str) -> Vec<Column> {
    let column = |head, yields, cell: &dyn Fn(&Bin) -> String| Column {
        head,
        cells: read.bins[sight.clone()].iter().map(cell).collect(),
        yields,
    };
    let bound = |bound: Option<Score>| bound.map(|bound| score(state, bound)).unwrap_or_default();
    vec![
        // Of one bin alone there is no bound to tell.
        column("FROM", None, &|bin| if read.bins.len() == 1 { "all".to_owned() } else { bound(bin.range.from) }),
        column("BELOW", Some(3), &|bin| bound(bin.range.below)),
        column(PLAYERS, None, &|bin| count(bin.count)),
        column("SHARE", Some(4), &|bin| share(bin.count, read.total)),
        column("TOP", Some(2), &|bin| tops(&read.marks, bin)),
        Column { head: HERE, cells: vec![name.to_owned()], yields: Some(1) },
    ]
}

/// The shares of the board whose last member is in `bin`.
fn tops(marks: &[Mark], bin: &Bin) -> String {
    let within = marks.iter().filter(|mark| bin.range.holds(mark.score));
    let percents: Vec<String> = within.map(|mark| mark.percent.to_string()).collect();
    if percents.is_empty() { String::new() } else { format!("{} %", percents.join(" ")) }
}

/// A score as the table shows it: what ranks go by, where it is packed.
fn score(state: &State, score: Score) -> String {
    match &state.session.shown {
        Some(shown) => shared(&shown.window, score, &state.zone.time_zone()),
        None => group_digits(&score.to_string(), ','),
    }
}

/// A share in percent with one decimal, rounded; what is not nothing, or not all, is not told to be.
fn share(part: u64, total: u64) -> String {
    let (part, total) = (u128::from(part), u128::from(total.max(1)));
    match (part * 1_000 + total / 2) / total {
        0 if part > 0 => "<0.1 %".to_owned(),
        1_000 if part < total => ">99.9 %".to_owned(),
        tenths => format!("{}.{} %", tenths / 10, tenths % 10),
    }
}

/// A bar of at most `width` columns, which is as long as the greatest count's; whoever is there is seen to be. The last of
/// `steps` fills a column, the ones before it parts of one.
fn drawn(part: u64, most: u64, width: usize, steps: &[&str]) -> String {
    let (all, most) = ((width * steps.len()) as u128, u128::from(most.max(1)));
    let filled = (u128::from(part) * all + most / 2) / most;
    let filled = usize::try_from(filled).unwrap_or(usize::MAX).max(usize::from(part > 0 && width > 0));
    let mut bar = steps.last().copied().unwrap_or_default().repeat(filled / steps.len());
    bar.extend((filled % steps.len()).checked_sub(1).map(|step| steps[step]));
    bar
}

fn cut(x: usize) -> u16 {
    u16::try_from(x).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::theme::Glyphs;

    #[test]
    fn shares_never_say_nothing_or_all_of_what_is_not() {
        let of = |part, total| share(part, total);
        assert_eq!([of(0, 5), of(5, 5), of(1, 3), of(1, 8)], ["0.0 %", "100.0 %", "33.3 %", "12.5 %"]);
        assert_eq!([of(1, 10_000_000), of(9_999_999, 10_000_000)], ["<0.1 %", ">99.9 %"]);
        assert_eq!(of(u64::MAX, u64::MAX), "100.0 %");
    }

    #[test]
    fn bars_are_in_proportion_and_whoever_is_there_is_seen() {
        let (fine, plain) = (Glyphs::of(Charset::Utf8).bar, Glyphs::of(Charset::Ascii).bar);
        assert_eq!([drawn(8, 8, 4, fine), drawn(1, 8, 4, fine), drawn(3, 8, 4, fine)], ["████", "▌", "█▌"]);
        assert_eq!([drawn(0, 8, 4, fine), drawn(1, u64::MAX, 4, fine), drawn(0, 0, 4, fine)], ["", "▏", ""]);
        assert_eq!([drawn(8, 8, 4, plain), drawn(1, 80, 4, plain), drawn(1, 1, 0, plain)], ["####", "#", ""]);
        assert_eq!(columns(&drawn(u64::MAX, u64::MAX, 500, fine)), 500);
    }
}
