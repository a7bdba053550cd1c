//! From the rows of a page and the second look at them to the window that is shown, with how far its numbers can be off
//! where the board was written meanwhile.

use super::counts::Counts;
use super::page::Framed;
use super::stretch::{Stretch, before};
use crate::board::entry::{Entry, Member};
use crate::board::meta::{Meta, State, Ttl};
use crate::board::order::Order;
use crate::board::packed::scoring::Scoring;
use crate::board::score::Score;
use crate::board::sharded::interval::{Interval, rise};
use crate::board::sharded::part::Answer;
use crate::board::sharded::spread::{Doubt, Lost, Spread};
use crate::board::sharded::vector::version_of;
use crate::board::window::Window;
use crate::query::page::Page;

/// What was read for a page.
pub(super) struct Read {
    /// The rows.
    pub(super) first: Framed,
    /// What was counted with them.
    pub(super) before: Counts,
    /// The same rows once more.
    pub(super) second: Stretch,
    /// What was counted then.
    pub(super) after: Counts,
    /// No part changed in between.
    pub(super) is_verified: bool,
    /// The parts that did not answer.
    pub(super) lost: Vec<Lost>,
    /// How scores are read.
    pub(super) scoring: Scoring,
}

/// The page, and where each of its members was met.
pub(super) fn composed(order: Order, read: Read) -> (Page, Vec<(Member, usize)>) {
    let doubt = doubt(order, &read);
    let Read { first, before, second, after, is_verified, lost, scoring } = read;
    let Framed { stretch, frame, rows, .. } = first;
    let met = rows.iter().map(|row| (row.entry.member.clone(), row.part)).collect();
    let entries: Vec<Entry> = rows.into_iter().map(|row| row.entry).collect();
    let (above, end) = (frame.start, frame.start + entries.len() as u64);
    let total = stretch.total().max(end);
    let sum = |counts: Option<&Vec<u64>>| counts.map(|counts| counts.iter().sum::<u64>());
    let better = sum(after.better.as_ref().map(|(_, counts)| counts)).unwrap_or_default();
    let through = sum(after.through.as_ref().map(|(_, counts)| counts)).unwrap_or_default();
    let versions: Vec<_> = second.answers.iter().map(|answer| answer.version.clone()).collect();
    let window = Window {
        order,
        scoring,
        start: frame.start + 1,
        total,
        version: version_of(&versions),
        verified: is_verified,
        // Counts of two moments may contradict the rows by what changed in between.
        better_than_first: better.min(above),
        through_last: if entries.is_empty() { 0 } else { through.max(end).min(total) },
        distinct_better: after.distinct,
        ttl: ttl(&stretch.answers),
        meta: meta(&stretch.answers),
        parts: Some(Box::new(Spread { versions, doubt, lost })),
        entries,
    };
    let page = Page {
        window,
        target: frame.target.map(|target| target + 1),
        boundary: sum(before.anchor.as_ref()),
        tracked: sum(after.tracked.as_ref()).map(|before| before + 1),
    };
    (page, met)
}

/// Which of the counts by a score.
type Edge = fn(&Counts) -> &Option<(Score, Vec<u64>)>;

