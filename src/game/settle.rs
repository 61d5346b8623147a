//! Settles a round: every wager in order, then every net, to the minor unit.

use super::base_lines::BaseGame;
use super::bets::BetId;
use super::bonus_lines::{Judge, line, minor};
use super::coverage::{Cover, Pool};
use super::dealing::Dealt;
use super::laying::{Laid, lay_down};
use super::nets::{Nets, nets};
use super::ruleset::Ruleset;
use super::settlement::{BankResult, Decision, SeatResult, SettleError, Settlement};
use super::table::{BankTerms, Placed, Table};
use crate::cards::{BySeat, CardSet, Seat};
use crate::house_way::HouseWay;

/// Settles all wagers of `table` on the cards of `dealt`.
pub(super) fn settle(
    ruleset: &Ruleset,
    house_way: &HouseWay,
    table: &Table,
    dealt: &Dealt,
    decisions: &BySeat<Decision>,
) -> Result<Settlement, SettleError> {
    let foreign = |part| SettleError::Foreign { part };
    if table.ruleset() != ruleset.id() {
        return Err(foreign("table"));
    }
    if house_way.id() != ruleset.house_way().id || house_way.wheel() != ruleset.wheel() {
        return Err(foreign("house way"));
    }
    if !is_deal_of(ruleset, table, dealt) {
        return Err(foreign("deal"));
    }
    let laid = lay_down(ruleset, table, &dealt.hands, decisions, house_way)
        .map_err(|faults| SettleError::Decisions { faults })?;
    let dealer = dealt.hands.get(Seat::DEALER).ok_or_else(|| foreign("deal"))?;
    let dealer = Laid::by_house_way(house_way, dealer).ok_or_else(|| foreign("house way"))?;

    let mut cover = match table.bank {
        BankTerms::House | BankTerms::Banker { .. } => Cover::House,
        BankTerms::PlayerDealer { bank } => Cover::Pool(Pool::new(bank)),
    };
    let judge = Judge::at_settlement(ruleset, &dealt.hands, house_way, &dealer);
    let game = BaseGame::new(ruleset, table, &dealt.hands, &dealer, &laid)?;
    let mut seats = BySeat::new();
    for (seat, placed) in in_order(table, dealt.action_seat) {
        let base = game.result(seat)?;
        let (mut lines, mut others) = (Vec::with_capacity(placed.len()), Vec::new());
        for wager in placed {
            if wager.bet == BetId::Base {
                let doubled = decisions.get(seat).is_some_and(|decision| decision.double_down);
                let outcome = base.as_ref().ok_or_else(|| foreign("table"))?.outcome;
                game.add_lines(seat, wager.stake, doubled, outcome, &mut cover, &mut lines)?;
            } else {
                lines.push(line(wager.bet, wager.stake, judge.bonus(seat, wager)?, &mut cover)?);
                others.extend(judge.others(seat, wager, table)?);
            }
        }
        lines.extend(others);
        // The net is known when all seats have their lines.
        seats.insert(seat, Box::new(SeatResult { base, lines, net: 0 }));
    }
    let Nets { seats: seat_nets, bank, house, commission, fees } =
        nets(ruleset, table, dealt, &seats, &cover);
    for seat in Seat::ALL {
        if let (Some(result), Some(net)) = (seats.get_mut(seat), seat_nets.get(seat)) {
            result.net = minor(*net)?;
        }
    }
    let settlement = Settlement {
        bank: BankResult {
            seat: table.banker().unwrap_or(Seat::DEALER),
            setting: dealer.shown(),
            net: minor(bank)?,
        },
        seats,
        commission: minor(commission)?,
        fees: minor(fees)?,
        house_net: minor(house)?,
    };
    conserve(&settlement)?;
    Ok(settlement)
}

/// Whether the deal is one of `table`: as many cards as the ruleset deals to a
/// position, and no card twice, which no house way can set.
fn is_deal_of(ruleset: &Ruleset, table: &Table, dealt: &Dealt) -> bool {
    let hands = || dealt.hands.values();
    let held = hands().fold(CardSet::default(), |held, hand| held.with(hand));
    hands().all(|hand| hand.len() == ruleset.hand_cards())
        && held.len() == hands().map(|hand| hand.len()).sum::<usize>()
        && Seat::ALL.into_iter().all(|seat| table.has_wager(seat) == dealt.shows(seat))
}

/// Returns the seats with a wager in the order of settlement: clockwise from the
/// action seat, position 0 skipped.
fn in_order(table: &Table, action_seat: Seat) -> impl Iterator<Item = (Seat, &[Placed])> {
    let from = table.seats().filter(move |&(seat, _)| seat >= action_seat);
    from.chain(table.seats().filter(move |&(seat, _)| seat < action_seat))
}

/// Refuses a settlement in which money came from nowhere or went there.
fn conserve(settlement: &Settlement) -> Result<(), SettleError> {
    let seats: i128 = settlement.seats.values().map(|seat| i128::from(seat.net)).sum();
    let sum = seats + i128::from(settlement.bank.net) + i128::from(settlement.house_net);
    if sum == 0 { Ok(()) } else { Err(SettleError::Conservation { off_by_minor: sum }) }
}
