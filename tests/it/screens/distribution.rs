//! How the distribution is drawn: every number in its column, and what gives way on small screens.

use std::fmt::Write as _;
use std::time::Duration;

use ranktop::app::overlay::Overlay;
use ranktop::app::state::State;
use ranktop::board::distribution::{Distribution, Mark, bins, bounds, shares};
use ranktop::board::order::Order;
use ranktop::query::error::StoreError;
use ranktop::text::Charset;
use ranktop::view::theme::Depth;

use super::dump::{drawn, line, text};
use super::states::{NOW, colours, live, look, score};
use super::{NORMAL, WIDE, golden, plain};

/// The spread of a board whose scores go from 3 to 1,050, over so many bins at most.
pub(crate) fn example(most: usize) -> Distribution {
    let bounds = bounds(Some((score(3.0), score(1_050.0))), most);
    // More in the middle, none in one place, one at the top.
    let mut counts: Vec<u64> = (0..=bounds.len() as u64).map(|at| 40 + 97 * at * (bounds.len() as u64 - at)).collect();
    if counts.len() > 2 {
        counts[1] = 0;
    }
    *counts.last_mut().unwrap() = 1;
    let total = counts.iter().sum();
    let marks = shares(total).zip([1_000.0, 871.0, 731.5, 540.0]);
    Distribution {
        order: Order::Desc,
        version: Some("1284".into()),
        verified: true,
        total,
        bins: bins(&bounds, &counts, Order::Desc),
        marks: marks.map(|((percent, position), value)| Mark { percent, position, score: score(value) }).collect(),
    }
}

fn open(size: (u16, u16), most: usize) -> State {
    let mut state = live(size);
    state.overlay = Some(Overlay::Distribution);
    state.distribution.read = Some(example(most));
    state
}

#[test]
fn distribution_80x24() {
    insta::assert_snapshot!(golden(&open(NORMAL, 16), &colours(), NORMAL));
}

#[test]
fn distribution_120x34_mono_and_ascii() {
    let mono = golden(&open(WIDE, 24), &look(Depth::None, Charset::Utf8), WIDE);
    let ascii = text(&drawn(&open(WIDE, 24), &look(Depth::Ansi16, Charset::Ascii), WIDE, NOW).0);
    assert!(ascii.is_ascii(), "{ascii}");
    insta::assert_snapshot!(format!("{mono}\n{ascii}"));
}

#[test]
fn on_small_screens_columns_give_way_and_the_selected_bin_stays_in_sight() {
    let mut screens = String::new();
    for (size, most) in
        [((60, 10), 7), ((40, 12), 5), ((20, 6), 3), ((30, 6), 24), ((12, 4), 2), ((5, 2), 1), ((1, 1), 1)]
    {
        write!(screens, "{size:?}\n{}", plain(&open(size, most), size)).unwrap();
    }
    insta::assert_snapshot!(screens);
}

#[test]
fn what_is_not_known_is_said() {
    let mut screens = String::new();
    let mut show = |what: &str, state: &State| {
        let (buffer, _) = drawn(state, &colours(), (80, 16), NOW);
        writeln!(screens, "{what}").unwrap();
        for y in 2..16 {
            writeln!(screens, "{}", line(&buffer, y)).unwrap();
        }
    };
    let mut state = open((80, 16), 8);
    state.distribution.read = None;
    show("counting", &state);
    state.distribution.trouble = Some(StoreError::Timeout(Duration::from_secs(1)));
    show("nothing came", &state);
    state.distribution.read = Some(Distribution { verified: false, version: None, ..example(8) });
    show("an old one, unverified", &state);
    state.distribution.trouble = None;
    state.distribution.read = Some(Distribution { total: 0, bins: Vec::new(), marks: Vec::new(), ..example(8) });
    show("nobody", &state);
    let all = Distribution {
        order: Order::Asc,
        total: 3,
        bins: bins(&[], &[3], Order::Asc),
        marks: shares(3).map(|(percent, position)| Mark { percent, position, score: score(980.0) }).collect(),
        ..example(8)
    };
    state.distribution.read = Some(all);
    show("one score", &state);
    insta::assert_snapshot!(screens);
}

#[test]
fn on_every_screen_the_counts_end_in_the_column_of_their_head() {
    for columns in [20, 24, 40, 80, 160, 500] {
        for (lines, most) in [(10, 6), (16, 8), (24, 16), (60, 24), (200, 24)] {
            let state = open((columns, lines), most);
            let (buffer, _) = drawn(&state, &colours(), (columns, lines), NOW);
            let cells = |y: u16| (0..columns).map(|x| buffer[(x, y)].symbol()).collect::<Vec<_>>();
            let ends = |y: u16| {
                let cells = cells(y);
                let end = cells.windows(7).position(|head| head.concat() == "PLAYERS")? + 7;
                Some((y, end))
            };
            let (head, end) = (0..lines).find_map(ends).unwrap_or_else(|| panic!("{columns}x{lines}"));
            let bins = &state.distribution.read.as_ref().unwrap().bins;
            for (y, bin) in (head + 1..).zip(bins) {
                let count = ranktop::text::count(bin.count);
                assert_eq!(cells(y)[end - count.len()..end].concat(), count, "{columns}x{lines}\n{}", text(&buffer));
                assert!(cells(y).get(end).is_none_or(|after| *after == " "), "{columns}x{lines}\n{}", text(&buffer));
            }
        }
    }
}
