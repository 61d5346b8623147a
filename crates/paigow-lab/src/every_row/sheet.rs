//! The sheet of every round: each seat wagers on each bet.

use super::search::colour_of;
use paigow_proto::v1 as pb;
use paigow_rules::cards::Seat;
use paigow_rules::game::{
    BetId, ColourChoice, Currency, MAX_BANK, Ruleset, TableFact, TableFacts, Wager, WagerSheet,
};

/// The stake of every wager in minor units, where the limits of the bet allow it.
const STAKE: i64 = 1000;

/// Makes a sheet on which every seat wagers on every bet, with the facts that the ruleset asks for.
pub(super) fn full_sheet(ruleset: &Ruleset) -> WagerSheet {
    let base = ruleset.base().limits;
    let base_stake = STAKE.max(base.minimum).min(base.maximum);
    let mut wagers = Vec::new();
    for seat in Seat::players(ruleset.seats()) {
        wagers.push(Wager {
            seat,
            bet: BetId::BASE.name().to_owned().into(),
            amount_minor: base_stake,
            choice: None,
        });
        for bet in ruleset.bonus_bets() {
            let threshold = bet.to_others.as_ref().map_or(1, |terms| terms.threshold);
            let stake = STAKE.max(bet.limits.minimum).max(threshold).min(bet.limits.maximum);
            wagers.push(Wager {
                seat,
                bet: bet.id.name().to_owned().into(),
                amount_minor: stake,
                choice: bet.asks_colour().then(|| colour_of(seat)),
            });
        }
    }
    let mut facts = TableFacts::default();
    for fact in ruleset.required_facts() {
        match fact {
            TableFact::ActionPile => facts.action_pile = Some(0),
            // Enough for every row.
            TableFact::BankMinor => facts.bank_minor = Some(MAX_BANK),
            TableFact::BankerSeat => facts.banker_seat = Seat::new(1),
            TableFact::ChipMinor => facts.chip_minor = Some(STAKE),
            TableFact::MeterMinor => facts.meter_minor = ruleset.meter().map(|meter| meter.seed),
            TableFact::TableMaxMinor => facts.table_max_minor = Some(base.maximum),
            TableFact::TableMinMinor => facts.table_min_minor = Some(base_stake),
        }
    }
    let any = || Currency::new("USD", 2).expect("a constant that a test reads");
    let currency = ruleset.currency().cloned().unwrap_or_else(any);
    WagerSheet { currency, wagers, facts }
}

/// Returns a sheet as callers send it.
pub(super) fn message(sheet: &WagerSheet) -> pb::WagerSheet {
    let wagers = sheet.wagers.iter().map(|wager| pb::Wager {
        seat: wager.seat.number().into(),
        bet: wager.bet.to_string(),
        amount_minor: wager.amount_minor,
        choice: match wager.choice {
            None => pb::Choice::Unspecified,
            Some(ColourChoice::Red) => pb::Choice::Red,
            Some(ColourChoice::Black) => pb::Choice::Black,
        }
        .into(),
        client_seed: String::new(),
    });
    let facts = &sheet.facts;
    pb::WagerSheet {
        currency: Some(pb::Currency {
            code: sheet.currency.code().to_owned(),
            exponent: sheet.currency.exponent().into(),
        }),
        wagers: wagers.collect(),
        chip_minor: facts.chip_minor,
        table_min_minor: facts.table_min_minor,
        table_max_minor: facts.table_max_minor,
        bank_minor: facts.bank_minor,
        banker_seat: facts.banker_seat.map(|seat| seat.number().into()),
        action_pile: facts.action_pile.map(i32::from),
        meter_minor: facts.meter_minor,
        bet_limits: Vec::new(),
    }
}
