//! The effect of rounding on commissions, and the share of a wager that flat fees are.

use super::exact::ParFraction;
use super::extremes::{common_divisor, extremes};
use super::sheet::{ChipPar, CommissionBase, CommissionPar, FeePar, KeptPar};
use crate::rules::sheet::{MinorUnits, PayOdds};
use paigow_rules::game::{
    Commission, FeeSchedule, Fraction, Increment, Odds, Ruleset, StakeLimits,
};

/// The lowest chips, in minor units, for which a commission by chips is shown.
const CHIPS: [i64; 9] = [1, 2, 5, 10, 25, 50, 100, 500, 2_500];

/// How often a base wager wins and loses, of all deals.
#[derive(Clone, Copy, Debug)]
pub(super) struct WinLossRates {
    pub(super) win: Fraction,
    pub(super) lose: Fraction,
}

/// Returns the commissions of a ruleset; `rates` are those of its base game, if counted.
pub(super) fn commissions(ruleset: &Ruleset, rates: Option<WinLossRates>) -> Vec<CommissionPar> {
    let base = ruleset.base().commission.map(|terms| (CommissionBase::Base, terms, rates));
    let banking = ruleset.banking().map(|terms| (CommissionBase::Banking, terms.commission, None));
    let all = base.into_iter().chain(banking);
    all.map(|(of, terms, rates)| CommissionPar {
        of,
        rate: PayOdds(terms.rate),
        rounding: terms.rounding,
        increment: terms.increment,
        by_chip: match terms.increment {
            Increment::MinorUnit => by_chip(ruleset, &terms, None, rates).into_iter().collect(),
            Increment::QuarterChip => CHIPS
                .into_iter()
                .filter_map(|chip| by_chip(ruleset, &terms, Some(chip), rates))
                .collect(),
        },
    })
    .collect()
}

fn by_chip(
    ruleset: &Ruleset,
    terms: &Commission,
    chip: Option<i64>,
    rates: Option<WinLossRates>,
) -> Option<ChipPar> {
    let base = ruleset.base();
    let StakeLimits { minimum, maximum } = base.limits;
    let kept = |stake: i64| {
        let win = base.pays.win(stake, base.rounding);
        let commission = terms.due(win, chip);
        let share = Fraction::new(commission, win)?;
        let house_edge = match rates {
            Some(WinLossRates { win: rate, lose }) => {
                let won = rate.times(Fraction::new(win - commission, stake.into())?)?;
                Some(ParFraction(lose.minus(won)?))
            }
            None => None,
        };
        Some(KeptPar {
            stake_minor: MinorUnits(stake),
            win_minor: MinorUnits(i64::try_from(win).ok()?),
            commission_minor: MinorUnits(i64::try_from(commission).ok()?),
            share: ParFraction(share),
            house_edge,
        })
    };
    // If a fraction is dropped, the win may be 0, which has no share.
    let share = |stake: i64| kept(stake).map_or(Some(Fraction::ZERO), |kept| Some(kept.share.0));
    let step = chip.unwrap_or(1);
    let period = period(terms.rate, base.pays, chip)?;
    let [worst, best] = extremes([minimum, step, maximum], period, share)?;
    Some(ChipPar { chip_minor: chip.map(MinorUnits), worst: kept(worst)?, best: kept(best)? })
}

/// Returns the number of steps of the stake after which the rounding of a commission repeats.
fn period(rate: Odds, pays: Odds, chip: Option<i64>) -> Option<i64> {
    let increment = chip.map_or(1, |chip| chip.div_euclid(4) + i64::from(chip % 4 != 0));
    let stakes = rate.den().checked_mul(increment)?.checked_mul(pays.den())?;
    Some(stakes / common_divisor(stakes, chip.unwrap_or(1)))
}

