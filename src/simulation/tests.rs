//! The contest as a viewer meets it: its writes are replayed on a plain map, and what should be seen is counted there.

#![allow(clippy::expect_used, reason = "a test may fail")]

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// What a plain reader of the writes knows.
#[derive(Default)]
struct Replay {
    board: BTreeMap<Member, f64>,
    /// (bits of the score, id): for numbers from 0 on, bits stand in the order of the numbers.
    order: BTreeSet<(u64, Member)>,
    ever: BTreeSet<Member>,
    changes: u32,
    tied: u32,
    falls: u32,
    joins: u32,
    leaves: u32,
}

impl Replay {
    fn of(contest: &Contest) -> Self {
        let mut replay = Self::default();
        for player in contest.opening() {
            replay.enter(player);
        }
        replay
    }

    fn enter(&mut self, player: Player) {
        assert!(player.score.is_finite() && player.score >= 0.0 && !player.name.is_empty());
        assert!(self.ever.insert(player.id.clone()), "{:?} twice", player.id);
        self.order.insert((player.score.to_bits(), player.id.clone()));
        self.board.insert(player.id, player.score);
    }

    fn write(&mut self, write: Write) {
        match write {
            Write::Score { id, score } => {
                assert!(score.is_finite() && score >= 0.0 && score % 10.0 == 0.0, "{score}");
                let held = self.board.insert(id.clone(), score).expect("only players score");
                self.order.remove(&(held.to_bits(), id.clone()));
                let from = (score.to_bits(), Member::from(""));
                let is_tied = self.order.range(from..).next().is_some_and(|row| row.0 == score.to_bits());
                self.order.insert((score.to_bits(), id));
                assert!(!same(held, score), "a change that changes nothing");
                self.changes += 1;
                self.tied += u32::from(is_tied);
                self.falls += u32::from(score < held);
            }
            Write::Join { player } => {
                self.enter(player);
                self.joins += 1;
            }
            Write::Leave { id } => {
                let held = self.board.remove(&id).expect("only players leave");
                self.order.remove(&(held.to_bits(), id));
                self.leaves += 1;
            }
        }
    }

    /// The first rows in board order, high first: ties go to the larger bytes.
    fn top(&self, rows: usize) -> Vec<(u64, Member)> {
        self.order.iter().rev().take(rows).cloned().collect()
    }
}

fn same(a: f64, b: f64) -> bool {
    a.total_cmp(&b).is_eq()
}

fn small(ties: f64) -> Contest {
    Contest::new(Settings { players: 300, ties, ..Settings::default() })
}

#[test]
fn the_same_settings_give_the_same_contest() {
    let play = |seed| {
        let contest = Contest::new(Settings { seed, ..Settings::default() });
        (contest.opening(), contest.take(2_000).collect::<Vec<_>>())
    };
    assert_eq!(play(7), play(7));
    let (one, other) = (play(7), play(8));
    assert_ne!(one.0, other.0);
    assert_ne!(one.1, other.1);
}

#[test]
fn the_default_contest_is_the_one_it_was() {
    let mut contest = Contest::new(Settings::default());
    let opening: Vec<_> =
        contest.opening().into_iter().take(3).map(|player| (player.id, player.name, player.score)).collect();
    insta::assert_debug_snapshot!((opening, contest.nth(9_999)));
}

#[test]
fn the_opening_stays_what_it_was() {
    let mut contest = small(0.3);
    let opening = contest.opening();
    contest.nth(500);
    assert_eq!(contest.opening(), opening);
}

#[test]
fn the_opening_has_many_tie_groups_of_many_sizes() {
    let opening = Contest::new(Settings::default()).opening();
    assert_eq!(opening.len(), 5_000);
    assert!(opening.is_sorted_by(|a, b| a.score >= b.score));
    let groups = |players: &[Player]| -> Vec<usize> {
        players.chunk_by(|a, b| same(a.score, b.score)).map(<[_]>::len).filter(|size| *size >= 2).collect()
    };
    let sizes = groups(&opening);
    assert!(sizes.len() >= 150, "{} tie groups", sizes.len());
    assert!(sizes.iter().any(|size| *size >= 100) && sizes.iter().all(|size| *size <= 200));
    assert!((2..=8).all(|size| sizes.contains(&size)));
    assert!(groups(&opening[..20]).len() >= 2, "the first page shows ties");
    let ids: BTreeSet<_> = opening.iter().map(|player| &player.id).collect();
    let names: BTreeSet<_> = opening.iter().map(|player| &player.name).collect();
    assert_eq!((ids.len(), names.len()), (5_000, 5_000));
}

#[test]
fn the_share_of_ties_is_the_one_asked_for() {
    for ties in [0.0, 0.1, 0.3, 0.75, 1.0] {
        let mut contest = small(ties);
        let mut replay = Replay::of(&contest);
        for step in contest.by_ref().take(10_000) {
            replay.write(step.write);
        }
        let share = f64::from(replay.tied) / f64::from(replay.changes);
        assert!((share - ties).abs() < 0.02, "{share} instead of {ties}");
    }
}

#[test]
fn scores_mostly_grow_and_players_come_and_go() {
    let mut contest = small(0.3);
    let mut replay = Replay::of(&contest);
    for step in contest.by_ref().take(10_000) {
        replay.write(step.write);
    }
    assert!(replay.falls > 0 && replay.falls * 10 < replay.changes, "{} falls", replay.falls);
    assert!(replay.joins > 100 && replay.leaves > 100);
    assert!((270..=330).contains(&replay.board.len()), "{} are left", replay.board.len());
}

#[test]
fn each_minute_has_a_show_for_the_viewer() {
    let mut contest = Contest::new(Settings::default());
    let mut replay = Replay::of(&contest);
    for minute in 1..=15 {
        let mut now = Duration::ZERO;
        let (mut leads, mut moved, mut writes) = (0, 0, 0);
        let mut top = replay.top(50);
        while now < Duration::from_secs(60) {
            let step = contest.next().expect("a contest has no end");
            now += step.after;
            replay.write(step.write);
            let next = replay.top(50);
            writes += 1;
            moved += u32::from(next != top);
            leads += u32::from(next[0].1 != top[0].1);
            top = next;
        }
        assert!((4..=20).contains(&leads), "minute {minute}: {leads} new leaders");
        assert!(moved * 4 >= writes, "minute {minute}: {moved} of {writes} writes in the top");
        let groups = top.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() >= 2).count();
        assert!(groups >= 4, "minute {minute}: {groups} tie groups in the top");
    }
}

#[test]
fn the_mean_rate_is_the_one_asked_for() {
    let contest = Contest::new(Settings::default());
    let seconds: f64 = contest.take(10_000).map(|step| step.after.as_secs_f64()).sum();
    let mean = 10_000.0 / seconds;
    assert!((18.0..=22.0).contains(&mean), "{mean} writes a second");
}

#[test]
fn settings_out_of_bounds_and_tiny_boards_still_play() {
    for (players, rate, ties) in [(0, f64::NAN, f64::NAN), (1, -1.0, 1.0), (2, f64::INFINITY, 7.0), (3, 0.0, -1.0)] {
        let mut contest = Contest::new(Settings { seed: 1, players, rate, ties });
        let mut replay = Replay::of(&contest);
        for step in contest.by_ref().take(3_000) {
            replay.write(step.write);
            assert!((1..=50).contains(&replay.board.len()));
        }
    }
}
