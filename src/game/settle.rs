//! Settles a round: every wager in order, then every net, to the minor unit.

use std::collections::BTreeMap;

use super::base_lines::BaseGame;
use super::bets::BetId;
use super::bonus_lines::{Judge, line, minor};
use super::coverage::{Cover, Pool};
use super::dealing::Dealt;
use super::laying::{Laid, lay_down};
use super::nets::{Nets, nets};
use super::ruleset::Ruleset;
use super::settlement::{
    BankResult, BaseResult, Decision, Line, SeatResult, SettleError, Settlement,
};
use super::table::{BankTerms, Placed, Table};
use crate::cards::Seat;
use crate::house_way::HouseWay;

/// Settles all wagers of `table` on the cards of `dealt`.
pub(super) fn settle(
    ruleset: &Ruleset,
    house_way: &HouseWay,
    table: &Table,
    dealt: &Dealt,
    decisions: &BTreeMap<Seat, Decision>,
) -> Result<Settlement, SettleError> {
    let foreign = |part| SettleError::Foreign { part };
    if table.ruleset() != ruleset.id() {
        return Err(foreign("table"));
    }
    if house_way.id() != ruleset.house_way().id {
        return Err(foreign("house way"));
    }
    if !is_deal_of(ruleset, table, dealt) {
        return Err(foreign("deal"));
    }
    let laid = lay_down(ruleset, table, &dealt.hands, decisions, house_way)
        .map_err(|faults| SettleError::Decisions { faults })?;
    let dealer = dealt.hands.get(&Seat::DEALER).ok_or(foreign("deal"))?;
    let dealer =
        Laid::by_house_way(house_way, dealer, ruleset.wheel()).ok_or(foreign("house way"))?;

    let mut cover = match table.bank {
        BankTerms::House | BankTerms::Banker { .. } => Cover::House,
        BankTerms::PlayerDealer { bank } => Cover::Pool(Pool::new(bank)),
    };
    let judge = Judge::at_settlement(ruleset, &dealt.hands, house_way, &dealer);
    let game = BaseGame::new(ruleset, table, &dealt.hands, &dealer, &laid)?;
    let mut seats: BTreeMap<Seat, (Option<BaseResult>, Vec<Line>)> = BTreeMap::new();
    for (seat, placed) in in_order(table, dealt.action_seat) {
        let base = game.result(seat)?;
        let (mut lines, mut others) = (Vec::new(), Vec::new());
        for wager in placed {
            if wager.bet == BetId::Base {
                let doubled = decisions.get(&seat).is_some_and(|decision| decision.double_down);
                let base = base.as_ref().ok_or(foreign("table"))?;
                lines.extend(game.lines(seat, wager.stake, doubled, base, &mut cover)?);
            } else {
                lines.push(line(wager.bet, wager.stake, judge.bonus(seat, wager)?, &mut cover)?);
                others.extend(judge.others(seat, wager, table)?);
            }
        }
        lines.extend(others);
        seats.insert(seat, (base, lines));
    }
    let Nets { seats: seat_nets, bank, house, commission, fees } =
        nets(ruleset, table, dealt, &seats, &cover);
    let mut results = BTreeMap::new();
    for (seat, (base, lines)) in seats {
        let net = seat_nets.get(&seat).copied().unwrap_or(0);
        results.insert(seat, SeatResult { base, lines, net: minor(net)? });
    }
    conserve(Settlement {
        bank: BankResult {
            seat: table.banker().unwrap_or(Seat::DEALER),
            setting: dealer.shown(),
            net: minor(bank)?,
        },
        seats: results,
        commission: minor(commission)?,
        fees: minor(fees)?,
        house_net: minor(house)?,
    })
}

/// Whether the deal is one of `table`: as many cards as the ruleset deals to a
/// position, and no card twice, which no house way can set.
fn is_deal_of(ruleset: &Ruleset, table: &Table, dealt: &Dealt) -> bool {
    let cards = || dealt.hands.values().flatten();
    let held = cards().fold(0_u64, |held, card| held | 1 << card.number());
    dealt.hands.values().all(|hand| hand.len() == ruleset.hand_cards())
        && held.count_ones() as usize == cards().count()
        && table.seats().map(|(seat, _)| seat).eq(dealt.visible().map(|(seat, _)| seat))
}

/// Returns the seats with a wager in the order of settlement: clockwise from the
/// action seat, position 0 skipped.
fn in_order(table: &Table, action_seat: Seat) -> impl Iterator<Item = (Seat, &[Placed])> {
    let (before, from): (Vec<_>, Vec<_>) = table.seats().partition(|&(seat, _)| seat < action_seat);
    from.into_iter().chain(before)
}

/// Hands on a settlement in which no money came from nowhere or went there.
fn conserve(settlement: Settlement) -> Result<Settlement, SettleError> {
    let seats: i128 = settlement.seats.values().map(|seat| i128::from(seat.net)).sum();
    let sum = seats + i128::from(settlement.bank.net) + i128::from(settlement.house_net);
    if sum == 0 { Ok(settlement) } else { Err(SettleError::Conservation { off_by_minor: sum }) }
}
