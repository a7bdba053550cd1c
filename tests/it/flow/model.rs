//! A plain model of the reader's place: bursts of keys end where the same keys end one by one, a live page stays with what
//! it hangs on, and the banner says what a reader with a sorted copy of the board would say.

use proptest::prelude::*;
use ranktop::app::page::banner::Banner;
use ranktop::app::settings::PageSize;
use ranktop::board::entry::{Entry, Member};
use ranktop::board::order::Order;

use super::harness::{Flow, Opening, score};

const TABLE: u16 = 5;

/// A key, or what is typed at a prompt.
const KEYS: [&str; 18] = [
    "PgDn", "PgDn", "PgDn", "PgDn", "PgUp", "PgUp", "Down", "Down", "Up", "Right", "Right", "Left", "}", "{", "Home",
    "End", ":9", ":=4",
];

fn press(flow: &mut Flow, key: &str) {
    match key.strip_prefix(':').filter(|typed| !typed.is_empty()) {
        Some(typed) => {
            flow.press(":");
            flow.type_in(typed);
        }
        None => flow.press(key),
    }
}

fn member(number: u8) -> Member {
    format!("m{number}").as_str().into()
}

fn rows(rows: &[(u8, u8)]) -> Vec<Entry> {
    let mut board: Vec<Entry> = Vec::new();
    for (number, value) in rows {
        board.retain(|row| row.member != member(*number));
        board.push(Entry { member: member(*number), score: score(f64::from(*value)) });
    }
    board
}

fn opening(order: Order) -> Opening {
    Opening { order, page_size: PageSize::Fit, table: TABLE, ..Opening::default() }
}

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![Just(Order::Desc), Just(Order::Asc)]
}

fn board() -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec((0..60_u8, 0..14_u8), 1..50)
}

fn keys(most: usize) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(&KEYS[..]), 0..most)
}

fn deliver_all(flow: &mut Flow) {
    while !flow.under_way.is_empty() {
        flow.deliver();
    }
}

/// What the reader sees: the rows, the first position, who is selected.
fn seen(flow: &Flow) -> (Vec<Entry>, u64, String) {
    (flow.rows(), flow.first(), flow.selected())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    /// The answers come when they like: before the next key, or long after it.
    #[test]
    fn a_burst_ends_where_single_presses_end(
        order in order(), board in board(), before in keys(4), burst in keys(14), answers: u32,
    ) {
        let board = rows(&board);
        let (mut single, mut fast) = (Flow::open(opening(order), &board), Flow::open(opening(order), &board));
        for key in &before {
            press(&mut single, key);
            press(&mut fast, key);
        }
        fast.is_slow = true;
        for (at, key) in burst.iter().enumerate() {
            press(&mut single, key);
            press(&mut fast, key);
            if answers >> at & 1 == 1 && !fast.under_way.is_empty() {
                fast.deliver();
            }
        }
        deliver_all(&mut fast);
        prop_assert_eq!(seen(&single), seen(&fast));
    }

    /// So many turns of the page cost two reads at most.
    #[test]
    fn turns_of_the_page_cost_two_reads(order in order(), board in board(), turns in prop::collection::vec(any::<bool>(), 1..12)) {
        let mut flow = Flow::open(opening(order), &rows(&board));
        let reads = flow.reads;
        flow.is_slow = true;
        for forward in &turns {
            flow.press(if *forward { "PgDn" } else { "PgUp" });
        }
        deliver_all(&mut flow);
        prop_assert!(flow.reads - reads <= 2, "{} reads", flow.reads - reads);
    }
}

/// What a page hangs on, as the model knows it from the keys alone.
#[derive(Clone, Debug)]
enum Hangs {
    Position,
    End,
    After(Entry),
    Before(Entry),
    /// On this line stands the row at this position, or the first one of this score or below it.
    Row(usize, usize),
    Score(f64, usize),
}

/// The edge of the page that was left: its row, and how many rows stood in what was read, and on the board.
#[derive(Clone, Debug)]
struct Edge {
    row: Entry,
    forward: bool,
    version: u64,
    read: usize,
}

struct Model {
    rows: Vec<Entry>,
    order: Order,
    version: u64,
    hangs: Hangs,
    edge: Option<Edge>,
    /// The version at which the page was turned to.
    turned: u64,
}

impl Model {
    fn sorted(&self) -> Vec<Entry> {
        let mut rows = self.rows.clone();
        rows.sort_by(|a, b| self.order.compare(a, b));
        rows
    }

    fn before(&self, place: &Entry) -> usize {
        self.rows.iter().filter(|row| self.order.compare(row, place).is_lt()).count()
    }

    fn through(&self, place: &Entry) -> usize {
        self.rows.iter().filter(|row| self.order.compare(row, place).is_le()).count()
    }

    /// How many rows lie on the side of `place` that the reader has read.
    fn read(&self, place: &Entry, forward: bool) -> usize {
        if forward { self.through(place) } else { self.rows.len() - self.before(place) }
    }

