//! The bonus bets of a sheet.

use super::exact::{ParCount, ParFraction, ResultSpread};
use super::extremes::{common_denominator, extremes};
use super::reconcile::to_others;
use super::sheet::{
    BetFigures, BetPar, JointPar, MeterPar, PlayersPar, RowFigures, RowPar, SetByPlayerPar,
    StakePar, StakesPar, ToOthersPar,
};
use crate::rules::sheet::{CountedDeals, MinorUnits, PayOdds};
use paigow_exact::{BestPlayTerms, JointPlay, SetBetCounts};
use paigow_round::ListedGame;
use paigow_rules::game::{BetSubject, BonusBet, Fraction, RowCounts, RowPayment, Ruleset};

/// Returns the figures of a bonus bet. `joint` are the results if the player sets for it and the
/// base wager, if they are counted.
pub(super) fn bonus_bet(bet: &BonusBet, game: &ListedGame, joint: Option<&JointPlay>) -> BetPar {
    let ruleset = &game.ruleset;
    let counts = game.row_counts(bet);
    let rows = bet.rows.iter().enumerate();
    let rows = rows.map(|(place, row)| RowPar {
        id: row.id.clone(),
        title: row.title.clone(),
        pays: row.pays.odds().map(PayOdds),
        meter_share: row.pays.meter_share().map(|share| PayOdds(share.share())),
        result: row.pays.status(),
        to_others_minor: row.to_others.map(MinorUnits),
        figures: counts.as_ref().and_then(|counts| row_figures(bet, counts, place)),
    });
    BetPar {
        bet: bet.id.to_string(),
        title: bet.title.clone(),
        judged_on: judged_on(bet),
        counted: CountedDeals::of(bet.looks_at == BetSubject::Showdown),
        rows: rows.collect(),
        figures: counts.as_ref().and_then(|counts| figures(bet, counts)),
        without_figures: counts.is_none().then(|| "Not counted.".to_owned()),
        set_by_player: game
            .set_bet_counts(bet)
            .and_then(|counts| set_by_player(bet, game, &counts, joint)),
        to_others: others(bet, ruleset),
        meter: counts.as_ref().and_then(|counts| meter(bet, counts)),
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
        BetSubject::SeatSetHands => "the hands of the seat as they are set",
        BetSubject::Showdown => "seat against dealer, both set by the house way",
    }
}

/// Returns the returns of a bet on set hands for players who set them; `joint` as for
/// [`bonus_bet`].
fn set_by_player(
    bet: &BonusBet,
    game: &ListedGame,
    counts: &SetBetCounts,
    joint: Option<&JointPlay>,
) -> Option<SetByPlayerPar> {
    let with_base = joint.and_then(|joint| {
        let terms = BestPlayTerms::of(&game.ruleset)?;
        Some(JointPar {
            returned: ParFraction(bet.return_of(&joint.rows)?),
            base_returned: ParFraction(joint.base_return(&terms)?),
        })
    });
    let is_blind = !game.ruleset.exposes_dealer();
    Some(SetByPlayerPar {
        for_it_alone: ParFraction(bet.return_of(&counts.for_it_alone)?),
        without_base: with_base.is_none().then_some(if is_blind {
            "paigow-lab par --count counts it"
        } else {
            "not counted: the player sees the dealer's hand"
        }),
        with_base,
    })
}

fn row_figures(bet: &BonusBet, counts: &RowCounts, place: usize) -> Option<RowFigures> {
    let combinations = ParCount((*counts.rows.get(place)?).into());
    let probability = combinations.of(ParCount(counts.total.into()))?;
    let won = probability.times(bet.rows.get(place)?.pays.won()?)?;
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
            RowPayment::Odds(_) | RowPayment::Meter(_) => hits += hands,
            RowPayment::Push => pushes += hands,
        }
        returned = returned.plus(share(hands)?.times(row.pays.handed_back()?)?)?;
    }
    Some(BetFigures {
        combinations: total,
        losing: ParCount(counts.losing.into()),
        loss_rate: ParFraction(share(counts.losing)?),
        hit_rate: ParFraction(share(hits)?),
        push_rate: ParFraction(share(pushes)?),
        returned: ParFraction(returned),
        house_edge: ParFraction(Fraction::ONE.minus(returned)?),
        spread: ResultSpread::of(bet.variance_of(counts)?)?,
    })
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

/// Returns the results of a bet with a meter by the content of the meter; [`None`] for another bet.
fn meter(bet: &BonusBet, counts: &RowCounts) -> Option<MeterPar> {
    let (meter, returned) = (bet.meter?, bet.meter_return(counts)?);
    Some(MeterPar {
        seed_minor: MinorUnits(meter.seed),
        stake_minor: MinorUnits(bet.limits.minimum),
        contribution: PayOdds(meter.contribution),
        return_at_seed: ParFraction(returned.at_seed),
        return_of_each_minor_unit: ParFraction(returned.of_each_minor_unit),
        break_even_minor: ParFraction(returned.break_even),
        long_run_return: ParFraction(returned.in_the_long_run),
    })
}

/// Returns the worst and the best stake under rounding; [`None`] if all odds are whole.
fn rounding(bet: &BonusBet, counts: &RowCounts) -> Option<StakesPar> {
    let period = common_denominator(bet.rows.iter().filter_map(|row| row.pays.odds()))?;
    if period == 1 {
        return None;
    }
    let returned = |stake: i64| {
        let mut sum = 0_i128;
        for (row, &hands) in bet.rows.iter().zip(&counts.rows) {
            let win = match row.pays {
                RowPayment::Odds(odds) => odds.win(stake, bet.rounding),
                RowPayment::Meter(share) => share.of(bet.meter?.seed),
                RowPayment::Push => 0,
            };
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
