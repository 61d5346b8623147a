//! What the loaded bonus bets return on average, and how far returns stray from it.

use std::collections::BTreeMap;

use super::Catalogue;
use crate::game::{BetId, Fraction};

/// How many decimal places a standard deviation has.
const PLACES: u32 = 12;

/// What a bet of a ruleset returns, per unit staked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Theory {
    /// The ruleset's id.
    pub ruleset: String,
    /// The bet.
    pub bet: BetId,
    /// The average, exactly; what the hands of other seats win is not in it.
    pub expected: Fraction,
    /// The standard deviation, cut off after twelve decimal places.
    pub deviation: Fraction,
}

/// Returns the theory of every bet of a catalogue of which it is exactly known: those
/// that one hand decides. By ruleset, then by bet.
///
/// Where two loaded rulesets of one id differ on a bet, nothing is said of it: results
/// are told apart by the id.
#[must_use]
pub fn theory(catalogue: &Catalogue) -> Vec<Theory> {
    let mut known: BTreeMap<(String, BetId), Option<Theory>> = BTreeMap::new();
    for game in catalogue.games() {
        let (ruleset, hand_cards) = (game.ruleset.id().to_owned(), game.ruleset.hand_cards());
        for bonus in game.ruleset.bonus_bets() {
            let of = || {
                let expected = bonus.exact_return(hand_cards)?;
                let deviation = bonus.exact_variance(hand_cards)?.square_root(PLACES)?;
                Some(Theory { ruleset: ruleset.clone(), bet: bonus.id, expected, deviation })
            };
            let of = of();
            known
                .entry((ruleset.clone(), bonus.id))
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
mod tests {
    use super::*;
    use crate::house_way;

    fn of<'a>(theory: &'a [Theory], ruleset: &str, bet: BetId) -> Option<&'a Theory> {
        theory.iter().find(|one| one.ruleset == ruleset && one.bet == bet)
    }

    #[test]
    fn queens_dragon_is_known_and_what_two_hands_decide_is_not() {
        let theory = theory(&Catalogue::shipped());
        let queens = of(&theory, "express", BetId::QueensDragon).unwrap();
        // It pays 50 to 1 on 2,719,500 of 154,143,080 hands: p = 0.0176426...
        let p = Fraction::new(2_719_500, 154_143_080).unwrap();
        assert_eq!(queens.expected, p.times(Fraction::from(51)).unwrap());
        // 51^2 p (1 - p) = 45.0786..., whose root is 6.714...
        let variance = Fraction::ONE
            .minus(p)
            .and_then(|q| p.times(q))
            .and_then(|pq| pq.times(Fraction::from(51 * 51)))
            .unwrap();
        let root = queens.deviation;
        let next = root.plus(Fraction::new(1, 10_i128.pow(12)).unwrap()).unwrap();
        assert!(root.times(root).unwrap() <= variance && variance < next.times(next).unwrap());
        for bet in [BetId::WranglerPush, BetId::Base, BetId::Envy] {
            assert_eq!(of(&theory, "mania", bet), None);
            assert_eq!(of(&theory, "express", bet), None);
        }
    }

    #[test]
    fn nothing_is_said_of_a_bet_on_which_two_rulesets_of_one_id_differ() {
        let shipped = crate::game::shipped();
        let express = shipped.iter().find(|ruleset| ruleset.id() == "express").unwrap();
        let other = express.text().replacen("pays = \"50/1\"", "pays = \"49/1\"", 1);
        assert_ne!(other, express.text());
        let other = crate::game::Ruleset::parse(&other).unwrap();
        let both = Catalogue::new(house_way::shipped().to_vec(), vec![express.clone(), other]);
        let both = theory(&both.unwrap());
        assert_eq!(of(&both, "express", BetId::QueensDragon), None);
        assert!(of(&both, "express", BetId::Dynasty).is_some());
    }
}
