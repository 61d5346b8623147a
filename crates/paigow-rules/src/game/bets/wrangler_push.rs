//! Wrangler Push: both hands set by the house way, however the player sets his.

use crate::cards::Rank;
use crate::game::settlement::BaseOutcome;
use crate::hands::LowHand;

/// The hand of a seat against that of position 0, the dealer's or player-dealer's, both set by the
/// house way.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Showdown {
    /// What a base wager would have come to.
    pub outcome: BaseOutcome,
    /// The low hand of the seat.
    pub seat_low: LowHand,
    /// The low hand of position 0.
    pub dealer_low: LowHand,
}

/// What a row asks of the two hands.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum PushCondition {
    /// A push in which a two-card hand of either side is a pair of threes or higher.
    WithThreesOrBetter,
    /// A push.
    Push,
}

impl PushCondition {
    /// All conditions, in paying order.
    pub const ALL: [Self; 2] = [Self::WithThreesOrBetter, Self::Push];

    /// Returns the name that a ruleset calls the condition by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WithThreesOrBetter => "push_with_threes_or_better",
            Self::Push => "push",
        }
    }

    /// Whether the condition holds for these hands, whatever others do.
    #[must_use]
    pub fn holds(self, showdown: &Showdown) -> bool {
        let push = showdown.outcome == BaseOutcome::Push;
        match self {
            Self::WithThreesOrBetter => {
                push && [showdown.seat_low, showdown.dealer_low]
                    .into_iter()
                    .any(|low| low.pair_rank().is_some_and(|rank| rank >= Rank::Three))
            }
            Self::Push => push,
        }
    }
}
