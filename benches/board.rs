//! The game itself: ranks of a page, cursors as text, scores as text.

mod common;

use divan::{Bencher, black_box};
use ranktop::board::cursor::Cursor;
use ranktop::board::order::Order;
use ranktop::board::rank::RankStyle;
use ranktop::board::score::Score;
use ranktop::board::window::Window;

fn main() {
    divan::main();
}

const STYLES: [RankStyle; 5] =
    [RankStyle::Competition, RankStyle::Modified, RankStyle::Dense, RankStyle::Ordinal, RankStyle::Fractional];

/// A page from the middle of a large board, a third of its rows tied; both edges cut a group.
fn window(rows: u32) -> Window {
    let entries = common::entries(rows, 3);
    let above = 500_000;
    Window {
        start: above + 1,
        total: 1_000_000,
        better_than_first: above - 20,
        through_last: above + u64::from(rows) + 30,
        distinct_better: Some(900),
        entries,
        ..Window::nothing(Order::Desc)
    }
}

#[divan::bench(args = STYLES.iter().flat_map(|style| [(*style, 37), (*style, 1_000)]))]
fn ranks_of_a_page(bencher: Bencher, (style, rows): (RankStyle, u32)) {
    let window = window(rows);
    bencher.counter(divan::counter::ItemsCount::new(rows)).bench_local(|| {
        for standing in black_box(&window).standings() {
            black_box((standing.rank(style), standing.tie_group()));
        }
    });
}

fn cursor() -> Cursor {
    let entries = common::entries(1, 1);
    let board = common::board();
    let place = entries.into_iter().next_back().unwrap_or_else(|| unreachable!("there is one row"));
    Cursor { board: board.key, direction: board.order, place, version: Some("1284".into()), position: Some(37) }
}

#[divan::bench]
fn cursor_to_text(bencher: Bencher) {
    let cursor = cursor();
    bencher.bench_local(|| black_box(&cursor).encode());
}

#[divan::bench]
fn cursor_from_text(bencher: Bencher) {
    let text = cursor().encode();
    bencher.bench_local(|| Cursor::decode(black_box(&text)));
}

/// A count, a time, both ends of the doubles, one past the integers that doubles tell apart, and no number at all.
#[divan::bench(args = ["1050", "1234.56789", "5e-324", "1.7e308", "9007199254740994", "inf"])]
fn score_to_text(bencher: Bencher, value: &str) {
    let score = Score::parse(value);
    bencher.bench_local(|| black_box(score).map(|score| score.to_string()));
}

#[divan::bench(args = ["1050", "1234.56789", "1e+17", "inf"])]
fn score_from_text(text: &str) -> Option<Score> {
    Score::parse(black_box(text))
}
