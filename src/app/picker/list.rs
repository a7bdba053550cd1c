//! The boards found so far, in the order in which they are shown, and the one that is selected. However the list grows or
//! shrinks, the selection stays with its board and that board on its line. It asks nothing itself.

use std::collections::HashMap;
use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use crate::app::event::Moment;
use crate::app::picker::filter::{Filter, Matching};
use crate::app::picker::sort_key::SortKey;
use crate::board::board_template::BoardTemplate;
use crate::board::foreign::hints::belongs_to;
use crate::board::keys::{Key, frozen_of};
use crate::query::listing::KeySummary;

/// A board of the list.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Its key.
    pub key: Key,
    /// The key as it is shown, and as the filter reads it.
    pub text: Box<str>,
    /// The bytes of `text` by which the board differs from others of its game: its period, or that it is a copy.
    pub own: Option<Range<usize>>,
    /// What there is at the key; `None` before it was looked at.
    pub sight: Option<KeySummary>,
    /// When it was looked at last.
    pub(super) looked_at: Option<Moment>,
    /// The last search that met it.
    search: u64,
    place: SortKey,
}

impl Listing {
    fn new(key: Key, text: String, search: u64, template: &BoardTemplate) -> Self {
        let (place, period) = SortKey::read(&key, template);
        let from = match frozen_of(&key) {
            Some(_) => text.rfind(":frozen:").map(|from| from..text.len()),
            None => period.and_then(|period| {
                let period = period.to_string();
                text.rfind(&period).map(|from| from..from + period.len())
            }),
        };
        Self { own: from, text: text.into(), sight: None, looked_at: None, search, place, key }
    }
}

/// The list.
#[derive(Clone, Debug, Default)]
pub struct List {
    boards: Vec<Listing>,
    by_key: HashMap<Key, usize>,
    /// All of them, as they stand, but for sets that only accompany a board of the list: the filter finds those.
    order: Vec<usize>,
    /// While a filter stands: those that it lets through, each with how well it answers, the best first.
    best: Vec<(u32, usize)>,
    filter: Filter,
    selected: Option<usize>,
    /// The row of the selected board.
    at: usize,
    /// The first row in sight.
    scroll: usize,
    widest: usize,
}

impl List {
    /// How many boards there are, without sets that only accompany one of them.
    pub fn all(&self) -> usize {
        self.order.len()
    }

    /// How many rows are shown: the boards that the filter lets through.
    pub fn rows(&self) -> usize {
        if self.filter.is_empty() { self.order.len() } else { self.best.len() }
    }

    /// The filter.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// The board on a row.
    pub fn row(&self, row: usize) -> Option<&Listing> {
        self.boards.get(self.index(row)?)
    }

    /// The row of the selected board; there is one wherever there are rows.
    pub fn selected_row(&self) -> usize {
        self.at
    }

    /// The selected board, where there are rows.
    pub fn selected(&self) -> Option<&Listing> {
        self.row(self.at)
    }

    /// Columns of the widest key, about.
    pub fn widest(&self) -> usize {
        self.widest
    }

    /// The rows in sight where there is room for `lines`: without an empty line that a row could fill, and with the
    /// selected one.
    pub fn in_sight(&self, lines: usize) -> Range<usize> {
        let lowest = self.at.min(self.rows().saturating_sub(lines));
        let first = self.scroll.clamp((self.at + 1).saturating_sub(lines.max(1)), self.at).min(lowest);
        first..(first + lines).min(self.rows())
    }

    /// Whether the rows above and below a row are boards of the same game; never while a filter stands, for then rows
    /// stand by how well they answer.
    pub fn beside(&self, row: usize) -> (bool, bool) {
        let is_beside = |other: Option<usize>| {
            let both = self.filter.is_empty().then(|| self.row(row).zip(self.row(other?))).flatten();
            both.is_some_and(|(one, other)| one.place.is_beside(&other.place))
        };
        (is_beside(row.checked_sub(1)), is_beside(row.checked_add(1)))
    }

