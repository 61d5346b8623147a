//! Bonus bets: which bets there are, their pay tables, and what makes a row hold.

mod colour;
mod condition;
mod counts;
mod dealt_hand;
mod hand_condition;
mod pay_table;
mod returns;
mod three_cards;
mod wrangler_push;

pub use colour::ColourCondition;
pub use condition::{BetEvidence, Condition};
pub use counts::{ConditionsMet, RowCounts, hands_by_conditions};
pub use dealt_hand::DealtHand;
pub use hand_condition::{HandCondition, OneColour};
pub use pay_table::{BonusBet, OtherSeatTerms, PayRow, RowPayment, StakeLimits};
pub use three_cards::{ThreeCardCondition, ThreeCards};
pub use wrangler_push::{PushCondition, Showdown};

/// A kind of bet on the layout.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum BetId {
    /// The wager on the hand against the dealer's or banker's.
    Base,
    /// A second wager beside the base wager, made after the hand is seen.
    DoubleDown,
    /// The bonus of Mini Pai Gow: what the six cards hold.
    Bonus,
    /// What a qualifying bonus wager wins by the hands of other seats.
    Community,
    /// 3 Card Bonus: what the first three cards hold.
    ThreeCard,
    /// Pai Gow Bonus: what the seven cards hold.
    PaiGowBonus,
    /// Wrangler Push: house way against house way is a push.
    WranglerPush,
    /// Outlaw 9 High or Better: what the seven cards hold.
    Outlaw9,
    /// Queen's Dragon: what the dealer's seven cards hold.
    QueensDragon,
    /// Dynasty: what the seven cards hold.
    Dynasty,
    /// What a qualifying Dynasty wager wins by the hands of other seats.
    Envy,
    /// Protection: a pai gow hand.
    Protection,
    /// Red/Black: how many cards are of the colour that the player names.
    RedBlack,
}

/// What a bet with a pay table is judged on.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum BetSubject {
    /// All cards dealt to the seat, however they are set.
    SeatHand,
    /// All cards dealt to the dealer, however they are set.
    DealerHand,
    /// The first three cards dealt to the seat.
    FirstThree,
    /// All cards dealt to the seat, and the colour that the player names.
    Colour,
    /// The seat against position 0, the dealer or player-dealer, both set by the house way.
    Showdown,
}

impl BetId {
    /// All bets.
    pub const ALL: [Self; 13] = [
        Self::Base,
        Self::DoubleDown,
        Self::Bonus,
        Self::Community,
        Self::ThreeCard,
        Self::PaiGowBonus,
        Self::WranglerPush,
        Self::Outlaw9,
        Self::QueensDragon,
        Self::Dynasty,
        Self::Envy,
        Self::Protection,
        Self::RedBlack,
    ];

    /// Returns the id of the bet in rulesets, sheets and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::DoubleDown => "double_down",
            Self::Bonus => "bonus",
            Self::Community => "community",
            Self::ThreeCard => "three_card",
            Self::PaiGowBonus => "pai_gow_bonus",
            Self::WranglerPush => "wrangler_push",
            Self::Outlaw9 => "outlaw_9",
            Self::QueensDragon => "queens_dragon",
            Self::Dynasty => "dynasty",
            Self::Envy => "envy",
            Self::Protection => "protection",
            Self::RedBlack => "red_black",
        }
    }

    /// Returns the bet with this id, or nothing.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bet| bet.name() == name)
    }

    /// Returns what the pay table of the bet is judged on, or nothing if the bet has
    /// no pay table of its own.
    #[must_use]
    pub const fn looks_at(self) -> Option<BetSubject> {
        match self {
            Self::Base | Self::DoubleDown | Self::Community | Self::Envy => None,
            Self::Bonus | Self::PaiGowBonus | Self::Outlaw9 | Self::Dynasty | Self::Protection => {
                Some(BetSubject::SeatHand)
            }
            Self::QueensDragon => Some(BetSubject::DealerHand),
            Self::ThreeCard => Some(BetSubject::FirstThree),
            Self::RedBlack => Some(BetSubject::Colour),
            Self::WranglerPush => Some(BetSubject::Showdown),
        }
    }

    /// Whether it takes two hands to decide the bet, one of a seat and the dealer's, as
    /// they were set.
    #[must_use]
    pub const fn is_of_two_hands(self) -> bool {
        matches!(self, Self::Base) || matches!(self.looks_at(), Some(BetSubject::Showdown))
    }

    /// Returns the bet by which a wager on this one wins fixed amounts for the hands
    /// of other seats, or nothing if there is none.
    #[must_use]
    pub const fn community(self) -> Option<Self> {
        match self {
            Self::Bonus => Some(Self::Community),
            Self::Dynasty => Some(Self::Envy),
            Self::Base
            | Self::DoubleDown
            | Self::Community
            | Self::ThreeCard
            | Self::PaiGowBonus
            | Self::WranglerPush
            | Self::Outlaw9
            | Self::QueensDragon
            | Self::Envy
            | Self::Protection
            | Self::RedBlack => None,
        }
    }
}
