//! The whole deck.

use std::fmt;
use std::ops::Deref;

use super::{Card, CardSet, DECK_LEN};

/// The 53 cards in some order, each of them once.
///
/// Its `Debug` prints no card: most of a deck is hidden.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct Deck([Card; DECK_LEN]);

impl Deck {
    /// The cards by number: a deck before it is shuffled (PGE-FAIR-1, section 5.3).
    #[expect(clippy::cast_possible_truncation, reason = "a deck has 53 cards")]
    pub const FRESH: Self = {
        let mut deck = [Card::JOKER; DECK_LEN];
        let mut number = 0;
        while number < deck.len() {
            if let Some(card) = Card::from_number(number as u8) {
                deck[number] = card;
            }
            number += 1;
        }
        Self(deck)
    };

    /// Returns the deck of these cards, or [`None`] unless there are 53 cards without a duplicate.
    #[must_use]
    pub fn of(cards: &[Card]) -> Option<Self> {
        let deck = cards.try_into().ok()?;
        CardSet::of(cards).map(|_| Self(deck))
    }

    /// Exchanges the cards at two places, 0 to 52.
    ///
    /// # Panics
    ///
    /// If there is no such place.
    #[inline]
    pub fn swap(&mut self, a: usize, b: usize) {
        self.0.swap(a, b);
    }
}

impl Deref for Deck {
    type Target = [Card; DECK_LEN];

    #[inline]
    fn deref(&self) -> &[Card; DECK_LEN] {
        &self.0
    }
}

impl fmt::Debug for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Deck(..)")
    }
}

#[cfg(test)]
mod tests;
