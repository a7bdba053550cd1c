//! What goes with a board: its version, its meta hash, and the names of its members.

use ranktop::board::entry::{Entry, Member};
use ranktop::board::keys::Board;
use ranktop::board::keys::Key;
use ranktop::board::meta::{Meta, State, Ttl};
use ranktop::board::names::NamesLocation;
use ranktop::board::order::Order;
use ranktop::board::packed::Spec;
use ranktop::board::rank::RankStyle;
use ranktop::board::version::Version;
use ranktop::query::listing::{KeySummary, Listed};
use ranktop::query::page::{PageRequest, PageStart};
use ranktop::store::BoardSource;

use super::{Setup, Trial, Write, named_board, run, score};

/// The version, read alone and with a page; the trial compares the latter with what was written.
async fn version<S: Setup>(trial: &mut Trial<S>) -> Option<Version> {
    let alone = trial.setup.home().version(&trial.board).await.unwrap();
    let page = trial.page(&PageRequest::new(PageStart::Position(1), 3)).await;
    assert_eq!(alone, page.window.version);
    alone
}

pub(crate) fn versions_of_any_kind<S: Setup>() {
    run(async {
        let mut trial = Trial::<S>::filled(Order::Desc, vec![Entry::new("a", score(1.0))]).await;
        assert_eq!(version(&mut trial).await, None, "a missing version is not 0");
        trial.write(&[Write::Score("b".into(), 2.0), Write::Score("c".into(), 3.0), Write::IncrementVersion]).await;
        assert_eq!(version(&mut trial).await, Some("1".into()));
        trial.write(&[Write::Remove("b".into()), Write::IncrementVersion]).await;
        assert_eq!(version(&mut trial).await, Some("2".into()));
        for bytes in ["", "0", "-7", "two", "\0\u{fffd}", "9223372036854775807"] {
            trial.write(&[Write::SetVersion(Some(bytes.into()))]).await;
            assert_eq!(version(&mut trial).await, Some(bytes.into()));
        }
        trial.write(&[Write::SetVersion(Some(vec![0xff, 0x00]))]).await;
        assert_eq!(version(&mut trial).await, Some(vec![0xff, 0x00].into()));
        trial.write(&[Write::Delete]).await;
        assert!(version(&mut trial).await.is_some(), "the version outlives the board");
        trial.write(&[Write::SetVersion(None)]).await;
        assert_eq!(version(&mut trial).await, None);
    });
}

pub(crate) fn a_write_without_the_version<S: Setup>() {
    run(async {
        let mut trial = Trial::<S>::start(Order::Asc).await;
        trial.write(&[Write::Score("a".into(), 1.0), Write::IncrementVersion]).await;
        let before = trial.page(&PageRequest::new(PageStart::Position(1), 3)).await.window;
        trial.write(&[Write::Score("a".into(), 2.0)]).await;
        let after = trial.page(&PageRequest::new(PageStart::Position(1), 3)).await.window;
        assert_eq!(before.version, after.version);
        assert_ne!(before.entries, after.entries);
        trial.write(&[Write::Remove("a".into())]).await;
        assert!(trial.page(&PageRequest::new(PageStart::Position(1), 3)).await.window.is_missing());
    });
}

/// The keys that a whole search meets, and how many times it met one.
async fn found<S: Setup>(trial: &mut Trial<S>) -> Vec<Key> {
    let mut found = Vec::new();
    let mut is_new = true;
    loop {
        let step = trial.setup.home().search(is_new).await.unwrap();
        found.extend(step.keys);
        assert!(step.of.is_none_or(|of| step.looked_at <= of));
        if step.is_over {
            found.sort();
            return found;
        }
        is_new = false;
    }
}

pub(crate) fn a_list_and_a_search<S: Setup>() {
    run(async {
        let mut trial = Trial::<S>::start(Order::Desc).await;
        assert_eq!(found(&mut trial).await, []);
        let other = named_board("lb:{suite}:2026-W41", Order::Desc);
        trial.setup.fill(&other, &[Entry::new("a", score(1.0)), Entry::new("b", score(2.0))]).await;
        trial.write(&[Write::Score("a".into(), 1.0), Write::IncrementVersion]).await;
        trial.write(&[Write::SetMeta("state", Some(b"closed".to_vec()))]).await;
        assert_eq!(found(&mut trial).await, [other.key.clone(), trial.board.key.clone()]);
        assert_eq!(found(&mut trial).await.len(), 2, "a new search begins anew");

        let meta = Board { key: trial.board.meta_key.clone(), ..trial.board.clone() };
        let nothing = named_board("lb:{suite}:2026-W40", Order::Desc);
        let boards = [trial.board.clone(), meta, nothing, other.clone()];
        let listed = |key: &Key, total, version: Option<&str>, state| {
            let version = version.map(Version::from);
            KeySummary::Board(Listed { key: key.clone(), total: Some(total), version, state, ttl: Some(Ttl::Forever) })
        };
        let sights = trial.setup.home().list(&boards).await.unwrap();
        let closed = listed(&trial.board.key, 1, Some("1"), Some(State::Closed));
        assert_eq!(sights, [closed, KeySummary::NoSortedSet, KeySummary::Nothing, listed(&other.key, 2, None, None)]);
        assert_eq!(trial.setup.home().list(&[]).await.unwrap(), []);
    });
}

