//! The demands on the terms of a ruleset together, after each is valid by itself.

use super::super::reader::RulesetFaults;
use super::super::{Coverage, DeadHands, DealDirection, DealProcedure, Increment, Ruleset};
use crate::cards::DECK_LEN;
use crate::game::bets::{Asked, BetSubject, BonusBet, CardTerm, RowPayment};
use crate::game::fraction::Fraction;
use crate::game::sheet::TableFact;
use crate::hands::JokerUse;

/// Notes every contradiction between the terms.
pub(super) fn check(ruleset: &Ruleset, faults: &mut RulesetFaults) {
    dealing(ruleset, faults);
    joker(ruleset, faults);
    facts(ruleset, faults);
    money(ruleset, faults);
    exposure(ruleset, faults);
    limits(ruleset, faults);
    for (index, bet) in ruleset.bonus_bets.iter().enumerate() {
        let path = format!("bets[{index}]");
        lone_bonus_bets(ruleset, bet, &path, faults);
        fits_the_deal(ruleset, bet, &path, faults);
        meter(ruleset, bet, index, &path, faults);
        named_colour(bet, &path, faults);
        reachable_rows(ruleset, bet, &path, faults);
        house_advantage(ruleset, bet, &path, faults);
    }
}

fn joker(ruleset: &Ruleset, faults: &mut RulesetFaults) {
    if ruleset.joker() == JokerUse::Wild && ruleset.hand == 6 {
        faults.add("joker", "must be semi-wild with hands of six");
    }
}

fn dealing(ruleset: &Ruleset, faults: &mut RulesetFaults) {
    let dealing = &ruleset.dealing;
    match &dealing.procedure {
        DealProcedure::Zigzag => {
            let is_known = ruleset.hand == 7
                && dealing.direction == DealDirection::Clockwise
                && dealing.dice
                && dealing.dead_hands == DeadHands::AllPositions;
            if !is_known {
                let message = "zigzag deals hands of seven, clockwise, by three dice, to \
                               all positions";
                faults.add("dealing.procedure", message);
            }
        }
        DealProcedure::Streets(streets) => {
            let sum: usize = streets.iter().copied().map(usize::from).sum();
            if sum != ruleset.hand {
                let message = format!("must add up to {}, the cards of a hand", ruleset.hand);
                faults.add("dealing.streets", message);
            }
        }
        DealProcedure::Packets => {}
    }
    if !dealing.dice && dealing.direction != DealDirection::Clockwise {
        let message = "must be \"clockwise\" without dice: from seat 1 on, the dealer last";
        faults.add("dealing.direction", message);
    }
    let dealt = usize::from(ruleset.positions()) * ruleset.hand;
    if dealt > DECK_LEN {
        faults.add("seats", format!("{dealt} cards would be dealt of {DECK_LEN}"));
    }
}

/// A ruleset must require the facts that its rules use. A fact that no rule uses would be recorded
/// as if it had been applied.
fn facts(ruleset: &Ruleset, faults: &mut RulesetFaults) {
    let by_chip = |increment| increment == Increment::QuarterChip;
    let commission = ruleset.base.commission;
    let banked = ruleset.banking.is_some();
    let needed = |fact| match fact {
        TableFact::ActionPile => ruleset.dealing.procedure == DealProcedure::Zigzag,
        TableFact::BankMinor => ruleset.coverage == Coverage::PlayerDealer,
        TableFact::ChipMinor => commission.is_some_and(|terms| by_chip(terms.increment)),
        TableFact::MeterMinor => ruleset.meter().is_some(),
        TableFact::BankerSeat | TableFact::TableMaxMinor | TableFact::TableMinMinor => false,
    };
    let usable = |fact| match fact {
        TableFact::ActionPile | TableFact::ChipMinor | TableFact::MeterMinor => needed(fact),
        TableFact::BankMinor => needed(fact) || banked,
        TableFact::BankerSeat => banked,
        TableFact::TableMaxMinor | TableFact::TableMinMinor => true,
    };
    let (required, optional) = (&ruleset.required_facts, &ruleset.optional_facts);
    for fact in TableFact::ALL {
        let name = fact.name();
        if needed(fact) && !required.contains(&fact) {
            faults.add("facts.required", format!("must contain {name}, which the rules use"));
        }
        for (key, facts) in [("facts.required", required), ("facts.optional", optional)] {
            if facts.contains(&fact) && !usable(fact) {
                faults.add(key, format!("contains {name}, which no rule uses"));
            }
        }
        if optional.contains(&fact) && required.contains(&fact) {
            faults.add("facts.optional", format!("contains {name}, which is required"));
        }
        let of_banking = matches!(fact, TableFact::BankMinor | TableFact::BankerSeat);
        if banked && of_banking && !optional.contains(&fact) {
            let message = format!("must contain {name}: a player can bank, but need not");
            faults.add("facts.optional", message);
        }
    }
}

