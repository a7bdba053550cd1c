//! A simulated contest: an opening board, then one write after another for ever, all of it a function of the settings.
//! It is made to be watched: ties are many, the lead changes hands, the first page moves, and writes come in bursts.
//! It knows no Redis and no clock; whoever plays it waits and writes.

mod cast;
mod field;
mod names;
mod opening;
mod tempo;

use crate::board::entry::{Entry, Member};
use cast::Cast;
use field::{Field, Standing};
use names::Names;
use opening::line_up;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::iter;
use std::ops::RangeInclusive;
use std::time::Duration;
use tempo::Tempo;

/// How many places from the first one on count as the top, where more happens than elsewhere.
const TOP: usize = 50;
/// Places among which challengers of the leader are found.
const CONTENDERS: usize = 5;
/// Score changes from one challenge to the next.
const CHALLENGE_EVERY: RangeInclusive<u32> = 90..=150;
/// Steps by which a challenger takes the lead.
const LEAD: RangeInclusive<u64> = 5..=40;
/// The share of writes by which somebody joins or leaves.
const TURNOVER: f64 = 0.04;
/// The share of joins and leaves that happen in the top.
const TURNOVER_IN_TOP: f64 = 0.3;
/// The share of score changes that concern the top in any case.
const CHANGES_IN_TOP: f64 = 0.35;
/// The share of score changes that lower a score.
const FALLS: f64 = 0.03;
/// Distinct scores that a player overtakes at most in one change, unless a challenger.
const HOPS: u32 = 4;
/// Steps by which a player clears the score just overtaken, where that place is free.
const CLEARANCE: RangeInclusive<u64> = 1..=8;

/// What a contest follows from: the same settings give the same contest on every machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Chooses one contest of the many.
    pub seed: u64,
    /// How many players there are at first, and about how many there will always be.
    pub players: u32,
    /// Writes a second, averaged over minutes.
    pub rate: f64,
    /// The share of score changes that land on a score somebody else already has, 0 to 1. The opening board has ties
    /// whatever it is.
    pub ties: f64,
}

impl Settings {
    /// The numbers of players that make sense.
    pub const PLAYERS: RangeInclusive<u32> = 1..=10_000_000;
    /// The rates that make sense, in writes a second.
    pub const RATE: RangeInclusive<f64> = 0.001..=1_000_000.0;
    /// The shares of ties that make sense.
    pub const TIES: RangeInclusive<f64> = 0.0..=1.0;

    fn within_bounds(self) -> Self {
        Self {
            seed: self.seed,
            players: self.players.clamp(*Self::PLAYERS.start(), *Self::PLAYERS.end()),
            rate: within(&Self::RATE, self.rate),
            ties: within(&Self::TIES, self.ties),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self { seed: 7, players: 5000, rate: 20.0, ties: 0.3 }
    }
}

/// Somebody on the board. The id never changes and is never given to anybody else.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    /// The member, such as `u:1000`.
    pub id: Member,
    /// What people read.
    pub name: String,
    /// Finite; on a board of the contest's own a multiple of ten, at least 0.
    pub score: f64,
}

/// One write to the board.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// A player's score changes.
    Score {
        /// Whose.
        id: Member,
        /// The new score itself, never the one held before.
        score: f64,
    },
    /// A newcomer enters with a score.
    Join {
        /// Who, with a new id.
        player: Player,
    },
    /// A player leaves for good.
    Leave {
        /// Who.
        id: Member,
    },
}

/// A write and when it is due.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The time since the write before.
    pub after: Duration,
    /// What is written.
    pub write: Write,
}

/// The contest itself. As an iterator it yields steps without end, each at a cost of O(log players).
#[derive(Debug)]
pub struct Contest {
    settings: Settings,
    names: Names,
    cast: Cast,
    rng: ChaCha8Rng,
    tempo: Tempo,
    field: Field,
    /// The number of the next to join.
    next_number: u64,
    until_challenge: u32,
}

impl Contest {
    /// Sets up a contest on a board of its own. Settings outside the bounds that [`Settings`] states are taken as the
    /// nearest bound, NaN as the lower one.
    pub fn new(settings: Settings) -> Self {
        let settings = settings.within_bounds();
        let names = Names::new();
        let mut field = Field::default();
        for standing in line_up(settings, names.famous()) {
            field.join(standing);
        }
        Self::begin(settings, names, Cast::default(), field)
    }

    /// Sets up a contest among those who are on a board already, no matter how many [`Settings::players`] says; it says
    /// about how many there will be in the long run. Newcomers' ids contain `mark`, so that two contests with marks of
    /// their own never share one. Who has a score that is not finite is left alone.
    pub fn among(settings: Settings, there: Vec<Entry>, mark: &str) -> Self {
        let (cast, steps) = Cast::of(there, mark);
        let mut field = Field::default();
        for (number, score) in (0..).zip(steps) {
            field.join(Standing { number, score });
        }
        Self::begin(settings.within_bounds(), Names::new(), cast, field)
    }