    /// The index of the first row of the page.
    fn start(&self) -> usize {
        let (size, total) = (usize::from(TABLE), self.rows.len());
        let around = |at: usize, line: usize| at.min(total - 1).saturating_sub(line).min(total.saturating_sub(size));
        match &self.hangs {
            Hangs::Position => 0,
            Hangs::End => total.saturating_sub(size),
            Hangs::After(place) => self.through(place),
            Hangs::Before(place) => self.before(place).saturating_sub(size),
            Hangs::Row(position, line) => around(position - 1, *line),
            Hangs::Score(value, line) => {
                let better = self.rows.iter().filter(|row| self.order.is_better(row.score, score(*value))).count();
                around(better, *line)
            }
        }
    }

    fn page(&self) -> Vec<Entry> {
        self.sorted().into_iter().skip(self.start()).take(TABLE.into()).collect()
    }

    /// Versions, and by how many rows the part that was read has grown.
    fn banner(&self) -> Option<(u64, u64, i64)> {
        let edge = self.edge.as_ref().filter(|edge| edge.version != self.version)?;
        let read = self.read(&edge.row, edge.forward);
        Some((edge.version, self.version, read.cast_signed() as i64 - edge.read.cast_signed() as i64))
    }
}

fn told(flow: &Flow) -> Option<(u64, u64, i64)> {
    match &flow.state.session.banner {
        Some(Banner::Changed { drift, shift, .. }) => {
            let number = |version: &Option<ranktop::board::version::Version>| {
                version.as_ref().and_then(ranktop::board::version::Version::number).unwrap().cast_unsigned()
            };
            Some((number(&drift.from_version), number(&drift.to_version), *shift))
        }
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_live_page_stays_with_what_it_hangs_on_and_the_banner_is_true(
        order in order(),
        board in board(),
        steps in prop::collection::vec(
            (prop::sample::select(&KEYS[..]), prop::collection::vec((0..80_u8, prop::option::weighted(0.7, 0..14_u8)), 0..5), any::<bool>()),
            1..14,
        ),
    ) {
        let board = rows(&board);
        let mut flow = Flow::open(opening(order), &board);
        let mut model = Model { rows: board, order, version: 1, hangs: Hangs::Position, edge: None, turned: 1 };
        for (key, writes, is_redrawn) in steps {
            if !writes.is_empty() {
                flow.write(|boards, board| {
                    for (number, value) in &writes {
                        model.rows.retain(|row| row.member != member(*number));
                        match value {
                            Some(value) => {
                                let entry = Entry { member: member(*number), score: score(f64::from(*value)) };
                                boards.score(board, entry.member.clone(), entry.score);
                                model.rows.push(entry);
                            }
                            None => boards.remove(board, &member(*number)),
                        }
                    }
                });
                model.version += 1;
            }
            if model.rows.is_empty() {
                return Ok(());
            }
            if is_redrawn {
                flow.wait_ms(600);
                // Where nobody is left from the anchor on, the page hangs on what is shown in its stead.
                if model.page().is_empty() {
                    return Ok(());
                }
                prop_assert_eq!(flow.rows(), model.page(), "{:?}", model.hangs);
                prop_assert_eq!(told(&flow), model.banner());
            }
            // As last drawn: the footer says how many rows there were.
            let (page, first, _) = seen(&flow);
            let total = usize::try_from(flow.state.session.shown.as_ref().unwrap().window.total).unwrap();
            press(&mut flow, key);
            let (now, start, _) = seen(&flow);
            let line = usize::try_from(flow.at() - start).unwrap();
            let is_turned = flow.state.session.shown.as_ref().unwrap().read_at == flow.now
                && (now != page || start != first)
                && !flow.notice().contains("page");
            let forward = matches!(key, "PgDn" | "Down");
            match key {
                "PgDn" | "PgUp" | "Down" | "Up" if is_turned => {
                    let row = if forward { page.last() } else { page.first() }.unwrap().clone();
                    let above = usize::try_from(first).unwrap() - 1;
                    let read = if forward { above + page.len() } else { total - above };
                    model.hangs = if forward { Hangs::After(row.clone()) } else { Hangs::Before(row.clone()) };
                    model.edge = Some(Edge { row, forward, version: model.turned, read });
                    model.turned = model.version;
                }
                "Home" | "End" | ":9" | ":=4" => {
                    model.hangs = match key {
                        "Home" => Hangs::Position,
                        "End" => Hangs::End,
                        ":9" => Hangs::Row(9, line),
                        _ => Hangs::Score(4.0, line),
                    };
                    model.edge = None;
                    model.turned = model.version;
                }
                "Right" | "Left" | "}" | "{" if is_turned => {
                    model.hangs = Hangs::Score(now[line].score.get(), line);
                    model.edge = None;
                    model.turned = model.version;
                }
                _ => {}
            }
        }
    }
}
