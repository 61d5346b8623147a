//! Checks a wager sheet against its ruleset, and reports every fault at once.

mod amounts;
mod facts;

use self::amounts::Reach;
use super::bets::{BetId, RowPayment, StakeLimits};
use super::money::Rounding;
use super::ruleset::{Coverage, Ruleset};
use super::sheet::{SheetFault, SheetLimits, SheetPlace, SheetRule, TableFacts, WagerSheet};
use super::table::{BankTerms, PlacedWager, WagerTable};
use crate::cards::{BySeat, Seat};

/// Makes a table of `sheet`, or returns every fault, in this order: currency, facts by name, wagers
/// in their order, the sheet as a whole.
pub(super) fn check(ruleset: &Ruleset, sheet: &WagerSheet) -> Result<WagerTable, Vec<SheetFault>> {
    let mut faults = Vec::new();
    if let Some(currency) = ruleset.currency.as_ref().filter(|own| **own != sheet.currency) {
        let message = format!("the ruleset has amounts in {currency}");
        faults.push(fault(SheetPlace::Currency, SheetRule::CurrencyMismatch, message));
    }
    facts::check(ruleset, sheet, &mut faults);
    let (seats, reach) = check_wagers(ruleset, sheet, &mut faults);
    // The sum is checked only if every amount is valid.
    if faults.is_empty() {
        let all = reach.iter().fold(Reach::default(), |all, (_, own)| all.and(*own));
        amounts::check_wins(ruleset, &reach, all, &mut faults);
        amounts::check_sum(ruleset, all, &mut faults);
    }
    match bank_terms(ruleset, sheet) {
        Some(bank) if faults.is_empty() => Ok(WagerTable {
            ruleset: ruleset.id.clone(),
            currency: sheet.currency.clone(),
            facts: in_order(ruleset, &sheet.facts),
            action_pile: sheet.facts.action_pile.unwrap_or(0),
            bank,
            seats,
        }),
        // Terms are missing only if a required fact is, which is a fault.
        Some(_) | None => Err(faults),
    }
}

/// Returns the facts with the posted limits in the ruleset's order of bets, as a record has them.
fn in_order(ruleset: &Ruleset, facts: &TableFacts) -> TableFacts {
    let mut facts = facts.clone();
    facts
        .bet_limits
        .sort_by_key(|limit| BetId::from_name(&limit.bet).map(|bet| ruleset.place_of(bet)));
    facts
}

fn bank_terms(ruleset: &Ruleset, sheet: &WagerSheet) -> Option<BankTerms> {
    match (ruleset.coverage, sheet.facts.banker_seat) {
        (Coverage::PlayerDealer, _) => {
            Some(BankTerms::PlayerDealer { bank: sheet.facts.bank_minor? })
        }
        (Coverage::House, Some(seat)) => Some(BankTerms::Banker { seat }),
        (Coverage::House, None) => Some(BankTerms::House),
    }
}

fn fault(place: SheetPlace, rule: SheetRule, message: String) -> SheetFault {
    SheetFault { place, rule, message, limits: SheetLimits::NONE }
}

/// Returns the wagers by seat, and the reach of those without a fault.
fn check_wagers(
    ruleset: &Ruleset,
    sheet: &WagerSheet,
    faults: &mut Vec<SheetFault>,
) -> (BySeat<Vec<PlacedWager>>, BySeat<Reach>) {
    let mut seats: BySeat<Vec<PlacedWager>> = BySeat::new();
    let mut reach: BySeat<Reach> = BySeat::new();
    let has_base = |seat: Seat| {
        sheet.wagers.iter().any(|other| other.seat == seat && other.bet == BetId::BASE.name())
    };
    for (index, wager) in sheet.wagers.iter().enumerate() {
        let mut blame = |member, rule, message, limits| {
            let fault = fault(SheetPlace::Wager { index, member }, rule, message);
            faults.push(SheetFault { limits, ..fault });
        };
        if wager.seat.is_dealer() || wager.seat.number() > ruleset.seats {
            let message = format!("wagers are for seats 1 to {}", ruleset.seats);
            let limits = SheetLimits::range(1, ruleset.seats);
            blame("seat", SheetRule::SeatRange, message, limits);
        }
        let rules = BetId::from_name(&wager.bet).and_then(|bet| rules_of(ruleset, bet));
        let Some(rules) = rules else {
            let message = "the ruleset has no such bet".to_owned();
            blame("bet", SheetRule::UnknownBet, message, SheetLimits::NONE);
            continue;
        };
        let placed = seats.get_or_insert_with(wager.seat, Vec::new);
        let is_new = placed.iter().all(|placed| placed.bet != rules.bet);
        if !is_new {
            let message = format!("seat {} has this bet already", wager.seat);
            blame("bet", SheetRule::DuplicateWager, message, SheetLimits::NONE);
        }
        if rules.needs_base && !has_base(wager.seat) {
            let message = format!("seat {} has no base wager", wager.seat);
            blame("bet", SheetRule::BaseMissing, message, SheetLimits::NONE);
        }
        let amount = amounts::fault(ruleset, &sheet.facts, &rules, wager);
        if let Some((rule, message, limits)) = amount {
            blame("amount_minor", rule, message, limits);
        } else {
            let own = reach.get_or_insert_with(wager.seat, Reach::default);
            *own = own.and(Reach::of(ruleset, &sheet.facts, &rules, wager.amount_minor));
        }
        match (rules.asks_colour, wager.choice) {
            (true, None) => {
                let message = "the bet asks for a colour, red or black".to_owned();
                blame("choice", SheetRule::ChoiceMissing, message, SheetLimits::NONE);
            }
            (false, Some(_)) => {
                let message = "the bet asks for no colour".to_owned();
                blame("choice", SheetRule::ChoiceUnexpected, message, SheetLimits::NONE);
            }
            (true, Some(_)) | (false, None) => {}
        }
        if is_new {
            let (bet, stake, choice) = (rules.bet, wager.amount_minor, wager.choice);
            placed.push(PlacedWager { bet, stake, choice });
        }
    }
    if sheet.wagers.is_empty() {
        let message = "a round needs a wager".to_owned();
        faults.push(fault(SheetPlace::Sheet, SheetRule::NoWagers, message));
    }
    for placed in seats.values_mut() {
        placed.sort_by_key(|placed| ruleset.place_of(placed.bet));
    }
    (seats, reach)
}

/// The rules of a ruleset for a wager on one bet.
struct WagerRules {
    bet: BetId,
    limits: StakeLimits,
    needs_base: bool,
    asks_colour: bool,
    /// The highest payment of the bet.
    top: RowPayment,
    rounding: Rounding,
}

/// Returns the rules of a bet that a sheet may name.
///
/// Returns [`None`] for a double down, which is decided after the deal. Also for wins from the
/// hands of other seats, which nobody stakes on.
fn rules_of(ruleset: &Ruleset, bet: BetId) -> Option<WagerRules> {
    if bet == BetId::BASE {
        let base = &ruleset.base;
        return Some(WagerRules {
            bet,
            limits: base.limits,
            needs_base: false,
            asks_colour: false,
            top: RowPayment::Odds(base.pays),
            rounding: base.rounding,
        });
    }
    let bonus = ruleset.bonus_bet(bet)?;
    Some(WagerRules {
        bet,
        limits: bonus.limits,
        needs_base: bonus.needs_base,
        asks_colour: bonus.asks_colour(),
        top: bonus.top_payment(),
        rounding: bonus.rounding,
    })
}

#[cfg(test)]
mod tests;
