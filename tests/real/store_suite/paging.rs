//! Pages one after another by cursor, forward and backward, on boards that stand still and on boards that are written
//! between turns.

use std::collections::{HashMap, HashSet};

use ranktop::board::drift::{Boundary, Drift};
use ranktop::board::entry::{Entry, Member};
use ranktop::query::page::{Anchor, PageRequest, PageStart};

use super::hostile::on_hostile_boards;
use super::{Setup, Trial, Write};
use crate::common::oracle;

/// The members whose score a batch of writes changed.
async fn write<S: Setup>(trial: &mut Trial<S>, batch: &[(Member, Option<f64>)]) -> HashSet<Member> {
    let before: HashMap<Member, _> = trial.entries.iter().map(|entry| (entry.member.clone(), entry.score)).collect();
    let mut writes = vec![Write::IncrementVersion];
    writes.extend(batch.iter().map(|(member, value)| match value {
        Some(value) => Write::Score(member.clone(), *value),
        None => Write::Remove(member.clone()),
    }));
    trial.write(&writes).await;
    let after: HashMap<Member, _> = trial.entries.iter().map(|entry| (entry.member.clone(), entry.score)).collect();
    batch.iter().map(|(member, _)| member).filter(|member| before.get(member) != after.get(member)).cloned().collect()
}

/// Turns pages of `size` rows from one end of the board to the other, with a batch of writes before each turn while there
/// are any. Every row that was read, page by page, and the members that were written meanwhile.
async fn turn_all<S: Setup>(
    trial: &mut Trial<S>,
    size: u64,
    is_forward: bool,
    batches: &[Vec<(Member, Option<f64>)>],
) -> (Vec<Vec<Entry>>, HashSet<Member>) {
    let (mut pages, mut changed) = (Vec::new(), HashSet::new());
    let mut batches = batches.iter();
    let mut page =
        trial.page(&PageRequest::new(if is_forward { PageStart::Position(1) } else { PageStart::Last }, size)).await;
    while let Some(edge) = if is_forward { page.window.entries.last() } else { page.window.entries.first() }.cloned() {
        let position = if is_forward { page.window.end() } else { page.window.above() };
        let left = Boundary { version: page.window.version.clone(), position: Some(position) };
        pages.push(page.window.entries);

        let batch = batches.next();
        if let Some(batch) = batch {
            changed.extend(write(trial, batch).await);
        }
        let whence = if is_forward { PageStart::After(edge.clone()) } else { PageStart::Before(edge.clone()) };
        let anchor = Some(Anchor { place: edge, inclusive: is_forward });
        page = trial.page(&PageRequest { anchor, ..PageRequest::new(whence, size) }).await;

        let boundary = page.boundary.unwrap();
        let drift = Drift::between(&left, page.window.version.as_ref(), boundary);
        assert_eq!(drift.is_some(), batch.is_some(), "drift is told where the version changed, and only there");
        // The page goes on exactly from the boundary, wherever that is now.
        assert_eq!(if is_forward { page.window.above() } else { page.window.end() }, boundary);
    }
    (pages, changed)
}

pub(crate) fn pages_of_a_still_board_join_to_the_whole_board<S: Setup>() {
    on_hostile_boards::<S>(&async |trial, case| {
        let whole = oracle::sorted(&trial.entries, trial.board.order);
        for size in [1, 2, 7, 64] {
            let (pages, _) = turn_all(trial, size, true, &[]).await;
            assert_eq!(pages.concat(), whole, "{:?}", case.order);
            let (mut pages, _) = turn_all(trial, size, false, &[]).await;
            pages.reverse();
            assert_eq!(pages.concat(), whole, "{:?}", case.order);
        }
    });
}

pub(crate) fn writes_between_turns_lose_and_repeat_nobody_else<S: Setup>() {
    on_hostile_boards::<S>(&async |trial, case| {
        for (size, is_forward) in [(3, true), (3, false), (10, true), (10, false)] {
            trial.reset(case.order).await;
            if !case.rows.is_empty() {
                trial.write(&case.writes()).await;
            }
            let members: Vec<Member> = trial.entries.iter().map(|entry| entry.member.clone()).collect();
            let (pages, changed) = turn_all(trial, size, is_forward, &case.batches).await;
            let mut times: HashMap<Member, u32> = HashMap::new();
            for entry in pages.concat() {
                *times.entry(entry.member).or_default() += 1;
            }
            for member in members.iter().filter(|member| !changed.contains(*member)) {
                assert_eq!(times.get(member), Some(&1), "{member:?}");
            }
        }
    });
}