    fn begin(settings: Settings, names: Names, cast: Cast, field: Field) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
        Self {
            tempo: Tempo::new(settings.rate, &mut rng),
            until_challenge: rng.random_range(CHALLENGE_EVERY),
            next_number: field.len() as u64,
            settings,
            names,
            cast,
            rng,
            field,
        }
    }

    /// The board before the first step, best score first, however many steps have been taken since. Nobody, where those
    /// who play were there before.
    pub fn opening(&self) -> Vec<Player> {
        if !self.cast.is_own() {
            return Vec::new();
        }
        let standings = line_up(self.settings, self.names.famous());
        standings.into_iter().map(|standing| self.player(standing)).collect()
    }

    fn player(&self, standing: Standing) -> Player {
        Player {
            id: self.cast.id(standing.number),
            name: self.names.of(self.settings.seed, standing.number),
            score: self.cast.worth(standing.score),
        }
    }

    fn join(&mut self) -> Write {
        let score = match self.someone_in_top() {
            Some(rival) if self.rng.random_bool(TURNOVER_IN_TOP) => self.free_above(rival.score),
            _ => 0,
        };
        let standing = Standing { number: self.next_number, score };
        self.next_number += 1;
        self.field.join(standing);
        Write::Join { player: self.player(standing) }
    }

    fn join_or_leave(&mut self) -> Option<Write> {
        let is_short = self.field.len() < self.settings.players as usize;
        if self.rng.random_bool(if is_short { 0.6 } else { 0.4 }) || self.field.len() == 1 {
            return Some(self.join());
        }
        let slot = self.slot(TURNOVER_IN_TOP)?;
        let gone = self.field.leave(slot)?;
        Some(Write::Leave { id: self.cast.id(gone.number) })
    }

    /// Changes somebody's score, `None` where there is nobody.
    fn change(&mut self) -> Option<Write> {
        self.until_challenge -= 1;
        let is_challenge = self.until_challenge == 0;
        if is_challenge {
            self.until_challenge = self.rng.random_range(CHALLENGE_EVERY);
        }
        let slot = if is_challenge {
            let places = 1..CONTENDERS.min(self.field.len()).max(2);
            let place = self.rng.random_range(places);
            self.field.at_place(place).or_else(|| self.field.at_place(0))?
        } else {
            self.slot(CHANGES_IN_TOP)?
        };
        let own = self.field.at_slot(slot)?.score;
        let best = self.field.best()?;
        let score = if is_challenge {
            self.challenge(own, best)
        } else if self.rng.random_bool(FALLS) {
            self.fall(own)
        } else {
            let aim = self.aim(own, best);
            self.rise(own, aim)
        };
        let scored = self.field.score(slot, score)?;
        Some(Write::Score { id: self.cast.id(scored.number), score: self.cast.worth(score) })
    }

    /// The new score of somebody who draws level with the leader or takes the lead.
    fn challenge(&mut self, own: u64, best: u64) -> u64 {
        if own < best && self.rng.random_bool(self.settings.ties) {
            return best;
        }
        best + self.rng.random_range(LEAD)
    }

    /// A score that somebody has, a few above one's own but below the best, or one's own.
    fn aim(&mut self, own: u64, best: u64) -> u64 {
        let mut aim = own;
        for _ in 0..self.rng.random_range(1..=HOPS) {
            match self.field.next_above(aim) {
                Some(next) if next < best => aim = next,
                _ => break,
            }
        }
        aim
    }

    /// The new score of somebody who goes up to the score `aim`, which is taken and not below one's own, or just past it.
    fn rise(&mut self, own: u64, aim: u64) -> u64 {
        if !self.rng.random_bool(self.settings.ties) {
            return self.free_above(aim);
        }
        if aim > own {
            return aim;
        }
        // Whoever is first or second ties with those below: only a challenge should reach the leader.
        self.tied_below(own).unwrap_or_else(|| self.free_above(own))
    }

    /// The new score of somebody who goes down, or up from where nothing below will do.
    fn fall(&mut self, own: u64) -> u64 {
        let score = if self.rng.random_bool(self.settings.ties) {
            self.tied_below(own)
        } else {
            let drop = self.rng.random_range(CLEARANCE);
            own.checked_sub(drop).filter(|score| !self.field.is_taken(*score))
        };
        score.unwrap_or_else(|| self.free_above(own))
    }

    /// The nearest score that somebody else has, below if there is one.
    fn tied_below(&self, own: u64) -> Option<u64> {
        self.field.next_below(own).or_else(|| self.field.next_above(own))
    }

    /// A score that nobody has, just above `base`, which somebody has. The distance grows by half until one is found, so
    /// a crowd costs a logarithm to pass. Where only the lead is left above, one below is better: the lead is for
    /// challengers.
    fn free_above(&mut self, base: u64) -> u64 {
        let best = self.field.best().unwrap_or(base);
        let clearance = self.rng.random_range(CLEARANCE);
        let distances = || iter::successors(Some(clearance), |distance| distance.checked_add(distance.div_ceil(2)));
        let above = distances().map(|distance| base + distance).take_while(|score| *score < best);
        let below = distances().map_while(|distance| base.checked_sub(distance)).filter(|_| base < best);
        above.chain(below).find(|score| !self.field.is_taken(*score)).unwrap_or(best + clearance)
    }

    /// Somebody's slot: with this probability of somebody in the top, else of anybody.
    fn slot(&mut self, in_top: f64) -> Option<usize> {
        let len = self.field.len();
        if len == 0 {
            return None;
        }
        if self.rng.random_bool(in_top) {
            let place = self.rng.random_range(0..TOP.min(len));
            return self.field.at_place(place);
        }
        Some(self.rng.random_range(0..len))
    }

    fn someone_in_top(&mut self) -> Option<Standing> {
        let slot = self.slot(1.0)?;
        self.field.at_slot(slot)
    }
}

impl Iterator for Contest {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let after = self.tempo.gap(&mut self.rng);
        let write = if self.rng.random_bool(TURNOVER) { self.join_or_leave() } else { self.change() };
        // A board without anybody can only be joined.
        let write = write.unwrap_or_else(|| self.join());
        Some(Step { after, write })
    }
}

fn within(bounds: &RangeInclusive<f64>, value: f64) -> f64 {
    if value.is_nan() { *bounds.start() } else { value.clamp(*bounds.start(), *bounds.end()) }
}

#[cfg(test)]
mod tests;
