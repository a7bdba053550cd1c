//! The obvious twin of every home: sorts all entries and scans them. O(n log n) an answer, and nothing of it is shared
//! with the program but the shapes of questions and answers.

#![expect(clippy::float_cmp, reason = "ties are of equal doubles")]

use std::cmp::Ordering;

use ranktop::board::entry::Entry;
use ranktop::board::grouping::Grouping;
use ranktop::board::meta::{Meta, Ttl};
use ranktop::board::order::Order;
use ranktop::board::score::Score;
use ranktop::board::window::Window;
use ranktop::query::page::{DENSE_BOUND, Page, PageReply, PageRequest, PageStart, SEARCH_STEP};

/// What a home must answer to `ask` where its board holds `entries`, in any order, and has no version and no meta.
#[expect(clippy::too_many_lines, reason = "one arm for each way to begin a page")]
pub(crate) fn answer(entries: &[Entry], order: Order, ask: &PageRequest) -> PageReply {
    let rows = sorted(entries, order);
    let total = rows.len();
    let grouping = ask.scoring.grouping();
    let is_better = |order, a: Score, b: Score| is_better(order, group(grouping, a), group(grouping, b));
    let size = usize::try_from(ask.size).unwrap();
    // All indexes here count from 0.
    let mut target = None;
    let mut around = |index: usize| {
        target = Some(index);
        let lead = usize::try_from(ask.lead).unwrap();
        let first = index.saturating_sub(lead);
        if first + size > total { total.saturating_sub(size) } else { first }
    };
    let mut limit = size;
    let first = match &ask.whence {
        PageStart::Position(position) => usize::try_from(*position).unwrap().saturating_sub(1).min(total),
        PageStart::Last => total.saturating_sub(size),
        PageStart::After(place) => rows.iter().filter(|row| !is_before(order, place, row)).count(),
        PageStart::Before(place) => {
            let before = rows.iter().filter(|row| is_before(order, row, place)).count();
            if before < size && !ask.fill {
                limit = before;
            }
            before.saturating_sub(size)
        }
        PageStart::From(place) => rows.iter().filter(|row| is_before(order, row, place)).count(),
        PageStart::Member(member) => match rows.iter().position(|row| row.member.as_bytes() == member.as_bytes()) {
            Some(index) => around(index),
            None => return PageReply::NotOnBoard,
        },
        PageStart::Row(_) | PageStart::Score(_) | PageStart::Place(_) if rows.is_empty() => 0,
        PageStart::Place(place) => {
            around(rows.iter().position(|row| !is_before(order, row, place)).unwrap_or(total - 1))
        }
        PageStart::Row(position) => around(usize::try_from(*position).unwrap().saturating_sub(1).min(total - 1)),
        PageStart::Score(score) => {
            around(rows.iter().position(|row| !is_better(order, row.score, *score)).unwrap_or(total - 1))
        }
        PageStart::NextTie(score) => {
            let worse: Vec<usize> = (0..total).filter(|&at| is_better(order, *score, rows[at].score)).collect();
            match tie(&rows, grouping, &worse) {
                Ok(index) => around(index),
                Err(instead) => return instead,
            }
        }
        PageStart::PreviousTie(score) => {
            let better: Vec<usize> = (0..total).rev().filter(|&at| is_better(order, rows[at].score, *score)).collect();
            match tie(&rows, grouping, &better) {
                Ok(index) => around(index),
                Err(instead) => return instead,
            }
        }
        PageStart::NextScore(score) => match rows.iter().position(|row| is_better(order, *score, row.score)) {
            Some(index) => around(index),
            None => return PageReply::NoFurther,
        },
        PageStart::PreviousScore(score) => match rows.iter().rposition(|row| is_better(order, row.score, *score)) {
            Some(index) => around(first_of(&rows, grouping, rows[index].score)),
            None => return PageReply::NoFurther,
        },
    };
    let first = ask.turns.iter().fold(first, |first, is_forward| match (is_forward, first.checked_sub(limit)) {
        (true, _) if rows.get(first + limit).is_some() => first + limit,
        (true, _) => first,
        (false, before) => before.unwrap_or(0),
    });
    let page: Vec<Entry> = rows.iter().skip(first).take(limit).cloned().collect();
    let mut window = Window {
        start: first as u64 + 1,
        total: total as u64,
        distinct_better: ask.dense.then_some(0),
        ttl: if rows.is_empty() { Ttl::NoKey } else { Ttl::Forever },
        entries: Vec::new(),
        version: None,
        verified: true,
        parts: None,
        better_than_first: 0,
        through_last: 0,
        meta: Meta::default(),
        order,
        scoring: ask.scoring.clone(),
    };
    if let (Some(top), Some(bottom)) = (page.first(), page.last()) {
        let better: Vec<f64> = rows
            .iter()
            .filter(|row| is_better(order, row.score, top.score))
            .map(|row| group(grouping, row.score).get())
            .collect();
        window.better_than_first = better.len() as u64;
        window.through_last = rows.iter().filter(|row| !is_better(order, bottom.score, row.score)).count() as u64;
        let mut distinct = better;
        distinct.dedup();
        window.distinct_better = Some(distinct.len() as u64).filter(|count| ask.dense && *count <= DENSE_BOUND);
    }
    window.entries = page;
    let boundary = ask.anchor.as_ref().map(|anchor| {
        let is_within = |row: &&Entry| {
            is_before(order, row, &anchor.place) || (anchor.inclusive && !is_before(order, &anchor.place, row))
        };
        rows.iter().filter(is_within).count() as u64
    });
    let tracked = ask.track.as_ref().and_then(|member| rows.iter().position(|row| row.member == *member));
    let position = |index: usize| index as u64 + 1;
    PageReply::Page(Box::new(Page { window, target: target.map(position), boundary, tracked: tracked.map(position) }))
}

