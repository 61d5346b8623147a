//! What the loaded bets return on average, and how far returns stray from it.

use std::collections::BTreeMap;

use super::Catalogue;
use paigow_rules::game::{BetId, Fraction};

/// How many decimal places a standard deviation has.
const PLACES: u32 = 12;

/// What a bet of a ruleset returns, per unit staked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Theory {
    /// The ruleset's id.
    pub ruleset: String,
    /// The bet.
    pub bet: BetId,
    /// The average, exactly; what the hands of other seats win is not in it. Of a bet on
    /// two hands it is that of the house way on both sides: who sets a hand in another way
    /// returns a little more or less.
    pub expected: Fraction,
    /// The standard deviation, cut off after twelve decimal places.
    pub deviation: Fraction,
    /// Of the base wager, the average to a player who sets every hand as it is worth most, where
    /// that is counted.
    pub by_best_play: Option<Fraction>,
}

/// Returns the theory of every bet of a catalogue of which it is exactly known. By ruleset,
/// then by bet.
///
/// Nothing is said of a base wager that can be doubled: the stakes that are counted have the
/// doubled ones among them, and the theory is per unit of what was staked first.
///
/// Where two loaded rulesets of one id differ on a bet, nothing is said of it: results
/// are told apart by the id.
#[must_use]
pub fn theory(catalogue: &Catalogue) -> Vec<Theory> {
    let mut known: BTreeMap<(String, BetId), Option<Theory>> = BTreeMap::new();
    for game in catalogue.games() {
        let ruleset = game.ruleset.id().to_owned();
        let base = game.ruleset.double_down().is_none().then_some(BetId::Base);
        for bet in base.into_iter().chain(game.ruleset.bonus_bets().iter().map(|bonus| bonus.id)) {
            let of = || {
                let expected = game.exact_return(bet)?;
                let deviation = game.exact_variance(bet)?.square_root(PLACES)?;
                let edge = (bet == BetId::Base).then(|| game.best_play_edge()).flatten();
                let by_best_play = edge.and_then(|edge| Fraction::ONE.minus(edge));
                Some(Theory { ruleset: ruleset.clone(), bet, expected, deviation, by_best_play })
            };
            let of = of();
            known
                .entry((ruleset.clone(), bet))
                .and_modify(|before| {
                    if *before != of {
                        *before = None;
                    }
                })
                .or_insert(of);
        }
    }
    known.into_values().flatten().collect()
}

#[cfg(test)]
mod tests;
