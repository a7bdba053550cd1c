//! Movement: the rank that each member of a page has, against the rank that it had a while ago, or when it was seen first.
//! It knows only what was read: of a member that was not on the page at a moment, no rank of that moment.

mod track;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::entry::{Entry, Member};
use super::order::Order;
use super::packed::scoring::Scoring;
use super::window::Window;
use track::Track;

/// How a member's rank changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// So many fewer members are better.
    Up(u64),
    /// So many more members are better.
    Down(u64),
    /// It was not on this page before, though its place was.
    New,
}

/// Since when movement counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveSince {
    /// For so long.
    Span(Duration),
    /// Since the page was turned to.
    Turn,
    /// Since the board was opened.
    Start,
}

/// So long a score that has changed is marked.
pub const MARK: Duration = Duration::from_secs(1);
/// Marks end together with others that end as soon, so that their ends cost few frames.
const TOGETHER: u128 = 250;
/// A span is told apart in so many parts: one minute to the second.
const PARTS: u32 = 60;
/// The members that are remembered; two of the largest pages. Each of them has at most 62 ranks of 40 bytes: 5 MB where all
/// of them move all the time, and a tenth of a megabyte where few do.
const MOST: usize = 2_048;

/// The ranks that members had, as far back as movement counts.
#[derive(Clone, Debug)]
pub struct Movements {
    since: MoveSince,
    is_marking: bool,
    known: HashMap<Member, Track>,
    /// The page that was read last.
    page: Option<Page>,
}

/// What a later read is compared with.
#[derive(Clone, Debug)]
struct Page {
    members: HashSet<Member>,
    order: Order,
    scoring: Scoring,
    /// Its edges; `None` where it reached to the end of the board.
    first: Option<Entry>,
    last: Option<Entry>,
}

impl Page {
    fn of(window: &Window) -> Option<Self> {
        let (first, last) = window.entries.first().zip(window.entries.last())?;
        Some(Self {
            members: window.entries.iter().map(|entry| entry.member.clone()).collect(),
            order: window.order,
            scoring: window.scoring.clone(),
            first: (window.start > 1).then(|| first.clone()),
            last: (!window.is_last()).then(|| last.clone()),
        })
    }

    /// True where the place of `entry` was on the page: whoever stands there now and was not on it has come since.
    fn has_place(&self, entry: &Entry) -> bool {
        self.first.as_ref().is_none_or(|first| self.order.compare(first, entry).is_le())
            && self.last.as_ref().is_none_or(|last| self.order.compare(entry, last).is_le())
    }
}

impl Movements {
    /// Nothing is known yet. `is_marking`: scores that have just changed are told.
    pub fn new(since: MoveSince, is_marking: bool) -> Self {
        Self { since, is_marking, known: HashMap::new(), page: None }
    }

    /// Forgets everything: the board is another one.
    pub fn clear(&mut self) {
        *self = Self::new(self.since, self.is_marking);
    }

    /// The page that is read next is turned to, or taken for a new start.
    pub fn turn(&mut self) {
        if self.since == MoveSince::Turn {
            self.known.clear();
        }
    }

    /// Takes in a window that was read. O(rows).
    pub fn note(&mut self, window: &Window, now: Duration) {
        if self.page.as_ref().is_some_and(|page| page.order != window.order || page.scoring != window.scoring) {
            self.clear();
        }
        let before = self.page.take();
        let part = self.part(now);
        for ((index, entry), standing) in window.entries.iter().enumerate().zip(window.standings()) {
            let was_there = before.as_ref().is_some_and(|page| page.members.contains(&entry.member));
            let has_come = !was_there && before.as_ref().is_some_and(|page| page.has_place(entry));
            // A rank that is not exact says nothing of movement.
            let is_exact = window.parts.as_ref().is_none_or(|spread| spread.error_of(index) == Some(0));
            let rank = is_exact.then_some(standing.better + 1);
            let track = self.known.entry(entry.member.clone()).or_insert_with(|| Track::new(entry.score));
            if has_come || (was_there && track.score != entry.score) {
                track.changed_at = Some(now);
            }
            track.score = entry.score;
            track.read_at = now;
            track.stands(part, rank, has_come, matches!(self.since, MoveSince::Span(_)));
        }
        let page = Page::of(window);
        let is_gone = |member: &&Member| page.as_ref().is_none_or(|page| !page.members.contains(*member));
        for member in before.iter().flat_map(|page| &page.members).filter(is_gone) {
            if let Some(track) = self.known.get_mut(member) {
                track.stands(part, None, false, matches!(self.since, MoveSince::Span(_)));
            }
        }
        self.page = page;
        self.forget(now);
    }

