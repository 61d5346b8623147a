//! What a row may ask of all cards dealt, however they are set.

use super::DealtHand;
use crate::cards::Rank;

/// Which hands of one colour the one-colour conditions hold for.
///
/// The source says only "with no straights or flushes"; its 9- and 10-high rows say
/// "no pairs" besides.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum OneColour {
    /// The printed words: pairs and better are allowed. The bet then favours the
    /// player by 0.655023 %.
    Any,
    /// Different ranks only, the joker an ace. The house keeps 2.998796 %.
    NoPair,
}

/// What a row asks of six or seven cards.
///
/// Some five of them make it, the joker used afresh for each condition: an ace, or a
/// card that completes a straight, a flush, a straight flush or a royal flush. A
/// condition does not exclude better hands unless it says so: the first row of a
/// table that holds is the one that is paid.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum HandCondition {
    /// A-2-3-4-5 of one suit and an ace and a queen of one other; no joker.
    LuhnTaoWheelWithAceQueen,
    /// Seven successive ranks of one suit, no joker.
    NaturalSevenCardStraightFlush,
    /// A royal flush, the joker allowed, beside a real ace and queen of one suit.
    RoyalFlushWithAceQueen,
    /// A royal flush, the joker allowed, beside a real king and queen of one suit.
    RoyalMatch,
    /// The joker and six cards of one suit that fit into seven successive ranks.
    JokerSevenCardStraightFlush,
    /// Four aces and the joker.
    FiveAces,
    /// A-2-3-4-5 of one suit, and no joker anywhere in the hand.
    LuhnTaoWheel,
    /// A Luhn Tao wheel that is not part of the straight flush ace to seven: the
    /// hands that the published figure for Protection counts.
    NaturalAceToFiveStraightFlush,
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
    /// A pai gow hand whose highest rank is the jack.
    JackHigh,
    /// A pai gow hand whose highest rank is the queen.
    QueenHigh,
    /// A pai gow hand whose highest rank is the king.
    KingHigh,
    /// A pai gow hand whose highest rank is the ace; the joker is one.
    AceHigh,
    /// All cards of one colour, no joker, no straight and no flush.
    OneColour(OneColour),
    /// The joker and all other cards of one colour, no straight and no flush even
    /// with the joker.
    OneColourWithJoker(OneColour),
    /// Three of one rank and two of another, the joker an ace.
    FullHouse,
    /// Five cards of one suit, the joker allowed.
    Flush,
    /// Three of one rank, the joker an ace.
    ThreeOfAKind,
    /// Five successive ranks, the joker allowed.
    Straight,
    /// Three ranks held twice, and no three of a kind, straight or flush; the joker
    /// is an ace.
    ThreePair,
    /// Two ranks, or three, held twice or more; the joker is an ace.
    TwoPair,
}

impl OneColour {
    /// Both readings.
    pub const ALL: [Self; 2] = [Self::Any, Self::NoPair];

    /// Returns the name that a ruleset calls the reading by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::NoPair => "no_pair",
        }
    }
}

impl HandCondition {
    /// All conditions, the one-colour conditions under both readings; roughly the
    /// rarest first.
    pub const EVERY: [Self; 27] = [
        Self::LuhnTaoWheelWithAceQueen,
        Self::NaturalSevenCardStraightFlush,
        Self::RoyalFlushWithAceQueen,
        Self::RoyalMatch,
        Self::JokerSevenCardStraightFlush,
        Self::FiveAces,
        Self::LuhnTaoWheel,
        Self::NaturalAceToFiveStraightFlush,
        Self::RoyalFlush,
        Self::StraightFlush,
        Self::FourOfAKind,
        Self::NineHigh,
        Self::TenHigh,
        Self::JackHigh,
        Self::QueenHigh,
        Self::KingHigh,
        Self::AceHigh,
        Self::OneColour(OneColour::Any),
        Self::OneColour(OneColour::NoPair),
        Self::OneColourWithJoker(OneColour::Any),
        Self::OneColourWithJoker(OneColour::NoPair),
        Self::FullHouse,
        Self::Flush,
        Self::ThreeOfAKind,
        Self::Straight,
        Self::ThreePair,
        Self::TwoPair,
    ];

    /// Returns all conditions that have different names: the one-colour conditions
    /// under one reading of them, or without a reading not at all.
    pub fn all(one_colour: Option<OneColour>) -> impl Iterator<Item = Self> {
        let is_read = move |condition: &Self| {
            condition.reading().is_none_or(|reading| Some(reading) == one_colour)
        };
        Self::EVERY.into_iter().filter(is_read)
    }

    /// Returns the reading of a one-colour condition.
    #[must_use]
    pub const fn reading(self) -> Option<OneColour> {
        if let Self::OneColour(reading) | Self::OneColourWithJoker(reading) = self {
            Some(reading)
        } else {
            None
        }
    }

