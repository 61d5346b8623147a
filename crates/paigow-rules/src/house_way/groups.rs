//! Cards grouped by rank.

use crate::cards::{Card, Rank};
use crate::hands::JokerUse;

/// The groups of equal rank of up to seven cards. A semi-wild joker is an ace. A wild joker is one
/// more of the largest group, of several the highest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Groups {
    /// (how many, rank), the largest group first, then the highest; unused places
    /// hold no cards.
    groups: [(u8, Rank); 7],
    /// Index of the first group of one card.
    first_singleton: usize,
}

impl Groups {
    /// Groups up to seven distinct cards.
    pub(super) fn of(cards: &[Card], joker: JokerUse) -> Self {
        let mut held = [0_u8; 13];
        for rank in cards.iter().filter_map(|card| card.rank()) {
            held[rank as usize] += 1;
        }
        if cards.iter().any(|card| card.is_joker()) {
            let most = Rank::ALL.into_iter().max_by_key(|rank| held[*rank as usize]);
            let stands_for = match joker {
                JokerUse::SemiWild => None,
                JokerUse::Wild => most,
            };
            held[stands_for.unwrap_or(Rank::Ace) as usize] += 1;
        }
        let mut groups = [(0, Rank::Two); 7];
        let ranks = Rank::ALL.into_iter().filter(|rank| held[*rank as usize] > 0);
        for (group, rank) in groups.iter_mut().zip(ranks) {
            *group = (held[rank as usize], rank);
        }
        groups.sort_unstable_by(|a, b| b.cmp(a));
        let first_singleton = groups.iter().filter(|(size, _)| *size > 1).count();
        Self { groups, first_singleton }
    }

    /// Returns the sizes of the groups, largest first, then zeros.
    pub(super) fn sizes(&self) -> [u8; 7] {
        self.groups.map(|(size, _)| size)
    }

    /// Returns the rank of the group at `place`, the largest and highest being 0, if
    /// there are that many.
    pub(super) fn rank(&self, place: usize) -> Option<Rank> {
        self.groups.get(place).filter(|(size, _)| *size > 0).map(|(_, rank)| *rank)
    }

    /// Returns the rank of the singleton at `place`, the highest being 0, if there
    /// are that many.
    pub(super) fn singleton(&self, place: usize) -> Option<Rank> {
        self.rank(self.first_singleton + place)
    }
}
