//! Movement against an oracle that keeps everything it ever read.

use proptest::prelude::*;

use super::*;
use crate::board::score::Score;

fn score(value: f64) -> Score {
    Score::new(value).unwrap()
}

/// Rows `start..start+len` of `board`.
fn window(board: &[(&str, f64)], start: usize, len: usize) -> Window {
    let mut rows: Vec<Entry> = board.iter().map(|(member, value)| Entry::new(*member, score(*value))).collect();
    rows.sort_by(|a, b| Order::Desc.compare(a, b));
    let entries: Vec<Entry> = rows.iter().skip(start - 1).take(len).cloned().collect();
    let (first, last) = (entries.first().unwrap().score, entries.last().unwrap().score);
    let better = |than: Score| rows.iter().filter(|row| row.score.get() > than.get()).count() as u64;
    let through = rows.iter().filter(|row| row.score.get() >= last.get()).count() as u64;
    Window {
        start: start as u64,
        total: rows.len() as u64,
        better_than_first: better(first),
        through_last: through,
        entries,
        ..Window::nothing(Order::Desc)
    }
}

fn at(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn minute() -> Movements {
    Movements::new(MoveSince::Span(at(60_000)), true)
}

fn of(movements: &Movements, member: &str, ms: u64) -> Option<Movement> {
    movements.of(&member.into(), at(ms))
}

#[test]
fn a_figure_stays_for_the_span_and_then_ages_out() {
    let mut movements = minute();
    movements.note(&window(&[("a", 3.0), ("b", 2.0), ("c", 1.0)], 1, 3), at(0));
    movements.note(&window(&[("a", 3.0), ("b", 2.0), ("c", 9.0)], 1, 3), at(10_000));
    for ms in [10_000, 30_000, 69_999] {
        assert_eq!(of(&movements, "c", ms), Some(Movement::Up(2)), "{ms}");
        assert_eq!(of(&movements, "a", ms), Some(Movement::Down(1)), "{ms}");
    }
    assert_eq!(of(&movements, "c", 70_000), None);
    let members = ["a".into(), "b".into(), "c".into()];
    assert_eq!(movements.unmarks(members.iter(), at(10_000)), Some(at(11_000)));
    assert_eq!(movements.unmarks(members.iter(), at(11_000)), None);
    assert_eq!(movements.ages(members.iter(), at(11_000)), Some(at(60_000)), "the first ranks come into reach");
    assert_eq!(movements.ages(members.iter(), at(60_000)), Some(at(70_000)));
    assert_eq!(movements.ages(members.iter(), at(70_000)), None, "an idle board has nothing more to tell");
}

#[test]
fn who_shares_a_rank_has_not_passed_anybody() {
    let mut movements = minute();
    movements.note(&window(&[("a", 5.0), ("b", 5.0), ("c", 4.0)], 1, 3), at(0));
    movements.note(&window(&[("a", 5.0), ("b", 5.0), ("c", 5.0)], 1, 3), at(1_000));
    assert_eq!(of(&movements, "c", 1_000), Some(Movement::Up(2)));
    assert_eq!((of(&movements, "a", 1_000), of(&movements, "b", 1_000)), (None, None));
}

#[test]
fn new_is_who_came_to_a_place_that_was_shown() {
    let board = [("a", 9.0), ("b", 8.0), ("c", 7.0), ("d", 6.0), ("e", 5.0)];
    let mut movements = minute();
    movements.note(&window(&board, 2, 2), at(0));
    assert_eq!(of(&movements, "b", 0), None, "the first page that is read moves nobody");
    movements.note(&window(&board, 2, 4), at(100));
    assert_eq!((of(&movements, "d", 100), of(&movements, "e", 100)), (None, None), "the page has only grown");
    let joined = [("a", 9.0), ("b", 8.0), ("x", 7.5), ("c", 7.0), ("d", 6.0), ("e", 5.0)];
    movements.note(&window(&joined, 2, 5), at(200));
    assert_eq!(of(&movements, "x", 200), Some(Movement::New));
    assert!(movements.is_marked(&"x".into(), at(200)));
    assert_eq!(of(&movements, "c", 200), Some(Movement::Down(1)));
    assert_eq!(of(&movements, "x", 61_000), None, "it is new for the span");
    movements.note(&window(&joined, 1, 5), at(61_000));
    assert_eq!(of(&movements, "a", 61_000), None, "the page has only gone up");
}

#[test]
fn of_who_was_not_on_the_page_at_a_moment_no_rank_of_that_moment_is_known() {
    let board = [("a", 9.0), ("b", 8.0), ("c", 7.0), ("d", 6.0)];
    let moved = [("a", 9.0), ("b", 6.5), ("c", 7.0), ("d", 6.0)];
    let mut movements = minute();
    movements.note(&window(&board, 1, 2), at(0));
    movements.note(&window(&board, 3, 2), at(5_000));
    movements.note(&window(&moved, 1, 3), at(40_000));
    assert_eq!(of(&movements, "b", 40_000), Some(Movement::Down(1)), "against when it was seen first");
    assert_eq!(of(&movements, "b", 64_000), Some(Movement::Down(1)), "it was on the page one minute ago");
    assert_eq!(of(&movements, "b", 65_000), Some(Movement::New), "it was not, and has come to a place that was shown");
    // Where its place was not shown either, nothing is known.
    let mut movements = minute();
    movements.note(&window(&board, 1, 2), at(0));
    movements.note(&window(&board, 3, 2), at(5_000));
    movements.note(&window(&board, 1, 3), at(66_000));
    assert_eq!(of(&movements, "b", 66_000), None);
    assert!(!movements.is_marked(&"b".into(), at(66_000)));
}

#[test]
fn since_the_turn_and_since_the_start() {
    let before = [("a", 9.0), ("b", 8.0), ("c", 7.0)];
    let after = [("a", 9.0), ("b", 8.0), ("c", 8.5)];
    for (since, kept) in [(MoveSince::Turn, None), (MoveSince::Start, Some(Movement::Up(1)))] {
        let mut movements = Movements::new(since, false);
        movements.note(&window(&before, 1, 3), at(0));
        movements.note(&window(&after, 1, 3), at(1_000));
        assert_eq!(of(&movements, "c", 500_000_000), Some(Movement::Up(1)), "{since:?}");
        assert_eq!(movements.ages([&"c".into()].into_iter(), at(2_000)), None, "it does not age");
        assert!(!movements.is_marked(&"c".into(), at(1_000)), "without motion nothing is marked");
        movements.turn();
        movements.note(&window(&after, 1, 3), at(2_000));
        assert_eq!(of(&movements, "c", 2_000), kept, "{since:?}");
    }
}

#[test]
fn is_bounded() {
    let mut movements = minute();
    for read in 0..40 {
        let names: Vec<String> = (0..500).map(|number| format!("{}", read * 500 + number)).collect();
        let board: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), 1.0)).collect();
        movements.note(&window(&board, 1, 500), at(read * 10));
        assert!(movements.known.len() <= MOST);
        assert!(
            names.iter().all(|name| movements.known.contains_key(&name.as_str().into())),
            "the page itself is kept"
        );
    }
    // Whoever changes its rank at every read has a sample for each part of the span.
    for read in 0..5_000 {
        let board = if read % 2 == 0 { [("a", 1.0), ("b", 2.0)] } else { [("a", 2.0), ("b", 1.0)] };
        movements.note(&window(&board, 1, 2), at(1_000 + read * 50));
        assert!(movements.known.values().all(|track| track.len() <= PARTS as usize + 2));
    }
}

