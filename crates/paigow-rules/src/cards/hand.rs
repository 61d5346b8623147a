//! The cards dealt to a position.

use std::fmt;
use std::ops::{Deref, DerefMut};

use super::{Card, codes};

/// The cards dealt to a position, at most seven, in the order in which they were dealt.
///
/// It is a slice of cards without an allocation, because every round has seven or eight hands. Its
/// `Display` is their codes. Its `Debug` prints no card, as a hand may be hidden.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct Hand {
    /// Jokers behind the cards dealt.
    cards: [Card; Self::MOST],
    len: u8,
}

impl Hand {
    /// The most cards that a game deals to a position.
    pub const MOST: usize = 7;

    /// No cards yet.
    pub const EMPTY: Self = Self { cards: [Card::JOKER; Self::MOST], len: 0 };

    /// Returns a hand of these cards, or [`None`] if there are more than [`Self::MOST`].
    #[must_use]
    pub fn of(cards: &[Card]) -> Option<Self> {
        Self::EMPTY.with(cards)
    }

    /// Returns the hand with a further packet, or [`None`] if that makes more than [`Self::MOST`]
    /// cards.
    #[must_use]
    pub fn with(mut self, packet: &[Card]) -> Option<Self> {
        // The first packet is often the whole hand.
        if let (0, Ok(cards)) = (self.len, packet.try_into()) {
            return Some(Self { cards, len: 7 });
        }
        let begin = self.len();
        let end = begin + packet.len();
        self.cards.get_mut(begin..end)?.copy_from_slice(packet);
        self.len = u8::try_from(end).ok()?;
        Some(self)
    }
}

impl Deref for Hand {
    type Target = [Card];

    fn deref(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }
}

impl DerefMut for Hand {
    fn deref_mut(&mut self) -> &mut [Card] {
        &mut self.cards[..usize::from(self.len)]
    }
}

impl<'a> IntoIterator for &'a Hand {
    type Item = &'a Card;
    type IntoIter = std::slice::Iter<'a, Card>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&codes(self))
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hand({} cards)", self.len)
    }
}

#[cfg(test)]
mod tests;
