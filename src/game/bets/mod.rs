//! Bonus bets: which bets there are, their pay tables, and what makes a row hold.

mod outlaw_9;
mod pay_table;
mod seven_cards;
mod wrangler_push;

pub use outlaw_9::{OneColour, Outlaw9Row};
pub use pay_table::{BonusBet, Condition, Evidence, Limits, Row};
pub use seven_cards::SevenCards;
pub use wrangler_push::{PushRow, Showdown};

/// A kind of bet on the layout.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum BetId {
    /// The wager on the hand against the dealer's or banker's.
    Base,
    /// Wrangler Push: house way against house way is a push.
    WranglerPush,
    /// Outlaw 9 High or Better: what the seven cards hold.
    Outlaw9,
}

impl BetId {
    /// All bets.
    pub const ALL: [Self; 3] = [Self::Base, Self::WranglerPush, Self::Outlaw9];

    /// Returns the id of the bet in rulesets, sheets and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::WranglerPush => "wrangler_push",
            Self::Outlaw9 => "outlaw_9",
        }
    }

    /// Returns the bet with this id, or nothing.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bet| bet.name() == name)
    }
}
