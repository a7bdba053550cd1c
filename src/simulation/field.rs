//! Who plays and where they stand, kept so that anybody and any score nearby is found in logarithmic time. It decides
//! nothing: who moves, and where to, is the contest's business.

use std::collections::BTreeSet;

/// The players of the moment. Scores count in steps of the contest. A slot is a player's place in memory; it may pass
/// to somebody else when a player leaves.
#[derive(Debug, Default)]
pub(super) struct Field {
    players: Vec<Standing>,
    /// (score, slot), the best one last.
    order: BTreeSet<(u64, usize)>,
}

/// One player's number and score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) number: u64,
    pub(super) score: u64,
}

impl Field {
    pub(super) fn len(&self) -> usize {
        self.players.len()
    }

    pub(super) fn join(&mut self, player: Standing) {
        self.order.insert((player.score, self.players.len()));
        self.players.push(player);
    }

    /// Takes a player out. `None` where nobody is in the slot.
    pub(super) fn leave(&mut self, slot: usize) -> Option<Standing> {
        let gone = *self.players.get(slot)?;
        let last = self.players.len() - 1;
        self.order.remove(&(gone.score, slot));
        self.players.swap_remove(slot);
        if let Some(moved) = self.players.get(slot) {
            self.order.remove(&(moved.score, last));
            self.order.insert((moved.score, slot));
        }
        Some(gone)
    }

    /// Gives a player a new score and says who it is. `None` where nobody is in the slot.
    pub(super) fn score(&mut self, slot: usize, score: u64) -> Option<Standing> {
        let player = self.players.get_mut(slot)?;
        self.order.remove(&(player.score, slot));
        player.score = score;
        self.order.insert((score, slot));
        Some(*player)
    }

    pub(super) fn at_slot(&self, slot: usize) -> Option<Standing> {
        self.players.get(slot).copied()
    }

    /// The slot `index` places behind the first, 0 being the first. Cost O(index). Those who tie stand in no order that
    /// means anything.
    pub(super) fn at_place(&self, index: usize) -> Option<usize> {
        self.order.iter().nth_back(index).map(|&(_, slot)| slot)
    }

    pub(super) fn best(&self) -> Option<u64> {
        self.order.last().map(|&(score, _)| score)
    }

    pub(super) fn is_taken(&self, score: u64) -> bool {
        self.order.range((score, 0)..=(score, usize::MAX)).next().is_some()
    }

    /// The next score above that somebody has.
    pub(super) fn next_above(&self, score: u64) -> Option<u64> {
        self.order.range((score.checked_add(1)?, 0)..).next().map(|&(score, _)| score)
    }

    /// The next score below that somebody has.
    pub(super) fn next_below(&self, score: u64) -> Option<u64> {
        self.order.range(..(score, 0)).next_back().map(|&(score, _)| score)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_stands_as_a_plain_list_would(
            moves in prop::collection::vec((0..3, 0..40_usize, 0..30_u64), 1..200),
            asked in 0..31_u64,
        ) {
            let mut field = Field::default();
            let mut list: Vec<Standing> = Vec::new();
            for (number, (kind, slot, score)) in (0..).zip(moves) {
                match kind {
                    0 => {
                        field.join(Standing { number, score });
                        list.push(Standing { number, score });
                    }
                    1 => {
                        let gone = (slot < list.len()).then(|| list.swap_remove(slot));
                        prop_assert_eq!(field.leave(slot), gone);
                    }
                    _ => {
                        let scored = list.get_mut(slot).map(|player| {
                            player.score = score;
                            *player
                        });
                        prop_assert_eq!(field.score(slot, score), scored);
                    }
                }
            }
            prop_assert_eq!(&field.players, &list);
            let scores = || list.iter().map(|player| player.score);
            prop_assert_eq!(field.len(), list.len());
            prop_assert_eq!(field.best(), scores().max());
            prop_assert_eq!(field.is_taken(asked), scores().any(|score| score == asked));
            prop_assert_eq!(field.next_above(asked), scores().filter(|score| *score > asked).min());
            prop_assert_eq!(field.next_below(asked), scores().filter(|score| *score < asked).max());
            let mut sorted: Vec<u64> = scores().collect();
            sorted.sort_unstable();
            for (index, score) in sorted.iter().rev().enumerate() {
                let slot = field.at_place(index).unwrap();
                prop_assert_eq!(field.at_slot(slot), list.get(slot).copied());
                prop_assert_eq!(list[slot].score, *score);
            }
            prop_assert_eq!(field.at_place(list.len()), None);
        }
    }
}
