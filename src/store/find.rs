//! Looking for a text in ids and names, in board order, step by step. It goes by pages and by the names of their members,
//! so it works on every home of boards and of names, and what it finds first is what stands first.

use super::Home;
use crate::board::ask::{Answer, Ask, Board, SEARCH_STEP, Whence};
use crate::board::entry::{Entry, Member};
use crate::board::names::NamesHome;
use crate::board::needle::{Matched, Needle};
use crate::board::trouble::Trouble;

/// Where to look, and for what.
#[derive(Clone, Debug, PartialEq)]
pub struct Lookout {
    /// On which board.
    pub board: Board,
    /// Where the names of its members are.
    pub names: NamesHome,
    /// What is looked for.
    pub needle: Needle,
    /// From which row on, that row left out; `None`: from the end of the board that the search goes away from.
    pub from: Option<Entry>,
    /// Towards the end of the board.
    pub forward: bool,
}

/// One step: up to [`SEARCH_STEP`] rows beyond the place. Costs one page and the names of its members. Where the names
/// may not be read, ids alone are looked at.
pub async fn step<H: Home>(home: &mut H, lookout: &Lookout) -> Result<Matched, Trouble> {
    let whence = match (&lookout.from, lookout.forward) {
        (Some(entry), true) => Whence::After(entry.clone()),
        (Some(entry), false) => Whence::Before(entry.clone()),
        (None, true) => Whence::Position(1),
        (None, false) => Whence::Last,
    };
    let Answer::Page(page) = home.read(&lookout.board, &Ask::new(whence, SEARCH_STEP)).await? else {
        return Ok(Matched::NoFurther);
    };
    let window = page.window;
    let members: Vec<Member> = window.entries.iter().map(|entry| entry.member.clone()).collect();
    let names = match home.names(&lookout.names, &members).await {
        Ok(names) => names.unwrap_or_default(),
        Err(trouble) if trouble.is_passing() => return Err(trouble),
        Err(_) => Vec::new(),
    };
    let is_match = |at: &usize| {
        let name = names.get(*at).and_then(Option::as_ref);
        lookout.needle.is_in(members[*at].as_bytes()) || name.is_some_and(|name| lookout.needle.is_in(name))
    };
    let mut places = 0..members.len();
    let found = if lookout.forward { places.find(is_match) } else { places.rfind(is_match) };
    if let Some(at) = found {
        return Ok(Matched::Found(window.entries[at].clone()));
    }
    let at = if lookout.forward { members.len().checked_sub(1) } else { (!members.is_empty()).then_some(0) };
    let is_end = if lookout.forward { window.is_last() } else { window.start == 1 };
    Ok(match at.filter(|_| !is_end) {
        Some(at) => Matched::Onward { from: window.entries[at].clone(), reached: window.position(at) },
        None => Matched::NoFurther,
    })
}
