//! Bonus bets: which bets there are, their pay tables, and what makes a row hold.

mod bet_id;
mod colour;
mod condition;
mod counts;
mod dealt_hand;
mod hand_condition;
mod pay_table;
mod returns;
mod three_cards;
mod wrangler_push;

pub use bet_id::BetId;
pub use colour::ColourCondition;
pub use condition::{BetEvidence, Condition};
pub use counts::{ConditionsMet, RowCounts, hands_by_conditions};
pub use dealt_hand::DealtHand;
pub use hand_condition::{HandCondition, OneColour};
pub use pay_table::{BonusBet, OtherSeatTerms, PayRow, RowPayment, StakeLimits, Titles};
pub use three_cards::{ThreeCardCondition, ThreeCards};
pub use wrangler_push::{PushCondition, Showdown};

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

impl BetSubject {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::SeatHand, Self::DealerHand, Self::FirstThree, Self::Colour, Self::Showdown];

    /// Returns the word for it in a ruleset, under `looks_at`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SeatHand => "seat-hand",
            Self::DealerHand => "dealer-hand",
            Self::FirstThree => "first-three",
            Self::Colour => "named-colour",
            Self::Showdown => "house-way-hands",
        }
    }
}
