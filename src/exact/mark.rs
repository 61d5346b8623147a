//! Which hands of the dealer are counted apart.

use std::fmt;

use crate::cards::{Card, Rank};
use crate::game::{Condition, DealtHand, HandCondition, Ruleset};

/// What marks the hands of the dealer, or of a player who banks, on which the base game of
/// a ruleset is settled otherwise.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mark {
    /// The hand on which base wagers push; also counted for games that do not push on it.
    PaiGow(HandCondition),
    /// The best five are at least a pair of this rank: double downs are in action.
    Pair(Rank),
}

/// The pai gow hands of which one is pushed on, highest card by highest card.
const PAI_GOW: [HandCondition; 6] = [
    HandCondition::NineHigh,
    HandCondition::TenHigh,
    HandCondition::JackHigh,
    HandCondition::QueenHigh,
    HandCondition::KingHigh,
    HandCondition::AceHigh,
];

impl Mark {
    /// Returns the mark for the base game of a ruleset; a queen-high pai gow where it asks
    /// for none.
    ///
    /// Returns nothing if it asks for what ranks and a flush do not decide, or for both a
    /// push and a double down.
    #[must_use]
    pub fn of(ruleset: &Ruleset) -> Option<Self> {
        if let Some(terms) = ruleset.double_down() {
            let pair = Self::Pair(terms.qualifying_pair);
            return ruleset.base().push.is_none().then_some(pair);
        }
        match ruleset.base().push.map(|push| push.condition) {
            None => Some(Self::PaiGow(HandCondition::QueenHigh)),
            Some(Condition::Hand(hand)) if PAI_GOW.contains(&hand) => Some(Self::PaiGow(hand)),
            Some(
                Condition::Hand(_)
                | Condition::ThreeCards(_)
                | Condition::Colour(_)
                | Condition::Push(_),
            ) => None,
        }
    }

    /// Whether a hand of the dealer is marked; a pair as the ruleset says.
    pub(super) fn is_on(self, ruleset: &Ruleset, cards: &[Card]) -> bool {
        match self {
            Self::PaiGow(hand) => DealtHand::of(cards).is_some_and(|cards| hand.holds(&cards)),
            Self::Pair(_) => ruleset.qualifies(cards),
        }
    }

    /// Reads what `Display` writes.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let pai_gow = PAI_GOW.into_iter().map(Self::PaiGow);
        pai_gow.chain(Rank::ALL.map(Self::Pair)).find(|mark| mark.to_string() == text)
    }
}

impl fmt::Display for Mark {
    /// Writes the mark as the files of counts have it: `queen_high`, `pair_5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PaiGow(hand) => f.write_str(hand.name()),
            Self::Pair(rank) => write!(f, "pair_{}", rank.letter()),
        }
    }
}
