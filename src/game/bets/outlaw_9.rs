//! Outlaw 9 High or Better: judged on all seven cards, however they are set.

use super::SevenCards;
use crate::cards::Rank;

/// Which hands of one colour the one-colour rows pay.
///
/// The source says only "with no straights or flushes"; the 9- and 10-high rows say
/// "no pairs" besides.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum OneColour {
    /// The printed words: pairs and better are allowed. The bet then favours the
    /// player by 0.655023 %.
    Any,
    /// Seven different ranks, the joker an ace. The house keeps 2.998796 %.
    NoPair,
}

/// A row of the pay table.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Outlaw9Row {
    /// Seven successive ranks of one suit, no joker.
    NaturalSevenCardStraightFlush,
    /// A royal flush, the joker allowed, beside a real king and queen of one suit.
    RoyalMatch,
    /// The joker and six cards of one suit that fit into seven successive ranks.
    JokerSevenCardStraightFlush,
    /// Four aces and the joker.
    FiveAces,
    /// Ten to ace of one suit, the joker allowed.
    RoyalFlush,
    /// Five successive ranks of one suit, the joker allowed.
    StraightFlush,
    /// Four of one rank, the joker an ace.
    FourOfAKind,
    /// A pai gow hand whose highest rank is nine.
    NineHigh,
    /// A pai gow hand whose highest rank is ten.
    TenHigh,
    /// Seven cards of one colour, no joker, no straight and no flush.
    OneColour,
    /// The joker and six cards of one colour, no straight and no flush even with the
    /// joker.
    OneColourWithJoker,
    /// Three of one rank and two of another, the joker an ace.
    FullHouse,
    /// Five cards of one suit, the joker allowed.
    Flush,
    /// Three of one rank, the joker an ace.
    ThreeOfAKind,
    /// Five successive ranks, the joker allowed.
    Straight,
    /// Three ranks held twice, and no better hand.
    ThreePair,
}

impl Outlaw9Row {
    /// All rows, in the order of the source.
    pub const ALL: [Self; 16] = [
        Self::NaturalSevenCardStraightFlush,
        Self::RoyalMatch,
        Self::JokerSevenCardStraightFlush,
        Self::FiveAces,
        Self::RoyalFlush,
        Self::StraightFlush,
        Self::FourOfAKind,
        Self::NineHigh,
        Self::TenHigh,
        Self::OneColour,
        Self::OneColourWithJoker,
        Self::FullHouse,
        Self::Flush,
        Self::ThreeOfAKind,
        Self::Straight,
        Self::ThreePair,
    ];

    /// Returns the name that a ruleset calls the condition by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NaturalSevenCardStraightFlush => "natural_seven_card_straight_flush",
            Self::RoyalMatch => "royal_match",
            Self::JokerSevenCardStraightFlush => "joker_seven_card_straight_flush",
            Self::FiveAces => "five_aces",
            Self::RoyalFlush => "royal_flush",
            Self::StraightFlush => "straight_flush",
            Self::FourOfAKind => "four_of_a_kind",
            Self::NineHigh => "nine_high",
            Self::TenHigh => "ten_high",
            Self::OneColour => "one_colour",
            Self::OneColourWithJoker => "one_colour_with_joker",
            Self::FullHouse => "full_house",
            Self::Flush => "flush",
            Self::ThreeOfAKind => "three_of_a_kind",
            Self::Straight => "straight",
            Self::ThreePair => "three_pair",
        }
    }

    /// Whether the row holds for these seven cards, whatever other rows do.
    #[must_use]
    pub fn holds(self, cards: &SevenCards, one_colour: OneColour) -> bool {
        match self {
            Self::NaturalSevenCardStraightFlush => {
                !cards.has_joker() && cards.is_seven_card_straight_flush()
            }
            Self::RoyalMatch => cards.has_royal_match(),
            Self::JokerSevenCardStraightFlush => {
                cards.has_joker() && cards.is_seven_card_straight_flush()
            }
            Self::FiveAces => cards.has_five_aces(),
            Self::RoyalFlush => cards.has_royal_flush(),
            Self::StraightFlush => cards.has_straight_flush(),
            Self::FourOfAKind => cards.has_four_of_a_kind(),
            Self::NineHigh => cards.is_pai_gow() && cards.highest() == Rank::Nine,
            Self::TenHigh => cards.is_pai_gow() && cards.highest() == Rank::Ten,
            Self::OneColour => !cards.has_joker() && is_paid_colour(cards, one_colour),
            Self::OneColourWithJoker => cards.has_joker() && is_paid_colour(cards, one_colour),
            Self::FullHouse => cards.has_full_house(),
            Self::Flush => cards.has_flush(),
            Self::ThreeOfAKind => cards.has_three_of_a_kind(),
            Self::Straight => cards.has_straight(),
            Self::ThreePair => cards.is_three_pair(),
        }
    }
}

fn is_paid_colour(cards: &SevenCards, one_colour: OneColour) -> bool {
    let ranks_fit = match one_colour {
        OneColour::Any => true,
        OneColour::NoPair => cards.has_no_pair(),
    };
    ranks_fit && cards.is_one_colour() && !cards.has_straight() && !cards.has_flush()
}