fn money(ruleset: &Ruleset, faults: &mut RulesetFaults) {
    let player_dealer = ruleset.coverage == Coverage::PlayerDealer;
    if player_dealer != ruleset.fees.is_some() {
        let message = "a game with a player-dealer has collection fees, and no other has";
        faults.add("fees", message);
    }
    if player_dealer {
        for (has, path) in [
            (ruleset.base.commission.is_some(), "base.commission"),
            (ruleset.banking.is_some(), "banking"),
            (ruleset.double_down.is_some(), "double_down"),
            (ruleset.base.push.is_some(), "base.push_on_dealer"),
        ] {
            if has {
                faults.add(path, "does not go with coverage \"player-dealer\"");
            }
        }
    }
    if let Some(banking) = &ruleset.banking {
        if ruleset.base.push.is_some() || ruleset.base.commission.is_some() {
            let message = "does not go with a commission or a push of its own in base";
            faults.add("banking", message);
        }
        if banking.commission.increment != Increment::MinorUnit {
            faults.add("banking.commission.increment", "must be \"minor-unit\"");
        }
        // Nobody may lose more than he has put up: each wager may win its odds, rounded up.
        let wagers = if ruleset.double_down.is_some() { 2 } else { 1 };
        let pays = ruleset.base.pays;
        let least = wagers * (pays.num() + pays.den() - 1).div_euclid(pays.den());
        if banking.bank_per_base < least {
            let message =
                format!("must be at least {least}: a seat may win that many times its base wager");
            faults.add("banking.bank_per_base", message);
        }
    }
}

/// Every seat plays against a hand that is shown before the decisions. No wager may be placed after
/// that hand is seen.
fn exposure(ruleset: &Ruleset, faults: &mut RulesetFaults) {
    if !ruleset.exposes_dealer {
        return;
    }
    for (has, what) in [
        (ruleset.coverage == Coverage::PlayerDealer, "coverage \"player-dealer\""),
        (ruleset.banking.is_some(), "a player who banks"),
        (ruleset.double_down.is_some(), "a double down"),
    ] {
        if has {
            faults.add("expose", format!("does not go with {what}"));
        }
    }
}

/// A seat with a bonus wager alone plays against a player-dealer only, and every seat
/// that plays is dealt to.
fn lone_bonus_bets(ruleset: &Ruleset, bet: &BonusBet, path: &str, faults: &mut RulesetFaults) {
    if bet.needs_base {
        return;
    }
    let path = format!("{path}.needs_base");
    if ruleset.coverage != Coverage::PlayerDealer {
        faults.add(path, "must be true where the house banks");
    } else if ruleset.dealing.dead_hands == DeadHands::ActiveOnly {
        faults.add(path, "must be true where only seats with a base wager are dealt to");
    }
}

/// A stake that is allowed must be able to win the amount that it is meant to win.
fn limits(ruleset: &Ruleset, faults: &mut RulesetFaults) {
    let base = &ruleset.base;
    let most = ruleset.payout_limits;
    let caps = [
        ("max_payout_minor", most.wager),
        ("max_seat_payout_minor", most.seat),
        ("max_round_payout_minor", most.round),
    ];
    let mut capped = |path: &str, least: i64, top_win: i128| {
        let is_above = |most: &Option<i64>| most.is_some_and(|most| top_win > i128::from(most));
        for (key, _) in caps.iter().filter(|(_, most)| is_above(most)) {
            let message = format!(
                "is below what the least stake of {least} may win, {top_win}: no wager of \
                 {path} could be placed"
            );
            faults.add(*key, message);
        }
    };
    let least = base.limits.minimum;
    capped("base", least, base.pays.win(least, base.rounding));
    // A table without a win is a fault of its own.
    let winning = |bet: &&BonusBet| bet.rows.iter().any(|row| row.pays != RowPayment::Push);
    for bet in ruleset.bonus_bets.iter().filter(winning) {
        let least = bet.limits.minimum;
        let seed = bet.meter.map_or(0, |meter| meter.seed);
        capped(bet.id.name(), least, bet.top_payment().win(least, bet.rounding, seed));
    }
    for (index, bet) in ruleset.bonus_bets.iter().enumerate() {
        if bet.to_others.as_ref().is_some_and(|terms| terms.threshold > bet.limits.maximum) {
            let message = format!("is above the maximum of the bet, {}", bet.limits.maximum);
            faults.add(format!("bets[{index}].others.threshold_minor"), message);
        }
    }
}

