//! Who is better off by how much: the nets of seats, bank and house.

use super::bets::BetId;
use super::coverage::Cover;
use super::dealing::Dealt;
use super::ruleset::Ruleset;
use super::settlement::{Line, SeatResult};
use super::table::{BankTerms, Table};
use crate::cards::{BySeat, Seat};

/// The nets of a round in minor units. All of them together are 0.
#[derive(Clone, Debug)]
pub(super) struct Nets {
    pub(super) seats: BySeat<i128>,
    pub(super) bank: i128,
    pub(super) house: i128,
    pub(super) commission: i128,
    pub(super) fees: i128,
}

/// Adds up the lines of all seats, commission and fees.
///
/// Bank and house are one where the house banks; the bank's net is then the dealer's
/// result, the house's what it takes besides.
pub(super) fn nets(
    ruleset: &Ruleset,
    table: &Table,
    dealt: &Dealt,
    seats: &BySeat<Box<SeatResult>>,
    cover: &Cover,
) -> Nets {
    let fee = |seat: Seat| i128::from(dealt.fees.get(&seat).copied().unwrap_or(0));
    let fees: i128 = dealt.fees.values().copied().map(i128::from).sum();
    let mut commission: i128 = lines(seats).map(|(_, line)| i128::from(line.commission)).sum();
    let net = |seat: Seat, result: &SeatResult| {
        result.lines.iter().map(Line::net).sum::<i128>() - fee(seat)
    };
    let mut nets: BySeat<i128> =
        seats.iter().map(|(seat, result)| (seat, net(seat, result))).collect();
    let all_won = sum_of_wins(lines(seats));
    let (bank, house) = match (table.bank, cover) {
        (BankTerms::Banker { seat: banker }, _) => {
            let base_game = || lines(seats).filter(|(_, line)| is_base_game(line));
            let banked = -sum_of_wins(base_game().filter(|(seat, _)| *seat != banker));
            let own = sum_of_wins(base_game().filter(|(seat, _)| *seat == banker));
            let due = banker_commission(ruleset, own + banked);
            commission += due;
            *nets.get_or_insert_with(banker, || 0) -= due;
            (banked, commission + fees - (all_won + banked))
        }
        (_, Cover::Pool(pool)) => (pool.net() - fee(Seat::DEALER), fees + commission),
        (_, Cover::House) => (-all_won - fee(Seat::DEALER), fees + commission),
    };
    Nets { seats: nets, bank, house, commission, fees }
}

fn lines(seats: &BySeat<Box<SeatResult>>) -> impl Iterator<Item = (Seat, &Line)> {
    seats.iter().flat_map(|(seat, result)| result.lines.iter().map(move |line| (seat, line)))
}

/// Returns what lines won less what they lost, before commission.
fn sum_of_wins<'a>(lines: impl Iterator<Item = (Seat, &'a Line)>) -> i128 {
    lines.map(|(_, line)| line.net() + i128::from(line.commission)).sum()
}

fn is_base_game(line: &Line) -> bool {
    matches!(line.bet, BetId::Base | BetId::DoubleDown)
}

/// Returns the commission of a player who banks, on what he wins in all outside the
/// bonus bets; nothing if he loses.
fn banker_commission(ruleset: &Ruleset, won: i128) -> i128 {
    match ruleset.banking() {
        Some(terms) if won > 0 => terms.commission.due(won, None),
        Some(_) | None => 0,
    }
}