    /// Matches keys as the filter does.
    pub fn matching(&self) -> Matching<'_> {
        Matching::by(&self.filter)
    }

    /// Takes in boards that the search of this number has met; `text` tells how keys are shown.
    ///
    /// O(boards) for each call, and a match for each new board while a filter stands.
    pub fn add(&mut self, keys: Vec<Key>, search: u64, text: fn(&[u8]) -> String, template: &BoardTemplate) {
        let before = self.boards.len();
        for key in keys {
            if let Some(known) = self.by_key.get(&key).and_then(|at| self.boards.get_mut(*at)) {
                known.search = search;
                continue;
            }
            let listing = Listing::new(key.clone(), text(key.as_ref()), search, template);
            self.widest = self.widest.max(listing.text.width());
            self.by_key.insert(key, self.boards.len());
            self.boards.push(listing);
        }
        if self.boards.len() > before {
            self.order.extend(before..self.boards.len());
            self.leave_out_sides();
            let mut found = self.matched(before..self.boards.len());
            self.best.append(&mut found);
            self.sort();
            self.keep_selection();
        }
    }

    /// Leaves out the boards that the search of this number has not met, but for `kept`.
    pub fn forget_others(&mut self, search: u64, kept: Option<&Key>) {
        if self.boards.iter().all(|board| board.search == search || Some(&board.key) == kept) {
            return;
        }
        let selected = self.selected.and_then(|at| self.boards.get(at)).map(|board| board.key.clone());
        self.boards.retain(|board| board.search == search || Some(&board.key) == kept);
        self.by_key = self.boards.iter().enumerate().map(|(at, board)| (board.key.clone(), at)).collect();
        self.widest = self.boards.iter().map(|board| board.text.width()).max().unwrap_or(0);
        self.order = (0..self.boards.len()).collect();
        self.leave_out_sides();
        self.best = self.matched(0..self.boards.len());
        self.sort();
        // Where the selected board is gone, the one that has come to its row is selected.
        let at = self.at.min(self.rows().saturating_sub(1));
        self.selected = selected.and_then(|key| self.by_key.get(&key).copied()).or_else(|| self.index(at));
        self.keep_selection();
    }

    /// Takes note of what there is at a key.
    pub(super) fn note(&mut self, key: &Key, sight: KeySummary, now: Moment) -> bool {
        let Some(board) = self.by_key.get(key).and_then(|at| self.boards.get_mut(*at)) else { return false };
        board.looked_at = Some(now);
        let is_news = board.sight.as_ref() != Some(&sight);
        board.sight = Some(sight);
        is_news
    }

    /// Selects the board `key`, if it is there.
    pub fn select_key(&mut self, key: &Key) {
        if let Some(at) = self.by_key.get(key) {
            self.selected = Some(*at);
            self.keep_selection();
        }
    }

    /// Selects a row, or the last one where there are fewer.
    pub fn select(&mut self, row: usize) {
        self.at = row.min(self.rows().saturating_sub(1));
        self.selected = self.index(self.at).or(self.selected);
    }

    /// Takes note that the rows are shown on so many lines: from now on the selected board keeps the line on which it is.
    pub fn settle(&mut self, lines: usize) {
        self.scroll = self.in_sight(lines).start;
    }

    /// Changes the filter. The best answer is selected; where everything is shown again, the selection stays.
    pub fn refilter(&mut self, change: impl FnOnce(&mut Filter)) {
        let before = self.filter.text().to_owned();
        change(&mut self.filter);
        if self.filter.text() == before {
            return;
        }
        self.best = self.matched(0..self.boards.len());
        self.sort_best();
        if !self.filter.is_empty() {
            self.selected = self.index(0).or(self.selected);
            (self.at, self.scroll) = (0, 0);
        }
        self.keep_selection();
    }

    fn leave_out_sides(&mut self) {
        let Self { boards, by_key, order, .. } = self;
        let is_side = |at: &usize| {
            boards.get(*at).and_then(|board| belongs_to(&board.key)).is_some_and(|key| by_key.contains_key(&key))
        };
        order.retain(|at| !is_side(at));
    }

    fn index(&self, row: usize) -> Option<usize> {
        if self.filter.is_empty() { self.order.get(row).copied() } else { self.best.get(row).map(|(_, at)| *at) }
    }

    /// Those of these boards that the filter lets through; none while it lets all through.
    fn matched(&self, boards: Range<usize>) -> Vec<(u32, usize)> {
        if self.filter.is_empty() {
            return Vec::new();
        }
        let mut matching = self.matching();
        boards.filter_map(|at| Some((matching.score(&self.boards.get(at)?.text)?, at))).collect()
    }

    fn sort(&mut self) {
        let place = |at: usize| self.boards.get(at).map(|board| &board.place);
        // Stable sorts merge the boards that are new into those that are sorted.
        self.order.sort_by(|a, b| place(*a).cmp(&place(*b)));
        self.sort_best();
    }

    fn sort_best(&mut self) {
        let place = |at: usize| self.boards.get(at).map(|board| &board.place);
        self.best.sort_by(|(a, at), (b, other)| b.cmp(a).then_with(|| place(*at).cmp(&place(*other))));
    }

    /// Finds the row of the selected board anew, and keeps it on its line. A board that is not shown gives way to the
    /// first row.
    fn keep_selection(&mut self) {
        let line = self.at.saturating_sub(self.scroll);
        let found = self.selected.and_then(|selected| (0..self.rows()).find(|row| self.index(*row) == Some(selected)));
        self.at = found.unwrap_or(0);
        if found.is_none() {
            // Where there is no row at all, the board is selected again as soon as it is shown.
            self.selected = self.index(0).or(self.selected);
        }
        self.scroll = self.at.saturating_sub(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::keymap::{Key as Pressed, Press};
    use crate::board::templates::Templates;
    use proptest::prelude::*;

    fn text(key: &[u8]) -> String {
        String::from_utf8_lossy(key).into_owned()
    }

    #[test]
    fn side_sets_are_found_and_not_listed() {
        let mut list = List::default();
        let template = Templates::default().board;
        let keys = |keys: &[&str]| keys.iter().map(|key| Key::from(*key)).collect::<Vec<_>>();
        list.add(keys(&["hs:ties", "alone:ttl"]), 1, text, &template);
        assert_eq!(list.rows(), 2);
        list.add(keys(&["hs"]), 1, text, &template);
        assert_eq!((list.rows(), list.all()), (2, 2));
        list.refilter(|filter| filter.insert("ties"));
        assert_eq!(list.selected().map(|board| board.key.clone()), Some("hs:ties".into()));
        list.refilter(Filter::clear);
        list.add(keys(&["alone:ttl"]), 2, text, &template);
        list.forget_others(2, None);
        assert_eq!(list.rows(), 1);
    }

    /// A board by what its key is made of: its game, its week or none, the version it was frozen at or none.
    type Board = (u8, Option<u8>, Option<u8>);

    fn key((game, week, copy): Board) -> String {
        let week = week.map_or(String::new(), |week| format!(":2026-W{:02}", 10 + week));
        let copy = copy.map_or(String::new(), |version| format!(":frozen:{version}"));
        format!("lb:{{Game{}}}{week}{copy}", char::from(b'a' + game))
    }

    /// As boards are to stand: games up, the one without a week first, then weeks down, a board before its copies, and
    /// these down.
    fn place((game, week, copy): Board) -> (u8, i16, i16) {
        (game, week.map_or(-1_000, |week| -i16::from(week)), copy.map_or(-1_000, |copy| -i16::from(copy)))
    }

    fn boards() -> impl Strategy<Value = Vec<Board>> {
        let board = (0..4_u8, prop::option::of(0..6_u8), prop::option::weighted(0.3, 0..3_u8));
        prop::collection::vec(board, 0..12)
    }

    /// What is done to a list.
    #[derive(Clone, Debug)]
    enum Step {
        Add(Vec<Board>),
        Type(&'static str),
        Pop,
        Clear,
        Select(usize),
        /// All boards but these are gone.
        Forget(Vec<Board>),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => boards().prop_map(Step::Add),
            2 => prop::sample::select(vec!["g", "a", "w1", "W", "1", " ", "game", "x", ":", "froz"]).prop_map(Step::Type),
            1 => Just(Step::Pop),
            1 => Just(Step::Clear),
            2 => (0..40_usize).prop_map(Step::Select),
            1 => boards().prop_map(Step::Forget),
        ]
    }

    /// Whether each word's letters stand in `key` in order, in either case where the word has no capital.
    fn answers(filter: &str, key: &str) -> bool {
        filter.split(' ').all(|word| {
            let is_any_case = !word.chars().any(char::is_uppercase);
            let mut letters = key.chars().map(|c| if is_any_case { c.to_ascii_lowercase() } else { c });
            word.chars().all(|c| letters.any(|letter| letter == c))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_rows_are_those_of_the_oracle_and_the_selection_never_jumps(steps in prop::collection::vec(step(), 1..30)) {
            const LINES: usize = 5;
            let template = Templates::default().board;
            let mut list = List::default();
            let mut all: Vec<Board> = Vec::new();
            for (number, step) in (1..).zip(steps) {
                let before = list.selected().map(|board| board.key.clone());
                let line = list.selected_row() - list.in_sight(LINES).start;
                match step.clone() {
                    Step::Add(boards) => {
                        list.add(boards.iter().map(|board| key(*board).as_str().into()).collect(), number, text, &template);
                        all.extend(boards);
                    }
                    Step::Type(text) => list.refilter(|filter| filter.insert(text)),
                    Step::Pop => list.refilter(|filter| filter.press(Press::plain(Pressed::Backspace))),
                    Step::Clear => list.refilter(Filter::clear),
                    Step::Select(row) => list.select(row),
                    Step::Forget(boards) => {
                        list.add(boards.iter().map(|board| key(*board).as_str().into()).collect(), number, text, &template);
                        list.forget_others(number, None);
                        all = boards;
                    }
                }
                let settled = list.in_sight(LINES);
                list.settle(LINES);
                prop_assert_eq!(list.in_sight(LINES), settled);
                all.sort_by_key(|board| place(*board));
                all.dedup();
                let wanted: Vec<String> =
                    all.iter().map(|board| key(*board)).filter(|key| answers(list.filter().text(), key)).collect();
                let mut shown: Vec<String> = (0..list.rows()).map(|row| list.row(row).unwrap().text.to_string()).collect();
                if !list.filter().is_empty() {
                    let mut matching = list.matching();
                    let scores: Vec<_> = shown.iter().map(|key| matching.score(key)).collect();
                    prop_assert!(scores.iter().all(Option::is_some) && scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
                    // Of those that answer equally well, the order is that of the list.
                    let at = |key: &String| wanted.iter().position(|wanted| wanted == key);
                    let mut pairs = scores.windows(2).zip(shown.windows(2));
                    let is_so = pairs.all(|(scores, keys)| scores[0] > scores[1] || at(&keys[0]) < at(&keys[1]));
                    prop_assert!(is_so, "{shown:?}");
                    shown.sort_by_key(|key| at(key));
                }
                prop_assert_eq!(&shown, &wanted);
                let after = list.selected().map(|board| board.key.clone());
                prop_assert_eq!(after.is_some(), list.rows() > 0);
                if matches!(step, Step::Add(_)) && before.is_some() {
                    prop_assert_eq!(after, before, "the selection jumps");
                    let sight = list.in_sight(LINES);
                    let is_free = list.selected_row() >= line && list.rows() - (list.selected_row() - line) >= LINES;
                    prop_assert!(!is_free || list.selected_row() - sight.start == line, "the line jumps");
                }
                for row in 0..list.rows() {
                    let game = |row: usize| Some(list.row(row)?.text.split_once('}')?.0.to_owned());
                    let is_beside = |other: Option<usize>| list.filter().is_empty() && other.and_then(game) == game(row);
                    prop_assert_eq!(list.beside(row), (is_beside(row.checked_sub(1)), is_beside(Some(row + 1))));
                }
            }
        }
    }

    #[test]
    fn what_a_board_has_of_its_own_is_its_period_or_that_it_is_a_copy() {
        let mut list = List::default();
        let keys = ["lb:{2026-W41}:2026-W41", "lb:{a}:2026-W41:frozen:7", "plain", "hs:2026-10"];
        list.add(keys.map(Key::from).to_vec(), 1, text, &Templates::default().board);
        let own: Vec<Option<&str>> =
            (0..4).map(|row| list.row(row).and_then(|board| board.text.get(board.own.clone()?))).collect();
        assert_eq!(own, [Some("2026-10"), Some("2026-W41"), Some(":frozen:7"), None]);
        let first = list.row(1).unwrap();
        assert_eq!(first.own, Some(14..22), "the last time it is spelled");
    }
}
