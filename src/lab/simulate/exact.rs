//! What a simulation is held against: the exact figures of every bet that one hand decides.

use super::document::{Bet, Exact, Row};
use super::sums::Bets;
use crate::game::{BetId, BonusBet, Counts, Fraction, Ruleset};

/// Returns every bet with its exact figures, and nothing played yet.
pub(super) fn bets(ruleset: &Ruleset, bets: &Bets, stakes: &[(BetId, i64)]) -> Vec<Bet> {
    let stake = |bet: BetId| {
        let of = if bet == BetId::DoubleDown { BetId::Base } else { bet };
        stakes.iter().find(|(known, _)| *known == of).map(|(_, stake)| *stake)
    };
    let cards = ruleset.hand_cards();
    let bet = |(id, rows): &(BetId, Vec<String>)| {
        let own = ruleset.bonus_bet(*id);
        let by_others = || {
            let of = |bonus: &&BonusBet| bonus.to_others.is_some_and(|others| others.bet == *id);
            ruleset.bonus_bets().iter().find(of)
        };
        let exact = match own {
            Some(bonus) => exact(bonus.exact_return(cards), bonus.exact_variance(cards)),
            None => exact(by_others().and_then(|bonus| bonus.exact_to_others(cards)), None),
        };
        let counts = own.and_then(|bonus| bonus.row_counts(cards));
        let row = |(place, row): (usize, &String)| Row {
            row: row.clone(),
            hits: 0,
            exact: counts.as_ref().and_then(|counts| probability(counts, place)),
            estimate: None,
        };
        Bet {
            bet: id.name().to_owned(),
            stake_minor: stake(*id),
            lines: 0,
            won: 0,
            push: 0,
            lost: 0,
            uncovered: 0,
            staked_minor: 0,
            returned_minor: 0,
            squares: 0,
            exact,
            estimate: None,
            rows: rows.iter().enumerate().map(row).collect(),
        }
    };
    bets.0.iter().map(bet).collect()
}

fn exact(mean: Option<Fraction>, variance: Option<Fraction>) -> Option<Exact> {
    let variance = variance.map(|variance| variance.to_string());
    mean.map(|mean| Exact { mean: mean.to_string(), variance })
}

fn probability(counts: &Counts, row: usize) -> Option<String> {
    Fraction::new(i128::from(*counts.rows.get(row)?), i128::from(counts.total))
        .map(|probability| probability.to_string())
}
