//! Pages from everywhere: each answer against the oracle's.

use ranktop::board::entry::{Entry, Member};
use ranktop::board::meta::Ttl;
use ranktop::board::order::Order;
use ranktop::query::page::{Anchor, DENSE_BOUND, PageReply, PageRequest, PageStart};
use ranktop::store::BoardSource;

use super::hostile::on_hostile_boards;
use super::{Setup, Trial, named_board, run, score, whences};

const ORDERS: [Order; 2] = [Order::Desc, Order::Asc];

/// Each kind of question about `places`, and about rows up to two past the end, with every lead and size up to two more
/// than there are rows.
async fn every_question<S: Setup>(trial: &mut Trial<S>, places: &[Entry]) {
    let total = trial.entries.len() as u64;
    for size in 1..=total + 2 {
        for (index, place) in places.iter().enumerate() {
            for whence in whences(place, index as u64 % (total + 2) + 1) {
                let is_before = matches!(whence, PageStart::Before(_));
                let ask = PageRequest {
                    lead: index as u64 % size,
                    anchor: Some(Anchor { place: place.clone(), inclusive: !is_before }),
                    dense: index % 2 == 0,
                    ..PageRequest::new(whence, size)
                };
                trial.ask(&ask).await;
                if is_before {
                    trial.ask(&PageRequest { fill: true, ..ask }).await;
                }
            }
        }
    }
}

pub(crate) fn every_question_on_a_hostile_board<S: Setup>() {
    on_hostile_boards::<S>(&async |trial, case| {
        for question in &case.questions {
            trial.ask(&case.ask(question)).await;
        }
    });
}

pub(crate) fn every_question_on_a_small_board<S: Setup>() {
    run(async {
        for order in ORDERS {
            let row = |member: &str, value| Entry::new(member, score(value));
            let rows = vec![row("a", 3.0), row("b", 2.0), row("d", 2.0), row("c", 1.0), row("e", 1.0), row("f", -1.0)];
            let mut places = rows.clone();
            // Before all, within groups, between scores, after all.
            places.extend([row("c", 2.0), row("d", 1.0), row("", 2.0), row("x", 0.0), row("a", 9.0), row("f", -9.0)]);
            let mut trial = Trial::<S>::filled(order, rows).await;
            every_question(&mut trial, &places).await;
            // As far as somebody can type.
            for whence in [PageStart::Position(u64::MAX), PageStart::Row(u64::MAX)] {
                trial.ask(&PageRequest::new(whence, 3)).await;
            }
        }
    });
}

pub(crate) fn a_missing_board<S: Setup>() {
    run(async {
        let nobody = Entry::new("nobody", score(1.0));
        for order in ORDERS {
            let mut trial = Trial::<S>::start(order).await;
            every_question(&mut trial, &[nobody.clone(), nobody.clone()]).await;
            let page = trial.page(&PageRequest::new(PageStart::Row(7), 5)).await;
            assert!(page.window.is_missing());
            assert_eq!((page.target, page.window.ttl), (None, Ttl::NoKey));
            assert_eq!(
                trial.ask(&PageRequest::new(PageStart::Member("nobody".into()), 5)).await,
                PageReply::NotOnBoard
            );
            assert_eq!(trial.ask(&PageRequest::new(PageStart::NextTie(score(0.0)), 5)).await, PageReply::NoFurther);
        }
    });
}

pub(crate) fn a_board_of_one<S: Setup>() {
    run(async {
        for order in ORDERS {
            for value in [0.0, f64::INFINITY, f64::NEG_INFINITY] {
                let places = [value, 1.0, -1.0, value].map(|value| Entry::new("", score(value)));
                let mut trial = Trial::<S>::filled(order, vec![places[0].clone()]).await;
                every_question(&mut trial, &places).await;
            }
        }
    });
}

pub(crate) fn a_member_of_a_megabyte<S: Setup>() {
    run(async {
        let long = |last: u8| {
            let mut bytes = vec![b'x'; 1 << 20];
            bytes.push(last);
            Entry::new(Member::from(bytes), score(1.0))
        };
        let rows = vec![long(1), long(2), Entry::new("x", score(1.0))];
        let mut trial = Trial::<S>::filled(Order::Desc, rows.clone()).await;
        for whence in whences(&long(2), 2).into_iter().chain(whences(&long(3), 3)) {
            let anchor = Some(Anchor { place: long(1), inclusive: true });
            trial.ask(&PageRequest { anchor, ..PageRequest::new(whence, 2) }).await;
        }
    });
}

pub(crate) fn dense_ranks_up_to_the_bound<S: Setup>() {
    run(async {
        let count = u32::try_from(DENSE_BOUND).unwrap() + 2;
        // Each score twice, so that distinct scores are not members.
        let rows = (0..count * 2).map(|number| Entry::new(format!("{number}").as_str(), score((number / 2).into())));
        let mut trial = Trial::<S>::filled(Order::Asc, rows.collect()).await;
        for (position, expected) in [
            (1, Some(0)),
            (2, Some(0)),
            (3, Some(1)),
            (DENSE_BOUND * 2 + 1, Some(DENSE_BOUND)),
            (DENSE_BOUND * 2 + 2, Some(DENSE_BOUND)),
            (DENSE_BOUND * 2 + 3, None),
        ] {
            let page =
                trial.page(&PageRequest { dense: true, ..PageRequest::new(PageStart::Position(position), 3) }).await;
            assert_eq!(page.window.distinct_better, expected, "at {position}");
            let page = trial.page(&PageRequest::new(PageStart::Position(position), 3)).await;
            assert_eq!(page.window.distinct_better, None);
        }
    });
}

pub(crate) fn boards_do_not_mix<S: Setup>() {
    run(async {
        let mut trial = Trial::<S>::filled(Order::Desc, vec![Entry::new("a", score(1.0))]).await;
        let other = named_board("lb:{suite}:other", Order::Desc);
        trial.setup.fill(&other, &[Entry::new("b", score(2.0)), Entry::new("c", score(3.0))]).await;
        trial.page(&PageRequest::new(PageStart::Position(1), 5)).await;
        let PageReply::Page(page) =
            trial.setup.home().read(&other, &PageRequest::new(PageStart::Position(1), 5)).await.unwrap()
        else {
            panic!("the other board has a page");
        };
        assert_eq!(page.window.entries, [Entry::new("c", score(3.0)), Entry::new("b", score(2.0))]);
    });
}