/// Everything that was read of one member: in which part of time, its rank, whether it had just come.
type Log = Vec<(u64, Option<u64>, bool)>;

fn expected(log: &Log, part: u64) -> Option<Movement> {
    let rank = log.last()?.1?;
    let is_old = |entry: &&(u64, Option<u64>, bool)| part >= 60 && entry.0 <= part - 60;
    let then = log.iter().take_while(is_old).last().and_then(|entry| entry.1);
    let later = log.iter().skip_while(is_old).find(|entry| entry.1.is_some());
    let (base, is_new) = match (then, later) {
        (Some(rank), _) => (rank, false),
        (None, Some((_, rank, has_come))) => ((*rank)?, *has_come),
        (None, None) => return None,
    };
    match base.cmp(&rank) {
        std::cmp::Ordering::Greater => Some(Movement::Up(base - rank)),
        std::cmp::Ordering::Less => Some(Movement::Down(rank - base)),
        std::cmp::Ordering::Equal => is_new.then_some(Movement::New),
    }
}

const NAMES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Boards change, pages are read again and turned, at any pace; after each step, at any moment until the next one.
    #[test]
    fn movement_is_what_the_oracle_says(
        steps in prop::collection::vec(
            (prop::collection::vec((0..9_usize, prop::option::weighted(0.8, 0..6_u8)), 0..4), 1..7_usize, 1..5_usize, 0..900_u64, 0..900_u64),
            1..30,
        ),
    ) {
        // A span of 600 ms has parts of 10 ms.
        let mut movements = Movements::new(MoveSince::Span(at(600)), true);
        let mut board: Vec<(&str, f64)> = vec![("a", 3.0), ("b", 2.0), ("c", 1.0)];
        let mut logs: HashMap<&str, Log> = HashMap::new();
        let mut before: Option<Window> = None;
        let mut now = 0;
        for (writes, start, len, pause, later) in steps {
            for (who, value) in writes {
                board.retain(|(name, _)| *name != NAMES[who]);
                board.extend(value.map(|value| (NAMES[who], f64::from(value))));
            }
            if board.is_empty() {
                return Ok(());
            }
            now += pause;
            let read = window(&board, start.min(board.len()), len);
            let shown = |name: &str, window: &Window| window.find(&name.into());
            for name in NAMES {
                let log = logs.entry(name).or_default();
                let index = shown(name, &read);
                let rank = index.map(|index| {
                    let own = read.entries[index].score.get();
                    board.iter().filter(|(_, value)| *value > own).count() as u64 + 1
                });
                let has_come = index.zip(before.as_ref()).is_some_and(|(index, before)| {
                    let place = &read.entries[index];
                    let above = |edge: &Entry| Order::Desc.compare(edge, place).is_le();
                    let below = |edge: &Entry| Order::Desc.compare(place, edge).is_le();
                    shown(name, before).is_none()
                        && (before.start == 1 || above(&before.entries[0]))
                        && (before.is_last() || below(before.entries.last().unwrap()))
                });
                log.push((now / 10, rank, has_come));
            }
            movements.note(&read, at(now));
            // Whatever is told stays until the moment that is named.
            let members: Vec<Member> = read.entries.iter().map(|entry| entry.member.clone()).collect();
            let told = |moment: u64| -> Vec<_> {
                members.iter().map(|member| {
                    let name = NAMES.into_iter().find(|name| Member::from(*name) == *member).unwrap();
                    (movements.of(member, at(moment)), expected(&logs[name], moment / 10))
                }).collect()
            };
            let due = movements.ages(members.iter(), at(now));
            for moment in (now..=now + later).step_by(61) {
                for (found, expected) in told(moment) {
                    prop_assert_eq!(found, expected, "{} ms after {}", moment - now, now);
                }
                if due.is_none_or(|due| at(moment) < due) {
                    prop_assert_eq!(told(moment), told(now));
                }
            }
            before = Some(read);
            now += later;
        }
    }
}
