//! The bonus bets of a sheet.

use super::base::why_uncounted;
use super::exact::{ParCount, ParFraction, ResultSpread};
use super::extremes::{common_denominator, extremes};
use super::reconcile::{to_others, won};
use super::sheet::{
    BetFigures, BetPar, PlayersPar, RowFigures, RowPar, StakePar, StakesPar, ToOthersPar,
};
use crate::rules::sheet::{CountedDeals, MinorUnits, PayOdds};
use paigow_rules::game::{BetSubject, BonusBet, Fraction, RowCounts, RowPayment, Ruleset};

/// Returns what a bonus bet comes to; `pairs` are the counts of a bet on two hands, if
/// they are known.
pub(super) fn bonus_bet(bet: &BonusBet, ruleset: &Ruleset, pairs: Option<&RowCounts>) -> BetPar {
    let cards = ruleset.hand_cards();
    let is_showdown = bet.looks_at == BetSubject::Showdown;
    let counts = if is_showdown { pairs.cloned() } else { bet.row_counts(cards) };
    let rows = bet.rows.iter().enumerate();
    let rows = rows.map(|(place, row)| RowPar {
        id: row.id.clone(),
        title: row.title.clone(),
        pays: row.pays.odds().map(PayOdds),
        result: row.pays.status(),
        to_others_minor: row.to_others.map(MinorUnits),
        figures: counts.as_ref().and_then(|counts| row_figures(bet, counts, place)),
    });
    BetPar {
        bet: bet.id.to_string(),
        title: bet.title.clone(),
        judged_on: judged_on(bet),
        counted: CountedDeals::of(is_showdown),
        rows: rows.collect(),
        figures: counts.as_ref().and_then(|counts| figures(bet, counts)),
        without_figures: counts.is_none().then(|| why_uncounted(ruleset)),
        to_others: others(bet, ruleset),
        rounding: counts.as_ref().and_then(|counts| rounding(bet, counts)),
    }
}

fn judged_on(bet: &BonusBet) -> &'static str {
    match bet.looks_at {
        BetSubject::SeatHand if bet.asks_colour() => {
            "all cards of the seat, and the colour that the player names"
        }
        BetSubject::SeatHand => "all cards of the seat, however they are set",
        BetSubject::DealerHand => "all cards of the dealer, however they are set",
        BetSubject::FirstThree => "the first three cards of the seat",
        BetSubject::Showdown => "seat against dealer, both set by the house way",
    }
}

fn row_figures(bet: &BonusBet, counts: &RowCounts, place: usize) -> Option<RowFigures> {
    let combinations = ParCount((*counts.rows.get(place)?).into());
    let probability = combinations.of(ParCount(counts.total.into()))?;
    let won = probability.times(won(bet.rows.get(place)?.pays)?)?;
    Some(RowFigures {
        combinations,
        probability: ParFraction(probability),
        returned: ParFraction(won.plus(probability)?),
        won: ParFraction(won),
    })
}

fn figures(bet: &BonusBet, counts: &RowCounts) -> Option<BetFigures> {
    let total = ParCount(counts.total.into());
    let share = |hands: u64| ParCount(hands.into()).of(total);
    let rows = bet.rows.iter().zip(&counts.rows);
    let (mut hits, mut pushes, mut returned) = (0, 0, Fraction::ZERO);
    for (row, &hands) in rows.clone() {
        match row.pays {
            RowPayment::Odds(_) => hits += hands,
            RowPayment::Push => pushes += hands,
        }
        let back = won(row.pays)?.plus(Fraction::ONE)?;
        returned = returned.plus(share(hands)?.times(back)?)?;
    }
    Some(BetFigures {
        combinations: total,
        losing: ParCount(counts.losing.into()),
        loss_rate: ParFraction(share(counts.losing)?),
        hit_rate: ParFraction(share(hits)?),
        push_rate: ParFraction(share(pushes)?),
        returned: ParFraction(returned),
        house_edge: ParFraction(Fraction::ONE.minus(returned)?),
        spread: ResultSpread::of(variance(bet, counts)?)?,
    })
}

