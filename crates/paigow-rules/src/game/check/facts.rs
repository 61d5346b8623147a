//! Checks the table facts of a sheet.

use super::{fault, rules_of};
use crate::cards::Seat;
use crate::game::bets::BetId;
use crate::game::money::MAX_STAKE;
use crate::game::ruleset::{Banking, Ruleset};
use crate::game::sheet::{
    BetLimit, SheetFault, SheetLimits, SheetPlace, SheetRule, TableFact, TableFacts, WagerSheet,
};

/// Notes every fact that is missing, not required, out of range or inconsistent with the wagers.
pub(super) fn check(ruleset: &Ruleset, sheet: &WagerSheet, faults: &mut Vec<SheetFault>) {
    let facts = &sheet.facts;
    for fact in TableFact::ALL {
        let required = || ruleset.required_facts.contains(&fact);
        let asked = || required() || ruleset.optional_facts.contains(&fact);
        let range = ruleset.fact_range(fact);
        let (least, most) = (*range.start(), *range.end());
        let limits = SheetLimits::range(least, most);
        let (rule, message, limits) = match facts.value(fact) {
            None if required() => {
                (SheetRule::FactMissing, "the ruleset needs it".to_owned(), limits)
            }
            None => continue,
            Some(_) if !asked() => {
                let message = "the ruleset does not ask for it".to_owned();
                (SheetRule::FactUnexpected, message, SheetLimits::NONE)
            }
            Some(value) => {
                if range.contains(&value) {
                    continue;
                }
                (SheetRule::FactRange, format!("must be {least} to {most}"), limits)
            }
        };
        let fault = fault(SheetPlace::Fact(fact.name()), rule, message);
        faults.push(SheetFault { limits, ..fault });
    }
    if let (Some(least), Some(most)) = (facts.table_min_minor, facts.table_max_minor)
        && least > most
    {
        let message = "is above the maximum of the table".to_owned();
        let place = SheetPlace::Fact(TableFact::TableMinMinor.name());
        let fault = fault(place, SheetRule::FactRange, message);
        faults.push(SheetFault { limits: SheetLimits::most(most), ..fault });
    }
    check_bet_limits(ruleset, &facts.bet_limits, faults);
    if let Some(banking) = &ruleset.banking {
        check_banker(banking, sheet, faults);
    }
}

/// Notes limits of a bet that the ruleset does not have, or that has one already, and limits out of
/// range.
fn check_bet_limits(ruleset: &Ruleset, limits: &[BetLimit], faults: &mut Vec<SheetFault>) {
    for (index, limit) in limits.iter().enumerate() {
        let mut blame = |member, rule, message: &str, limits| {
            let fault = fault(SheetPlace::BetLimit { index, member }, rule, message.to_owned());
            faults.push(SheetFault { limits, ..fault });
        };
        if BetId::from_name(&limit.bet).is_none_or(|bet| rules_of(ruleset, bet).is_none()) {
            let message = "the ruleset has no such bet";
            blame("bet", SheetRule::UnknownBet, message, SheetLimits::NONE);
        }
        if limits[..index].iter().any(|other| other.bet == limit.bet) {
            let message = "the bet has a limit already";
            blame("bet", SheetRule::DuplicateWager, message, SheetLimits::NONE);
        }
        if !(0..=MAX_STAKE).contains(&limit.max_minor) {
            let message = format!("must be 0 to {MAX_STAKE}");
            let range = SheetLimits::range(0, MAX_STAKE);
            blame("max_minor", SheetRule::FactRange, &message, range);
        }
    }
}

/// Checks the player who banks. He plays too, and his bank covers the others' base and double-down
/// wagers.
fn check_banker(banking: &Banking, sheet: &WagerSheet, faults: &mut Vec<SheetFault>) {
    let TableFacts { banker_seat, bank_minor, .. } = sheet.facts;
    let mut blame = |fact: TableFact, rule, message: String, limits| {
        let fault = fault(SheetPlace::Fact(fact.name()), rule, message);
        faults.push(SheetFault { limits, ..fault });
    };
    match (banker_seat, bank_minor) {
        (None, None) => {}
        (None, Some(_)) => {
            let message = "a bank needs a banker_seat".to_owned();
            blame(TableFact::BankMinor, SheetRule::FactUnexpected, message, SheetLimits::NONE);
        }
        (Some(_), None) => {
            let message = "a player who banks must state the bank".to_owned();
            blame(TableFact::BankMinor, SheetRule::FactMissing, message, SheetLimits::NONE);
        }
        (Some(seat), Some(bank)) => {
            if base_wagers(sheet).all(|(of, _)| of != seat) {
                let message = format!("seat {seat} banks and has no base wager");
                blame(TableFact::BankerSeat, SheetRule::FactRange, message, SheetLimits::NONE);
            }
            let others: i128 =
                base_wagers(sheet).filter(|(of, _)| *of != seat).map(|(_, stake)| stake).sum();
            let least = others * i128::from(banking.bank_per_base);
            if i128::from(bank) < least {
                let message = format!(
                    "must be at least {least}: {} times the base wagers of the other seats",
                    banking.bank_per_base
                );
                blame(
                    TableFact::BankMinor,
                    SheetRule::BankTooSmall,
                    message,
                    SheetLimits::least(least),
                );
            }
        }
    }
}

fn base_wagers(sheet: &WagerSheet) -> impl Iterator<Item = (Seat, i128)> {
    let base = sheet.wagers.iter().filter(|wager| wager.bet == BetId::BASE.name());
    base.map(|wager| (wager.seat, i128::from(wager.amount_minor)))
}