    /// How `member`, which is on the page, has moved.
    pub fn of(&self, member: &Member, now: Duration) -> Option<Movement> {
        let track = self.known.get(member)?;
        let (base, is_new) = track.base(self.reach(now))?;
        let rank = track.rank()?;
        match base {
            _ if base > rank => Some(Movement::Up(base - rank)),
            _ if base < rank => Some(Movement::Down(rank - base)),
            _ => is_new.then_some(Movement::New),
        }
    }

    /// True where the score of `member` has just changed.
    pub fn is_marked(&self, member: &Member, now: Duration) -> bool {
        self.known.get(member).and_then(|track| self.mark_ends(track)).is_some_and(|end| now < end)
    }

    /// When the movement of one of `members` changes by itself, at the earliest.
    pub fn ages<'a>(&self, members: impl Iterator<Item = &'a Member>, now: Duration) -> Option<Duration> {
        let reach = self.reach(now);
        let parts = members.filter_map(|member| self.known.get(member)?.next_part(reach));
        parts.min().and_then(|part| self.ages_at(part))
    }

    /// When the mark of one of `members` ends, at the earliest.
    pub fn unmarks<'a>(&self, members: impl Iterator<Item = &'a Member>, now: Duration) -> Option<Duration> {
        let ends = members.filter_map(|member| self.mark_ends(self.known.get(member)?));
        ends.filter(|end| now < *end).min()
    }

    /// When the mark of a score ends.
    fn mark_ends(&self, track: &Track) -> Option<Duration> {
        let changed = track.changed_at.filter(|_| self.is_marking)?;
        let end = (changed + MARK).as_millis() + TOGETHER / 2;
        Some(Duration::from_millis(u64::try_from(end - end % TOGETHER).unwrap_or(u64::MAX)))
    }

    /// The length of a part of the span.
    fn length(&self) -> Option<Duration> {
        match self.since {
            MoveSince::Span(span) => Some((span / PARTS).max(Duration::from_millis(1))),
            MoveSince::Turn | MoveSince::Start => None,
        }
    }

    /// The part of time that `now` is in.
    fn part(&self, now: Duration) -> u64 {
        let of = |length: Duration| u64::try_from(now.as_nanos() / length.as_nanos()).unwrap_or(u64::MAX);
        self.length().map_or(0, of)
    }

    /// The part of time whose ranks those of `now` are compared with; `None` where time does not count.
    fn reach(&self, now: Duration) -> Option<u64> {
        self.length().and_then(|_| self.part(now).checked_sub(u64::from(PARTS)))
    }

    /// When the ranks of `part` are the ones that are compared with.
    fn ages_at(&self, part: u64) -> Option<Duration> {
        let parts = u32::try_from(part.saturating_add(u64::from(PARTS))).ok()?;
        self.length().map(|length| length.saturating_mul(parts))
    }

    /// Forgets what is too old to count, and the members that were read longest ago where there are too many.
    fn forget(&mut self, now: Duration) {
        let reach = self.reach(now);
        if let Some(reach) = reach {
            self.known.values_mut().for_each(|track| track.forget(reach));
            self.known.retain(|_, track| !track.is_empty());
        }
        if self.known.len() > MOST {
            let mut ages: Vec<Duration> = self.known.values().map(|track| track.read_at).collect();
            ages.sort_unstable();
            let middle = ages[ages.len() / 2];
            self.known.retain(|_, track| track.read_at > middle || track.read_at == now);
        }
    }
}
