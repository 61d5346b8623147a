//! Counts answers in the metrics: sums by ruleset, bet and currency. They have no amount of a seat
//! and no card.
//!
//! A repeated call gets the same record, and is counted once while this process remembers the
//! record.

use std::collections::BTreeMap;

use super::ServiceState;
use crate::telemetry::{Meters, Ratio, SetBy, WagerFigures, span};
use paigow_engine::{DealAnswer, SettleAnswer, VoidAnswer};
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::RecordEnvelope;
use paigow_proto::v1 as pb;
use paigow_round::{Catalogue, HandSet, ReturnTheory, RoundContext, Theory};
use paigow_rules::cards::Seat;
use paigow_rules::game::{
    BetId, BetLine, BetSubject, BonusBet, Currency, Fraction, LineStatus, Ruleset, Settlement,
    ShownHand,
};

/// States the theoretical returns of the bets of the loaded rulesets.
pub fn state_theory(meters: &Meters, theory: &[Theory]) {
    let ratio = |fraction: Fraction| Ratio(fraction.num(), fraction.den());
    for one in theory {
        if let Some(ReturnTheory { expected, deviation }) = one.by_house_way {
            let (expected, deviation) = (ratio(expected), ratio(deviation));
            meters.expected(&one.ruleset, one.bet, expected, deviation);
        }
        if let Some(by_best_play) = one.by_best_play {
            meters.expected_by_best_play(&one.ruleset, one.bet, ratio(by_best_play));
        }
    }
}

/// Counts a deal, and notes its facts on the span of its call.
pub(super) fn dealt(state: &ServiceState, catalogue: &Catalogue, answer: &DealAnswer) {
    let meters = &state.meters;
    if state.round_ids {
        span::round(&answer.round_id.to_string());
    }
    let suite = answer.facts.suite.name();
    span::dealt(suite, answer.hands.len());
    let [_, _, record] = &answer.records;
    if meters.is_new(record.mark())
        && let Some(game) = catalogue.game(&answer.facts.ruleset)
    {
        meters.deal(game.ruleset.id(), suite);
    }
}

/// Counts a voided round of `tenant`. All stakes went back, so none was in action.
pub(super) fn voided(
    state: &ServiceState,
    context: &RoundContext,
    tenant: &str,
    answer: &VoidAnswer,
) {
    if !is_new_close(state, answer.round_id, &answer.records) {
        return;
    }
    // A void needs no rules, and they may not be loaded. The manifest of the round lists their name.
    let mut manifests = context.manifests.all().iter().rev();
    let listed = manifests.find_map(|signed| signed.manifest.ruleset(&answer.facts.ruleset));
    state.meters.round(listed.map_or("", |listed| listed.name.as_str()), "void", tenant);
}

/// Notes a closed round on the span of its call, and returns whether it is new.
fn is_new_close(state: &ServiceState, round_id: Hash, records: &[RecordEnvelope]) -> bool {
    if state.round_ids {
        span::round(&round_id.to_string());
    }
    records.last().is_some_and(|record| state.meters.is_new(record.mark()))
}

/// Counts a settled round of `tenant`.
pub(super) fn settled(
    state: &ServiceState,
    context: &RoundContext,
    tenant: &str,
    answer: &SettleAnswer,
) {
    let meters = &state.meters;
    if !is_new_close(state, answer.round_id, &answer.records) {
        return;
    }
    let Some(game) = context.catalogue.game(&answer.facts.ruleset) else { return };
    let ruleset = game.ruleset.id();
    meters.round(ruleset, "settled", tenant);
    let settlement = &answer.settled.settlement;
    for base in settlement.seats.values().filter_map(|seat| seat.base.as_ref()) {
        meters.settlement(ruleset, base.outcome.name());
    }
    for shown in shown(settlement).filter(|shown| shown.by_house_way) {
        if let Some(clause) = &shown.clause {
            meters.settings(game.house_way.id(), clause, 1);
        }
    }
    let currency = answer.facts.currency.as_ref();
    for figures in currency.into_iter().flat_map(|of| wagers(&game.ruleset, of, settlement)) {
        meters.wagers(tenant, &figures);
    }
}

