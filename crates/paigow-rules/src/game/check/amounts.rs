//! Checks the amounts of a sheet: one by one against the limits, and their sum.

use super::{WagerRules, fault as sheet_fault};
use crate::cards::BySeat;
use crate::game::bets::BetId;
use crate::game::money::MAX_STAKE;
use crate::game::ruleset::{Coverage, Ruleset};
use crate::game::sheet::{SheetFault, SheetLimits, SheetPlace, SheetRule, TableFacts, Wager};

/// Returns the fault of the amount, the most basic fault first. The limits of the table narrow
/// those of the ruleset and never widen them.
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
    let posted = facts.limit_of(rules.bet).unwrap_or(MAX_STAKE);
    if posted == 0 {
        let message = "the table does not offer the bet".to_owned();
        return Some((SheetRule::AboveMaximum, message, SheetLimits::most(0)));
    }
    // The table's minimum is for the base wager only.
    let table_minimum =
        if rules.bet == BetId::BASE { facts.table_min_minor.unwrap_or(1) } else { 1 };
    let minimum = rules.limits.minimum.max(table_minimum);
    if stake < minimum {
        let message = format!("is below the minimum of {minimum} minor units");
        return Some((SheetRule::BelowMinimum, message, SheetLimits::least(minimum)));
    }
    let of_table = facts.table_max_minor.unwrap_or(MAX_STAKE).min(posted);
    let maximum = rules.limits.maximum.min(of_table);
    if stake > maximum {
        let message = format!("is above the maximum of {maximum} minor units");
        return Some((SheetRule::AboveMaximum, message, SheetLimits::most(maximum)));
    }
    if let Some(chip) = facts.chip_minor.filter(|chip| *chip > 0)
        && stake % chip != 0
    {
        let message = format!("is not a multiple of the lowest chip, {chip} minor units");
        let limits = SheetLimits { multiple_of: Some(chip.into()), ..SheetLimits::NONE };
        return Some((SheetRule::NotChipMultiple, message, limits));
    }
    let most = ruleset.payout_limits.wager?;
    (top_win(facts, rules, stake) > i128::from(most)).then(|| {
        let by = if rules.top.odds().is_some() { "at odds of " } else { "by " };
        let message = format!("could win more than {most} minor units, {by}{}", rules.top);
        (SheetRule::MaxPayout, message, SheetLimits::NONE)
    })
}

/// Returns the most that `stake` can win by its own bet. If the sheet does not state the meter, a
/// bet with a meter wins 0.
fn top_win(facts: &TableFacts, rules: &WagerRules, stake: i64) -> i128 {
    rules.top.win(stake, rules.rounding, facts.meter_minor.unwrap_or(0))
}

/// The most that a wager can win and move, or several together, in minor units.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Reach {
    /// The win: by the first row of the bet, twice if it can be doubled. It includes the wins by
    /// the hands of all other seats.
    pub(super) won: i128,
    /// The stake, twice if it can be doubled, and the win.
    pub(super) moved: i128,
}

impl Reach {
    /// Returns the reach of `stake` on the bet of `rules`.
    pub(super) fn of(
        ruleset: &Ruleset,
        facts: &TableFacts,
        rules: &WagerRules,
        stake: i64,
    ) -> Self {
        let is_doubled = rules.bet == BetId::BASE && ruleset.double_down.is_some();
        let times = if is_doubled { 2 } else { 1 };
        let other_seats = i128::from(ruleset.seats.saturating_sub(1));
        let won = top_win(facts, rules, stake) * times
            + i128::from(most_by_another(ruleset, rules.bet, stake)) * other_seats;
        Self { won, moved: i128::from(stake) * times + won }
    }

    /// Returns the reach of both together.
    pub(super) const fn and(self, other: Self) -> Self {
        Self { won: self.won + other.won, moved: self.moved + other.moved }
    }
}

/// Returns the most that `stake` on a bet wins by the hand of one other seat.
fn most_by_another(ruleset: &Ruleset, bet: BetId, stake: i64) -> i64 {
    let Some(bonus) = ruleset.bonus_bet(bet) else { return 0 };
    if bonus.to_others.as_ref().is_none_or(|terms| stake < terms.threshold) {
        return 0;
    }
    bonus.rows.iter().filter_map(|row| row.to_others).max().unwrap_or(0)
}

/// Notes seats whose wagers could win more than the ruleset allows, and the same for the round.
pub(super) fn check_wins(
    ruleset: &Ruleset,
    seats: &BySeat<Reach>,
    all: Reach,
    faults: &mut Vec<SheetFault>,
) {
    let most = ruleset.payout_limits;
    let of_seats = seats.iter().map(|(seat, reach)| {
        (SheetPlace::Seat(seat), format!("the wagers of seat {seat}"), reach.won, most.seat)
    });
    let of_round = (SheetPlace::Sheet, "the wagers".to_owned(), all.won, most.round);
    for (place, who, won, most) in of_seats.chain([of_round]) {
        let Some(most) = most.filter(|most| won > i128::from(*most)) else { continue };
        let message = format!("{who} could together win {won} minor units, above {most}");
        let fault = sheet_fault(place, SheetRule::MaxPayout, message);
        faults.push(SheetFault { limits: SheetLimits::most(most), ..fault });
    }
}

/// Notes wagers that could together move more than 64 bits hold, so that no settlement can
/// overflow. A limited bank bounds its wagers anyway.
pub(super) fn check_sum(ruleset: &Ruleset, all: Reach, faults: &mut Vec<SheetFault>) {
    let most = match ruleset.coverage {
        Coverage::PlayerDealer => return,
        Coverage::House => i128::from(i64::MAX),
    };
    let moved = all.moved;
    if moved > most {
        let message = format!("the wagers could together move {moved} minor units, above {most}");
        let fault = sheet_fault(SheetPlace::Sheet, SheetRule::AmountRange, message);
        faults.push(SheetFault { limits: SheetLimits::most(most), ..fault });
    }
}
