//! The names that are known: a bounded cache by member, refreshed lazily, never part of a window's moment.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::app::event::Moment;
use crate::board::entry::Member;
use crate::board::names::Name;
use crate::board::packed::member::MemberSpec;

/// A name is asked for again when it is on the page and older than this.
pub const REFRESH_AFTER: Duration = Duration::from_secs(45);
/// After a question without an answer, names are left alone for so long.
pub const RETRY_AFTER: Duration = Duration::from_secs(5);
/// A home of names that is not there is looked for again after so long: on a board without names a page turn costs
/// nothing besides the page.
pub const LOOK_AGAIN: Duration = Duration::from_secs(10);
/// Names are forgotten, oldest first, when there are more than this: a few pages of the largest size.
const MOST: usize = 4_096;

#[derive(Clone, Debug)]
struct Known {
    name: Option<Name>,
    since: Moment,
}

/// Members and the names they had when they were last asked for.
#[derive(Clone, Debug, Default)]
pub struct Names {
    known: HashMap<Member, Known>,
    is_asking: bool,
    is_refused: bool,
    /// Whether there are any, be they on the page or not; `None` before that was answered.
    exist: Option<bool>,
    /// By what part of a member its name is kept, where that is not all of it.
    packed: Option<Arc<MemberSpec>>,
    /// Not before this moment: a server that cannot answer yet is not asked over and over.
    rests_until: Moment,
}

impl Names {
    /// Names of members that are packed like this.
    pub fn of(packed: Option<Arc<MemberSpec>>) -> Self {
        Self { packed, ..Self::default() }
    }

    fn known(&self, member: &Member) -> Option<&Known> {
        match &self.packed {
            None => self.known.get(member),
            Some(_) => self.known.get(&self.id(member)),
        }
    }

    /// By what the name of `member` is looked up.
    fn id(&self, member: &Member) -> Member {
        self.packed.as_ref().map_or_else(|| member.clone(), |packed| packed.id_of(member))
    }

    /// The name of `member`, where one is known.
    pub fn get(&self, member: &Member) -> Option<&Name> {
        self.known(member)?.name.as_ref()
    }

    /// True where names have been asked for and it was answered, also in vain.
    pub fn is_answered(&self) -> bool {
        self.exist.is_some()
    }

    /// True where some members have names, be they on the page or not.
    pub fn has_names(&self) -> bool {
        self.exist == Some(true)
    }

    /// True where the home of names could not be read the last time, for a reason that may last.
    pub fn is_refused(&self) -> bool {
        self.is_refused
    }

