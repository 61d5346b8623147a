//! The nets of seats, bank and house: who gains or loses how much.

use super::bets::BetId;
use super::coverage::BankCover;
use super::dealing::TableDeal;
use super::ruleset::Ruleset;
use super::settlement::{BetLine, SeatResult, SettleError};
use super::table::{BankTerms, WagerTable};
use super::wager_line::minor;
use crate::cards::{BySeat, Seat};

/// The nets of a round without those of its seats, in minor units. All nets together are 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundNets {
    pub(super) bank: i128,
    pub(super) house: i128,
    pub(super) commission: i128,
    pub(super) fees: i128,
}

/// The sums of lines, in minor units. A win is before commission, and a loss below 0.
#[derive(Clone, Copy, Debug, Default)]
struct LineSums {
    won: i128,
    /// Of `won`, base wagers and double downs of the player who banks.
    won_by_banker: i128,
    /// Of `won`, base wagers and double downs of the others.
    won_from_banker: i128,
    commission: i128,
}

impl LineSums {
    #[inline]
    fn add(&mut self, line: &BetLine, banks: bool) {
        let won = line.net() + i128::from(line.commission);
        self.won += won;
        self.commission += i128::from(line.commission);
        if matches!(line.bet, BetId::BASE | BetId::DOUBLE_DOWN) {
            *(if banks { &mut self.won_by_banker } else { &mut self.won_from_banker }) += won;
        }
    }
}

/// Adds up the lines of all seats, commission and fees, and enters the net of each seat.
///
/// If the house banks, bank and house are one. The bank's net is then the dealer's result. The
/// house's net is all else that it takes.
///
/// # Errors
///
/// [`SettleError::Overflow`] if the net of a seat does not fit 64 bits.
pub(super) fn enter_nets(
    ruleset: &Ruleset,
    table: &WagerTable,
    dealt: &TableDeal,
    seats: &mut BySeat<Box<SeatResult>>,
    cover: &BankCover,
) -> Result<RoundNets, SettleError> {
    let fee = |seat: Seat| i128::from(dealt.fees.get(seat).copied().unwrap_or(0));
    let fees: i128 = dealt.fees.values().copied().map(i128::from).sum();
    let mut sums = LineSums::default();
    for (seat, result) in seats.iter_mut() {
        let banks = table.banker() == Some(seat);
        result.lines.iter().for_each(|line| sums.add(line, banks));
        let net: i128 = result.lines.iter().map(BetLine::net).sum();
        result.net = minor(net - fee(seat))?;
        result.fee = minor(fee(seat))?;
    }
    let (bank, house) = match (table.bank, cover) {
        (BankTerms::Banker { seat }, _) => {
            let banked = -sums.won_from_banker;
            let due = banker_commission(ruleset, sums.won_by_banker + banked);
            sums.commission += due;
            if let Some(banker) = seats.get_mut(seat) {
                banker.net = minor(i128::from(banker.net) - due)?;
                banker.bank_commission = minor(due)?;
            }
            (banked, sums.commission + fees - (sums.won + banked))
        }
        (_, BankCover::Pool(pool)) => (pool.net() - fee(Seat::DEALER), fees + sums.commission),
        (_, BankCover::House) => (-sums.won - fee(Seat::DEALER), fees + sums.commission),
    };
    Ok(RoundNets { bank, house, commission: sums.commission, fees })
}

/// Returns the commission of a player who banks, on his whole win outside the bonus bets; 0 if he
/// loses.
fn banker_commission(ruleset: &Ruleset, won: i128) -> i128 {
    match ruleset.banking() {
        Some(terms) if won > 0 => terms.commission.due(won, None),
        Some(_) | None => 0,
    }
}
