//! The low hand of two cards.

use std::fmt;

use super::Category;
use super::ranks::plural;
use crate::cards::{Card, Rank};

/// The value of a low hand of two cards: a pair above no pair, then ranks.
///
/// The joker is an ace. Equal values are copies.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct LowHand {
    is_pair: bool,
    top: Rank,
    second: Rank,
}

impl LowHand {
    /// Returns the value of two cards, in whatever order.
    #[must_use]
    pub fn of(cards: &[Card; 2]) -> Self {
        let [a, b] = cards.map(Card::rank_or_ace);
        Self { is_pair: a == b, top: a.max(b), second: a.min(b) }
    }

    /// Returns the category: a pair or a high card.
    #[must_use]
    pub const fn category(self) -> Category {
        if self.is_pair { Category::Pair } else { Category::HighCard }
    }

    /// Returns the rank of the pair, or nothing if the cards are unpaired.
    #[must_use]
    pub const fn pair_rank(self) -> Option<Rank> {
        if self.is_pair { Some(self.top) } else { None }
    }

    /// Returns the higher of the two ranks.
    #[must_use]
    pub const fn top_rank(self) -> Rank {
        self.top
    }

    /// Returns the lower of the two ranks: the same again for a pair.
    #[must_use]
    pub const fn second_rank(self) -> Rank {
        self.second
    }
}

impl fmt::Display for LowHand {
    /// Writes the hand as at the table: `pair of sixes`, `ace queen`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pair_rank() {
            Some(rank) => write!(f, "pair of {}", plural(rank)),
            None => write!(f, "{} {}", self.top.name(), self.second.name()),
        }
    }
}