pub(crate) fn names_in_every_home<S: Setup>() {
    run(async {
        let mut trial = Trial::<S>::start(Order::Desc).await;
        let given: [(&[u8], &[u8]); 4] =
            [(b"u:1", b"Ada"), (b"", b"nobody"), (b"\xff", b"\x1b[2J\xfe"), (b"u:2", "Алан".as_bytes())];
        let unnamed: &[u8] = b"u:3";
        for text in ["", "hash:user:<member>:name", "string:name:<member>:x"] {
            let home =
                if text.is_empty() { NamesLocation::Hash("lb:{suite}:names".into()) } else { text.parse().unwrap() };
            let members: Vec<Member> =
                [b"u:2", unnamed, b"\xff", b"", b"u:2", b"u:1"].map(Member::from).into_iter().collect();
            let nameless = trial.setup.home().names(&home, &members).await.unwrap();
            let is_one_hash = matches!(home, NamesLocation::Hash(_));
            assert_eq!(nameless, (!is_one_hash).then(|| vec![None; members.len()]), "{home:?}");

            let writes =
                given.map(|(member, name)| Write::SetName(home.clone(), Member::from(member), Some(name.to_vec())));
            trial.write(&writes).await;
            let names = trial.setup.home().names(&home, &members).await.unwrap().unwrap();
            let names: Vec<Option<&[u8]>> = names.iter().map(Option::as_deref).collect();
            let [ada, empty, binary, alan] = given.map(|(_, name)| Some(name));
            assert_eq!(names, [alan, None, binary, empty, alan, ada], "{home:?}");

            let first = &members[..1];
            trial.write(&[Write::SetName(home.clone(), first[0].clone(), Some(Vec::new()))]).await;
            let emptied = trial.setup.home().names(&home, first).await.unwrap().unwrap();
            assert_eq!(emptied[0].as_deref(), Some(&b""[..]), "an empty name is not a missing one");
            trial.write(&[Write::SetName(home.clone(), first[0].clone(), None)]).await;
            assert_eq!(trial.setup.home().names(&home, first).await.unwrap().unwrap(), [None]);
            assert_eq!(trial.setup.home().names(&home, &[]).await.unwrap().unwrap_or_default(), []);
        }
    });
}

async fn meta<S: Setup>(trial: &mut Trial<S>, board: &Board) -> Meta {
    let answer = trial.setup.home().read(board, &PageRequest::new(PageStart::Position(1), 1)).await.unwrap();
    let ranktop::query::page::PageReply::Page(page) = answer else { panic!("a position has a page") };
    page.window.meta
}

pub(crate) fn meta_and_its_malformed_values<S: Setup>() {
    run(async {
        let mut trial = Trial::<S>::start(Order::Desc).await;
        let board = trial.board.clone();
        assert_eq!(meta(&mut trial, &board).await, Meta::default());
        let set = |field, value: &[u8]| Write::SetMeta(field, Some(value.to_vec()));
        trial
            .write(&[
                set("state", b"closing"),
                set("closes_at", b"1760306400000"),
                set("title", b"Cup \xff"),
                set("order", b"asc"),
                set("rank", b"dense"),
                set("score", b"points,time:10"),
                set("unknown", b"x"),
            ])
            .await;
        let expected = Meta {
            state: Some(State::Closing),
            closes_at: Some(1_760_306_400_000),
            closed_at: None,
            title: Some((&b"Cup \xff"[..]).into()),
            order: Some(Order::Asc),
            rank_style: Some(RankStyle::Dense),
            score: Some("points,time:10".parse::<Spec>().unwrap().into()),
        };
        assert_eq!(meta(&mut trial, &board).await, expected, "meta is there before the board is");
        trial.write(&[Write::Score("a".into(), 1.0)]).await;
        assert_eq!(meta(&mut trial, &board).await, expected);
        trial.write(&[set("state", b"ajar"), set("closes_at", b"soon"), Write::SetMeta("title", None)]).await;
        let expected = Meta { state: None, closes_at: None, title: None, ..expected };
        assert_eq!(meta(&mut trial, &board).await, expected);
    });
}
