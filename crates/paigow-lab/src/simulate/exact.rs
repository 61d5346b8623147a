//! The exact figures that a simulation is compared with: those of every bet that one hand decides.

use super::document::{ExactBetReturn, SimulatedBet, SimulatedRow};
use super::sums::SimulatedBets;
use paigow_exact::{BaseGame, Returns};
use paigow_round::ListedGame;
use paigow_rules::game::{BetId, BonusBet, Fraction};

/// Returns every bet with its exact figures, and no rounds played yet.
///
/// The house way sets both hands. The base game has figures for the compiled-in ways.
pub(super) fn bets(
    game: &ListedGame,
    bets: &SimulatedBets,
    stakes: &[(BetId, i64)],
) -> Vec<SimulatedBet> {
    let (ruleset, base) = (&game.ruleset, game.base_game());
    let stake = |bet: BetId| {
        let of = if bet == BetId::DOUBLE_DOWN { BetId::BASE } else { bet };
        stakes.iter().find(|(known, _)| *known == of).map(|(_, stake)| *stake)
    };
    let cards = ruleset.hand_cards();
    let bet = |(id, rows): &(BetId, Vec<String>)| {
        let own = ruleset.bonus_bet(*id);
        let by_others = || {
            let of = |bonus: &&BonusBet| {
                bonus.to_others.as_ref().is_some_and(|others| others.bet == *id)
            };
            ruleset.bonus_bets().iter().find(of)
        };
        let exact = match own {
            Some(bonus) => exact(game.exact_return(bonus.id), game.exact_variance(bonus.id)),
            None if *id == BetId::BASE => base.as_ref().and_then(of_base),
            None => exact(by_others().and_then(|bonus| bonus.exact_to_others(cards)), None),
        };
        let counts = own.and_then(|bonus| game.row_counts(bonus));
        let probability = |place: usize| match (&counts, &base) {
            (Some(counts), _) => fraction(*counts.rows.get(place)?, counts.total),
            (None, Some(base)) if *id == BetId::BASE => {
                fraction(*base.counts.grids.all.iter().nth(place)?, base.counts.pairs())
            }
            (None, _) => None,
        };
        let row = |(place, row): (usize, &String)| SimulatedRow {
            row: row.clone(),
            hits: 0,
            exact: probability(place),
            estimate: None,
        };
        SimulatedBet {
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
            products: 0,
            product_squares: 0,
            exact,
            estimate: None,
            two_seats: None,
            rows: rows.iter().enumerate().map(row).collect(),
        }
    };
    bets.0.iter().map(bet).collect()
}

fn exact(mean: Option<Fraction>, variance: Option<Fraction>) -> Option<ExactBetReturn> {
    let variance = variance.map(|variance| variance.to_string());
    mean.map(|mean| ExactBetReturn { mean: mean.to_string(), variance })
}

fn fraction(num: impl Into<u128>, den: impl Into<u128>) -> Option<String> {
    let [num, den] = [num.into(), den.into()].map(i128::try_from);
    Fraction::new(num.ok()?, den.ok()?).map(|fraction| fraction.to_string())
}

/// The return of a wager from its net results.
fn of_returns(returns: &Returns) -> Option<ExactBetReturn> {
    exact(returns.average()?.plus(Fraction::ONE), returns.variance())
}

/// Returns the return of the base wager alone, without the effect of a double down.
fn of_base(base: &BaseGame) -> Option<ExactBetReturn> {
    let reading = base.reading("never-doubled").or_else(|| base.reading("as-played"))?;
    of_returns(&reading.returns)
}