/// Returns the variance of what is handed back per unit staked, over one denominator: that
/// of the hands and of the odds, so that the square of the number of hands fits.
fn variance(bet: &BonusBet, counts: &RowCounts) -> Option<Fraction> {
    let den = common_denominator(bet.rows.iter().filter_map(|row| row.pays.odds()))?;
    let (mut sum, mut squares) = (0_i128, 0_i128);
    for (row, &hands) in bet.rows.iter().zip(&counts.rows) {
        let won = match row.pays {
            RowPayment::Odds(odds) => i128::from(odds.num()) * i128::from(den / odds.den()),
            RowPayment::Push => 0,
        };
        let back = won + i128::from(den);
        sum = sum.checked_add(back.checked_mul(hands.into())?)?;
        squares = squares.checked_add(back.checked_mul(back)?.checked_mul(hands.into())?)?;
    }
    let all = i128::from(counts.total);
    let num = squares.checked_mul(all)?.checked_sub(sum.checked_mul(sum)?)?;
    let scale = all.checked_mul(den.into())?;
    // The square of both may not fit before it is reduced.
    Fraction::new(num, scale).and_then(|part| part.times(Fraction::new(1, scale)?))
}

fn others(bet: &BonusBet, ruleset: &Ruleset) -> Option<ToOthersPar> {
    let cards = ruleset.hand_cards();
    let terms = bet.to_others.as_ref()?;
    let alone = bet.exact_return(cards)?;
    let average = bet.exact_to_others(cards)?;
    let most = bet.rows.iter().filter_map(|row| row.to_others).max()?;
    let beside = |players: u8| {
        let (all, others) = (i64::from(players), i64::from(players) - 1);
        let returned = alone.plus(to_others(bet, cards, players - 1)?)?;
        let house_edge = Fraction::ONE.minus(returned)?;
        Some(PlayersPar {
            players,
            returned: ParFraction(returned),
            house_edge: ParFraction(house_edge),
            paid_a_round_minor: ParFraction(average.times(Fraction::from(all * others))?),
            paid_at_most_a_hand_minor: MinorUnits(most.checked_mul(others)?),
        })
    };
    Some(ToOthersPar {
        bet: terms.bet.to_string(),
        threshold_minor: MinorUnits(terms.threshold.max(bet.limits.minimum)),
        one_other_minor: ParFraction(average),
        one_other: ParFraction(to_others(bet, cards, 1)?),
        by_players: (1..=ruleset.seats()).map(beside).collect::<Option<_>>()?,
    })
}

/// Returns the stakes that rounding serves worst and best, nothing if all odds are whole.
fn rounding(bet: &BonusBet, counts: &RowCounts) -> Option<StakesPar> {
    let period = common_denominator(bet.rows.iter().filter_map(|row| row.pays.odds()))?;
    if period == 1 {
        return None;
    }
    let returned = |stake: i64| {
        let mut sum = 0_i128;
        for (row, &hands) in bet.rows.iter().zip(&counts.rows) {
            let win = row.pays.odds().map_or(0, |odds| odds.win(stake, bet.rounding));
            sum = sum.checked_add((win + i128::from(stake)).checked_mul(hands.into())?)?;
        }
        Fraction::new(sum, i128::from(counts.total).checked_mul(stake.into())?)
    };
    let kept = |stake: i64| Fraction::ONE.minus(returned(stake)?);
    let stake = |stake: i64| {
        Some(StakePar {
            stake_minor: MinorUnits(stake),
            returned: ParFraction(returned(stake)?),
            house_edge: ParFraction(kept(stake)?),
        })
    };
    let limits = bet.limits;
    let [worst, best] = extremes([limits.minimum, 1, limits.maximum], period, kept)?;
    Some(StakesPar { worst: stake(worst)?, best: stake(best)? })
}
