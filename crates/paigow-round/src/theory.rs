//! The average returns of the loaded bets, and how far measured returns deviate from them.

use std::collections::BTreeMap;

use super::{Catalogue, ListedGame};
use paigow_exact::Played;
use paigow_rules::game::{BetId, Fraction};

/// How many decimal places a standard deviation has.
const PLACES: u32 = 12;

/// The average returns of a bet of a ruleset, per unit staked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Theory {
    /// The ruleset's id.
    pub ruleset: String,
    /// The bet.
    pub bet: BetId,
    /// Its return if the house way sets both hands, where it depends on how they are set. Wins by
    /// hands of other seats are left out.
    ///
    /// [`None`] for a base wager that can be doubled, because the measured stakes include the
    /// doubled ones. Also for one against a hand that the player sees, and for a bet with a meter,
    /// whose return changes with the meter.
    pub by_house_way: Option<ReturnTheory>,
    /// The average of the base wager for a player who sets every hand, and doubles down, as it is
    /// worth most. A doubled stake counts twice. [`None`] if it is not counted.
    pub by_best_play: Option<Fraction>,
}

/// The average of a return and how far it strays.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ReturnTheory {
    /// The average, exactly.
    pub expected: Fraction,
    /// The standard deviation, cut off after twelve decimal places.
    pub deviation: Fraction,
}

/// Returns the theory of every bet of a catalogue whose return is known exactly, by ruleset and
/// then by bet.
///
/// If two loaded rulesets of one id differ on a bet, the bet is left out, because results are
/// identified by the id.
#[must_use]
pub fn theory(catalogue: &Catalogue) -> Vec<Theory> {
    let mut known: BTreeMap<(String, BetId), Option<Theory>> = BTreeMap::new();
    for game in catalogue.games() {
        let ruleset = game.ruleset.id().to_owned();
        let bonus_bets = game.ruleset.bonus_bets().iter().map(|bonus| bonus.id);
        for bet in std::iter::once(BetId::BASE).chain(bonus_bets) {
            let theory = Theory {
                ruleset: ruleset.clone(),
                bet,
                by_house_way: by_house_way(game, bet),
                by_best_play: (bet == BetId::BASE).then(|| by_best_play(game)).flatten(),
            };
            let is_known = theory.by_house_way.is_some() || theory.by_best_play.is_some();
            let of = is_known.then_some(theory);
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

fn by_house_way(game: &ListedGame, bet: BetId) -> Option<ReturnTheory> {
    if bet == BetId::BASE && game.ruleset.double_down().is_some() {
        return None;
    }
    if game.ruleset.bonus_bet(bet).is_some_and(|bonus| bonus.meter.is_some()) {
        return None;
    }
    let expected = game.exact_return(bet)?;
    let deviation = game.exact_variance(bet)?.square_root(PLACES)?;
    Some(ReturnTheory { expected, deviation })
}

fn by_best_play(game: &ListedGame) -> Option<Fraction> {
    let play = game.best_play()?;
    let Played { hands, doubled, .. } = play.best;
    // The edge is per unit of the base stake.
    let per_stake = Fraction::new(hands.into(), i128::from(hands) + i128::from(doubled))?;
    Fraction::ONE.minus(game.best_play_edge()?.times(per_stake)?)
}

#[cfg(test)]
mod tests;