/// A bet on the first three cards is final before the others are dealt. A bet on other seats' hands
/// needs other seats.
fn fits_the_deal(ruleset: &Ruleset, bet: &BonusBet, path: &str, faults: &mut RulesetFaults) {
    let first_street = match &ruleset.dealing.procedure {
        DealProcedure::Streets(streets) => streets.first().copied(),
        DealProcedure::Packets | DealProcedure::Zigzag => None,
    };
    if bet.looks_at == BetSubject::SeatSetHands && !bet.needs_base {
        let message = "must be true beside looks_at \"seat-set-hands\": a seat without a base wager sets no hands";
        faults.add(format!("{path}.needs_base"), message);
    }
    if bet.looks_at == BetSubject::FirstThree {
        if first_street != Some(3) {
            let message = format!("{} needs a first street of three cards", bet.id.name());
            faults.add(format!("{path}.looks_at"), message);
        }
        if ruleset.coverage != Coverage::House {
            let message = format!("{} does not go with a limited bank", bet.id.name());
            faults.add(format!("{path}.looks_at"), message);
        }
    }
    if let Some(to_others) = &bet.to_others {
        if bet.looks_at != BetSubject::SeatHand {
            let message =
                "goes with looks_at \"seat-hand\" alone: the cards of each other seat are paid";
            faults.add(format!("{path}.others"), message);
        }
        if ruleset.coverage != Coverage::House {
            faults.add(format!("{path}.others"), "does not go with a limited bank");
        }
        if !bet.needs_base {
            faults.add(format!("{path}.needs_base"), "must be true beside others");
        }
        if bet.rows.iter().all(|row| row.to_others.is_none()) {
            let message = format!("no row has an others_minor, so no {} is ever paid", {
                to_others.bet.name()
            });
            faults.add(format!("{path}.others"), message);
        }
    }
}

/// Only the house has a meter, and at most one. Rows pay of it by the cards of the seat.
fn meter(ruleset: &Ruleset, bet: &BonusBet, index: usize, path: &str, faults: &mut RulesetFaults) {
    if bet.meter.is_none() {
        return;
    }
    let path = format!("{path}.meter");
    if bet.looks_at != BetSubject::SeatHand {
        faults.add(path.clone(), "goes with looks_at \"seat-hand\" alone");
    }
    if ruleset.coverage != Coverage::House {
        faults.add(path.clone(), "does not go with a limited bank");
    }
    if bet.asks_colour() {
        faults.add(path.clone(), "does not go with named_colour");
    }
    if bet.rows.iter().all(|row| row.pays.meter_share().is_none()) {
        faults.add(path.clone(), "no row pays of it: a row does by pays = \"meter:1/1\"");
    }
    if ruleset.bonus_bets[..index].iter().any(|before| before.meter.is_some()) {
        faults.add(path, "is the second: a sheet states one meter");
    }
}

/// Each player names his own colour, and either must return the same.
fn named_colour(bet: &BonusBet, path: &str, faults: &mut RulesetFaults) {
    if !bet.asks_colour() {
        return;
    }
    if bet.to_others.is_some() {
        let message = "does not go with named_colour: another seat has named no colour";
        faults.add(format!("{path}.others"), message);
    }
    let asks_one = |asked| matches!(asked, Asked::Cards(CardTerm::Colour(..)));
    if bet.rows.iter().flat_map(|row| row.condition.terms()).any(|term| asks_one(term.asked)) {
        let message = "have both named_colour and red or black: what returns most would depend on \
                       the colour that the player names";
        faults.add(format!("{path}.rows"), message);
    }
}

/// Every row must be the one that pays some hand.
fn reachable_rows(ruleset: &Ruleset, bet: &BonusBet, path: &str, faults: &mut RulesetFaults) {
    if bet.rows.iter().all(|row| row.pays == RowPayment::Push) {
        faults.add(format!("{path}.rows"), "must have a row that wins");
    }
    let message = "no hand is paid by this row: none meets it, or each that does meets a row above";
    let paid: Vec<bool> = match bet.row_counts(ruleset.hand) {
        Some(counts) => counts.rows.iter().map(|count| *count > 0).collect(),
        None if bet.looks_at.is_on_set_hands() => {
            bet.reachable_rows(ruleset.low_cards(), ruleset.ranking())
        }
        None => {
            faults.add(format!("{path}.rows"), "have more than 128 different terms together");
            return;
        }
    };
    for (index, _) in paid.iter().enumerate().filter(|(_, paid)| !**paid) {
        faults.add(format!("{path}.rows[{index}].condition"), message);
    }
}

/// No bonus bet may return more than it takes, wins by other seats' hands included, unless the file
/// allows it.
fn house_advantage(ruleset: &Ruleset, bet: &BonusBet, path: &str, faults: &mut RulesetFaults) {
    if ruleset.allow_player_advantage {
        return;
    }
    // The return of a bet on set hands depends on the house way, and is checked with it.
    if bet.looks_at.is_on_set_hands() || bet.row_counts(ruleset.hand).is_none() {
        return;
    }
    let other_seats = ruleset.seats.saturating_sub(1);
    let Some(returned) = bet.highest_return(ruleset.hand, other_seats) else {
        let message = "has odds whose denominators are too large to compute its return";
        faults.add(format!("{path}.rows"), message);
        return;
    };
    if returned > Fraction::ONE {
        let others = if bet.to_others.is_some() {
            format!(", with {other_seats} other seats")
        } else {
            String::new()
        };
        let message = format!(
            "{} returns {} times the stake ({returned}){others}: more than it takes. Lower what \
             its rows pay, or say allow_player_advantage = true if that is meant",
            bet.id.name(),
            returned.decimal(6),
        );
        faults.add(path, message);
    }
}