    /// Returns the name that a ruleset calls the condition by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LuhnTaoWheelWithAceQueen => "luhn_tao_wheel_with_ace_queen",
            Self::NaturalSevenCardStraightFlush => "natural_seven_card_straight_flush",
            Self::RoyalFlushWithAceQueen => "royal_flush_with_ace_queen",
            Self::RoyalMatch => "royal_match",
            Self::JokerSevenCardStraightFlush => "joker_seven_card_straight_flush",
            Self::FiveAces => "five_aces",
            Self::LuhnTaoWheel => "luhn_tao_wheel",
            Self::NaturalAceToFiveStraightFlush => "natural_ace_to_five_straight_flush",
            Self::RoyalFlush => "royal_flush",
            Self::StraightFlush => "straight_flush",
            Self::FourOfAKind => "four_of_a_kind",
            Self::NineHigh => "nine_high",
            Self::TenHigh => "ten_high",
            Self::JackHigh => "jack_high",
            Self::QueenHigh => "queen_high",
            Self::KingHigh => "king_high",
            Self::AceHigh => "ace_high",
            Self::OneColour(_) => "one_colour",
            Self::OneColourWithJoker(_) => "one_colour_with_joker",
            Self::FullHouse => "full_house",
            Self::Flush => "flush",
            Self::ThreeOfAKind => "three_of_a_kind",
            Self::Straight => "straight",
            Self::ThreePair => "three_pair",
            Self::TwoPair => "two_pair",
        }
    }

    /// Returns how many cards a hand must be dealt to meet the condition, 6 or 7:
    /// seven if it asks for seven cards, or for two beside a hand of five.
    #[must_use]
    pub const fn least_cards(self) -> usize {
        match self {
            Self::LuhnTaoWheelWithAceQueen
            | Self::NaturalSevenCardStraightFlush
            | Self::RoyalFlushWithAceQueen
            | Self::RoyalMatch
            | Self::JokerSevenCardStraightFlush => 7,
            Self::FiveAces
            | Self::LuhnTaoWheel
            | Self::NaturalAceToFiveStraightFlush
            | Self::RoyalFlush
            | Self::StraightFlush
            | Self::FourOfAKind
            | Self::NineHigh
            | Self::TenHigh
            | Self::JackHigh
            | Self::QueenHigh
            | Self::KingHigh
            | Self::AceHigh
            | Self::OneColour(_)
            | Self::OneColourWithJoker(_)
            | Self::FullHouse
            | Self::Flush
            | Self::ThreeOfAKind
            | Self::Straight
            | Self::ThreePair
            | Self::TwoPair => 6,
        }
    }

    /// Whether the condition holds for these cards, whatever others do.
    #[must_use]
    pub fn holds(self, cards: &DealtHand) -> bool {
        match self {
            Self::LuhnTaoWheelWithAceQueen => cards.is_luhn_tao_wheel_with_ace_queen(),
            Self::NaturalSevenCardStraightFlush => {
                !cards.has_joker() && cards.is_seven_card_straight_flush()
            }
            Self::RoyalFlushWithAceQueen => cards.has_royal_flush_with_ace_queen(),
            Self::RoyalMatch => cards.has_royal_match(),
            Self::JokerSevenCardStraightFlush => {
                cards.has_joker() && cards.is_seven_card_straight_flush()
            }
            Self::FiveAces => cards.has_five_aces(),
            Self::LuhnTaoWheel => cards.has_luhn_tao_wheel(),
            Self::NaturalAceToFiveStraightFlush => {
                cards.has_luhn_tao_wheel() && !cards.is_seven_card_straight_flush()
            }
            Self::RoyalFlush => cards.has_royal_flush(),
            Self::StraightFlush => cards.has_straight_flush(),
            Self::FourOfAKind => cards.has_four_of_a_kind(),
            Self::NineHigh => is_pai_gow_of(cards, Rank::Nine),
            Self::TenHigh => is_pai_gow_of(cards, Rank::Ten),
            Self::JackHigh => is_pai_gow_of(cards, Rank::Jack),
            Self::QueenHigh => is_pai_gow_of(cards, Rank::Queen),
            Self::KingHigh => is_pai_gow_of(cards, Rank::King),
            Self::AceHigh => is_pai_gow_of(cards, Rank::Ace),
            Self::OneColour(reading) => !cards.has_joker() && is_paid_colour(cards, reading),
            Self::OneColourWithJoker(reading) => {
                cards.has_joker() && is_paid_colour(cards, reading)
            }
            Self::FullHouse => cards.has_full_house(),
            Self::Flush => cards.has_flush(),
            Self::ThreeOfAKind => cards.has_three_of_a_kind(),
            Self::Straight => cards.has_straight(),
            Self::ThreePair => cards.is_three_pair(),
            Self::TwoPair => cards.has_two_pair(),
        }
    }
}

fn is_pai_gow_of(cards: &DealtHand, highest: Rank) -> bool {
    cards.highest() == highest && cards.is_pai_gow()
}

fn is_paid_colour(cards: &DealtHand, one_colour: OneColour) -> bool {
    let ranks_fit = match one_colour {
        OneColour::Any => true,
        OneColour::NoPair => cards.has_no_pair(),
    };
    ranks_fit && cards.is_one_colour() && !cards.has_straight() && !cards.has_flush()
}
