//! Who is better off by how much: the nets of seats, bank and house.

use std::collections::BTreeMap;

use super::bets::BetId;
use super::coverage::Cover;
use super::dealing::Dealt;
use super::ruleset::Ruleset;
use super::settlement::{BaseResult, Line};
use super::table::{BankTerms, Table};
use crate::cards::Seat;

/// The nets of a round in minor units. All of them together are 0.
#[derive(Clone, Debug)]
pub(super) struct Nets {
    pub(super) seats: BTreeMap<Seat, i128>,
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
    seats: &BTreeMap<Seat, (Option<BaseResult>, Vec<Line>)>,
    cover: &Cover,
) -> Nets {
    let fee = |seat: Seat| i128::from(dealt.fees.get(&seat).copied().unwrap_or(0));
    let fees: i128 = dealt.fees.values().copied().map(i128::from).sum();
    let mut commission: i128 = lines(seats).map(|(_, line)| i128::from(line.commission)).sum();
    let mut nets: BTreeMap<Seat, i128> = seats
        .iter()
        .map(|(&seat, (_, lines))| (seat, lines.iter().map(Line::net).sum::<i128>() - fee(seat)))
        .collect();
    let (bank, house) = match (table.bank, cover) {
        (BankTerms::Banker { seat: banker }, _) => {
            let (against_banker, against_house): (Vec<_>, Vec<_>) =
                lines(seats).partition(|(seat, line)| *seat != banker && is_base_game(line));
            let banked = -sum_of_wins(&against_banker);
            let own: Vec<_> = against_house
                .iter()
                .copied()
                .filter(|(seat, line)| *seat == banker && is_base_game(line))
                .collect();
            let due = banker_commission(ruleset, sum_of_wins(&own) + banked);
            commission += due;
            *nets.entry(banker).or_insert(0) -= due;
            (banked, commission + fees - sum_of_wins(&against_house))
        }
        (_, Cover::Pool(pool)) => (pool.net() - fee(Seat::DEALER), fees + commission),
        (_, Cover::House) => {
            let all: Vec<_> = lines(seats).collect();
            (-sum_of_wins(&all) - fee(Seat::DEALER), fees + commission)
        }
    };
    Nets { seats: nets, bank, house, commission, fees }
}

fn lines(
    seats: &BTreeMap<Seat, (Option<BaseResult>, Vec<Line>)>,
) -> impl Iterator<Item = (Seat, &Line)> {
    seats.iter().flat_map(|(&seat, (_, lines))| lines.iter().map(move |line| (seat, line)))
}

/// Returns what lines won less what they lost, before commission.
fn sum_of_wins(lines: &[(Seat, &Line)]) -> i128 {
    lines.iter().map(|(_, line)| line.net() + i128::from(line.commission)).sum()
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
