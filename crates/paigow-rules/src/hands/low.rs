//! The low hand: two cards, or one in the games of six cards.

use std::fmt;

use super::ranks::plural;
use super::{Category, JokerUse, Ranking, Wheel};
use crate::cards::{Card, Rank, Suit};

/// The value of a low hand. Of two cards, a pair is above no pair, then ranks count. Of one card,
/// its rank counts, and the joker is above the ace.
///
/// Beside another card the joker is an ace. A wild joker has the rank of the other card. Where
/// ranks are named, a joker alone is an ace. Equal values are copies. A value of one card does not
/// compare with a value of two.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct LowHand {
    is_pair: bool,
    top: Rank,
    /// [`None`] for one card.
    second: Option<Rank>,
    /// True only for a joker alone: beside another card the joker has a rank.
    is_joker: bool,
}

impl LowHand {
    /// Returns the value of two cards, in whatever order.
    ///
    /// # Examples
    ///
    /// ```
    /// use paigow_rules::cards::{Card, Rank};
    /// use paigow_rules::hands::{LowHand, Wheel};
    ///
    /// // The semi-wild joker is an ace.
    /// let aces = LowHand::of(&["As".parse().unwrap(), Card::JOKER], Wheel::Second);
    /// assert_eq!(aces.pair_rank(), Some(Rank::Ace));
    /// assert!(aces > LowHand::of(&["Kc".parse().unwrap(), "Kd".parse().unwrap()], Wheel::Second));
    /// ```
    #[must_use]
    pub fn of(cards: &[Card; 2], ranking: impl Into<Ranking>) -> Self {
        let [a, b] = match (ranking.into().joker, cards.map(Card::rank)) {
            (JokerUse::Wild, [Some(rank), None] | [None, Some(rank)]) => [rank, rank],
            (JokerUse::SemiWild | JokerUse::Wild, _) => cards.map(Card::rank_or_ace),
        };
        Self { is_pair: a == b, top: a.max(b), second: Some(a.min(b)), is_joker: false }
    }

    /// Returns the value of one card alone.
    #[must_use]
    pub const fn of_one(card: Card) -> Self {
        Self { is_pair: false, top: card.rank_or_ace(), second: None, is_joker: card.is_joker() }
    }

    /// Returns the value of one or two cards, or [`None`] for any other number of cards.
    #[must_use]
    pub fn of_cards(cards: &[Card], ranking: impl Into<Ranking>) -> Option<Self> {
        match *cards {
            [card] => Some(Self::of_one(card)),
            [a, b] => Some(Self::of(&[a, b], ranking)),
            _ => None,
        }
    }

    /// Returns the category: a pair or a high card.
    #[must_use]
    pub const fn category(self) -> Category {
        if self.is_pair { Category::Pair } else { Category::HighCard }
    }

    /// Returns the rank of the pair, or [`None`] if the hand is not a pair.
    #[must_use]
    pub const fn pair_rank(self) -> Option<Rank> {
        if self.is_pair { Some(self.top) } else { None }
    }

    /// Returns the higher of the two ranks, or the only one; the joker is an ace.
    #[must_use]
    pub const fn top_rank(self) -> Rank {
        self.top
    }

    /// Returns the lower of the two ranks, or the rank of a pair. Returns [`None`] for one card.
    #[must_use]
    pub const fn second_rank(self) -> Option<Rank> {
        self.second
    }
}

/// Returns every value of so many cards, one or two, the lowest first: 14 or 91 of them.
///
/// For another number of cards the list is empty.
#[must_use]
pub fn every_low_hand(cards: usize) -> Vec<LowHand> {
    // The joker has a rank, and alone is above the ace; two of a rank need two suits.
    let deck =
        || Card::all().filter(|card| !matches!(card.suit(), Some(Suit::Hearts | Suit::Spades)));
    let mut values: Vec<LowHand> = match cards {
        1 => deck().map(LowHand::of_one).collect(),
        2 => deck()
            .flat_map(|a| {
                deck().filter(move |b| a < *b).map(move |b| LowHand::of(&[a, b], Wheel::Second))
            })
            .collect(),
        _ => Vec::new(),
    };
    values.sort_unstable();
    values.dedup();
    values
}

impl fmt::Display for LowHand {
    /// Writes the hand as at the table: `pair of sixes`, `ace queen`, `nine`, `joker`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.pair_rank(), self.second) {
            (Some(rank), _) => write!(f, "pair of {}", plural(rank)),
            (None, Some(second)) => write!(f, "{} {}", self.top.name(), second.name()),
            (None, None) if self.is_joker => f.write_str("joker"),
            (None, None) => f.write_str(self.top.name()),
        }
    }
}
