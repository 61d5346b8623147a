//! What the first three cards dealt make.

use crate::cards::{Card, Rank, Suit};

/// The thirteen ranks, and the ace a second time below the deuce.
const PLACES: usize = 14;

/// Three cards as a bonus bet looks at them.
///
/// The joker is an ace, or completes a straight, a flush or a straight flush; it
/// pairs only aces.
#[derive(Clone, Copy, Debug)]
pub struct ThreeCards {
    has_joker: bool,
    /// The most cards of one rank, the joker an ace.
    most_alike: usize,
    is_straight: bool,
    is_flush: bool,
}

impl ThreeCards {
    /// Looks at three different cards.
    #[must_use]
    pub fn of(cards: &[Card; 3]) -> Self {
        let ranks = || cards.iter().filter_map(|card| card.rank());
        let suits = || cards.iter().filter_map(|card| card.suit());
        let alike = |rank| cards.iter().filter(|card| card.rank_or_ace() == rank).count();
        // Bit 0 is the ace below the deuce, bit 13 the ace above the king.
        let places = ranks().fold(0_u16, |places, rank| {
            let low_ace = u16::from(rank == Rank::Ace);
            places | 2 << rank.index() | low_ace
        });
        let jokers = 3 - ranks().count();
        let in_window = |lowest: usize| (places >> lowest & 0b111).count_ones() as usize;
        Self {
            has_joker: jokers > 0,
            most_alike: Rank::ALL.into_iter().map(alike).max().unwrap_or(0),
            is_straight: (0..=PLACES - 3).any(|lowest| in_window(lowest) + jokers == 3),
            is_flush: Suit::ALL
                .into_iter()
                .any(|suit| suits().filter(|held| *held == suit).count() + jokers == 3),
        }
    }
}

/// What a row asks of three cards. A condition does not exclude better hands: the
/// first row of a table that holds is the one that is paid.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ThreeCardCondition {
    /// Three successive ranks of one suit, no joker.
    NaturalStraightFlush,
    /// Three of one rank, the joker an ace.
    ThreeOfAKind,
    /// Three successive ranks of one suit, the joker allowed.
    StraightFlush,
    /// Three successive ranks, the joker allowed.
    Straight,
    /// Three cards of one suit, the joker allowed.
    Flush,
    /// Two of one rank, the joker an ace.
    Pair,
}

impl ThreeCardCondition {
    /// All conditions, in the order of the source.
    pub const ALL: [Self; 6] = [
        Self::NaturalStraightFlush,
        Self::ThreeOfAKind,
        Self::StraightFlush,
        Self::Straight,
        Self::Flush,
        Self::Pair,
    ];

    /// Returns the name that a ruleset calls the condition by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NaturalStraightFlush => "natural_straight_flush",
            Self::ThreeOfAKind => "three_of_a_kind",
            Self::StraightFlush => "straight_flush",
            Self::Straight => "straight",
            Self::Flush => "flush",
            Self::Pair => "pair",
        }
    }

    /// Whether the condition holds for these cards, whatever others do.
    #[must_use]
    pub const fn holds(self, cards: &ThreeCards) -> bool {
        let is_straight_flush = cards.is_straight && cards.is_flush;
        match self {
            Self::NaturalStraightFlush => is_straight_flush && !cards.has_joker,
            Self::ThreeOfAKind => cards.most_alike == 3,
            Self::StraightFlush => is_straight_flush,
            Self::Straight => cards.is_straight,
            Self::Flush => cards.is_flush,
            Self::Pair => cards.most_alike >= 2,
        }
    }
}
