//! The hands of the dealer that are counted separately.

use std::collections::BTreeSet;
use std::fmt;

use paigow_rules::cards::{Card, Rank};
use paigow_rules::game::{
    Asked, CardTerm, Condition, DealtHand, Odds, PokerHand, Ruleset, SetHand, Term,
};
use paigow_rules::house_way::RulesFault;

/// The mark on some hands of the dealer, or of a player who banks. The base game of a ruleset
/// settles marked hands differently.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Mark {
    /// The hand on which base wagers push; also counted for games that do not push on it.
    PaiGow(Rank),
    /// The best five are at least a pair of this rank: double downs are in action.
    Pair(Rank),
    /// Any other hands on which base wagers push.
    Push(Condition),
}

impl Mark {
    /// Returns the mark for the base game of a ruleset. It is a queen-high pai gow if the ruleset
    /// asks for none.
    ///
    /// # Errors
    ///
    /// Returns the place and the reason if the base game cannot be counted. Such a game pushes on
    /// hands other than a pai gow, or pushes beside a double down, or doubles at other than even
    /// money.
    pub fn of(ruleset: &Ruleset) -> Result<Self, RulesFault> {
        let uncounted = |key: &str, message: &str| {
            Err(RulesFault { path: format!("base.{key}"), message: message.to_owned() })
        };
        let base = ruleset.base();
        if let Some(terms) = ruleset.double_down() {
            if base.push.is_some() {
                return uncounted("push_on_dealer", "a push beside a double down is not counted");
            }
            // The hands on which doubling pays are weighed at even money.
            if base.pays != Odds::EVEN {
                return uncounted("pays", "beside a double down only even money is counted");
            }
            return Ok(Self::Pair(terms.qualifying_pair));
        }
        let Some(push) = &base.push else { return Ok(Self::PaiGow(Rank::Queen)) };
        if let Some(highest) = pai_gow(&push.condition) {
            return Ok(Self::PaiGow(highest));
        }
        if let Some(term) = push.condition.terms().find(|term| !is_alike_in_a_class(term.asked)) {
            return uncounted(
                "push_on_dealer",
                &format!("{term} is not counted: it depends on suits, or on which cards are real"),
            );
        }
        Ok(Self::Push(push.condition.clone()))
    }

    /// Returns whether a hand of the dealer is marked; a pair as the ruleset states.
    pub(super) fn is_on(&self, ruleset: &Ruleset, cards: &[Card], set: SetHand) -> bool {
        match self {
            Self::PaiGow(highest) => DealtHand::of(cards, ruleset.joker())
                .is_some_and(|cards| cards.is_highest(*highest) && cards.is_pai_gow()),
            Self::Pair(_) => ruleset.qualifies(cards),
            Self::Push(_) => ruleset.pushes_on(cards, set),
        }
    }

    /// Reads the output of `Display`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Some(condition) = text.strip_prefix("push:") {
            let term = |text: &str| Term::parse_of_push(text, 7);
            let group = |text: &str| text.split('&').map(term).collect::<Option<Vec<Term>>>();
            let groups = condition.split('|').map(group).collect::<Option<Vec<_>>>()?;
            return Condition::new(groups).map(Self::Push);
        }
        let pai_gow = Rank::ALL.map(Self::PaiGow);
        pai_gow.into_iter().chain(Rank::ALL.map(Self::Pair)).find(|mark| mark.to_string() == text)
    }
}

/// Returns whether the fact is equal for all hands of a class, which have the same ranks and the
/// same straights and flushes.
fn is_alike_in_a_class(asked: Asked) -> bool {
    let Asked::Cards(term) = asked else { return true };
    match term {
        CardTerm::FiveAces
        | CardTerm::PaiGow
        | CardTerm::Joker
        | CardTerm::Highest(_)
        | CardTerm::PairOf(_)
        | CardTerm::Pairs(_)
        | CardTerm::Run(_)
        | CardTerm::Ranks(_) => true,
        CardTerm::Made(made) => !matches!(made, PokerHand::RoyalFlush | PokerHand::StraightFlush),
        CardTerm::Natural(_)
        | CardTerm::Suited(_)
        | CardTerm::SuitedRun(_)
        | CardTerm::OneSuit(..)
        | CardTerm::RoyalFlushBeside(_)
        | CardTerm::Colour(..)
        | CardTerm::OneColour
        | CardTerm::NamedColour(_) => false,
    }
}

impl fmt::Display for Mark {
    /// Writes the mark in the form of the files of counts: `queen_high`, `pair_5`,
    /// `push:low_highest:9`. `&` is between terms that all hold, and `|` between lists of which one
    /// holds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PaiGow(highest) => write!(f, "{}_high", highest.name()),
            Self::Pair(rank) => write!(f, "pair_{}", rank.letter()),
            Self::Push(condition) => {
                let group = |group: &BTreeSet<Term>| {
                    group.iter().map(ToString::to_string).collect::<Vec<_>>().join("&")
                };
                let groups: Vec<String> = condition.groups().map(group).collect();
                write!(f, "push:{}", groups.join("|"))
            }
        }
    }
}

/// Returns the highest card of a condition that asks for a pai gow of that height, and for nothing
/// else.
fn pai_gow(condition: &Condition) -> Option<Rank> {
    let mut groups = condition.groups();
    let (Some(group), None) = (groups.next(), groups.next()) else { return None };
    let asks = |term| group.contains(&Term { asked: Asked::Cards(term), is_negated: false });
    let highest = Rank::ALL.into_iter().find(|rank| asks(CardTerm::Highest(*rank)))?;
    let is_all = group.len() == 2 && asks(CardTerm::PaiGow) && highest >= Rank::Nine;
    is_all.then_some(highest)
}
