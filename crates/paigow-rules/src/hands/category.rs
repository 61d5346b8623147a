//! The twelve categories of hands.

use std::fmt;

/// The category of the hand that the cards make, lowest first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Category {
    /// None of the categories below: the ranks alone count.
    HighCard,
    /// Two cards of a rank.
    Pair,
    /// Two pairs.
    TwoPair,
    /// Three cards of a rank.
    ThreeOfAKind,
    /// Five ranks in a row, not all of a suit.
    Straight,
    /// Five cards of a suit, not all in a row.
    Flush,
    /// Three cards of a rank and two of another.
    FullHouse,
    /// Four cards of a rank.
    FourOfAKind,
    /// Five ranks in a row, all of a suit, below the royal flush.
    StraightFlush,
    /// Ace, king, queen, jack and ten of a suit.
    RoyalFlush,
    /// Four cards of a rank below the ace, and a joker that is wild.
    FiveOfAKind,
    /// The four aces and the joker.
    FiveAces,
}

impl Category {
    /// The categories, lowest first.
    pub const ALL: [Self; 12] = [
        Self::HighCard,
        Self::Pair,
        Self::TwoPair,
        Self::ThreeOfAKind,
        Self::Straight,
        Self::Flush,
        Self::FullHouse,
        Self::FourOfAKind,
        Self::StraightFlush,
        Self::RoyalFlush,
        Self::FiveOfAKind,
        Self::FiveAces,
    ];

    /// Returns the name of the category, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HighCard => "high card",
            Self::Pair => "pair",
            Self::TwoPair => "two pair",
            Self::ThreeOfAKind => "three of a kind",
            Self::Straight => "straight",
            Self::Flush => "flush",
            Self::FullHouse => "full house",
            Self::FourOfAKind => "four of a kind",
            Self::StraightFlush => "straight flush",
            Self::RoyalFlush => "royal flush",
            Self::FiveOfAKind => "five of a kind",
            Self::FiveAces => "five aces",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