/// Counts hands that were set, and notes on the span of the call by which house way.
pub(super) fn set(state: &ServiceState, catalogue: &Catalogue, hands: &[HandSet]) {
    for hand in hands {
        if let Some(way) = catalogue.house_way(&hand.house_way) {
            span::house_way(way.id());
            state.meters.settings(way.id(), &hand.clause_id, 1);
        }
    }
}

/// Returns the word of an audit's verdict in metrics.
pub(super) const fn verdict_name(verdict: pb::Verdict) -> &'static str {
    match verdict {
        pb::Verdict::Match => "match",
        pb::Verdict::Mismatch => "mismatch",
        pb::Verdict::Incomplete => "incomplete",
        pb::Verdict::Pending => "pending",
        pb::Verdict::Unspecified => "unspecified",
    }
}

fn shown(settlement: &Settlement) -> impl Iterator<Item = &ShownHand> {
    let seats = settlement.seats.values().filter_map(|seat| seat.base.as_ref());
    seats.map(|base| &base.shown).chain([&settlement.bank.setting])
}

/// Sums one settlement up, bet by bet.
///
/// An amount that a player-dealer could not cover was not in action. That is a stake that went back
/// because the bank had no money left, and the part of a lost stake that the bank may not collect. A
/// win by the hand of another seat is a return without a stake.
fn wagers(ruleset: &Ruleset, currency: &Currency, settlement: &Settlement) -> Vec<WagerFigures> {
    let mut by_bet: BTreeMap<(BetId, Option<SetBy>), WagerFigures> = BTreeMap::new();
    // The stakes of one round that win or lose together, because one hand decides them.
    let mut together: BTreeMap<(BetId, Option<SetBy>, Option<Seat>), i128> = BTreeMap::new();
    for (seat, result) in &settlement.seats {
        let setter = result.base.as_ref().map(|base| match base.shown.by_house_way {
            true => SetBy::HouseWay,
            false => SetBy::Player,
        });
        for line in &result.lines {
            let set_by = setter.filter(|_| looks_at_setting(ruleset, line.bet));
            let figures = by_bet.entry((line.bet, set_by)).or_insert_with(|| WagerFigures {
                ruleset: ruleset.id().to_owned(),
                bet: line.bet,
                set_by,
                currency: currency.code().to_owned(),
                exponent: currency.exponent(),
                wagers: 0,
                stake: 0,
                squares: 0,
                returned: 0,
                commission: 0,
                uncovered: 0,
            });
            let (stake, returned) = in_action(line);
            figures.wagers += u64::from(stake > 0);
            figures.stake += stake;
            figures.returned += returned;
            figures.commission += line.commission;
            figures.uncovered += line.uncovered.unwrap_or(0);
            let bonus = ruleset.bonus_bet(line.bet);
            let one_hand = bonus.is_some_and(BonusBet::is_alike_for_all_seats);
            // The seats share the dealer's hand. The square of their sum is the most that their
            // returns can vary by.
            let on_dealer = set_by.is_some()
                || bonus.is_some_and(|bonus| bonus.looks_at == BetSubject::Showdown);
            let judged_on = (!one_hand && !on_dealer).then_some(seat);
            *together.entry((line.bet, set_by, judged_on)).or_default() += i128::from(stake);
        }
    }
    for ((bet, set_by, _), stake) in together {
        if let Some(figures) = by_bet.get_mut(&(bet, set_by)) {
            figures.squares += stake * stake;
        }
    }
    by_bet.into_values().collect()
}

/// Whether the hands of the seat as they were set decide a bet.
fn looks_at_setting(ruleset: &Ruleset, bet: BetId) -> bool {
    let bonus = ruleset.bonus_bet(bet);
    [BetId::BASE, BetId::DOUBLE_DOWN].contains(&bet)
        || bonus.is_some_and(|bonus| bonus.looks_at == BetSubject::SeatSetHands)
}

/// Returns the part of a stake that was in action, and the amount handed back on it.
fn in_action(line: &BetLine) -> (i64, i64) {
    match line.status {
        LineStatus::Won | LineStatus::Push => (line.stake, line.returned),
        LineStatus::Lost => {
            let back = line.uncovered.unwrap_or(0);
            (line.stake - back, line.returned - back)
        }
        LineStatus::Uncovered => (0, 0),
    }
}

#[cfg(test)]
mod tests;
