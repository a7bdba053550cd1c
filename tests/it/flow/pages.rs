//! Page turns lose nobody, and the banner is right to the number: held and live, both orders, all page sizes, against an
//! oracle that sorts everything.

use proptest::prelude::*;
use ranktop::app::page::banner::Banner;
use ranktop::app::settings::{PageSize, Paging};
use ranktop::board::drift::Drift;
use ranktop::board::entry::{Entry, Member};
use ranktop::board::order::Order;
use ranktop::board::version::Version;

use super::harness::{Flow, Opening, score};

/// One write: a score, or leaving.
type Write = (u8, Option<u8>);

fn member(number: u8) -> Member {
    number.to_string().as_str().into()
}

/// The board as the test knows it.
#[derive(Default)]
struct Truth {
    rows: Vec<Entry>,
    version: u64,
    touched: Vec<Member>,
}

impl Truth {
    fn write(&mut self, flow: &Flow, batch: &[Write]) {
        flow.write(|boards, board| {
            for (number, value) in batch {
                let member = member(*number);
                let before = self.rows.iter().position(|row| row.member == member);
                let old = before.map(|at| self.rows.remove(at).score);
                let new = value.map(|value| score(f64::from(value)));
                if old != new {
                    self.touched.push(member.clone());
                }
                match new {
                    Some(new) => {
                        boards.score(board, member.clone(), new);
                        self.rows.push(Entry { member, score: new });
                    }
                    None => boards.remove(board, &member),
                }
            }
        });
        self.version += 1;
    }

    fn sorted(&self, order: Order) -> Vec<Entry> {
        let mut rows = self.rows.clone();
        rows.sort_by(|a, b| order.compare(a, b));
        rows
    }

    fn version(&self) -> Version {
        self.version.to_string().as_str().into()
    }
}

/// The page as it was turned to.
struct Left {
    version: Version,
    edge: Entry,
    boundary: u64,
    total: u64,
}

impl Left {
    fn of(flow: &Flow, truth: &Truth, forward: bool) -> Self {
        let rows = flow.rows();
        let edge = if forward { rows.last() } else { rows.first() }.unwrap().clone();
        let boundary = if forward { flow.first() - 1 + rows.len() as u64 } else { flow.first() - 1 };
        Self {
            version: truth.version(),
            edge,
            boundary,
            total: flow.state.session.shown.as_ref().unwrap().window.total,
        }
    }

    /// The edge of the page as it is drawn now; the version stays that at which the page was turned to.
    fn drawn(self, flow: &Flow, truth: &Truth, forward: bool) -> Self {
        Self { version: self.version, ..Self::of(flow, truth, forward) }
    }

    /// How many rows came into what was read.
    fn shift(&self, truth: &Truth, order: Order, forward: bool) -> i64 {
        let now = self.stands(truth, order, forward).cast_signed();
        if forward {
            return now - self.boundary.cast_signed();
        }
        (truth.rows.len().cast_signed() as i64 - now) - (self.total.cast_signed() - self.boundary.cast_signed())
    }

    /// How many rows stand at or before the edge (going forward) or strictly before it (going backward) now.
    fn stands(&self, truth: &Truth, order: Order, forward: bool) -> u64 {
        let is_within = |row: &&Entry| {
            let place = order.compare(row, &self.edge);
            place.is_lt() || (forward && place.is_eq())
        };
        truth.rows.iter().filter(is_within).count() as u64
    }

    fn banner(&self, truth: &Truth, order: Order, forward: bool) -> Option<Banner> {
        (self.version != truth.version()).then(|| {
            let drift = Drift {
                from_version: Some(self.version.clone()),
                to_version: Some(truth.version()),
                boundary_from: Some(self.boundary),
                boundary_to: self.stands(truth, order, forward),
            };
            Banner::Changed { drift, shift: self.shift(truth, order, forward), is_forward: forward }
        })
    }
}

fn opening(order: Order, size: u64, paging: Paging) -> Opening {
    Opening { order, page_size: PageSize::Rows(size), paging, table: 70, ..Opening::default() }
}

fn orders() -> impl Strategy<Value = Order> {
    prop_oneof![Just(Order::Desc), Just(Order::Asc)]
}

fn board() -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec((0..90_u8, 0..12_u8), 1..90)
}

fn batches() -> impl Strategy<Value = Vec<Vec<Write>>> {
    prop::collection::vec(prop::collection::vec(write(), 0..6), 0..12)
}

fn write() -> impl Strategy<Value = Write> {
    (0..100_u8, prop::option::weighted(0.7, 0..12_u8))
}

