//! How the scores of a board are spread, against counting them one by one.

use ranktop::board::distribution::{Distribution, bounds, ranges};
use ranktop::board::entry::{Entry, Member};
use ranktop::board::order::Order;
use ranktop::board::score::Score;
use ranktop::board::version::Version;
use ranktop::store::BoardSource;

use super::hostile::on_hostile_boards;
use super::{Setup, Trial, Write, run, score};
use crate::common::oracle::sorted;

/// Asks the home, and counts every part of its answer again.
async fn count<S: Setup>(trial: &mut Trial<S>, most: usize) -> Distribution {
    let read = trial.setup.home().distribution(&trial.board, most.into()).await.unwrap();
    let rows = sorted(&trial.entries, trial.board.order);
    assert_eq!(read.total, rows.len() as u64);
    assert_eq!(read.version, trial.version.clone().map(Version::from));
    assert_eq!(read.verified, S::is_verified(trial.version.as_deref()));
    assert_eq!(read.order, trial.board.order);

    let mut finite: Vec<f64> = rows.iter().map(|row| row.score.get()).filter(|value| value.is_finite()).collect();
    finite.sort_by(f64::total_cmp);
    let ends = finite.first().zip(finite.last()).map(|(lowest, highest)| (score(*lowest), score(*highest)));
    let mut expected: Vec<_> = ranges(&bounds(ends, most)).collect();
    if trial.board.order == Order::Desc {
        expected.reverse();
    }
    assert_eq!(read.bins.iter().map(|bin| bin.range).collect::<Vec<_>>(), expected);
    for bin in &read.bins {
        let (from, below) = (bin.range.from.map(Score::get), bin.range.below.map(Score::get));
        let is_within = |value: f64| from.is_none_or(|from| value >= from) && below.is_none_or(|below| value < below);
        assert_eq!(bin.count, rows.iter().filter(|row| is_within(row.score.get())).count() as u64, "{bin:?}");
    }
    assert!(read.is_whole());

    let marks: Vec<_> = read.marks.iter().map(|mark| (mark.percent, mark.position, mark.score)).collect();
    let mut shares = Vec::new();
    for percent in [1, 10, 25, 50] {
        // The first position at which the share is complete.
        let complete = |above: &usize| above * 100 >= rows.len() * usize::from(percent);
        if let Some(position) = (1..=rows.len()).find(complete) {
            shares.push((percent, position as u64, rows[position - 1].score));
        }
    }
    assert_eq!(marks, shares);
    read
}

pub(crate) fn of_hostile_boards<S: Setup>() {
    on_hostile_boards::<S>(&async |trial, _| {
        for most in [1, 2, 7, 24] {
            count(trial, most).await;
        }
    });
}

pub(crate) fn of_boards_of_any_shape<S: Setup>() {
    const PAST_WHOLE: f64 = 9_007_199_254_740_992.0;
    let shapes: [fn(u32) -> f64; 6] = [
        |number| f64::from(number * number % 1_009),
        |number| -f64::from(number) / 8.0,
        |number| PAST_WHOLE + 2.0 * f64::from(number % 7),
        |_| 980.0,
        |number| f64::from(number).exp(),
        |number| if number == 0 { f64::INFINITY } else { f64::from(number % 3) },
    ];
    run(async {
        for order in [Order::Desc, Order::Asc] {
            for shape in shapes {
                let member = |number: u32| Member::from(format!("m{number}").as_str());
                let entries = (0..300).map(|number| Entry::new(member(number), score(shape(number)))).collect();
                let mut trial = Trial::<S>::filled(order, entries).await;
                for most in [5, 24] {
                    count(&mut trial, most).await;
                }
                trial.write(&[Write::Score(member(7), -1e9), Write::IncrementVersion]).await;
                let read = count(&mut trial, 24).await;
                assert_eq!(read.version, Some("1".into()));
            }
        }
    });
}

pub(crate) fn of_no_board_and_of_one_member<S: Setup>() {
    run(async {
        for order in [Order::Desc, Order::Asc] {
            let mut trial = Trial::<S>::start(order).await;
            let nobody = count(&mut trial, 24).await;
            assert!(nobody.total == 0 && nobody.marks.is_empty());
            for value in [0.0, -7.5, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
                trial.write(&[Write::Score("a".into(), value), Write::IncrementVersion]).await;
                let one = count(&mut trial, 24).await;
                assert_eq!(one.marks.iter().map(|mark| mark.position).collect::<Vec<_>>(), [1, 1, 1, 1]);
            }
        }
    });
}