/// How far the numbers of each row can be off.
fn doubt(order: Order, read: &Read) -> Doubt {
    if read.is_verified {
        return Doubt::Nothing;
    }
    let (first, second) = (&read.first.stretch, &read.second);
    if !read.lost.is_empty() || first.is_torn || second.is_torn {
        return Doubt::Unknown;
    }
    let Some(rises) = rises(&first.answers, &second.answers) else { return Doubt::Unknown };
    let count = |a: &[u64], b: &[u64]| {
        let parts = a.iter().zip(b).zip(&rises);
        parts.fold(Interval::default(), |sum, ((a, b), rise)| sum.plus(Interval::between(*a, *b, *rise)))
    };
    // Counts by a score: at both ends where the same score was counted before the rows too, else at one.
    let counted = |a: &Counts, b: &Counts, of: Edge| {
        let (score, after) = of(b).as_ref()?;
        Some(match of(a) {
            Some((same, before)) if same == score => count(before, after),
            _ => {
                after.iter().zip(&rises).fold(Interval::default(), |sum, (b, rise)| sum.plus(Interval::near(*b, *rise)))
            }
        })
    };
    let (frame, rows) = (read.first.frame, &read.first.rows);
    let shown = |interval: Option<Interval>, count: u64| interval.map_or(0, |interval| interval.error_of(count));
    let better = counted(&read.before, &read.after, |counts| &counts.better);
    let through = counted(&read.before, &read.after, |counts| &counts.through);
    let better = shown(better, better.map_or(0, |it| it.centre().0).min(frame.start));
    let through = shown(through, through.map_or(0, |it| it.centre().0));
    let place = |at: usize| -> u64 {
        let row = &rows[at].entry;
        let parts = (0..rises.len()).map(|part| {
            let of = |read: &Stretch| before(read.before[part], &read.up[part], &read.down[part], order, row);
            match (of(first), of(second)) {
                (Some(a), Some(b)) => Interval::between(a, b, rises[part]),
                (Some(one), None) | (None, Some(one)) => Interval::near(one, rises[part]),
                (None, None) => Interval { least: 0, most: first.answers[part].total + rises[part] },
            }
        });
        parts.fold(Interval::default(), Interval::plus).error_of(frame.start + at as u64)
    };
    let places: Vec<u64> = (0..rows.len()).map(place).collect();
    let grouping = read.scoring.grouping();
    let mut errors = Vec::with_capacity(rows.len());
    let mut at = 0;
    for run in rows.chunk_by(|a, b| grouping.is_same(a.entry.score, b.entry.score)) {
        let end = at + run.len();
        // A rank comes from where its run begins, a size from where it ends too.
        let begin = if at == 0 { better } else { places[at] };
        let finish = if end == rows.len() { through } else { places[end] };
        errors.extend(places[at..end].iter().map(|own| (*own).max(begin).max(finish)));
        at = end;
    }
    Doubt::Within(errors)
}

/// By how much each part's version rose; `None` where that says nothing about how often a count changed.
fn rises(first: &[Answer], second: &[Answer]) -> Option<Vec<u64>> {
    let of = |(first, second): (&Answer, &Answer)| {
        if first.is_same_moment(second) {
            return Some(0);
        }
        // A part that went to nothing was reset past its writers.
        let is_reset = first.total > 0 && second.total == 0;
        let rise = rise(first.version.as_ref(), second.version.as_ref());
        rise.filter(|rise| *rise > 0 && !is_reset && (first.said.counts_members || second.said.counts_members))
    };
    first.iter().zip(second).map(of).collect()
}

/// What the board says of itself: the first part's words, and the state in which some part still takes scores.
pub(super) fn meta(answers: &[Answer]) -> Meta {
    let open = |state: &State| match state {
        State::Open => 0,
        State::Closing => 1,
        State::Closed => 2,
    };
    let state = answers.iter().filter_map(|answer| answer.meta.state).min_by_key(open);
    let first = |is_some: fn(&Meta) -> bool| answers.iter().map(|answer| &answer.meta).find(|meta| is_some(meta));
    Meta {
        state,
        closes_at: first(|meta| meta.closes_at.is_some()).and_then(|meta| meta.closes_at),
        closed_at: answers.iter().filter_map(|answer| answer.meta.closed_at).max(),
        title: first(|meta| meta.title.is_some()).and_then(|meta| meta.title.clone()),
        order: first(|meta| meta.order.is_some()).and_then(|meta| meta.order),
        score: first(|meta| meta.score.is_some()).and_then(|meta| meta.score.clone()),
        rank_style: first(|meta| meta.rank_style.is_some()).and_then(|meta| meta.rank_style),
    }
}

/// How long the board lives whole: until the first of its parts expires.
pub(super) fn ttl(answers: &[Answer]) -> Ttl {
    let mut left: Option<Ttl> = None;
    for answer in answers {
        left = match (left, answer.ttl) {
            (other, Ttl::NoKey) => other,
            (None | Some(Ttl::NoKey | Ttl::Forever), ttl) => Some(ttl),
            (Some(Ttl::Milliseconds(a)), Ttl::Milliseconds(b)) => Some(Ttl::Milliseconds(a.min(b))),
            (Some(Ttl::Milliseconds(a)), Ttl::Forever) => Some(Ttl::Milliseconds(a)),
            // Any part may be the first to go.
            (Some(Ttl::Unknown), _) | (_, Ttl::Unknown) => Some(Ttl::Unknown),
        };
    }
    left.unwrap_or(Ttl::NoKey)
}