/// All rows in board order.
pub(crate) fn sorted(entries: &[Entry], order: Order) -> Vec<Entry> {
    let mut rows = entries.to_vec();
    rows.sort_by(|a, b| if is_before(order, a, b) { Ordering::Less } else { Ordering::Greater });
    rows
}

/// The index of the first row of the first group among the rows at `indexes`, which lead away from where the search
/// starts.
fn tie(rows: &[Entry], grouping: Grouping, indexes: &[usize]) -> Result<usize, PageReply> {
    let step = usize::try_from(SEARCH_STEP).unwrap();
    let looked_at = &indexes[..indexes.len().min(step)];
    for pair in looked_at.windows(2) {
        if group(grouping, rows[pair[0]].score).get() == group(grouping, rows[pair[1]].score).get() {
            return Ok(first_of(rows, grouping, rows[pair[0]].score));
        }
    }
    if looked_at.len() == indexes.len() {
        return Err(PageReply::NoFurther);
    }
    Err(PageReply::Onward { from: rows[looked_at[step - 2]].score, reached: looked_at[step - 1] as u64 + 1 })
}

fn first_of(rows: &[Entry], grouping: Grouping, score: Score) -> usize {
    let wanted = group(grouping, score).get();
    rows.iter().position(|row| group(grouping, row.score).get() == wanted).unwrap()
}

/// One score for all that share a rank: the quotient in whole numbers, as far as doubles are that close together.
fn group(grouping: Grouping, score: Score) -> Score {
    let Grouping::Cut(cut) = grouping else { return score };
    let quotient = (score.get() - cut.offset.get()) / cut.width.get();
    if quotient.abs() > 4e15 {
        return score;
    }
    // A tiny score is lost beside a large offset.
    let lost = |number: f64| score.get() - (cut.offset.get() + number * cut.width.get());
    Score::new(if cut.rounds_up {
        let number = quotient.ceil();
        if lost(number) > 0.0 { number + 1.0 } else { number }
    } else {
        let number = quotient.floor();
        if lost(number) < 0.0 { number - 1.0 } else { number }
    })
    .unwrap()
}

fn is_better(order: Order, a: Score, b: Score) -> bool {
    match order {
        Order::Desc => a.get() > b.get(),
        Order::Asc => a.get() < b.get(),
    }
}

fn is_before(order: Order, a: &Entry, b: &Entry) -> bool {
    if a.score.get() != b.score.get() {
        return is_better(order, a.score, b.score);
    }
    match order {
        Order::Desc => a.member.as_bytes() > b.member.as_bytes(),
        Order::Asc => a.member.as_bytes() < b.member.as_bytes(),
    }
}
