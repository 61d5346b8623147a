//! Distinct cards, in no order.

use super::{Card, Rank};

/// A set of cards. Its iterator returns them in the order of the fresh deck.
// Bit `n` is the card with the number n.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct CardSet(u64);

impl CardSet {
    /// Returns the set of these cards, or [`None`] if a card occurs twice.
    #[must_use]
    pub fn of(cards: &[Card]) -> Option<Self> {
        let set = Self::default().with(cards);
        (set.len() == cards.len()).then_some(set)
    }

    /// Returns the set with these cards added.
    #[must_use]
    pub fn with(self, cards: &[Card]) -> Self {
        Self(cards.iter().fold(self.0, |held, card| held | Self::of_one(*card).0))
    }

    /// Returns the set of one card.
    #[must_use]
    pub const fn of_one(card: Card) -> Self {
        Self(1 << card.number())
    }

    /// Returns the set of the four cards of a rank.
    #[must_use]
    pub const fn of_rank(rank: Rank) -> Self {
        // Thirteen numbers lie between the suits.
        let deuces = 1 | 1 << 13 | 1 << 26 | 1 << 39;
        Self(deuces << rank.index())
    }

    /// Returns how many cards there are, 0 to 53.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no card.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the cards that are also in `other`.
    #[must_use]
    pub const fn within(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the cards that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the first card in the order of the fresh deck, or [`None`] if the set is empty.
    #[must_use]
    pub fn first(self) -> Option<Card> {
        let number = u8::try_from(self.0.trailing_zeros()).ok()?;
        Card::from_number(number)
    }
}

impl Iterator for CardSet {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        let card = self.first()?;
        *self = self.without(Self::of_one(card));
        Some(card)
    }
}

#[cfg(test)]
mod tests;
