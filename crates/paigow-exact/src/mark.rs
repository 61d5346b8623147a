//! Which hands of the dealer are counted apart.

use std::fmt;

use paigow_rules::cards::{Card, Rank};
use paigow_rules::game::{Condition, DealtHand, HandCondition, Odds, Ruleset};
use paigow_rules::house_way::RulesFault;

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
    /// # Errors
    ///
    /// Where and why the base game cannot be counted: a push on what is no pai gow, or beside
    /// a double down; a double down at other than even money.
    pub fn of(ruleset: &Ruleset) -> Result<Self, RulesFault> {
        let uncounted = |key: &str, message: &str| {
            Err(RulesFault { path: format!("base.{key}"), message: message.to_owned() })
        };
        let base = ruleset.base();
        if let Some(terms) = ruleset.double_down() {
            if base.push.is_some() {
                return uncounted("push_on_dealer", "a push beside a double down is not counted");
            }
            // Where a hand pays to double down is weighed at even money.
            if base.pays != Odds::EVEN {
                return uncounted("pays", "beside a double down only even money is counted");
            }
            return Ok(Self::Pair(terms.qualifying_pair));
        }
        match base.push.map(|push| push.condition) {
            None => Ok(Self::PaiGow(HandCondition::QueenHigh)),
            Some(Condition::Hand(hand)) if PAI_GOW.contains(&hand) => Ok(Self::PaiGow(hand)),
            Some(
                Condition::Hand(_)
                | Condition::ThreeCards(_)
                | Condition::Colour(_)
                | Condition::Push(_),
            ) => uncounted(
                "push_on_dealer",
                "only a push on a pai gow, nine_high to ace_high, is counted",
            ),
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
