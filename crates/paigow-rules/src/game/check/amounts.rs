//! Checks the amounts of a sheet: one by one against the limits, and their sum.

use super::{WagerRules, fault as sheet_fault};
use crate::game::bets::BetId;
use crate::game::money::MAX_STAKE;
use crate::game::ruleset::{Coverage, Ruleset};
use crate::game::sheet::{SheetFault, SheetLimits, SheetPlace, SheetRule, TableFacts, Wager};

/// Returns what is wrong with the amount, the most basic fault first: the limits of
/// the table narrow those of the ruleset and never widen them.
pub(super) fn fault(
    ruleset: &Ruleset,
    facts: &TableFacts,
    rules: &WagerRules,
    wager: &Wager,
) -> Option<(SheetRule, String, SheetLimits)> {
    let stake = wager.amount_minor;
    if !(1..=MAX_STAKE).contains(&stake) {
        let message = format!("must be 1 to {MAX_STAKE} minor units");
        return Some((SheetRule::AmountRange, message, SheetLimits::range(1, MAX_STAKE)));
    }
    // The table's minimum is for the base wager only.
    let table_minimum =
        if rules.bet == BetId::BASE { facts.table_min_minor.unwrap_or(1) } else { 1 };
    let minimum = rules.limits.minimum.max(table_minimum);
    if stake < minimum {
        let message = format!("is below the minimum of {minimum} minor units");
        return Some((SheetRule::BelowMinimum, message, SheetLimits::least(minimum)));
    }
    let maximum = rules.limits.maximum.min(facts.table_max_minor.unwrap_or(MAX_STAKE));
    if stake > maximum {
        let message = format!("is above the maximum of {maximum} minor units");
        return Some((SheetRule::AboveMaximum, message, SheetLimits::most(maximum)));
    }
    if let Some(chip) = facts.chip_minor.filter(|chip| *chip > 0)
        && stake % chip != 0
    {
        let message = format!("is no multiple of the lowest chip, {chip} minor units");
        let limits = SheetLimits { multiple_of: Some(chip.into()), ..SheetLimits::NONE };
        return Some((SheetRule::NotChipMultiple, message, limits));
    }
    let most = ruleset.max_payout?;
    (rules.top_odds.win(stake, rules.rounding) > i128::from(most)).then(|| {
        let message =
            format!("could win more than {most} minor units, at odds of {}", rules.top_odds);
        (SheetRule::MaxPayout, message, SheetLimits::NONE)
    })
}

/// Returns the most that a wager can move, in minor units: stake and win, twice if it can be
/// doubled, and what it wins by the hands of others: at most as much by each seat's.
pub(super) fn most_moved(ruleset: &Ruleset, rules: &WagerRules, stake: i64) -> i128 {
    let once = i128::from(stake) + rules.top_odds.win(stake, rules.rounding);
    let doubled = rules.bet == BetId::BASE && ruleset.double_down.is_some();
    let others = ruleset.bonus_bet(rules.bet).into_iter().flat_map(|bonus| &bonus.rows);
    let other = others.filter_map(|row| row.to_others).max().unwrap_or(0);
    once * if doubled { 2 } else { 1 } + i128::from(other) * i128::from(ruleset.seats)
}

/// Notes wagers that could together move more than 64 bits hold, so that no settlement
/// can overflow. A limited bank bounds them by itself.
pub(super) fn check_sum(ruleset: &Ruleset, sum: i128, faults: &mut Vec<SheetFault>) {
    let most = match ruleset.coverage {
        Coverage::PlayerDealer => return,
        Coverage::House => i128::from(i64::MAX),
    };
    if sum > most {
        let message = format!("the wagers could together move {sum} minor units, above {most}");
        let fault = sheet_fault(SheetPlace::Sheet, SheetRule::AmountRange, message);
        faults.push(SheetFault { limits: SheetLimits::most(most), ..fault });
    }
}
