//! Bonus bets: their kinds, their pay tables, and the conditions of their rows.

mod bet_id;
mod card_term;
mod condition;
mod counts;
mod dealt_hand;
mod meter;
mod pay_table;
mod reach;
mod returns;
mod set_term;
mod showdown_term;

pub use bet_id::BetId;
pub use card_term::{CardTerm, PokerHand};
pub use condition::{Asked, BetEvidence, Condition, Term};
pub use counts::{RowCounts, TermCounts, TermsMet};
pub use dealt_hand::{DealtHand, RankBits};
pub use meter::{Meter, MeterReturn, MeterShare};
pub use pay_table::{BonusBet, OtherSeatTerms, PayRow, RowPayment, StakeLimits, Titles};
pub use set_term::{SetHand, SetTerm};
pub use showdown_term::{Showdown, ShowdownTerm};

/// The cards that a bet with a pay table is judged on.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum BetSubject {
    /// All cards dealt to the seat, however they are set.
    SeatHand,
    /// All cards dealt to the dealer, however they are set.
    DealerHand,
    /// The first three cards dealt to the seat.
    FirstThree,
    /// The hands of the seat as they are set, by the player or by the house way. A foul hand loses.
    SeatSetHands,
    /// The seat against position 0, the dealer or player-dealer, both set by the house way.
    Showdown,
}

impl BetSubject {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::SeatHand, Self::DealerHand, Self::FirstThree, Self::SeatSetHands, Self::Showdown];

    /// Returns the word for it in a ruleset, under `looks_at`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SeatHand => "seat-hand",
            Self::DealerHand => "dealer-hand",
            Self::FirstThree => "first-three",
            Self::SeatSetHands => "seat-set-hands",
            Self::Showdown => "house-way-hands",
        }
    }

    /// Whether hands must be set before such a bet is judged.
    #[must_use]
    pub const fn is_on_set_hands(self) -> bool {
        matches!(self, Self::SeatSetHands | Self::Showdown)
    }
}
