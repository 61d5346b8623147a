//! Settles a round: every wager in order, then every net, to the minor unit.
//!
//! The functions that lay down a hand and judge a wager are inlined. Passing results through memory
//! between small functions cost more than computing them.

use super::base_lines::BaseSettlement;
use super::bets::BetId;
use super::bonus_lines::BonusJudge;
use super::comparison::LaidHand;
use super::coverage::{BankCover, BankPool};
use super::dealing::TableDeal;
use super::decisions;
use super::nets::{RoundNets, enter_nets};
use super::ruleset::Ruleset;
use super::settlement::{BankResult, Decision, SeatResult, SettleError, Settlement};
use super::table::{BankTerms, PlacedWager, WagerTable};
use super::wager_line::{line, minor};
use crate::cards::{BySeat, Seat};
use crate::house_way::HouseWay;

/// Settles all wagers of `table` on the cards of `dealt`.
pub(super) fn settle(
    ruleset: &Ruleset,
    house_way: &HouseWay,
    table: &WagerTable,
    dealt: &TableDeal,
    decisions: &BySeat<Decision>,
) -> Result<Settlement, SettleError> {
    let foreign = |part| SettleError::Foreign { part };
    if table.ruleset() != ruleset.id() {
        return Err(foreign("table"));
    }
    if house_way.id() != ruleset.house_way().id || house_way.ranking() != ruleset.ranking() {
        return Err(foreign("house way"));
    }
    if !is_deal_of(ruleset, table, dealt) {
        return Err(foreign("deal"));
    }
    let faults =
        decisions::faults(ruleset, table, |seat| Some(dealt.hands().get(seat)?), decisions);
    if !faults.is_empty() {
        return Err(SettleError::Decisions { faults });
    }
    let Some(dealer) = dealt.hands().get(Seat::DEALER) else { return Err(foreign("deal")) };
    let Some(dealer) = LaidHand::by_house_way(house_way, dealer) else {
        return Err(foreign("house way"));
    };

    let mut cover = match table.bank {
        BankTerms::House | BankTerms::Banker { .. } => BankCover::House,
        BankTerms::PlayerDealer { bank } => BankCover::Pool(BankPool::new(bank)),
    };
    let judge = BonusJudge::at_settlement(ruleset, dealt.hands(), house_way, &dealer);
    let lay_down = |seat: Seat| {
        let decision = decisions.get(seat)?;
        LaidHand::as_decided(house_way, dealt.hands().get(seat)?, &decision.setting)
    };
    let banker = match table.banker() {
        Some(seat) => Some((seat, lay_down(seat).ok_or_else(|| foreign("house way"))?)),
        None => None,
    };
    let banker = banker.as_ref().map(|(seat, laid)| (*seat, laid));
    let game = BaseSettlement::new(ruleset, table, dealt.hands(), &dealer, banker)?;
    let mut seats = BySeat::new();
    for (seat, placed) in in_order(table, dealt.action_seat) {
        let laid = match table.base_stake(seat) {
            Some(_) => Some(lay_down(seat).ok_or_else(|| foreign("house way"))?),
            None => None,
        };
        let base = laid.as_ref().map(|laid| game.result(seat, laid));
        let set = laid.filter(|laid| !laid.is_foul).map(|laid| laid.set_hand());
        let (mut lines, mut others) = (Vec::with_capacity(placed.len()), Vec::new());
        for wager in placed {
            if wager.bet == BetId::BASE {
                let doubled = decisions.get(seat).is_some_and(|decision| decision.double_down);
                let outcome = base.as_ref().ok_or_else(|| foreign("table"))?.outcome;
                game.add_lines(seat, wager.stake, doubled, outcome, &mut cover, &mut lines)?;
            } else {
                lines.push(line(
                    wager.bet,
                    wager.stake,
                    judge.bonus(seat, wager, set, table)?,
                    &mut cover,
                )?);
                others.extend(judge.others(seat, wager, table)?);
            }
        }
        lines.extend(others);
        // The net is known when all seats have their lines.
        seats.insert(seat, Box::new(SeatResult::of(base, lines)));
    }
    let RoundNets { bank, house, commission, fees } =
        enter_nets(ruleset, table, dealt, &mut seats, &cover)?;
    conserve(&seats, bank, house)?;
    Ok(Settlement {
        bank: BankResult {
            seat: table.banker().unwrap_or(Seat::DEALER),
            setting: dealer.shown(),
            net: minor(bank)?,
        },
        seats,
        commission: minor(commission)?,
        fees: minor(fees)?,
        house_net: minor(house)?,
    })
}

/// Returns whether the deal is one of `table`. It must have as many cards as the ruleset deals to a
/// position, and cards for the seats with a wager.
fn is_deal_of(ruleset: &Ruleset, table: &WagerTable, dealt: &TableDeal) -> bool {
    dealt.hands().values().all(|hand| hand.len() == ruleset.hand_cards())
        && Seat::ALL.into_iter().all(|seat| table.has_wager(seat) == dealt.shows(seat))
}

/// Returns the seats with a wager in the order of settlement: clockwise from the
/// action seat, position 0 skipped.
fn in_order(table: &WagerTable, action_seat: Seat) -> impl Iterator<Item = (Seat, &[PlacedWager])> {
    let (before, from) = Seat::ALL.split_at(usize::from(action_seat.number()));
    let placed = |seat: &Seat| Some((*seat, table.seats.get(*seat)?.as_slice()));
    from.iter().chain(before).filter_map(placed)
}

/// Refuses a settlement that creates or loses money.
fn conserve(seats: &BySeat<Box<SeatResult>>, bank: i128, house: i128) -> Result<(), SettleError> {
    let seats: i128 = seats.values().map(|seat| i128::from(seat.net)).sum();
    let sum = seats + bank + house;
    if sum == 0 { Ok(()) } else { Err(SettleError::Conservation { off_by_minor: sum }) }
}

#[cfg(test)]
mod tests;
