//! Looking for a text in ids and names, in board order, step by step. It goes by pages and by the names of their members,
//! so it works on every home of boards and of names, and what it finds first is what stands first.

use super::BoardSource;
use crate::board::entry::Member;
use crate::query::error::StoreError;
use crate::query::find::{FindReply, FindRequest};
use crate::query::page::{PageReply, PageRequest, PageStart, SEARCH_STEP};

/// One step: up to [`SEARCH_STEP`] rows beyond the place. Costs one page and the names of its members. Where the names
/// may not be read, ids alone are looked at.
pub async fn step<H: BoardSource>(home: &mut H, lookout: &FindRequest) -> Result<FindReply, StoreError> {
    let whence = match (&lookout.from, lookout.forward) {
        (Some(entry), true) => PageStart::After(entry.clone()),
        (Some(entry), false) => PageStart::Before(entry.clone()),
        (None, true) => PageStart::Position(1),
        (None, false) => PageStart::Last,
    };
    let PageReply::Page(page) = home.read(&lookout.board, &PageRequest::new(whence, SEARCH_STEP)).await? else {
        return Ok(FindReply::NoFurther);
    };
    let window = page.window;
    let members: Vec<Member> = window.entries.iter().map(|entry| entry.member.clone()).collect();
    let ids: Vec<Member> = members.iter().map(|member| lookout.id_of(member)).collect();
    let names = match home.names(&lookout.names, &ids).await {
        Ok(names) => names.unwrap_or_default(),
        Err(trouble) if trouble.is_passing() => return Err(trouble),
        Err(_) => Vec::new(),
    };
    let is_match = |at: &usize| {
        let name = names.get(*at).and_then(Option::as_ref);
        lookout.needle.finds(members[*at].as_bytes(), ids[*at].as_bytes(), name.map(AsRef::as_ref))
    };
    let mut places = 0..members.len();
    let found = if lookout.forward { places.find(is_match) } else { places.rfind(is_match) };
    if let Some(at) = found {
        return Ok(FindReply::Found(window.entries[at].clone()));
    }
    let at = if lookout.forward { members.len().checked_sub(1) } else { (!members.is_empty()).then_some(0) };
    let is_end = if lookout.forward { window.is_last() } else { window.start == 1 };
    Ok(match at.filter(|_| !is_end) {
        Some(at) => FindReply::Onward { from: window.entries[at].clone(), reached: window.position(at) },
        None => FindReply::NoFurther,
    })
}