    /// When a name of `members` is to be asked for again, if one is: a board that stands still has names that change.
    pub fn due<'a>(&self, members: impl Iterator<Item = &'a Member>) -> Option<Moment> {
        if self.is_asking || self.is_refused {
            return None;
        }
        let old = members.filter_map(|member| self.known(member)).map(|known| known.since + REFRESH_AFTER);
        old.min().map(|due| due.max(self.rests_until))
    }

    /// Which of `members` should be asked for now; empty while an answer is awaited, and for a while after one that
    /// failed.
    pub fn wanted<'a>(&self, members: impl Iterator<Item = &'a Member>, now: Moment) -> Vec<Member> {
        if self.is_asking || now < self.rests_until {
            return Vec::new();
        }
        let is_old =
            |member: &Member| self.known(member).is_none_or(|known| now.saturating_sub(known.since) >= REFRESH_AFTER);
        members.filter(|member| is_old(member)).map(|member| self.id(member)).collect()
    }

    /// Takes note that names have been asked for.
    pub fn ask(&mut self) {
        self.is_asking = true;
    }

    /// Takes in an answer. True where a name that is known changes by it.
    pub fn learn(&mut self, members: Vec<Member>, names: Option<Vec<Option<Name>>>, now: Moment) -> bool {
        self.is_asking = false;
        self.is_refused = false;
        let Some(names) = names else {
            self.exist = Some(false);
            self.rests_until = now + LOOK_AGAIN;
            let had = self.known.values().any(|known| known.name.is_some());
            self.known.clear();
            return had;
        };
        let exist = self.exist == Some(true) || names.iter().any(Option::is_some);
        self.exist = Some(exist);
        let mut changed = false;
        for (member, name) in members.into_iter().zip(names) {
            changed |= self.known.get(&member).and_then(|known| known.name.as_ref()) != name.as_ref();
            self.known.insert(member, Known { name, since: now });
        }
        if self.known.len() > MOST {
            self.forget();
        }
        changed
    }

    /// Takes note that the last question had no answer. After a lasting refusal names are asked for as seldom as they
    /// are refreshed: rights may be given at any time. The names that are known stay.
    pub fn fail(&mut self, is_lasting: bool, now: Moment) {
        self.is_asking = false;
        self.exist = self.exist.or(Some(false));
        self.is_refused |= is_lasting;
        self.rests_until = now + if is_lasting { REFRESH_AFTER } else { RETRY_AFTER };
    }

    /// Takes note of a new connection: it may lead to another server, or to other rights.
    pub fn reconnected(&mut self) {
        self.rests_until = Moment::ZERO;
    }

    /// Forgets the older half. O(n log n), once in thousands of names.
    fn forget(&mut self) {
        let mut ages: Vec<Moment> = self.known.values().map(|known| known.since).collect();
        ages.sort_unstable();
        let middle = ages[ages.len() / 2];
        self.known.retain(|_, known| known.since > middle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(number: usize) -> Member {
        number.to_string().as_str().into()
    }

    #[test]
    fn asks_for_the_unseen_once_and_for_the_old_again() {
        let mut names = Names::default();
        let page = [member(1), member(2)];
        assert_eq!(names.wanted(page.iter(), Moment::ZERO), page);
        names.ask();
        assert!(names.wanted(page.iter(), Moment::ZERO).is_empty());
        assert!(names.learn(page.to_vec(), Some(vec![Some(b"Ada"[..].into()), None]), Moment::ZERO));
        assert!(names.wanted(page.iter(), Moment::ZERO).is_empty());
        assert_eq!(names.wanted(page.iter(), REFRESH_AFTER), page);
        assert_eq!(names.get(&member(1)).unwrap().as_ref(), b"Ada");
        assert!(!names.learn(vec![member(2)], Some(vec![None]), REFRESH_AFTER));
    }

    #[test]
    fn a_lasting_refusal_is_tried_again_seldom_and_over_a_new_connection() {
        let mut names = Names::default();
        names.ask();
        names.fail(false, Moment::ZERO);
        assert!(names.wanted([member(1)].iter(), Moment::ZERO).is_empty(), "at rest");
        assert_eq!(names.wanted([member(1)].iter(), RETRY_AFTER).len(), 1);
        names.fail(true, RETRY_AFTER);
        assert!(names.wanted([member(1)].iter(), RETRY_AFTER * 2).is_empty());
        assert_eq!(names.wanted([member(1)].iter(), RETRY_AFTER + REFRESH_AFTER).len(), 1);
        names.reconnected();
        assert_eq!(names.wanted([member(1)].iter(), RETRY_AFTER * 2).len(), 1);
    }

    #[test]
    fn a_home_that_is_not_there_is_not_asked_for_every_page() {
        let mut names = Names::default();
        names.learn(vec![member(1)], Some(vec![Some(b"Ada"[..].into())]), Moment::ZERO);
        assert!(names.learn(vec![member(2)], None, Moment::ZERO), "a name is gone");
        assert!(names.wanted([member(3)].iter(), LOOK_AGAIN / 2).is_empty());
        assert_eq!(names.wanted([member(3)].iter(), LOOK_AGAIN).len(), 1);
    }

    #[test]
    fn is_bounded_and_forgets_the_oldest() {
        let mut names = Names::default();
        for step in 0..20 {
            let page: Vec<Member> = (step * 1000..(step + 1) * 1000).map(member).collect();
            let found = Some(vec![None; page.len()]);
            names.learn(page.clone(), found, Duration::from_secs(step as u64));
            assert!(names.known.len() <= MOST);
            assert!(page.iter().all(|member| names.known.contains_key(member)));
        }
    }
}
