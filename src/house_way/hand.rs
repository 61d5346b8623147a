//! Seven cards, grouped by rank.

use super::shape::Shape;
use crate::cards::{Card, Rank};
use crate::hands::holds_straight_or_flush;

/// Seven cards and what the clauses ask of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hand {
    /// In the order of the fresh deck.
    cards: [Card; 7],
    /// (how many, rank), the largest group first, then the highest; unused places
    /// hold no cards.
    groups: [(u8, Rank); 7],
    /// Index of the first group of one card.
    first_singleton: usize,
    shape: Shape,
    straight_or_flush: bool,
}

impl Hand {
    /// Groups seven distinct cards.
    pub(super) fn of(cards: &[Card; 7]) -> Self {
        let mut cards = *cards;
        cards.sort_unstable();
        let mut held = [0_u8; 13];
        for card in cards {
            held[card.rank_or_ace() as usize] += 1;
        }
        let mut groups = [(0, Rank::Two); 7];
        let mut len = 0;
        for rank in Rank::ALL {
            let count = held[rank as usize];
            if count > 0 {
                groups[len] = (count, rank);
                len += 1;
            }
        }
        groups.sort_unstable_by(|a, b| b.cmp(a));
        let sizes = groups.map(|(count, _)| count);
        let shape = match sizes {
            [5, 2, ..] => Shape::FiveTwo,
            [5, ..] => Shape::Five,
            [4, 3, ..] => Shape::FourThree,
            [4, 2, ..] => Shape::FourTwo,
            [4, ..] => Shape::Four,
            [3, 3, ..] => Shape::ThreeThree,
            [3, 2, 2, ..] => Shape::ThreeTwoTwo,
            [3, 2, ..] => Shape::ThreeTwo,
            [3, ..] => Shape::Three,
            [2, 2, 2, ..] => Shape::TwoTwoTwo,
            [2, 2, ..] => Shape::TwoTwo,
            [2, ..] => Shape::Two,
            [..] => Shape::One,
        };
        Self {
            cards,
            groups,
            first_singleton: sizes.iter().filter(|size| **size > 1).count(),
            shape,
            straight_or_flush: holds_straight_or_flush(&cards),
        }
    }

    /// Returns the cards, in the order of the fresh deck.
    pub(super) const fn cards(&self) -> &[Card; 7] {
        &self.cards
    }

    /// Returns the sizes of the groups.
    pub(super) const fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether some five of the cards are a straight, a flush or a straight flush.
    pub(super) const fn holds_straight_or_flush(&self) -> bool {
        self.straight_or_flush
    }

    /// Returns the rank of the group at `place`, the largest and highest being 0, if
    /// there are that many.
    pub(super) fn group(&self, place: usize) -> Option<Rank> {
        self.groups.get(place).filter(|(count, _)| *count > 0).map(|(_, rank)| *rank)
    }

    /// Returns the rank of the singleton at `place`, the highest being 0, if there
    /// are that many.
    pub(super) fn singleton(&self, place: usize) -> Option<Rank> {
        self.group(self.first_singleton + place)
    }
}