/// Walks the whole board forward or backward, writing a batch before each turn, and checks each turn. What was shown for
/// the first time by each page, and whom a reader saw or has been told of.
fn walk(
    flow: &mut Flow,
    truth: &mut Truth,
    batches: &[Vec<Write>],
    (forward, is_live): (bool, bool),
) -> (Vec<Member>, Vec<Member>) {
    let order = flow.board().order;
    let key = if forward { "PgDn" } else { "PgUp" };
    let members = |rows: &[Entry]| rows.iter().map(|row| row.member.clone()).collect::<Vec<_>>();
    let (mut fresh, mut seen) = (members(&flow.rows()), members(&flow.rows()));
    let mut left = Left::of(flow, truth, forward);
    for turn in 0.. {
        assert!(turn < 300, "the walk ends");
        if let Some(batch) = batches.get(turn) {
            let before = members(&truth.sorted(order));
            let (start, end) = (flow.first(), flow.first() + flow.rows().len() as u64 - 1);
            truth.write(flow, batch);
            if truth.rows.is_empty() {
                break;
            }
            if is_live {
                flow.wait_ms(600);
                seen.extend(members(&flow.rows()));
                // Where the board moves by more than a page, rows jump over the page: the banner counts them.
                let ahead = |at: usize| if forward { at as u64 >= end } else { at as u64 + 1 < start };
                let behind = |at: usize| if forward { (at as u64) + 1 < start } else { at as u64 >= end };
                let rows = members(&truth.sorted(order)).into_iter().enumerate();
                let jumped =
                    rows.filter(|(at, row)| behind(*at) && before.iter().position(|old| old == row).is_some_and(ahead));
                seen.extend(jumped.map(|(_, row)| row));
            }
        }
        let edge = if forward { flow.rows().last().cloned() } else { flow.rows().first().cloned() }.unwrap();
        left = left.drawn(flow, truth, forward);
        flow.press(key);
        if flow.notice().contains("page") {
            break;
        }
        let rows = truth.sorted(order);
        let page = flow.rows();
        let beyond: Vec<Entry> = if forward {
            rows.iter().filter(|row| order.compare(row, &edge).is_gt()).take(page.len()).cloned().collect()
        } else {
            let before: Vec<_> = rows.iter().filter(|row| order.compare(row, &edge).is_lt()).cloned().collect();
            before[before.len().saturating_sub(page.len())..].to_vec()
        };
        let new: Vec<Entry> = if forward { page.clone() } else { page[..beyond.len()].to_vec() };
        assert_eq!(new, beyond, "the page goes on from the last row read");
        assert_eq!(flow.state.session.banner, left.banner(truth, order, forward), "the banner");
        fresh.extend(members(&new));
        seen.extend(members(&page));
        left = Left::of(flow, truth, forward);
    }
    (fresh, seen)
}

fn start(order: Order, size: u64, rows: &[(u8, u8)], forward: bool) -> (Flow, Truth) {
    let mut truth = Truth { version: 1, ..Truth::default() };
    for (number, value) in rows {
        truth.rows.retain(|row| row.member != member(*number));
        truth.rows.push(Entry { member: member(*number), score: score(f64::from(*value)) });
    }
    let mut flow = Flow::open(opening(order, size, Paging::Cursor), &truth.rows);
    if !forward {
        flow.press("End");
    }
    (flow, truth)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn held_pages_show_everybody_once(
        order in orders(), size in 1..64_u64, rows in board(), batches in batches(), forward: bool,
    ) {
        let (mut flow, mut truth) = start(order, size, &rows, forward);
        let before = truth.rows.clone();
        flow.press("Space");
        let (fresh, _) = walk(&mut flow, &mut truth, &batches, (forward, false));
        prop_assume!(!truth.rows.is_empty());
        for row in before.iter().filter(|row| !truth.touched.contains(&row.member)) {
            prop_assert_eq!(fresh.iter().filter(|member| **member == row.member).count(), 1, "{:?}", row);
        }
    }

    /// Live, the last row read is that of the refreshed page: whoever was pushed over its edge by newcomers is met
    /// again, which the banner counts, and nobody passes unseen.
    #[test]
    fn live_pages_let_nobody_pass_unseen(
        order in orders(), size in 1..64_u64, rows in board(), batches in batches(), forward: bool,
    ) {
        let (mut flow, mut truth) = start(order, size, &rows, forward);
        let before = truth.rows.clone();
        let (_, seen) = walk(&mut flow, &mut truth, &batches, (forward, true));
        prop_assume!(!truth.rows.is_empty());
        for row in before.iter().filter(|row| !truth.touched.contains(&row.member)) {
            prop_assert!(seen.contains(&row.member), "{:?} was never shown", row);
        }
    }

    #[test]
    fn position_paging_counts_what_it_repeats_and_skips(
        order in orders(), size in 1..20_u64, rows in board(), batch in prop::collection::vec(write(), 1..8),
        turns in 0..3,
    ) {
        let (mut flow, mut truth) = start(order, size, &rows, true);
        flow.press("m");
        for _ in 0..turns {
            flow.press("PgDn");
        }
        let page = flow.rows();
        let end = flow.first() - 1 + page.len() as u64;
        let last = page.last().unwrap().clone();
        truth.write(&flow, &batch);
        flow.press("PgDn");
        if flow.notice().contains("last page") || truth.rows.is_empty() {
            return Ok(());
        }
        let (from, to) = flow.moved().unwrap();
        prop_assert_eq!(from, end);
        prop_assert_eq!(flow.first(), end + 1);
        // Rows of the reader's stretch that the new page shows again, and rows beyond it that no page shows.
        let rows = truth.sorted(order);
        let is_read = |row: &Entry| order.compare(row, &last).is_le();
        let repeated = rows.iter().enumerate().filter(|(at, row)| *at as u64 >= end && is_read(row)).count() as u64;
        let skipped = rows.iter().enumerate().filter(|(at, row)| (*at as u64) < end && !is_read(row)).count() as u64;
        prop_assert_eq!((to.saturating_sub(from), from.saturating_sub(to)), (repeated, skipped));
    }
}
