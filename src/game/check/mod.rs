//! Checks a wager sheet against its ruleset, and reports every fault at once.

use std::collections::{BTreeMap, BTreeSet};

use super::bets::{BetId, Limits};
use super::money::{MAX_BANK, MAX_STAKE, Odds, Rounding};
use super::ruleset::{Base, Coverage, Procedure, Ruleset};
use super::sheet::{Fact, Facts, Place, SheetFault, SheetRule, Wager, WagerSheet};
use super::table::{BankTerms, DealTerms, Placed, Table};
use crate::cards::Seat;

/// Makes a table of `sheet`, or lists all that is wrong with it: currency, facts by
/// name, wagers in their order, the sheet as a whole.
pub(super) fn check(ruleset: &Ruleset, sheet: &WagerSheet) -> Result<Table, Vec<SheetFault>> {
    let mut faults = Vec::new();
    if sheet.currency != ruleset.currency {
        let message = format!("the ruleset has amounts in {}", ruleset.currency);
        faults.push(fault(Place::Currency, SheetRule::CurrencyMismatch, message));
    }
    check_facts(ruleset, &sheet.facts, &mut faults);
    let seats = check_wagers(ruleset, sheet, &mut faults);
    let terms = terms(ruleset, &sheet.facts);
    match terms {
        Some((deal, bank)) if faults.is_empty() => Ok(Table {
            ruleset: ruleset.id.clone(),
            currency: sheet.currency.clone(),
            facts: sheet.facts.clone(),
            deal,
            bank,
            seats,
        }),
        // Terms are wanting only where a required fact is, which is a fault.
        Some(_) | None => Err(faults),
    }
}

fn terms(ruleset: &Ruleset, facts: &Facts) -> Option<(DealTerms, BankTerms)> {
    let deal = match ruleset.procedure {
        Procedure::Zigzag => DealTerms::Zigzag { action_pile: facts.action_pile? },
    };
    let bank = match ruleset.coverage {
        Coverage::PlayerDealer => BankTerms::PlayerDealer { bank: facts.bank_minor? },
    };
    Some((deal, bank))
}

fn fault(place: Place, rule: SheetRule, message: String) -> SheetFault {
    SheetFault { place, rule, message }
}

fn check_facts(ruleset: &Ruleset, facts: &Facts, faults: &mut Vec<SheetFault>) {
    for fact in Fact::ALL {
        let required = ruleset.required_facts.contains(&fact);
        let asked = required || ruleset.optional_facts.contains(&fact);
        let (least, most) = range(fact);
        let (rule, message) = match facts.value(fact) {
            None if required => (SheetRule::FactMissing, "the ruleset needs it".to_owned()),
            Some(_) if !asked => {
                (SheetRule::FactUnexpected, "the ruleset does not ask for it".to_owned())
            }
            Some(value) if !(least..=most).contains(&value) => {
                (SheetRule::FactRange, format!("must be {least} to {most}"))
            }
            Some(_) | None => continue,
        };
        faults.push(fault(Place::Fact(fact.name()), rule, message));
    }
    if let (Some(least), Some(most)) = (facts.table_min_minor, facts.table_max_minor)
        && least > most
    {
        let message = "is above the maximum of the table".to_owned();
        let place = Place::Fact(Fact::TableMinMinor.name());
        faults.push(fault(place, SheetRule::FactRange, message));
    }
}

/// Returns the least and the largest value of a fact.
const fn range(fact: Fact) -> (i64, i64) {
    match fact {
        Fact::ActionPile => (0, 6),
        Fact::BankMinor => (1, MAX_BANK),
        Fact::BankerSeat => (1, 7),
        Fact::ChipMinor | Fact::TableMaxMinor | Fact::TableMinMinor => (1, MAX_STAKE),
    }
}