/// Returns the flat fees of a ruleset, band by band.
pub(super) fn fees(ruleset: &Ruleset) -> Vec<FeePar> {
    let Some(fees) = ruleset.fee_schedules() else { return Vec::new() };
    let mut all = bands("player", &fees.player, ruleset.base().limits.minimum);
    all.extend(bands("player_dealer", &fees.player_dealer, ruleset.base().limits.minimum));
    all
}

fn bands(of: &'static str, schedule: &FeeSchedule, minimum: i64) -> Vec<FeePar> {
    let mut from = minimum;
    let mut all = Vec::new();
    for band in schedule.bands() {
        if band.up_to.is_some_and(|end| end < from) {
            continue;
        }
        let share = |amount: i64| Fraction::new(band.fee.into(), amount.into()).map(ParFraction);
        if let Some(highest_share) = share(from) {
            all.push(FeePar {
                of,
                from_minor: MinorUnits(from),
                up_to_minor: band.up_to.map(MinorUnits),
                fee_minor: MinorUnits(band.fee),
                highest_share,
                lowest_share: band.up_to.and_then(share),
            });
        }
        from = band.up_to.map_or(from, |end| end.saturating_add(1));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(id: &str) -> Vec<CommissionPar> {
        let ruleset =
            paigow_rules::game::shipped().iter().find(|ruleset| ruleset.id() == id).unwrap();
        commissions(ruleset, Some(WinLossRates { win: Fraction::ZERO, lose: Fraction::ONE }))
    }

    fn kept(kept: &KeptPar) -> [i64; 3] {
        [kept.stake_minor.0, kept.win_minor.0, kept.commission_minor.0]
    }

    #[test]
    fn mania_keeps_one_of_ten_and_nothing_of_less() {
        let mania = of("mania");
        let [only] = &mania[0].by_chip[..] else { panic!("one entry without a chip") };
        assert_eq!((kept(&only.worst), kept(&only.best)), ([10, 10, 1], [1, 1, 0]));
        assert_eq!(only.worst.share.0, Fraction::new(1, 10).unwrap());
        // Nothing is won and all is lost, so the house keeps everything.
        assert_eq!(only.worst.house_edge.map(|edge| edge.0), Some(Fraction::ONE));
    }

    #[test]
    fn online_keeps_a_quarter_of_a_win_of_one_chip_and_a_twentieth_of_five() {
        let online = of("online");
        let of_chip = |chip| {
            let found = online[0].by_chip.iter().find(|one| one.chip_minor.unwrap().0 == chip);
            found.map(|one| (kept(&one.worst), kept(&one.best))).unwrap()
        };
        // A chip of 100: a quarter is 25, 5 % of 500.
        assert_eq!(of_chip(100), ([100, 100, 25], [500, 500, 25]));
        assert_eq!(of_chip(2_500), ([2_500, 2_500, 625], [12_500, 12_500, 625]));
        // Of 10 a quarter is 2.5, so 3: 5 % of 60.
        assert_eq!(of_chip(10), ([10, 10, 3], [60, 60, 3]));
        // A win of 1 is kept whole; 20 leave 19.
        assert_eq!(of_chip(1), ([1, 1, 1], [20, 20, 1]));
    }

    #[test]
    fn a_fee_weighs_most_on_the_least_wager_of_its_band() {
        let mikes = paigow_rules::game::shipped().iter().find(|one| one.id() == "mikes").unwrap();
        let shares = |of: &str| -> Vec<[i64; 2]> {
            let bands = fees(mikes);
            let bands = bands.iter().filter(|band| band.of == of);
            bands.map(|band| [band.from_minor.0, band.fee_minor.0]).collect()
        };
        // At least $10.00 a wager; $1 to $200.00, $2 above.
        assert_eq!(shares("player"), [[1_000, 100], [20_001, 200]]);
        let [first, ..] = &fees(mikes)[..] else { panic!("bands") };
        assert_eq!(first.highest_share.0, Fraction::new(1, 10).unwrap());
        assert_eq!(first.lowest_share.unwrap().0, Fraction::new(1, 200).unwrap());
    }
}
