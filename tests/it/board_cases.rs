//! The known right answers in `tests/cases`, read through the windows of the embedded home: ranks in five styles and tie
//! groups from every page of every size, and the rows after and before places.

use ranktop::board::bytes::JsonBytes;
use ranktop::board::entry::{Entry, Member};
use ranktop::board::keys::Board;
use ranktop::board::order::Order;
use ranktop::board::rank::RankStyle;
use ranktop::board::score::Score;
use ranktop::query::page::{Anchor, Page, PageReply, PageRequest, PageStart};
use ranktop::store::BoardSource;
use ranktop::store::memory::MemorySource;
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
struct File<T> {
    cases: Vec<T>,
}

#[derive(Deserialize)]
struct RankCase {
    name: String,
    entries: Vec<(JsonBytes, Score)>,
    order: Order,
    members: Vec<JsonBytes>,
    tie_groups: Vec<Group>,
    #[serde(flatten)]
    ranks: Map<String, Value>,
}

#[derive(Deserialize)]
struct Group {
    first: u64,
    size: u64,
    score: Score,
}

#[derive(Deserialize)]
struct CursorCase {
    entries: Vec<(JsonBytes, Score)>,
    order: Order,
    cursor: Place,
    size: usize,
    on_board: bool,
    boundary: u64,
    after: Vec<JsonBytes>,
    before: Vec<JsonBytes>,
}

#[derive(Deserialize)]
struct Place {
    member: JsonBytes,
    score: Score,
}

fn board(order: Order) -> Board {
    Board { key: "b".into(), order, version_key: "b:version".into(), meta_key: "b:meta".into() }
}

fn home(board: &Board, entries: &[(JsonBytes, Score)]) -> MemorySource {
    let home = MemorySource::default();
    home.write(|boards| {
        for (member, score) in entries {
            boards.score(board, Member::from(member.0.clone()), *score);
        }
    });
    home
}

fn read(home: &mut MemorySource, board: &Board, ask: &PageRequest) -> Page {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    match runtime.block_on(home.read(board, ask)).unwrap() {
        PageReply::Page(page) => *page,
        other => panic!("no page for {ask:?}: {other:?}"),
    }
}

fn members(page: &Page) -> Vec<&[u8]> {
    page.window.entries.iter().map(|entry| entry.member.as_bytes()).collect()
}

fn raw(members: &[JsonBytes]) -> Vec<&[u8]> {
    members.iter().map(|member| member.0.as_slice()).collect()
}

#[test]
fn ranks_and_ties_from_every_page_of_every_size() {
    let file: File<RankCase> = serde_json::from_str(include_str!("../cases/ranks.json")).unwrap();
    assert!(file.cases.len() >= 20);
    for case in &file.cases {
        let board = board(case.order);
        let mut home = home(&board, &case.entries);
        let count = case.members.len();
        for size in 1..=count {
            for first in 0..count {
                let mut ask = PageRequest::new(PageStart::Position(first as u64 + 1), size as u64);
                ask.dense = true;
                let page = read(&mut home, &board, &ask);
                let last = count.min(first + size);
                let place = format!("{}, rows {first}..{last}", case.name);
                assert_eq!(members(&page), raw(&case.members[first..last]), "{place}");
                for (standing, index) in page.window.standings().zip(first..last) {
                    for style in RankStyle::ALL {
                        let rank = serde_json::to_value(standing.rank(style)).unwrap();
                        let expected = &case.ranks[style.name()][index];
                        assert!(expected.is_number(), "{place}");
                        assert_eq!(rank.as_f64(), expected.as_f64(), "{place}: {} of row {index}", style.name());
                    }
                    let position = index as u64 + 1;
                    let group = case
                        .tie_groups
                        .iter()
                        .find(|group| (group.first..group.first + group.size).contains(&position));
                    let found = standing.tie_group().map(|group| (group.first, group.size));
                    assert_eq!(found, group.map(|group| (group.first, group.size)), "{place}: group of row {index}");
                    if let Some(group) = group {
                        assert_eq!(page.window.entries[index - first].score, group.score, "{place}");
                    }
                }
                assert_eq!(page.window.standings().count(), last - first, "{place}");
            }
        }
    }
}

#[test]
fn rows_after_and_before_places() {
    let file: File<CursorCase> = serde_json::from_str(include_str!("../cases/cursors.json")).unwrap();
    assert!(file.cases.len() >= 24);
    for case in &file.cases {
        let board = board(case.order);
        let mut home = home(&board, &case.entries);
        let place = Entry::new(case.cursor.member.0.clone(), case.cursor.score);
        for size in 1..=case.size {
            let mut after = PageRequest::new(PageStart::After(place.clone()), size as u64);
            after.anchor = Some(Anchor { place: place.clone(), inclusive: true });
            let page = read(&mut home, &board, &after);
            assert_eq!(members(&page), raw(&case.after[..size.min(case.after.len())]), "after {place:?}");
            assert_eq!((page.boundary, page.window.above()), (Some(case.boundary), case.boundary), "{place:?}");

            let mut before = PageRequest::new(PageStart::Before(place.clone()), size as u64);
            before.anchor = Some(Anchor { place: place.clone(), inclusive: false });
            let page = read(&mut home, &board, &before);
            assert_eq!(members(&page), raw(&case.before[case.before.len().saturating_sub(size)..]), "before {place:?}");
            let strictly = case.boundary - u64::from(case.on_board);
            assert_eq!((page.boundary, page.window.end()), (Some(strictly), strictly), "{place:?}");
        }
    }
}