fn check_wagers(
    ruleset: &Ruleset,
    sheet: &WagerSheet,
    faults: &mut Vec<SheetFault>,
) -> BTreeMap<Seat, Vec<Placed>> {
    let mut seats: BTreeMap<Seat, Vec<Placed>> = BTreeMap::new();
    let mut placed_on = BTreeSet::new();
    let has_base = |seat: Seat| {
        sheet.wagers.iter().any(|other| other.seat == seat && other.bet == BetId::Base.name())
    };
    for (index, wager) in sheet.wagers.iter().enumerate() {
        let mut blame = |member, rule, message| {
            faults.push(fault(Place::Wager { index, member }, rule, message));
        };
        if wager.seat.is_dealer() || wager.seat.number() > ruleset.seats {
            let message = format!("wagers are for seats 1 to {}", ruleset.seats);
            blame("seat", SheetRule::SeatRange, message);
        }
        let Some(rules) = rules(ruleset, &wager.bet) else {
            blame("bet", SheetRule::UnknownBet, "the ruleset has no such bet".to_owned());
            continue;
        };
        if !placed_on.insert((wager.seat, rules.bet)) {
            let message = format!("seat {} has this bet already", wager.seat);
            blame("bet", SheetRule::DuplicateWager, message);
        }
        if rules.needs_base && !has_base(wager.seat) {
            let message = format!("seat {} has no base wager", wager.seat);
            blame("bet", SheetRule::BaseMissing, message);
        }
        if let Some((rule, message)) = amount_fault(ruleset, &sheet.facts, &rules, wager) {
            blame("amount_minor", rule, message);
        }
        if wager.choice.is_some() {
            let message = "the bet asks for no colour".to_owned();
            blame("choice", SheetRule::ChoiceUnexpected, message);
        }
        let placed = Placed { bet: rules.bet, stake: wager.amount_minor, choice: wager.choice };
        seats.entry(wager.seat).or_default().push(placed);
    }
    if sheet.wagers.is_empty() {
        let message = "a round needs a wager".to_owned();
        faults.push(fault(Place::Sheet, SheetRule::NoWagers, message));
    }
    for placed in seats.values_mut() {
        placed.sort_by_key(|placed| ruleset.place_of(placed.bet));
    }
    seats
}

/// What a ruleset asks of a wager on one bet.
struct WagerRules {
    bet: BetId,
    limits: Limits,
    needs_base: bool,
    top_odds: Odds,
    rounding: Rounding,
}

fn rules(ruleset: &Ruleset, name: &str) -> Option<WagerRules> {
    let bet = BetId::from_name(name)?;
    if bet == BetId::Base {
        let Base { limits, pays, rounding } = ruleset.base;
        return Some(WagerRules { bet, limits, needs_base: false, top_odds: pays, rounding });
    }
    let bonus = ruleset.bonus_bet(bet)?;
    Some(WagerRules {
        bet,
        limits: bonus.limits,
        needs_base: bonus.needs_base,
        top_odds: bonus.top_odds(),
        rounding: bonus.rounding,
    })
}

/// Returns what is wrong with the amount, the most basic fault first: the limits of
/// the table narrow those of the ruleset and never widen them.
fn amount_fault(
    ruleset: &Ruleset,
    facts: &Facts,
    rules: &WagerRules,
    wager: &Wager,
) -> Option<(SheetRule, String)> {
    let stake = wager.amount_minor;
    if !(1..=MAX_STAKE).contains(&stake) {
        let message = format!("must be 1 to {MAX_STAKE} minor units");
        return Some((SheetRule::AmountRange, message));
    }
    let table_minimum = match rules.bet {
        BetId::Base => facts.table_min_minor.unwrap_or(1),
        // The table's minimum is for the base wager only.
        BetId::DoubleDown
        | BetId::Bonus
        | BetId::Community
        | BetId::ThreeCard
        | BetId::PaiGowBonus
        | BetId::WranglerPush
        | BetId::Outlaw9
        | BetId::QueensDragon
        | BetId::Dynasty
        | BetId::Envy
        | BetId::Protection
        | BetId::RedBlack => 1,
    };
    let minimum = rules.limits.minimum.max(table_minimum);
    if stake < minimum {
        let message = format!("is below the minimum of {minimum} minor units");
        return Some((SheetRule::BelowMinimum, message));
    }
    let maximum = rules.limits.maximum.min(facts.table_max_minor.unwrap_or(MAX_STAKE));
    if stake > maximum {
        let message = format!("is above the maximum of {maximum} minor units");
        return Some((SheetRule::AboveMaximum, message));
    }
    let most = ruleset.max_payout?;
    (rules.top_odds.win(stake, rules.rounding) > i128::from(most)).then(|| {
        let message =
            format!("could win more than {most} minor units, at odds of {}", rules.top_odds);
        (SheetRule::MaxPayout, message)
    })
}

#[cfg(test)]
mod tests;
