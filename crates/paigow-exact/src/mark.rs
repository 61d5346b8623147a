//! Which hands of the dealer are counted apart.

use std::fmt;

use paigow_rules::cards::{Card, Rank};
use paigow_rules::game::{Asked, CardTerm, Condition, DealtHand, Odds, Ruleset, Term};
use paigow_rules::house_way::RulesFault;

/// What marks the hands of the dealer, or of a player who banks, on which the base game of
/// a ruleset is settled otherwise.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mark {
    /// The hand on which base wagers push; also counted for games that do not push on it.
    PaiGow(Rank),
    /// The best five are at least a pair of this rank: double downs are in action.
    Pair(Rank),
}

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
        let Some(push) = &base.push else { return Ok(Self::PaiGow(Rank::Queen)) };
        match pai_gow(&push.condition) {
            Some(highest) => Ok(Self::PaiGow(highest)),
            None => uncounted(
                "push_on_dealer",
                "only a push on a pai gow of one height is counted, [\"pai_gow\", \"highest:9\"] to \
                 [\"pai_gow\", \"highest:A\"]",
            ),
        }
    }

    /// Whether a hand of the dealer is marked; a pair as the ruleset says.
    pub(super) fn is_on(self, ruleset: &Ruleset, cards: &[Card]) -> bool {
        match self {
            Self::PaiGow(highest) => DealtHand::of(cards)
                .is_some_and(|cards| cards.is_highest(highest) && cards.is_pai_gow()),
            Self::Pair(_) => ruleset.qualifies(cards),
        }
    }

    /// Reads what `Display` writes.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let pai_gow = Rank::ALL.map(Self::PaiGow);
        pai_gow.into_iter().chain(Rank::ALL.map(Self::Pair)).find(|mark| mark.to_string() == text)
    }
}

impl fmt::Display for Mark {
    /// Writes the mark as the files of counts have it: `queen_high`, `pair_5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PaiGow(highest) => write!(f, "{}_high", highest.name()),
            Self::Pair(rank) => write!(f, "pair_{}", rank.letter()),
        }
    }
}

/// Returns the highest card of a condition that asks for a pai gow of that height, and for no more.
fn pai_gow(condition: &Condition) -> Option<Rank> {
    let mut groups = condition.groups();
    let (Some(group), None) = (groups.next(), groups.next()) else { return None };
    let asks = |term| group.contains(&Term { asked: Asked::Cards(term), is_negated: false });
    let highest = Rank::ALL.into_iter().find(|rank| asks(CardTerm::Highest(*rank)))?;
    let is_all = group.len() == 2 && asks(CardTerm::PaiGow) && highest >= Rank::Nine;
    is_all.then_some(highest)
}
